//! The files of a package, as values. Every format writes the same list.

use std::rc::Rc;

/// One file or link of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Relative to the root of the package, with `/`.
    pub(super) path: String,
    pub(super) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Shared, because every package contains the same program.
    File {
        bytes: Rc<[u8]>,
        is_executable: bool,
    },
    Link {
        target: String,
    },
}

impl Entry {
    pub(super) fn file(path: impl Into<String>, bytes: impl Into<Rc<[u8]>>) -> Self {
        Self::new(path, bytes, false)
    }

    pub(super) fn program(path: impl Into<String>, bytes: impl Into<Rc<[u8]>>) -> Self {
        Self::new(path, bytes, true)
    }

    pub(super) fn link(path: impl Into<String>, target: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            kind: Kind::Link {
                target: target.into(),
            },
        }
    }

    fn new(path: impl Into<String>, bytes: impl Into<Rc<[u8]>>, is_executable: bool) -> Self {
        Self {
            path: path.into(),
            kind: Kind::File {
                bytes: bytes.into(),
                is_executable,
            },
        }
    }

    /// Returns the content of a file; nothing for a link.
    pub(super) fn bytes(&self) -> Option<&Rc<[u8]>> {
        match &self.kind {
            Kind::File { bytes, .. } => Some(bytes),
            Kind::Link { .. } => None,
        }
    }

    /// Returns the entry below the directory `prefix`, which ends with `/`.
    pub(super) fn below(mut self, prefix: &str) -> Self {
        self.path.insert_str(0, prefix);
        self
    }
}

/// Returns the directories of `entries`, each before what is inside it, sorted.
pub(super) fn directories(entries: &[Entry]) -> Vec<String> {
    let mut res: Vec<String> = entries
        .iter()
        .flat_map(|entry| {
            let slashes = entry.path.match_indices('/');
            slashes.map(|(end, _)| entry.path[..end].to_owned())
        })
        .collect();
    res.sort();
    res.dedup();
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_precedes_its_content() {
        let entries = [
            Entry::file("b/c/d", *b""),
            Entry::file("a", *b""),
            Entry::link("b/e", "c"),
        ];
        assert_eq!(directories(&entries), ["b", "b/c"]);
    }
}
