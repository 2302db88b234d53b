//! What one agent has been given so far.

use std::collections::{BTreeMap, VecDeque};

use serde_json::{Value, json};
use skill_loader::Digest;

/// How much of a skill an agent holds.
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

/// A skill that was given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Active {
    pub(crate) name: String,
    /// Of the `SKILL.md` that was given.
    pub(crate) digest: Digest,
    pub(crate) level: Level,
    /// Tokens of all that was given of it, about.
    pub(crate) tokens: usize,
}

/// The memory of one connection. The server cannot see what a host forgets, so an agent may
/// always ask again.
#[derive(Debug, Default)]
pub(crate) struct Session {
    /// The one used last is the last.
    active: VecDeque<Active>,
    /// Skills that a person allowed to run until the end, and the digest of what ran then.
    approved: BTreeMap<String, String>,
    n_reads: u64,
    n_repeats: u64,
    tokens: u64,
}

impl Session {
    /// The skill, if it is active as it lies there now.
    pub(crate) fn holds(&mut self, name: &str, digest: &Digest) -> Option<&Active> {
        let is_held = |a: &Active| a.name == name && a.digest == *digest && a.level == Level::Body;
        let at = self.active.iter().position(is_held)?;
        let active = self.active.remove(at)?;
        self.active.push_back(active);
        self.n_repeats += 1;
        self.active.back()
    }

    /// Notes that something of a skill was given; tells which skills gave way.
    pub(crate) fn gave(&mut self, given: Active, max_active: usize) -> Vec<String> {
        self.n_reads += 1;
        self.tokens += given.tokens as u64;
        let known = self.active.iter().position(|a| a.name == given.name);
        let last = known.and_then(|at| self.active.remove(at));
        let mut active = given;
        if let Some(last) = last.filter(|last| last.digest == active.digest) {
            active.level = active.level.max(last.level);
            active.tokens += last.tokens;
        }
        self.active.push_back(active);
        let n_over = self.active.len().saturating_sub(max_active.max(1));
        self.active.drain(..n_over).map(|a| a.name).collect()
    }

    /// Forgets a skill; nothing if it was not active.
    pub(crate) fn unload(&mut self, name: &str) -> Option<Active> {
        let at = self.active.iter().position(|a| a.name == name)?;
        self.active.remove(at)
    }

    /// Whether a person allowed this skill, with exactly this digest of all that runs, until the
    /// end of the session.
    pub(crate) fn is_approved(&self, name: &str, digest: &str) -> bool {
        self.approved.get(name).is_some_and(|known| known == digest)
    }

    /// A person allowed this skill to run until the end of the session, as it is now.
    pub(crate) fn approve(&mut self, name: &str, digest: &str) {
        self.approved.insert(name.to_owned(), digest.to_owned());
    }

    /// Names of the active skills, the one used last at the end.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.active.iter().map(|a| a.name.as_str()).collect()
    }

    /// For a host that attaches again after it has forgotten something.
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
        session.gave(active("a", b"1", Level::Part), 2);
        assert_eq!(session.holds("a", &Digest::from_content(b"1")), None);
        session.gave(active("a", b"1", Level::Body), 2);
        assert_eq!(
            session
                .holds("a", &Digest::from_content(b"1"))
                .map(|a| a.tokens),
            Some(20)
        );
        assert_eq!(session.holds("a", &Digest::from_content(b"2")), None);
        session.gave(active("a", b"2", Level::Part), 2);
        assert_eq!(session.holds("a", &Digest::from_content(b"2")), None);
    }

    #[test]
    fn the_one_used_longest_ago_gives_way() {
        let mut session = Session::default();
        session.gave(active("a", b"", Level::Body), 2);
        session.gave(active("b", b"", Level::Body), 2);
        assert!(session.holds("a", &Digest::from_content(b"")).is_some());
        let gone = session.gave(active("c", b"", Level::Body), 2);
        assert_eq!(gone, ["b"]);
        assert_eq!(session.names(), ["a", "c"]);
        assert!(session.unload("b").is_none());
        assert!(session.unload("a").is_some());
        assert_eq!(session.report()["tokens"], 30);
        assert_eq!(session.report()["repeats"], 1);
    }
}
