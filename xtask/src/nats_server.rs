//! A NATS server for the tests, from the distribution's package, without installing it.

use std::fs;

use anyhow::Result;

use crate::repo::Repo;
use crate::shell;

/// Where the tests look for it after those of the system.
const UNPACKED: &str = "target/nats-server";
const PROGRAM: &str = "root/usr/sbin/nats-server";

/// Gets one if there is none. Where none can be had the tests say so and are left out.
pub(crate) fn run(repo: &Repo, _args: &[String]) -> Result<()> {
    let dir = repo.path(UNPACKED);
    let program = dir.join(PROGRAM);
    let unpacked = program.to_string_lossy().into_owned();
    for program in ["/usr/sbin/nats-server", &unpacked] {
        if shell::works(shell::program(repo, program).arg("--version")) {
            println!("   {program}");
            return Ok(());
        }
    }
    fs::create_dir_all(&dir)?;
    let is_here = shell::works(
        shell::program(repo, "apt-get")
            .args(["download", "nats-server"])
            .current_dir(&dir),
    ) && unpack(repo, &dir)?;
    if is_here {
        println!("   {unpacked}");
    } else {
        println!(
            "   no nats-server to be had (apt-get download nats-server); its tests are left out"
        );
    }
    Ok(())
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
