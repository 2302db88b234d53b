//! `skills-migrate package`: arguments and report.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use skill_packages::{PackOptions, Version, json, pack, text};
use skills_cli::ExitStatus;
use skills_cli::output::{ColorChoice, Streams};

use crate::settings::Format;

/// The command line of `skills-migrate package`.
#[derive(Debug, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "one for each switch")]
pub(super) struct PackageArgs {
    /// Directory of skills
    #[arg(value_name = "SKILLS")]
    skills: PathBuf,
    /// Directory of the package; created if missing
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Name of the package [default: that of the package or directory SKILLS]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Purpose of the package [default: the names of its first skills]
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Author or organization
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// License of the skills, as an SPDX identifier
    #[arg(long, value_name = "SPDX")]
    license: Option<String>,
    /// Version of the package [default: 1.0.0, then what the changes since the last package ask for]
    #[arg(long, value_name = "VERSION")]
    release: Option<Version>,
    /// Pack only skills whose name matches (can be repeated)
    #[arg(long, value_name = "GLOB")]
    only: Vec<String>,
    /// Leave out skills that cannot be run
    #[arg(long)]
    only_runnable: bool,
    /// Write no archives of single skills
    #[arg(long)]
    no_archives: bool,
    /// Do not let hosts start skills-serve for the package
    #[arg(long)]
    no_server: bool,
    /// Format of the report
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    format: Format,
    /// Also report notes, such as files that are not packed
    #[arg(long, short)]
    verbose: bool,
}

/// Packs, and reports the version, the changes and what was left out.
pub(super) fn run(args: &PackageArgs, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    let options = PackOptions {
        name: args.name.clone(),
        description: args.description.clone(),
        author: args.author.clone(),
        license: args.license.clone(),
        version: args.release,
        only: args.only.clone(),
        only_runnable: args.only_runnable,
        archives: !args.no_archives,
        server: !args.no_server,
    };
    let packed = pack(&args.skills, &args.out, &options)?;
    if args.format == Format::Json {
        streams.write_json(&json(&packed))?;
    } else {
        let paint = streams.paint(ColorChoice::Auto);
        let (result, findings) = text(&packed, &args.out, args.verbose, paint);
        write!(streams.stderr, "{findings}")?;
        write!(streams.stdout, "{result}")?;
    }
    Ok(ExitStatus::fine_if(packed.is_complete()))
}
