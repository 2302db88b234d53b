//! The section "Prepare": what has to be done before the first call.

use std::collections::BTreeSet;

use skill_model::{Command, Metadata, Requires};

use super::Language;
use super::around::{self, Around};
use super::{host_words, parameter, protocol};
use crate::code::Mode;
use crate::env_example;
use crate::markdown::{DefuseReport, code, codes, defuse, one_line};
use crate::needed;
use crate::platforms::Compiled;

/// Returns the steps and conditions as items of Markdown.
pub(super) fn items(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let first = [
        switched_off(metadata, language),
        install(metadata, language),
        compiled(&around.compiled, language),
    ];
    let rest = [
        local_service(around, language),
        requirements(around, language),
        conditions(around, language),
        beside(metadata, language),
        shared_files(metadata, language),
        approval(metadata, language),
    ];
    let mut res: Vec<String> = first.into_iter().flatten().collect();
    if around::has_settings(metadata, around) {
        res.extend(settings(metadata, around, language));
    }
    res.extend(left_settings(metadata, around, language));
    res.extend(rest.into_iter().flatten());
    res
}

/// Returns the services of this machine that the program asks by default: they have to run.
fn local_service(around: &Around, language: Language) -> Option<String> {
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
    let needs = language.pick(
        "A service that runs at the address of ",
        "需要正在运行的服务，地址见 ",
    );
    (!all.is_empty()).then(|| format!("{needs}{}", all.join(language.pick(", ", "、"))))
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
    let lines = all.map(|(key, label)| {
        let text = explanation(metadata, around, key);
        let is_secret = secrets.contains(key.as_str()) || text.as_deref().is_some_and(is_of_key);
        let value = if is_secret {
            "-".to_owned()
        } else {
            sample(metadata, around, key)
        };
        let mut line = format!(
            "{label}{}",
            code(&format!(
                "skills-run configure . {}={value}",
                key.replace('*', "NAME")
            ))
        );
        if key.contains('*') {
            let named = language.pick(" (put the name for NAME)", "（NAME 换成实际的名称）");
            line.push_str(named);
        }
        if is_secret && !is_input_told {
            line.push_str(from_input);
            is_input_told = true;
        }
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

/// Returns what the manifest or the example of the settings says of one, if it is more than its name.
pub(super) fn explanation(metadata: &Metadata, around: &Around, key: &str) -> Option<String> {
    let schema = metadata.config.schema.as_ref();
    let declared = schema.and_then(|schema| schema["properties"][key]["description"].as_str());
    let comment = around.comments.get(key);
    let comment_text = comment.map_or("", |it| it.text.as_str());
    let said = declared.and_then(|text| short(key, text));
    let more = short(key, comment_text);
    let res = match (said, more) {
        (Some(said), Some(more))
            if is_condition(&more) && !is_condition(&said) && !starts_alike(&more, &said) =>
        {
            format!("{said}；{more}")
        }
        (said, more) => said.or(more)?,
    };
    let values = comment.map_or(&[][..], |it| &it.values);
    if values.is_empty() {
        return Some(res);
    }
    Some(format!("{res} ({})", values.join(" / ")))
}

/// Returns true for two texts that begin with the same words.
fn starts_alike(first: &str, second: &str) -> bool {
    const N: usize = 4;
    first.chars().take(N).eq(second.chars().take(N))
}

/// Returns true for a text that says when a setting is needed or how to get it.
fn is_condition(text: &str) -> bool {
    const WORDS: [&str; 9] = [
        "仅",
        "留空",
        "获取",
        "模式",
        "二选一",
        " mode",
        "only",
        "leave empty",
        "get it",
    ];
    let text = text.to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}

/// Returns the first sentence of a text, if it is short and more than the name.
fn short(key: &str, text: &str) -> Option<String> {
    const MAX: usize = 80;
    let text = host_words::plain_words(&without_place(&one_line(text)));
    let text = protocol::sentences(&text)
        .next()?
        .trim()
        .trim_end_matches(['。', '.'])
        .to_owned();
    let letters = |text: &str| -> String {
        let kept = text.chars().filter(|c| c.is_alphanumeric());
        kept.flat_map(char::to_lowercase).collect()
    };
    let says = !letters(key).contains(&letters(&text)) && text.chars().count() <= MAX;
    says.then(|| defuse(&text, &mut DefuseReport::default()).into_owned())
}

/// Returns a text without clauses on the file of the old host: `（仅 x 模式需要，也支持从根目录config.env读取）`.
fn without_place(text: &str) -> String {
    let names_file = |clause: &str| clause.contains("config.env") && clause.contains("目录");
    if !names_file(text) {
        return text.to_owned();
    }
    let mut res = String::new();
    for clause in text.split_inclusive(['，', ',', '；', '（', '(']) {
        if !names_file(clause) {
            res.push_str(clause);
            continue;
        }
        let end = clause
            .find(['）', ')', '。'])
            .map_or("", |at| &clause[at..]);
        res.truncate(res.trim_end_matches(['，', ',', '；', ' ']).len());
        res.push_str(end);
    }
    res.replace("（）", "").replace("()", "")
}

/// Returns the usual value that an explanation names: `端口，隐式 TLS 通常为 993`.
fn usual(text: &str) -> Option<&str> {
    let words = [
        "通常为",
        "一般为",
        "通常是",
        "usually",
        "默认为",
        "默认值为",
        "默认",
    ];
    let rest = words
        .iter()
        .find_map(|word| text.split_once(word).map(|(_, rest)| rest))?;
    let rest = rest.trim_start_matches([' ', ':', '：', '`']);
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_-./:".contains(c);
    let value = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
    let value = value.trim_end_matches(['.', ':']);
    let is_plain = !value.is_empty() && !env_example::is_placeholder(value);
    (is_plain && value.contains(|c: char| c.is_ascii_digit())).then_some(value)
}

/// Returns a value of a setting: of an address that the old host gave to its plugins, the short one that
/// the manifest suggests, or the one of the example file.
fn sample(metadata: &Metadata, around: &Around, key: &str) -> String {
    const MAX: usize = 40;
    let schema = metadata.config.schema.as_ref();
    let suggested = schema.and_then(|schema| schema["properties"][key].get("default"));
    let suggested = suggested.map(parameter::plain).unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_-./:".contains(c);
    let is_flag = schema.is_some_and(|it| it["properties"][key]["type"] == "boolean");
    match key {
        _ if is_flag && suggested.is_empty() => "true".to_owned(),
        "VarHttpsUrl" => "https://localhost".to_owned(),
        _ if (1..=MAX).contains(&suggested.len())
            && suggested.chars().all(is_word)
            && needed::elsewhere(&suggested).is_none()
            && !env_example::is_placeholder(&suggested) =>
        {
            suggested
        }
        _ if key.contains('*') => {
            let values = around.comments.get(key).map_or(&[][..], |it| &it.values);
            values.first().map_or("VALUE", String::as_str).to_owned()
        }
        _ => {
            let sample = around.samples.get(key);
            let sample = sample.filter(|it| needed::elsewhere(it).is_none());
            let text = schema.and_then(|schema| schema["properties"][key]["description"].as_str());
            let usual = text.and_then(usual);
            let sample = sample.map(String::as_str).or(usual);
            sample.unwrap_or("VALUE").to_owned()
        }
    }
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

/// Returns the system that it is for, and what its readme says has to be there first.
fn requirements(around: &Around, language: Language) -> Option<String> {
    let windows = language.pick(
        "only on Windows (it uses its shell)",
        "仅限 Windows（使用其命令行）",
    );
    let windows = around.only_windows.then(|| windows.to_owned());
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
        all.push_str(if is_apart { " " } else { "" });
        all.push_str(sentence);
    }
    let all = defuse(&one_line(&all), &mut DefuseReport::default()).into_owned();
    (!all.is_empty()).then(|| format!("{says}{}", all.trim_end_matches(['。', '.'])))
}

/// Returns the skills beside this one that it loads.
fn beside(metadata: &Metadata, language: Language) -> Option<String> {
    let needs = language.pick(
        "Needs these, beside it or in `.host/` there: ",
        "需要（同目录或其 `.host/` 中）：",
    );
    let skills = &metadata.requires.skills;
    (!skills.is_empty()).then(|| format!("{needs}{}", codes(skills)))
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
