//! Whether a request is about a skill itself rather than for what the skill does.
//!
//! "Disable the X plugin" and "X 怎么用" have the name of the skill as their object; "use X to …" and
//! "用 X 查…" wish it to run. Only the clause around the name is looked at, so the time is linear.

/// Whether the request treats the skill called `name` as an object: to show, change or ask about.
///
/// A name of one common word counts only with a word such as "plugin" beside it, unless
/// `is_mentioned` says that the search took it for the name.
pub fn is_about(text: &str, name: &str, is_mentioned: bool) -> bool {
    let Some((start, end)) = find(text, name) else {
        return false;
    };
    let (before, after) = (clause_before(&text[..start]), clause_after(&text[end..]));
    let written = &text[start..end];
    let has_joint = written.chars().any(|c| !c.is_ascii_lowercase()) && !written.contains(' ');
    let marked = is_marked(&after);
    if !(is_mentioned || has_joint || marked) {
        return false;
    }
    in_chinese(&before, &after) || in_english(&before, &after)
}

/// Where the name stands, whatever its case and joints: byte offsets.
fn find(text: &str, name: &str) -> Option<(usize, usize)> {
    let plain = |c: &char| c.is_alphanumeric();
    let wanted: String = name.to_lowercase().chars().filter(plain).collect();
    let mut folded = String::new();
    let mut places = Vec::new();
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        for small in c.to_lowercase() {
            folded.push(small);
            places.resize(folded.len(), (at, at + c.len_utf8()));
        }
    }
    if wanted.is_empty() {
        return None;
    }
    let is_latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    folded.match_indices(&wanted).find_map(|(at, _)| {
        let (start, end) = (places[at].0, places[at + wanted.len() - 1].1);
        let is_cut =
            is_latin(text[..start].chars().next_back()) || is_latin(text[end..].chars().next());
        (!is_cut).then_some((start, end))
    })
}

const ENDS: [char; 10] = ['。', '！', '？', '；', '\n', '!', '?', ';', '，', ','];

fn clause_before(text: &str) -> String {
    // A full stop ends a clause only before a blank: "Wan2.1" holds one.
    let text = text.rsplit(ENDS).next().unwrap_or_default();
    text.rsplit(". ").next().unwrap_or_default().to_lowercase()
}

fn clause_after(text: &str) -> String {
    let text = text.split(ENDS).next().unwrap_or_default();
    text.split(". ").next().unwrap_or_default().to_lowercase()
}

fn words(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '\'' || c == '-';
    let words = text.split(|c: char| !is_part(c));
    words.filter(|word| !word.is_empty()).collect()
}

const MARKERS: [&str; 6] = ["skill", "plugin", "tool", "skills", "plugins", "extension"];

fn is_marked(after: &str) -> bool {
    let first = words(after).first().copied().unwrap_or_default();
    let runs = ["技能", "插件", "工具", "这个插件", "这个技能", "这个工具"];
    let start = after.trim_start();
    MARKERS.contains(&first) || runs.iter().any(|run| start.starts_with(run))
}

