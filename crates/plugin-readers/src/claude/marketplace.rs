//! Plugins whose manifest is an entry of a marketplace (`strict: false`, or no `plugin.json`).

use plugin_model::{Kind, Node, parse_json};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::{MARKETPLACE_UNREADABLE, PLUGIN_ELSEWHERE},
    directory::{Claim, Directory},
    files::inside,
    marketplace::{Marketplace, base},
};

/// The file of a marketplace, relative to its root.
pub(super) const FILE: &str = Marketplace::FILE;
/// The number of directories between a plugin and its marketplace that are searched.
const LEVELS: usize = 4;

/// Claims a directory that a marketplace in it or above it lists. The entry is the manifest.
pub(super) fn claim(directory: &dyn Directory, has_parts: &dyn Fn() -> bool) -> Option<Claim> {
    if directory.has(FILE) && has_parts() {
        let claim = claimed(directory.marketplace()?.at(""))?;
        return Some(Claim {
            searches_inside: true,
            ..claim
        });
    }
    (1..=LEVELS).find_map(|levels| {
        let (market, path) = directory.above(levels)?;
        claimed(market.marketplace()?.at(&path))
    })
}

/// Returns the claim on the directory of these plugins: each is a package.
fn claimed(entries: &[Vec<u8>]) -> Option<Claim> {
    let mut entries = entries.iter().cloned();
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
