//! Starting a child, confined or not.

use crate::error::Result;
use crate::linux::child::Child;
use crate::linux::guard::Guard;
use crate::linux::{launch, process};
use crate::outcome::Outcome;
use crate::program;
use crate::spec::Spec;

/// Starts `spec`, waits until it exits or its timeout expires, and collects its output.
///
/// # Errors
///
/// The child could not be started or followed, or less could be enforced than was asked for. A
/// child that fails is an [`Outcome`].
pub fn run(spec: &Spec) -> Result<Outcome> {
    spawn(spec)?.finish()
}

/// Starts `spec` in its own process group.
///
/// # Errors
///
/// The child could not be started, or less could be enforced than was asked for.
///
/// The first call raises the soft limit of open files of this process to the hard one, because a
/// call needs five descriptors and hundreds run at once.
pub fn spawn(spec: &Spec) -> Result<Child> {
    process::raise_open_files();
    process::reap_left();
    let found = program::command(spec)?;
    match &spec.confinement {
        None => {
            let guard = spec.ends_with_caller.then(Guard::new).transpose()?;
            let group = guard.as_ref().map(Guard::group);
            Child::follow(process::start(spec, found, group)?, guard, spec)
        }
        Some(confinement) => Child::follow(launch::launch(spec, confinement, found)?, None, spec),
    }
}