/// Words right before a name that wish it to run.
const WISHES: [&str; 19] = [
    "use", "using", "run", "running", "with", "via", "through", "by", "call", "ask", "invoke",
    "execute", "start", "launch", "try", "let", "have", "query", "ping",
];
/// Verbs whose object is the skill itself.
const VERBS: [&str; 62] = [
    "disable",
    "enable",
    "install",
    "uninstall",
    "remove",
    "delete",
    "reinstall",
    "upgrade",
    "downgrade",
    "update",
    "configure",
    "reconfigure",
    "show",
    "view",
    "open",
    "read",
    "print",
    "list",
    "explain",
    "describe",
    "document",
    "compare",
    "review",
    "audit",
    "inspect",
    "debug",
    "fix",
    "repair",
    "patch",
    "refactor",
    "rewrite",
    "rename",
    "move",
    "copy",
    "port",
    "migrate",
    "translate",
    "test",
    "improve",
    "optimize",
    "extend",
    "maintain",
    "deprecate",
    "archive",
    "restore",
    "reload",
    "restart",
    "stop",
    "kill",
    "pause",
    "locate",
    "publish",
    "share",
    "download",
    "fork",
    "clone",
    "edit",
    "modify",
    "change",
    "replace",
    "deploy",
    "benchmark",
];
/// Verbs of two words, such as "turn off".
const TWO_WORDS: [[&str; 2]; 7] = [
    ["turn", "off"],
    ["turn", "on"],
    ["switch", "off"],
    ["switch", "on"],
    ["set", "up"],
    ["write", "documentation"],
    ["write", "tests"],
];
/// Words that ask about what follows.
const QUESTIONS: [&str; 9] = [
    "what", "what's", "how", "why", "who", "where", "which", "is", "does",
];
/// Words between a verb or question and the name that it is about.
const BETWEEN: [&str; 66] = [
    "me",
    "us",
    "the",
    "a",
    "an",
    "this",
    "that",
    "my",
    "our",
    "your",
    "of",
    "for",
    "in",
    "to",
    "source",
    "sources",
    "code",
    "file",
    "files",
    "folder",
    "config",
    "configuration",
    "setting",
    "settings",
    "readme",
    "manifest",
    "docs",
    "documentation",
    "version",
    "author",
    "list",
    "commands",
    "parameters",
    "arguments",
    "options",
    "logs",
    "log",
    "how",
    "what",
    "do",
    "does",
    "did",
    "is",
    "are",
    "was",
    "i",
    "you",
    "old",
    "new",
    "broken",
    "failed",
    "failing",
    "skill",
    "plugin",
    "tool",
    "named",
    "called",
    "all",
    "about",
    "bug",
    "bugs",
    "error",
    "errors",
    "wrote",
    "tests",
    "from",
];
/// Words right after a name that are about it.
const AFTER: [&str; 34] = [
    "source",
    "sources",
    "code",
    "documentation",
    "docs",
    "readme",
    "manifest",
    "config",
    "configuration",
    "settings",
    "calls",
    "errors",
    "error",
    "logs",
    "version",
    "author",
    "bug",
    "bugs",
    "crashes",
    "crashed",
    "crashing",
    "fails",
    "failed",
    "broken",
    "keeps",
    "doesn't",
    "isn't",
    "vs",
    "versus",
    "license",
    "dependencies",
    "tests",
    "installed",
    "installation",
];

fn in_english(before: &str, after: &str) -> bool {
    let (before, after) = (words(before), words(after));
    let named = before.iter().rposition(|word| {
        !matches!(*word, "the" | "a" | "my" | "our" | "this") && !MARKERS.contains(word)
    });
    if let Some(at) = named.filter(|at| WISHES.contains(&before[*at])) {
        let opening = &before[..at];
        let asks_how = opening.contains(&"how") || opening.last() == Some(&"stop");
        return asks_how && !after.contains(&"to");
    }
    has_verb(&before) || is_told_of(&before, &after)
}

/// Whether a verb or a question leads to the name over nothing but small words.
fn has_verb(before: &[&str]) -> bool {
    for at in (0..before.len()).rev() {
        let word = before[at];
        let pair = before.get(at..at + 2).unwrap_or_default();
        let is_pair = TWO_WORDS.iter().any(|two| pair == two);
        if VERBS.contains(&word) || is_pair || QUESTIONS.contains(&word) {
            return true;
        }
        let is_second = at > 0 && TWO_WORDS.iter().any(|two| before[at - 1..=at] == *two);
        if !BETWEEN.contains(&word) && !is_second {
            return false;
        }
    }
    false
}

/// "X source code", "failed X tool calls", "X keeps crashing".
fn is_told_of(before: &[&str], after: &[&str]) -> bool {
    let first = after.iter().find(|word| !MARKERS.contains(word));
    let is_failed = before
        .last()
        .is_some_and(|word| matches!(*word, "failed" | "broken" | "failing"));
    is_failed || first.is_some_and(|word| AFTER.contains(word))
}

/// What stands right before a name that is to run.
const RUN_WISHES: [&str; 17] = [
    "用",
    "使用",
    "调用",
    "运行",
    "执行",
    "启动",
    "通过",
    "借助",
    "让",
    "叫",
    "拿",
    "以",
    "请",
    "试试",
    "开启",
    "跑",
    "跑一下",
];
/// What turns such a wish into a question or its opposite.
const RUN_QUESTIONS: [&str; 9] = [
    "怎么用",
    "如何使用",
    "如何用",
    "怎样使用",
    "怎么使用",
    "停止使用",
    "不要使用",
    "不要用",
    "别用",
];
const RUN_VERBS: [&str; 51] = [
    "禁用",
    "启用",
    "停用",
    "关闭",
    "卸载",
    "安装",
    "删除",
    "删掉",
    "移除",
    "更新",
    "升级",
    "配置",
    "设置",
    "查看",
    "看看",
    "看一下",
    "看下",
    "打开",
    "显示",
    "解释",
    "说明",
    "介绍",
    "讲讲",
    "修复",
    "修理",
    "调试",
    "修改",
    "重构",
    "优化",
    "改进",
    "比较",
    "对比",
    "列出",
    "重启",
    "重新加载",
    "停止",
    "审查",
    "检查",
    "测试",
    "翻译",
    "重命名",
    "迁移",
    "复制",
    "备份",
    "回滚",
    "分享",
    "下载",
    "关于",
    "把",
    "给",
    "描述",
];
const RUN_AFTER: [&str; 41] = [
    "源代码",
    "源码",
    "代码",
    "文档",
    "配置",
    "设置",
    "参数",
    "日志",
    "报错",
    "错误",
    "版本",
    "作者",
    "怎么",
    "如何",
    "是什么",
    "是干什么",
    "是谁",
    "有什么",
    "有哪些",
    "能做什么",
    "为什么",
    "为何",
    "坏了",
    "失败",
    "总是",
    "出错",
    "不能",
    "不工作",
    "区别",
    "依赖",
    "许可",
    "说明",
    "用法",
    "调用失败",
    "调用记录",
    "命令",
    "工作原理",
    "装了",
    "安装",
    "卸载",
    "删除",
];

