//! The section "Prepare": what has to be done before the first call.

use std::collections::BTreeSet;

use skill_model::{Command, Metadata, Requires};

use super::around::{self, Around};
use super::setting_words::{explanation, sample, shown};
use super::{Language, outside};
use crate::code::Mode;
use crate::markdown::{DefuseReport, code, codes, defuse, one_line};
use crate::platforms::Compiled;
use crate::setting_rows::{self, Effect};

/// Returns the steps and conditions as items of Markdown.
pub(super) fn items(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let first = [
        switched_off(metadata, language),
        install(metadata, language),
        compiled(&around.compiled, language),
    ];
    let rest = [
        requirements(around, language),
        conditions(around, language),
        beside(metadata, around, language),
        shared_files(metadata, language),
        approval(metadata, language),
    ];
    let mut res: Vec<String> = first.into_iter().flatten().collect();
    if around::has_settings(metadata, around) {
        res.extend(settings(metadata, around, language));
        res.extend(ways(metadata, around, language));
    }
    res.extend(left_settings(metadata, around, language));
    res.extend(outside::items(metadata, around, language));
    res.extend(rest.into_iter().flatten());
    res
}

fn switched_off(metadata: &Metadata, language: Language) -> Option<String> {
    let off = language.pick(
        "Switched off; switch it on once: ",
        "默认停用；先启用一次：",
    );
    let command = code("skills-run configure . --enable");
    (!metadata.enabled).then(|| format!("{off}{command}"))
}

/// Returns the command that installs the packages, which the frontmatter names.
fn install(metadata: &Metadata, language: Language) -> Option<String> {
    let requires = &metadata.requires;
    if requires.npm.is_empty() && requires.pip.is_empty() {
        return None;
    }
    let once = language.pick("Install its packages once: ", "安装依赖（一次）：");
    let mut res = format!("{once}{}", code("skills-run prepare ."));
    if let Some(scripts) = install_scripts(requires) {
        let runs = language.pick(
            "; some packages need their install scripts, which run with your rights: instead ",
            "；部分包需要运行安装脚本（以您的权限）：改用 ",
        );
        res.push_str(runs);
        res.push_str(&code(&format!("skills-run prepare . {scripts}")));
    }
    Some(res)
}

/// Returns the systems that the compiled programs are for, and how to make them for others.
fn compiled(compiled: &Compiled, language: Language) -> Option<String> {
    let systems: Vec<&str> = compiled.systems.iter().map(String::as_str).collect();
    let systems = systems.join(language.pick(", ", "、"));
    let mut res = match language {
        Language::English => format!("Its program is compiled for {systems}"),
        Language::Chinese => format!("随附的程序适用于 {systems}"),
    };
    if let Some(manifest) = &compiled.manifest {
        let others = language.pick(
            "; on other systems build it first (needs Rust): ",
            "；其他系统先编译（需要 Rust）：",
        );
        let manifest = format!("cargo build --release --manifest-path scripts/{manifest}");
        res.push_str(others);
        res.push_str(&code(&manifest));
    }
    (!systems.is_empty()).then_some(res)
}

/// The argument in which a person gives the administrator's code.
pub(super) const CODE: &str = "requireAdmin";

/// Packages whose install script fetches the program that they are for.
const DOWNLOADERS: [&str; 4] = ["puppeteer", "playwright", "electron", "ffmpeg-static"];

/// Returns the arguments that allow the install scripts of packages with native code, and of those that
/// fetch a program; without them, these do not work.
fn install_scripts(requires: &Requires) -> Option<String> {
    let packages = requires.packages.npm.iter();
    let native = packages.filter(|(name, need)| {
        need.install_script && (need.native || DOWNLOADERS.contains(&name.as_str()))
    });
    let flags: Vec<String> = native
        .map(|(name, _)| format!("--allow-scripts {name}"))
        .collect();
    (!flags.is_empty()).then(|| flags.join(" "))
}

