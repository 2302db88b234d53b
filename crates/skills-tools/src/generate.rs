//! Shell completions and man pages of all tools, for packages: `skills --generate KIND TOOL`.

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::Command;
use skills_cli::ExitStatus;

/// The hidden flag.
const FLAG: &str = "--generate";

/// Prints a completion or a man page, if the arguments ask for one. KIND is `man` or the name of a
/// shell; `find` returns the command line of a tool.
pub(crate) fn run(words: &[OsString], find: impl Fn(&str) -> Option<Command>) -> Option<ExitCode> {
    let [_, flag, kind, tool] = words else {
        return None;
    };
    if flag != FLAG {
        return None;
    }
    let text = find(&tool.to_string_lossy()).and_then(|it| render(it, &kind.to_string_lossy()));
    let Some(text) = text else {
        return Some(ExitStatus::CouldNotRun.into());
    };
    let written = std::io::stdout().write_all(&text);
    Some(match written {
        Ok(()) => ExitStatus::Fine.into(),
        Err(_) => ExitStatus::CouldNotRun.into(),
    })
}

fn render(mut command: Command, kind: &str) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    if kind == "man" {
        let page = clap_mangen::Man::new(command);
        return page.render(&mut text).is_ok().then_some(text);
    }
    let shell: clap_complete::Shell = kind.parse().ok()?;
    let name = command.get_name().to_owned();
    clap_complete::generate(shell, &mut command, name, &mut text);
    Some(text)
}
