//! A stand-in for the C compilers of other systems.
//!
//! The build scripts of some dependencies compile C. A check links nothing, so empty objects are
//! enough for it.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::repo::Repo;

const DIRECTORY: &str = "target/portability";
/// Makes the object that was asked for, empty.
const COMPILER: &str =
    "#!/bin/sh\nwhile [ $# -gt 0 ]; do [ \"$1\" = -o ] && : >\"$2\"; shift; done\n";
/// The same for a library.
const ARCHIVER: &str = "#!/bin/sh\nfor x; do case $x in *.a | *.lib) : >\"$x\" ;; esac; done\n";

/// Lets a check of `target` use the stand-in, unless the environment names a compiler.
pub(super) fn use_for(repo: &Repo, target: &str, check: &mut Command) -> Result<()> {
    let suffix = target.replace('-', "_");
    for (variable, name, text) in [("CC", "cc", COMPILER), ("AR", "ar", ARCHIVER)] {
        let variable = format!("{variable}_{suffix}");
        if std::env::var_os(&variable).is_some() {
            continue;
        }
        let path = repo.path(DIRECTORY).join(name);
        write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        check.env(variable, path);
    }
    // The headers of Apple are not looked for.
    check.env("SDKROOT", "/");
    Ok(())
}

fn write(path: &Path, text: &str) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::create_dir_all(path.parent().unwrap_or(path))?;
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}
