//! The file from which Docker and Podman build an image, beside the package that it copies.
//!
//! A static program needs nothing else in the image. Another one is installed from its Debian
//! package, because it needs the libraries of a system.

use super::content::{Content, PROGRAM};
use super::elf::Libc;

pub(super) const FILE: &str = "Containerfile";

/// Returns the file. `archive` and `deb` are the packages in the same directory.
pub(super) fn file(content: &Content, archive: &str, deb: &str) -> String {
    let name = content.archive_name();
    let install = match content.needs.libc {
        Libc::Static => format!(
            "FROM scratch AS archive\nADD {archive} /\n\n\
             FROM scratch\nCOPY --from=archive /{name}/bin/ /usr/bin/\n"
        ),
        Libc::Glibc { .. } => format!(
            "FROM debian:bookworm-slim\n\
             COPY {deb} /tmp/\n\
             RUN apt-get update \\\n \
             && apt-get install --yes --no-install-recommends /tmp/{deb} \\\n \
             && rm -rf /tmp/{deb} /var/lib/apt/lists/*\n"
        ),
    };
    format!(
        "# Builds an image with all tools: docker build --tag skills .\n\
         # Then: docker run --rm --volume \"$PWD:/work\" skills migrate plugins --out skills\n\
         {install}\
         WORKDIR /work\n\
         ENTRYPOINT [\"/usr/bin/{PROGRAM}\"]\n"
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[track_caller]
    fn check(libc: Libc, expected: &str) {
        let mut content = sample::content();
        content.needs.libc = libc;
        let text = file(&content, "a.tar.gz", "a.deb");
        let lines = text.lines().find(|line| line.starts_with("FROM"));
        assert_eq!(lines, Some(expected), "{text}");
        assert!(text.ends_with("ENTRYPOINT [\"/usr/bin/skills\"]\n"));
    }

    #[test]
    fn a_static_program_needs_no_system() {
        check(Libc::Static, "FROM scratch AS archive");
        check(
            Libc::Glibc {
                major: 2,
                minor: 34,
            },
            "FROM debian:bookworm-slim",
        );
    }
}
