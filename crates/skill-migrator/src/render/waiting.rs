//! Advice on a task that goes on after the call, where none does.

use std::borrow::Cow;

use skill_model::Command;

use super::{Language, protocol};

/// Words of the advice to say that a task was only begun.
const BEGUN: [&str; 9] = [
    "任务已提交",
    "任务已经提交",
    "已提交任务",
    "任务已开始",
    "task has been submitted",
    "task was submitted",
    "has been queued",
    "will be delivered",
    "结果将稍后",
];
/// Words in the names of commands that ask for the result of a task.
const ASKS: [&str; 7] = [
    "query", "status", "poll", "check", "progress", "result", "查询",
];

/// Returns true for a program that has its result when it answers: no command asks for one.
fn waits(commands: &[Command]) -> bool {
    let is_asking = |name: &str| {
        let lower = name.to_lowercase();
        ASKS.iter().any(|word| lower.contains(word))
    };
    !commands.iter().any(|command| {
        let value = command.dispatch.as_ref().map(|it| &*it.value);
        is_asking(&command.id) || value.is_some_and(is_asking)
    })
}

/// Returns a text in which the advice to say that a task was submitted is that the call waits, unless
/// something goes on after it or a command asks for the result.
pub(super) fn truthful<'t>(
    text: &'t str,
    commands: &[Command],
    goes_on: bool,
    language: Language,
) -> Cow<'t, str> {
    let is_told = BEGUN.iter().any(|word| text.contains(word));
    if !is_told || goes_on || !waits(commands) {
        return text.into();
    }
    let mut is_first = true;
    let lines = text.split_inclusive('\n').map(|line| {
        let sentences = protocol::sentences(line).map(|sentence| {
            let Some(head) = before_advice(sentence) else {
                return sentence.to_owned();
            };
            let told = if std::mem::take(&mut is_first) {
                language.pick(
                    "the call returns when it is done; tell the user before it that this takes time",
                    "调用会等到完成才返回，请先告诉用户需要等待",
                )
            } else {
                ""
            };
            rewritten(head, told, sentence, language)
        });
        let told = sentences.collect::<String>();
        // Nothing is left of the line.
        let is_gone = told.trim().is_empty() && !line.trim().is_empty();
        if is_gone { String::new() } else { told }
    });
    lines.collect::<String>().into()
}

/// Returns the beginning of a sentence before the clause with the advice; `None` for another sentence.
fn before_advice(sentence: &str) -> Option<&str> {
    let at = BEGUN.iter().filter_map(|word| sentence.find(word)).min()?;
    let is_stop = |c: char| "，,；;：:".contains(c);
    let start = sentence[..at]
        .char_indices()
        .rev()
        .find(|(_, c)| is_stop(*c));
    Some(start.map_or("", |(at, c)| &sentence[..at + c.len_utf8()]))
}

/// Returns a sentence with the truth in place of the advice; the marks at its end stay.
fn rewritten(head: &str, told: &str, sentence: &str, language: Language) -> String {
    let is_end = |c: char| c == '*' || c.is_whitespace();
    let end = &sentence[sentence.trim_end_matches(is_end).len()..];
    let stop = language.pick(".", "。");
    if told.is_empty() {
        let bare = head.trim_end_matches(|c: char| "，,；;：: ".contains(c));
        let has_words = bare.chars().filter(|c| c.is_alphanumeric()).count() > 6;
        return if has_words {
            format!("{bare}{stop}{end}")
        } else {
            String::new()
        };
    }
    let blank = if language == Language::English && !head.is_empty() {
        " "
    } else {
        ""
    };
    let marks = if head.is_empty() && sentence.starts_with("**") {
        "**"
    } else {
        ""
    };
    format!("{marks}{head}{blank}{told}{stop}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use skill_model::Command;

    #[test]
    fn advice_on_tasks_that_are_done() {
        let mut commands = vec![Command::new("brew")];
        let text = "**重要提示：泡茶要几分钟，请在调用成功后告知用户任务已提交，并提醒他们等待。**\n把茶给用户。";
        assert_eq!(
            truthful(text, &commands, false, Language::Chinese),
            "**重要提示：泡茶要几分钟，调用会等到完成才返回，请先告诉用户需要等待。**\n把茶给用户。"
        );
        let twice = "请告知用户任务已提交。\n请告知用户任务已提交。\n";
        assert_eq!(
            truthful(twice, &commands, false, Language::Chinese),
            "调用会等到完成才返回，请先告诉用户需要等待。\n"
        );
        assert_eq!(truthful(text, &commands, true, Language::Chinese), text);
        commands.push(Command::new("query"));
        assert_eq!(truthful(text, &commands, false, Language::Chinese), text);
    }
}
