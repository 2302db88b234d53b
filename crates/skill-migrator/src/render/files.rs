//! The places of a program's files.

use std::collections::BTreeSet;

use skill_model::{Metadata, SHARED_DIRECTORIES};

use super::Language;
use super::around::{self, Around};
use crate::code::Outcome;
use crate::markdown::{code, codes};
use crate::user_directories;

/// The usual state directory of `skills-run`.
pub(super) const STATE: &str = "~/.local/state/skills-run";

/// The maximum number of names in the code that are looked for in the texts.
const MAX_NAMES: usize = 256;

/// Returns where the program reads and writes its files, as a sentence.
pub(super) fn sentence(metadata: &Metadata, around: &Around, language: Language) -> String {
    if !around::needs_tool(metadata, around) {
        return String::new();
    }
    let opened = opened(metadata, around, language);
    let named = named(metadata, around, language);
    let shared = metadata.permissions.shared.iter();
    let shared: Vec<&String> = shared
        .filter(|name| SHARED_DIRECTORIES.contains(&name.as_str()))
        .collect();
    if shared.is_empty() {
        let place = code(&format!("{STATE}/skills/{}/", metadata.name));
        return match language {
            Language::English if !named.is_empty() => format!("Its files are in {named}.{opened}"),
            Language::Chinese if !named.is_empty() => format!("读写的文件在 {named}。{opened}"),
            _ if !around.writes || !has_files(metadata, around) => opened.trim_start().to_owned(),
            Language::English => format!("Files that it writes are in {place}.{opened}"),
            Language::Chinese => format!("写出的文件在 {place}。{opened}"),
        };
    }
    let places = match &shared[..] {
        [name] => code(&format!("{STATE}/legacy/{name}/")),
        names => {
            let names: Vec<String> = names.iter().map(|name| (*name).clone()).collect();
            below(&format!("{STATE}/legacy/"), &names, language)
        }
    };
    let places = match language {
        _ if named.is_empty() => places,
        Language::English => format!("{places}, and {named}"),
        Language::Chinese => format!("{places}、{named}"),
    };
    let links = language.pick(
        "; links in results need a file server: without one, use the files there",
        "；返回的链接需要文件服务，打不开时用其中的文件",
    );
    let links = if around.places.has_links { links } else { "" };
    match language {
        Language::English => format!("Its files are in {places}{links}.{opened}"),
        Language::Chinese => format!("读写的文件在 {places}{links}。{opened}"),
    }
}

/// Returns how a user opens the directory of a file that a call names, as a sentence.
fn opened(metadata: &Metadata, around: &Around, language: Language) -> String {
    if !user_directories::is_offered(&metadata.config) {
        return String::new();
    }
    let way = code(&format!(
        "skills-run configure . {}=/DIRECTORY",
        user_directories::KEY
    ));
    let slashes = language.pick(
        " An address of a file has four slashes: `file:////DIRECTORY/FILE`.",
        "本地文件的地址写四个斜杠：`file:////DIRECTORY/FILE`。",
    );
    let slashes = if around.places.cuts_slash {
        slashes
    } else {
        ""
    };
    match language {
        Language::English => {
            format!(" It sees no other files; to open the directory of one: {way}.{slashes}")
        }
        Language::Chinese => {
            format!("程序看不到别处的文件；开放文件所在的目录：{way}。{slashes}")
        }
    }
}

