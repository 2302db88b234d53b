//! Paths in the tree of the old host, as seen from a file of a plugin or of the host.

use std::collections::BTreeSet;

/// The directory of all plugins in the old host's directory.
pub(super) const PLUGINS: &str = "Plugin";

/// The file that imports something.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Importer {
    /// A file of the plugin, relative to the plugin.
    Own(String),
    /// A file of the host, relative to the host's directory.
    Host(String),
}

/// The place to which a path leads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// A file of the plugin, relative to the plugin.
    Own(String),
    /// A file of another plugin, with `Plugin/`.
    Neighbour(String),
    /// A file of the host, relative to the host's directory.
    Host(String),
    /// A file outside of the host's directory, with `../`.
    Beyond(String),
}

impl Importer {
    /// Returns the path of the file. Plugins and the host have different files of one path.
    pub(super) fn path(&self) -> &str {
        let (Self::Own(path) | Self::Host(path)) = self;
        path
    }

    /// Returns the number of directories that the file is deeper than a file of the plugin's own
    /// directory; negative for files of the host.
    pub(super) fn depth(&self) -> isize {
        let depth = |path: &str| isize::try_from(path.matches('/').count()).unwrap_or(isize::MAX);
        match self {
            Self::Own(path) => depth(path),
            // A plugin is two directories deep.
            Self::Host(path) => depth(path) - 2,
        }
    }

    /// Resolves a path relative to the file. `directory` is the name of the plugin's directory.
    pub(super) fn resolve(&self, relative: &str, directory: &str) -> Target {
        let mut parts: Vec<&str> = match self {
            Self::Own(path) => [PLUGINS, directory]
                .into_iter()
                .chain(path.split('/'))
                .collect(),
            Self::Host(path) => path.split('/').collect(),
        };
        parts.pop();
        walk(parts, relative, directory)
    }
}

/// Resolves a path relative to the directory of the host.
pub(super) fn from_host(path: &str, directory: &str) -> Target {
    walk(Vec::new(), path, directory)
}

fn walk<'p>(mut parts: Vec<&'p str>, path: &'p str, directory: &str) -> Target {
    let mut n_above = 0;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.pop().is_none() => n_above += 1,
            ".." => {}
            _ => parts.push(part),
        }
    }
    if n_above > 0 {
        return Target::Beyond(format!("{}{}", "../".repeat(n_above), parts.join("/")));
    }
    match parts[..] {
        [PLUGINS, own, ..] if own == directory => Target::Own(parts[2..].join("/")),
        [PLUGINS, ..] => Target::Neighbour(parts.join("/")),
        _ => Target::Host(parts.join("/")),
    }
}

/// A file of the host that is the host itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Centre {
    /// The executor replaces it, as the part of this name.
    Answered(&'static str),
    /// Nothing replaces it.
    Server,
}

/// Files of the host that are the host itself: its plugin manager, its knowledge base, its server.
/// They are in the host's own directory. No skill gets them, because each reaches nearly all of the
/// host.
const CENTRE: [(&str, Centre); 8] = [
    ("Plugin", Centre::Answered("plugin-manager")),
    ("KnowledgeBaseManager", Centre::Answered("knowledge-base")),
    ("TDBKnowledge", Centre::Answered("tdb-knowledge")),
    ("VectorDBManager", Centre::Answered("knowledge-base")),
    ("WebSocketServer", Centre::Answered("web-socket")),
    ("server", Centre::Server),
    ("adminServer", Centre::Server),
    ("VCPDistributedServer", Centre::Server),
];

/// Returns whether a module is the host itself, and how it is replaced.
pub(super) fn centre(module: &str) -> Option<Centre> {
    let name = module.strip_suffix(".js").unwrap_or(module);
    let mut rows = CENTRE.iter();
    rows.find(|(known, _)| *known == name)
        .map(|(_, centre)| *centre)
}

/// Adds the package of a module in the host's `node_modules`; returns false for any other module.
pub(super) fn installed(module: &str, packages: &mut BTreeSet<String>) -> bool {
    let Some(path) = module.strip_prefix("node_modules/") else {
        return false;
    };
    let n_parts = if path.starts_with('@') { 2 } else { 1 };
    let name: Vec<&str> = path.split('/').take(n_parts).collect();
    packages.insert(name.join("/"));
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_places() {
        let own = |path: &str| Importer::Own(path.to_owned());
        let host = |path: &str| Importer::Host(path.to_owned());
        for (importer, relative, expected) in [
            (own("a.js"), "./lib/b", Target::Own("lib/b".to_owned())),
            (own("lib/a.js"), "../b", Target::Own("b".to_owned())),
            (own("a.js"), "../X/b", Target::Own("b".to_owned())),
            (
                own("a.js"),
                "../Y/b",
                Target::Neighbour("Plugin/Y/b".to_owned()),
            ),
            (own("a.js"), "../../m/b", Target::Host("m/b".to_owned())),
            (own("a.js"), "../../../m", Target::Beyond("../m".to_owned())),
            (
                own("a.js"),
                "../../../../m",
                Target::Beyond("../../m".to_owned()),
            ),
            (host("m/a.js"), "./b", Target::Host("m/b".to_owned())),
            (host("m/a.js"), "../b", Target::Host("b".to_owned())),
            (host("m/a.js"), "../Plugin/X/b", Target::Own("b".to_owned())),
            (host("a.js"), "../b", Target::Beyond("../b".to_owned())),
        ] {
            assert_eq!(
                importer.resolve(relative, "X"),
                expected,
                "{importer:?} {relative}"
            );
        }
    }

    #[test]
    fn the_centre_is_a_list() {
        assert_eq!(
            centre("Plugin.js"),
            Some(Centre::Answered("plugin-manager"))
        );
        assert_eq!(centre("Plugin"), Some(Centre::Answered("plugin-manager")));
        assert_eq!(centre("server.js"), Some(Centre::Server));
        assert_eq!(centre("modules/Plugin"), None);
        assert_eq!(centre("EmbeddingUtils"), None);
    }
}
