//! The rule of a project for Cursor in one file: `.cursorrules`, which the host always applies.
//!
//! Source: <https://cursor.com/docs/context/rules>, as of August 2026: the file is the older form of
//! `.cursor/rules`.

use std::sync::Arc;

use plugin_manifest::decode;
use plugin_model::{Document, Format, Package, Sources, Text, Unit, UnitKey, UnitKind};

use crate::{
    directory::{Claim, Directory},
    files::is_text_file,
    frontmatter::object,
    openapi::is_license,
    package::{Reading, unnamed},
    reader::{OTHER_TEXT_KEYS, Part, RULE, Reader, UnitHead},
};

const FILE: &str = ".cursorrules";
const NAME: &str = "cursorrules";

/// The reader of the file.
pub(crate) const READER: Reader = Reader {
    name: "cursor-rules",
    title: "the rule of a project for Cursor in one file",
    marks: "`.cursorrules`",
    homes: &[],
    claims,
    heads: |_, _| vec![head()],
    is_enabled: |_| true,
    is_manifest: |path| path == FILE,
    wants_text: is_text_file,
    read,
    remarks: |_| Vec::new(),
    parts: &[Part {
        title: "The rule `.cursorrules`: a skill only with `--rules`",
        keys: &[],
        others: OTHER_TEXT_KEYS,
    }],
};

fn claims(directory: &dyn Directory) -> Option<Claim> {
    if !directory.has(FILE) {
        return None;
    }
    let start = directory.start(FILE)?;
    let licenses = directory
        .names()
        .into_iter()
        .filter(|name| is_license(name));
    let claim = Claim {
        searches_inside: true,
        files: Some(licenses.collect()),
        ..Claim::file(FILE)
    };
    (!start.trim_ascii().is_empty()).then_some(claim)
}

fn head() -> UnitHead {
    UnitHead {
        unit: UnitKey::new(RULE, NAME),
        file: FILE.to_owned(),
        name: NAME.to_owned(),
        alternatives: Vec::new(),
        call: NAME.to_owned(),
        aliases: Vec::new(),
        type_word: RULE.to_owned(),
        likeness: String::new(),
        list: String::new(),
    }
}

fn read(sources: Sources<'_>) -> Reading<'_> {
    let (text, findings) = decode(sources.manifest);
    let Some(text) = text else {
        return (None, findings);
    };
    let file: Arc<str> = FILE.into();
    let rule = Text {
        call: NAME.to_owned(),
        body: text.to_owned(),
        directory: None,
    };
    let package = Package {
        units: vec![Unit {
            key: UnitKey::new(RULE, NAME),
            file: Arc::clone(&file),
            kind: UnitKind::Instructions(Box::new(rule)),
        }],
        documents: vec![Document {
            file,
            text,
            root: object(Vec::new(), 0..0),
            keys: &[],
        }],
        ..unnamed(Format::Cursor, sources)
    };
    (Some(package), findings)
}
