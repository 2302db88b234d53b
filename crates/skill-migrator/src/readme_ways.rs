//! The way to a cookie or a token, as the readme of a plugin says it: `F12 → Application → Cookies`.

use crate::markdown::one_line;
use crate::package::is_readme;
use crate::plugin::Plugin;
use crate::secrets::secret_findings;

/// Words of a heading over such steps, and of the names of settings.
const KINDS: [&str; 2] = ["cookie", "token"];
/// Maximum length of the steps, in characters.
const MAX: usize = 160;

/// Returns the steps to a cookie or a token, with the word that settings of its kind have in their names.
pub(crate) fn read(plugin: &Plugin<'_>) -> Option<(&'static str, String)> {
    let readmes = plugin.texts.iter().filter(|(path, _)| is_readme(path));
    let mut found = readmes.filter_map(|(_, text)| of_text(text));
    found.next()
}

fn of_text(text: &str) -> Option<(&'static str, String)> {
    let mut kind = None;
    let mut before = "";
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('#') {
            let lower = line.to_lowercase();
            kind = KINDS.iter().find(|word| lower.contains(**word)).copied();
            before = "";
            continue;
        }
        if let Some(kind) = kind.filter(|_| line.contains("F12")) {
            let lead = if before.ends_with(['：', ':', '，']) {
                before
            } else {
                ""
            };
            let text = format!("{lead}{}", unmarked(line)).replace(['`', '*'], "");
            let text = one_line(&text);
            let is_short = text.chars().count() <= MAX && secret_findings("", &text).is_empty();
            return is_short.then(|| (kind, text.trim_end_matches(['。', '.']).to_owned()));
        }
        if !line.is_empty() {
            before = unmarked(line);
        }
    }
    None
}

/// Returns a line without the number or the sign of an item.
fn unmarked(line: &str) -> &str {
    let line = line.trim_start_matches(|c: char| c.is_ascii_digit());
    line.trim_start_matches(['.', '、', ')', '-', '*', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_in_readmes() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let found = of_text(text);
            assert_eq!(
                found.as_ref().map(|(kind, text)| (*kind, &**text)),
                expected,
                "{text}"
            );
        };
        check(
            "## Cookie 配置\n\n登录茶馆后，打开浏览器：\n\n`F12 → Application → Cookies`\n",
            Some((
                "cookie",
                "登录茶馆后，打开浏览器：F12 → Application → Cookies",
            )),
        );
        check(
            "### Token\n1. Log in\n2. Press F12, copy `pot`\n",
            Some(("token", "Press F12, copy pot")),
        );
        check("## 调试\n按 F12\n", None);
        check("## Cookie\n登录\n## 其他\nF12\n", None);
    }
}
