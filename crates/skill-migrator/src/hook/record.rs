//! METADATA.yml of a hook.

use plugin_model::{Hook, Moment};
use skill_model::{
    Entry, ExecutorKind, Legacy, Metadata, Placeholder, Requires, Runtime, Transport,
};

use crate::{markdown::one_line, plugin::Source};

use super::files::{MODULE, SCRIPTS, TEXT};

/// Creates the record, without files, findings and `legacy.extra`.
pub(super) fn record(
    source: &Source<'_>,
    hook: &Hook,
    name: &str,
    described: Option<&str>,
) -> Metadata {
    let identity = &source.package.identity;
    let described = described.map(str::to_owned);
    let first = || hook.text.lines().next().map(one_line);
    let (kind, program) = match hook.moment {
        Moment::Start => (ExecutorKind::Static, "cat"),
        Moment::Message => (ExecutorKind::Preprocessor, "node"),
    };
    let mut res = Metadata::new(name, kind);
    res.description = described.or_else(first).unwrap_or_default();
    if let Some(version) = &identity.version {
        res.version.clone_from(&version.value);
    }
    res.author = identity.author.as_ref().map(|it| it.value.clone());
    res.enabled = source.package.is_enabled;
    res.domain = identity.domain.as_ref().map(|it| it.value.clone());
    res.tags = identity.tags.iter().map(|tag| tag.value.clone()).collect();
    res.requires = Requires {
        bin: vec![program.to_owned()],
        ..Requires::default()
    };
    match hook.moment {
        Moment::Start => {
            let file = TEXT.rsplit('/').next().unwrap_or(TEXT);
            res.entry = Some(Entry {
                shell: Some(format!("{program} {file}")),
                argv: vec![program.to_owned(), file.to_owned()],
                ..Entry::new(Runtime::Native, SCRIPTS)
            });
            res.transport = Some(Transport::Stdout);
            res.placeholders = vec![Placeholder {
                key: name.to_uppercase().replace('-', "_"),
                description: one_line(&hook.event),
            }];
        }
        Moment::Message => {
            let file = MODULE.rsplit('/').next().unwrap_or(MODULE);
            res.entry = Some(Entry {
                module: Some(file.to_owned()),
                exports: vec!["processMessages".to_owned()],
                ..Entry::new(Runtime::Node, SCRIPTS)
            });
            res.transport = Some(Transport::Module);
        }
    }
    let last = source.directory.rsplit('/').next();
    let last = last.filter(|last| !last.is_empty());
    res.legacy = Some(Legacy {
        host: source.package.format.word().to_owned(),
        name: hook.event.clone(),
        directory: last.unwrap_or(&identity.name.value).to_owned(),
        file: Some(source.unit.file.to_string()),
        plugin_type: "hook".to_owned(),
        manifest_version: None,
        extra: serde_json::Map::new(),
    });
    res
}
