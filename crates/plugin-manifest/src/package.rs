//! A plugin directory of this host as a package.

use std::sync::Arc;

use plugin_model::{Document, Package, Sources, Unit, UnitKey, UnitKind};
use skill_diagnostics::Diagnostic;

use crate::{Manifest, decode, file::is_enabled, read::read_file};

/// Reads a plugin directory as a package with one unit, which is a program.
///
/// A manifest that the host would not load gives no package and an error.
pub fn read_package(sources: Sources<'_>) -> (Option<Package<'_>>, Vec<Diagnostic>) {
    let (text, mut findings) = decode(sources.manifest);
    let Some(text) = text else {
        return (None, findings);
    };
    let (manifest, more) = read_file(sources.manifest_file, text);
    findings.extend(more);
    let package = manifest.map(|manifest| package(manifest, text, sources));
    (package, findings)
}

fn package<'a>(manifest: Manifest, text: &'a str, sources: Sources<'a>) -> Package<'a> {
    Package {
        format: manifest.format(),
        is_enabled: is_enabled(&manifest.file),
        identity: manifest.identity,
        config: manifest.config,
        units: vec![Unit {
            key: UnitKey::ONLY,
            file: Arc::clone(&manifest.file),
            kind: UnitKind::Program(Box::new(manifest.program)),
        }],
        documents: vec![Document {
            file: manifest.file,
            text,
            root: manifest.root,
            keys: &[],
        }],
        attached: Vec::new(),
        sources,
    }
}
