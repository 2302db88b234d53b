//! Code with numbers of its own: a script, a shell function, a query, a replacement.

use crate::code::Fence;

/// Programs whose own `$1` is common in one line.
const PROGRAMS: [&str; 3] = ["awk", "perl -", "sed -"];
/// Languages of fences in which `$1` can be an argument of the prompt.
const SHELL: [&str; 10] = [
    "", "!", "sh", "bash", "zsh", "shell", "console", "text", "markdown", "md",
];
/// Words of SQL, in which `$1` is a parameter of the query.
const SQL: [&str; 7] = [
    "SELECT", "INSERT", "DELETE", "VALUES", "WHERE", "LIMIT", "OFFSET",
];
/// Calls and rules in which `$1` is a group of a pattern.
const REPLACEMENTS: [&str; 7] = [
    ".replace(",
    ".replaceAll(",
    "preg_replace(",
    "re.sub(",
    "RewriteRule ",
    "rewrite ^",
    "-replace ",
];
/// Words with which only a shell script speaks of its own arguments and of itself.
const SCRIPT: [&str; 12] = [
    "() {",
    "(){",
    "$#",
    "\"$@\"",
    "${@",
    "getopts ",
    "set -- ",
    "sage: $0",
    "basename $0",
    "basename \"$0\"",
    "dirname $0",
    "dirname \"$0\"",
];

/// Returns whether a fence holds code with arguments of its own: another language, a script, or a
/// shell function.
pub(super) fn is_script(text: &str, fence: &Fence) -> bool {
    let info = &text[fence.info.clone()];
    let language = info.split([' ', '{', ',']).next().unwrap_or_default();
    let content = &text[fence.content.clone()];
    !SHELL.contains(&language.to_ascii_lowercase().as_str())
        || content.starts_with("#!")
        || SCRIPT.iter().any(|word| content.contains(word))
        || content.lines().any(is_line_of_function)
}

/// Returns whether a line can only be in a shell function or a script, or begins one.
fn is_line_of_function(line: &str) -> bool {
    let line = line.trim();
    let begins = line.starts_with("function ") && line.ends_with('{');
    let name = line.strip_suffix("()").unwrap_or_default();
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let is_head = !name.is_empty() && name.trim_end().chars().all(is_name);
    let is_shift = line == "shift" || line.starts_with("shift ") || line.starts_with("shift;");
    begins || is_head || is_shift || line.starts_with("local ")
}

/// Returns whether the code before a number gives it a value of its own. `span` is the inline code
/// around it; empty in a fence.
pub(super) fn has_own_numbers(before: &str, span: &str) -> bool {
    let has = |words: &[&str]| words.iter().any(|word| before.contains(word));
    let mut words = before.split(|c: char| !c.is_ascii_alphabetic());
    has(&PROGRAMS)
        || has(&REPLACEMENTS)
        || SCRIPT.iter().any(|word| span.contains(word))
        || words.any(|word| SQL.contains(&word))
}

#[cfg(test)]
mod tests {
    use crate::{Dialect, FirstIndex, Template};

    /// Compares the numbers that authors meant, those of code, and the first one of a hint of one
    /// argument.
    #[track_caller]
    fn check(text: &str, meant: &[usize], of_code: &[&str], first: FirstIndex) {
        let template = Template::parse(text, Dialect::Claude, &[]);
        assert_eq!(template.used_indices(), meant, "{text}");
        assert_eq!(template.numbers_of_code(), of_code, "{text}");
        assert_eq!(template.first_index(1), first, "{text}");
    }

    #[test]
    fn code_has_numbers_of_its_own() {
        use FirstIndex::Known;
        for (text, meant, of_code, first) in [
            ("`ps | awk '{print $2}'`", &[][..], &["$2"][..], 0),
            ("`SELECT * FROM tea LIMIT $1`", &[], &["$1"], 0),
            ("```\nSELECT a FROM b WHERE c = $1\n```", &[], &["$1"], 0),
            ("```sql\nselect $1\n```", &[], &["$1"], 0),
            ("`f() { local n=\"$1\"; }`", &[], &["$1"], 0),
            ("```sh\nf() { echo \"$1\"; }\n```", &[], &["$1"], 0),
            ("```sh\nf ()\n{\n  echo $1\n}\n```", &[], &["$1"], 0),
            ("```sh\nfunction f {\n  local n=$1\n}\n```", &[], &["$1"], 0),
            ("```sh\n[ $# -gt 1 ] && go $1\n```", &[], &["$1"], 0),
            ("```sh\ngo $1\nshift\n```", &[], &["$1"], 0),
            ("`a.replace(/(x)/, '<$1>')`", &[], &["$1"], 0),
            // Only the inline code around a number counts, and not the line.
            ("Limit `LIMIT 5` for $1.", &[1], &[], 1),
            ("Fix `awk` in `$1`.", &[1], &[], 1),
            ("```sh\ngit switch $1\n```", &[1], &[], 1),
            // The name of a script does not decide how arguments are counted.
            (
                "Pour $1.\n\n```sh\necho \"Usage: $0 CUP\"\n```",
                &[1],
                &["$0"],
                1,
            ),
            ("Pour $1.\n\n```sh\n./pour $0\n```", &[0, 1], &[], 0),
        ] {
            check(text, meant, of_code, Known(first));
        }
    }
}
