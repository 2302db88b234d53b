//! The needs of a program from outside: services and proxies of this machine, files with settings.

use skill_model::{Metadata, Transport};

use super::around::{Around, SettingsFile};
use super::{Language, parts};
use crate::code::{Ending, Port};
use crate::markdown::{DefuseReport, code, codes, defuse, one_line};

/// The path of a server with the API of `OpenAI`.
const CHAT: &str = "/chat/completions";

/// Returns what has to run or be there, an item each.
pub(super) fn items(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let proxies = around.services.proxies.iter();
    let mut res: Vec<String> = proxies.map(|url| proxy(url, language)).collect();
    res.extend(by_default(around, language));
    res.extend(ports(metadata, around, language));
    res.extend(
        around
            .settings_files
            .iter()
            .map(|it| settings_file(it, language)),
    );
    res.extend(named_files(around, language));
    res.extend(made_once(metadata, around, language));
    res.extend(while_it_runs(metadata, around, language));
    res
}

/// Returns what holds only while the process of the program runs.
fn while_it_runs(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    if metadata.transport != Some(Transport::Module) || metadata.commands.is_empty() {
        return Vec::new();
    }
    let serve = code(&format!("skills-serve --allow-run {}", metadata.name));
    let timers = around.has_scheduler.then(|| match language {
        Language::English => format!(
            "Its timers fire only while its process runs, which `skills-run` leaves for at most 30 seconds after a call: to have them in time, call it through {serve}, and once after each start of that"
        ),
        Language::Chinese => format!(
            "定时只在其进程运行时触发，`skills-run` 调用结束后进程至多再留 30 秒：要按时执行，经 {serve} 调用，且该服务每次启动后先调用一次"
        ),
    });
    let awaited = around.awaited.as_ref().map(|text| {
        let text = defuse(&one_line(text), &mut DefuseReport::default()).into_owned();
        match language {
            Language::English => format!(
                "It connects when its process starts, and a call before that ends in “{text}”: keep it running with {serve}, and call again after a few seconds"
            ),
            Language::Chinese => format!(
                "连接在进程启动时建立，尚未连上的调用报“{text}”：经 {serve} 常驻调用，过几秒再试"
            ),
        }
    });
    timers.into_iter().chain(awaited).collect()
}

/// Returns cautions on commands: what they empty, and when they end a process.
pub(super) fn cautions(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let endings = around.endings.iter().map(|it| ending(it, language));
    let commands = metadata.commands.iter();
    let replaced = commands.filter_map(|command| {
        let members = around.replaced.get(&command.id)?;
        let name = code(parts::name(command, &metadata.commands));
        let of = |value: &str| {
            let all = members.iter().filter(|(_, it)| **it == value);
            let all: Vec<String> = all.map(|(member, _)| member.clone()).collect();
            (!all.is_empty()).then(|| codes(&all))
        };
        let (lists, switches) = (of("[]")?, of("false"));
        let mut res = match language {
            Language::English => format!(
                "{name} replaces all that is stored: {lists} becomes empty where it is not given"
            ),
            Language::Chinese => format!("{name} 整体替换已存内容：未给出的 {lists} 会被清空"),
        };
        if let Some(switches) = switches {
            let said = match language {
                Language::English => format!(", {switches} becomes false"),
                Language::Chinese => format!("，未给出的 {switches} 变为 false"),
            };
            res.push_str(&said);
        }
        Some(res)
    });
    endings.chain(replaced).collect()
}

fn ending(ending: &Ending, language: Language) -> String {
    let mode = ending.mode.as_ref();
    let mode = mode.map(|(argument, values)| code(&format!("{argument}={}", values.join("/"))));
    let idle = ending.idle.as_ref().map(|it| match language {
        Language::English => format!("after {it} seconds without new output"),
        Language::Chinese => format!("输出停 {it} 秒"),
    });
    let total = ending.total.as_ref().map(|it| match language {
        Language::English => format!("after {it} seconds in all"),
        Language::Chinese => format!("满 {it} 秒"),
    });
    let times: Vec<String> = idle.into_iter().chain(total).collect();
    let times = times.join(language.pick(" or ", "或"));
    match (language, mode) {
        (Language::English, Some(mode)) => {
            format!("With {mode} the process is ended {times}: nothing keeps running")
        }
        (Language::English, None) => format!("The process is ended {times}"),
        (Language::Chinese, Some(mode)) => {
            format!("{mode} 时{times}即结束进程，不能用来启动常驻服务")
        }
        (Language::Chinese, None) => format!("{times}即结束进程"),
    }
}

fn proxy(url: &str, language: Language) -> String {
    let url = code(url);
    match language {
        Language::English => format!(
            "Its program always goes to the network through the proxy {url}; every call fails where none listens there"
        ),
        Language::Chinese => {
            format!("程序固定经代理 {url} 联网；该地址没有代理时调用失败")
        }
    }
}