/// Returns how settings are given, one in a line: those without which the program does not run, then the
/// other secrets.
fn settings(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let from_input = language.pick(
        " (reads the value from standard input)",
        "（从标准输入读值）",
    );
    let told = &around.needed;
    let is_one = told.keys.len() == 1 && told.always.is_empty();
    let mode = |(argument, values): &Mode, is_default: bool| {
        let mode = code(&format!("{argument}={}", values.join("/")));
        match (language, is_default) {
            (Language::English, true) => format!("Required for {mode} (default): "),
            (Language::English, false) => format!("For {mode} only: "),
            (Language::Chinese, true) => format!("{mode}（默认）时必需："),
            (Language::Chinese, false) => format!("仅 {mode} 时："),
        }
    };
    let all = told.always.iter().map(|key| {
        let label = match told.by_default.get(key) {
            Some(of) => mode(of, true),
            None => language.pick("Required setting: ", "必需配置：").to_owned(),
        };
        (key, label)
    });
    let all = all.chain(told.keys.iter().map(|key| {
        let label = if let Some((of, value, is_default)) = told.by_setting.get(key) {
            return (key, mode(&(of.clone(), vec![value.clone()]), *is_default));
        } else if told.optional.contains(key) {
            language.pick("Key (optional): ", "密钥（可选）：")
        } else if is_one && is_key_of_service(metadata, key) {
            language.pick("Key (required): ", "密钥（必需）：")
        } else {
            language.pick("Key: ", "密钥：")
        };
        (key, label.to_owned())
    }));
    let all = all.chain(told.modes.iter().map(|(key, of)| (key, mode(of, false))));
    let secrets: BTreeSet<&str> = metadata.config.secret.iter().map(String::as_str).collect();
    let mut is_input_told = false;
    // A group of families is one line.
    let first_of = |key: &str| {
        let prefix = key.split_once('*').map(|(prefix, _)| prefix);
        let mut group = told.always.iter();
        group.find(|it| prefix.is_some() && it.split_once('*').map(|(start, _)| start) == prefix)
    };
    let all = all.filter(|(key, _)| first_of(key).is_none_or(|first| first == *key));
    let lines = all.map(|(key, label)| {
        if let Some(line) = group_line(metadata, around, key, &label, language) {
            return line;
        }
        let text = explanation(metadata, around, key, language);
        let is_secret = secrets.contains(key.as_str()) || text.as_deref().is_some_and(is_of_key);
        let value = if is_secret {
            "-".to_owned()
        } else {
            sample(metadata, around, key)
        };
        let mut line = format!(
            "{label}{}",
            code(&format!("skills-run configure . {key}={value}"))
        );
        if is_secret && !is_input_told {
            line.push_str(from_input);
            is_input_told = true;
        }
        // Where nothing is given to a call, this is what it is about.
        let is_subject = metadata.commands.is_empty()
            && text.is_none()
            && !is_secret
            && setting_rows::effect(key) == Effect::Manner;
        let subject = language.pick(
            "what it is about: change it and run again for another one",
            "查询的对象，要换就改此项再运行",
        );
        let text = text.or(is_subject.then(|| subject.to_owned()));
        let says =
            |text: &String| !matches!(text.as_str(), "可选" | "必填" | "optional" | "required");
        if let Some(text) = text.filter(says) {
            line.push_str(language.pick(": ", "："));
            line.push_str(&text);
        }
        line
    });
    lines.collect()
}

/// Returns the line of the families that begin alike, whose name the user completes: `TABLE_<茶名>`.
fn group_line(
    metadata: &Metadata,
    around: &Around,
    key: &str,
    label: &str,
    language: Language,
) -> Option<String> {
    let (prefix, _) = key.split_once('*')?;
    let all = around.needed.always.iter();
    let group: Vec<&String> = all
        .filter(|it| it.split_once('*').is_some_and(|(start, _)| start == prefix))
        .collect();
    if group.is_empty() {
        return None;
    }
    // `<` is a sign of the shell.
    let pairs = group
        .iter()
        .map(|key| format!("'{}={}'", shown(around, key), sample(metadata, around, key)));
    let pairs: Vec<String> = pairs.collect();
    let command = code(&format!("skills-run configure . {}", pairs.join(" ")));
    let named = match (language, group.len()) {
        (Language::English, 1) => " (put a name for <…>; one for each, at least one)",
        (Language::English, _) => " (put a name for <…>; all of them for each, at least one)",
        (Language::Chinese, 1) => "（<…> 换成实际的名称；每个一项，至少一项）",
        (Language::Chinese, _) => "（<…> 换成实际的名称；每个一组，至少一组）",
    };
    let texts: Vec<String> = group
        .iter()
        .filter_map(|key| explanation(metadata, around, key, language))
        .collect();
    let mut res = format!("{label}{command}{named}");
    if !texts.is_empty() {
        res.push_str(language.pick(": ", "："));
        res.push_str(&texts.join(language.pick("; ", "；")));
    }
    Some(res)
}

