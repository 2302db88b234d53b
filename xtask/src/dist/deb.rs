//! A package for Debian and Ubuntu.
//!
//! Format: <https://manpages.debian.org/stable/dpkg-dev/deb.5.en.html>; the fields:
//! <https://www.debian.org/doc/debian-policy/ch-controlfields.html>

use anyhow::{Context as _, Result, bail};

use super::content::{Content, ExtraKind, NAME, PROGRAM, SUMMARY};
use super::elf::{Libc, Needs};
use super::entry::Entry;
use super::gzip::gzip;
use super::tar::tar;

/// Returns the name and the bytes of the package.
pub(super) fn deb(content: &Content) -> Result<(String, Vec<u8>)> {
    let machine = content.needs.machine.debian();
    let name = format!("{NAME}_{}_{machine}.deb", content.version);
    let data = data(content)?;
    let control = Entry::file("control", control(content, &data)?.into_bytes());
    let pack = |entries: &[Entry]| gzip(&tar(entries, "./", content.time())?);
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        ("control.tar.gz", pack(&[control])?),
        ("data.tar.gz", pack(&data)?),
    ];
    Ok((name, ar(&members, content.time())))
}

fn data(content: &Content) -> Result<Vec<Entry>> {
    let program = content.program.clone();
    let mut res = vec![Entry::program(format!("usr/bin/{PROGRAM}"), program)];
    let tools = content.tools.iter();
    res.extend(tools.map(|tool| Entry::link(format!("usr/bin/{tool}"), PROGRAM)));
    for extra in &content.extras {
        let path = format!("usr/share/{}/{}", directory(extra.kind), extra.file_name());
        res.push(if extra.kind == ExtraKind::Man {
            Entry::file(format!("{path}.gz"), gzip(&extra.text)?)
        } else {
            Entry::file(path, extra.text.clone())
        });
    }
    let documents = format!("usr/share/doc/{NAME}");
    let copyright = copyright(content)?.into_bytes();
    res.push(Entry::file(format!("{documents}/copyright"), copyright));
    for (name, text) in &content.documents {
        res.push(match name.as_str() {
            "CHANGELOG.md" => Entry::file(format!("{documents}/changelog.gz"), gzip(text)?),
            name => Entry::file(format!("{documents}/{name}"), text.clone()),
        });
    }
    Ok(res)
}

/// Returns the directory below `/usr/share`. Packages of Debian have another one for zsh.
fn directory(kind: ExtraKind) -> &'static str {
    match kind {
        ExtraKind::Zsh => "zsh/vendor-completions",
        kind => kind.shared_directory(),
    }
}

fn control(content: &Content, data: &[Entry]) -> Result<String> {
    let sizes = data.iter().map(|it| it.bytes().map_or(0, |it| it.len()));
    let kibibytes: usize = sizes.map(|size| size.div_ceil(1024)).sum();
    let depends = depends(&content.needs)?;
    let depends = if depends.is_empty() {
        depends
    } else {
        format!("Depends: {depends}\n")
    };
    Ok(format!(
        "Package: {NAME}\nVersion: {}\nArchitecture: {}\nMaintainer: {}\nInstalled-Size: {kibibytes}\n\
         {depends}Suggests: python3, nodejs\nSection: utils\nPriority: optional\nHomepage: {}\n\
         Description: {SUMMARY}\n \
         Reads plugins of VCPToolBox, VCPDistributedServer and ApexBridge and writes\n \
         directories that any agent can read.\n",
        content.version,
        content.needs.machine.debian(),
        content.maintainer,
        content.repository,
    ))
}

fn depends(needs: &Needs) -> Result<String> {
    let mut res = Vec::new();
    if let Libc::Glibc { major, minor } = needs.libc {
        res.push(format!("libc6 (>= {major}.{minor})"));
    }
    for library in &needs.libraries {
        match library.as_str() {
            "libgcc_s.so.1" => res.push("libgcc-s1".to_owned()),
            other => bail!("found the library {other}, expected only glibc and libgcc_s.so.1"),
        }
    }
    Ok(res.join(", "))
}

