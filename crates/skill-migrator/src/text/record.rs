//! METADATA.yml of a text.

use skill_model::{ExecutorKind, Legacy, Metadata};

use super::{TextUnit, roles::Said};

/// The executor of texts: there is nothing to run.
const EXECUTOR: ExecutorKind = ExecutorKind::Prompt;

/// Creates the record, without files, findings and `legacy.extra`.
pub(crate) fn record(unit: &TextUnit<'_>, name: &str, said: &Said) -> Metadata {
    let identity = &unit.package.identity;
    let mut res = Metadata::new(name, EXECUTOR);
    let lost = unit.lost_name().map(str::to_owned);
    res.display_name = lost.or_else(|| said.display_name.clone());
    res.description = said.description.clone().unwrap_or_default();
    if let Some(version) = &identity.version {
        res.version.clone_from(&version.value);
    }
    res.author = identity.author.as_ref().map(|author| author.value.clone());
    res.enabled = unit.package.is_enabled && !said.is_off;
    res.domain = identity.domain.as_ref().map(|domain| domain.value.clone());
    res.tags = identity.tags.iter().map(|tag| tag.value.clone()).collect();
    res.legacy = Some(legacy(unit));
    res
}

fn legacy(unit: &TextUnit<'_>) -> Legacy {
    let last = unit.source.directory.rsplit('/').next().unwrap_or_default();
    let name = &unit.package.identity.name.value;
    Legacy {
        host: unit.package.format.word().to_owned(),
        name: unit.text.call.clone(),
        directory: if last.is_empty() {
            name.clone()
        } else {
            last.to_owned()
        },
        file: Some(unit.source.unit.file.to_string()),
        plugin_type: unit.kind_word(),
        manifest_version: None,
        extra: serde_json::Map::new(),
    }
}
