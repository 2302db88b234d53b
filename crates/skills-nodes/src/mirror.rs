//! The skills of other machines as a directory of skills, the last in the order.
//!
//! The skills of living nodes are written into a directory of the user's caches before skills are
//! read. A local skill hides a skill of the same name.

use std::path::Path;

use anyhow::Context as _;
use skill_loader::Digest;
use skill_nats::Server;
use skill_nats::catalog::CatalogDirectory;
use skills_cli::nodes::NodesArgs;
use skills_cli::output::Streams;

use crate::nats;

/// The name of the directory beneath the user's directory of caches.
const CACHE: &str = "skills-nodes";

/// Returns the directory of the skills of the nodes that the flags name, if they name any.
///
/// # Errors
///
/// No directory was named, and the user has no directory of caches.
pub fn directory(args: &NodesArgs) -> anyhow::Result<Option<CatalogDirectory>> {
    let Some(server) = server(args) else {
        return Ok(None);
    };
    let dir = match &args.nodes_dir {
        Some(dir) => dir.clone(),
        None => {
            let caches = args.caches.find(CACHE);
            let (root, dir) =
                caches.context("found no directory of caches, expected --nodes-dir DIR")?;
            // Each user of a server may see other skills.
            let user = format!("{} {:?}", server.url, server.inbox);
            let name = &Digest::from_content(user.as_bytes()).hex()[..16];
            root.path().join(dir).join(name)
        }
    };
    let prefer = args.prefer.clone();
    Ok(Some(CatalogDirectory::new(server, dir, prefer)))
}

/// Writes the skills of nodes into the directory once, and returns its path. If that fails, warns
/// and returns `None`: the skills that were written earlier may no longer exist.
pub(crate) fn refresh<'d>(
    directory: &'d CatalogDirectory,
    streams: &mut Streams,
) -> anyhow::Result<Option<&'d Path>> {
    match nats::runtime()?.block_on(directory.refresh()) {
        Ok(mirrored) => {
            for (name, reason) in &mirrored.refused {
                let what = format!("the skill {name} of a node");
                streams.remark(&format!("warning: {what}: {reason}"))?;
            }
            for entry in &mirrored.malformed {
                streams.remark(&format!("warning: {entry}"))?;
            }
            Ok(Some(directory.dir()))
        }
        Err(error) => {
            let what = "the skills of nodes are left out";
            streams.remark(&format!("warning: {what}: {error}"))?;
            Ok(None)
        }
    }
}

/// Writes the skills of nodes into the directory as long as the process lives. Problems are logged.
///
/// # Errors
///
/// The system has no threads for the network, or the directory cannot be written.
pub fn follow(directory: CatalogDirectory) -> anyhow::Result<()> {
    let runtime = nats::runtime()?;
    Ok(directory.follow(runtime, |problem| tracing::warn!("{problem}"))?)
}

/// Returns the server that the flags name.
pub fn server(args: &NodesArgs) -> Option<Server> {
    let url = args.nodes.as_deref()?;
    Some(nats::server(&args.login, url))
}
