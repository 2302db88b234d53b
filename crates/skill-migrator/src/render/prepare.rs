//! The section "Prepare": what has to be done before the first call.

use skill_model::{Metadata, Requires, SHARED_DIRECTORIES};

use super::Language;
use super::around::{self, Around};
use crate::markdown::{code, codes};

/// The usual state directory of `skills-run`.
pub(super) const STATE: &str = "~/.local/state/skills-run";

/// Returns the steps and conditions as items of Markdown.
pub(super) fn items(metadata: &Metadata, around: &Around, language: Language) -> Vec<String> {
    let items = [
        switched_off(metadata, language),
        install(metadata, language),
        settings(metadata, around, language),
        host(metadata, around, language),
        shared_data(metadata, around, language),
        shared_files(metadata, language),
        approval(metadata, language),
        refresh(metadata, language),
    ];
    items.into_iter().flatten().collect()
}

fn switched_off(metadata: &Metadata, language: Language) -> Option<String> {
    let off = language.pick("Switched off; switch it on once:", "默认停用；先启用一次：");
    let command = code("skills-run configure . --enable");
    (!metadata.enabled).then(|| format!("{off} {command}"))
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
            "; native packages need their install scripts, which run with your rights: instead ",
            "；原生包需要运行安装脚本（以您的权限）：改用 ",
        );
        res.push_str(runs);
        res.push_str(&code(&format!("skills-run prepare . {scripts}")));
    }
    Some(res)
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

/// Returns how settings are given, those that the program needs first.
fn settings(metadata: &Metadata, around: &Around, language: Language) -> Option<String> {
    if !around::has_settings(metadata) {
        return None;
    }
    let config = &metadata.config;
    let needed = first_settings(metadata, around);
    let key = needed.first()?;
    let is_secret = config.secret.iter().any(|secret| secret == key);
    let way = if is_secret {
        language.pick(
            "(reads the value from standard input)",
            "（从标准输入读值）",
        )
    } else {
        ""
    };
    let value = if is_secret { "-" } else { "VALUE" };
    let command = code(&format!("skills-run configure . {key}={value}"));
    let mut res = match language {
        Language::English => format!("Settings: {command} {way}"),
        Language::Chinese => format!("配置：{command}{way}"),
    };
    let rest = &needed[1..];
    if !rest.is_empty() {
        let also = language.pick("; also ", "；还有 ");
        res.push_str(also);
        res.push_str(&codes(rest));
    }
    if !around.needed.is_empty() {
        let ends = language.pick("; it does not run without", "；缺少时不运行");
        res.push_str(ends);
    }
    Some(res.trim_end().to_owned())
}

/// Returns the command for optional settings, unless another one shows the way.
pub(super) fn way(metadata: &Metadata, around: &Around) -> String {
    let is_shown = !first_settings(metadata, around).is_empty();
    if is_shown || !around::has_settings(metadata) {
        String::new()
    } else {
        code("skills-run configure . KEY=VALUE")
    }
}

/// Returns the settings without which the program does not run, or else the secrets of the manifest that
/// it does not call optional.
pub(super) fn first_settings(metadata: &Metadata, around: &Around) -> Vec<String> {
    const OPTIONAL: [&str; 8] = [
        "预留", "可选", "选填", "留空", "不填", "optional", "reserved", "if empty",
    ];
    let config = &metadata.config;
    if !around.needed.is_empty() {
        return around.needed.clone();
    }
    let schema = config.schema.as_ref();
    let is_optional = |key: &str| {
        let text = schema.and_then(|schema| schema["properties"][key]["description"].as_str());
        let text = text.unwrap_or_default().to_lowercase();
        OPTIONAL.iter().any(|word| text.contains(word))
    };
    let secrets = config.secret.iter();
    let is_first = |key: &&String| !config.undeclared.contains(key) && !is_optional(key);
    secrets.filter(is_first).cloned().collect()
}

/// Returns what `skills-run` provides in place of the legacy host.
fn host(metadata: &Metadata, around: &Around, language: Language) -> Option<String> {
    let mut provided = Vec::new();
    if !metadata.host_modules.is_empty() || !metadata.host_answered.is_empty() {
        let modules = language.pick("modules that the program loads", "程序加载的模块");
        provided.push(modules.to_owned());
    }
    let values = [&around.host_values[..], &around.host_read].concat();
    if !values.is_empty() && around::needs_tool(metadata, around) {
        provided.push(codes(&values));
    }
    if !metadata.requires.skills.is_empty() {
        let skills = language.pick("the skills beside this one: ", "同目录下的技能 ");
        provided.push(format!("{skills}{}", codes(&metadata.requires.skills)));
    }
    let by = language.pick("Provided by `skills-run`: ", "由 `skills-run` 提供：");
    (!provided.is_empty()).then(|| format!("{by}{}", provided.join(language.pick("; ", "；"))))
}

/// Returns where the program writes, and where the old content of its directories belongs.
fn shared_data(metadata: &Metadata, around: &Around, language: Language) -> Option<String> {
    let shared = metadata.permissions.shared.iter();
    let shared: Vec<String> = shared
        .filter(|name| SHARED_DIRECTORIES.contains(&name.as_str()))
        .cloned()
        .collect();
    let place = code(&format!("{STATE}/legacy/"));
    let has_links = around
        .host_values
        .iter()
        .any(|it| it.starts_with("IMAGESERVER_"));
    if shared.is_empty() {
        let writes = language.pick("Files that it writes are in ", "写出的文件在 ");
        let place = code(&format!("{STATE}/skills/{}/", metadata.name));
        return around.writes.then(|| format!("{writes}{place}"));
    }
    let list = codes(&shared);
    Some(match language {
        Language::English => {
            let links = "; links in results need a file server: without one, use the files there";
            format!(
                "Its data ({list}) is in {place}{}",
                if has_links { links } else { "" }
            )
        }
        Language::Chinese => {
            let links = "；返回的链接需要图片服务，没有时改用其中的文件";
            format!(
                "数据（{list}）在 {place}{}",
                if has_links { links } else { "" }
            )
        }
    })
}

/// Returns the data files that it shares with the skills beside it.
fn shared_files(metadata: &Metadata, language: Language) -> Option<String> {
    let files = metadata.permissions.shared_files();
    let files: Vec<String> = files.map(|file| file.to_string()).collect();
    let shares = language.pick("Shares data with them: ", "与它们共用数据：");
    (!files.is_empty()).then(|| format!("{shares}{}", codes(&files)))
}

fn approval(metadata: &Metadata, language: Language) -> Option<String> {
    let text = language.pick(
        "Every call must be approved: `skills-run approve .`; set `DECRYPTED_AUTH_CODE` to the administrator's code",
        "每次调用都需要审批：`skills-run approve .`；并把 `DECRYPTED_AUTH_CODE` 设为管理员验证码",
    );
    metadata.permissions.admin.then(|| text.to_owned())
}

fn refresh(metadata: &Metadata, language: Language) -> Option<String> {
    let refresh = metadata.refresh.as_ref()?;
    let text = language.pick(
        "Meant to be run by a schedule (cron): ",
        "宜定时运行（cron）：",
    );
    Some(format!("{text}{}", code(&refresh.cron)))
}
