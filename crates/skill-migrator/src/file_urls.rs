//! Programs that take `file:///` off an address, and the first slash of a path with it.

use crate::plugin::Plugin;

/// The beginning of the address of a local file, with three slashes.
const START: &str = "file:///";

/// Returns true if the code cuts off three slashes: `url.slice(8)`. The path of `file:///tea.png` is then
/// `tea.png`, which is right where paths begin with a drive.
pub(crate) fn cuts_slash(plugin: &Plugin<'_>) -> bool {
    plugin.code_texts().any(is_cut)
}

fn is_cut(code: &str) -> bool {
    const NEAR: usize = 240;
    const CUTS: [&str; 4] = [".slice(8)", ".substring(8)", ".substr(8)", "[8:]"];
    const WHOLE: [&str; 6] = [
        "(7)",
        "[7:]",
        "fileURLToPath",
        "url2pathname",
        "win32",
        "os.name",
    ];
    code.match_indices(START).any(|(at, _)| {
        let near: String = code[at + START.len()..].chars().take(NEAR).collect();
        let is_replaced = near.starts_with("', '')") || near.starts_with("\", \"\")");
        let cut = CUTS.iter().filter_map(|cut| near.find(cut)).min();
        let is_plain = |at: usize| !WHOLE.iter().any(|word| near[..at].contains(word));
        is_replaced || cut.is_some_and(is_plain)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_cuts_the_slash_of_a_path() {
        for (code, expected) in [
            ("if (u.startsWith('file:///')) p = u.slice(8);", true),
            ("path = url.replace('file:///', '')", true),
            ("if u.startswith('file:///'):\n    p = u[8:]", true),
            (
                "u.startsWith('file:///') ? fileURLToPath(u) : u.slice(8)",
                false,
            ),
            ("u.startsWith('file:///') ? u.slice(isWin ? 8 : 7)", false),
            (
                "u.startsWith('file:///') && isWin32('win32') ? u.slice(8) : u.slice(7)",
                false,
            ),
            (
                "if (u.startsWith('file:///')) p = u.slice(8); else p = u.slice(7)",
                true,
            ),
            ("u.startsWith('file://') ? u.slice(7) : u", false),
        ] {
            assert_eq!(is_cut(code), expected, "{code}");
        }
    }
}
