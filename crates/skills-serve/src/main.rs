//! `skills-serve`: see the library of this crate.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The process that confines a child is this program, started again.
    skill_sandbox::launcher_main();
    skills_cli::main(skills_serve::run)
}
