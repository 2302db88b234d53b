//! Every command in the documents runs. A document is one session: its `sh` blocks run line by
//! line, in a directory with `plugins/`, the same below `old-host/Plugin` with the settings of that
//! host and, migrated from `plugins/`, `skills/`.
//!
//! - A command ends with 0, or with the status that its comment names (`# exit status 1 …`).
//! - A line that ends with `&` starts a server, which is ended when the document ends.
//! - `cargo` lines are not run here; those of `cargo xtask` must name a chore that there is.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests prepare directories and start the tools"
)]

use skill_testing::documented::{Documented, commands};
use skill_testing::{Need, find, tool};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use rayon::prelude::*;
use tempfile::TempDir;

/// The documents with commands, from the root of the repository, and the programs that these need
/// besides the tools.
const DOCUMENTS: &[(&str, &[(Need, &str)])] = &[
    ("README.md", &[(Need::Node, "npm")]),
    ("README.zh-CN.md", &[(Need::Node, "npm")]),
    ("CONTRIBUTING.md", &[]),
    (
        "docs/guide.md",
        &[(Need::Node, "node"), (Need::Programs, "curl")],
    ),
    ("docs/ci.md", &[]),
    ("docs/running.md", &[(Need::Node, "node")]),
    ("docs/disclosure.md", &[]),
    ("docs/search.md", &[]),
    ("docs/clients.md", &[]),
    ("docs/migration.md", &[]),
    ("docs/packages.md", &[]),
    ("docs/publishing.md", &[]),
];

#[test]
fn each_command_runs() {
    let has_programs = |needs: &[(Need, &str)]| {
        let mut needs = needs.iter();
        needs.all(|(need, name)| find::program(*need, name).is_some())
    };
    let documents = DOCUMENTS.iter().filter(|(_, needs)| has_programs(needs));
    let documents: Vec<&str> = documents.map(|(document, _)| *document).collect();
    let wrong: Vec<String> = documents
        .par_iter()
        .flat_map_iter(|document| check(document))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the problems of one document.
fn check(document: &str) -> Vec<String> {
    let session = Session::new();
    let text = fs::read_to_string(repository().join(document)).unwrap();
    let mut servers = Servers::default();
    let found = commands(&text);
    let run = |command| session.run(command, &mut servers);
    let wrong = found.iter().filter_map(run);
    wrong.map(|what| format!("{document}:{what}")).collect()
}

/// A directory as a reader of the documents has it.
struct Session {
    directory: TempDir,
    /// Stand for the ports that the documents serve at.
    ports: [u16; 2],
}

/// The ports that servers have in the documents.
const PORTS: [&str; 2] = [":8077", ":8078"];

impl Session {
    fn new() -> Self {
        let res = Self {
            directory: TempDir::new().unwrap(),
            ports: free_ports(),
        };
        let fixtures = repository().join("fixtures");
        let here = res.directory.path();
        std::os::unix::fs::symlink(&fixtures, here.join("fixtures")).unwrap();
        fs::create_dir(here.join("tmp")).unwrap();
        // The home directory is this one, and `cargo install` would have made the directory.
        fs::create_dir_all(here.join(".cargo/bin")).unwrap();
        let prepare = "cp -r fixtures/plugins plugins && skills-migrate plugins --out skills --quiet; \
            mkdir old-host && cp -r plugins old-host/Plugin && echo PORT=7001 > old-host/config.env; \
            git init -q -b main && git add -A && git -c user.name=a -c user.email=a@b commit -qm all \
            && git update-ref refs/remotes/origin/main HEAD && touch weather.env";
        let output = res.shell(prepare).output().unwrap();
        assert!(output.status.success(), "{}", printed(&output));
        res
    }

    /// Returns the problem of one command, if there is one.
    fn run(&self, command: &Documented, servers: &mut Servers) -> Option<String> {
        let text = command.text.replace("/tmp/", "tmp/");
        let ports = PORTS.iter().zip(self.ports);
        let text = ports.fold(text, |text, (written, port)| {
            text.replace(written, &format!(":{port}"))
        });
        let text = text
            .replace("cargo run --release --bin ", "")
            .replace("cargo run --bin ", "")
            .replace(" -- ", " ");
        if let Some(chore) = text.strip_prefix("cargo xtask ") {
            return (!is_chore(chore)).then(|| format!("{}: no such chore: {text}", command.line));
        }
        if text.starts_with("cargo ") {
            return None;
        }
        if let Some(server) = text.trim_end().strip_suffix('&') {
            return servers
                .start(self.shell(server))
                .map(|it| format!("{}: {it}", command.line));
        }
        let output = self.shell(&text).output().unwrap();
        let code = output.status.code();
        let is_fine = code == Some(0) || code == Some(command.may_end_with);
        (!is_fine).then(|| {
            format!(
                "{}: {text}: status {code:?}\n{}",
                command.line,
                printed(&output)
            )
        })
    }

    fn shell(&self, line: &str) -> Command {
        let mut res = Command::new("bash");
        let tool = tool!("skills-migrate");
        let tools = Path::new(&tool).parent().unwrap();
        let path = std::env::var("PATH").unwrap_or_default();
        res.args(["-c", line])
            .current_dir(self.directory.path())
            .env("PATH", format!("{}:{path}", tools.display()))
            .env("HOME", self.directory.path())
            .env("NO_COLOR", "1")
            .stdin(Stdio::null());
        res
    }
}

/// Servers that a document started; they end with it.
#[derive(Default)]
struct Servers(Vec<Child>);

impl Servers {
    /// Starts a server and waits for its first line on standard error, which says that it serves.
    fn start(&mut self, mut command: Command) -> Option<String> {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut first = [0; 1];
        let stderr = child.stderr.as_mut().unwrap();
        let n_read = std::io::Read::read(stderr, &mut first).unwrap();
        self.0.push(child);
        (n_read == 0).then(|| "the server ended without a word".to_owned())
    }
}

impl Drop for Servers {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Returns true if the first word is a row of xtask's table.
fn is_chore(text: &str) -> bool {
    let table = fs::read_to_string(repository().join("xtask/src/main.rs")).unwrap();
    let name = text.split_whitespace().next().unwrap_or_default();
    table.contains(&format!("name: \"{name}\""))
}

fn printed(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Returns ports that are free, each another one.
fn free_ports() -> [u16; 2] {
    let listeners = [(); 2].map(|()| std::net::TcpListener::bind("127.0.0.1:0").unwrap());
    listeners.map(|listener| listener.local_addr().unwrap().port())
}

fn repository() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap().to_owned()
}
