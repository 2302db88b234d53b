//! Small parts of the body.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use plugin_model::{LeaveReason, LeftOut};
use serde_json::{Value, json};
use skill_model::{Command, Guard, GuardKind, Metadata, Requires, Unset};

use super::{Language, schema_table::plain};
use crate::markdown::{DefuseReport, code, defuse};

/// The marks of a call block (`docs/design/legacy-host.md` §1.8).
const CALL_START: &str = "<<<[TOOL_REQUEST]>>>";
const CALL_END: &str = "<<<[END_TOOL_REQUEST]>>>";

/// Returns a text without its call blocks, and without the fences and labels that become empty.
pub(super) fn without_calls(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(CALL_START) {
        let Some((_, next)) = after.split_once(CALL_END) else {
            break;
        };
        res.push_str(before);
        rest = next;
    }
    res.push_str(rest);
    if res.len() == text.len() {
        return text.trim().to_owned();
    }
    drop_empty_labels(&drop_empty_fences(&res))
}

/// Removes labels (`调用格式:`, `## Example`) that no content follows: they end the text, or the next
/// label follows them. A label before a list of labels goes with the last of them.
fn drop_empty_labels(text: &str) -> String {
    let mut res: Vec<&str> = Vec::new();
    let mut next: Option<usize> = None;
    for line in text.lines().rev() {
        let level = label_level(line);
        let is_empty = match (level, next) {
            (Some(_), None) => true,
            (Some(level), Some(next)) => next <= level,
            (None, _) => false,
        };
        if is_empty {
            continue;
        }
        if !line.trim().is_empty() {
            next = Some(level.unwrap_or(usize::MAX));
        }
        res.push(line);
    }
    res.reverse();
    res.join("\n").trim().to_owned()
}

/// Returns the depth of a label, less for one that contains others: a heading of Markdown, a line that
/// ends with a colon, or such an item of a list. `None` for other lines.
fn label_level(line: &str) -> Option<usize> {
    const MAX_LABEL: usize = 60;
    let line = line.trim().trim_end_matches(['*', '`']).trim_end();
    let n_marks = line.len() - line.trim_start_matches('#').len();
    if (1..=6).contains(&n_marks) && line[n_marks..].starts_with(' ') {
        return Some(n_marks);
    }
    let is_label = line.ends_with([':', '：']) && line.chars().count() <= MAX_LABEL;
    // What is said before the colon is content if it is a sentence.
    let is_sentence =
        line.contains(['。', '；', ';', '！']) || line.contains(". ") && !is_item(line);
    let level = if is_item(line) { 8 } else { 7 };
    (is_label && !is_sentence).then_some(level)
}

/// Returns true for an item of a list: `1. …`, `- …`, `2) …`.
fn is_item(line: &str) -> bool {
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_numbered = rest.len() < line.len() && rest.starts_with(['.', ')', '、']);
    is_numbered || line.starts_with("- ") || line.starts_with("* ")
}

fn drop_empty_fences(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_fence = |line: &str| line.trim_start().starts_with("```");
    let mut res: Vec<&str> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let next = (at + 1..lines.len()).find(|next| !lines[*next].trim().is_empty());
        match next {
            Some(next) if is_fence(lines[at]) && lines[next].trim() == "```" => at = next + 1,
            _ => {
                res.push(lines[at]);
                at += 1;
            }
        }
    }
    res.join("\n").trim().to_owned()
}

