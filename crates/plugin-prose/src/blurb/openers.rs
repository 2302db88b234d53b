//! Words at the edges of a sentence that are about the plugin rather than its effect.

use crate::lex::chars::strip_word;

/// Beginnings, longest first.
const OPENERS: [&str; 36] = [
    "这是一个用于",
    "这是一个",
    "一个专门用于",
    "一个强大的、",
    "一个强大的",
    "一个高性能的",
    "一个简单的",
    "一个特殊的",
    "一个",
    "一款",
    "一种",
    "专门用来",
    "专门用于",
    "用于",
    "用来",
    "允许 AI ",
    "允许AI",
    "让 AI ",
    "让AI",
    "供 AI ",
    "供AI",
    "能够",
    "提供对",
    "提供",
    "本插件",
    "该插件",
    "此插件",
    "this plugin ",
    "this tool ",
    "a plugin that ",
    "a plugin to ",
    "a plugin for ",
    "a tool that ",
    "a tool to ",
    "a tool for ",
    "plugin for ",
];

/// Adjectives of the word plugin in manifests.
const KINDS: [&str; 8] = [
    "同步",
    "异步",
    "静态",
    "混合",
    "综合",
    "预处理",
    "元",
    "专用",
];

/// Returns a sentence without words about the plugin at its beginning, with a capital letter.
pub(crate) fn strip(sentence: &str) -> &str {
    let mut rest = sentence.trim();
    for _ in 0..4 {
        let unlabelled = without_label(rest);
        let found = OPENERS.iter().find_map(|cue| strip_word(unlabelled, cue));
        let next = found
            .unwrap_or(unlabelled)
            .trim_start_matches([' ', '，', '、']);
        if next.chars().count() < 4 || next == rest {
            break;
        }
        rest = next;
    }
    rest
}

/// Returns a clause without the agent that it is said to serve: `允许 AI 搜索` is `搜索`.
pub(crate) fn without_agent(clause: &str) -> &str {
    const AGENTS: [&str; 8] = [
        "同时允许 AI ",
        "同时允许AI",
        "允许 AI ",
        "允许AI",
        "让 AI ",
        "让AI",
        "供 AI ",
        "供AI",
    ];
    let text = clause.trim_start();
    let rest = AGENTS
        .iter()
        .find_map(|agent| text.strip_prefix(agent))
        .unwrap_or(text);
    let subject = ["AI可", "AI 可"]
        .iter()
        .any(|subject| rest.starts_with(subject));
    if subject {
        rest["AI".len()..].trim_start()
    } else {
        rest
    }
}

/// Skips a label that names the plugin: `书签插件：按标签整理`, `Letters plugin - sorts`.
fn without_label(text: &str) -> &str {
    const MAX_LABEL: usize = 24;
    let marks = ["：", ": ", " - ", " — ", "——"];
    let found = marks.iter().filter_map(|mark| text.split_once(mark));
    let label = found.min_by_key(|(label, _)| label.len());
    match label {
        Some((label, rest))
            if label.chars().count() <= MAX_LABEL
                && (label.ends_with("插件") || label.to_lowercase().ends_with("plugin"))
                && !label.contains(['，', '。']) =>
        {
            rest.trim_start()
        }
        _ => text,
    }
}

/// Returns a clause without the word for a plugin at its end: `整理书签的同步插件` is `整理书签`. What a
/// clause does with plugins stays: `查找对应插件`.
pub(crate) fn without_kind(clause: &str, is_first: bool) -> String {
    let text = clause.trim_end();
    let articles = [" the", " a", " this", " of", " other"];
    let is_object = |stem: &&str| articles.iter().any(|word| stem.ends_with(word));
    let english = [" plugin", " Plugin"]
        .iter()
        .find_map(|word| text.strip_suffix(word))
        .filter(|stem| !is_object(stem));
    let Some(stem) = text.strip_suffix("插件").or(english) else {
        return clause.to_owned();
    };
    let stem = stem.trim_end();
    let kind = KINDS.iter().find_map(|kind| stem.strip_suffix(kind));
    let of = kind.unwrap_or(stem).trim_end();
    let bare = of.trim_end_matches('的').trim_end();
    let is_itself = is_first || kind.is_some() || bare.len() < of.len();
    // `基于 X 的 VCP 同步插件` needs its noun.
    let is_name = english.is_none() && bare.ends_with(|c: char| c.is_ascii_alphanumeric());
    if !is_itself || bare.chars().count() < 2 {
        clause.to_owned()
    } else if is_name {
        format!("{bare} 工具")
    } else {
        bare.to_owned()
    }
}
