//! One file to download, with the same bytes for the same content: sorted names, one time for all
//! members, no owner, no time in the compressed stream.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, ensure};

use crate::repo::Repo;
use crate::shell;

/// Packs the directory `name` inside `parent` into `parent/name.tar.gz`. `seconds` since 1970 is the
/// time of every member.
pub(super) fn pack(repo: &Repo, parent: &Path, name: &str, seconds: &str) -> Result<String> {
    let file = format!("{name}.tar.gz");
    let mut tar = shell::program(repo, "tar");
    tar.current_dir(parent).args([
        "--create",
        "--format=ustar",
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mode=u=rwX,go=rX",
    ]);
    tar.arg(format!("--mtime=@{seconds}")).arg(name);
    let mut tar = tar
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start tar")?;
    let stream = tar.stdout.take().context("tar has no output")?;
    let target = std::fs::File::create(parent.join(&file))?;
    let mut gzip = shell::program(repo, "gzip");
    gzip.args(["--best", "--no-name", "--stdout"]);
    shell::run(gzip.stdin(stream).stdout(target))?;
    let status = tar.wait()?;
    ensure!(status.success(), "tar ended with {status}");
    Ok(file)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_same_content_gives_the_same_bytes() {
        let repo = Repo::here().unwrap();
        let work = repo.path("target/xtask-test-archive");
        let _ = fs::remove_dir_all(&work);
        // Written in another order, and at another time.
        let archives = [["a", "b"], ["b", "a"]].map(|names| {
            let _ = fs::remove_dir_all(work.join("x"));
            fs::create_dir_all(work.join("x/bin")).unwrap();
            for name in names {
                fs::write(work.join("x/bin").join(name), name).unwrap();
                let touch = ["-d", if name == "a" { "yesterday" } else { "now" }];
                let mut command = shell::program(&repo, "touch");
                shell::run(command.args(touch).arg(work.join("x/bin").join(names[0]))).unwrap();
            }
            let file = pack(&repo, &work, "x", "1000000000").unwrap();
            fs::read(work.join(file)).unwrap()
        });
        assert!(archives[0].len() > 100);
        assert_eq!(archives[0], archives[1]);
    }
}
