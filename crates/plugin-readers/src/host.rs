//! A host as a table: its manifest, its directories, and the kinds of parts in them.
//!
//! Most hosts differ in names only. Their modules have a [`Host`] and a row that refers to it.

use std::sync::Arc;

use plugin_manifest::decode;
use plugin_model::{Document, Format, Key, Kind, Node, Sources, parse_json};
use skill_diagnostics::Diagnostic;

use crate::{
    codes::MISSING_PART,
    directory::{Claim, Directory},
    files::{files_below, inside},
    frontmatter::{self, object},
    hooks,
    host_files::HostFiles,
    left, markets, mcp,
    package::{Ingredients, Reading, SERVERS, nothing, package},
    parts::{Part, PartKind, SKILL_FILE, View, skills, texts},
    reader::UnitHead,
};

/// A host.
#[derive(Debug)]
pub(crate) struct Host {
    pub(crate) format: Format,
    /// The manifest of a package; empty for hosts that have none.
    pub(crate) manifest: &'static str,
    /// The meaning of its keys.
    pub(crate) manifest_keys: &'static [Key],
    /// Names of the host's directories in a project, which are packages without a manifest.
    pub(crate) homes: &'static [&'static str],
    /// The places of parts, in the order in which they get names.
    pub(crate) places: &'static [PartPlace],
    /// True if the name of the package is part of the names by which the host calls its parts.
    pub(crate) is_qualified: bool,
    /// The hooks of the host.
    pub(crate) hooks: &'static hooks::Rules,
    /// The file with the servers; empty if the host has none.
    pub(crate) servers: &'static str,
    /// The file that the host loads into every conversation; empty if there is none.
    pub(crate) context: &'static str,
    /// The other files of the host in a project.
    pub(crate) files: &'static HostFiles,
}

/// A place of parts.
#[derive(Debug)]
pub(crate) struct PartPlace {
    /// The key of the manifest that names other places; empty if there is none.
    pub(crate) key: &'static str,
    /// True if the key adds to the directory, and does not replace it.
    pub(crate) adds: bool,
    /// The directory of the host.
    pub(crate) directory: &'static str,
    /// The end of the names of the files; empty for directories with a `SKILL.md`.
    pub(crate) suffix: &'static str,
    /// The kind of the parts.
    pub(crate) kind: &'static PartKind,
    /// The kind of a part by its frontmatter, if that decides.
    pub(crate) kind_of: Option<fn(&Node) -> &'static PartKind>,
}

impl PartPlace {
    /// Creates a place whose key replaces its directory.
    pub(crate) const fn new(
        directory: &'static str,
        suffix: &'static str,
        kind: &'static PartKind,
    ) -> Self {
        Self {
            key: directory,
            adds: false,
            directory,
            suffix,
            kind,
            kind_of: None,
        }
    }
}

impl Host {
    /// Claims a directory with the manifest, or a directory of the host in a project.
    pub(crate) fn claim(&self, directory: &dyn Directory) -> Option<Claim> {
        if !self.manifest.is_empty() && directory.has(self.manifest) {
            let claim = Claim::file(self.manifest);
            let root = root_of(directory, &claim);
            let is_empty = root.is_some_and(|root| self.units(directory, &claim, &root).is_empty());
            return Some(Claim {
                is_empty,
                searches_inside: is_empty || markets::lists_below(directory),
                ..claim
            });
        }
        let is_home = self.homes.contains(&directory.name());
        let has_some = || {
            self.has_parts(directory) || self.has_hooks(directory) || self.has_servers(directory)
        };
        (is_home && has_some()).then(Claim::default)
    }

    /// Returns true if the settings of a directory of the host in a project have a server.
    fn has_servers(&self, directory: &dyn Directory) -> bool {
        let (file, _) = self.files.servers;
        let text = |path: &str| String::from_utf8(directory.read(path)?).ok();
        let files = mcp::ServerFiles {
            list: "",
            ..self.server_files("")
        };
        !file.is_empty()
            && directory.has(file)
            && mcp::has_servers(&object(Vec::new(), 0..0), files, &text)
    }

