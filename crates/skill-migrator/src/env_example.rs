//! `assets/config.env.example`: the names of the settings, without values.

use std::collections::{BTreeMap, BTreeSet};

use skill_model::{Config, EnvLine, Metadata, env_lines, read_env_file};

use crate::{
    carry,
    config::is_secret_key,
    env_comments::{self, Comment},
    needed,
    plugin::Plugin,
    secrets::secret_findings,
};

/// Returns the file's text; `None` if there are no settings.
pub(crate) fn render(
    plugin: &Plugin<'_>,
    metadata: &Metadata,
    keep_comment: impl Fn(&str) -> bool,
) -> Option<String> {
    let mut written = BTreeSet::new();
    let mut lines = Vec::new();
    for (path, text) in plugin.texts {
        if is_example(path) {
            let values = read_env_file(text).into_iter();
            let values: BTreeMap<String, String> = values
                .filter(|(key, value)| is_for_everybody(key, value))
                .collect();
            push_example(text, &values, &keep_comment, &mut written, &mut lines);
        }
    }
    push_declared(plugin, &metadata.config, &mut written, &mut lines);
    if written.is_empty() {
        return None;
    }
    let head = format!(
        "# Settings of {}. Copy this file out of the skill, fill in values, and give them to it with\n# `skills-run configure . --from FILE`: secrets do not belong into a skill.\n\n",
        metadata.name
    );
    let mut text = head + &lines.join("\n");
    text.truncate(text.trim_end().len());
    text.push('\n');
    Some(text)
}

/// Returns whether a file is an example of settings, whose keys go into `assets/`.
pub(crate) fn is_example(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    !path.contains('/') && carry::is_env_file(&lower) && lower.contains("example")
}

/// Returns the comments on each setting in the host's example, and in the plugin's, which count more.
pub(crate) fn explained(plugin: &Plugin<'_>, config: &Config) -> BTreeMap<String, Comment> {
    let families = config.undeclared.iter().map(String::as_str);
    let families: Vec<&str> = families.filter(|key| key.contains('*')).collect();
    let mut res = BTreeMap::new();
    for text in examples(plugin) {
        for (key, comment) in env_comments::read(text, &families) {
            if !comment.text.is_empty() || !res.contains_key(&key) {
                res.insert(key, comment);
            }
        }
    }
    res
}

/// Returns the settings in the order of the plugin's example.
pub(crate) fn order(plugin: &Plugin<'_>) -> Vec<String> {
    let own = plugin.texts.iter().filter(|(path, _)| is_example(path));
    let lines = own.flat_map(|(_, text)| env_lines(text));
    let keys = lines.filter_map(|line| match line {
        EnvLine::Key(key) | EnvLine::Optional(key) => Some(key),
        EnvLine::Comment(_) | EnvLine::Blank => None,
    });
    keys.collect()
}

/// Returns a value for each setting that has one for everybody in the host's example or in the
/// plugin's: an address, a number, a word. Secrets have none.
pub(crate) fn samples(plugin: &Plugin<'_>) -> BTreeMap<String, String> {
    let pairs = examples(plugin).flat_map(read_env_file);
    let pairs = pairs.filter_map(|(key, value)| Some((sample(&key, &value)?, key)));
    pairs.map(|(value, key)| (key, value)).collect()
}

/// Returns the texts of the host's example and of the plugin's, which count more.
fn examples<'a>(plugin: &Plugin<'a>) -> impl Iterator<Item = &'a str> {
    let own = plugin.texts.iter().filter(|(path, _)| is_example(path));
    let host = std::iter::once(plugin.host_root.settings());
    host.chain(own.map(|(_, text)| text.as_str()))
}

/// Returns true for a value in the place of one that only the user has: `your-bucket-1234`.
pub(crate) fn is_placeholder(value: &str) -> bool {
    const EMPTY: [&str; 9] = [
        "your",
        "xxx",
        "here",
        "change",
        "填",
        "replace",
        "todo",
        "path/to",
        "example.com",
    ];
    let lower = value.to_lowercase();
    EMPTY.iter().any(|word| lower.contains(word)) || is_numbered_sample(&lower)
}

/// Returns true for a name with a number that somebody typed: `test-1111`, `bucket-1234`. A number in an
/// address is its port.
fn is_numbered_sample(value: &str) -> bool {
    let (name, number) = value.rsplit_once('-').unwrap_or_default();
    let is_typed = number.starts_with("1111") || number.starts_with("1234");
    let is_number = number.bytes().all(|b| b.is_ascii_digit());
    !name.is_empty() && is_typed && is_number && !value.contains(['/', ':'])
}

