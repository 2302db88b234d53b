//! `skills-run --chain`: messages through preprocessors.

use std::path::Path;

use anyhow::{Context as _, ensure};
use serde_json::Value;
use skill_executor::Executor as _;
use skill_executor::call::{Call, Host};
use skill_executor::config::{declared, resolve};
use skill_executor::module::{Modules, chain};
use skill_executor::package::SkillPackage;

use super::{Args, options, print, refused, settings};
use crate::{ExitStatus, interrupt, output::Streams};

/// Runs the chain and prints its answer. A directory that is no skill is an error of the whole.
pub(super) fn run(host: &Host, args: &Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let input = settings::input(args.call.input.as_deref())?;
    ensure!(
        input.is_array(),
        "the input of a chain should be an array of messages"
    );
    let saved = match &args.chain.order {
        Some(file) if !file.is_empty() => order(Path::new(file))?,
        _ => Value::Null,
    };
    let mut skills = Vec::new();
    let dirs = args.chain.chain.as_deref().unwrap_or_default();
    for dir in dirs.split(':').filter(|dir| !dir.is_empty()) {
        match SkillPackage::read(Path::new(dir)) {
            Ok(skill) => skills.push(skill),
            Err(failure) => return refused(dir, failure, streams),
        }
    }
    let mut options = options(&args.call)?;
    options.cancel = interrupt::handle()?;
    let file = args.world.config.as_deref().map(settings::read_file);
    let file = file.transpose().context("cannot read the configuration")?;
    let configs: Vec<_> = skills
        .iter()
        .map(|skill| {
            let declared = declared(&skill.metadata, skill.manifest.as_ref());
            resolve(&declared, file.as_deref(), &host.environment)
        })
        .collect();
    let calls = skills.iter().zip(&configs).map(|(skill, config)| Call {
        skill,
        command: None,
        input: &Value::Null,
        config,
        options: &options,
        host,
    });
    let modules = Modules::default();
    let envelope = chain::run(&modules, &calls.collect::<Vec<_>>(), &saved, input);
    print(&envelope.to_value(), streams)?;
    if options.shutdown {
        modules.shutdown();
    }
    modules.release();
    Ok(if envelope.is_ok() {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// The saved order. The old host went on without it when it was no JSON; here that is an error.
fn order(file: &Path) -> anyhow::Result<Value> {
    let text = settings::read_file(file).context("cannot read the order")?;
    settings::parsed(&text, "the order")
}
