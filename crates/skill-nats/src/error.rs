//! The errors of the connection between machines.

use crate::catalog::MalformedEntry;

/// An error of an operation that needs the server.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no connection.
    #[error("cannot connect to the NATS server {server}: {problem}")]
    Connect {
        /// Host and port, without a password.
        server: String,
        /// The error of the client library.
        problem: String,
    },
    /// A file with credentials or certificates cannot be used.
    #[error("cannot use {path} for the NATS connection: {problem}")]
    Credentials {
        /// The path as it was passed.
        path: String,
        /// The reason.
        problem: String,
    },
    /// The server, or the account on it, refused.
    #[error("cannot {action}: {problem}")]
    Refused {
        /// The action, as a verb phrase.
        action: &'static str,
        /// The error of the server or the client library.
        problem: String,
    },
    /// A record of another machine cannot be parsed.
    #[error("{what} on the server is not understood: {problem}")]
    Foreign {
        /// The kind of record.
        what: &'static str,
        /// The reason.
        problem: String,
    },
    /// A name that is not one token of a subject.
    #[error("invalid {what} `{name}`: expected 1 to 64 of a-z, A-Z, 0-9, `-` and `_`")]
    Name {
        /// The kind of name.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Another node has taken the name.
    #[error("another node with the name `{node}` is on the server now")]
    Replaced {
        /// The name.
        node: String,
    },
    /// A node sent files that differ from its entry in the catalog.
    #[error("the node `{node}` does not give the skill `{skill}` as it is listed: {problem}")]
    NotAsListed {
        /// The node.
        node: String,
        /// The skill.
        skill: String,
        /// The difference.
        problem: String,
    },
    /// Nodes offer different skills under one name, and none of the nodes is preferred.
    #[error(
        "the nodes differ on the skill `{skill}`: {offers}; name the node whose skill is meant (--prefer NODE), or offer it on one of them only"
    )]
    Differ {
        /// The name.
        skill: String,
        /// The digests with the nodes that offer them.
        offers: String,
    },
    /// The only entries of a skill in the catalog cannot be used.
    #[error(transparent)]
    Malformed(#[from] MalformedEntry),
    /// The nodes use another version of the protocol.
    #[error(
        "the node `{node}` offers the skill `{skill}` with version {theirs} of the protocol, and this is version {}; update the older of the two",
        crate::version::PROTOCOL
    )]
    Protocol {
        /// One of the nodes.
        node: String,
        /// The skill.
        skill: String,
        /// The version of the node.
        theirs: u32,
    },
    /// A node is in the catalog and does not answer.
    #[error(
        "the node `{node}` is too slow: it kept this reader waiting for {waited_s} seconds in all, so it is left out this time"
    )]
    Silent {
        /// The node.
        node: String,
        /// The time that was waited, in seconds.
        waited_s: u64,
    },
    /// A migration with this name is running, over other directories or with other settings.
    #[error(
        "the job `{job}` on the server is over another collection or other settings than these"
    )]
    OtherCollection {
        /// Name of the job.
        job: String,
    },
    /// There is no migration with this name on the server.
    #[error("there is no job `{job}` on the server, after {waited_s} seconds of waiting")]
    NoJob {
        /// Name of the job.
        job: String,
        /// The time that was waited, in seconds.
        waited_s: u64,
    },
}

impl Error {
    /// Returns the code and the reason for the answer to a call that fails because of this error.
    pub(crate) fn code(&self) -> (&'static str, &'static str) {
        match self {
            Self::Differ { .. } => ("ambiguous", "nodes-differ"),
            Self::Protocol { .. } => ("unavailable", "protocol"),
            Self::Malformed(_) => ("unavailable", "catalog-entry"),
            _ => ("unavailable", "server"),
        }
    }

    /// Returns true if waiting does not help.
    pub(crate) fn is_lasting(&self) -> bool {
        matches!(self, Self::Differ { .. } | Self::Protocol { .. })
    }

    /// Returns a function for `map_err`: the server refused an action.
    pub(crate) fn refused<E: std::fmt::Display>(action: &'static str) -> impl Fn(E) -> Self {
        move |error| Self::Refused {
            action,
            problem: error.to_string(),
        }
    }
}

/// The maximum length of the name of a node or job, which is a token of a subject.
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
