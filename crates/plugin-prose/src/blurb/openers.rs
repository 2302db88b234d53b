//! Words at the edges of a sentence that are about the plugin rather than its effect.

use crate::lex::chars::strip_word;

/// Beginnings, longest first.
const OPENERS: [&str; 30] = [
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
        let found = found.or_else(|| after_agent(unlabelled));
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
    let text = clause.trim_start();
    let rest = after_agent(text).unwrap_or(text);
    let rest = after_any_agent(rest).unwrap_or(rest);
    let subject = ["AI可", "AI 可"]
        .iter()
        .any(|subject| rest.starts_with(subject));
    if subject {
        rest["AI".len()..].trim_start()
    } else {
        rest
    }
}

/// Skips a verb such as `允许` and those who may do what follows: `供 Agent 或用户烧水` is `烧水`.
fn after_agent(text: &str) -> Option<&str> {
    const AGENTS: [&str; 7] = ["AI", "Agent", "智能体", "大模型", "语言模型", "LLM", "用户"];
    let text = text.strip_prefix("同时").unwrap_or(text);
    let verb = ["允许", "让", "供"];
    let rest = verb.iter().find_map(|verb| text.strip_prefix(verb))?;
    let agent = |text| AGENTS.iter().find_map(|agent| strip_word(text, agent));
    let mut rest = agent(rest.trim_start())?.trim_start();
    if let Some(other) = rest.strip_prefix(['或', '和', '与']) {
        rest = agent(other.trim_start())?.trim_start();
    }
    let goes_on = rest.chars().count() >= 2 && !rest.starts_with(['的', '、', '，']);
    (goes_on && !rest.starts_with("使用")).then_some(rest)
}

/// Skips `允许…AI`, whoever the agent belongs to: `允许主人的AI烧水` is `烧水`.
fn after_any_agent(text: &str) -> Option<&str> {
    const MAX: usize = 14;
    let (agent, rest) = text.strip_prefix("允许")?.split_once("AI")?;
    let rest = rest.trim_start();
    let goes_on = rest.chars().count() >= 4 && !rest.starts_with(['的', '、', '，']);
    (agent.chars().count() <= MAX && goes_on).then_some(rest)
}

/// Returns a clause without how the plugin is made, and without praise: `使用 Rust 编写的高性能文本搜索` is
/// `文本搜索`.
pub(crate) fn without_make(clause: &str) -> String {
    const PRAISE: [&str; 15] = [
        "常驻内存的",
        "常驻的",
        "功能完整的",
        "功能强大的",
        "一个强大的",
        "一个高性能的",
        "强大的",
        "高性能的",
        "高性能",
        "极简、高效的",
        "高效的",
        "多功能的",
        "VCP服务器专用的",
        "VCP 服务器专用的",
        "服务器专用的",
    ];
    const ENDS: [&str; 6] = [
        "的 VCP 工具",
        "的VCP工具",
        "的 VCP 插件",
        "的VCP插件",
        "同步 VCP 工具",
        "同步VCP工具",
    ];
    const MIN: usize = 2;
    let mut rest = clause;
    for _ in 0..3 {
        let made = rest.split_once("编写的").filter(|(head, _)| {
            let head = head.trim_start_matches("一个").trim_start_matches("一款");
            head.starts_with(['使', '用']) && head.chars().count() <= 16
        });
        let next = made.map(|(_, rest)| rest);
        let next = next.or_else(|| PRAISE.iter().find_map(|word| rest.strip_prefix(word)));
        match next
            .map(str::trim_start)
            .filter(|it| it.chars().count() >= MIN)
        {
            Some(next) => rest = next,
            None => break,
        }
    }
    // `基于某库封装的 VCP 工具` needs its noun.
    let is_built = rest.starts_with("基于");
    let mut ends = ENDS.iter().filter(|_| !is_built);
    let end = ends.find_map(|end| rest.strip_suffix(end));
    let res = without_made_brackets(end.unwrap_or(rest));
    res.replace("插件（", "（").replace("插件(", "(")
}

/// Returns a clause without brackets on languages and versions: `（纯 Python 实现）`.
fn without_made_brackets(clause: &str) -> String {
    const MAKE: [&str; 10] = [
        "-first",
        "python",
        "rust",
        "node",
        "异步版本",
        "同步版本",
        "optional",
        "静态",
        "常驻",
        "通用版本",
    ];
    let mut res = clause.to_owned();
    for (open, close) in [('（', '）'), ('(', ')')] {
        let found = res.find(open).and_then(|at| {
            let end = at + res[at..].find(close)?;
            let inner = res[at..end].to_lowercase();
            let is_make = MAKE.iter().any(|word| inner.contains(word));
            is_make.then_some((at, end + close.len_utf8()))
        });
        if let Some((start, end)) = found {
            res.replace_range(start..end, "");
        }
    }
    res
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
                && !label.contains(['，', '。'])
                && !super::noun::is_deed_label(label, rest) =>
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
