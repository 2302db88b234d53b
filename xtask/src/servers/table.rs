//! The servers, at pinned versions, and the calls that are compared. Calls whose answers have the time of
//! the clock are left out.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::agents::install::Package;
use crate::shell;

/// A server, and what is tried with it. `DIR` stands for a directory that it works on.
pub(super) struct Server {
    pub(super) name: &'static str,
    pub(super) package: Package,
    /// The program of the package.
    pub(super) program: &'static str,
    pub(super) arguments: &'static [&'static str],
    pub(super) environment: &'static [(&'static str, &'static str)],
    pub(super) lay_out: fn(&Path) -> Result<()>,
    /// Tools and their arguments.
    pub(super) calls: &'static [(&'static str, &'static str)],
}

impl Server {
    /// Returns the words that start it in a list of servers, and the package with its version.
    pub(super) fn start(&self) -> (Vec<String>, String) {
        match self.package {
            Package::Npm(text) => (vec!["npx".into(), "-y".into()], text.to_owned()),
            Package::Pip(text) => (vec!["uvx".into()], text.replace("==", "@")),
        }
    }
}

#[expect(clippy::unnecessary_wraps, reason = "the others of the table can fail")]
fn nothing(_: &Path) -> Result<()> {
    Ok(())
}

fn files(dir: &Path) -> Result<()> {
    fs::create_dir(dir.join("inner"))?;
    fs::write(dir.join("a.txt"), "one\ntwo\nthree\n")?;
    Ok(fs::write(dir.join("inner/b.md"), "# B\n")?)
}

/// A repository with one commit, which has always the same digest, and a change.
fn repository(dir: &Path) -> Result<()> {
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command.args(words).current_dir(dir);
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "a");
            command.env(format!("GIT_{who}_EMAIL"), "a@example.org");
            command.env(format!("GIT_{who}_DATE"), "2026-01-01T00:00:00Z");
        }
        shell::capture(&mut command).map(drop)
    };
    git(&["init", "--quiet", "--initial-branch", "main"])?;
    fs::write(dir.join("a.txt"), "one\n")?;
    git(&["add", "."])?;
    git(&["commit", "--quiet", "--message", "first"])?;
    Ok(fs::write(dir.join("a.txt"), "one\ntwo\n")?)
}

/// The servers, in the order of the table.
pub(super) const SERVERS: &[Server] = &[
    Server {
        name: "everything",
        package: Package::Npm("@modelcontextprotocol/server-everything@2026.8.31"),
        program: "mcp-server-everything",
        arguments: &[],
        environment: &[],
        lay_out: nothing,
        calls: &[
            ("echo", r#"{"message": "hé 你好"}"#),
            ("get-sum", r#"{"a": 2, "b": 3}"#),
            ("get-tiny-image", "{}"),
            ("get-structured-content", r#"{"location": "Chicago"}"#),
            (
                "get-annotated-message",
                r#"{"messageType": "error", "includeImage": true}"#,
            ),
            ("get-resource-links", r#"{"count": 3}"#),
            ("get-sum", r#"{"a": "two"}"#),
        ],
    },
    Server {
        name: "filesystem",
        package: Package::Npm("@modelcontextprotocol/server-filesystem@2026.8.31"),
        program: "mcp-server-filesystem",
        arguments: &["DIR"],
        environment: &[],
        lay_out: files,
        calls: &[
            ("list_allowed_directories", "{}"),
            ("list_directory", r#"{"path": "DIR"}"#),
            ("directory_tree", r#"{"path": "DIR"}"#),
            ("read_text_file", r#"{"path": "DIR/a.txt", "head": 2}"#),
            ("read_text_file", r#"{"path": "/etc/hostname"}"#),
            ("write_file", r#"{"path": "DIR/c.txt", "content": "new\n"}"#),
            (
                "edit_file",
                r#"{"path": "DIR/a.txt", "edits": [{"oldText": "two", "newText": "2"}]}"#,
            ),
            (
                "read_multiple_files",
                r#"{"paths": ["DIR/a.txt", "DIR/c.txt", "DIR/none"]}"#,
            ),
            (
                "move_file",
                r#"{"source": "DIR/c.txt", "destination": "DIR/d.txt"}"#,
            ),
            ("search_files", r#"{"path": "DIR", "pattern": "**/*.md"}"#),
        ],
    },
    Server {
        name: "memory",
        package: Package::Npm("@modelcontextprotocol/server-memory@2026.8.31"),
        program: "mcp-server-memory",
        arguments: &[],
        environment: &[("MEMORY_FILE_PATH", "DIR/memory.jsonl")],
        lay_out: nothing,
        calls: &[
            (
                "create_entities",
                r#"{"entities": [{"name": "Ada", "entityType": "person", "observations": ["counts"]}]}"#,
            ),
            (
                "add_observations",
                r#"{"observations": [{"entityName": "Ada", "contents": ["writes"]}]}"#,
            ),
            ("search_nodes", r#"{"query": "ada"}"#),
            ("delete_entities", r#"{"entityNames": ["Ada"]}"#),
            ("read_graph", "{}"),
        ],
    },
    Server {
        name: "time",
        package: Package::Pip("mcp-server-time==2026.10.19"),
        program: "mcp-server-time",
        arguments: &["--local-timezone", "UTC"],
        environment: &[],
        lay_out: nothing,
        calls: &[
            (
                "convert_time",
                r#"{"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}"#,
            ),
            (
                "convert_time",
                r#"{"source_timezone": "Nowhere", "time": "12:00", "target_timezone": "UTC"}"#,
            ),
        ],
    },
    Server {
        name: "git",
        package: Package::Pip("mcp-server-git==2026.10.19"),
        program: "mcp-server-git",
        arguments: &["--repository", "DIR"],
        environment: &[],
        lay_out: repository,
        calls: &[
            ("git_status", r#"{"repo_path": "DIR"}"#),
            ("git_diff_unstaged", r#"{"repo_path": "DIR"}"#),
            ("git_log", r#"{"repo_path": "DIR", "max_count": 1}"#),
            ("git_add", r#"{"repo_path": "DIR", "files": ["a.txt"]}"#),
            ("git_diff_staged", r#"{"repo_path": "DIR"}"#),
            (
                "git_create_branch",
                r#"{"repo_path": "DIR", "branch_name": "b"}"#,
            ),
            ("git_show", r#"{"repo_path": "DIR", "revision": "main"}"#),
        ],
    },
    Server {
        name: "playwright",
        package: Package::Npm("@playwright/mcp@0.0.83"),
        program: "playwright-mcp",
        arguments: &["--headless"],
        environment: &[],
        lay_out: nothing,
        // A call would need a browser.
        calls: &[],
    },
];