fn sample(key: &str, value: &str) -> Option<String> {
    const MAX: usize = 40;
    // `YOUR_CITY_SUCH_AS_Oslo` names one; another name is that of whoever wrote the file.
    let named = value.split_once("SUCH_AS_").map(|(_, it)| it);
    let is_name = named.is_none() && value.chars().all(|c| c.is_ascii_alphabetic());
    let value = named.unwrap_or(value);
    let is_word = |c: char| c.is_ascii_alphanumeric() || "_-./:".contains(c);
    let says = (1..=MAX).contains(&value.len())
        && value.chars().all(is_word)
        && !is_name
        && !is_secret_key(key)
        && !is_placeholder(value)
        && secret_findings("", value).is_empty();
    says.then(|| value.to_owned())
}

/// Returns true for a place in the directories of the old host.
pub(crate) fn is_of_host(value: &str) -> bool {
    ["Plugin/", "./Plugin/", "../"]
        .iter()
        .any(|start| value.starts_with(start))
        || value == ".."
}

/// Returns true for a value that is not a secret, a placeholder, or a place of its author's machine or of the
/// old host.
fn is_for_everybody(key: &str, value: &str) -> bool {
    const MAX: usize = 200;
    let is_plain = |c: char| !c.is_control() && !matches!(c, '"' | '\'' | '`' | '#');
    (1..=MAX).contains(&value.len())
        && value.chars().all(is_plain)
        && !is_of_host(value)
        && !is_secret_key(key)
        && !is_placeholder(value)
        && needed::elsewhere(value).is_none()
        && secret_findings("", &format!("{key}={value}")).is_empty()
}

fn push_example(
    text: &str,
    values: &BTreeMap<String, String>,
    keep_comment: &impl Fn(&str) -> bool,
    written: &mut BTreeSet<String>,
    lines: &mut Vec<String>,
) {
    for line in env_lines(text) {
        match line {
            EnvLine::Blank if lines.last().is_none_or(String::is_empty) => {}
            EnvLine::Blank => lines.push(String::new()),
            EnvLine::Comment(comment) if keep_comment(&comment) => {
                lines.push(format!("# {comment}").trim_end().to_owned());
            }
            EnvLine::Comment(_) => {}
            EnvLine::Optional(key) => lines.push(format!("# {key}=")),
            EnvLine::Key(key) => {
                let value = values.get(&key).map_or("", String::as_str);
                lines.push(format!("{key}={value}"));
                written.insert(key);
            }
        }
    }
}

/// Adds the keys that no example file has: declared ones with their description, then the others of
/// env files.
fn push_declared(
    plugin: &Plugin<'_>,
    config: &Config,
    written: &mut BTreeSet<String>,
    lines: &mut Vec<String>,
) {
    let declared = plugin
        .package
        .config
        .keys
        .iter()
        .map(|key| (key.key.as_str(), key.description.as_ref()));
    let others = config.undeclared.iter().map(|key| (key.as_str(), None));
    for (key, description) in declared.chain(others) {
        let is_key = !key.is_empty() && !key.contains(|c: char| c.is_whitespace() || c == '=');
        if !is_key || !written.insert(key.to_owned()) {
            continue;
        }
        for line in description.map_or("", |field| field.value.as_str()).lines() {
            lines.push(format!("# {}", line.trim()).trim_end().to_owned());
        }
        // The user chooses the rest of the name.
        let sign = if key.contains('*') { "# " } else { "" };
        lines.push(format!("{sign}{key}="));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_only_the_user_has() {
        let check = |value: &str, expected| assert_eq!(is_placeholder(value), expected, "{value}");
        for value in [
            "your-bucket",
            "test-111111652",
            "tea-1234",
            "https://example.com/tea",
        ] {
            check(value, true);
        }
        for value in [
            "http://127.0.0.1:1234",
            "tea-latest-v1",
            "11434",
            "v-1",
            "ap-hongkong",
        ] {
            check(value, false);
        }
    }

    #[test]
    fn values_for_everybody_are_samples() {
        let check = |key: &str, value: &str, expected: Option<&str>| {
            assert_eq!(sample(key, value).as_deref(), expected, "{key}={value}");
        };
        check(
            "PotUrl",
            "http://localhost:8188",
            Some("http://localhost:8188"),
        );
        check("City", "YOUR_CITY_SUCH_AS_Oslo", Some("Oslo"));
        check("City", "YOUR_CITY", None);
        check("City", "your-city-here", None);
        check("PotKey", "abc", None);
        check("PotUser", "admin", None);
        check("Note", "two words", None);
        check("Note", "", None);
    }

    #[test]
    fn values_that_an_example_file_keeps() {
        let check = |key: &str, value: &str, expected| {
            assert_eq!(is_for_everybody(key, value), expected, "{key}={value}");
        };
        check("TEA_MODE", "green, black", true);
        check("TEA_FILE", "./leaves.json", true);
        check("TEA_FILE", "Plugin/Tea/data/leaves.json", false);
        check("TEA_FILE", "../../image/tea/", false);
        check("TEA_ROOT", "/home/oolong/tea", false);
        check("TEA_TOKEN", "green", false);
        check("TEA_URL", "https://oolong:s3cr3tLeaf@tea.example", false);
    }
}