/// Returns true for a program whose files a caller looks for: a result has a path, a parameter or a setting
/// decides on one, or a text promises a file. Others only keep caches, records and states.
fn has_files(metadata: &Metadata, around: &Around) -> bool {
    const PARTS: [&str; 5] = ["path", "filename", "save", "output", "directory"];
    const PROMISES: [&str; 12] = [
        "保存到",
        "保存为",
        "存入",
        "存为",
        "存到",
        "导出",
        "到本地",
        "生成文件",
        "写入文件",
        "saved",
        "export",
        "written to",
    ];
    let is_place = |name: &str| {
        let lower = name.to_lowercase().replace('_', "");
        PARTS.iter().any(|part| lower.contains(part))
    };
    let forms = around.outcomes.values().chain(&around.results.form);
    let mut members = forms
        .chain(&around.results.partly)
        .flat_map(Outcome::members);
    let mut parameters = metadata.commands.iter().flat_map(|command| {
        let properties = command.input_schema["properties"].as_object();
        properties.into_iter().flatten().map(|(name, _)| name)
    });
    let schema = metadata.config.schema.as_ref();
    let declared = schema.and_then(|schema| schema["properties"].as_object());
    let declared = declared.into_iter().flatten().map(|(name, _)| name);
    let mut settings = around.settings.iter().map(|row| &row.key).chain(declared);
    let is_stored = |name: &String| {
        let lower = name.to_lowercase();
        ["save", "output", "storage"]
            .iter()
            .any(|it| lower.contains(it))
    };
    let mut texts = texts(metadata).into_iter();
    members.any(is_place)
        || parameters.any(|name| is_place(name))
        || settings.any(is_stored)
        || texts.any(|text| {
            let lower = text.to_lowercase();
            PROMISES.iter().any(|word| lower.contains(word))
        })
}

/// Returns names in a directory: `` `~/tea/` 下的 `cups`, `pots` ``.
fn below(directory: &str, names: &[String], language: Language) -> String {
    let directory = code(directory);
    match language {
        Language::English => format!("{} below {directory}", codes(names)),
        Language::Chinese => format!("{directory} 下的 {}", codes(names)),
    }
}

/// Returns the places that the texts name without saying where they are: beside the code, or in what the
/// directory of the old host is here.
fn named(metadata: &Metadata, around: &Around, language: Language) -> String {
    let texts = texts(metadata);
    let is_shared = |name: &String| name == "Plugin" || SHARED_DIRECTORIES.contains(&name.as_str());
    let told = |names: &BTreeSet<String>| -> Vec<String> {
        let names = names.iter().filter(|name| !is_shared(name)).take(MAX_NAMES);
        let names = names.filter(|name| texts.iter().any(|text| is_place(text, name)));
        names.cloned().collect()
    };
    let base = format!("{STATE}/skills/{}/base/", metadata.name);
    let own = metadata.legacy.as_ref();
    let own = own.map(|legacy| format!("{base}Plugin/{}/", legacy.directory));
    let beside = own.map(|own| (own, told(&around.places.beside_code)));
    let all = beside
        .into_iter()
        .chain([(base, told(&around.places.in_base))]);
    let all = all.filter(|(_, names)| !names.is_empty());
    let all: Vec<String> = all
        .map(|(directory, names)| below(&directory, &names, language))
        .collect();
    all.join(language.pick(", and ", "、"))
}

/// Returns the texts of the commands and of their parameters.
fn texts(metadata: &Metadata) -> Vec<&str> {
    let mut res = vec![metadata.description.as_str()];
    for command in &metadata.commands {
        res.push(&command.description);
        let properties = command.input_schema["properties"].as_object();
        let properties = properties.into_iter().flatten();
        res.extend(properties.filter_map(|(_, property)| property["description"].as_str()));
    }
    res
}

/// Returns true for a text that says of a name that it is a directory: `位于cups目录中`, `the cups folder`.
fn is_place(text: &str, name: &str) -> bool {
    const KINDS: [&str; 7] = [
        "目录",
        "文件夹",
        "子文件夹",
        "根目录",
        "directory",
        "folder",
        "/",
    ];
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    text.match_indices(name).any(|(at, _)| {
        let after = &text[at + name.len()..];
        let after = after.trim_start_matches(['`', '\'', '"', ' ']);
        let after = after.strip_prefix("的").unwrap_or(after);
        let starts = !text[..at].ends_with(is_part);
        starts && KINDS.iter().any(|kind| after.starts_with(kind))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_name_a_directory() {
        let check = |text: &str, expected| assert_eq!(is_place(text, "cups"), expected, "{text}");
        check("位于cups目录中。", true);
        check("存入 `cups` 的子文件夹", true);
        check("in the cups folder", true);
        check("saved as cups/{name}.md", true);
        check("my-cups folder", false);
        check("two cups of tea", false);
    }
}
