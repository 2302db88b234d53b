//! A server of ours, and skills for it.

use skill_testing::tool;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

pub(crate) fn binary() -> String {
    tool!("skills-serve")
}

/// Two skills, one of which can be run.
pub(crate) fn skills() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write(
        "skills/pdf-forms/SKILL.md",
        b"---\nname: pdf-forms\ndescription: Fills the fields of PDF forms. Use when a form is to be filled in.\nlicense: MIT\nmetadata:\n  version: \"2.1\"\n---\n\n# PDF forms\n\nRead references/guide.md.\n\n## Usage\n\nFill the fields.\n",
    );
    let part =
        |n: usize| format!("## Part {n}\n\nWhat to do with field {n}, and why 字段 {n} is so.\n\n");
    let guide = format!("# Guide\n\n{}", (0..600).map(part).collect::<String>());
    write("skills/pdf-forms/references/guide.md", guide.as_bytes());
    write("skills/pdf-forms/assets/seal.bin", &[0xff, 0xfe, 0xfd]);
    write("skills/pdf-forms/config.env", b"KEY=secret");
    write(
        "skills/word-count/SKILL.md",
        b"---\nname: word-count\ndescription: Counts the words of a text. Use when words are to be counted.\n---\n\n# Word count\n\nGive it a text.\n",
    );
    write(
        "skills/word-count/METADATA.yml",
        b"name: word-count\nexecutor: direct\ntransport: stdio-json\nrunnable: true\nenabled: true\nentry:\n  runtime: python\n  argv: [python3, main.py]\n  dir: scripts\ncommands:\n  - id: count\n    description: Counts the words of a text.\n    dispatch: null\n    input_schema:\n      type: object\n      properties:\n        text: {type: string}\n      required: [text]\n",
    );
    write(
        "skills/word-count/scripts/main.py",
        b"import json, sys\ncall = json.load(sys.stdin)\nprint(json.dumps({\"status\": \"success\", \"result\": f\"{len(call['text'].split())} words\"}))\n",
    );
    dir
}

/// The arguments for these skills: `word-count` may be run.
pub(crate) fn arguments(dir: &Path) -> Vec<String> {
    let path = |name: &str| dir.join(name).display().to_string();
    let state = path("state");
    [&path("skills"), "--allow-run", "word-*", "--state", &state]
        .map(str::to_owned)
        .into()
}

/// A server that listens, ended when it goes out of scope.
pub(crate) struct Server {
    child: Child,
    /// `http://127.0.0.1:PORT/mcp`
    pub(crate) url: String,
}

impl Server {
    pub(crate) fn start(dir: &Path, more: &[&str]) -> Self {
        let mut child = Command::new(binary())
            .args(arguments(dir))
            .args(["--http", "127.0.0.1:0"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while lines.read_line(&mut line).unwrap() > 0 && !line.contains(" skills at ") {
            line.clear();
        }
        let url = line
            .trim()
            .rsplit(' ')
            .next()
            .unwrap_or_default()
            .to_owned();
        assert!(url.ends_with("/mcp"), "{line}");
        // What else it says is not waited for.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        Self { child, url }
    }

    pub(crate) fn address(&self) -> &str {
        self.url
            .trim_start_matches("http://")
            .trim_end_matches("/mcp")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Waits for its end.
    pub(crate) fn wait(&mut self) -> std::process::ExitStatus {
        self.child.wait().unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