/// Returns how to get the values of the settings that are named, as the example file says it.
fn ways(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    const MAX: usize = 2;
    let told = &around.needed;
    let keys = told
        .always
        .iter()
        .chain(&told.keys)
        .chain(told.modes.keys());
    let mut res: Vec<(&str, Vec<String>)> = Vec::new();
    for key in keys {
        let how = around.comments.get(key).map_or("", |it| it.how.as_str());
        let said = explanation(metadata, around, key, language).unwrap_or_default();
        if how.starts_with(&said) && !said.is_empty() {
            continue;
        }
        match res.iter_mut().find(|(known, _)| *known == how) {
            _ if how.is_empty() => {}
            Some((_, keys)) => keys.push(key.clone()),
            None => res.push((how, vec![key.clone()])),
        }
    }
    let lines = res.into_iter().take(MAX).map(|(how, keys)| {
        let how = defuse(&one_line(how), &mut DefuseReport::default()).into_owned();
        format!("{}{}{how}", codes(&keys), language.pick(": ", "："))
    });
    lines.collect()
}

/// Returns true for a key that the plugin declares: `TeaKey`, not a cookie or a password.
fn is_key_of_service(metadata: &Metadata, key: &str) -> bool {
    let schema = metadata.config.schema.as_ref();
    let is_declared = schema.is_some_and(|schema| !schema["properties"][key].is_null());
    let name = key.to_lowercase();
    is_declared && (name.contains("key") || name.ends_with("token"))
}

/// Returns true for the explanation of a key: `从控制台获取你的 Tea API Key`.
fn is_of_key(text: &str) -> bool {
    const KEYS: [&str; 6] = ["API Key", "API key", "api key", "密钥", "密码", "令牌"];
    // Not for an address or a name beside one: `密钥ID`.
    let is_other = ["ID", "地址", "名称", "URL"]
        .iter()
        .any(|word| text.contains(word));
    let ends = text.ends_with(" Key") || text.ends_with(" Token");
    (ends || KEYS.iter().any(|word| text.contains(word))) && !is_other
}

/// Returns how to take along the settings of the old plugin, if its program uses many that nobody
/// declares.
fn left_settings(metadata: &Metadata, around: &Around, language: Language) -> Option<String> {
    const MANY: usize = 5;
    let file = around.left_settings.first()?;
    if metadata.config.undeclared.len() < MANY {
        return None;
    }
    let (from, n_keys) = (code(file), metadata.config.undeclared.len());
    let way = code(&format!("skills-run configure . --from PATH/{file}"));
    Some(match language {
        Language::English => {
            format!(
                "If there is a {from} of the old plugin ({n_keys} settings), take it over: {way}"
            )
        }
        Language::Chinese => {
            format!("若有原插件的 {from}（{n_keys} 项设置），一次导入：{way}")
        }
    })
}

/// Returns the command for optional settings, unless another one shows the way.
pub(super) fn way(metadata: &Metadata, around: &Around) -> String {
    let told = &around.needed;
    let is_shown = !told.always.is_empty() || !told.keys.is_empty() || !told.modes.is_empty();
    if is_shown || !around::has_settings(metadata, around) {
        String::new()
    } else {
        code("skills-run configure . KEY=VALUE")
    }
}

/// Returns true for a program that only Windows runs.
pub(crate) fn is_for_windows(around: &Around) -> bool {
    around.only_windows || windows_app(around).is_some()
}

/// Returns the app for Windows only that the errors of the program ask to start.
fn windows_app(around: &Around) -> Option<&'static str> {
    const APPS: [&str; 2] = ["Everything", "AutoHotkey"];
    let is_asked = |app: &&str| {
        let start = format!("{app} ");
        around.conditions.iter().any(|it| it.contains(&start))
    };
    APPS.iter().find(|app| is_asked(app)).copied()
}

/// Returns the system that it is for, and what its readme says has to be there first.
fn requirements(around: &Around, language: Language) -> Option<String> {
    let windows = language.pick(
        "only on Windows (it uses its shell)",
        "仅限 Windows（使用其命令行）",
    );
    let windows = match (around.only_windows, windows_app(around)) {
        (true, _) => Some(windows.to_owned()),
        (false, Some(app)) => Some(match language {
            Language::English => format!("only on Windows (for {app})"),
            Language::Chinese => format!("仅限 Windows（{app} 只有 Windows 版）"),
        }),
        (false, None) => None,
    };
    let all = around.requirements.iter().map(|text| {
        let text = defuse(&one_line(text), &mut DefuseReport::default()).into_owned();
        text.trim_end_matches(['。', '.']).to_owned()
    });
    let all: Vec<String> = windows.into_iter().chain(all).collect();
    let needs = language.pick("Needs: ", "需要：");
    (!all.is_empty()).then(|| format!("{needs}{}", all.join(language.pick("; ", "；"))))
}