/// Returns the settings whose default is a service of this machine.
fn by_default(around: &Around, language: Language) -> Option<String> {
    const HERE: [&str; 4] = [
        "http://localhost",
        "https://localhost",
        "http://127.0.0.1",
        "https://127.0.0.1",
    ];
    const OTHER: [&str; 4] = ["proxy", "callback", "image", "notify"];
    let is_asked = |key: &str, value: &str| {
        let lower = key.to_lowercase();
        HERE.iter().any(|start| value.starts_with(start))
            && !OTHER.iter().any(|word| lower.contains(word))
    };
    let all = around
        .settings
        .iter()
        .filter(|row| is_asked(&row.key, &row.default));
    let default = language.pick("default", "默认");
    let all: Vec<String> = all
        .map(|row| match language {
            Language::English => format!("{} ({default} {})", code(&row.key), row.default),
            Language::Chinese => format!("{}（{default} {}）", code(&row.key), row.default),
        })
        .collect();
    let list = all.join(language.pick(", ", "、"));
    (!all.is_empty()).then(|| match language {
        Language::English => {
            format!("Needs a running service at the address of {list}; set it where the service is elsewhere")
        }
        Language::Chinese => {
            format!("需要正在运行的服务，地址见 {list}；服务在别处时改此项")
        }
    })
}

/// Returns the services at a port of this machine.
fn ports(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let is_key = |key: &str| metadata.config.secret.iter().any(|it| it == key);
    let all = around.services.ports.iter().map(|(port, paths)| {
        let is_of_host =
            matches!(port, Port::Setting(key) if matches!(&**key, "PORT" | "SERVER_PORT"));
        let default = match port {
            Port::Setting(_) if is_of_host => Some("6005"),
            Port::Setting(key) => {
                let row = around.settings.iter().find(|row| row.key == *key);
                row.map(|row| &*row.default)
            }
            Port::Number(_) => None,
        };
        let default = default.filter(|it| !it.is_empty());
        let default = default.map_or_else(String::new, |it| match language {
            Language::English => format!(" (default {it})"),
            Language::Chinese => format!("（默认 {it}）"),
        });
        let at = match port {
            Port::Number(number) => code(&format!("127.0.0.1:{number}")),
            Port::Setting(key) => format!("127.0.0.1:{}{default}", code(key)),
        };
        let chat = paths.keys().any(|path| path.ends_with(CHAT));
        let what = match (chat, is_of_host) {
            (true, _) => language.pick(
                "a server with the API of OpenAI (`/v1/chat/completions`)",
                "的 OpenAI 兼容服务（`/v1/chat/completions`）",
            ),
            (false, true) => language.pick("the old host", "的原环境服务"),
            (false, false) => language.pick("a running service", "有正在运行的服务"),
        };
        let mut res = match language {
            Language::English => format!("Needs {what} at {at}"),
            Language::Chinese if at.ends_with('）') => format!("需要 {at}上{what}"),
            Language::Chinese => format!("需要 {at} 上{what}"),
        };
        let pairs = if is_of_host && (is_key("Key") || chat) {
            "PORT=VALUE Key=-"
        } else if is_of_host {
            "PORT=VALUE"
        } else {
            ""
        };
        if !pairs.is_empty() {
            res.push_str(language.pick(": ", "："));
            res.push_str(&code(&format!("skills-run configure . {pairs}")));
        }
        // What only the old host answers.
        let others = paths
            .iter()
            .filter(|(path, _)| is_of_host && chat && !path.ends_with(CHAT) && !path.is_empty());
        for (path, when) in others {
            let when: Vec<String> = when.iter().cloned().collect();
            let said = match (language, when.is_empty()) {
                (Language::English, true) => {
                    format!("; {} exists on the old host only", code(path))
                }
                (Language::English, false) => format!(
                    "; {} works with the old host only ({})",
                    codes(&when),
                    code(path)
                ),
                (Language::Chinese, true) => format!("；{} 只有原环境有", code(path)),
                (Language::Chinese, false) => {
                    format!("；{} 只在原环境有效（{}）", codes(&when), code(path))
                }
            };
            res.push_str(&said);
        }
        res
    });
    all.collect()
}

fn settings_file(file: &SettingsFile, language: Language) -> String {
    // It is not in the package: its name without a directory is not taken for a link.
    let name = file.path.rsplit('/').next().unwrap_or(&file.path);
    let (name, template) = (code(name), code(&file.template));
    match language {
        Language::English => format!(
            "Its own settings are in {name} beside {template}, and defaults hold without it: copy the latter there and change it"
        ),
        Language::Chinese => format!(
            "程序的设置在 {template} 旁的 {name} 中（没有时用默认值）：把前者复制为它再修改"
        ),
    }
}

/// Returns where a file with settings is, if a setting names it, and its form.
fn named_files(around: &Around, language: Language) -> impl Iterator<Item = String> + '_ {
    around.samples_of_files.iter().map(move |(key, sample)| {
        let (key, sample) = (code(key), code(sample));
        match language {
            Language::English => format!(
                "Its file of settings is the one that {key} names (an absolute path); {sample} shows its form"
            ),
            Language::Chinese => {
                format!("设置文件由 {key} 指定（写绝对路径），格式见 {sample}")
            }
        }
    })
}

/// Returns a caution on settings that count at the first run only.
fn made_once(metadata: &Metadata, around: &Around, language: Language) -> Option<String> {
    let file = around.made_once.first()?;
    let directory = metadata
        .legacy
        .as_ref()
        .map_or("", |it| it.directory.as_str());
    let path = code(&format!(
        "~/.local/state/skills-run/skills/{}/base/Plugin/{directory}/{file}",
        metadata.name
    ));
    Some(match language {
        Language::English => {
            format!(
                "The first run makes {path} of the settings; later changes count only after it is deleted"
            )
        }
        Language::Chinese => {
            format!("首次运行时由配置项生成 {path}；之后修改配置项，要先删除该文件才生效")
        }
    })
}
