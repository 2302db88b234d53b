//! What can go wrong between this machine and the others.

use crate::catalog::MalformedEntry;

/// Why something could not be done through the server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no connection.
    #[error("cannot connect to the NATS server {server}: {problem}")]
    Connect {
        /// Host and port, without a password.
        server: String,
        /// What the client library says.
        problem: String,
    },
    /// A file with credentials or certificates is no such file.
    #[error("cannot use {path} for the NATS connection: {problem}")]
    Credentials {
        /// The path as it was given.
        path: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The server, or the account on it, refused.
    #[error("cannot {action}: {problem}")]
    Refused {
        /// What was tried, as a verb phrase.
        action: &'static str,
        /// What the server or the client library says.
        problem: String,
    },
    /// What somebody else wrote there cannot be understood.
    #[error("{what} on the server is not understood: {problem}")]
    Foreign {
        /// What it is.
        what: &'static str,
        /// What is wrong with it.
        problem: String,
    },
    /// A name that would mean something else in a subject.
    #[error("`{name}` is no {what}: expected 1 to 64 of a-z, A-Z, 0-9, `-` and `_`")]
    Name {
        /// What it should name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Another node took the name.
    #[error("another node with the name `{node}` is on the server now")]
    Replaced {
        /// The name.
        node: String,
    },
    /// A node gave something that is not what was asked for.
    #[error("the node `{node}` does not give the skill `{skill}` as it is listed: {problem}")]
    NotAsListed {
        /// The node.
        node: String,
        /// The skill.
        skill: String,
        /// What is wrong.
        problem: String,
    },
    /// Nodes offer different skills under one name, and nobody said which is meant.
    #[error(
        "the nodes differ on the skill `{skill}`: {offers}; name the node whose skill is meant (--prefer NODE), or offer it on one of them only"
    )]
    Differ {
        /// The name.
        skill: String,
        /// Which node offers which digest.
        offers: String,
    },
    /// The only entries of a skill in the catalog cannot be used.
    #[error(transparent)]
    Malformed(#[from] MalformedEntry),
    /// The nodes speak another version of the protocol.
    #[error(
        "the node `{node}` offers the skill `{skill}` with version {theirs} of the protocol, and this is version {}; update the older of the two",
        crate::version::PROTOCOL
    )]
    Protocol {
        /// One of the nodes.
        node: String,
        /// The skill.
        skill: String,
        /// Its version.
        theirs: u32,
    },
    /// A node is in the catalogue and does not answer.
    #[error(
        "the node `{node}` is too slow: it kept this reader waiting for {waited_s} seconds in all, so it is left out this time"
    )]
    Silent {
        /// The node.
        node: String,
        /// How long it was waited for, in seconds.
        waited_s: u64,
    },
    /// A migration of that name is under way, over other directories or with other settings.
    #[error(
        "the job `{job}` on the server is over another collection or other settings than these"
    )]
    OtherCollection {
        /// Name of the job.
        job: String,
    },
    /// No migration of that name was put on the server.
    #[error("there is no job `{job}` on the server, after {waited_s} seconds of waiting")]
    NoJob {
        /// Name of the job.
        job: String,
        /// How long it was waited for, in seconds.
        waited_s: u64,
    },
}

impl Error {
    /// The code and the reason in the answer to a call that fails because of this.
    pub(crate) fn code(&self) -> (&'static str, &'static str) {
        match self {
            Self::Differ { .. } => ("ambiguous", "nodes-differ"),
            Self::Protocol { .. } => ("unavailable", "protocol"),
            Self::Malformed(_) => ("unavailable", "catalog-entry"),
            _ => ("unavailable", "server"),
        }
    }

    /// Whether waiting does not help.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(self, Self::Differ { .. } | Self::Protocol { .. })
    }

    /// For `map_err`: the server refused to do this.
    pub(crate) fn refused<E: std::fmt::Display>(action: &'static str) -> impl Fn(E) -> Self {
        move |error| Self::Refused {
            action,
            problem: error.to_string(),
        }
    }
}

/// Longest name of a node or job: a token of a subject.
const MAX_NAME: usize = 64;

/// Checks a name that becomes one token of a subject, a key and a bucket: no dot, no wildcard.
pub(crate) fn check_name(what: &'static str, name: &str) -> Result<(), Error> {
    let is_fine = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if (1..=MAX_NAME).contains(&name.len()) && name.bytes().all(is_fine) {
        return Ok(());
    }
    Err(Error::Name {
        what,
        name: name.escape_debug().to_string(),
    })
}
