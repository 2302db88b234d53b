//! The fate of every leaf of every document of a package.
//!
//! Source: `docs/migration.md`, "Every leaf has a fate".

use std::collections::BTreeMap;
use std::sync::Arc;

use plugin_model::{Document, Kind, Node, Place, escape_pointer};
use serde_json::{Map, Value};

/// The fate of one leaf.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fate {
    /// The same value is there.
    Carried {
        /// The destination: a file, then `#` and a JSON Pointer or a heading.
        to: String,
    },
    /// The value determined the destination.
    Transformed {
        /// The destination.
        to: String,
        /// The transformation.
        how: &'static str,
    },
    /// No tool reads it; it is kept unchanged.
    Kept {
        /// The destination.
        to: String,
    },
    /// It is only in the copy of the document.
    Dropped {
        /// The reason.
        why: &'static str,
    },
}

impl Fate {
    /// Returns the word for reports.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Carried { .. } => "carried",
            Self::Transformed { .. } => "transformed",
            Self::Kept { .. } => "kept",
            Self::Dropped { .. } => "dropped",
        }
    }
}

/// The fates of all leaves of the documents of one package.
///
/// **Invariant:** [`Ledger::settle`] leaves no leaf without a fate: unclaimed leaves are kept in
/// `legacy.extra`.
#[derive(Debug)]
pub(crate) struct Ledger<'a> {
    trees: Vec<Tree<'a>>,
}

/// A document and the fates of its leaves, by JSON Pointer.
#[derive(Debug)]
struct Tree<'a> {
    file: &'a Arc<str>,
    root: &'a Node,
    fates: BTreeMap<String, Option<Fate>>,
}

/// Prefix of the sidecar in the `to` of fates.
pub(crate) const METADATA: &str = "METADATA.yml#";

impl<'a> Ledger<'a> {
    /// Creates a ledger in which no leaf has a fate yet.
    pub(crate) fn new(documents: &'a [Document<'_>]) -> Self {
        let trees = documents.iter().map(|document| Tree {
            file: &document.file,
            root: &document.root,
            fates: document
                .root
                .leaves()
                .into_iter()
                .map(|leaf| (leaf, None))
                .collect(),
        });
        Self {
            trees: trees.collect(),
        }
    }

    /// Records that the value at `place` is unchanged at `to`.
    pub(crate) fn carried(&mut self, place: &Place, to: &str) {
        self.claim(place, |rest| Fate::Carried {
            to: below(to, rest),
        });
    }

    /// Records that the value at `place` determined the content of `to`.
    pub(crate) fn transformed(&mut self, place: &Place, to: &str, how: &'static str) {
        self.claim(place, |_| Fate::Transformed {
            to: to.to_owned(),
            how,
        });
    }

    /// Records carried if `exact`, otherwise transformed.
    pub(crate) fn moved(&mut self, place: &Place, to: &str, exact: bool, how: &'static str) {
        if exact {
            self.carried(place, to);
        } else {
            self.transformed(place, to, how);
        }
    }

    /// Records that the value at `place` is unchanged in `to`, which no tool reads.
    pub(crate) fn kept(&mut self, place: &Place, to: &str) {
        self.claim(place, |rest| Fate::Kept {
            to: below(to, rest),
        });
    }

    /// Records that the value at `place` has no use in a skill.
    pub(crate) fn dropped(&mut self, place: &Place, why: &'static str) {
        self.claim(place, |_| Fate::Dropped { why });
    }

    /// Drops the value at `place` if it is null or empty.
    pub(crate) fn dropped_if_empty(&mut self, place: &Place) {
        let is_empty = self
            .tree(place)
            .is_some_and(|tree| tree.is_empty_leaf(&place.pointer));
        if is_empty {
            self.claim(place, |_| Fate::Dropped {
                why: "it is empty and says nothing",
            });
        }
    }

    /// Gives the leaves at and below `place` a fate if they have none yet.
    fn claim(&mut self, place: &Place, fate: impl Fn(&str) -> Fate) {
        if let Some(tree) = self.tree(place) {
            tree.claim(&place.pointer, fate);
        }
    }

    fn tree(&mut self, place: &Place) -> Option<&mut Tree<'a>> {
        let mut trees = self.trees.iter_mut();
        trees.find(|tree| *tree.file == place.file)
    }

    /// Gives every leaf without a fate the last one: kept in `legacy.extra`, which is returned with
    /// the fates. If there are several documents, `legacy.extra` has an object for each, by file.
    pub(crate) fn settle(self) -> (BTreeMap<Place, Fate>, Map<String, Value>) {
        let has_many = self.trees.len() > 1;
        let (mut fates, mut extra) = (BTreeMap::new(), Map::new());
        for tree in self.trees {
            let rest = tree.unclaimed(tree.root, "");
            let mut to = format!("{METADATA}/legacy/extra");
            if has_many {
                to = format!("{to}/{}", escape_pointer(tree.file));
                extra.extend(rest.map(|rest| (tree.file.to_string(), rest)));
            } else if let Some(Value::Object(map)) = rest {
                extra = map;
            }
            fates.extend(tree.fates.into_iter().map(|(leaf, fate)| {
                let kept = || Fate::Kept {
                    to: format!("{to}{leaf}"),
                };
                let fate = fate.unwrap_or_else(kept);
                (Place::new(tree.file, leaf), fate)
            }));
        }
        (fates, extra)
    }
}

