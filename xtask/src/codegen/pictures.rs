//! The two pictures of ARCHITECTURE.md: the crates by layer, and the way of a plugin through them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::Value;

use crate::repo::items;

const WIDTH: usize = 960;
const BOX_HEIGHT: usize = 30;
const ROW_HEIGHT: usize = 84;
const MARGIN: usize = 24;
/// The width of a character of the labels, and the space around a label.
const CHARACTER: usize = 8;
const PADDING: usize = 20;

const STYLE: &str = "<style>text{font:13px monospace;fill:#1f2328;text-anchor:middle}\
rect{fill:#f6f8fa;stroke:#57606a}path{fill:none;stroke:#0969da;stroke-opacity:.45}\
.note{font:12px sans-serif;fill:#57606a}</style>";

/// The stations of a plugin: what is there, and the crate that makes the next of it.
const FLOW: [(&str, &str); 7] = [
    ("plugin directory", "skill-loader reads"),
    ("files as values", "plugin-manifest, plugin-prose read"),
    ("manifest and findings", "skill-migrator plans"),
    ("skill as a plan", "skill-pipeline compares, merges"),
    ("skill to write", "skill-loader writes"),
    ("skill directory", "skill-search, skill-disclosure describe"),
    ("skill of an agent", "skill-executor runs in skill-sandbox"),
];

struct Place {
    x: usize,
    y: usize,
    width: usize,
}

/// Returns the crates in their rows, with an arrow to each crate that is used directly and not
/// through another one.
pub(super) fn crates(metadata: &Value) -> String {
    let rows: Vec<Vec<&str>> = items(&metadata["metadata"]["layers"])
        .map(|row| items(row).filter_map(Value::as_str).collect())
        .collect();
    let used = dependencies(metadata);
    let places = places(&rows);
    let mut res = begin(rows.len() * ROW_HEIGHT + MARGIN, "The crates by layer");
    for (from, targets) in &used {
        for to in targets {
            let is_indirect = targets.iter().any(|other| reaches(&used, other, to));
            if let (Some(from), Some(to), false) = (places.get(from), places.get(to), is_indirect) {
                let (x1, y1) = (from.x + from.width / 2, from.y + BOX_HEIGHT);
                let (x2, y2) = (to.x + to.width / 2, to.y);
                let middle = y1.midpoint(y2);
                let _ = writeln!(
                    res,
                    "<path d=\"M{x1} {y1}C{x1} {middle} {x2} {middle} {x2} {y2}\"/>"
                );
            }
        }
    }
    for (name, place) in &places {
        label(&mut res, name, place);
    }
    res + "</svg>\n"
}

/// Returns the stations of a plugin from top to bottom.
pub(super) fn flow() -> String {
    let mut res = begin(FLOW.len() * ROW_HEIGHT, "The way of a plugin");
    for (row, (station, step)) in FLOW.iter().enumerate() {
        let width = 220;
        let place = Place {
            x: (WIDTH - width) / 2,
            y: MARGIN + row * ROW_HEIGHT,
            width,
        };
        label(&mut res, station, &place);
        if row + 1 < FLOW.len() {
            let (x, y) = (WIDTH / 2, place.y + BOX_HEIGHT);
            let end = place.y + ROW_HEIGHT;
            let head = end - 6;
            let _ = writeln!(
                res,
                "<path d=\"M{x} {y}V{end}M{} {head}L{x} {end}L{} {head}\"/>",
                x - 5,
                x + 5
            );
            let _ = writeln!(
                res,
                "<text class=\"note\" x=\"{}\" y=\"{}\">{step}</text>",
                x + 150,
                y + 31
            );
        }
    }
    res + "</svg>\n"
}

fn begin(height: usize, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n\
         <!-- written by `cargo xtask codegen` -->\n<title>{title}</title>\n{STYLE}\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" style=\"fill:#fff;stroke:none\"/>\n"
    )
}

fn label(res: &mut String, text: &str, place: &Place) {
    let Place { x, y, width } = place;
    let _ = writeln!(
        res,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX_HEIGHT}\" rx=\"5\"/>\
         <text x=\"{}\" y=\"{}\">{text}</text>",
        x + width / 2,
        y + 20
    );
}

/// The crates of the last row are at the top, each row in the middle.
fn places(rows: &[Vec<&str>]) -> BTreeMap<String, Place> {
    let mut res = BTreeMap::new();
    for (row, names) in rows.iter().rev().enumerate() {
        let widths = names.iter().map(|name| name.len() * CHARACTER + PADDING);
        let total: usize = widths.clone().sum();
        let gap = WIDTH.saturating_sub(total) / (names.len() + 1);
        let mut x = gap;
        for (name, width) in names.iter().zip(widths) {
            let y = MARGIN + row * ROW_HEIGHT;
            res.insert((*name).to_owned(), Place { x, y, width });
            x += width + gap;
        }
    }
    res
}

/// The workspace crates that each crate uses.
fn dependencies(metadata: &Value) -> BTreeMap<String, BTreeSet<String>> {
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let packages = items(&metadata["packages"]).map(|package| {
        let used = items(&package["dependencies"])
            .filter(|it| it["kind"].is_null() && it["path"].is_string() && it["optional"] != true);
        (name(package), used.map(name).collect())
    });
    packages.collect()
}

fn reaches(used: &BTreeMap<String, BTreeSet<String>>, from: &str, to: &str) -> bool {
    let targets = used.get(from);
    targets.is_some_and(|targets| targets.iter().any(|it| it == to || reaches(used, it, to)))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arrows_go_to_what_is_used_directly() {
        let uses = |name: &str, used: &[&str]| {
            let used: Vec<Value> = used
                .iter()
                .map(|name| json!({"name": name, "kind": null, "path": "/x", "optional": false}))
                .collect();
            json!({"name": name, "dependencies": used})
        };
        let metadata = json!({
            "metadata": {"layers": [["a"], ["b"], ["c"]]},
            "packages": [uses("a", &[]), uses("b", &["a"]), uses("c", &["a", "b"])],
        });
        let picture = crates(&metadata);
        assert_eq!(picture.matches("<path").count(), 2, "{picture}");
        assert_eq!(picture.matches("<text").count(), 3);
        assert_eq!(picture, crates(&metadata));
    }

    #[test]
    fn every_station_is_shown() {
        assert_eq!(flow().matches("rx=").count(), FLOW.len());
    }
}
