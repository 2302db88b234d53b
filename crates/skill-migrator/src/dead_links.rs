//! Links to files that a skill does not have, written as words.

/// Returns a link to a file that the skill does not have, as its words and its path.
pub(crate) fn unlinked(words: &str, path: &str) -> String {
    let bare = words.trim().trim_matches('`');
    if bare.is_empty() || bare == path {
        format!("`{path}`")
    } else {
        format!("{words} (`{path}`)")
    }
}

/// Returns a text without links to files. Addresses, places in the text itself, and code stay.
pub(crate) fn without_file_links(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut is_fence = false;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let is_mark = start.starts_with("```") || start.starts_with("~~~");
        is_fence ^= is_mark;
        if is_fence || is_mark || !line.contains("](") {
            res.push_str(line);
        } else {
            push_line(line, &mut res);
        }
    }
    res
}

fn push_line(line: &str, res: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at + 2);
        let path_end = link.find([')', '#', ' ', '\n']).unwrap_or(link.len());
        let (path, open, close) = (&link[..path_end], before.rfind('['), link.find(')'));
        let is_in_code = before.matches('`').count() % 2 == 1;
        match (open, close) {
            (Some(open), Some(close)) if is_relative(path) && !is_in_code => {
                let start = before[..open].strip_suffix('!').unwrap_or(&before[..open]);
                res.push_str(start);
                res.push_str(&unlinked(&before[open + 1..at], path));
                rest = &link[close + 1..];
            }
            _ => {
                res.push_str(before);
                rest = link;
            }
        }
    }
    res.push_str(rest);
}

/// Returns true for a link that is a path relative to its file.
pub(crate) fn is_relative(path: &str) -> bool {
    let is_pattern = |c: char| matches!(c, ':' | '$' | '{' | '<' | '*' | '\\' | '"' | '\'');
    !path.is_empty() && !path.starts_with('/') && !path.contains(is_pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(without_file_links(text), expected);
    }

    #[test]
    fn links_to_files_are_words() {
        check(
            "See [the guide](notes/a.md#x \"t\") and ![p](p.png), [b.md](b.md).\n",
            "See the guide (`notes/a.md`) and p (`p.png`), `b.md`.\n",
        );
        check(
            "[w](https://a.example) [t](#top) `[c](d.md)` a](b",
            "[w](https://a.example) [t](#top) `[c](d.md)` a](b",
        );
        check("```\n[c](d.md)\n```\n", "```\n[c](d.md)\n```\n");
    }
}
