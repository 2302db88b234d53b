//! Repository tasks: `cargo xtask COMMAND`. The table below is the list of them.
//!
//! **Invariant:** nothing here is needed to use the product; every task may be run twice.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "tasks read files, start programs and print to a terminal"
)]

mod agents;
mod bench;
mod ci;
mod clients;
mod codegen;
mod cpu;
mod crosscheck;
mod dist;
mod evidence;
mod fit;
mod fit_tokens;
mod module_graph;
mod nats_server;
mod newcomer;
mod packages;
mod peers;
mod portability;
mod repo;
mod rust_source;
mod servers;
mod shell;
mod spdx;
mod tidy;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::repo::Repo;

struct Command {
    name: &'static str,
    usage: &'static str,
    about: &'static str,
    run: fn(&Repo, &[String]) -> Result<()>,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "ci",
        usage: "",
        about: "every check, in the order of speed",
        run: ci::run,
    },
    Command {
        name: "tidy",
        usage: "",
        about: "the repository's own rules: layers, tests, sizes",
        run: tidy::run,
    },
    Command {
        name: "circles",
        usage: "[CRATE]",
        about: "the imports by which files of a crate form circles",
        run: tidy::circles::run,
    },
    Command {
        name: "codegen",
        usage: "[--check]",
        about: "write the generated documents, or fail when they are stale",
        run: codegen::run,
    },
    Command {
        name: "crosscheck",
        usage: "[SKILLS_DIR]",
        about: "validate migrated skills with the Python reference",
        run: crosscheck::run,
    },
    Command {
        name: "bench",
        usage: "[NAME] [--quick] [--write]",
        about: "what the tools cost, against cp -r, cat and peers",
        run: bench::run,
    },
    Command {
        name: "peers",
        usage: "",
        about: "install other validators for bench",
        run: peers::run,
    },
    Command {
        name: "fit",
        usage: "",
        about: "fit the coefficients of the search to ../shared/eval/routing",
        run: fit::run,
    },
    Command {
        name: "clients",
        usage: "",
        about: "install the official MCP clients for the tests",
        run: clients::run,
    },
    Command {
        name: "agents",
        usage: "[--few] [--write] [NAME]…",
        about: "try migrated skills with real agents and loaders at pinned versions",
        run: agents::run,
    },
    Command {
        name: "servers",
        usage: "[NAME]…",
        about: "try real MCP servers at pinned versions as skills, in three ways",
        run: servers::run,
    },
    Command {
        name: "evidence",
        usage: "[hostile] [crash] [--kills N] [--step N]",
        about: "what a migration survives, with figures",
        run: evidence::run,
    },
    Command {
        name: "fit-tokens",
        usage: "",
        about: "write the filter of the token estimator from o200k, and measure it",
        run: fit_tokens::run,
    },
    Command {
        name: "nats-server",
        usage: "",
        about: "get a NATS server for the tests, if there is none",
        run: nats_server::run,
    },
    Command {
        name: "newcomer",
        usage: "[--install] [--keep]",
        about: "the commands of README.md in a fresh clone, as an ordinary user and as root",
        run: newcomer::run,
    },
    Command {
        name: "portability",
        usage: "[TARGET]… [--wine]",
        about: "check the tools for Windows, macOS and musl, and run one under wine, where that is possible",
        run: portability::run,
    },
    Command {
        name: "dist",
        usage: dist::USAGE,
        about: "a release as packages: archive, wheel, npm, deb; --check installs and runs each",
        run: dist::run,
    },
];

fn main() -> ExitCode {
    let args: Vec<String> = env::args().skip(1).collect();
    match dispatch(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(err) => {
            println!("error: {err:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(args: &[String]) -> Result<()> {
    let Some((name, rest)) = args.split_first() else {
        print!("{}", usage());
        return Ok(());
    };
    if ["help", "-h", "--help"].contains(&name.as_str()) {
        print!("{}", usage());
        return Ok(());
    }
    match COMMANDS.iter().find(|command| command.name == name) {
        Some(command) => (command.run)(&Repo::here()?, rest),
        None => bail!("there is no task `{name}`\n\n{}", usage()),
    }
}

fn usage() -> String {
    let rows = COMMANDS.iter().map(|command| {
        let call = format!("{} {}", command.name, command.usage);
        format!("  {call:<42} {}\n", command.about)
    });
    format!("usage: cargo xtask COMMAND\n\n{}", rows.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usage_names_every_command() {
        let text = usage();
        for command in COMMANDS {
            assert!(
                text.contains(&format!("  {}", command.name)),
                "{}",
                command.name
            );
        }
    }

    #[test]
    fn an_unknown_command_is_named() {
        let err = dispatch(&["tidiness".to_owned()]).unwrap_err();
        assert!(err.to_string().starts_with("there is no task `tidiness`"));
    }
}
