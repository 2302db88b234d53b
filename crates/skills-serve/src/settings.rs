//! The settings of the arguments.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use skill_disclosure::Mode;
use skill_executor::auth_code::with_auth_code;
use skill_executor::call::Host;
use skill_executor::environment::{HostEnvironment, from_process};
use skill_executor::state::{State, directory};
use skill_executor::{prepare, target};
use skill_loader::catalog::CatalogSettings;
use skill_loader::fs::resolve;
use skill_mcp::http::{HttpLimits, HttpSettings, Token};
use skill_mcp::{RunPolicy, Runner, ToolNames};

use crate::about::About;
use crate::args::{Args, ModeArg};
use skill_executor::config::read_file;
use skill_model::wildcard;
use skills_cli::{input, output::Streams};
use skills_nodes::nats;
use skills_run::executors::executors;

/// The maximum size of a file with a token, in bytes.
const MAX_TOKEN: u64 = 64 * 1024;

/// The settings; every default is filled in.
pub(super) struct Settings {
    server: skill_mcp::Settings,
    pub(super) transport: Transport,
    /// The number of skills whose processes are started in advance.
    pub(super) preload: usize,
    run: Option<RunSettings>,
}

/// The skills that may be run, and their environment.
struct RunSettings {
    globs: Vec<String>,
    host: Host,
    config: Option<String>,
    nats: Option<skill_nats::Distributed>,
    hidden: Vec<PathBuf>,
}

/// The transport to agents.
pub(super) enum Transport {
    Stdio,
    Http(SocketAddr, Box<HttpSettings>),
}

impl Settings {
    pub(super) fn resolve(args: &Args, streams: &Streams) -> anyhow::Result<Self> {
        let transport = match args.http {
            None => Transport::Stdio,
            Some(address) => Transport::Http(address, Box::new(http(args, address)?)),
        };
        ensure!(
            (0.05..=3600.0).contains(&args.recheck),
            "--recheck takes 0.05 to 3600 seconds"
        );
        let directory = skills_nodes::directory(&args.roots.nodes)?;
        let nodes = directory
            .as_ref()
            .map(|directory| directory.dir().to_owned());
        let nodes = nodes.as_deref();
        if let Some(directory) = directory {
            skills_nodes::follow(directory)?;
        }
        let run = run(args, nodes)?;
        let names = ToolNames::parse(&args.tool_names).context("--tool-names")?;
        Ok(Self {
            server: skill_mcp::Settings {
                catalog: catalog(args, nodes)?,
                names,
                tools: args.tools,
                directories: args.http.is_none_or(|address| address.ip().is_loopback()),
                mode: mode(args.mode),
                instructions: args.instructions,
                recheck: Duration::from_secs_f64(args.recheck),
                max_active: args.max_active,
                about: Some(Arc::new(About)),
                language: streams.language,
                ..skill_mcp::Settings::default()
            },
            transport,
            preload: args.preload,
            run,
        })
    }
}

/// Returns the directories of skills. A directory that does not exist is an error.
pub(super) fn catalog(args: &Args, nodes: Option<&Path>) -> anyhow::Result<CatalogSettings> {
    args.roots.catalog(&args.skills, nodes, "SKILLS_DIR")
}

fn mode(mode: ModeArg) -> Mode {
    match mode {
        ModeArg::Progressive => Mode::Progressive,
        ModeArg::Eager => Mode::Eager,
        ModeArg::Hybrid => Mode::Hybrid,
    }
}

/// Returns the environment of skills that are run, and the state directory.
pub(super) fn host(args: &Args) -> anyhow::Result<(Host, PathBuf)> {
    let file = args.auth_code_file.as_deref();
    let (environment, warning) = with_auth_code(from_process(), file);
    if let Some(warning) = warning {
        tracing::warn!("{warning}");
    }
    let path = directory(args.state.clone(), &environment)?;
    let state = State::open(&path).map_err(|failure| anyhow!(failure.message))?;
    let environment = HostEnvironment::from_caller(environment, &args.allow_env);
    let host = Host {
        allow_shell: args.allow_shell,
        sandbox: args.sandbox.sandbox(),
        strict: true,
        ..Host::new(state, environment)
    };
    Ok((host, path))
}