/// The licenses in the form of <https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/>.
fn copyright(content: &Content) -> Result<String> {
    let mit = content.documents.get("LICENSE-MIT");
    let mit = std::str::from_utf8(mit.context("there is no LICENSE-MIT")?)?;
    let holder = mit.lines().next().unwrap_or_default();
    let holder = holder.trim_start_matches("Copyright (c) ");
    let text = mit.lines().skip(1).skip_while(|line| line.is_empty());
    let text: String = text.map(field_line).collect();
    Ok(format!(
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\
         Upstream-Name: {NAME}\nSource: {}\n\n\
         Files: *\nCopyright: {holder}\nLicense: Expat or Apache-2.0\n\
         Comment: The program contains the packages that {} lists. Their licenses are in {}.\n\n\
         License: Expat\n{text}\n\
         License: Apache-2.0\n On Debian systems, the license is in\n \
         /usr/share/common-licenses/Apache-2.0.\n",
        content.repository,
        super::SBOM,
        super::notices::FILE,
    ))
}

/// A line of a field that goes on: an empty line is a dot.
fn field_line(line: &str) -> String {
    match line {
        "" => " .\n".to_owned(),
        line => format!(" {line}\n"),
    }
}

/// Returns an archive of `ar`, the outer format.
fn ar(members: &[(&str, Vec<u8>)], seconds: u64) -> Vec<u8> {
    let mut res = b"!<arch>\n".to_vec();
    for (name, bytes) in members {
        let header = format!(
            "{name:<16}{seconds:<12}{:<6}{:<6}{:<8}{:<10}`\n",
            0,
            0,
            "100644",
            bytes.len()
        );
        res.extend(header.into_bytes());
        res.extend(bytes);
        if bytes.len() % 2 == 1 {
            res.push(b'\n');
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use skill_testing::{Need, find};

    use super::super::sample;
    use super::*;
    use crate::repo::Repo;
    use crate::shell;

    #[test]
    fn dpkg_reads_it() {
        let Some(program) = find::program(Need::Programs, "dpkg-deb") else {
            return;
        };
        let (name, bytes) = deb(&sample::content()).unwrap();
        assert_eq!(name, "skills-tools_0.1.0_amd64.deb");
        let path = Repo::here().unwrap().path("target/xtask-test.deb");
        std::fs::write(&path, bytes).unwrap();
        let run = |flag: &str| {
            let text = shell::capture(Command::new(&program).arg(flag).arg(&path));
            text.unwrap()
        };
        let (fields, files) = (run("--field"), run("--contents"));
        std::fs::remove_file(&path).unwrap();
        assert!(
            fields.contains("Depends: libc6 (>= 2.34), libgcc-s1\n"),
            "{fields}"
        );
        for expected in [
            "./usr/bin/skills\n",
            "./usr/bin/skills-read -> skills\n",
            "./usr/share/man/man1/skills-read.1.gz\n",
            "./usr/share/zsh/vendor-completions/_skills-read\n",
            "./usr/share/doc/skills-tools/copyright\n",
            "./usr/share/doc/skills-tools/LICENSE-THIRD-PARTY\n",
        ] {
            assert!(files.contains(expected), "{expected} is not in\n{files}");
        }
    }

    #[test]
    fn a_library_without_a_package_is_refused() {
        let mut needs = sample::content().needs;
        needs.libraries = vec!["libssl.so.3".to_owned()];
        let err = depends(&needs).unwrap_err().to_string();
        assert_eq!(
            err,
            "found the library libssl.so.3, expected only glibc and libgcc_s.so.1"
        );
    }

    #[test]
    fn the_license_has_no_empty_lines() {
        let entries = data(&sample::content()).unwrap();
        let found = entries.iter().find(|it| it.path.ends_with("/copyright"));
        let text = String::from_utf8_lossy(found.unwrap().bytes().unwrap());
        assert!(text.contains("License: Expat\n Permission"), "{text}");
        assert!(text.contains("Copyright: 2026 The authors\n"), "{text}");
    }
}