/// Lists type, time limit and refresh.
pub(super) fn facts(metadata: &Metadata, language: Language) -> Vec<Value> {
    let mut acc = Vec::new();
    let mut push = |english, chinese, value: String| {
        acc.push(json!({ "name": language.pick(english, chinese), "value": value }));
    };
    let kind = metadata.executor.word();
    let legacy = metadata
        .legacy
        .as_ref()
        .map(|legacy| legacy.plugin_type.as_str());
    push(
        "Type",
        "类型",
        match legacy {
            Some(legacy) if legacy != kind => format!("{} ({})", code(kind), code(legacy)),
            _ => code(kind),
        },
    );
    if let Some(timeout) = metadata.timeout_ms {
        push("Time limit", "超时", format!("{timeout} ms"));
    }
    if let Some(packages) = packages(metadata, language) {
        push("Packages", "依赖包", packages);
    }
    if let Some(data) = shared_data(metadata, language) {
        push("Data of the legacy host", "旧宿主的数据", data);
    }
    if let Some(refresh) = &metadata.refresh {
        push("Refreshed (cron)", "刷新（cron）", code(&refresh.cron));
    }
    if !metadata.enabled {
        let off = language.pick(
            "switched off in the legacy host; switch it on once with",
            "在旧宿主中已停用；先启用一次：",
        );
        let command = code("skills-run configure . --enable");
        push("State", "状态", format!("{off} {command}"));
    }
    if metadata.permissions.admin {
        push(
            "Approval",
            "审批",
            language
                .pick("every call must be approved", "每次调用都需要审批")
                .to_owned(),
        );
    }
    acc
}

/// Returns the packages that the skill requires, and the command that installs them.
fn packages(metadata: &Metadata, language: Language) -> Option<String> {
    const MAX_NAMES: usize = 12;
    let requires = &metadata.requires;
    let names: Vec<String> = requires
        .npm
        .iter()
        .chain(&requires.pip)
        .map(|name| code(name))
        .collect();
    let mut shown = names[..names.len().min(MAX_NAMES)].join(", ");
    if names.len() > MAX_NAMES {
        let _ = write!(shown, " … ({})", names.len());
    }
    let install = language.pick("install them once with", "一次性安装：");
    let mut res = format!("{shown}; {install} {}", code("skills-run prepare ."));
    if let Some(scripts) = install_scripts(requires) {
        let runs = language.pick(
            "; native packages need their install scripts, which run with your rights: instead",
            "；原生包需要运行安装脚本（以您的权限）：改用",
        );
        let _ = write!(
            res,
            "{runs} {}",
            code(&format!("skills-run prepare . {scripts}"))
        );
    }
    (!names.is_empty()).then_some(res)
}

/// The usual state directory of `skills-run`.
const STATE: &str = "~/.local/state/skills-run";

/// Returns the directories of the old host that the skill shares with others, and the place for their
/// old content.
fn shared_data(metadata: &Metadata, language: Language) -> Option<String> {
    let shared = &metadata.permissions.shared;
    let copy = language.pick(
        "empty at first; copy your old ones to",
        "起初为空；请将旧数据复制到",
    );
    let place = code(&format!("{STATE}/legacy/"));
    (!shared.is_empty()).then(|| format!("{}: {copy} {place}", list(shared)))
}

