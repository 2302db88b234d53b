//! `skills-serve`: skills for agents, over MCP.
//!
//! - [`Args`]: the arguments; `settings`: their meaning.
//! - `node`: skills for other machines instead of agents.
//! - `log`: events on standard error.
//!
//! The server itself is `skill_mcp`; this crate has its arguments, signals and runtime.

mod about;
mod args;
mod log;
mod node;
mod settings;

use std::io::{self, IsTerminal as _, Write as _};
use std::net::SocketAddr;
use std::sync::Arc;

use anyhow::Context as _;
use skill_mcp::http::{self, HttpSettings};
use skill_mcp::{Runner, Server, serve_stdio};
use tokio::runtime::Builder;

pub use args::{Args, LogFormat, ModeArg};

use settings::{Settings, Transport};
use skill_interrupt::Signals;
use skills_cli::{ExitStatus, output::Streams};

/// Runs the tool until a signal stops it or the client disconnects.
///
/// # Errors
///
/// The server cannot start: an argument is invalid, or a directory or an address cannot be opened.
#[expect(
    clippy::needless_pass_by_value,
    reason = "every tool is run in this way"
)]
pub fn run(args: Args, streams: &mut Streams) -> anyhow::Result<ExitStatus> {
    log::init(args.verbose, args.log_format);
    if let (Some(url), Some(name)) = (&args.nats, &args.node) {
        node::run(&args, url, name, streams)?;
        return Ok(ExitStatus::Fine);
    }
    let mut settings = Settings::resolve(&args, streams)?;
    match std::mem::replace(&mut settings.transport, Transport::Stdio) {
        Transport::Stdio => over_stdio(settings, streams)?,
        Transport::Http(address, http) => {
            let runtime = Builder::new_multi_thread().enable_all().build()?;
            runtime.block_on(over_http(settings, address, *http, streams))?;
        }
    }
    Ok(ExitStatus::Fine)
}

fn over_stdio(settings: Settings, streams: &mut Streams) -> anyhow::Result<()> {
    if io::stdin().is_terminal() {
        let hint = "waiting for an MCP client on standard input; for a page in the browser: --http 127.0.0.1:8080";
        writeln!(streams.stderr, "{}", streams.language.say(hint))?;
    }
    let preload = settings.preload;
    let settings = settings.server(None);
    let runner = settings.run.clone();
    let server = Server::new(settings);
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let stop = stop()?;
        server.preload(preload);
        let served = serve_stdio(server, stop).await;
        finish(runner).await;
        served
    })?;
    // A thread that reads standard input cannot be ended.
    runtime.shutdown_background();
    Ok(())
}

async fn over_http(
    settings: Settings,
    address: SocketAddr,
    http: HttpSettings,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let stop = stop()?;
    let listener = http::bind(address).await;
    let listener = listener.with_context(|| format!("cannot listen at {address}"))?;
    let address = listener.local_addr()?;
    let preload = settings.preload;
    let settings = settings.server(Some(address));
    let runner = settings.run.clone();
    let server = Server::new(settings);
    server.preload(preload);
    let n_skills = server.skill_count();
    let skills = format!("{n_skills} skills at http://{address}/mcp");
    writeln!(streams.stderr, "{}", streams.language.say(&skills))?;
    // Programs that read the first line may close the stream after it.
    let page = format!("a page for people, and the address for npx skills add: http://{address}/");
    let _ = writeln!(streams.stderr, "{}", streams.language.say(&page));
    let served = http::serve(server, listener, http, stop).await;
    finish(runner).await;
    Ok(served?)
}

/// Ends the calls and processes that still run.
async fn finish(runner: Option<Arc<Runner>>) {
    if let Some(runner) = runner {
        runner.stop().await;
    }
}

/// Completes when a signal asks the process to end.
fn stop() -> io::Result<impl Future<Output = ()>> {
    let mut signals = Signals::new()?;
    Ok(async move {
        signals.next().await;
    })
}
