//! Small parts of the body.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use plugin_model::{LeaveReason, LeftOut};
use serde_json::{Value, json};
use skill_model::{Command, Guard, GuardKind, Metadata, Requires, Unset};

use super::{Language, Shell, schema_table::plain};
use crate::markdown::{DefuseReport, code, defuse};

/// The marks of a call block (`docs/design/legacy-host.md` §1.8).
const CALL_START: &str = "<<<[TOOL_REQUEST]>>>";
const CALL_END: &str = "<<<[END_TOOL_REQUEST]>>>";

/// Returns a text without its call blocks and without the fences that become empty.
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
    drop_empty_fences(&res)
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
pub(super) fn facts(metadata: &Metadata, language: Language, shell: Shell) -> Vec<Value> {
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
    if let Some(packages) = packages(metadata, language, shell) {
        push("Packages", "依赖包", packages);
    }
    if let Some(refresh) = &metadata.refresh {
        push("Refreshed (cron)", "刷新（cron）", code(&refresh.cron));
    }
    if !metadata.enabled {
        push(
            "State",
            "状态",
            language
                .pick("switched off in the legacy host", "在旧宿主中已停用")
                .to_owned(),
        );
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

/// Returns the packages that the skill requires, and the commands that install them.
fn packages(metadata: &Metadata, language: Language, shell: Shell) -> Option<String> {
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
    let prepare = format!("skills-run prepare {}", metadata.name);
    let install = language.pick("install them once with", "一次性安装：");
    let mut res = format!("{shown}; {install} {}", code(&prepare));
    if let Some(scripts) = install_scripts(requires) {
        let runs = language.pick(
            "these need their install scripts, which run with your rights:",
            "以下包需要运行其安装脚本（以您的权限）：",
        );
        let _ = write!(res, "; {runs} {}", code(&scripts));
    }
    if shell.has_sh() {
        let before = language.pick(
            "before the command above in a shell",
            "在 shell 中执行上述命令前先运行",
        );
        let export = format!("eval \"$({prepare} --export)\"");
        let _ = write!(res, "; {before}: {}", code(&export));
    }
    if shell.has_powershell() {
        let before = language.pick(
            "before the command above in PowerShell",
            "在 PowerShell 中执行上述命令前先运行",
        );
        let export = format!("{prepare} --export=powershell | Out-String | Invoke-Expression");
        let _ = write!(res, "; {before}: {}", code(&export));
    }
    (!names.is_empty()).then_some(res)
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
pub(super) fn lost(left_out: &[LeftOut], language: Language) -> Vec<Value> {
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
}
