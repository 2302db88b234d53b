//! One repair for each kind of finding that has one.

use skill_diagnostics::{Diagnostic, nearest};
use skill_model::yaml::{Content, Node, quoted};
use skill_model::{Frontmatter, SkillName, repair_frontmatter};

use super::header::{Header, end_of};

/// The text of `SKILL.md` without the flaw, if it can be mended.
pub(super) fn repair(text: &str, directory: &str, finding: &Diagnostic) -> Option<String> {
    let at = finding.place.span.as_ref()?.start;
    match finding.code.0 {
        "byte-order-mark" => text.strip_prefix('\u{feff}').map(str::to_owned),
        "invalid-yaml" | "yaml-repaired" => repair_frontmatter(text),
        "padded-delimiter" => unpadded(text, at),
        "field-type" => list_to_string(&Header::read(text)?, at),
        "allowed-tools-commas" => without_commas(&Header::read(text)?),
        "implicit-type" => quoted_value(&Header::read(text)?, at),
        "unknown-field" => moved(&Header::read(text)?, at),
        "name-missing" | "name-invalid" | "name-directory-mismatch" => {
            named(&Header::read(text)?, directory)
        }
        _ => None,
    }
}

fn unpadded(text: &str, at: usize) -> Option<String> {
    let line = text[at..].lines().next()?;
    let kept = line.trim_end();
    Some([&text[..at + kept.len()], &text[at + line.len()..]].concat())
}

fn list_to_string(header: &Header<'_>, at: usize) -> Option<String> {
    let (key, value) = header.entry_at(at)?;
    let separator = if key.text() == Some("allowed-tools") {
        " "
    } else {
        ", "
    };
    let joined = joined(value, separator)?;
    Some(header.with(
        key.range.end..end_of(value),
        &format!(": {}", quoted(&joined)),
    ))
}

/// The entries of a list of scalars.
fn joined(value: &Node, separator: &str) -> Option<String> {
    let Content::Sequence { items, .. } = &value.content else {
        return None;
    };
    let words: Option<Vec<&str>> = items.iter().map(Node::text).collect();
    words
        .filter(|words| !words.is_empty())
        .map(|words| words.join(separator))
}

fn without_commas(header: &Header<'_>) -> Option<String> {
    let (_, value) = header.key("allowed-tools")?;
    let words: Vec<&str> = value
        .text()?
        .split_whitespace()
        .map(|word| word.trim_end_matches(','))
        .collect();
    Some(header.with(value.range.clone(), &quoted(&words.join(" "))))
}

fn quoted_value(header: &Header<'_>, at: usize) -> Option<String> {
    let value = header.value_at(at)?;
    let text = value
        .text()
        .filter(|text| !text.is_empty() && !value.range.is_empty())?;
    Some(header.with(value.range.clone(), &quoted(text)))
}

/// A misspelt key gets its name, another one goes to `metadata`.
fn moved(header: &Header<'_>, at: usize) -> Option<String> {
    let (key, value) = header.entry_at(at)?;
    let name = key.text()?;
    let near = nearest(name, Frontmatter::KEYS).filter(|near| header.key(near).is_none());
    if let Some(near) = near {
        return Some(header.with(key.range.clone(), near));
    }
    if value.anchored
        || header
            .key("metadata")
            .is_some_and(|(_, map)| map.get(name).is_some())
    {
        return None;
    }
    let is_null = value.to_value().is_null();
    let text = value
        .text()
        .filter(|_| !is_null)
        .map(str::to_owned)
        .or_else(|| joined(value, ", "))?;
    let without = header.with(header.lines_of(key, value), "");
    Header::read(&without)?.with_metadata(name, &text)
}

/// The name is the directory's, when that is a name.
fn named(header: &Header<'_>, directory: &str) -> Option<String> {
    let name = SkillName::new(directory).ok()?;
    match header.key("name") {
        Some((key, value)) => Some(header.with(
            key.range.end..end_of(value).max(key.range.end + 1),
            &format!(": {name}"),
        )),
        None => {
            let at = header.skill.split.frontmatter.start;
            Some(header.with(at..at, &format!("name: {name}{}", header.line_end())))
        }
    }
}
