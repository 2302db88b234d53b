//! The settings by which a user gives a program more than its entry does: hosts and directories.
//!
//! An entry seldom names the hosts that its program asks, and never the directories of this user. A
//! program that could reach everything would be the wrong answer for both (`SECURITY.md`, "MCP servers").

use plugin_model::{Place, Server, ServerSetting};

use crate::render::Language;
use crate::user_directories::KEY as DIRECTORIES;

/// The key of hosts.
pub(super) const HOSTS: &str = "SKILL_HOSTS";
/// The most directories of an entry that a description names.
const MAX_NAMED: usize = 4;

/// Returns the settings of a server: those of its entry, and those by which a user gives it more.
pub(super) fn settings(server: &Server, language: Language) -> Vec<ServerSetting> {
    let mut res = server.settings.clone();
    for setting in res.iter_mut().filter(|it| it.description.is_empty()) {
        setting.description = meaning(server, &setting.key, language).unwrap_or_default();
    }
    if server.url.is_some() {
        return res;
    }
    let mut add = |key: &str, description: String, is_directory| {
        res.push(ServerSetting {
            key: key.to_owned(),
            description,
            kind: "string",
            default: None,
            choices: Vec::new(),
            is_secret: false,
            is_required: false,
            is_directory,
            place: Place::new(&server.file, &server.pointer),
        });
    };
    let english = "Hosts that the server may ask, separated by commas: `api.example.com`, `*.example.com`, `localhost:8080`, or `*` for all.";
    let chinese = "允许服务器访问的主机，以逗号分隔：`api.example.com`、`*.example.com`、`localhost:8080`，或 `*` 表示全部。";
    add(HOSTS, language.pick(english, chinese).to_owned(), false);
    if server.settings.iter().any(|it| it.is_directory) {
        return res;
    }
    let english =
        "Directories outside of the skill that the server may read and write, separated by commas.";
    let chinese = "允许服务器读写的技能之外的目录，以逗号分隔。";
    let mut text = language.pick(english, chinese).to_owned();
    let named: Vec<String> = directories(server).map(|it| format!("`{it}`")).collect();
    if !named.is_empty() {
        let all = named.join(", ");
        text = match language {
            Language::English => format!("{text} Its entry names {all}."),
            Language::Chinese => format!("{text}其条目中有 {all}。"),
        };
    }
    add(DIRECTORIES, text, true);
    res
}

/// Returns what a setting is for, if its name does not say it: the header, argument or address that has
/// its value. A variable of a program has the name of its setting.
fn meaning(server: &Server, key: &str, language: Language) -> Option<String> {
    let placeholder = format!("${{{key}}}");
    let has_it = |text: &&String| text.contains(&placeholder);
    let mut headers = server.headers.iter();
    if let Some((name, value)) = headers.find(|(_, value)| has_it(value)) {
        let english = format!("Sent in the header `{name}`, as `{value}`.");
        return Some(match language {
            Language::English => english,
            Language::Chinese => format!("在请求头 `{name}` 中以 `{value}` 发送。"),
        });
    }
    if let Some(text) = server.args.iter().find(has_it) {
        return Some(match language {
            Language::English => format!("In the argument `{text}`."),
            Language::Chinese => format!("用于参数 `{text}`。"),
        });
    }
    let text = server.url.as_ref().filter(has_it)?;
    Some(match language {
        Language::English => format!("In the address `{text}`."),
        Language::Chinese => format!("用于地址 `{text}`。"),
    })
}

/// Returns the absolute paths in the arguments.
fn directories(server: &Server) -> impl Iterator<Item = &str> {
    let words = server.args.iter().map(String::as_str);
    let values = words.map(|word| word.rsplit('=').next().unwrap_or(word));
    values
        .filter(|word| word.starts_with('/') && word.len() > 1)
        .take(MAX_NAMED)
}
