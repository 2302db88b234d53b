//! Skills on other machines.

use std::io::Write as _;

use skill_executor::call::{DISTRIBUTED_TIMEOUT, Host};
use skill_nats::Distributed;
use skill_nats::call::{CallEvent, RemoteCall};

use crate::answer::show;
use crate::args::{CallArgs, RemoteArgs};
use crate::settings::{self, options};
use skills_cli::{ExitStatus, output::Streams};
use skills_nodes::nats;

/// Calls a skill of another machine. An interrupt also cancels the call there.
pub(super) fn run(
    url: &str,
    skill: &str,
    remote: &RemoteArgs,
    args: &CallArgs,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let call = RemoteCall {
        id: remote.call_id.clone(),
        skill: skill.to_owned(),
        command: args.command.clone(),
        input: settings::input(args.input.as_deref())?.value,
        deadline: options(args)?.timeout.unwrap_or(DISTRIBUTED_TIMEOUT),
    };
    let mut on = |event: CallEvent| {
        if let CallEvent::Progress(value) = event {
            let _ = writeln!(streams.stderr, "{value}");
        }
    };
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let answer = through(url, remote).call(&call, &mut on, interrupted);
    show(&answer, streams)?;
    let code = answer["error"]["code"].as_str();
    Ok(match (answer["ok"].as_bool(), code) {
        (Some(true), _) => ExitStatus::Fine,
        (_, Some("not-found")) => ExitStatus::CouldNotRun,
        _ => ExitStatus::Findings,
    })
}

/// Returns the executor of distributed skills, if a server was named.
pub(super) fn executor(remote: &RemoteArgs, host: &Host) -> Option<Distributed> {
    let url = remote
        .nats
        .as_ref()
        .or_else(|| host.environment.setting(nats::URL))?;
    Some(through(url, remote))
}

fn through(url: &str, remote: &RemoteArgs) -> Distributed {
    Distributed::preferring(nats::server(&remote.login, url), &remote.prefer)
}