/// Returns what has to be installed or running, as the errors of the program say it.
fn conditions(around: &Around, language: Language) -> Option<String> {
    const MAX: usize = 3;
    let says = language.pick("As its errors say: ", "运行条件（程序的提示）：");
    let mut all = String::new();
    for sentence in around.conditions.iter().take(MAX) {
        let is_apart = !all.is_empty() && !all.ends_with('。');
        let said = match language {
            Language::English => None,
            Language::Chinese => in_chinese(sentence),
        };
        all.push_str(if is_apart { " " } else { "" });
        all.push_str(said.as_deref().unwrap_or(sentence));
    }
    let all = defuse(&one_line(&all), &mut DefuseReport::default()).into_owned();
    (!all.is_empty()).then(|| format!("{says}{}", all.trim_end_matches(['。', '.'])))
}

/// Returns `Please ensure Kettle is running and the HTTP server is enabled in Tools.` in Chinese, and `None` for
/// other forms.
fn in_chinese(sentence: &str) -> Option<String> {
    let rest = ["lease ensure ", "ake sure "]
        .iter()
        .find_map(|it| sentence.split_once(it).map(|(_, rest)| rest))?;
    let rest = rest.trim_end_matches('.').trim_start_matches("that ");
    let (app, more) = rest.split_once(" is running")?;
    let first = format!("请先启动 {app}");
    let Some(more) = more.strip_prefix(" and ") else {
        return more.is_empty().then(|| format!("{first}。"));
    };
    let (part, place) = more.split_once(" is enabled")?;
    let part = part.trim_start_matches("the ").trim_start_matches("its ");
    let part = part.replace("HTTP server", "HTTP 服务器");
    Some(match place.strip_prefix(" in ") {
        Some(place) => format!("{first}，并在 {place} 中启用 {part}。"),
        None => format!("{first}，并启用 {part}。"),
    })
}

/// Returns the skills beside this one that it loads, and those that a module of the old host in it uses.
fn beside(metadata: &Metadata, around: &Around, language: Language) -> Option<String> {
    let needs = language.pick(
        "Needs these, beside it or in `.host/` there: ",
        "需要（同目录或其 `.host/` 中）：",
    );
    let skills = metadata.requires.skills.iter();
    let (through, own): (Vec<&String>, Vec<&String>) =
        skills.partition(|skill| around.through_modules.contains_key(*skill));
    let own: Vec<String> = own.into_iter().cloned().collect();
    let own = (!own.is_empty()).then(|| format!("{needs}{}", codes(&own)));
    let through = through.into_iter().map(|skill| {
        let module = code(&around.through_modules[skill]);
        match language {
            Language::English => format!(
                "Some of its work, that of {module}, needs {} beside it or in `.host/` there",
                code(skill)
            ),
            Language::Chinese => format!(
                "部分功能（{module}）需要 {}（同目录或其 `.host/` 中）",
                code(skill)
            ),
        }
    });
    let all: Vec<String> = own.into_iter().chain(through).collect();
    (!all.is_empty()).then(|| all.join(language.pick("; ", "；")))
}

/// Returns the data files that it shares with the skills beside it.
fn shared_files(metadata: &Metadata, language: Language) -> Option<String> {
    let files = metadata.permissions.shared_files();
    let files: Vec<String> = files.map(|file| file.to_string()).collect();
    let shares = language.pick("Shares data with them: ", "与其共用数据文件：");
    (!files.is_empty()).then(|| format!("{shares}{}", codes(&files)))
}

fn approval(metadata: &Metadata, language: Language) -> Option<String> {
    let text = language.pick(
        "Every call must be approved: `skills-run approve .`; set `DECRYPTED_AUTH_CODE` to the administrator's code",
        "每次调用都需要审批：`skills-run approve .`；并把 `DECRYPTED_AUTH_CODE` 设为管理员验证码",
    );
    let takes_code = |command: &Command| !command.input_schema["properties"][CODE].is_null();
    let same = if metadata.commands.iter().any(takes_code) {
        language.pick(
            ", which is also the value of `requireAdmin`",
            "，`requireAdmin` 填同一验证码",
        )
    } else {
        ""
    };
    let is_admin = metadata.permissions.admin;
    is_admin.then(|| format!("{text}{same}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_in_chinese() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(in_chinese(text).as_deref(), expected, "{text}");
        };
        check(
            "Please ensure Kettle is running.",
            Some("请先启动 Kettle。"),
        );
        check(
            "Please ensure Kettle is running and the HTTP server is enabled in Tools -> Options.",
            Some("请先启动 Kettle，并在 Tools -> Options 中启用 HTTP 服务器。"),
        );
        check("Please install it.", None);
        check("请先安装 kettle。", None);
    }
}
