//! The limits of the APIs that take skills as archives.

use std::collections::BTreeMap;

use crate::files::Content;

/// The maximum number of files of a skill.
///
/// Source of the limits: <https://github.com/openai/openai-cookbook>, `examples/skills_in_api.ipynb`:
/// exactly one manifest, 500 files, 25 MB a file, an archive of 50 MB.
pub const FILES: usize = 500;
/// The maximum size of a file, in bytes.
pub const FILE_BYTES: usize = 25_000_000;
/// The maximum size of an archive, in bytes.
pub const ARCHIVE_BYTES: usize = 50_000_000;
/// The maximum length of a description, in characters (<https://agentskills.io/specification>).
pub const DESCRIPTION: usize = 1_024;

/// Returns the reasons why an API would refuse a skill, each as a phrase; `archive` is the size of its
/// archive in bytes.
pub fn upload_flaws(
    description: &str,
    files: &BTreeMap<String, Content>,
    archive: usize,
) -> Vec<String> {
    let mut res = Vec::new();
    let n = description.chars().count();
    if n > DESCRIPTION {
        res.push(format!(
            "a description of {n} characters, expected at most {DESCRIPTION}"
        ));
    }
    let is_manifest = |path: &&String| {
        let name = path.rsplit('/').next().unwrap_or(path);
        name.eq_ignore_ascii_case("SKILL.md")
    };
    let nested: Vec<&str> = files
        .keys()
        .filter(is_manifest)
        .map(String::as_str)
        .filter(|path| *path != "SKILL.md")
        .collect();
    if let [first, ..] = nested[..] {
        let n = nested.len() + 1;
        res.push(format!("{n} manifests, expected one (`{first}`)"));
    }
    if files.len() > FILES {
        res.push(format!("{} files, expected at most {FILES}", files.len()));
    }
    for (path, content) in files {
        let n = content.bytes.len();
        if n > FILE_BYTES {
            res.push(format!(
                "`{path}` has {n} bytes, expected at most {FILE_BYTES}"
            ));
        }
    }
    if archive > ARCHIVE_BYTES {
        res.push(format!(
            "an archive of {archive} bytes, expected at most {ARCHIVE_BYTES}"
        ));
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, usize)], archive: usize, expected: &[&str]) {
        let files = files.iter().map(|(path, size)| {
            let content = Content {
                bytes: vec![0; *size],
                executable: false,
            };
            ((*path).to_owned(), content)
        });
        assert_eq!(upload_flaws("x", &files.collect(), archive), expected);
    }

    #[test]
    fn each_limit_is_checked() {
        check(&[("SKILL.md", 1)], 1, &[]);
        check(
            &[("SKILL.md", 1), ("scripts/a/skill.md", 1)],
            1,
            &["2 manifests, expected one (`scripts/a/skill.md`)"],
        );
        check(
            &[("SKILL.md", 1), ("big", FILE_BYTES + 1)],
            FILE_BYTES + 2,
            &["`big` has 25000001 bytes, expected at most 25000000"],
        );
        check(
            &[("SKILL.md", 1)],
            ARCHIVE_BYTES + 1,
            &["an archive of 50000001 bytes, expected at most 50000000"],
        );
        assert_eq!(
            upload_flaws(&"ü".repeat(1_025), &BTreeMap::new(), 1),
            ["a description of 1025 characters, expected at most 1024"]
        );
        let names: Vec<String> = (0..=FILES).map(|n| n.to_string()).collect();
        let many: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 0)).collect();
        check(&many, 1, &["501 files, expected at most 500"]);
    }
}
