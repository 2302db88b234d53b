//! Plugins whose manifest is an entry of a marketplace (`strict: false`, or no `plugin.json`).

use plugin_model::{Kind, Node, parse_json};

use skill_diagnostics::Diagnostic;

use crate::{
    codes::{MARKETPLACE_UNREADABLE, PLUGIN_ELSEWHERE},
    directory::{Claim, Directory},
    files::inside,
};

/// The file of a marketplace, relative to its root.
pub(super) const FILE: &str = ".claude-plugin/marketplace.json";
/// The number of directories between a plugin and its marketplace that are searched.
const LEVELS: usize = 4;

/// Claims a directory that a marketplace in it or above it lists. The entry is the manifest.
pub(super) fn claim(directory: &dyn Directory, has_parts: &dyn Fn() -> bool) -> Option<Claim> {
    if directory.has(FILE) && has_parts() {
        let claim = claimed(entries(&directory.read(FILE)?, ""))?;
        return Some(Claim {
            searches_inside: true,
            ..claim
        });
    }
    (1..=LEVELS).find_map(|levels| {
        let (market, path) = directory.above(levels)?;
        claimed(entries(&market.read(FILE)?, &path))
    })
}

/// Returns the claim on the directory of these plugins: each is a package.
fn claimed(entries: Vec<Vec<u8>>) -> Option<Claim> {
    let mut entries = entries.into_iter();
    Some(Claim {
        manifest: Some(entries.next()?),
        others: entries.collect(),
        ..Claim::file(FILE)
    })
}

/// Returns findings about the plugins of a marketplace in this directory that are not in the input.
pub(super) fn elsewhere(directory: &dyn Directory) -> Vec<Diagnostic> {
    let unreadable =
        |message: &str| {
            let finding = Diagnostic::warning(MARKETPLACE_UNREADABLE, message).in_file(FILE);
            vec![finding.with_help(
                "the plugins that it lists without a manifest of their own are not found",
            )]
        };
    let Some(bytes) = directory.read(FILE) else {
        return if directory.has(FILE) {
            unreadable("the marketplace cannot be read, expected a file of at most 16 MiB")
        } else {
            Vec::new()
        };
    };
    let text = String::from_utf8_lossy(&bytes);
    let (root, _) = parse_json(text.trim_start_matches('\u{feff}'));
    let Some(root) = root else {
        return unreadable("the marketplace is not JSON");
    };
    let plugins = root.get("plugins").map(|plugins| &plugins.kind);
    if !matches!(plugins, Some(Kind::Array(_))) {
        return unreadable("the marketplace has no list `plugins`");
    }
    let base = base(&root);
    let entries = root.get("plugins").map(Node::items).unwrap_or_default();
    let mut acc = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let name = entry.get("name").and_then(Node::as_str).unwrap_or("?");
        let source = entry.get("source").and_then(Node::as_str).and_then(inside);
        let is_here = |path: &String| {
            let below = format!("{base}/{path}");
            path.is_empty() || directory.has(path) || directory.has(below.trim_start_matches('/'))
        };
        if !source.as_ref().is_some_and(is_here) {
            let message = format!(
                "the plugin `{}` of the marketplace is not in the input",
                name.escape_debug()
            );
            let finding = Diagnostic::warning(PLUGIN_ELSEWHERE, message);
            let finding = finding.in_file(FILE).at_pointer(format!("/plugins/{at}"));
            acc.push(finding.with_help("download it, and migrate its directory"));
        }
    }
    acc
}

/// Returns the directory that the sources of a marketplace are relative to.
fn base(root: &Node) -> String {
    let base = root
        .get("metadata")
        .and_then(|metadata| metadata.get("pluginRoot"));
    base.and_then(Node::as_str)
        .and_then(inside)
        .unwrap_or_default()
}

/// Returns the entries of the plugins at this path of the marketplace, each as JSON.
fn entries(marketplace: &[u8], path: &str) -> Vec<Vec<u8>> {
    let last = path.rsplit('/').next().unwrap_or(path);
    let text = std::str::from_utf8(marketplace).unwrap_or_default();
    if !text.contains(last) {
        return Vec::new();
    }
    let Some(root) = parse_json(text.trim_start_matches('\u{feff}')).0 else {
        return Vec::new();
    };
    let base = base(&root);
    let entries = root.get("plugins").map(Node::items).unwrap_or_default();
    let here = entries.iter().filter(|entry| is_at(entry, &base, path));
    here.map(|entry| entry.to_value().to_string().into_bytes())
        .collect()
}

fn is_at(entry: &Node, base: &str, path: &str) -> bool {
    let source = entry.get("source").and_then(Node::as_str).and_then(inside);
    let from_base = |source: &String| match (base, source.as_str()) {
        ("", source) => source == path,
        (base, "") => base == path,
        (base, source) => source == path || format!("{base}/{source}") == path,
    };
    source.as_ref().is_some_and(from_base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marketplace: &str, path: &str, expected: &[&str]) {
        let found = entries(marketplace.as_bytes(), path);
        let shown = found.iter().map(|entry| String::from_utf8_lossy(entry));
        assert_eq!(shown.collect::<Vec<_>>(), expected, "{path}");
    }

    #[test]
    fn finds_entries_by_their_source() {
        let text = r#"{"name":"m","plugins":[{"name":"a","source":"./plugins/a"},
            {"name":"b","source":{"source":"github","repo":"x/y"}},{"name":"c","source":"../c"}]}"#;
        check(
            text,
            "plugins/a",
            &[r#"{"name":"a","source":"./plugins/a"}"#],
        );
        check(text, "plugins/b", &[]);
        check(text, "c", &[]);
        check(
            r#"{"metadata":{"pluginRoot":"./p"},"plugins":[{"name":"a","source":"./a"}]}"#,
            "p/a",
            &[r#"{"name":"a","source":"./a"}"#],
        );
        check("[", "a", &[]);
    }

    #[test]
    fn plugins_of_one_directory_stay_apart() {
        check(
            r#"{"name":"m","plugins":[{"name":"a","source":"./","skills":["./x"]},{"name":"b","source":".","skills":["./y"]}]}"#,
            "",
            &[
                r#"{"name":"a","source":"./","skills":["./x"]}"#,
                r#"{"name":"b","source":".","skills":["./y"]}"#,
            ],
        );
    }
}
