//! Documents and the references between them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use http_request::percent_decoded;
use plugin_model::{Document, Kind, Node, Place};
use skill_diagnostics::Diagnostic;

use crate::codes::UNRESOLVED;

/// The most references in a row that are followed.
const MAX_CHAIN: usize = 32;

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct At<'a> {
    pub(crate) node: &'a Node,
    pub(crate) place: Place,
}

impl<'a> At<'a> {
    /// Returns the value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<Self> {
        let node = self.node.get(key)?;
        let place = self.place.child(plugin_model::escape_pointer(key));
        Some(Self { node, place })
    }

    /// Returns the members of an object.
    pub(crate) fn members(&self) -> impl Iterator<Item = (&'a str, Self)> + use<'a> {
        let place = self.place.clone();
        self.node.members().iter().map(move |member| {
            let place = place.child(plugin_model::escape_pointer(&member.key));
            let node = &member.value;
            (member.key.as_str(), Self { node, place })
        })
    }

    /// Returns the items of a list.
    pub(crate) fn items(&self) -> impl Iterator<Item = Self> + use<'a> {
        let place = self.place.clone();
        let items = self.node.items().iter().enumerate();
        items.map(move |(at, node)| Self {
            node,
            place: place.child(at),
        })
    }

    /// Returns the text of a key; empty if there is none.
    pub(crate) fn text(&self, key: &str) -> &'a str {
        self.node
            .get(key)
            .and_then(Node::as_str)
            .unwrap_or_default()
    }

    /// Returns true if a key is `true`.
    pub(crate) fn is(&self, key: &str) -> bool {
        self.flag(key) == Some(true)
    }

    /// Returns the flag of a key.
    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        match self.node.get(key)?.kind {
            Kind::Bool(flag) => Some(flag),
            _ => None,
        }
    }
}

/// The documents of a package, with the findings about references.
#[derive(Debug)]
pub(crate) struct Documents<'a> {
    all: &'a [Document<'a>],
    findings: RefCell<BTreeSet<Diagnostic>>,
    used: RefCell<BTreeSet<Arc<str>>>,
    /// The keys of settings and the names of credentials, with what each is for.
    names: RefCell<BTreeMap<String, BTreeSet<String>>>,
    /// The targets of references, by file and text: to find one takes time in proportion to the document.
    targets: BTreeMap<Arc<str>, BTreeMap<&'a str, Option<At<'a>>>>,
}

