//! A NATS server for the tests, from the distribution's package, without installing it.

use std::fs;

use anyhow::Result;

use crate::repo::Repo;
use crate::shell;

/// The place where the tests look for it, after those of the system.
const UNPACKED: &str = "target/nats-server";
const PROGRAM: &str = "root/usr/sbin/nats-server";

/// Downloads a server if there is none. If that fails, the tests that need it are skipped and say
/// so.
pub(crate) fn run(repo: &Repo, _args: &[String]) -> Result<()> {
    match get(repo)? {
        Some(program) => println!("   {program}"),
        None => println!(
            "   cannot get a nats-server (apt-get download nats-server); its tests are skipped"
        ),
    }
    Ok(())
}

/// Returns the path of the program, which is downloaded if needed; `None` if that fails.
pub(crate) fn get(repo: &Repo) -> Result<Option<String>> {
    let dir = repo.path(UNPACKED);
    let unpacked = dir.join(PROGRAM).to_string_lossy().into_owned();
    for program in ["/usr/sbin/nats-server", &unpacked] {
        if shell::works(shell::program(repo, program).arg("--version")) {
            return Ok(Some(program.to_owned()));
        }
    }
    fs::create_dir_all(&dir)?;
    let mut download = shell::program(repo, "apt-get");
    download.args(["download", "nats-server"]).current_dir(&dir);
    let is_here = shell::works(&mut download) && unpack(repo, &dir)?;
    Ok(is_here.then_some(unpacked))
}

fn unpack(repo: &Repo, dir: &std::path::Path) -> Result<bool> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            let mut command = shell::program(repo, "dpkg");
            return Ok(shell::works(
                command.arg("-x").arg(&path).arg(dir.join("root")),
            ));
        }
    }
    Ok(false)
}
