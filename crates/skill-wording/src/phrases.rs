//! Phrases that a good skill does not have.

use std::ops::Range;

/// The beginning and the end of a phrase that says nothing; something short is between them.
const FILLER: [(&str, &str); 9] = [
    ("用于", "相关的任务"),
    ("用于", "相关任务"),
    ("处理", "相关的任务"),
    ("等", "相关的任务"),
    ("other tasks about ", ""),
    ("other tasks related to ", ""),
    ("for tasks that involve the plugin", ""),
    ("when the task involves ", ":"),
    ("any task that involves ", " plugin"),
];

/// The maximum length between the beginning and the end of a phrase, in bytes.
const MAX_BETWEEN: usize = 90;

/// Returns the first phrase that is true of every skill: `也用于天气相关的任务`, `or for other tasks about
/// weather`.
pub fn filler(text: &str) -> Option<Range<usize>> {
    let lower = text.to_ascii_lowercase();
    let found = FILLER.iter().filter_map(|(begin, end)| {
        let mut starts = lower.match_indices(begin);
        starts.find_map(|(at, _)| {
            let rest = &lower[at + begin.len()..];
            let stop = rest.find(['。', '.', '；', ';', '\n']);
            let rest = &rest[..stop.unwrap_or(rest.len())];
            let between = rest.find(end).filter(|between| *between <= MAX_BETWEEN)?;
            Some(at..at + begin.len() + between + end.len())
        })
    });
    found.min_by_key(|range| range.start)
}

/// Words that only a user of the old host knows. Each is a literal of its protocol or of its
/// documents, so that it does not occur by chance.
const RESIDUE: [&str; 18] = [
    "「始」",
    "「末」",
    "<<<[TOOL_REQUEST]>>>",
    "[TOOL_REQUEST]",
    "[END_TOOL_REQUEST]",
    "TOOL_REQUEST",
    "VCP_ASYNC_RESULT",
    "{{VCP",
    "串语法",
    "占位符原文",
    "系统提示词占位符",
    "请在您的回复中",
    "在你的回复中使用以下",
    "重要提示给AI",
    "hybridservice",
    "messagePreprocessor",
    "invocationCommands",
    "systemPromptPlaceholders",
];

/// Returns the first word of the protocol of an old host.
pub fn host_residue(text: &str) -> Option<Range<usize>> {
    let found = RESIDUE.iter().filter_map(|word| {
        let at = text.find(word)?;
        Some(at..at + word.len())
    });
    found.min_by_key(|range| (range.start, std::cmp::Reverse(range.end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_nothing() {
        let check = |text: &str, expected: &str| {
            let found = filler(text).map_or("", |range| &text[range]);
            assert_eq!(found, expected, "{text}");
        };
        check(
            "当需要查天气时使用，也用于天气相关的任务。",
            "用于天气相关的任务",
        );
        check(
            "Rolls dice, or for other tasks about dice.",
            "other tasks about ",
        );
        check("用于处理 PDF 文件。", "");
        check("用于天气。与此相关的任务见下文。", "");
        check("Use when tasks involve PDF files.", "");
    }

    #[test]
    fn is_of_the_host() {
        let check = |text: &str, expected: &str| {
            let found = host_residue(text).map_or("", |range| &text[range]);
            assert_eq!(found, expected, "{text}");
        };
        check("tool_name:「始」Tea「末」", "「始」");
        check("支持串语法批量操作", "串语法");
        check("Use <<<[TOOL_REQUEST]>>> here", "<<<[TOOL_REQUEST]>>>");
        check("a placeholder in a template, a tool request", "");
        check("他说「始终如一」。", "");
    }
}
