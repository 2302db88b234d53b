//! Files of the user's project that an old host put into a prompt: `@{path}` of Gemini CLI.
//!
//! Source: `readPathFromWorkspace` in `packages/core/src/utils/pathReader.ts` of Gemini CLI, and
//! recordings of version 0.61. Its files are those below the working directory, also by their absolute
//! paths. What it does not find stays as it is written, and what is ignored is left out.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use skill_model::{PrivateKind, private_content, private_directory, private_path};

use super::ignored::Ignored;
use crate::fs::{Kind, Root, WalkLimits, check_relative, resolve};

/// The maximum size of all files of the project in one prompt, in bytes: that of one file of a
/// skill.
const MAX_BYTES: u64 = 2_000_000;
/// The limits of a directory in a prompt.
const LIMITS: WalkLimits = WalkLimits {
    depth: 16,
    entries: 10_000,
};

/// The project of a user, while its files are put into a prompt.
#[derive(Debug)]
pub(super) struct Project {
    root: Option<Root>,
    /// Its absolute path, as it is written and without links.
    places: Vec<PathBuf>,
    ignored: Option<Ignored>,
    left: u64,
}

impl Project {
    /// Opens a project. One that cannot be opened has no files.
    pub(super) fn open(path: &Path) -> Self {
        let root = Root::open_following(path).ok();
        let written = std::path::absolute(path).ok();
        let places: Vec<PathBuf> = resolve(path).ok().into_iter().chain(written).collect();
        let place = places.first();
        let ignored = root.as_ref().zip(place);
        Self {
            ignored: ignored.map(|(root, place)| Ignored::read(root, place)),
            root,
            places,
            left: MAX_BYTES,
        }
    }

    /// Returns what the host puts in place of a path; nothing for a file that it ignores. `None` if there
    /// is no such file, and for what an agent has to read on its own: private files, links, files that
    /// are not text, and more than [`MAX_BYTES`].
    pub(super) fn content(&mut self, written: &str) -> Option<String> {
        let path = self.below(written);
        let path = path.as_deref().unwrap_or(written);
        let path = path.strip_prefix("./").unwrap_or(path);
        let path = path.trim_end_matches('/');
        let at = if path == "." { "" } else { path };
        let is_inside = path == "." || check_relative(at).is_ok();
        let kind = self.root.as_ref().filter(|_| is_inside)?.kind(at).ok()??;
        match kind {
            Kind::File(_) if self.is_ignored(at) => Some(String::new()),
            Kind::File(_) => self.file(at),
            Kind::Dir => self.directory(written, at),
            _ => None,
        }
    }

    /// Returns the path in the project for an absolute one.
    fn below(&self, written: &str) -> Option<String> {
        let path = Path::new(written);
        if !path.is_absolute() {
            return None;
        }
        let mut places = self.places.iter();
        let below = places.find_map(|place| path.strip_prefix(place).ok())?;
        match below.to_str()? {
            "" => Some(".".to_owned()),
            below => Some(below.replace(std::path::MAIN_SEPARATOR, "/")),
        }
    }

    fn is_ignored(&mut self, path: &str) -> bool {
        let both = self.root.as_ref().zip(self.ignored.as_mut());
        both.is_some_and(|(root, ignored)| ignored.is_ignored(root, path))
    }

    /// Returns the files below a directory, as the host puts them into a prompt.
    fn directory(&mut self, written: &str, at: &str) -> Option<String> {
        let prune = |path: &str| is_closed(path);
        let listing = self.root.as_ref()?.walk(at, &LIMITS, &prune).ok()?;
        let mut res = format!("--- Start of content for directory: {written} ---\n");
        for entry in listing.entries {
            if !matches!(entry.kind, Kind::File(_)) || self.is_ignored(&entry.path) {
                continue;
            }
            let shown = entry.path.strip_prefix(at).unwrap_or(&entry.path);
            let shown = shown.trim_start_matches('/');
            let text = self.file(&entry.path);
            let text = text.unwrap_or_else(|| format!("[not read: {}]", entry.path));
            let _ = write!(res, "--- {shown} ---\n{text}\n");
        }
        Some(res + &format!("--- End of content for directory: {written} ---"))
    }

    fn file(&mut self, path: &str) -> Option<String> {
        let is_private =
            private_path(path).is_some_and(|row| is_secret(row.kind)) || is_closed(path);
        let root = self.root.as_ref().filter(|_| !is_private)?;
        let bytes = root.read(path, self.left).ok()?;
        if private_content(&bytes).is_some_and(|row| is_secret(row.kind)) {
            return None;
        }
        let text = String::from_utf8(bytes).ok()?;
        self.left -= text.len() as u64;
        Some(text)
    }
}