/// Returns names as code.
pub(super) fn list(names: &[String]) -> String {
    names
        .iter()
        .map(|name| code(name))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns the arguments that allow the install scripts of packages with native code; without them,
/// these do not load.
fn install_scripts(requires: &Requires) -> Option<String> {
    let packages = requires.packages.npm.iter();
    let native = packages.filter(|(_, need)| need.native && need.install_script);
    let flags: Vec<String> = native
        .map(|(name, _)| format!("--allow-scripts {name}"))
        .collect();
    (!flags.is_empty()).then(|| flags.join(" "))
}

/// Returns the configuration as rows: name, type, secret, default, description.
pub(super) fn config_rows(metadata: &Metadata, language: Language) -> Vec<Value> {
    let config = &metadata.config;
    let secret: BTreeSet<&str> = config.secret.iter().map(String::as_str).collect();
    let yes = |name: &str| {
        if secret.contains(name) {
            language.pick("yes", "是")
        } else {
            ""
        }
    };
    let properties = config
        .schema
        .as_ref()
        .and_then(|schema| schema["properties"].as_object());
    let declared = properties.into_iter().flatten().map(|(name, property)| {
        json!({
            "name": name,
            "type": property["type"].as_str().or(property["x-legacy-type"].as_str()).unwrap_or_default(),
            "secret": yes(name),
            "default": property.get("x-legacy-default").map(plain).unwrap_or_default(),
            "description": property["description"].as_str().unwrap_or_default(),
        })
    });
    let undeclared = config.undeclared.iter().map(|name| {
        let description = language.pick("used by the program, not declared in the manifest", "程序使用但清单未声明");
        json!({ "name": name, "type": "", "secret": yes(name), "default": "", "description": description })
    });
    declared.chain(undeclared).collect()
}

/// Returns the guards of a skill if at least one is open without a value; limits are left out.
pub(super) fn guards(metadata: &Metadata, language: Language) -> Vec<Value> {
    let guards = &metadata.config.guards;
    if !guards.iter().any(Guard::is_open_without_value) {
        return Vec::new();
    }
    let told = guards
        .iter()
        .filter(|guard| guard.is_open_without_value() || guard.kind != GuardKind::Limit);
    let row = |guard: &Guard| {
        let state = match guard.unset {
            Unset::Open => language.pick("open without a value", "无值时未设防"),
            Unset::Default => "",
            Unset::Closed => {
                language.pick("the program does not run without it", "无值时程序不运行")
            }
        };
        json!({ "key": guard.key, "kind": kind(guard.kind, language), "state": state })
    };
    told.map(row).collect()
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

/// The placeholders with their descriptions.
pub(super) fn placeholders(metadata: &Metadata, seen: &mut DefuseReport) -> Vec<Value> {
    let rows = metadata.placeholders.iter();
    rows.map(|row| json!({ "key": row.key, "description": defuse(&row.description, seen) }))
        .collect()
}

/// Returns the omitted files by reason; examples of settings are in `assets/`.
pub(super) fn lost(left_out: &[LeftOut], metadata: &Metadata, language: Language) -> Vec<Value> {
    let mut groups: BTreeMap<LeaveReason, Vec<&str>> = BTreeMap::new();
    for left in left_out
        .iter()
        .filter(|left| !crate::env_example::is_example(&left.path))
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
                "{STATE}/skills/{}/base/Plugin/{}/",
                metadata.name, legacy.directory
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

/// Returns an example with the dispatch argument first.
pub(super) fn with_dispatch(command: &Command, example: &Value) -> Value {
    let mut res = serde_json::Map::new();
    if let Some(dispatch) = &command.dispatch {
        res.insert(dispatch.key.clone(), json!(dispatch.value));
    }
    res.extend(example.as_object().cloned().unwrap_or_default());
    Value::Object(res)
}

/// Returns all identifiers in one line.
pub(super) fn names(commands: &[Command]) -> String {
    commands
        .iter()
        .map(|command| code(&command.id))
        .collect::<Vec<_>>()
        .join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_calls_and_their_fences() {
        let check = |text: &str, expected: &str| assert_eq!(without_calls(text), expected);
        check(
            "a\n```tool\n<<<[TOOL_REQUEST]>>>\nx:「始」1「末」\n<<<[END_TOOL_REQUEST]>>>\n```\nb",
            "a\nb",
        );
        check("a <<<[TOOL_REQUEST]>>> x", "a <<<[TOOL_REQUEST]>>> x");
        check("```js\nx\n```", "```js\nx\n```");
    }

    #[test]
    fn labels_without_content_go_with_their_calls() {
        let call = "<<<[TOOL_REQUEST]>>>\nx:「始」1「末」\n<<<[END_TOOL_REQUEST]>>>";
        let check = |text: &str, expected: &str| {
            assert_eq!(without_calls(&text.replace("CALL", call)), expected);
        };
        check("Finds art.\n调用格式:\nCALL", "Finds art.");
        check("a\n**Example:**\n```tool\nCALL\n```\n", "a");
        check("a\n## Example\nCALL\n## More\nb", "a\n\n## More\nb");
        check(
            "a\n调用格式 (两种方式):\n1. 用 folder:\nCALL\n2. 用 maid:\nCALL",
            "a",
        );
        check(
            "参数:\n- a: 数字\n示例:\nCALL\n注意: 不要写入。",
            "参数:\n- a: 数字\n示例:\n\n注意: 不要写入。",
        );
        check("a:\nb\nCALL", "a:\nb");
        check("参数:\n- a:\n  数字\nCALL", "参数:\n- a:\n  数字");
        check("a\nlabel:", "a\nlabel:");
    }
}
