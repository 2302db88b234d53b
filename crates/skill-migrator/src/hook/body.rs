//! SKILL.md of a hook.

use std::fmt::Write as _;

use plugin_model::{Hook, Moment};

use super::files::TEXT;
use crate::{
    dead_links::without_file_links,
    description::{self, cut},
    markdown::{DefuseReport, code, defuse, inline, one_line},
    render::Language,
};

/// The longest text that SKILL.md repeats, in bytes.
const MAX_TEXT: usize = 12_000;
/// The longest beginning of the text in the description, in characters.
const MAX_LEAD: usize = 200;

/// Returns the description in the frontmatter. `package` is the name of the package, and `about` its
/// description.
pub(super) fn description(
    hook: &Hook,
    package: &str,
    about: Option<&str>,
    language: Language,
    seen: &mut DefuseReport,
) -> String {
    let first = hook.text.lines().find(|line| !line.trim().is_empty());
    let about = about.or(first).unwrap_or_default();
    let about = cut(&one_line(about.trim_start_matches(['#', ' '])), MAX_LEAD).0;
    let package = if package.is_empty() { "-" } else { package };
    let (what, when) = match hook.moment {
        Moment::Start => (
            language.pick(
                "Context of PACKAGE for a conversation: ",
                "PACKAGE 为对话提供的上下文：",
            ),
            language.pick(
                "Use at the start of a conversation that needs it.",
                "在需要它的对话开始时使用。",
            ),
        ),
        Moment::Message => (
            language.pick(
                "Text of PACKAGE for every message of the user: ",
                "PACKAGE 为用户的每条消息附加的文字：",
            ),
            language.pick(
                "Use before each answer in a conversation that needs it.",
                "在需要它的对话中，每次回答前使用。",
            ),
        ),
    };
    let parts = description::Parts {
        what: what.replace("PACKAGE", package) + &about,
        when: when.to_owned(),
        ..description::Parts::default()
    };
    description::description(&parts, seen).0
}

/// Returns the body.
pub(super) fn body(hook: &Hook, name: &str, language: Language, seen: &mut DefuseReport) -> String {
    let mut event = code(&one_line(&hook.event));
    if !hook.matcher.is_empty() {
        event = format!("{event}: {}", code(&one_line(&hook.matcher)));
    }
    let (intro, run) = match hook.moment {
        Moment::Start => (
            language.pick(
                "The old host added this text to a conversation when it started (EVENT). Follow it.",
                "旧宿主在对话开始时（EVENT）把以下文字加入对话。请遵循。",
            ),
            language.pick(
                "`skills-run NAME` prints it as a value for prompts.",
                "`skills-run NAME` 将其作为提示词的值输出。",
            ),
        ),
        Moment::Message => (
            language.pick(
                "The old host added this text to every message of the user (EVENT). Follow it.",
                "旧宿主把以下文字加到用户的每条消息中（EVENT）。请遵循。",
            ),
            language.pick(
                "`skills-run NAME --input -` takes a list of messages, and adds it to the last one of the user.",
                "`skills-run NAME --input -` 接收消息列表，并把它加到用户的最后一条消息中。",
            ),
        ),
    };
    let mut res = format!("# {}\n", inline(name));
    let _ = write!(
        res,
        "\n{} {}\n\n",
        intro.replace("EVENT", &event),
        run.replace("NAME", name)
    );
    if hook.text.len() <= MAX_TEXT {
        let text = without_file_links(&hook.text);
        let text = defuse(&text, seen);
        let _ = write!(res, "---\n\n{}\n", text.trim());
    } else {
        let text = language.pick("Read [the text](FILE).", "请阅读[正文](FILE)。");
        let _ = writeln!(res, "{}", text.replace("FILE", TEXT));
    }
    res
}
