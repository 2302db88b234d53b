//! The fate of every leaf of a manifest.
//!
//! Source: `docs/migration.md`, "Every leaf has a fate".

use std::collections::BTreeMap;

use plugin_manifest::{Kind, Node, escape_pointer};
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
    /// It is only in the copy of the manifest.
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

/// The fates of all leaves of one manifest.
///
/// **Invariant:** [`Ledger::settle`] leaves no leaf without a fate: unclaimed leaves are kept in
/// `legacy.extra`.
#[derive(Debug)]
pub(crate) struct Ledger<'a> {
    root: &'a Node,
    fates: BTreeMap<String, Option<Fate>>,
}

/// Prefix of the sidecar in the `to` of fates.
pub(crate) const METADATA: &str = "METADATA.yml#";

impl<'a> Ledger<'a> {
    pub(crate) fn new(root: &'a Node) -> Self {
        let fates = root.leaves().into_iter().map(|leaf| (leaf, None)).collect();
        Self { root, fates }
    }

    /// Records that the value at `pointer` is unchanged at `to`.
    pub(crate) fn carried(&mut self, pointer: &str, to: &str) {
        self.claim(pointer, |rest| Fate::Carried {
            to: below(to, rest),
        });
    }

    /// Records that the value at `pointer` determined the content of `to`.
    pub(crate) fn transformed(&mut self, pointer: &str, to: &str, how: &'static str) {
        self.claim(pointer, |_| Fate::Transformed {
            to: to.to_owned(),
            how,
        });
    }

    /// Records carried if `exact`, otherwise transformed.
    pub(crate) fn moved(&mut self, pointer: &str, to: &str, exact: bool, how: &'static str) {
        if exact {
            self.carried(pointer, to);
        } else {
            self.transformed(pointer, to, how);
        }
    }

    /// Drops the value at `pointer` if it is null or empty.
    pub(crate) fn dropped_if_empty(&mut self, pointer: &str) {
        if self.fates.contains_key(pointer) && self.root.at(pointer).is_some_and(is_empty) {
            self.claim(pointer, |_| Fate::Dropped {
                why: "it is empty and says nothing",
            });
        }
    }

    /// Gives the leaves at and below `pointer` a fate if they have none yet.
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

    /// Gives every leaf without a fate the last one: kept in `legacy.extra`, which is returned with
    /// the fates.
    pub(crate) fn settle(self) -> (BTreeMap<String, Fate>, Map<String, Value>) {
        let extra = match self.unclaimed(self.root, "") {
            Some(Value::Object(map)) => map,
            _ => Map::new(),
        };
        let fates = self.fates.into_iter().map(|(leaf, fate)| {
            let kept = || Fate::Kept {
                to: format!("{METADATA}/legacy/extra{leaf}"),
            };
            let fate = fate.unwrap_or_else(kept);
            (leaf, fate)
        });
        (fates.collect(), extra)
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

    #[track_caller]
    fn check(json: &str, claimed: &[&str], extra: &str, words: &[&str]) {
        let (node, _) = plugin_manifest::parse_json(json);
        let node = node.expect("valid JSON");
        let mut ledger = Ledger::new(&node);
        for pointer in claimed {
            ledger.carried(pointer, "x");
        }
        let (fates, rest) = ledger.settle();
        assert_eq!(Value::Object(rest).to_string(), extra);
        assert_eq!(fates.values().map(Fate::word).collect::<Vec<_>>(), words);
    }

    #[test]
    fn what_nobody_claims_is_kept() {
        check(
            r#"{"a":1,"b":{"c":[]}}"#,
            &["/a"],
            r#"{"b":{"c":[]}}"#,
            &["carried", "kept"],
        );
        check(
            r#"{"a":1,"ab":2}"#,
            &["/a"],
            r#"{"ab":2}"#,
            &["carried", "kept"],
        );
        check(
            r#"{"a":[1,2],"b":[3]}"#,
            &["/a/0"],
            r#"{"a":{"1":2},"b":[3]}"#,
            &["carried", "kept", "kept"],
        );
        check(r#"{"a/b":{"x":1}}"#, &["/a~1b"], "{}", &["carried"]);
    }
}
