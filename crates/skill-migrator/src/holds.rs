//! Says of a description what holds without the old host.

use skill_diagnostics::Diagnostic;

use crate::codes::MESSAGE_UNSHOWN;

/// The name of the knowledge base of an old host in `host_answered`.
const KNOWLEDGE_BASE: &str = "knowledge-base";

/// Returns what a skill does when its old host is away: a message that nothing shows is passed on by the
/// reader, and a search in the host's knowledge base needs that.
pub(crate) fn without_host(what: &str, findings: &[Diagnostic], answered: &[String]) -> String {
    let is_unshown = findings.iter().any(|it| it.code == MESSAGE_UNSHOWN);
    let passed_on = is_unshown.then(|| passed_on(what)).flatten();
    if let Some(passed_on) = passed_on {
        return passed_on;
    }
    let searches = ["检索", "搜索", "search", "Search"];
    let is_search = searches.iter().any(|word| what.contains(word));
    if is_search && answered.iter().any(|it| it == KNOWLEDGE_BASE) {
        return if what.is_ascii() {
            format!("{what}, with the knowledge base of its old host")
        } else {
            format!("{what}（需要原环境的知识库）")
        };
    }
    what.to_owned()
}

/// Turns `向用户前端发送格式化消息` into `准备格式化消息，由你转告用户`.
fn passed_on(what: &str) -> Option<String> {
    let clause = what.split(['，', ',']).next()?;
    if let Some((_, message)) = clause.split_once("发送") {
        return Some(format!("准备{}，由你转告用户", message.trim()));
    }
    let (_, message) = clause
        .split_once("ends ")
        .or_else(|| clause.split_once("end "))?;
    let end = message.find(" to ").unwrap_or(message.len());
    Some(format!("Prepares {} for you to pass on", &message[..end]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_needs_the_host_is_said() {
        let check = |what: &str, is_unshown: bool, answered: &[&str], expected: &str| {
            let finding = Diagnostic::note(MESSAGE_UNSHOWN, "");
            let findings = if is_unshown {
                vec![finding]
            } else {
                Vec::new()
            };
            let answered: Vec<String> = answered.iter().map(|it| (*it).to_owned()).collect();
            assert_eq!(without_host(what, &findings, &answered), expected);
        };
        check(
            "向茶客发送一条消息",
            true,
            &[],
            "准备一条消息，由你转告用户",
        );
        check(
            "Sends a note to the guests",
            true,
            &[],
            "Prepares a note for you to pass on",
        );
        check("向茶客发送一条消息", false, &[], "向茶客发送一条消息");
        check("烧水", true, &[KNOWLEDGE_BASE], "烧水");
        check(
            "检索茶单",
            false,
            &[KNOWLEDGE_BASE],
            "检索茶单（需要原环境的知识库）",
        );
        check("检索茶单", false, &["plugin-manager"], "检索茶单");
    }
}
