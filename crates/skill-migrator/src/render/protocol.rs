//! Sentences that are about the legacy host: the syntax of its calls, and its word for an agent.

use std::borrow::Cow;

use super::clauses;
use super::host_words::plain_words;

/// Parts of a sentence on the syntax of calls.
const SYNTAX: [&str; 29] = [
    "边界符",
    "{{VCP",
    "工具块",
    "参数之间用英文逗号",
    "禁止包含任何其他参数",
    "不要包含任何未列出的参数",
    "紧跟通用参数",
    "以下精确格式",
    "使用以下格式",
    "使用如下格式",
    "以下格式发",
    "按以下格式",
    "按照以下格式",
    "严格按照以下格式",
    "精确的格式",
    "特定格式请求",
    "「始」",
    "「末」",
    "「始",
    "回复的末尾",
    "确保所有参数值",
    "串语法",
    "TOOL_REQUEST",
    "TOOL_RESULT",
    "tool_name",
    "following exact format",
    "following format to call",
    "VCP_ASYNC_RESULT",
    "占位符原文",
];

/// Returns the sentences of a line with their stops and blanks.
pub(super) fn sentences(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = sentence_end(rest);
        let (sentence, next) = rest.split_at(end);
        rest = next;
        Some(sentence)
    })
}

/// Returns the end of the first sentence: after a wide stop outside of brackets, or after a stop and a
/// blank. What closes the sentence belongs to it.
fn sentence_end(text: &str) -> usize {
    const MIN: usize = 4;
    let mut depth = 0_usize;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match c {
            '（' | '(' | '【' | '“' | '《' | '「' | '{' | '[' => depth += 1,
            '）' | ')' | '】' | '”' | '》' | '」' | '}' | ']' => {
                depth = depth.saturating_sub(1);
            }
            _ => {}
        }
        let next = chars.peek().map(|(_, next)| *next);
        let is_blank = next.is_none_or(char::is_whitespace);
        let is_stop = matches!(c, '。' | '！' | '？')
            || matches!(c, '.' | '!' | '?') && is_blank && at >= MIN;
        if is_stop && depth == 0 {
            let closes = |c: char| matches!(c, '*' | '"' | '\'' | '”' | ' ' | '。' | '！' | '？');
            let rest = &text[at + c.len_utf8()..];
            return text.len() - rest.trim_start_matches(closes).len();
        }
    }
    text.len()
}

/// Returns a line without the label of what a command does: `功能: 烧水`.
pub(super) fn without_label(line: &str) -> &str {
    const MAX: usize = 20;
    const LABELS: [&str; 7] = [
        "功能",
        "功能描述",
        "功能说明",
        "核心用途",
        "主要用途",
        "用途",
        "Function",
    ];
    let found = line.split_once(['：', ':']);
    if let Some((_, rest)) = found.filter(|(label, _)| is_quoted(label)) {
        let rest = rest.trim_start();
        return rest.strip_prefix("用于").unwrap_or(rest);
    }
    let marked = line.strip_prefix('【').and_then(|it| it.split_once('】'));
    let marked = marked.filter(|(label, rest)| {
        label.chars().count() <= MAX && label.chars().all(|c| rest.contains(c))
    });
    if let Some((_, rest)) = marked {
        return rest.trim_start();
    }
    let bracketed = line.strip_prefix('[').and_then(|it| it.split_once(']'));
    let bracketed = bracketed.filter(|(label, _)| {
        const KINDS: [&str; 5] = ["工具", "插件", "推荐", "主入口", "兼容"];
        let is_kind = KINDS.iter().any(|kind| label.contains(kind));
        is_kind && label.chars().count() <= MAX
    });
    if let Some((_, rest)) = bracketed {
        return rest.trim_start();
    }
    let found = found.filter(|(label, _)| LABELS.contains(&label.trim_matches('*')));
    found.map_or(line, |(_, rest)| rest.trim_start())
}

/// Returns true for the name of a command in quotes: `“新建茶单”`.
fn is_quoted(label: &str) -> bool {
    const MAX: usize = 18;
    let is_pair = [('“', '”'), ('「', '」')]
        .iter()
        .any(|(open, close)| label.starts_with(*open) && label.ends_with(*close));
    is_pair && label.chars().count() <= MAX
}

/// Returns true for `参数: 无。`, which a command without a table says as well.
pub(super) fn says_no_parameters(line: &str) -> bool {
    let line = line.trim_matches(|c: char| "-*•。. ".contains(c));
    let said = line.split_once(['：', ':']);
    said.is_some_and(|(label, rest)| {
        let none = ["无", "无需参数", "none", "None"];
        matches!(label.trim_matches('*'), "参数" | "Parameters" | "Arguments")
            && none.contains(&rest.trim_matches(['*', ' ']))
    })
}

