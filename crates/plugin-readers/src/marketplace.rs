//! A marketplace of Claude Code: the entries of its plugins by the directories that they are in.

use std::collections::BTreeMap;

use plugin_model::{Node, parse_json};

use crate::files::inside;

/// The entries of a marketplace, read once for the many directories that may be its plugins.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Marketplace {
    entries: BTreeMap<String, Vec<Vec<u8>>>,
}

impl Marketplace {
    /// The file, relative to the root of the marketplace.
    pub const FILE: &str = ".claude-plugin/marketplace.json";

    /// Reads the file. What is not a list of plugins has no entries.
    pub fn read(file: &[u8]) -> Self {
        let mut res = Self::default();
        let text = std::str::from_utf8(file).unwrap_or_default();
        let Some(root) = parse_json(text.trim_start_matches('\u{feff}')).0 else {
            return res;
        };
        let base = base(&root);
        for entry in root.get("plugins").map(Node::items).unwrap_or_default() {
            let source = entry.get("source").and_then(Node::as_str).and_then(inside);
            let Some(source) = source else { continue };
            let json = entry.to_value().to_string().into_bytes();
            let from_base = match (base.as_str(), source.as_str()) {
                ("", _) => None,
                (base, "") => Some(base.to_owned()),
                (base, source) => Some(format!("{base}/{source}")),
            };
            let is_base = from_base.is_some() && source.is_empty();
            let places = from_base.into_iter().chain((!is_base).then_some(source));
            for place in places {
                res.entries.entry(place).or_default().push(json.clone());
            }
        }
        res
    }

    /// Returns the entries of the plugins at a path relative to the marketplace, each as JSON.
    pub fn at(&self, path: &str) -> &[Vec<u8>] {
        self.entries.get(path).map_or(&[], Vec::as_slice)
    }
}

/// Returns the directory that the sources of a marketplace are relative to.
pub(crate) fn base(root: &Node) -> String {
    let base = root
        .get("metadata")
        .and_then(|metadata| metadata.get("pluginRoot"));
    base.and_then(Node::as_str)
        .and_then(inside)
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marketplace: &str, path: &str, expected: &[&str]) {
        let found = Marketplace::read(marketplace.as_bytes());
        let shown = found
            .at(path)
            .iter()
            .map(|entry| String::from_utf8_lossy(entry));
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
