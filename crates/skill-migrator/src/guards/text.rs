//! The restriction that descriptions and comments indicate.

use skill_model::Unset;

use super::effect::Object;

/// The meaning of a text about a setting.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct TextEvidence {
    /// A list of allowed (true) or refused (false) items.
    pub(super) list: Option<(bool, Option<Object>)>,
    /// The meaning of an empty value, if the text gives one.
    pub(super) when_empty: Option<Unset>,
    /// True if it is about a switch, not a list.
    pub(super) is_switch: bool,
    /// True if callers must authenticate.
    pub(super) authentication: bool,
}

/// Phrases of lists of allowed items.
const ALLOW: [&str; 21] = [
    "白名单",
    "仅允许",
    "只允许",
    "允许访问",
    "允许操作",
    "允许执行",
    "允许读取",
    "允许写入",
    "允许使用",
    "允许调用",
    "允许进行",
    "允许的",
    "只能访问",
    "授权目录",
    "授权用户",
    "allowlist",
    "whitelist",
    "are allowed",
    "allowed to",
    "only allow",
    "restricted to",
];
const DENY: [&str; 18] = [
    "黑名单",
    "禁止访问",
    "禁止执行",
    "禁止操作",
    "禁止使用",
    "禁止的",
    "完全禁止",
    "屏蔽",
    "不允许",
    "blacklist",
    "denylist",
    "blocklist",
    "forbidden",
    "not allowed",
    "must not",
    "never be",
    "prohibited",
    "are blocked",
];
/// Phrases that explain an empty value.
const OPEN: [&str; 22] = [
    "留空表示允许",
    "留空则允许",
    "留空允许",
    "为空则允许",
    "为空表示允许",
    "留空表示不限",
    "留空则不限",
    "留空不限",
    "为空不限",
    "为空则不限",
    "不填则不限",
    "不设置则不限",
    "不限制访问",
    "empty to allow",
    "empty means all",
    "empty allows",
    "empty = allow",
    "empty: allow",
    "empty for all",
    "allow all if empty",
    "if empty, all",
    "empty means no restriction",
];
/// Phrases for a program that does nothing without a value.
const CLOSED: [&str; 12] = [
    "为空则跳过",
    "为空则拒绝",
    "为空则全部拒绝",
    "为空则不执行",
    "为空则禁止",
    "留空则跳过",
    "留空则拒绝",
    "留空则禁止",
    "empty means none",
    "empty denies",
    "empty refuses",
    "if empty, nothing",
];
const SWITCH: [&str; 6] = [
    "是否",
    "whether",
    "set to true",
    "true to",
    "开关",
    "启用后",
];
/// Phrases for a missing authentication without a value.
const NO_AUTH: [&str; 13] = [
    "留空则不验证",
    "留空不验证",
    "留空则不校验",
    "留空不校验",
    "留空则无需",
    "留空则不鉴权",
    "留空不鉴权",
    "不设置则不验证",
    "留空则公开",
    "empty to disable auth",
    "empty disables auth",
    "no authentication if",
    "without authentication",
];
const NOUNS: [(Object, &[&str]); 6] = [
    (
        Object::Directories,
        &[
            "目录",
            "文件夹",
            "路径",
            "directories",
            "directory",
            "folders",
            "paths",
        ],
    ),
    (
        Object::Files,
        &[
            "扩展名",
            "后缀",
            "文件类型",
            "extensions",
            "file types",
            "suffixes",
        ],
    ),
    (
        Object::Commands,
        &[
            "命令",
            "指令",
            "工具",
            "操作类型",
            "commands",
            "programs",
            "tools",
            "operations",
        ],
    ),
    (
        Object::Hosts,
        &[
            "域名",
            "主机",
            "网址",
            "网站",
            "ip",
            "hosts",
            "domains",
            "urls",
            "hostnames",
        ],
    ),
    (
        Object::Users,
        &[
            "用户",
            "群",
            "账号",
            "发送者",
            "收件人",
            "联系人",
            "users",
            "groups",
            "senders",
            "recipients",
            "accounts",
        ],
    ),
    (
        Object::Patterns,
        &[
            "正则",
            "模式",
            "关键字",
            "关键词",
            "patterns",
            "regex",
            "keywords",
        ],
    ),
];

/// Reads the description of a key, or the comment above it.
pub(super) fn read(text: &str) -> TextEvidence {
    let text = text.to_lowercase();
    let find = |set: &[&str]| set.iter().filter_map(|phrase| text.find(phrase)).min();
    let list = match (find(&ALLOW), find(&DENY)) {
        (None, None) => None,
        // "不允许" contains "允许的"; the first one counts, or the denial at the same position.
        (Some(allow), Some(deny)) => Some(allow < deny),
        (allow, _) => Some(allow.is_some()),
    };
    TextEvidence {
        list: list.map(|is_allowing| (is_allowing, object(&text))),
        when_empty: match (find(&OPEN), find(&CLOSED)) {
            (_, Some(_)) => Some(Unset::Closed),
            (open, None) => open.map(|_| Unset::Open),
        },
        is_switch: find(&SWITCH).is_some(),
        authentication: find(&NO_AUTH).is_some(),
    }
}

/// Returns the first object in the text. An extension or suffix is more specific than the folder
/// that contains it.
pub(super) fn object(text: &str) -> Option<Object> {
    let place = |nouns: &[&str]| nouns.iter().filter_map(|noun| place(text, noun)).min();
    if place(NOUNS[1].1).is_some() {
        return Some(Object::Files);
    }
    let found = NOUNS
        .iter()
        .filter_map(|(object, nouns)| Some((place(nouns)?, *object)));
    found.min().map(|(_, object)| object)
}

/// Returns the position of a noun; one in Latin letters must be a whole word.
fn place(text: &str, noun: &str) -> Option<usize> {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    let mut places = text.match_indices(noun).map(|(at, _)| at);
    places.find(|at| {
        !noun.is_ascii()
            || !is_letter(text[..*at].chars().next_back())
                && !is_letter(text[at + noun.len()..].chars().next())
    })
}
