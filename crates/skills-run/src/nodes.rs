//! The skills of living nodes.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;

use skill_executor::target;
use skill_nats::Server;
use skill_nats::catalog;
use skill_nats::node::NodeSettings;

use crate::args::Locations;
use skills_cli::{ExitStatus, output::Streams};
use skills_nodes::nats;

/// Creates the buckets, with the rights of an administrator of the server.
pub(super) fn prepare(server: &Server) -> anyhow::Result<()> {
    nats::runtime()?.block_on(async {
        let connection = server.connect("skills-run nodes").await?;
        let grace = NodeSettings::new("").grace;
        anyhow::Ok(skill_nats::node::prepare(&connection, grace).await?)
    })
}

/// Lists the skills of all nodes, or mirrors them into a directory. Skills in the directories that
/// were named hide those of nodes.
pub(super) fn run(
    server: &Server,
    mirror: Option<PathBuf>,
    prefer: &[String],
    locations: Locations,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let local: BTreeSet<String> = if locations.skills.is_empty() {
        BTreeSet::new()
    } else {
        let skills = target::all(locations.skills)?.into_iter();
        skills.map(|skill| skill.metadata.name).collect()
    };
    let (answer, is_whole) = nats::runtime()?.block_on(async {
        let connection = server.connect("skills-run nodes").await?;
        match mirror {
            None => {
                let union = catalog::read(&connection, &local, prefer).await?;
                anyhow::Ok((union.to_json(), union.is_whole()))
            }
            Some(out) => {
                let mirrored = catalog::mirror(&connection, &out, &local, prefer).await?;
                Ok((mirrored.to_json(), mirrored.is_whole()))
            }
        }
    })?;
    writeln!(streams.stdout, "{answer:#}")?;
    Ok(ExitStatus::fine_if(is_whole))
}