fn in_chinese(before: &str, after: &str) -> bool {
    let trimmed = before.trim_end_matches(|c: char| c.is_whitespace() || "「『《“\"'`".contains(c));
    let ends_with = |set: &[&str]| set.iter().any(|run| trimmed.ends_with(run));
    if ends_with(&RUN_QUESTIONS) {
        return true;
    }
    // "禁用" and "启用" end like "用".
    if ends_with(&RUN_WISHES) && !ends_with(&RUN_VERBS) {
        return false;
    }
    let rest = after.trim_start_matches(|c: char| c.is_whitespace() || "」』》”\"'`".contains(c));
    is_object(trimmed, rest) || is_told_of_in_chinese(rest)
}

/// Whether a verb stands shortly before the name. "把 X 删除" and "给 X 写文档" have theirs behind.
fn is_object(before: &str, rest: &str) -> bool {
    let last = RUN_VERBS
        .iter()
        .filter_map(|verb| Some((before.rfind(verb)?, *verb)))
        .max();
    let Some((at, verb)) = last else { return false };
    let between = &before[at + verb.len()..];
    let is_near = between.chars().count() <= 8
        && !RUN_WISHES
            .iter()
            .take(10)
            .any(|wish| between.contains(wish));
    let acts = [
        "删", "禁", "停", "关", "卸", "更新", "改", "写", "修", "升级", "重", "装", "移",
    ];
    let is_framed = matches!(verb, "把" | "给");
    is_near && (!is_framed || acts.iter().any(|act| rest.contains(act)))
}

fn is_told_of_in_chinese(rest: &str) -> bool {
    let mut rest = rest;
    loop {
        let skipped = ["这个", "这款", "插件", "技能", "工具", "的", " "]
            .iter()
            .find_map(|word| rest.strip_prefix(word));
        match skipped {
            Some(shorter) => rest = shorter,
            None => break,
        }
    }
    RUN_AFTER.iter().any(|word| rest.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::is_about;

    /// Requests over skills of real names: `object` or `wish`, the skill, the request. Lines with
    /// an odd number were looked at while the words were chosen; the even ones were not.
    const REQUESTS: &str = include_str!("requests.tsv");

    /// The requests of one half that are judged wrongly, and how many there are.
    fn wrong(is_odd: bool, kind: &str) -> (Vec<&'static str>, usize) {
        let lines = REQUESTS.lines().enumerate();
        let rows = lines.filter(|(at, _)| (at % 2 == 0) == is_odd);
        let rows = rows.filter_map(|(_, line)| {
            let mut cells = line.splitn(3, '\t');
            Some((cells.next()?, cells.next()?, cells.next()?))
        });
        let rows: Vec<_> = rows.filter(|(found, ..)| *found == kind).collect();
        let failed = rows
            .iter()
            .filter(|(kind, name, text)| is_about(text, name, true) != (*kind == "object"));
        (failed.map(|(_, _, text)| *text).collect(), rows.len())
    }

    #[test]
    fn requests_about_a_skill_are_told_from_wishes() {
        for is_odd in [true, false] {
            for kind in ["object", "wish"] {
                let (failed, n) = wrong(is_odd, kind);
                assert!(n >= 30 && failed.is_empty(), "{kind}: {failed:#?}");
            }
        }
    }

    #[test]
    fn common_words_are_no_names() {
        assert!(!is_about("show me the weather", "weather", false));
        assert!(!is_about(
            "explain the weather report of today",
            "weather-report",
            false
        ));
        assert!(is_about("explain the weather plugin", "weather", false));
        assert!(!is_about("brew tea", "tea-brewer", false));
        assert!(!is_about("", "", false));
    }
}
