//! The skills that one agent has received so far.

pub(crate) mod by_id;

use std::collections::{BTreeMap, VecDeque};

use rmcp::{Peer, RoleServer};
use serde_json::{Value, json};
use skill_loader::Digest;

use crate::server_log::Severity;

/// The part of a skill that an agent has received.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Level {
    /// A part of the instructions.
    Part,
    /// All of the instructions.
    Body,
}

impl Level {
    fn word(self) -> &'static str {
        match self {
            Self::Part => "part",
            Self::Body => "body",
        }
    }
}

/// A skill that an agent has received.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Active {
    pub(crate) name: String,
    /// The digest of the `SKILL.md` that was returned.
    pub(crate) digest: Digest,
    pub(crate) level: Level,
    /// The estimated tokens of all texts of the skill that were returned.
    pub(crate) tokens: usize,
}

/// The state of one connection. The server cannot see what a host forgets, so an agent may always
/// ask again.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// Sorted by use; the most recently used one is the last.
    active: VecDeque<Active>,
    /// Skills that a person allowed to run until the session ends, with the digest of what ran.
    approved: BTreeMap<String, String>,
    /// The connection, which is notified when commands are listed after a skill was read.
    pub(crate) peer: Option<Peer<RoleServer>>,
    /// The lowest severity of log messages that the client wants; all of them if it set none.
    pub(crate) log_level: Option<Severity>,
    n_reads: u64,
    n_repeats: u64,
    tokens: u64,
}

impl Session {
    /// Returns the skill if all of its current text was returned, and marks it as used.
    pub(crate) fn holds(&mut self, name: &str, digest: &Digest) -> Option<&Active> {
        let is_held = |a: &Active| a.name == name && a.digest == *digest && a.level == Level::Body;
        let at = self.active.iter().position(is_held)?;
        let active = self.active.remove(at)?;
        self.active.push_back(active);
        self.n_repeats += 1;
        self.active.back()
    }

    /// Records a text that was returned and gives the names of the skills that were evicted.
    pub(crate) fn record(&mut self, returned: Active, max_active: usize) -> Vec<String> {
        self.n_reads += 1;
        self.tokens += returned.tokens as u64;
        let known = self.active.iter().position(|a| a.name == returned.name);
        let last = known.and_then(|at| self.active.remove(at));
        let mut active = returned;
        if let Some(last) = last.filter(|last| last.digest == active.digest) {
            active.level = active.level.max(last.level);
            active.tokens += last.tokens;
        }
        self.active.push_back(active);
        let n_over = self.active.len().saturating_sub(max_active.max(1));
        self.active.drain(..n_over).map(|a| a.name).collect()
    }

    /// Removes a skill; returns `None` if it was not active.
    pub(crate) fn unload(&mut self, name: &str) -> Option<Active> {
        let at = self.active.iter().position(|a| a.name == name)?;
        self.active.remove(at)
    }

    /// Returns true if a person allowed this skill until the end of the session, with exactly this
    /// digest of everything that runs.
    pub(crate) fn is_approved(&self, name: &str, digest: &str) -> bool {
        self.approved.get(name).is_some_and(|known| known == digest)
    }

    /// Records that a person allowed this skill to run until the end of the session, with this
    /// digest.
    pub(crate) fn approve(&mut self, name: &str, digest: &str) {
        self.approved.insert(name.to_owned(), digest.to_owned());
    }

    /// Returns the names of the active skills, the most recently used one last.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.active.iter().map(|a| a.name.as_str()).collect()
    }

    /// Returns the state as JSON, for a host that attaches again after it has lost its own.
    pub(crate) fn report(&self) -> Value {
        let active = self.active.iter().map(|a| {
            json!({
                "skill_name": a.name,
                "digest": a.digest.to_string(),
                "level": a.level.word(),
                "tokens": a.tokens,
            })
        });
        json!({
            "active": active.collect::<Vec<_>>(),
            "reads": self.n_reads,
            "repeats": self.n_repeats,
            "tokens": self.tokens,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn active(name: &str, of: &[u8], level: Level) -> Active {
        Active {
            name: name.to_owned(),
            digest: Digest::from_content(of),
            level,
            tokens: 10,
        }
    }

    #[test]
    fn only_the_same_whole_text_is_held() {
        let mut session = Session::default();
        session.record(active("a", b"1", Level::Part), 2);
        assert_eq!(session.holds("a", &Digest::from_content(b"1")), None);
        session.record(active("a", b"1", Level::Body), 2);
        assert_eq!(
            session
                .holds("a", &Digest::from_content(b"1"))
                .map(|a| a.tokens),
            Some(20)
        );
        assert_eq!(session.holds("a", &Digest::from_content(b"2")), None);
        session.record(active("a", b"2", Level::Part), 2);
        assert_eq!(session.holds("a", &Digest::from_content(b"2")), None);
    }

    #[test]
    fn the_least_recently_used_skill_is_evicted() {
        let mut session = Session::default();
        session.record(active("a", b"", Level::Body), 2);
        session.record(active("b", b"", Level::Body), 2);
        assert!(session.holds("a", &Digest::from_content(b"")).is_some());
        let evicted = session.record(active("c", b"", Level::Body), 2);
        assert_eq!(evicted, ["b"]);
        assert_eq!(session.names(), ["a", "c"]);
        assert!(session.unload("b").is_none());
        assert!(session.unload("a").is_some());
        assert_eq!(session.report()["tokens"], 30);
        assert_eq!(session.report()["repeats"], 1);
    }
}