    /// Returns the files in which a package has servers.
    fn server_files<'f>(&self, manifest_file: &'f str) -> mcp::ServerFiles<'f> {
        mcp::ServerFiles {
            manifest: manifest_file,
            list: self.servers,
            settings: if manifest_file.is_empty() {
                self.files.servers
            } else {
                ("", "")
            },
            has_bare_variables: self.format == Format::Gemini,
        }
    }

    /// Returns the finding about the hooks of a directory of the host in a project of which nothing
    /// becomes a skill.
    pub(crate) fn hooks_left(&self, directory: &dyn Directory) -> Option<Diagnostic> {
        let files = [self.hooks.home_file, self.hooks.file];
        let mut files = files.iter().filter(|file| !file.is_empty());
        let file = files.find(|file| directory.has(file))?;
        let text = |path: &str| String::from_utf8(directory.read(path)?).ok();
        let root = object(Vec::new(), 0..0);
        let found = hooks::find(&self.hooks_view(&root, "", &text));
        let finding = hooks::finding(&found)?.in_file(*file);
        Some(finding.with_help("set them up in your host"))
    }

    /// Returns true if a directory of the host in a project has a hook that becomes a skill.
    fn has_hooks(&self, directory: &dyn Directory) -> bool {
        let text = |path: &str| String::from_utf8(directory.read(path)?).ok();
        let files = [self.hooks.file, self.hooks.home_file];
        let has_file = files
            .iter()
            .any(|file| !file.is_empty() && directory.has(file));
        let root = object(Vec::new(), 0..0);
        has_file
            && !hooks::find(&self.hooks_view(&root, "", &text))
                .printing
                .is_empty()
    }

    /// Claims a directory with the directories of the host, if the search found nothing better.
    pub(crate) fn claim_last(&self, directory: &dyn Directory) -> Option<Claim> {
        (directory.is_last_resort() && self.has_parts(directory)).then(Claim::default)
    }

    /// Returns true if a directory has a part of this host.
    pub(crate) fn has_parts(&self, directory: &dyn Directory) -> bool {
        self.places.iter().any(|place| {
            let file = if place.suffix.is_empty() {
                "/SKILL.md"
            } else {
                place.suffix
            };
            directory.has(place.directory)
                && directory
                    .files(place.directory)
                    .iter()
                    .any(|path| path.ends_with(file))
        })
    }

    /// Returns true if a directory has a file whose name only this host uses: `x.prompt.md`.
    pub(crate) fn has_own_files(&self, directory: &dyn Directory) -> bool {
        self.places.iter().any(|place| {
            let is_own = place.suffix.matches('.').count() > 1;
            is_own
                && directory.has(place.directory)
                && directory
                    .files(place.directory)
                    .iter()
                    .any(|path| path.ends_with(place.suffix))
        })
    }

    pub(crate) fn heads(&self, directory: &dyn Directory, claim: &Claim) -> Vec<UnitHead> {
        let root = root_of(directory, claim);
        root.map_or_else(Vec::new, |root| self.units(directory, claim, &root))
    }

    /// Returns the units of a package with this manifest.
    fn units(&self, directory: &dyn Directory, claim: &Claim, root: &Node) -> Vec<UnitHead> {
        let package = name_of(root);
        let view = View {
            files: &|below| directory.files(below),
            text: &|path| {
                let bytes = directory.read(path)?;
                String::from_utf8(bytes).ok()
            },
        };
        let parts = self.parts(root, &package, &view).0;
        let mut heads: Vec<UnitHead> = parts.iter().map(|part| part.head(&package)).collect();
        // A skill that is not in a package has the name of its directory.
        if let Some(head) = heads
            .iter_mut()
            .find(|head| package.is_empty() && head.file == SKILL_FILE)
        {
            directory.name().clone_into(&mut head.name);
            head.call.clone_from(&head.name);
        }
        let files = self.server_files(&claim.manifest_file);
        heads.extend(mcp::heads_of_host(root, files, &package, view.text));
        let found = hooks::find(&self.hooks_view(root, &claim.manifest_file, view.text));
        heads.extend(hooks::heads(&found, &package));
        heads
    }

    pub(crate) fn read<'a>(&self, sources: Sources<'a>) -> Reading<'a> {
        let (manifest, mut findings) = self.manifest(&sources);
        if manifest.is_none() && !sources.manifest_file.is_empty() {
            return (None, findings);
        }
        let root = manifest
            .as_ref()
            .map_or_else(|| object(Vec::new(), 0..0), |it| it.root.clone());
        let name = name_of(&root);
        let view = View {
            files: &|below| files_below(&sources, below),
            text: &|path| sources.texts.get(path).cloned(),
        };
        let (parts, more) = self.parts(&root, &name, &view);
        findings.extend(more);
        let found = hooks::find(&self.hooks_view(&root, sources.manifest_file, view.text));
        let has_units = !parts.is_empty() || !found.printing.is_empty();
        let files = self.server_files(sources.manifest_file);
        if !has_units && !mcp::has_servers(&root, files, view.text) {
            let (none, refusal) = nothing(&self.others(&root, &sources));
            findings.extend(refusal);
            findings.extend(hooks::each_left(&found));
            return (none, findings);
        }
        findings.extend(hooks::finding(&found));
        let mut known = vec![self.hooks.file, self.servers, files.settings.0];
        // Of a file with hooks that print, the finding about hooks names those that stay.
        let printing = found.printing.iter().map(|(file, _)| &**file);
        known.extend(printing.filter(|file| *file == self.hooks.home_file));
        known.extend(found.carried_files.iter().map(String::as_str));
        findings.extend(left::finding(self.format, &sources, &parts, &known));
        findings.extend(left::inner_skills(&sources, &parts));
        let context = self.context_of(&root, &sources, &mut findings);
        let (mut package, mut findings) = package(Ingredients {
            format: self.format,
            sources,
            manifest,
            name: &name,
            parts: &parts,
            hooks: if found
                .carried_files
                .iter()
                .any(|file| file == self.hooks.file)
            {
                ""
            } else {
                self.hooks.file
            },
            context: &context,
            findings,
        });
        if let Some(package) = &mut package {
            findings.extend(mcp::add_to_package(package, &root, files));
            hooks::add_to_package(package, found);
        }
        (package, findings)
    }

    /// Reads the manifest; `None` if there is none, or it is not JSON.
    fn manifest<'a>(&self, sources: &Sources<'a>) -> (Option<Document<'a>>, Vec<Diagnostic>) {
        if sources.manifest_file.is_empty() {
            return (None, Vec::new());
        }
        let (text, mut findings) = decode(sources.manifest);
        let Some(text) = text else {
            return (None, findings);
        };
        let (root, more) = parse_json(text);
        findings.extend(more);
        let document = root.map(|root| Document {
            file: Arc::from(sources.manifest_file),
            text,
            root,
            keys: self.manifest_keys,
        });
        (document, findings)
    }

    /// Returns whether the host takes a skill inside of another one. Others take the directories directly in
    /// `skills`.
    ///
    /// Source: `discover_skills_under_root` of Codex (`loader.rs`) and `{skill,skills}/**/SKILL.md` in
    /// `skill.ts` of OpenCode; `anthropics/claude-code` issue 28266.
    fn has_inner_skills(&self) -> bool {
        matches!(self.format, Format::Codex | Format::OpenCode)
    }

    /// Returns the parts of a package.
    fn parts(&self, root: &Node, package: &str, view: &View<'_>) -> (Vec<Part>, Vec<Diagnostic>) {
        let (mut acc, mut findings) = (Vec::new(), Vec::new());
        for place in self.places {
            let named = (!place.key.is_empty())
                .then(|| root.get(place.key))
                .flatten();
            let mut paths =
                named.map_or_else(Vec::new, |node| paths(place.key, node, &mut findings));
            // The entry of a marketplace can be all that there is: `strict: false`.
            let is_complete = root.get("strict").map(|it| &it.kind) == Some(&Kind::Bool(false));
            let has_default = named.is_none() || place.adds && !is_complete;
            if has_default {
                let is_top = place.suffix.is_empty()
                    && (view.files)(place.directory).is_empty()
                    && !(view.files)(SKILL_FILE).is_empty();
                // A package without a directory of skills can be one skill.
                let directory = if is_top { "" } else { place.directory };
                paths.insert(0, directory.to_owned());
            }
            paths.dedup();
            for (at, path) in paths.iter().enumerate() {
                let found = place.parts(path, (package, self.has_inner_skills()), view);
                let is_default = at == 0 && has_default;
                if found.is_empty() && !is_default {
                    findings.push(missing(place.key, path));
                }
                acc.extend(found);
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        acc.retain(|part| seen.insert(part.file.clone()));
        if self.is_qualified && !package.is_empty() {
            for part in &mut acc {
                part.call = format!("{package}:{}", part.call);
            }
        }
        for part in &mut acc {
            part.aliases = self.aliases(part, package);
        }
        (acc, findings)
    }

    /// Returns other names by which a user of the host starts a part.
    fn aliases(&self, part: &Part, package: &str) -> Vec<String> {
        match self.format {
            // Commands of two extensions with one name have that of the extension before it.
            Format::Gemini if !package.is_empty() => vec![format!("{package}.{}", part.call)],
            Format::Codex => vec![format!("prompts:{}", part.call)],
            Format::OpenCode if part.path.contains('/') => vec![part.path.clone()],
            _ => Vec::new(),
        }
    }

    /// Returns what the package has besides parts that can become skills.
    fn others(&self, root: &Node, sources: &Sources<'_>) -> Vec<&'static str> {
        let has = |key: &str, path: &str| {
            let is_file = !path.is_empty() && sources.texts.contains_key(path);
            root.get(key).is_some() || is_file
        };
        let rows = [
            ("hooks", self.hooks.file, "hooks"),
            ("mcpServers", self.servers, SERVERS),
            ("lspServers", ".lsp.json", "language servers"),
            ("outputStyles", "", "output styles"),
            ("themes", "", "themes"),
            ("apps", ".app.json", "apps"),
        ];
        let found = rows.into_iter().filter(|(key, path, _)| has(key, path));
        found.map(|(_, _, word)| word).collect()
    }

    /// Returns the package as the reader of its hooks sees it.
    fn hooks_view<'v>(
        &'v self,
        root: &'v Node,
        manifest_file: &'v str,
        text: &'v dyn Fn(&str) -> Option<String>,
    ) -> hooks::View<'v> {
        hooks::View {
            rules: self.hooks,
            root,
            manifest_file,
            home: self
                .homes
                .first()
                .filter(|_| manifest_file.is_empty())
                .copied(),
            text,
        }
    }

    /// Returns the files that the host loads into every conversation, if the package has them.
    fn context_of(
        &self,
        root: &Node,
        sources: &Sources<'_>,
        findings: &mut Vec<Diagnostic>,
    ) -> Vec<String> {
        const KEY: &str = "contextFileName";
        let has_file = |path: &String| sources.files.iter().any(|it| it.path == *path);
        let Some(named) = root.get(KEY).filter(|_| !self.context.is_empty()) else {
            let usual = [self.context.to_owned()].into_iter();
            return usual.filter(has_file).collect();
        };
        let items = std::iter::once(named).chain(named.items());
        let names = items.filter_map(Node::as_str);
        let mut acc = Vec::new();
        for name in names.map(|name| name.replace("${/}", "/")) {
            match inside(&name).filter(has_file) {
                Some(file) if acc.contains(&file) => {}
                Some(file) => acc.push(file),
                None => findings.push(missing(KEY, &name)),
            }
        }
        acc
    }
}

