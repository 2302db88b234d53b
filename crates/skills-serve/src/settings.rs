//! What the arguments mean.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use skill_disclosure::Mode;
use skill_executor::call::Host;
use skill_executor::environment::{HostEnvironment, from_process};
use skill_executor::state::State;
use skill_loader::catalog::CatalogSettings;
use skill_loader::fs::resolve;
use skill_mcp::http::{HttpLimits, HttpSettings, Token};
use skill_mcp::{RunPolicy, Runner, ToolNames};

use super::about::About;
use super::args::{Args, ModeArg};
use skill_model::wildcard;
use skills_nodes::{Nodes, nats};
use skills_read::read_file;
use skills_run::Walls;
use skills_run::executors::{distributed, executors};
use skills_run::settings::{read_file as read_lossy, state_dir, with_auth_code};

/// What was meant.
pub(super) struct Settings {
    server: skill_mcp::Settings,
    pub(super) transport: Transport,
    /// How many skills are started before they are asked for.
    pub(super) preload: usize,
    run: Option<Run>,
}

/// What may be run, and in which world.
struct Run {
    globs: Vec<String>,
    state: PathBuf,
    config: Option<String>,
    allow_shell: bool,
    sandbox: Walls,
    environment: BTreeMap<String, String>,
    allow_env: Vec<String>,
    nats: Option<skill_nats::Distributed>,
    hidden: Vec<PathBuf>,
}

/// How agents come in.
pub(super) enum Transport {
    Stdio,
    Http(SocketAddr, Box<HttpSettings>),
}

impl Settings {
    pub(super) fn resolve(args: &Args) -> anyhow::Result<Self> {
        let transport = match args.http {
            None => Transport::Stdio,
            Some(address) => Transport::Http(address, Box::new(http(args, address)?)),
        };
        ensure!(
            (0.05..=3600.0).contains(&args.recheck),
            "--recheck takes 0.05 to 3600 seconds"
        );
        let nodes = Nodes::from_args(&args.roots.nodes)?;
        let of_nodes = nodes.as_ref().map(|nodes| nodes.dir().to_owned());
        let of_nodes = of_nodes.as_deref();
        if let Some(nodes) = nodes {
            nodes.keep()?;
        }
        let run = run(args, of_nodes)?;
        let names = ToolNames::parse(&args.tool_names).context("--tool-names")?;
        Ok(Self {
            server: skill_mcp::Settings {
                catalog: catalog(args, of_nodes)?,
                names,
                mode: mode(args.mode),
                instructions: args.instructions,
                recheck: Duration::from_secs_f64(args.recheck),
                max_active: args.max_active,
                about: Some(Arc::new(About)),
                ..skill_mcp::Settings::default()
            },
            transport,
            preload: args.preload,
            run,
        })
    }
}

/// Where the skills are; a directory that is not there is an error.
pub(super) fn catalog(args: &Args, of_nodes: Option<&Path>) -> anyhow::Result<CatalogSettings> {
    args.roots.catalog(&args.skills, of_nodes, "SKILLS_DIR")
}

fn mode(mode: ModeArg) -> Mode {
    match mode {
        ModeArg::Progressive => Mode::Progressive,
        ModeArg::Eager => Mode::Eager,
        ModeArg::Hybrid => Mode::Hybrid,
    }
}

/// The environment of skills that are run.
pub(super) fn world(args: &Args) -> BTreeMap<String, String> {
    let file = args.auth_code_file.as_deref();
    let (environment, why) = with_auth_code(from_process(), file);
    if let Some(why) = why {
        tracing::warn!("{why}");
    }
    environment
}

fn run(args: &Args, of_nodes: Option<&Path>) -> anyhow::Result<Option<Run>> {
    if args.allow_run.is_empty() {
        return Ok(None);
    }
    let environment = world(args);
    let state = state_dir(args.state.clone(), &environment)?;
    let config = args.config.as_deref().map(read_lossy).transpose();
    let mut hidden = vec![state.clone()];
    let roots = [
        &args.skills,
        &args.roots.user_skills,
        &args.roots.built_in_skills,
    ];
    for dir in roots.into_iter().flatten().map(Path::new).chain(of_nodes) {
        hidden.extend([dir.to_owned(), resolve(dir)?]);
    }
    hidden.push(resolve(&state)?);
    Ok(Some(Run {
        globs: args.allow_run.clone(),
        state,
        config: config.context("cannot read the configuration")?,
        allow_shell: args.allow_shell,
        sandbox: args.sandbox,
        nats: others(args, &environment),
        environment,
        allow_env: args.allow_env.clone(),
        hidden,
    }))
}

/// Where calls of skills on other machines go.
fn others(args: &Args, environment: &BTreeMap<String, String>) -> Option<skill_nats::Distributed> {
    let nodes = &args.roots.nodes;
    let of_environment = || Some(nats::server(&nodes.login, environment.get(nats::URL)?));
    let server = skills_nodes::server(nodes).or_else(of_environment)?;
    Some(distributed(server, &nodes.prefer))
}

impl Settings {
    /// The settings of the server, for results that arrive at `address`.
    pub(super) fn server(self, address: Option<SocketAddr>) -> anyhow::Result<skill_mcp::Settings> {
        let mut res = self.server;
        let Some(run) = self.run else {
            return Ok(res);
        };
        let host = run.host()?;
        let globs = run.globs;
        let allows = move |name: &str| globs.iter().any(|glob| wildcard::matches(glob, name));
        let policy = RunPolicy::new(allows);
        let executors = executors(run.nats);
        let mut runner = Runner::new(policy, host, run.config, executors, &run.hidden);
        if let Some(address) = address {
            runner = runner.with_callbacks(format!("http://{address}/plugin-callback"));
        }
        res.run = Some(Arc::new(runner));
        Ok(res)
    }
}

impl Run {
    fn host(&self) -> anyhow::Result<Host> {
        let state = State::open(&self.state).map_err(|failure| anyhow!(failure.message))?;
        let environment = HostEnvironment::from_caller(self.environment.clone(), &self.allow_env);
        Ok(Host {
            allow_shell: self.allow_shell,
            sandbox: self.sandbox.sandbox(),
            strict: true,
            ..Host::new(state, environment)
        })
    }
}

fn http(args: &Args, address: SocketAddr) -> anyhow::Result<HttpSettings> {
    let token = match &args.token_file {
        Some(path) => {
            let text = read_file(path).context("cannot read the token")?;
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
