//! What living nodes offer.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use skill_nats::Server;
use skill_nats::catalog::{self, MalformedEntry, Shadowed};
use skill_nats::node::NodeSettings;

use super::args::World;
use super::target;
use skills_cli::{ExitStatus, output::Streams};
use skills_nodes::nats;

/// Version of the answer.
const SCHEMA: u32 = 1;

/// Makes the buckets, as an administrator of the server.
pub(super) fn prepare(server: &Server) -> anyhow::Result<()> {
    nats::runtime()?.block_on(async {
        let connection = server.connect("skills-run nodes").await?;
        let grace = NodeSettings::new("").grace;
        anyhow::Ok(skill_nats::node::prepare(&connection, grace).await?)
    })
}

/// Lists the skills of all nodes, or mirrors them into a directory. Names of skills in the
/// directories that were named are taken.
pub(super) fn run(
    server: &Server,
    mirror: Option<PathBuf>,
    prefer: &[String],
    world: World,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let local: BTreeSet<String> = if world.skills.is_empty() {
        BTreeSet::new()
    } else {
        let skills = target::all(world.skills)?.into_iter();
        skills.map(|skill| skill.metadata.name).collect()
    };
    let (answer, is_whole) = nats::runtime()?.block_on(async {
        let connection = server.connect("skills-run nodes").await?;
        match mirror {
            None => {
                let union = catalog::read(&connection, &local, prefer).await?;
                let is_whole = union.refused.is_empty() && union.malformed.is_empty();
                anyhow::Ok((listed(&union), is_whole))
            }
            Some(out) => {
                let done = catalog::mirror(&connection, &out, &local, prefer).await?;
                let is_whole = done.refused.is_empty() && done.malformed.is_empty();
                Ok((mirrored(&done), is_whole))
            }
        }
    })?;
    writeln!(streams.stdout, "{answer:#}")?;
    Ok(if is_whole {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

fn listed(union: &catalog::Union) -> Value {
    let skills = union.skills.values().map(|skill| {
        json!({
            "name": skill.name,
            "version": skill.version,
            "description": skill.description,
            "digest": skill.digest,
            "nodes": skill.nodes,
            "idempotent": skill.idempotent,
            "metadata": skill.metadata,
        })
    });
    let refused = union.refused.iter();
    let refused = refused.map(|(name, error)| (name.clone(), error.to_string().into()));
    json!({
        "schema": SCHEMA,
        "skills": skills.collect::<Vec<_>>(),
        "shadowed": shadowed(&union.shadowed),
        "refused": refused.collect::<serde_json::Map<_, _>>(),
        "malformed": malformed(&union.malformed),
    })
}

fn mirrored(done: &catalog::Mirrored) -> Value {
    json!({
        "schema": SCHEMA,
        "written": done.written,
        "unchanged": done.unchanged,
        "removed": done.removed,
        "refused": done.refused,
        "shadowed": shadowed(&done.shadowed),
        "malformed": malformed(&done.malformed),
    })
}

fn malformed(entries: &[MalformedEntry]) -> Vec<Value> {
    let one = |entry: &MalformedEntry| {
        json!({
            "node": entry.node,
            "subject": entry.subject,
            "problem": entry.problem,
        })
    };
    entries.iter().map(one).collect()
}

fn shadowed(skills: &[Shadowed]) -> Vec<Value> {
    let one = |skill: &Shadowed| {
        json!({
            "name": skill.name,
            "digest": skill.digest,
            "nodes": skill.nodes,
            "by": if skill.by_local { "local" } else { "node" },
        })
    };
    skills.iter().map(one).collect()
}