/// Returns true for the label of what a version changed: `🆕 v1.1.7 审计加固版:`.
pub(super) fn is_version_label(line: &str) -> bool {
    let line = line.trim().trim_end_matches('*').trim_end();
    let text = line.trim_start_matches(|c: char| !c.is_alphanumeric());
    let digits = text.strip_prefix(['v', 'V']).unwrap_or_default();
    line.ends_with([':', '：'])
        && line.chars().count() <= 30
        && digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.contains('.')
}

/// Parts of a sentence that tells an agent what it does anyway.
const FILLER: [&str; 31] = [
    "请直接向用户展示图片",
    "请直接向用户展示生成的图片",
    "请把视频链接给用户",
    "请使用返回的URL展示图片",
    "附带图片的直接URL链接",
    "您将收到生成图片的可访问URL",
    "进度占位符",
    "复用 MCP",
    "省 token 与工作质量",
    "省token与工作质量",
    "抄作业",
    "已升级为代码",
    "程序内部会调用",
    "核心同步命令",
    "WBI签名",
    "优先考虑此工具",
    "作者：",
    "作者: ",
    "config.env.example",
    "替换占位符",
    "调整 `width`",
    "调整width",
    "调整 width",
    "replace the placeholder",
    "adjust the width",
    "请根据用户的需求和图片的含义",
    "当此工具执行完毕后，表示",
    "请基于这些结果回答用户的问题",
    "请根据这些结果回答用户的问题",
    "您将收到包含搜索结果的JSON对象",
    "请根据返回结果回答用户",
];

/// Returns true for a sentence that says nothing to the user of a skill.
pub(super) fn is_left_out(sentence: &str) -> bool {
    is_about_syntax(sentence)
        || sentence.trim_start().starts_with("支持的命令")
        || is_remnant(sentence)
        || is_about_setting(sentence)
        || is_about_tags(sentence)
        || plugin_prose::is_about_make(sentence)
        || is_about_interface(sentence)
        || FILLER.iter().any(|part| sentence.contains(part))
}

/// Returns true for a short sentence on an interface of the old host, which a skill does not have.
fn is_about_interface(sentence: &str) -> bool {
    const MAX: usize = 60;
    const INTERFACES: [&str; 5] = [
        "配置界面",
        "管理界面",
        "管理面板",
        "后台面板",
        "admin panel",
    ];
    INTERFACES.iter().any(|word| sentence.contains(word)) && sentence.chars().count() <= MAX
}

