//! `strictyaml.load` without a schema: YAML without flow style, tags, anchors and duplicate keys.

use std::collections::BTreeSet;
use std::ops::Range;

use skill_diagnostics::LineIndex;
use skill_model::yaml::{self, Content, Node, Style};

use super::flaw::Flaw;

/// Reads the text between the first two `---`.
pub(super) fn load(text: &str) -> Result<Node, Flaw> {
    if let Some(at) = text.find(is_unprintable) {
        return Err(flaw(text, at, "a character that YAML 1.1 does not allow"));
    }
    if text.lines().filter(|line| line.trim_end() == "...").count() > 1 {
        return Err(Flaw::new("invalid YAML: a second document"));
    }
    // Python strings hold lone surrogates.
    let text = without_surrogates(text);
    let root =
        yaml::parse_document(&text).map_err(|error| flaw(&text, error.offset, &error.message))?;
    let Some(mut root) = root.filter(|root| root.entries().is_some()) else {
        return Err(Flaw::at("the frontmatter must be a map", 1));
    };
    check_tabs(&text, &root)?;
    check(&text, &LineIndex::new(&text), &root)?;
    as_ruamel_reads(&mut root);
    Ok(root)
}

/// Replaces the escapes `\\uD800` to `\\uDFFF` by another character.
fn without_surrogates(text: &str) -> String {
    let mut res = text.to_owned();
    for (at, _) in text.match_indices("\\u") {
        let digits = text
            .get(at + 2..at + 6)
            .and_then(|digits| u32::from_str_radix(digits, 16).ok());
        if digits.is_some_and(|code| (0xD800..=0xDFFF).contains(&code)) {
            res.replace_range(at + 2..at + 6, "FFFD");
        }
    }
    res
}

/// Rejects tabs: between tokens ruamel skips only spaces.
fn check_tabs(text: &str, root: &Node) -> Result<(), Flaw> {
    let mut texts = Vec::new();
    visit_texts(root, &mut texts);
    texts.sort_by_key(|range| range.start);
    let is_text = |at: usize| {
        let n_before = texts.partition_point(|range| range.start <= at);
        n_before > 0 && texts[n_before - 1].contains(&at)
    };
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let content = &line[..comment(line)];
        let mut tabs = content.match_indices('\t').map(|(at, _)| start + at);
        if let Some(at) = tabs.find(|at| !is_text(*at)) {
            return Err(flaw(text, at, "a tab between tokens"));
        }
        start += line.len();
    }
    Ok(())
}

/// Returns the start of a line's comment; its end if there is none.
fn comment(line: &str) -> usize {
    let blanks = line.len() - line.trim_start().len();
    if line[blanks..].starts_with('#') {
        return blanks;
    }
    line.find(" #").unwrap_or(line.len())
}

/// Collects the ranges of quoted and block scalars.
fn visit_texts(node: &Node, texts: &mut Vec<Range<usize>>) {
    match &node.content {
        Content::Scalar {
            style: Style::Plain,
            ..
        } => {}
        Content::Scalar { .. } => texts.push(node.range.clone()),
        Content::Sequence { items, .. } => items.iter().for_each(|item| visit_texts(item, texts)),
        Content::Mapping { entries, .. } => entries.iter().for_each(|(key, value)| {
            visit_texts(key, texts);
            visit_texts(value, texts);
        }),
    }
}

/// Merges merge keys, and treats `=` as the "default value" type, which is not a string.
fn as_ruamel_reads(root: &mut Node) {
    let Content::Mapping { entries, .. } = &mut root.content else {
        return;
    };
    let merged: Vec<(Node, Node)> = entries
        .iter()
        .filter(|(key, _)| is_merge(key))
        .flat_map(|(_, value)| value.entries().unwrap_or_default().to_vec())
        .collect();
    entries.retain(|(key, _)| !is_merge(key));
    let text = |key: &Node| key.text().map(str::to_owned);
    let mut own: BTreeSet<Option<String>> = entries.iter().map(|(key, _)| text(key)).collect();
    for (key, value) in merged {
        if own.insert(text(&key)) {
            entries.push((key, value));
        }
    }
    for (_, value) in entries.iter_mut() {
        if matches!(&value.content, Content::Scalar { text, style: Style::Plain } if text == "=") {
            let items = Vec::new();
            value.content = Content::Sequence { items, flow: false };
        }
    }
}

fn is_merge(key: &Node) -> bool {
    matches!(&key.content, Content::Scalar { text, style: Style::Plain } if text == "<<")
}

fn check(text: &str, lines: &LineIndex<'_>, node: &Node) -> Result<(), Flaw> {
    if let Some(what) = disallowed(node) {
        return Err(flaw(text, node.range.start, what));
    }
    match &node.content {
        Content::Scalar { .. } => Ok(()),
        Content::Sequence { items, .. } => {
            items.iter().try_for_each(|item| check(text, lines, item))
        }
        Content::Mapping { entries, .. } => {
            let nodes = entries.iter().flat_map(|(key, value)| [key, value]);
            nodes
                .clone()
                .try_for_each(|node| check(text, lines, node))?;
            check_keys(text, entries)?;
            check_indentation(text, lines, entries)
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
    let mut seen = BTreeSet::new();
    for (key, value) in entries {
        let is_duplicate = !seen.insert(key.text());
        let is_bad_merge = is_merge(key) && value.entries().is_none();
        if key.text().is_none() || is_bad_merge || is_duplicate {
            return Err(flaw(text, key.range.start, "a key that StrictYAML refuses"));
        }
    }
    Ok(())
}

/// Checks that the entries of one map start in the same column.
fn check_indentation(
    text: &str,
    lines: &LineIndex<'_>,
    entries: &[(Node, Node)],
) -> Result<(), Flaw> {
    let maps = entries
        .iter()
        .map(|(_, value)| value)
        .filter(|value| value.entries().is_some());
    let mut columns = maps.map(|map| (map, lines.position(map.range.start).column));
    let Some((_, first)) = columns.next() else {
        return Ok(());
    };
    match columns.find(|(_, column)| *column != first) {
        Some((map, _)) => Err(flaw(
            text,
            map.range.start,
            "StrictYAML requires equal indentation",
        )),
        None => Ok(()),
    }
}

/// Returns whether ruamel's reader rejects a character.
fn is_unprintable(c: char) -> bool {
    !matches!(u32::from(c), 0x09 | 0x0A | 0x0D | 0x20..=0x7E | 0x85 | 0xA0..=0xFFFD | 0x10000..)
}

/// Creates an error. The text starts on the first line of the file, after its three hyphens.
fn flaw(text: &str, offset: usize, message: &str) -> Flaw {
    let line = LineIndex::new(text).position(offset).line;
    Flaw::at(format!("invalid YAML: {message}"), line)
}
