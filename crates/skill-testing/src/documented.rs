//! The commands of a document: the lines of its `sh` blocks.

/// One command of a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Documented {
    /// Its first line in the document, from 1.
    pub line: usize,
    /// Its text; a line that ends with `\` continues on the next line.
    pub text: String,
    /// The exit status that its comment names (`# exit status 1 …`); 0 without one.
    pub may_end_with: i32,
}

/// Returns the commands of the `sh` blocks of a Markdown text, without remarks.
pub fn commands(text: &str) -> Vec<Documented> {
    let (mut acc, mut is_shell, mut is_inside) = (Vec::new(), false, false);
    let mut lines = (1..).zip(text.lines());
    while let Some((line, text)) = lines.next() {
        if let Some(info) = text.strip_prefix("```") {
            is_inside = !is_inside;
            is_shell = is_inside && info == "sh";
            continue;
        }
        if !is_shell || text.trim().is_empty() || text.starts_with('#') {
            continue;
        }
        let mut text = text.to_owned();
        while let Some(begun) = text.strip_suffix('\\') {
            let more = lines.next().map(|(_, more)| more).unwrap_or_default();
            text = format!("{begun}\n{more}");
        }
        let may_end_with = i32::from(text.contains("exit status 1"));
        acc.push(Documented {
            line,
            text,
            may_end_with,
        });
    }
    acc
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_found() {
        let text = "a\n```sh\none  # exit status 1 when stale\ntwo \\\n  three\n\n# a remark\n```\n```text\nno\n```\n";
        let found = commands(text);
        let found: Vec<(usize, &str, i32)> = found
            .iter()
            .map(|it| (it.line, it.text.as_str(), it.may_end_with))
            .collect();
        assert_eq!(
            found,
            [
                (3, "one  # exit status 1 when stale", 1),
                (4, "two \n  three", 0)
            ]
        );
    }
}