/// Returns true for a sentence that only says to give a setting, which "Prepare" says: `需要配置 TEA_KEY。`
fn is_about_setting(sentence: &str) -> bool {
    const DEEDS: [&str; 6] = [
        "需要配置",
        "需配置",
        "必须配置",
        "请配置",
        "请先配置",
        "需要设置",
    ];
    let plain = plain_words(sentence);
    let bare = plain.trim_start_matches(|c: char| c.is_ascii_digit() || ".-*、 ".contains(c));
    let rest = DEEDS.iter().find_map(|deed| bare.strip_prefix(deed));
    let key = rest.map(|rest| rest.trim_matches(|c: char| "`。. ".contains(c)));
    key.is_some_and(|key| {
        !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

/// Returns true for a sentence on the object around a result, of which the section on calls says what is
/// left of it: `失败时返回 JSON: { "status": "error", … }`, and that of a success if the result is known.
pub(super) fn is_envelope(sentence: &str, has_result: bool) -> bool {
    let bare: String = sentence
        .chars()
        .filter(|c| !c.is_whitespace() && !"\"'`".contains(*c))
        .collect();
    let is_error = bare.contains("{status:error");
    let is_success = bare.contains("{status:success");
    // An error with a code of its own is one that the caller acts on.
    let has_code = bare.contains("code:");
    is_error && !is_success && !has_code || is_success && has_result
}

/// Returns true for a line that only says that there is a result: `**返回**: 茶单的 JSON 数据`.
pub(super) fn is_vague_result(line: &str) -> bool {
    const MAX: usize = 48;
    let bare = line.trim().trim_start_matches(['*', '-', ' ', '#']);
    let rest = ["返回", "返回值", "输出", "Returns", "Return"]
        .iter()
        .filter_map(|label| bare.strip_prefix(label))
        .find_map(|rest| rest.trim_start_matches('*').strip_prefix(['：', ':']));
    rest.is_some_and(|rest| {
        let is_name = |c: char| c.is_ascii_digit() || "`_{[".contains(c);
        rest.chars().count() <= MAX
            && rest.chars().any(char::is_alphanumeric)
            && !rest.contains(is_name)
    })
}

/// Returns true for the beginning of a sentence whose end was a mark of the protocol: `必须输出完整的`.
fn is_remnant(sentence: &str) -> bool {
    const MAX: usize = 20;
    let sentence = sentence.trim();
    sentence.ends_with("完整的") && sentence.chars().count() <= MAX
}

/// Returns true for the end of a sentence that stops in it divide: `接口。`, after a path with three stops.
pub(super) fn is_end(sentence: &str) -> bool {
    const MAX: usize = 3;
    let sentence = sentence.trim();
    sentence.ends_with('。') && sentence.chars().count() <= MAX
}

/// Returns a text without clauses on the marks around values, which are gone: `，并在「始」...「末」之内`.
pub(super) fn without_mark_clauses(text: &str) -> Cow<'_, str> {
    const PAIRS: [&str; 6] = [
        "「始」...「末」",
        "「始」…「末」",
        "「始」……「末」",
        "「始」和「末」",
        "「始」与「末」",
        "「始」「末」",
    ];
    let mut res = Cow::Borrowed(text);
    for pair in PAIRS {
        while let Some(at) = res.find(pair) {
            let is_stop = |c: char| "，,；;。\n".contains(c);
            let before = res[..at].rfind(is_stop);
            let after = res[at..].find(|c: char| is_stop(c) || ")）:：".contains(c));
            let end = after.map_or(res.len(), |after| at + after);
            // A whole sentence is left out elsewhere.
            let start = before.filter(|before| res[*before..].starts_with(['，', ',', '；', ';']));
            let Some(start) = start else {
                break;
            };
            res.to_mut().replace_range(start..end, "");
        }
    }
    res
}

/// Returns true for a sentence that asks to show a result with tags of HTML, which the window of the old host
/// rendered. An agent shows what it gets.
fn is_about_tags(sentence: &str) -> bool {
    let is_request = ["HTML", "html", "标签", " tag"]
        .iter()
        .any(|word| sentence.contains(word));
    let tags = ["<img", "<video", "<audio"];
    is_request && tags.iter().any(|tag| sentence.contains(tag))
}

/// Returns true for a sentence on the syntax of calls.
pub(super) fn is_about_syntax(sentence: &str) -> bool {
    SYNTAX.iter().any(|part| sentence.contains(part))
}

/// Returns a sentence that speaks to its reader.
pub(super) fn without_agent(sentence: &str) -> String {
    let said = without_version(&plain_words(&clauses::without_needless(sentence)));
    said.replace("现在额外支持", "支持")
        .replace("现已支持", "支持")
}

/// Returns a sentence without the version in which a function came: `搜索日志（v1.3.0）。`.
fn without_version(sentence: &str) -> String {
    let mut res = String::new();
    let mut rest = sentence;
    while let Some(at) = rest.find("（v").or_else(|| rest.find(" (v")) {
        let (head, tail) = rest.split_at(at);
        res.push_str(head);
        let bare = tail.trim_start_matches(['（', ' ', '(', 'v']);
        let after = bare.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let is_version = bare.len() > after.len() && after.starts_with(['）', ')']);
        if is_version {
            rest = after.trim_start_matches(['）', ')']);
        } else {
            res.push_str(&tail[..tail.len() - bare.len()]);
            rest = bare;
        }
    }
    res.push_str(rest);
    res
}

/// Returns a sentence without the word that joins it to one that is gone: `同时可列出邮件`.
pub(super) fn without_link(sentence: &str) -> &str {
    const LINKS: [&str; 9] = [
        "同时，",
        "同时",
        "此外，",
        "另外，",
        "并且",
        "现在额外",
        "现在还",
        "现已",
        "Also, ",
    ];
    let text = sentence.trim_start();
    let rest = LINKS.iter().find_map(|link| text.strip_prefix(link));
    rest.filter(|rest| rest.chars().count() > 3)
        .unwrap_or(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_on_marks_go() {
        let check = |text: &str, expected: &str| assert_eq!(without_mark_clauses(text), expected);
        check(
            "茶名 (提示: 用引号包裹，并在「始」...「末」之内): 好",
            "茶名 (提示: 用引号包裹): 好",
        );
        check("水要热，用「始」和「末」包裹。茶要淡。", "水要热。茶要淡。");
        check("用「始」和「末」包裹。", "用「始」和「末」包裹。");
        check("a:「始」1「末」", "a:「始」1「末」");
    }

    #[test]
    fn versions_and_links_go() {
        let check = |text: &str, expected: &str| assert_eq!(without_version(text), expected);
        check("搜索日志（v1.3.0）。（慢）", "搜索日志。（慢）");
        check("Searches logs (v2.0), all", "Searches logs, all");
        check("（volt）与（v）", "（volt）与（v）");
        check("V5（vip 1.0）", "V5（vip 1.0）");
        let check = |text: &str, expected: &str| assert_eq!(without_link(text), expected);
        check("同时可列出邮件。", "可列出邮件。");
        check("现在额外支持注入。", "支持注入。");
        check("可列出邮件。", "可列出邮件。");
        check("同时。", "同时。");
    }

    #[test]
    fn divides_lines() {
        let check = |line: &str, expected: &[&str]| {
            assert_eq!(sentences(line).collect::<Vec<_>>(), expected);
        };
        check("甲。乙（丙。丁）。戊", &["甲。", "乙（丙。丁）。", "戊"]);
        check("1. Boil 1.5 l. Wait.", &["1. Boil 1.5 l. ", "Wait."]);
        check("**甲！** 乙", &["**甲！** ", "乙"]);
    }

    #[test]
    fn labels_that_say_nothing() {
        assert_eq!(without_label("功能: 烧水。"), "烧水。");
        assert_eq!(without_label("水温: 80"), "水温: 80");
        assert_eq!(without_label("“煮水”: 用于烧一壶水。"), "烧一壶水。");
        assert_eq!(without_label("[茶馆工具] 烧一壶水。"), "烧一壶水。");
        assert_eq!(without_label("[主入口·推荐] 烧水。"), "烧水。");
        assert_eq!(without_label("[已弃用] 烧水。"), "[已弃用] 烧水。");
        assert_eq!(without_label("**用途**：烧水。"), "烧水。");
        assert_eq!(without_label("【烧水】把水烧开。"), "把水烧开。");
        assert_eq!(without_label("【绿茶】把水烧开。"), "【绿茶】把水烧开。");
        assert!(says_no_parameters("参数: 无。"));
        assert!(!says_no_parameters("参数: 无糖"));
        assert!(is_version_label("🆕 v1.1.7 审计加固版:"));
        assert!(!is_version_label("v1.1.7 的水壶。"));
    }

    #[test]
    fn speaks_to_the_reader() {
        let check = |from: &str, to: &str| assert_eq!(without_agent(from), to);
        check("重要提示给AI：烧水。", "注意：烧水。");
        check("AI必须提供茶名。", "必须提供茶名。");
        check("AI 绘画", "AI 绘画");
        check("现在额外支持红茶。", "支持红茶。");
        check("插件会重试。", "程序会重试。");
        check("由config.env中TEA指定。", "由配置中TEA指定。");
        assert!(is_left_out(
            "请用返回的URL生成一个HTML的 `<img>` 标签来展示，例如：`<img src=\"x\">`。"
        ));
    }

    #[test]
    fn envelopes_are_told_elsewhere() {
        let error = "失败时返回 JSON: { \"status\": \"error\", \"error\": \"…\" }";
        let success = "返回 { status: 'success', result: {} }";
        assert!(!is_envelope(
            "返回 { status:'error', code:'TOO_HOT' }",
            false
        ));
        assert!(is_envelope(error, false));
        assert!(is_envelope(success, true) && !is_envelope(success, false));
        assert!(!is_envelope("返回 status", true));
    }

    #[test]
    fn results_in_few_words() {
        assert!(is_vague_result("**返回**: 茶单的 JSON 数据"));
        assert!(is_vague_result("Returns: the list of teas"));
        assert!(!is_vague_result("返回: `teas`"));
        assert!(!is_vague_result("返回："));
        assert!(!is_vague_result("返回前 20 条"));
    }

    #[test]
    fn remnants_of_marks_go() {
        assert!(is_left_out("必须输出完整的"));
        assert!(!is_left_out("结果是完整的。"));
        assert!(is_left_out(
            "1. 需要在 `Plugin/Tea/config.env` 中配置 TeaKey。"
        ));
        assert!(!is_left_out("需要配置 TeaKey 才能加糖。"));
        assert!(!is_left_out(
            "返回全部内容，包括那些在前一次调用中没有给出的、现在是完整的"
        ));
    }
}
