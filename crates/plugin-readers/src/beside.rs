//! Lists and settings beside a package of a host that does not read them: `.mcp.json` beside an extension of
//! Gemini CLI.

use std::collections::BTreeSet;
use std::sync::Arc;

use plugin_model::UnitKey;

use crate::{
    cursor_rules,
    directory::{Claim, Directory},
    marketplace::Marketplace,
    mcp, opencode_config,
    reader::Reader,
};

/// The readers of files that a project has for several hosts at once.
const BESIDE: [&Reader; 3] = [
    &mcp::SERVERS,
    &opencode_config::READER,
    &cursor_rules::READER,
];

/// Returns the claims on files beside a package that has all of its directory. What the package reads
/// itself, by its file or by its name, is left to it. The files of a program belong to the program.
pub(crate) fn claims(
    directory: &dyn Directory,
    (reader, claim): (&'static Reader, &Claim),
) -> Vec<(&'static Reader, Claim)> {
    let mut res = Vec::new();
    if reader.homes.is_empty() {
        return res;
    }
    let units = |reader: &Reader, claim: &Claim| {
        let heads = (reader.heads)(directory, claim).into_iter();
        heads.map(|head| head.unit).collect::<Vec<UnitKey>>()
    };
    let mut known: BTreeSet<UnitKey> = BTreeSet::new();
    for reader_beside in BESIDE {
        let mut hidden = BTreeSet::new();
        loop {
            let view = Without {
                directory,
                hidden: &hidden,
            };
            let Some(found) = (reader_beside.claims)(&view) else {
                break;
            };
            if known.is_empty() {
                known.extend(units(reader, claim));
            }
            hidden.insert(found.manifest_file.clone());
            let own = units(reader_beside, &found);
            if own.iter().any(|unit| !known.contains(unit)) {
                known.extend(own);
                res.push((reader_beside, found));
            }
        }
    }
    res
}

/// A directory without some of its files.
struct Without<'a> {
    directory: &'a dyn Directory,
    hidden: &'a BTreeSet<String>,
}

impl Directory for Without<'_> {
    fn name(&self) -> &str {
        self.directory.name()
    }

    fn has(&self, path: &str) -> bool {
        !self.hidden.contains(path) && self.directory.has(path)
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let is_hidden = self.hidden.contains(path);
        (!is_hidden).then(|| self.directory.read(path))?
    }

    fn files(&self, below: &str) -> Vec<String> {
        self.directory.files(below)
    }

    fn marketplace(&self) -> Option<Arc<Marketplace>> {
        self.directory.marketplace()
    }

    fn names(&self) -> Vec<String> {
        self.directory.names()
    }

    fn start(&self, path: &str) -> Option<Vec<u8>> {
        let is_hidden = self.hidden.contains(path);
        (!is_hidden).then(|| self.directory.start(path))?
    }

    fn only(&self) -> Option<&str> {
        self.directory.only()
    }

    fn above(&self, levels: usize) -> Option<(Box<dyn Directory + '_>, String)> {
        self.directory.above(levels)
    }

    fn is_last_resort(&self) -> bool {
        self.directory.is_last_resort()
    }
}
