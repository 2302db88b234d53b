//! SKILL.md of a service, within the length limits: with fewer words for each operation until it fits.

use std::fmt::Write as _;

use http_request::BodyKind;
use plugin_model::ApiOperation;
use skill_model::sample_arguments;

use crate::{
    description::cut,
    markdown::{DefuseReport, cell, code, defuse, inline, one_line},
    render::{Language, fits},
};

use super::{Service, groups::Group};

/// The longest beginning of a description, in characters.
const MAX_LEAD: usize = 600;
/// The most groups that are named if nothing else fits.
const MAX_GROUPS: usize = 100;

/// The detail of each operation, most first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Detail {
    /// Identifier and summary.
    Summary,
    /// Identifier and the beginning of the summary.
    Hint,
    /// Identifiers.
    Names,
    /// The number of operations of each group.
    Groups,
}

/// Returns the body of SKILL.md.
pub(super) fn body(
    service: &Service<'_>,
    groups: &[Group<'_>],
    notes: &[String],
    seen: &mut DefuseReport,
) -> String {
    let language = service.language();
    let head = head(service, language, seen);
    let tail = tail(notes, language);
    let mut res = String::new();
    for detail in [Detail::Summary, Detail::Hint, Detail::Names, Detail::Groups] {
        res = format!("{head}{}{tail}", operations(groups, detail, language, seen));
        if fits(&res) {
            break;
        }
    }
    res
}

fn head(service: &Service<'_>, language: Language, seen: &mut DefuseReport) -> String {
    let say = |english, chinese| language.pick(english, chinese);
    let mut res = format!("# {}\n", inline(&defuse(&service.title(), seen)));
    let description = defuse(&service.api.description, seen);
    let (lead, was_cut) = cut(&one_line(&description), MAX_LEAD);
    if !lead.is_empty() {
        let _ = write!(res, "\n{}\n", inline(&lead));
    }
    if was_cut {
        let more = say(
            "The whole description is in [references/overview.md](references/overview.md).",
            "完整描述见 [references/overview.md](references/overview.md)。",
        );
        let _ = write!(res, "\n{more}\n");
    }
    let title = say("How to call it", "如何调用");
    let intro = say(
        "Each command sends one request. From the directory of this skill:",
        "每个命令发送一个请求。在此技能的目录中执行：",
    );
    let line = first_call(service.api.operations.as_slice());
    let outcome = say(
        "`--dry-run` at the end prints the request and sends nothing. The answer is one JSON object: `{\"ok\": true, \"value\": …}` or `{\"ok\": false, \"error\": …}`.",
        "在末尾加 `--dry-run` 只输出请求而不发送。结果是一个 JSON 对象：`{\"ok\": true, \"value\": …}` 或 `{\"ok\": false, \"error\": …}`。",
    );
    let _ = write!(
        res,
        "\n## {title}\n\n{intro}\n\n```sh\n{line}\n```\n\n{outcome}\n"
    );
    if service.api.operations.iter().any(|it| it.needs_approval) {
        let asks = say(
            "Operations marked with ! ask for an approval: ask the user, then add `--approve`.",
            "带 ! 的操作需要批准：先询问用户，再加上 `--approve`。",
        );
        let _ = write!(res, "\n{asks}\n");
    }
    if service.api.operations.iter().any(uploads) {
        let files = say(
            "A file to upload is `{\"file\": \"PATH\"}`, a path in the directory of this skill; other places need `permissions.filesystem: any` in METADATA.yml.",
            "要上传的文件写作 `{\"file\": \"PATH\"}`，路径在此技能的目录中；其他位置需要 METADATA.yml 中的 `permissions.filesystem: any`。",
        );
        let _ = write!(res, "\n{files}\n");
    }
    res.push_str(&settings(service, language, seen));
    res
}

/// Returns the call of the first operation that changes nothing, or else of the first one.
fn first_call(operations: &[ApiOperation]) -> String {
    let reads = |it: &&ApiOperation| it.http.method == "GET" && !it.is_deprecated;
    let found = operations.iter().find(reads).or(operations.first());
    let Some(operation) = found else {
        return String::new();
    };
    let arguments = sample_arguments(&operation.examples, &operation.input_schema);
    let quoted = |text: &str| format!("'{}'", text.replace('\'', "'\\''"));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./:".contains(c);
    let id = if operation.id.chars().all(is_plain) {
        operation.id.clone()
    } else {
        quoted(&operation.id)
    };
    let input = quoted(&arguments.to_string());
    format!("skills-run . --command {id} --input {input}")
}

/// Returns whether an operation takes files.
fn uploads(operation: &ApiOperation) -> bool {
    let body = operation.http.body.as_ref();
    body.is_some_and(|body| body.kind == BodyKind::Binary || !body.files.is_empty())
}

fn settings(service: &Service<'_>, language: Language, seen: &mut DefuseReport) -> String {
    if service.api.settings.is_empty() {
        return String::new();
    }
    let say = |english, chinese| language.pick(english, chinese);
    let intro = say(
        "`skills-run configure . KEY=-` stores a value from standard input.",
        "`skills-run configure . KEY=-` 存储来自标准输入的值。",
    );
    let mut res = format!(
        "\n## {}\n\n{}\n\n{}\n|---|---|---|\n",
        say("Settings", "设置"),
        intro,
        say("| key | meaning | default |", "| 键 | 含义 | 默认值 |"),
    );
    for setting in &service.api.settings {
        let meaning = one_line(&defuse(&setting.description, seen));
        let choices = setting.choices.iter().take(12).map(|it| code(it));
        let choices = choices.collect::<Vec<_>>().join(", ");
        let meaning = match (meaning.is_empty(), choices.is_empty()) {
            (_, true) => cell(&cut(&meaning, 300).0),
            (true, false) => cell(&choices),
            (false, false) => format!("{}: {choices}", cell(&cut(&meaning, 300).0)),
        };
        let default = setting.default.as_deref().map(code).unwrap_or_default();
        let _ = writeln!(res, "| {} | {meaning} | {default} |", code(&setting.key));
    }
    res
}

fn operations(
    groups: &[Group<'_>],
    detail: Detail,
    language: Language,
    seen: &mut DefuseReport,
) -> String {
    let say = |english, chinese| language.pick(english, chinese);
    let find = say(
        "Arguments and answers are in the file of each group, in a section for each operation: `skills-read . --resource FILE --section OPERATION`.",
        "参数与返回值见各组的文件，每个操作一节：`skills-read . --resource FILE --section OPERATION`。",
    );
    let mut res = format!("\n## {}\n\n{find}\n", say("Operations", "操作"));
    if detail == Detail::Groups {
        res.push('\n');
    }
    for group in groups.iter().take(match detail {
        Detail::Groups => MAX_GROUPS,
        _ => usize::MAX,
    }) {
        let name = inline(&defuse(group.name, seen));
        let link = format!("[{}]({})", group.path, group.path);
        let count = group.operations.len();
        match detail {
            Detail::Groups => {
                let _ = writeln!(res, "- {name}: {count} ({link})");
            }
            Detail::Names => {
                let names = group.operations.iter().map(|it| marked(it));
                let names = names.collect::<Vec<_>>().join(", ");
                let _ = write!(res, "\n### {name}\n\n{link}: {names}\n");
            }
            Detail::Summary | Detail::Hint => {
                let _ = write!(res, "\n### {name}\n\n{link}\n\n");
                for operation in &group.operations {
                    let line = line(operation, detail, seen);
                    let _ = writeln!(res, "- {line}");
                }
            }
        }
    }
    let n_more = groups.len().saturating_sub(MAX_GROUPS);
    if detail == Detail::Groups && n_more > 0 {
        let more = say(
            "more groups in `references/`",
            "个更多的组，见 `references/`",
        );
        let _ = writeln!(res, "- {n_more} {more}");
    }
    res
}

/// Returns the identifier of an operation, with a mark if it asks.
fn marked(operation: &ApiOperation) -> String {
    let mark = if operation.needs_approval { " !" } else { "" };
    format!("{}{mark}", code(&one_line(&operation.id)))
}

fn line(operation: &ApiOperation, detail: Detail, seen: &mut DefuseReport) -> String {
    let summary = one_line(&defuse(&operation.summary, seen));
    let summary = match detail {
        Detail::Hint => cut(&summary, 48).0,
        _ => summary,
    };
    format!("{}: {}", marked(operation), inline(&summary))
}

fn tail(notes: &[String], language: Language) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let mut res = format!("\n## {}\n\n", language.pick("Notes", "说明"));
    for note in notes {
        let _ = writeln!(res, "- {}", inline(&one_line(note)));
    }
    res
}
