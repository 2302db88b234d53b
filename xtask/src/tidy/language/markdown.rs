//! The prose of a Markdown document: no code blocks, and every paragraph, list item and table cell
//! on its own.

/// Numbered lines of one piece of prose.
pub(super) type Block = Vec<(usize, String)>;

/// Returns the pieces of prose in `text`, in order, with the numbers of their lines.
pub(super) fn blocks(text: &str) -> Vec<Block> {
    let mut res: Vec<Block> = vec![Vec::new()];
    let mut in_fence = false;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.starts_with("```") {
            in_fence = !in_fence;
        }
        if in_fence || line.is_empty() || line.starts_with("```") {
            res.push(Vec::new());
        } else if line.starts_with('|') {
            let cells = line.split('|').map(|cell| vec![(number, cell.to_owned())]);
            res.extend(cells);
            res.push(Vec::new());
        } else {
            if let Some(item) = begins_block(line) {
                res.push(vec![(number, item.to_owned())]);
            } else if let Some(block) = res.last_mut() {
                block.push((number, line.to_owned()));
            }
            if line.starts_with('#') {
                res.push(Vec::new());
            }
        }
    }
    res.retain(|block| !block.is_empty());
    res
}

/// The text after the sign of a heading, a quotation or a list item.
fn begins_block(line: &str) -> Option<&str> {
    let (sign, rest) = line.split_once(' ')?;
    let is_number = sign
        .strip_suffix('.')
        .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()));
    let is_sign = ["-", "*", "+", ">"].contains(&sign) || sign.bytes().all(|b| b == b'#');
    (is_number || is_sign).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(usize, &str)]) {
        let blocks = blocks(text);
        let joined = blocks.iter().map(|block| {
            let lines: Vec<&str> = block.iter().map(|(_, text)| text.trim()).collect();
            (block[0].0, lines.join(" "))
        });
        let joined = joined.filter(|(_, text)| !text.is_empty());
        let expected = expected
            .iter()
            .map(|(line, text)| (*line, (*text).to_owned()));
        assert_eq!(joined.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    }

    #[test]
    fn paragraphs_and_headings() {
        check("# A\nb\nc\n\nd", &[(1, "A"), (2, "b c"), (5, "d")]);
    }

    #[test]
    fn list_items_and_quotations() {
        check(
            "a:\n- b\n  c\n12. d\n> e",
            &[(1, "a:"), (2, "b c"), (4, "d"), (5, "e")],
        );
    }

    #[test]
    fn table_cells() {
        check("| a | b |\n|---|\n", &[(1, "a"), (1, "b"), (2, "---")]);
    }

    #[test]
    fn code_is_left_out() {
        check("a\n```sh\nb\n```\nc", &[(1, "a"), (5, "c")]);
    }
}
