//! A service as the migration sees it.

use plugin_model::{Api, ApiOperation, Document};

use crate::{plan::Options, plugin::Source, render::Language};

/// The most bytes of documents that a skill gets a copy of.
const MAX_COPY: usize = 2 << 20;

/// A unit that is a service, with its documents.
pub(crate) struct Service<'a> {
    pub(crate) source: &'a Source<'a>,
    pub(crate) api: &'a Api,
    pub(crate) options: Options,
    /// The documents of the service.
    pub(crate) documents: Vec<Document<'a>>,
}

impl<'a> Service<'a> {
    pub(crate) fn new(source: &'a Source<'a>, api: &'a Api, options: Options) -> Self {
        let documents = source.package.documents.iter();
        let own = documents.filter(|document| api.files.contains(&document.file));
        Self {
            source,
            api,
            options,
            documents: own.cloned().collect(),
        }
    }

    /// Returns the title, with the group of a part.
    pub(crate) fn title(&self) -> String {
        let name = self.source.package.identity.name.value.as_str();
        let file = self.source.unit.file.rsplit('/').next().unwrap_or_default();
        let stem = file.split('.').next().unwrap_or_default();
        let mut titles = [self.api.title.as_str(), name, stem].into_iter();
        let title = titles.find(|title| !title.trim().is_empty());
        let title = title.unwrap_or("API");
        match &self.api.group {
            Some(group) => format!("{title}: {group}"),
            None => title.to_owned(),
        }
    }

    /// Returns the language of its texts.
    pub(crate) fn language(&self) -> Language {
        let summaries = self.api.operations.iter().map(|it| it.summary.as_str());
        let texts: String = summaries.chain([self.api.description.as_str()]).collect();
        self.options.language.language_of(&texts)
    }

    /// Returns the groups of operations, in the order in which they occur.
    pub(crate) fn groups(&self) -> Vec<(&'a str, Vec<&'a ApiOperation>)> {
        let mut res: Vec<(&str, Vec<&ApiOperation>)> = Vec::new();
        for operation in &self.api.operations {
            match res.iter_mut().find(|(name, _)| *name == operation.group) {
                Some((_, list)) => list.push(operation),
                None => res.push((&operation.group, vec![operation])),
            }
        }
        res
    }

    /// Returns the paths of the copies of documents in the skill, by document; `None` if there are
    /// none, because the skill is a part of a service or the documents are too long.
    pub(crate) fn copies(&self) -> Option<Vec<String>> {
        let n_bytes: usize = self.documents.iter().map(|it| it.text.len()).sum();
        if self.api.group.is_some() || n_bytes > MAX_COPY {
            return None;
        }
        let paths = self.documents.iter().map(|it| {
            let path = it.file.trim_start_matches(['.', '/']);
            format!("references/source/{path}")
        });
        Some(paths.collect())
    }
}
