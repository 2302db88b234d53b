//! The skills of this machine as a node offers them, run by the executors.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use skill_executor::envelope::{Envelope, ErrorCode, Failure};
use skill_executor::package::SkillPackage;
use skill_executor::{Request, Runner, approval};
use skill_loader::fs::{Kind, WalkLimits};
use skill_model::{Metadata, PRIVATE_HEAD, is_withheld, private_content, private_directory};

use crate::Error;
use crate::catalog::digest_of_skill;
use crate::node::{LocalCall, LocalRunner, Offer, Running};

/// The maximum size of a file that is sent to others, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// The maximum number of directories and files of one skill.
const MAX_ENTRIES: usize = 20_000;
/// The maximum number of phrases of each kind in the catalog.
const MAX_WORDS: usize = 64;

/// Skills of this machine.
pub struct LocalSkills {
    skills: Arc<BTreeMap<String, Local>>,
    runner: Runner,
    /// Names of skills that may be run again although their metadata does not say so.
    idempotent: Box<dyn Fn(&str) -> bool + Send + Sync>,
}

struct Local {
    package: SkillPackage,
    files: Vec<(String, String)>,
    /// Digest of all that runs.
    program: String,
}

impl LocalSkills {
    /// Takes skills that can run, and what runs them. `idempotent` says of which skills their owner
    /// knows that they may be run again.
    pub fn new(
        packages: Vec<SkillPackage>,
        runner: Runner,
        idempotent: impl Fn(&str) -> bool + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let mut skills = BTreeMap::new();
        for package in packages {
            let files = files(&package)?;
            let program = program(&package)?;
            let name = package.metadata.name.clone();
            let local = Local {
                package,
                files,
                program,
            };
            skills.insert(name, local);
        }
        let skills = Arc::new(skills);
        let [all, ours] = [(); 2].map(|()| Arc::clone(&skills));
        let runner = runner
            .with_substitutes(move |_, name| {
                let local = all.get(name).ok_or_else(|| unknown(name))?;
                Ok(local.package.clone())
            })
            .with_permits(move |name| {
                let has_it = ours.contains_key(name);
                has_it.then_some(()).ok_or_else(|| unknown(name))
            });
        Ok(Self {
            skills,
            runner,
            idempotent: Box::new(idempotent),
        })
    }

    /// Starts the processes of the `n` most used skills that keep one. Blocks; gives what failed.
    pub fn preload(&self, n: usize) -> Vec<(String, Failure)> {
        let preloaded = self.runner.preload(n, |name| {
            let local = self.skills.get(name)?;
            Some(Ok(Cow::Borrowed(&local.package)))
        });
        preloaded.failures
    }

    /// Returns the entries of the skills for the catalog.
    pub fn offers(&self) -> Vec<Offer> {
        let offer = |(name, local): (&String, &Local)| {
            let metadata = &local.package.metadata;
            Offer {
                skill: name.clone(),
                digest: digest_of_skill(&local.files, Some(&local.program)),
                version: metadata.version.clone(),
                description: metadata.description.clone(),
                idempotent: metadata.is_idempotent(None) || (self.idempotent)(name),
                metadata: brief(metadata),
            }
        };
        self.skills.iter().map(offer).collect()
    }

    fn execute(&self, call: &LocalCall, running: &Running) -> Result<Envelope, Failure> {
        let local = self.skills.get(&call.skill);
        let package = &local.ok_or_else(|| unknown(&call.skill))?.package;
        let mut request = Request::new(call.input.clone());
        request.command.clone_from(&call.command);
        request.options.cancel = running.cancel().clone();
        let own = package.metadata.time_limit().unwrap_or(call.deadline);
        request.options.timeout = Some(own.min(call.deadline));
        Ok(self.runner.run(package, request))
    }
}

/// Returns the failure for a skill that this node does not have.
fn unknown(skill: &str) -> Failure {
    let message = format!("this node has no skill `{skill}`");
    Failure::new(ErrorCode::NotFound, message)
}

impl LocalRunner for LocalSkills {
    fn run(&self, call: &LocalCall, running: &Running) -> Value {
        let answer = self.execute(call, running);
        answer
            .unwrap_or_else(|failure| Envelope::failed(&call.skill, "none", failure))
            .to_value()
    }

    fn file(&self, skill: &str, path: &str) -> Option<Vec<u8>> {
        let local = self.skills.get(skill)?;
        let is_listed = local.files.iter().any(|(listed, _)| listed == path);
        is_listed.then(|| local.package.root.read(path, MAX_FILE).ok())?
    }

    fn files(&self, skill: &str) -> Vec<(String, String)> {
        let local = self.skills.get(skill);
        local.map_or_else(Vec::new, |local| local.files.clone())
    }

    fn program(&self, skill: &str) -> Option<String> {
        Some(self.skills.get(skill)?.program.clone())
    }
}

/// Returns the metadata for the catalog, besides the description.
fn brief(metadata: &Metadata) -> Value {
    let words = |words: &[String]| words.iter().take(MAX_WORDS).cloned().collect::<Vec<_>>();
    let commands: Vec<&str> = metadata
        .commands
        .iter()
        .take(MAX_WORDS)
        .map(|command| command.id.as_str())
        .collect();
    json!({
        "display_name": metadata.display_name,
        "domain": metadata.domain,
        "keywords": words(&metadata.keywords),
        "tags": words(&metadata.tags),
        "commands": commands,
    })
}