/// Returns the text of the configuration of skills that are run.
pub(super) fn config(args: &Args) -> anyhow::Result<Option<String>> {
    let text = args.config.as_deref().map(read_file).transpose();
    text.context("cannot read the configuration")
}

fn run(args: &Args, nodes: Option<&Path>) -> anyhow::Result<Option<RunSettings>> {
    if args.allow_run.is_empty() {
        return Ok(None);
    }
    let (host, state) = host(args)?;
    if args.prepare {
        install(args, &host)?;
    }
    let mut hidden = vec![resolve(&state)?, std::path::absolute(state)?];
    let roots = [
        &args.skills,
        &args.roots.user_skills,
        &args.roots.built_in_skills,
    ];
    for dir in roots.into_iter().flatten().map(Path::new).chain(nodes) {
        hidden.extend([std::path::absolute(dir)?, resolve(dir)?]);
    }
    Ok(Some(RunSettings {
        globs: args.allow_run.clone(),
        config: config(args)?,
        nats: distributed_executor(args, &host),
        host,
        hidden,
    }))
}

/// Installs the packages of the skills of the project that may be run.
fn install(args: &Args, host: &Host) -> anyhow::Result<()> {
    let allows = |name: &str| {
        args.allow_run
            .iter()
            .any(|glob| wildcard::matches(glob, name))
    };
    let mut skills = target::all(args.skills.clone())?;
    skills.retain(|skill| allows(&skill.metadata.name));
    let settings = prepare::settings(Vec::new());
    let mut remark = |line: &str| drop(writeln!(std::io::stderr(), "{line}"));
    let prepared = prepare::prepare(&skills, &host.state, &settings, &mut remark);
    prepared
        .map(drop)
        .map_err(|failure| anyhow!(failure.message))
}

/// Returns the executor of skills on other machines, if a server was named.
fn distributed_executor(args: &Args, host: &Host) -> Option<skill_nats::Distributed> {
    let nodes = &args.roots.nodes;
    let url = || host.environment.setting(nats::URL);
    let from_environment = || Some(nats::server(&nodes.login, url()?));
    let server = skills_nodes::server(nodes).or_else(from_environment)?;
    Some(skill_nats::Distributed::preferring(server, &nodes.prefer))
}

impl Settings {
    /// Returns the settings of the server. Results of asynchronous skills arrive at `address`.
    pub(super) fn server(self, address: Option<SocketAddr>) -> skill_mcp::Settings {
        let mut res = self.server;
        let Some(run) = self.run else {
            return res;
        };
        let policy = RunPolicy::matching(run.globs);
        let executors = executors(run.nats);
        let mut runner = Runner::new(policy, run.host, run.config, executors, &run.hidden)
            .with_paths(res.directories);
        if let Some(address) = address {
            runner = runner.with_callbacks(format!("http://{address}/plugin-callback"));
        }
        res.run = Some(Arc::new(runner));
        res
    }
}

fn http(args: &Args, address: SocketAddr) -> anyhow::Result<HttpSettings> {
    let token = match &args.token_file {
        Some(path) => {
            let text = input::text(path, MAX_TOKEN).context("cannot read the token")?;
            Some(Token::new(&text)?)
        }
        None => None,
    };
    let mut limits = HttpLimits::default();
    if let Some(rate) = args.max_rate {
        ensure!(
            rate > 0.0 && rate.is_finite(),
            "--max-rate takes a number above 0"
        );
        (limits.rate, limits.burst) = (rate, (rate * 5.0).max(1.0));
    }
    limits.sessions = args.max_sessions.unwrap_or(limits.sessions);
    let res = HttpSettings {
        token,
        hosts: args.allow_host.clone(),
        origins: args.allow_origin.clone(),
        limits,
    };
    res.check(address)
        .context("refusing --http, give --token-file")?;
    Ok(res)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use skill_loader::catalog::Bounds;

    use super::*;

    #[test]
    fn more_directories_are_searched_where_that_is_asked_for() {
        let usual = Bounds::default().directories;
        for (more, expected) in [(&[][..], usual), (&["--max-directories", "7"], 7)] {
            let words = ["skills-serve", "."].iter().chain(more);
            let args = Args::try_parse_from(words).expect("these are options");
            let found = catalog(&args, None).expect("`.` is a directory");
            assert_eq!(found.bounds.directories, expected);
        }
    }
}
