//! A Python wheel, for `pip install`, `pipx` and `uv tool`. It contains no Python code: the program
//! and a starter for each tool are its scripts.
//!
//! Format: <https://packaging.python.org/en/latest/specifications/binary-distribution-format/>

use std::fmt::Write as _;

use anyhow::Result;

use super::content::{Content, NAME, PROGRAM, SUMMARY};
use super::digest;
use super::elf::{Libc, Needs};
use super::entry::Entry;
use super::zip::zip;

/// Returns the name and the bytes of the wheel.
pub(super) fn wheel(content: &Content) -> Result<(String, Vec<u8>)> {
    let stem = format!("{}-{}", NAME.replace('-', "_"), content.version);
    let name = format!(
        "{stem}-py3-none-{}.whl",
        platforms(&content.needs).join(".")
    );
    Ok((name, zip(&entries(content, &stem)?)?))
}

fn entries(content: &Content, stem: &str) -> Result<Vec<Entry>> {
    let (data, info) = (format!("{stem}.data"), format!("{stem}.dist-info"));
    let program = format!("{data}/scripts/{PROGRAM}");
    let mut res = vec![Entry::program(program, content.program.clone())];
    for tool in &content.tools {
        let path = format!("{data}/scripts/{tool}");
        res.push(Entry::program(path, starter(tool).into_bytes()));
    }
    for extra in &content.extras {
        let directory = extra.kind.shared_directory();
        let path = format!("{data}/data/share/{directory}/{}", extra.file_name());
        res.push(Entry::file(path, extra.text.clone()));
    }
    for (name, text) in content.licenses() {
        res.push(Entry::file(format!("{info}/licenses/{name}"), text.clone()));
    }
    if let Some(bill) = content.documents.get(super::SBOM) {
        res.push(Entry::file(
            format!("{info}/sboms/{}", super::SBOM),
            bill.clone(),
        ));
    }
    res.push(Entry::file(
        format!("{info}/METADATA"),
        metadata(content).into_bytes(),
    ));
    res.push(Entry::file(
        format!("{info}/WHEEL"),
        tags(&content.needs).into_bytes(),
    ));
    let record = format!("{info}/RECORD");
    let list = list(&res, &record)?.into_bytes();
    res.push(Entry::file(record, list));
    Ok(res)
}

/// Returns the platform tags. A static program runs with any C library.
fn platforms(needs: &Needs) -> Vec<String> {
    let machine = needs.machine.rust();
    match needs.libc {
        Libc::Static => vec![
            format!("manylinux_2_17_{machine}"),
            format!("manylinux2014_{machine}"),
            format!("musllinux_1_1_{machine}"),
        ],
        Libc::Glibc { major, minor } => vec![format!("manylinux_{major}_{minor}_{machine}")],
    }
}

/// A script instead of a link, which wheels cannot contain. It follows links to itself, because
/// `pipx` and `uv tool` make one for each script.
fn starter(tool: &str) -> String {
    let word = tool.strip_prefix("skills-").unwrap_or(tool);
    format!(
        "#!/bin/sh\nexec \"$(dirname -- \"$(readlink -f -- \"$0\")\")/{PROGRAM}\" {word} \"$@\"\n"
    )
}

fn metadata(content: &Content) -> String {
    let mut res = format!(
        "Metadata-Version: 2.4\nName: {NAME}\nVersion: {}\nSummary: {SUMMARY}\n\
         License-Expression: MIT OR Apache-2.0\n",
        content.version
    );
    for (name, _) in content.licenses() {
        let _ = writeln!(res, "License-File: {name}");
    }
    let _ = write!(
        res,
        "Project-URL: Source, {}\nClassifier: Operating System :: POSIX :: Linux\n\
         Description-Content-Type: text/markdown\n\n{}",
        content.repository, content.about
    );
    res
}

fn tags(needs: &Needs) -> String {
    let mut res =
        "Wheel-Version: 1.0\nGenerator: cargo xtask dist\nRoot-Is-Purelib: false\n".to_owned();
    for platform in platforms(needs) {
        let _ = writeln!(res, "Tag: py3-none-{platform}");
    }
    res
}

/// Returns the list of all files with their digests. The list itself has none.
fn list(entries: &[Entry], record: &str) -> Result<String> {
    let mut res = String::new();
    for entry in entries {
        let bytes = entry.bytes().map_or(&[][..], |bytes| bytes);
        let digest = digest::base64_url(&digest::sha256(bytes)?);
        let _ = writeln!(res, "{},sha256={digest},{}", entry.path, bytes.len());
    }
    let _ = writeln!(res, "{record},,");
    Ok(res)
}

#[cfg(test)]
mod tests {
    use super::super::elf::Machine;
    use super::super::sample;
    use super::*;

    #[track_caller]
    fn check_tags(libc: Libc, expected: &str) {
        let mut content = sample::content();
        content.needs = Needs {
            machine: Machine::X86_64,
            libc,
            libraries: Vec::new(),
        };
        assert_eq!(wheel(&content).unwrap().0, expected);
    }

    #[test]
    fn the_tag_is_what_the_program_needs() {
        check_tags(
            Libc::Glibc {
                major: 2,
                minor: 34,
            },
            "skills_tools-0.1.0-py3-none-manylinux_2_34_x86_64.whl",
        );
        check_tags(
            Libc::Static,
            "skills_tools-0.1.0-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.whl",
        );
    }

    #[test]
    fn a_list_of_every_file() {
        let entries = entries(&sample::content(), "s").unwrap();
        let record = entries.last().unwrap().bytes().unwrap();
        let record = String::from_utf8(record.to_vec()).unwrap();
        let paths: Vec<&str> = record
            .lines()
            .filter_map(|it| it.split(',').next())
            .collect();
        let expected: Vec<&str> = entries.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, expected);
        assert!(paths.contains(&"s.data/data/share/man/man1/skills-read.1"));
        // The digest of the program of the sample, by another tool:
        // printf program | openssl dgst -sha256 -binary | basenc --base64url
        let first = record.lines().next().unwrap();
        assert!(
            first.starts_with("s.data/scripts/skills,sha256="),
            "{first}"
        );
    }

    #[test]
    fn the_starter_finds_the_program_through_a_link() {
        assert_eq!(
            starter("skills-read"),
            "#!/bin/sh\nexec \"$(dirname -- \"$(readlink -f -- \"$0\")\")/skills\" read \"$@\"\n"
        );
    }
}