impl Tree<'_> {
    fn is_empty_leaf(&self, pointer: &str) -> bool {
        self.fates.contains_key(pointer) && self.root.at(pointer).is_some_and(is_empty)
    }

    fn claim(&mut self, pointer: &str, fate: impl Fn(&str) -> Fate) {
        for (leaf, slot) in self.fates.range_mut(pointer.to_owned()..) {
            let Some(rest) = leaf.strip_prefix(pointer) else {
                break;
            };
            if slot.is_none() && (rest.is_empty() || rest.starts_with('/')) {
                *slot = Some(fate(rest));
            }
        }
    }

    /// Returns the unclaimed part of a value. If only some elements of a list are left, they become
    /// an object with the positions as keys.
    fn unclaimed(&self, node: &Node, pointer: &str) -> Option<Value> {
        match &node.kind {
            Kind::Object(members) if !members.is_empty() => {
                let entries = members.iter().filter_map(|member| {
                    let at = format!("{pointer}/{}", escape_pointer(&member.key));
                    Some((member.key.clone(), self.unclaimed(&member.value, &at)?))
                });
                let map: Map<_, _> = entries.collect();
                (!map.is_empty()).then_some(Value::Object(map))
            }
            Kind::Array(items) if !items.is_empty() => {
                let entries = items.iter().enumerate().filter_map(|(at, item)| {
                    Some((
                        at.to_string(),
                        self.unclaimed(item, &format!("{pointer}/{at}"))?,
                    ))
                });
                let map: Map<_, _> = entries.collect();
                if map.len() == items.len() {
                    Some(Value::Array(
                        map.into_iter().map(|(_, value)| value).collect(),
                    ))
                } else {
                    (!map.is_empty()).then_some(Value::Object(map))
                }
            }
            _ => {
                let is_free = self.fates.get(pointer).is_some_and(Option::is_none);
                is_free.then(|| node.to_value())
            }
        }
    }
}

/// Returns the place of a part of the value at `to`.
fn below(to: &str, rest: &str) -> String {
    if to.contains("#/") {
        format!("{to}{rest}")
    } else {
        to.to_owned()
    }
}

fn is_empty(node: &Node) -> bool {
    match &node.kind {
        Kind::Null => true,
        Kind::Array(items) => items.is_empty(),
        Kind::Object(members) => members.is_empty(),
        Kind::String(text) => text.is_empty(),
        Kind::Bool(_) | Kind::Number(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Claims `file pointer` pairs, and compares the rest and the fates as `file pointer word to`.
    #[track_caller]
    fn check(documents: &[(&str, &str)], claimed: &[&str], extra: &str, expected: &[&str]) {
        let documents: Vec<Document<'_>> = documents
            .iter()
            .map(|(file, text)| Document {
                file: (*file).into(),
                text,
                root: plugin_model::parse_json(text).0.expect("valid JSON"),
                keys: &[],
            })
            .collect();
        let mut ledger = Ledger::new(&documents);
        for claim in claimed {
            let (file, pointer) = claim.split_once(' ').expect("a file and a pointer");
            ledger.carried(&Place::new(&file.into(), pointer), "x");
        }
        let (fates, rest) = ledger.settle();
        assert_eq!(Value::Object(rest).to_string(), extra);
        let fates = fates.iter().map(|(place, fate)| {
            let to = match fate {
                Fate::Kept { to } => to.trim_start_matches(METADATA),
                _ => "",
            };
            let line = format!("{} {} {} {to}", place.file, place.pointer, fate.word());
            line.trim_end().to_owned()
        });
        assert_eq!(fates.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn what_nobody_claims_is_kept() {
        check(
            &[("m", r#"{"a":1,"b":{"c":[]}}"#)],
            &["m /a"],
            r#"{"b":{"c":[]}}"#,
            &["m /a carried", "m /b/c kept /legacy/extra/b/c"],
        );
        check(
            &[("m", r#"{"a":1,"ab":2}"#)],
            &["m /a"],
            r#"{"ab":2}"#,
            &["m /a carried", "m /ab kept /legacy/extra/ab"],
        );
        check(
            &[("m", r#"{"a":[1,2],"b":[3]}"#)],
            &["m /a/0"],
            r#"{"a":{"1":2},"b":[3]}"#,
            &[
                "m /a/0 carried",
                "m /a/1 kept /legacy/extra/a/1",
                "m /b/0 kept /legacy/extra/b/0",
            ],
        );
        check(
            &[("m", r#"{"a/b":{"x":1}}"#)],
            &["m /a~1b"],
            "{}",
            &["m /a~1b/x carried"],
        );
    }

    #[test]
    fn documents_are_kept_apart() {
        check(
            &[("a/m", r#"{"x":1,"y":2}"#), ("b", r#"{"x":3}"#), ("c", "4")],
            &["a/m /x", "c ", "d /x"],
            r#"{"a/m":{"y":2},"b":{"x":3}}"#,
            &[
                "a/m /x carried",
                "a/m /y kept /legacy/extra/a~1m/y",
                "b /x kept /legacy/extra/b/x",
                "c  carried",
            ],
        );
    }
}
