//! What can go wrong between this machine and the others.

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
