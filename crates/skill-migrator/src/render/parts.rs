//! Small parts of the body.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use plugin_model::{LeaveReason, LeftOut};
use serde_json::{Value, json};
use skill_model::{Command, Guard, GuardKind, Metadata, Unset};

use super::parameter::unrepeated;
use super::{Around, Language, files, host_words};
use crate::guards;
use crate::markdown::{DefuseReport, code, codes, defuse};
use crate::user_directories;

/// Returns the description of a setting without what its row says otherwise.
pub(super) fn described(property: &Value) -> String {
    let default = property.get("x-legacy-default");
    let values = default.map_or_else(|| json!({}), |value| json!({ "default": value }));
    let text = unrepeated(
        property["description"].as_str().unwrap_or_default(),
        &values,
    );
    host_words::plain_words(&text)
}

/// Returns the guards of a skill if at least one is open without a value; limits are left out.
pub(super) fn guards(metadata: &Metadata, language: Language) -> Vec<Value> {
    let guards = &metadata.config.guards;
    if !guards.iter().any(Guard::is_open_without_value) {
        return Vec::new();
    }
    let known = guards
        .iter()
        .filter(|guard| guard.is_open_without_value() || guard.kind != GuardKind::Limit)
        .filter(|guard| guard.key != user_directories::KEY);
    let row = |guard: &Guard| {
        let state = match guard.unset {
            Unset::Open => language.pick("open without a value", "无值时未设防"),
            Unset::Default => "",
            Unset::Closed => {
                language.pick("the program does not run without it", "无值时程序不运行")
            }
        };
        let kind = if guards::is_place(guard) {
            language.pick("a directory in which it works", "程序的工作目录")
        } else {
            kind(guard.kind, language)
        };
        json!({ "key": guard.key, "kind": kind, "state": state })
    };
    known.map(row).collect()
}

fn kind(kind: GuardKind, language: Language) -> &'static str {
    use GuardKind as K;
    let (english, chinese) = match kind {
        K::AllowDirectories => ("the only directories that may be reached", "允许访问的目录"),
        K::DenyDirectories => ("directories that may not be reached", "禁止访问的目录"),
        K::AllowCommands => ("the only commands that may be used", "允许使用的命令"),
        K::DenyCommands => ("commands that may not be used", "禁止使用的命令"),
        K::AllowPatterns => ("patterns that a request must match", "请求必须符合的模式"),
        K::DenyPatterns => ("patterns that no request may match", "禁止的模式"),
        K::AllowHosts => ("the only hosts that may be reached", "允许访问的主机"),
        K::DenyHosts => ("hosts that may not be reached", "禁止访问的主机"),
        K::AllowUsers => ("the only people who may ask", "允许使用的用户"),
        K::DenyUsers => ("people who may not ask", "禁止使用的用户"),
        K::AllowFiles => ("the only kinds of file that are handled", "允许的文件类型"),
        K::DenyFiles => ("kinds of file that are not handled", "禁止的文件类型"),
        K::AllowList => ("what is allowed", "允许的内容"),
        K::DenyList => ("what is refused", "禁止的内容"),
        K::Authentication => ("asks who calls", "身份验证"),
        K::Confirmation => ("asks before it acts", "操作前确认"),
        K::ReadOnly => ("keeps the program from changing anything", "只读模式"),
        K::Sandbox => ("encloses what the program starts", "沙箱"),
        K::Permission => ("gives the program more than it has without", "额外权限"),
        K::Limit => ("a bound on sizes, amounts or rates", "数量或频率上限"),
    };
    language.pick(english, chinese)
}

/// Returns the descriptions of the values of a skill without commands.
pub(super) fn placeholders(
    metadata: &Metadata,
    around: &Around,
    seen: &mut DefuseReport,
) -> Vec<Value> {
    let has_calls = !metadata.commands.is_empty();
    let n_values = metadata.placeholders.len();
    // The description of the skill says what the only value of a known form is.
    let is_told = has_calls || n_values == 1 && around.results.form.is_some();
    let rows = metadata.placeholders.iter().filter(|_| !is_told);
    rows.map(|row| {
        let text = plugin_prose::without_plugin(&row.description);
        let starts = ["包含", "获取", "提供"];
        let bare = starts.iter().find_map(|start| text.strip_prefix(start));
        let text = bare.unwrap_or(&text);
        let text = defuse(text, seen);
        let text = match (text.is_empty(), n_values) {
            (true, _) | (_, 1) => text.into_owned(),
            _ => format!("{}: {text}", code(&row.key)),
        };
        json!({ "key": row.key, "description": text })
    })
    .filter(|row| {
        let n_chars = row["description"]
            .as_str()
            .map_or(0, |it| it.chars().count());
        // A few words on the only value say less than the description.
        n_chars > if n_values == 1 { MAX_FEW } else { 0 }
    })
    .collect()
}

/// The length of a few words, in characters.
const MAX_FEW: usize = 14;

/// Reasons that no user of a skill has to know; the report has them.
const ROUTINE: [LeaveReason; 4] = [
    LeaveReason::Settings,
    LeaveReason::Regenerable,
    LeaveReason::Tooling,
    LeaveReason::Leftover,
];