impl<'a> Documents<'a> {
    pub(crate) fn new(all: &'a [Document<'a>]) -> Self {
        let mut targets = BTreeMap::new();
        for document in all {
            let mut of_file = BTreeMap::new();
            visit(&document.root, &mut |reference| {
                let find = || target(all, &document.file, reference);
                of_file.entry(reference).or_insert_with(find);
            });
            targets.insert(Arc::clone(&document.file), of_file);
        }
        Self {
            all,
            findings: RefCell::default(),
            used: RefCell::default(),
            names: RefCell::default(),
            targets,
        }
    }

    /// Returns a key of a setting, or a name of a credential, that nothing else has: `wanted`, or with a
    /// number. `purpose` is what it is for; two with one purpose have one key.
    pub(crate) fn claim(&self, wanted: &str, purpose: &str) -> String {
        let mut names = self.names.borrow_mut();
        let is_free = |name: &String| names.get(name).is_none_or(|it| it.contains(purpose));
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let mut all = std::iter::once(wanted.to_owned()).chain(numbered);
        let name = all.find(is_free).expect("numbers do not end");
        let purposes = names.entry(name.clone()).or_default();
        purposes.insert(purpose.to_owned());
        name
    }

    /// Lets the first of what has this purpose share the key of a setting.
    pub(crate) fn open(&self, key: &str, purpose: &str) {
        let mut names = self.names.borrow_mut();
        let purposes = names.entry(key.to_owned()).or_default();
        purposes.insert(purpose.to_owned());
    }

    /// Returns a key as [`claim`](Self::claim), or the wanted one if it is open for `open`.
    pub(crate) fn claim_open(&self, wanted: &str, purpose: &str, open: &str) -> String {
        if let Some(purposes) = self.names.borrow_mut().get_mut(wanted)
            && purposes.remove(open)
        {
            purposes.insert(purpose.to_owned());
        }
        self.claim(wanted, purpose)
    }

    /// Returns the findings so far, and the files that references led to.
    pub(crate) fn into_parts(self) -> (Vec<Diagnostic>, BTreeSet<Arc<str>>) {
        let findings = self.findings.into_inner().into_iter();
        (findings.collect(), self.used.into_inner())
    }

    /// Adds a finding about a place, once.
    pub(crate) fn report(&self, finding: Diagnostic, place: &Place) {
        let finding = finding.in_file(&*place.file).at_pointer(&place.pointer);
        self.findings.borrow_mut().insert(finding);
    }

    /// Returns the root of a document.
    pub(crate) fn root(&self, file: &str) -> Option<At<'a>> {
        root(self.all, file)
    }

    /// Follows the references of a value. A reference that leads nowhere is a finding.
    pub(crate) fn resolve(&self, at: &At<'a>) -> Option<At<'a>> {
        let mut at = at.clone();
        for _ in 0..MAX_CHAIN {
            let Some(reference) = at.node.get("$ref").and_then(Node::as_str) else {
                return Some(at);
            };
            let Some(next) = self.target(&at, reference) else {
                self.unresolved(&at, reference);
                return None;
            };
            at = next;
        }
        self.unresolved(&at, "a circle of references");
        None
    }

    /// Returns the place that a reference means.
    fn target(&self, at: &At<'a>, reference: &str) -> Option<At<'a>> {
        let of_file = self.targets.get(&at.place.file)?;
        let found = of_file.get(reference)?.clone()?;
        if found.place.file != at.place.file {
            let file = Arc::clone(&found.place.file);
            self.used.borrow_mut().insert(file);
        }
        Some(found)
    }

    fn unresolved(&self, at: &At<'a>, reference: &str) {
        let message = if reference.contains("://") {
            format!("`{reference}` is on the network, where nothing is read")
        } else {
            format!(
                "`{reference}` leads to nothing in the files of the package that skills may have"
            )
        };
        let finding = Diagnostic::warning(UNRESOLVED, message);
        let help = "save the file beside the document and refer to it there; settings, credentials and private data are not read; any value is accepted";
        self.report(finding.with_help(help), &at.place);
    }
}

fn root<'a>(all: &'a [Document<'a>], file: &str) -> Option<At<'a>> {
    let document = all.iter().find(|it| &*it.file == file)?;
    Some(At {
        node: &document.root,
        place: Place::new(&document.file, ""),
    })
}

/// Returns the place that a reference in a file means.
fn target<'a>(all: &'a [Document<'a>], file: &str, reference: &str) -> Option<At<'a>> {
    let (path, pointer) = reference.split_once('#').unwrap_or((reference, ""));
    let root = match path {
        "" => root(all, file)?,
        path => root(all, &beside(file, path)?)?,
    };
    let pointer = decoded(pointer);
    let node = root.node.at(&pointer)?;
    let place = Place::new(&root.place.file, pointer);
    Some(At { node, place })
}

/// Returns the files, relative to the package, that the references of a document name. Addresses on the
/// network and paths out of the package are left out.
pub fn file_references(file: &str, root: &Node) -> BTreeSet<String> {
    let mut res = BTreeSet::new();
    visit(root, &mut |reference| {
        let path = reference.split('#').next().unwrap_or_default();
        if !path.is_empty() {
            res.extend(beside(file, path));
        }
    });
    res
}

fn visit<'a>(node: &'a Node, each: &mut impl FnMut(&'a str)) {
    if let Some(reference) = node.get("$ref").and_then(Node::as_str) {
        each(reference);
    }
    for member in node.members() {
        visit(&member.value, each);
    }
    for item in node.items() {
        visit(item, each);
    }
}

/// Returns the path of a file that another one names, or `None` if it is on the network or out of the
/// package.
fn beside(file: &str, path: &str) -> Option<String> {
    if path.contains(':') || path.starts_with('/') || path.contains('\\') {
        return None;
    }
    let directory = file.rsplit_once('/').map_or("", |(directory, _)| directory);
    let mut parts: Vec<&str> = directory.split('/').filter(|it| !it.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(decoded(&parts.join("/")))
}

/// Decodes percent-encoded bytes, as a fragment of an address may have them.
fn decoded(text: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(text)).into_owned()
}