/// Returns true for files that no prompt contains.
fn is_secret(kind: PrivateKind) -> bool {
    matches!(kind, PrivateKind::Credentials | PrivateKind::Settings)
}

/// Returns true for paths in directories that are not part of a project's text: `.git`,
/// `node_modules`.
fn is_closed(path: &str) -> bool {
    path.split('/')
        .any(|name| private_directory(name).is_some())
}

#[cfg(test)]
#[cfg(unix)]
#[expect(clippy::disallowed_methods, reason = "a test lays out its own files")]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    fn project() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let files = [
            ("notes/rules.md", "Rule 1.\n"),
            ("notes/a/more.md", "More."),
            ("notes/.env", "TOKEN=x\n"),
            ("notes/node_modules/x/index.js", "x"),
            (".git/config", "secret"),
            (".gitignore", "/ignored\n*.log\n!kept.log\n"),
            ("notes/.gitignore", "draft.md\n/.gitignore\n"),
            (".geminiignore", "gone.log\n"),
            ("ignored/a.md", "A."),
            ("notes/draft.md", "Draft."),
            ("kept.log", "Kept."),
            ("gone.log", "Gone."),
            ("key.pem", "-----BEGIN PRIVATE KEY-----\n"),
        ];
        for (path, text) in files {
            let path = dir.path().join("p").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        fs::write(dir.path().join("outside.md"), "Outside.").unwrap();
        symlink("../outside.md", dir.path().join("p/link.md")).unwrap();
        symlink("..", dir.path().join("p/up")).unwrap();
        fs::write(dir.path().join("p/bytes.bin"), [0xff, 0xfe]).unwrap();
        fs::write(dir.path().join("p/large.txt"), vec![b'x'; 2_000_001]).unwrap();
        dir
    }

    #[track_caller]
    fn check(path: &str, expected: Option<&str>) {
        let dir = project();
        let found = Project::open(&dir.path().join("p")).content(path);
        assert_eq!(found.as_deref(), expected, "{path}");
    }

    #[test]
    fn files_and_directories_of_the_project_are_put_in() {
        check("notes/rules.md", Some("Rule 1.\n"));
        check("./notes/rules.md", Some("Rule 1.\n"));
        check("ignored/a.md", Some(""));
        check("notes/draft.md", Some(""));
        check("kept.log", Some("Kept."));
        check("gone.log", Some(""));
        check(".git/config", Some(""));
        check(
            "notes",
            Some(
                "--- Start of content for directory: notes ---\n\
                 --- .env ---\n[not read: notes/.env]\n\
                 --- a/more.md ---\nMore.\n\
                 --- rules.md ---\nRule 1.\n\n\
                 --- End of content for directory: notes ---",
            ),
        );
    }

    #[test]
    fn absolute_paths_in_the_project_are_put_in() {
        let dir = project();
        let place = dir.path().join("p");
        let mut found = Project::open(&place);
        let at = |path: &str| place.join(path).display().to_string();
        assert_eq!(
            found.content(&at("notes/rules.md")).as_deref(),
            Some("Rule 1.\n")
        );
        assert_eq!(found.content(&at("ignored/a.md")).as_deref(), Some(""));
        assert_eq!(found.content(&at("../outside.md")), None);
        let shown = found.content(&at("notes")).unwrap();
        let first = format!("--- Start of content for directory: {} ---\n", at("notes"));
        assert!(shown.starts_with(&first), "{shown}");
    }

    #[test]
    fn nothing_else_is() {
        let paths = [
            "notes/none.md",
            "",
            "..",
            "../outside.md",
            "notes/../../outside.md",
            "/etc/hostname",
            "link.md",
            "up/outside.md",
            "notes/.env",
            "key.pem",
            "bytes.bin",
            "large.txt",
            "C:\\x",
        ];
        for path in paths {
            check(path, None);
        }
    }

    #[test]
    fn all_files_together_have_a_limit() {
        let dir = project();
        let path = dir.path().join("p/half.txt");
        fs::write(path, "y".repeat(1_500_000)).unwrap();
        let mut project = Project::open(&dir.path().join("p"));
        assert!(project.content("half.txt").is_some());
        assert_eq!(project.content("half.txt"), None);
        assert!(project.content("notes/rules.md").is_some());
    }
}
