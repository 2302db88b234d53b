//! `skills-run prepare` and `skills-run prune`: the packages of skills.

use std::io::Write as _;

use skill_executor::call::Host;
use skill_executor::envelope::Failure;
use skill_executor::environment::from_process;
use skill_executor::package::SkillPackage;
use skill_executor::prepare::{self, Preparation, Settings, exports};
use skill_executor::target;

use crate::answer::{print, print_failure};
use crate::args::Locations;
use skills_cli::{ExitStatus, output::Streams};

pub(super) fn run(
    host: &Host,
    names: &[String],
    allow_scripts: Vec<String>,
    export: bool,
    locations: Locations,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut skills = Vec::new();
    for name in names {
        match target::find(name, locations.skills.clone())? {
            Ok((skill, _)) => skills.push(skill),
            Err(failure) => return print_failure(name, failure, streams),
        }
    }
    if names.is_empty() {
        skills = target::all(locations.skills)?;
    }
    let settings = Settings {
        allow_scripts,
        environment: from_process(),
    };
    let prepared = with(host, &skills, &settings, streams)
        .and_then(|prepared| Ok((prepared, exports(&skills, &host.state)?)));
    let (prepared, exports) = match prepared {
        Ok(prepared) => prepared,
        Err(failure) => return print_failure("", failure, streams),
    };
    if export {
        write!(streams.stdout, "{exports}")?;
    } else {
        print(&prepared.report, streams)?;
    }
    Ok(if prepared.is_whole {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// Installs the packages of skills before they are called.
pub(super) fn packages(
    host: &Host,
    skills: &[SkillPackage],
    streams: &mut Streams,
) -> Result<Preparation, Failure> {
    let settings = Settings {
        environment: from_process(),
        ..Settings::default()
    };
    with(host, skills, &settings, streams)
}

fn with(
    host: &Host,
    skills: &[SkillPackage],
    settings: &Settings,
    streams: &mut Streams,
) -> Result<Preparation, Failure> {
    prepare::prepare(skills, &host.state, settings, &mut |line| {
        // A closed stream has no reader to inform.
        let _ = writeln!(streams.stderr, "{line}");
    })
}

pub(super) fn prune(host: &Host, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    match prepare::prune(&host.state) {
        Ok(report) => {
            print(&report, streams)?;
            Ok(ExitStatus::Fine)
        }
        Err(failure) => print_failure("", failure, streams),
    }
}