/// Returns the regular files of a skill with their digests. Hidden and private files are left out.
fn files(package: &SkillPackage) -> Result<Vec<(String, String)>, Error> {
    let action = "read the files of a skill";
    let limits = WalkLimits {
        depth: 32,
        entries: MAX_ENTRIES,
    };
    let listing = package
        .root
        .walk("", &limits, &is_closed)
        .map_err(Error::refused(action))?;
    let mut res = Vec::new();
    for entry in listing.entries {
        if matches!(entry.kind, Kind::File(_)) && !is_private(package, &entry.path)? {
            let digest = package.root.digest(&entry.path);
            let (digest, _) = digest.map_err(Error::refused(action))?;
            res.push((entry.path, digest.to_string()));
        }
    }
    Ok(res)
}

/// Returns the digest of everything that runs, the same as for an approval.
fn program(package: &SkillPackage) -> Result<String, Error> {
    let refused = Error::refused("look at all that runs of a skill");
    approval::program_digest(package).map_err(|failure| refused(failure.message))
}

/// Returns true if a file must not leave this machine, because of its name or its content.
fn is_private(package: &SkillPackage, path: &str) -> Result<bool, Error> {
    if is_withheld(path) {
        return Ok(true);
    }
    let head = package.root.read_start(path, PRIVATE_HEAD);
    let head = head.map_err(Error::refused("read the files of a skill"))?;
    Ok(private_content(&head).is_some())
}

/// Returns true if a directory is not entered.
fn is_closed(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with('.') || private_directory(name).is_some()
}

#[cfg(test)]
#[expect(
    clippy::disallowed_methods,
    reason = "what is published must be made by other means"
)]
mod tests {
    use super::*;

    /// Returns the published files of a skill with these files besides `SKILL.md`.
    fn published(paths: &[(&str, &[u8])]) -> Vec<String> {
        let dir = tempfile::tempdir().unwrap();
        let skill = dir.path().join("probe");
        let header = "---\nname: probe\ndescription: d\n---\nx\n";
        for (path, bytes) in [("SKILL.md", header.as_bytes())].iter().chain(paths) {
            let file = skill.join(path);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, bytes).unwrap();
        }
        let metadata = "schema: 1\nname: probe\nversion: 1.0.0\ntype: static\n";
        std::fs::write(skill.join("METADATA.yml"), metadata).unwrap();
        let package = SkillPackage::read(&skill).unwrap();
        let files = files(&package).unwrap().into_iter().map(|(path, _)| path);
        files
            .filter(|path| !matches!(path.as_str(), "SKILL.md" | "METADATA.yml"))
            .collect()
    }

    /// The digest that a node lists for a skill after a change to its directory.
    fn listed(change: impl Fn(&std::path::Path)) -> String {
        let dir = tempfile::tempdir().unwrap();
        let skill = dir.path().join("probe");
        std::fs::create_dir_all(skill.join("scripts")).unwrap();
        std::fs::write(skill.join("scripts/main"), "true").unwrap();
        let metadata =
            "schema: 1\nname: probe\nversion: 1.0.0\ntype: static\nrequires: {skills: [other]}\n";
        std::fs::write(skill.join("METADATA.yml"), metadata).unwrap();
        std::fs::create_dir(dir.path().join("other")).unwrap();
        let other = metadata.replace("probe", "other").replace("[other]", "[]");
        std::fs::write(dir.path().join("other/METADATA.yml"), other).unwrap();
        change(&skill);
        let package = SkillPackage::read(&skill).unwrap();
        let files = files(&package).unwrap();
        digest_of_skill(&files, Some(&program(&package).unwrap()))
    }

    /// Calls for one digest go to any node that lists it: what runs there must be the same.
    #[test]
    fn what_runs_decides_the_digest() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        type Change = fn(&std::path::Path);
        let changes: [(&str, Change); 6] = [
            ("hidden", |dir| {
                std::fs::write(dir.join("scripts/.lib.js"), "x").unwrap();
            }),
            ("private", |dir| {
                std::fs::write(dir.join("config.env"), "A=1").unwrap();
            }),
            ("link", |dir| {
                symlink("main", dir.join("scripts/alias")).unwrap();
            }),
            ("other link", |dir| {
                symlink("/bin/sh", dir.join("scripts/alias")).unwrap();
            }),
            ("executable", |dir| {
                let mode = std::fs::Permissions::from_mode(0o755);
                std::fs::set_permissions(dir.join("scripts/main"), mode).unwrap();
            }),
            ("neighbour", |dir| {
                std::fs::write(dir.join("../other/lib.js"), "x").unwrap();
            }),
        ];
        let mut seen = std::collections::BTreeSet::from([listed(|_| ())]);
        assert!(
            seen.contains(&listed(|_| ())),
            "the same skill, the same digest"
        );
        for (what, change) in changes {
            assert!(seen.insert(listed(change)), "{what}");
        }
    }

    /// As the migrator, the server and the validator do, each in a test of its own.
    #[test]
    fn what_is_private_or_hidden_stays_here_and_all_else_does_not() {
        for cases in skill_model::private_cases().chunks(500) {
            let files: Vec<(&str, &[u8])> = cases
                .iter()
                .map(|(path, _)| (&path[..], &b"x"[..]))
                .collect();
            let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with('.'));
            let open = cases.iter().filter(|(_, private)| private.is_none());
            let mut expected: Vec<&str> = open.map(|(path, _)| &path[..]).collect();
            expected.retain(|path| !is_hidden(path));
            expected.sort_unstable();
            let mut found = published(&files);
            found.sort();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn hidden_files_and_private_contents_stay_here() {
        let files: [(&str, &[u8]); 6] = [
            (".hidden", b"x"),
            ("a/b/server.KEY", b"x"),
            ("assets/config.env.example", b"A="),
            ("assets/table.bin", b"SQLite format 3\0"),
            ("scripts/.git/config", b"x"),
            ("scripts/environment.py", b"x"),
        ];
        assert_eq!(
            published(&files),
            ["assets/config.env.example", "scripts/environment.py"]
        );
    }
}
