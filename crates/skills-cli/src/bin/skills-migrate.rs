//! `skills-migrate`: see `skills_cli::migrate`.

use std::process::ExitCode;

fn main() -> ExitCode {
    skills_cli::main(skills_cli::migrate::run)
}