impl PartPlace {
    fn parts(&self, path: &str, (package, has_inner): (&str, bool), view: &View<'_>) -> Vec<Part> {
        if self.suffix.is_empty() {
            let name = if package.is_empty() { "skill" } else { package };
            return skills(path, (name, has_inner), self.kind, view.files);
        }
        let mut acc = texts(path, self.suffix, self.kind, view.files);
        if let Some(kind_of) = self.kind_of {
            for part in &mut acc {
                let text = (view.text)(&part.file).unwrap_or_default();
                part.kind = kind_of(&frontmatter::parse(&text).0.root);
            }
        }
        acc
    }
}

/// Returns the manifest of a claim, an empty object if it has none, or `None` if it is not JSON.
fn root_of(directory: &dyn Directory, claim: &Claim) -> Option<Node> {
    if claim.manifest_file.is_empty() {
        return Some(object(Vec::new(), 0..0));
    }
    let bytes = claim
        .manifest
        .clone()
        .or_else(|| directory.read(&claim.manifest_file))?;
    parse_json(decode(&bytes).0?).0
}

fn name_of(root: &Node) -> String {
    let name = root.get("name").and_then(Node::as_str);
    name.unwrap_or_default().to_owned()
}

/// Returns the paths of a key: a string, a list, or an object of `{source}`. A pattern stands for
/// the directory before its first star.
fn paths(key: &str, node: &Node, findings: &mut Vec<Diagnostic>) -> Vec<String> {
    let values: Vec<&Node> = match &node.kind {
        Kind::Array(items) => items.iter().collect(),
        Kind::Object(members) => members
            .iter()
            .map(|member| member.value.get("source").unwrap_or(&member.value))
            .collect(),
        _ => vec![node],
    };
    let mut acc = Vec::new();
    for value in values {
        let path = value
            .as_str()
            .map(|text| inside(text.split('*').next().unwrap_or(text)));
        match path {
            Some(Some(path)) => acc.push(path),
            Some(None) => findings.push(missing(key, value.as_str().unwrap_or_default())),
            None => {
                let message = format!("`{key}` has {}, expected a path", value.type_word());
                let finding = Diagnostic::warning(MISSING_PART, message);
                findings.push(finding.at_pointer(format!("/{key}")));
            }
        }
    }
    acc
}

fn missing(key: &str, path: &str) -> Diagnostic {
    let message = format!(
        "`{}` of `{key}` has no such part in the package",
        path.escape_debug()
    );
    Diagnostic::warning(MISSING_PART, message)
        .at_pointer(format!("/{key}"))
        .with_help("expected a path inside the package, of a file or a directory of texts")
}
