//! The skills of all nodes: a bucket to which each node writes its own entries.
//!
//! - `union`: one skill for each name, out of the entries of all nodes.
//! - `publish`: the entries of this node; `fetch`: the files of a skill; `mirror`: skills as a
//!   directory.

mod fetch;
mod follow;
mod json;
mod malformed;
mod mirror;
mod publish;
mod union;

use std::collections::BTreeSet;

use async_nats::jetstream;
use skill_loader::Hasher;

pub(crate) use fetch::answer_file;
pub use fetch::fetch;
pub use follow::CatalogDirectory;
pub use malformed::MalformedEntry;
pub use mirror::{Mirrored, forget, mirror};
pub(crate) use publish::{publish, renew, withdraw};
pub use union::{RemoteSkill, Shadowed, Union};

use crate::protocol;
use crate::server::Connection;
use crate::{Error, bucket};

/// Reads the skills of all living nodes.
///
/// `local` are names that are taken. Of different skills with one name, the skill of the first node
/// in `prefer` wins; if none of their nodes is in it, the name is refused.
///
/// # Errors
///
/// If the server refuses or does not answer.
pub async fn read(
    connection: &Connection,
    local: &BTreeSet<String>,
    prefer: &[String],
) -> Result<Union, Error> {
    read_matching(connection, "*.*", local, prefer).await
}

/// Returns the skill of a name, chosen like in [`read`].
///
/// # Errors
///
/// If the name is refused, if its only entries are malformed, or if the server does not answer.
pub async fn find(
    connection: &Connection,
    skill: &str,
    prefer: &[String],
) -> Result<Option<RemoteSkill>, Error> {
    if skill_model::SkillName::new(skill).is_err() {
        return Ok(None);
    }
    let pattern = format!("{skill}.*");
    let mut union = read_matching(connection, &pattern, &BTreeSet::new(), prefer).await?;
    match union.refused.remove(skill) {
        Some(error) => Err(error),
        None => match (union.skills.remove(skill), union.malformed.pop()) {
            (None, Some(malformed)) => Err(malformed.into()),
            (found, _) => Ok(found),
        },
    }
}

async fn read_matching(
    connection: &Connection,
    pattern: &str,
    local: &BTreeSet<String>,
    prefer: &[String],
) -> Result<Union, Error> {
    let context = jetstream::new(connection.client.clone());
    // A server without nodes has no catalog either.
    let (Some(nodes), Some(catalog)) = (
        bucket::find(&context, protocol::NODES).await?,
        bucket::find(&context, protocol::CATALOG).await?,
    ) else {
        return Ok(Union::default());
    };
    let alive = bucket::keys(&nodes).await?;
    let entries = bucket::snapshot(&catalog, pattern).await?;
    Ok(union::union(&entries, &alive, local, prefer))
}

/// Returns the digest of a skill from its published files with their digests (`sha256:…`).
///
/// It is the SHA-256 of a line for each file, sorted by path: path, NUL and digest. `program` is the
/// digest of everything that runs on the node, including hidden files, links and executable bits. If
/// it is known, a last line has NUL and that digest, so that nodes with one digest run the same.
///
/// ```
/// use skill_nats::catalog::digest_of_skill;
///
/// let files = [("SKILL.md".to_owned(), format!("sha256:{}", "0".repeat(64)))];
/// let digest = digest_of_skill(&files, None);
/// assert!(digest.starts_with("sha256:"));
/// assert_ne!(digest, digest_of_skill(&files, Some("sha256:1")));
/// ```
pub fn digest_of_skill(files: &[(String, String)], program: Option<&str>) -> String {
    let mut sorted: Vec<_> = files.iter().collect();
    sorted.sort();
    let mut hasher = Hasher::default();
    for (path, digest) in sorted {
        hasher.update(format!("{path}\0{digest}\n").as_bytes());
    }
    if let Some(program) = program {
        hasher.update(format!("\0{program}\n").as_bytes());
    }
    hasher.finish().to_string()
}