/// Returns the omitted files by reason; examples of settings are in `assets/`.
pub(super) fn lost(left_out: &[LeftOut], metadata: &Metadata, language: Language) -> Vec<Value> {
    let mut groups: BTreeMap<LeaveReason, Vec<&str>> = BTreeMap::new();
    for left in left_out
        .iter()
        .filter(|left| !crate::env_example::is_example(&left.path))
        .filter(|left| !ROUTINE.contains(&left.reason))
    {
        groups.entry(left.reason).or_default().push(&left.path);
    }
    let rows = groups.into_iter().map(|(reason, paths)| {
        let shown = paths.iter().take(MAX_PATHS).map(|path| code(path));
        let mut items = shown.collect::<Vec<_>>().join(", ");
        if paths.len() > MAX_PATHS {
            let n_more = paths.len() - MAX_PATHS;
            let more = match language {
                Language::English => format!(" and {n_more} more"),
                Language::Chinese => format!(" 等共 {} 个", paths.len()),
            };
            items.push_str(&more);
        }
        if let (LeaveReason::UserData, Some(legacy)) = (reason, &metadata.legacy) {
            let copy = language.pick(
                "; after the first call, copy what it needs to",
                "；首次调用后，将所需数据复制到",
            );
            let place = format!(
                "{}/skills/{}/base/Plugin/{}/",
                files::STATE,
                metadata.name,
                legacy.directory
            );
            let _ = write!(items, "{copy} {}", code(&place));
        }
        json!({ "what": reason_text(reason, language), "items": items })
    });
    rows.collect()
}

/// Maximum number of paths per reason; the report has them all.
const MAX_PATHS: usize = 12;

fn reason_text(reason: LeaveReason, language: Language) -> &'static str {
    let chinese = match reason {
        LeaveReason::Settings => "某次安装的配置",
        LeaveReason::Credentials => "凭据",
        LeaveReason::UserData => "用户数据",
        LeaveReason::Regenerable => "可重新生成",
        LeaveReason::Tooling => "版本控制、编辑器或智能体的文件",
        LeaveReason::Leftover => "运行遗留",
        LeaveReason::Link => "符号链接",
        LeaveReason::HardLink => "指向插件外文件的硬链接",
        LeaveReason::Special => "非普通文件",
        LeaveReason::UnportableName => "文件名并非所有系统都支持",
        LeaveReason::TooLarge => "超过大小限制",
        LeaveReason::Unreadable => "无法读取",
        LeaveReason::TooDeep => "目录层级过深",
    };
    match language {
        Language::English => reason.phrase(),
        Language::Chinese => chinese,
    }
}

/// `command` = `FindArtist`
pub(super) fn dispatch(command: &Command) -> String {
    let dispatch = command.dispatch.as_ref();
    dispatch
        .map(|dispatch| format!("{} = {}", code(&dispatch.key), code(&dispatch.value)))
        .unwrap_or_default()
}

/// The argument that selects commands by the names that their headings have.
pub(super) struct Selector<'a> {
    key: &'a str,
    /// The commands that are called without it.
    without: Vec<String>,
}

impl<'a> Selector<'a> {
    pub(super) fn of(commands: &'a [Command]) -> Option<Self> {
        let mut all = commands.iter().filter_map(|it| it.dispatch.as_ref());
        let key = &*all.next()?.key;
        let selects = |command: &Command| match &command.dispatch {
            Some(it) => it.key == key && it.value == name(command, commands),
            None => true,
        };
        let without = commands.iter().filter(|it| it.dispatch.is_none());
        let without: Vec<String> = without.map(|it| name(it, commands).to_owned()).collect();
        // More of them, or one without a call that shows it, are calls of another kind.
        let is_shown = |command: &Command| {
            let example = command.examples.first().and_then(Value::as_object);
            command.dispatch.is_some() || example.is_some_and(|it| !it.contains_key(key))
        };
        let is_clear = without.len() <= 1 && commands.iter().all(|it| selects(it) && is_shown(it));
        is_clear.then_some(Self { key, without })
    }

    /// Returns true if it selects every command.
    pub(super) fn is_of_all(&self) -> bool {
        self.without.is_empty()
    }

    /// Returns a sentence for the reader.
    pub(super) fn sentence(&self, language: Language) -> String {
        let (key, without) = (code(self.key), codes(&self.without));
        let is_all = self.without.is_empty();
        match language {
            Language::English if is_all => {
                format!("The argument {key} is the name of the command.")
            }
            Language::English => format!(
                "The argument {key} is the name of the command; {without} is called without it."
            ),
            Language::Chinese if is_all => format!("参数 {key} 的值即命令名。"),
            Language::Chinese => format!("参数 {key} 的值即命令名；{without} 不带此参数。"),
        }
    }
}

/// Returns the name of a command for its reader: the value that selects it, if no other command has the
/// same; otherwise its identifier.
pub(crate) fn name<'a>(command: &'a Command, commands: &[Command]) -> &'a str {
    let Some(dispatch) = &command.dispatch else {
        return &command.id;
    };
    let is_same = |other: &&Command| {
        let value = other.dispatch.as_ref().map(|it| &it.value);
        value == Some(&dispatch.value) || other.id == dispatch.value && other.id != command.id
    };
    if commands.iter().filter(is_same).count() == 1 {
        &dispatch.value
    } else {
        &command.id
    }
}

/// Returns all identifiers in one line.
pub(super) fn names(commands: &[Command]) -> String {
    commands
        .iter()
        .map(|command| code(name(command, commands)))
        .collect::<Vec<_>>()
        .join(", ")
}
/// Returns true for a parameter that a command cannot do without.
pub(super) fn is_required(command: &Command, name: &str) -> bool {
    let required = command.input_schema["required"].as_array();
    required.is_some_and(|all| all.iter().any(|it| it == name))
}
