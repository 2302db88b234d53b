//! `strictyaml.load` without a schema: YAML less flow style, tags, anchors and duplicate keys.

use skill_diagnostics::LineIndex;
use skill_model::yaml::{self, Content, Node, Style};

use super::Flaw;

/// Reads what stands between the first two `---`.
pub(super) fn load(text: &str) -> Result<Node, Flaw> {
    if let Some(at) = text.find(is_unprintable) {
        return Err(flaw(text, at, "a character that YAML 1.1 does not allow"));
    }
    // ruamel ends lines at these too, as YAML 1.1 did.
    let text = text.replace(['\u{85}', '\u{2028}', '\u{2029}'], "\n");
    let root =
        yaml::parse_document(&text).map_err(|error| flaw(&text, error.offset, &error.message))?;
    let Some(root) = root.filter(|root| root.entries().is_some()) else {
        return Err(Flaw::at("the frontmatter must be a map", 1));
    };
    check(&text, &root)?;
    Ok(root)
}

fn check(text: &str, node: &Node) -> Result<(), Flaw> {
    if let Some(what) = disallowed(node) {
        return Err(flaw(text, node.range.start, what));
    }
    match &node.content {
        Content::Scalar { .. } => Ok(()),
        Content::Sequence { items, .. } => items.iter().try_for_each(|item| check(text, item)),
        Content::Mapping { entries, .. } => {
            let nodes = entries.iter().flat_map(|(key, value)| [key, value]);
            nodes.clone().try_for_each(|node| check(text, node))?;
            check_keys(text, entries)?;
            check_indentation(text, entries)
        }
    }
}

fn disallowed(node: &Node) -> Option<&'static str> {
    match &node.content {
        _ if node.anchored => Some("StrictYAML has no anchors"),
        _ if node.tag.is_some() => Some("StrictYAML has no tags"),
        Content::Sequence { flow: true, .. } | Content::Mapping { flow: true, .. } => {
            Some("StrictYAML has no lists in brackets and no maps in braces")
        }
        _ => None,
    }
}

fn check_keys(text: &str, entries: &[(Node, Node)]) -> Result<(), Flaw> {
    let is_merge = |key: &Node| matches!(&key.content, Content::Scalar { text, style: Style::Plain } if text == "<<");
    for (n, (key, _)) in entries.iter().enumerate() {
        let same = |other: &Node| other.text() == key.text();
        let is_duplicate = entries[..n].iter().any(|(other, _)| same(other));
        if key.text().is_none() || is_merge(key) || is_duplicate {
            return Err(flaw(text, key.range.start, "a key that StrictYAML refuses"));
        }
    }
    Ok(())
}

/// Maps inside one map must start in the same column.
fn check_indentation(text: &str, entries: &[(Node, Node)]) -> Result<(), Flaw> {
    let maps = entries
        .iter()
        .map(|(_, value)| value)
        .filter(|value| value.entries().is_some());
    let lines = LineIndex::new(text);
    let mut columns = maps.map(|map| (map, lines.position(map.range.start).column));
    let Some((_, first)) = columns.next() else {
        return Ok(());
    };
    match columns.find(|(_, column)| *column != first) {
        Some((map, _)) => Err(flaw(
            text,
            map.range.start,
            "StrictYAML wants equal indentation",
        )),
        None => Ok(()),
    }
}

/// What ruamel's reader refuses.
fn is_unprintable(c: char) -> bool {
    !matches!(u32::from(c), 0x09 | 0x0A | 0x0D | 0x20..=0x7E | 0x85 | 0xA0..=0xFFFD | 0x10000..)
}

/// The text starts on the first line of the file, after its three hyphens.
fn flaw(text: &str, offset: usize, message: &str) -> Flaw {
    let line = LineIndex::new(text).position(offset).line;
    Flaw::at(format!("invalid YAML: {message}"), line)
}
