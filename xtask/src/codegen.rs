//! Documents that the tools print themselves, committed so that they can be read and reviewed.
//!
//! A new document is one row of `DOCUMENTS`.

mod field_docs;
mod pictures;

use std::fs;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::repo::Repo;
use crate::shell;

struct Document {
    path: &'static str,
    source: Source,
}

enum Source {
    /// The doc comments of the structs and enums of these files.
    FieldDocs(&'static [&'static str]),
    /// The help of every tool and subcommand.
    Help,
    /// The output of a tool for these arguments.
    Printed(&'static str, &'static [&'static str]),
    /// A picture from the metadata of the workspace.
    Picture(fn(&Value) -> String),
    /// The JSON that a test of a package prints. Another test of the package fails when the
    /// document is stale, so `--check` does not build the tests again.
    Test(&'static str, &'static str),
}

const DOCUMENTS: &[Document] = &[
    Document {
        path: "docs/cli.md",
        source: Source::Help,
    },
    Document {
        path: "docs/img/crates.svg",
        source: Source::Picture(pictures::crates),
    },
    Document {
        path: "docs/img/flow.svg",
        source: Source::Picture(|_| pictures::flow()),
    },
    Document {
        path: "docs/metadata.md",
        source: Source::FieldDocs(&[
            "crates/skill-model/src/metadata.rs",
            "crates/skill-model/src/metadata/prompt.rs",
            "crates/skill-model/src/metadata/words.rs",
        ]),
    },
    Document {
        path: "docs/metadata.schema.json",
        source: Source::Test("skill-model", "metadata::schema::tests::print_derived"),
    },
    Document {
        path: "docs/formats.md",
        source: Source::Printed("skills-migrate", &["--list-formats=markdown"]),
    },
    Document {
        path: "docs/rules.md",
        source: Source::Printed("skills-validate", &["--list-rules=markdown"]),
    },
];

/// Any example of the workspace.
const AN_EXAMPLE: &str = "tour";

const HELP_HEAD: &str = "\
# The tools

<!-- written by `cargo xtask codegen` from the tools' own --help -->
";

/// Returns the paths of all generated documents.
pub(crate) fn documents() -> impl Iterator<Item = &'static str> {
    DOCUMENTS.iter().map(|document| document.path)
}

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    let check = match args {
        [] => false,
        [flag] if flag == "--check" => true,
        _ => bail!("usage: cargo xtask codegen [--check]"),
    };
    // An example makes cargo choose the features that it has for the tests: what `ci` has built for
    // them is not built again with others, from serde on.
    let build = ["build", "--quiet", "--workspace", "--bins", "--example"];
    shell::run(shell::cargo(repo).args(build).arg(AN_EXAMPLE))?;
    let mut stale = Vec::new();
    let is_known = |document: &&Document| check && matches!(document.source, Source::Test(..));
    for document in DOCUMENTS.iter().filter(|document| !is_known(document)) {
        let fresh = render(repo, &document.source)?;
        let present = repo.read(document.path).unwrap_or_default();
        if present == fresh {
            continue;
        }
        if check {
            stale.push(format!(
                "{}, {}",
                document.path,
                first_difference(&present, &fresh)
            ));
        } else {
            write(repo, document.path, &fresh)?;
        }
    }
    if !stale.is_empty() {
        bail!("stale, run cargo xtask codegen: {}", stale.join("; "));
    }
    println!("   {} generated document(s) are fresh", DOCUMENTS.len());
    Ok(())
}

fn write(repo: &Repo, relative: &str, text: &str) -> Result<()> {
    let path = repo.path(relative);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(&path, text)?;
    println!("wrote {relative}");
    Ok(())
}

fn render(repo: &Repo, source: &Source) -> Result<String> {
    match source {
        Source::FieldDocs(paths) => {
            let texts: Result<Vec<_>> = paths.iter().map(|path| repo.read(path)).collect();
            Ok(field_docs::render(&texts?.concat()))
        }
        Source::Help => help_of_all_tools(repo),
        Source::Picture(draw) => Ok(draw(&repo.metadata()?)),
        Source::Printed(tool, args) => printed(repo, tool, args),
        Source::Test(package, test) => printed_by_test(repo, package, test),
    }
}

fn printed_by_test(repo: &Repo, package: &str, test: &str) -> Result<String> {
    let text = shell::capture(shell::cargo(repo).args([
        "test",
        "--quiet",
        "--package",
        package,
        "--lib",
        "--",
        "--exact",
        test,
        "--nocapture",
    ]))?;
    json_of(&text).with_context(|| format!("{test} of {package} prints no JSON object: {text}"))
}

/// Returns the JSON object in the output of a test, from the line `{` to the line `}`.
fn json_of(output: &str) -> Option<String> {
    let start = output.find("{\n")?;
    let length = output[start..].find("\n}\n")? + "\n}\n".len();
    Some(output[start..start + length].to_owned())
}

fn help_of_all_tools(repo: &Repo) -> Result<String> {
    let mut acc = vec![HELP_HEAD.to_owned()];
    for tool in repo.binaries()? {
        add_help(repo, &tool, &[], &mut acc)?;
    }
    Ok(acc.concat())
}

/// Adds the help of one command and, below it, of its subcommands.
fn add_help(repo: &Repo, tool: &str, subcommand: &[&str], acc: &mut Vec<String>) -> Result<()> {
    let help = tidy_help(&printed(repo, tool, &[subcommand, &["--help"]].concat())?);
    // One tool is started by another: its help is the same under both names.
    if acc.iter().any(|section| section.contains(&help)) {
        return Ok(());
    }
    let title = [&[tool], subcommand].concat().join(" ");
    let level = "#".repeat(2 + subcommand.len());
    acc.push(format!("\n{level} {title}\n\n```text\n{help}\n```\n"));
    for name in subcommands(&help) {
        add_help(repo, tool, &[subcommand, &[name]].concat(), acc)?;
    }
    Ok(())
}

fn printed(repo: &Repo, tool: &str, args: &[&str]) -> Result<String> {
    let mut command = shell::program(repo, repo.path("target/debug").join(tool));
    command
        .args(args)
        .env("COLUMNS", "100")
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C.UTF-8");
    shell::capture(&mut command)
}

fn tidy_help(help: &str) -> String {
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    lines.join("\n").trim().to_owned()
}

/// The names in the `Commands:` section of a help text.
fn subcommands(help: &str) -> impl Iterator<Item = &str> {
    let section = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    section
        .take_while(|line| !line.trim().is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
}

fn first_difference(old: &str, new: &str) -> String {
    let pairs = (1..).zip(old.lines().zip(new.lines()));
    let found = pairs.into_iter().find(|(_, (old, new))| old != new);
    match found {
        Some((number, (_, new))) => format!("line {number} should be `{new}`"),
        None => format!(
            "it has {} lines instead of {}",
            old.lines().count(),
            new.lines().count()
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_subcommands() {
        let help = "Usage: x <COMMAND>\n\nCommands:\n  one   First\n        more\n  two   Second\n  help  Print\n\nOptions:\n  -h\n";
        assert_eq!(subcommands(help).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(subcommands("Options:\n  -h\n").count(), 0);
    }

    #[test]
    fn help_has_no_blanks_at_line_ends() {
        assert_eq!(tidy_help("a  \n\nb \n"), "a\n\nb");
    }

    #[test]
    fn finds_json_between_the_lines_of_the_harness() {
        let output = "\nrunning 1 test\n{\n  \"a\": {}\n}\n.\ntest result: ok.\n";
        assert_eq!(json_of(output).as_deref(), Some("{\n  \"a\": {}\n}\n"));
        assert_eq!(json_of("running 0 tests\n"), None);
    }

    #[test]
    fn says_where_texts_differ() {
        assert_eq!(first_difference("a\nb\n", "a\nc\n"), "line 2 should be `c`");
        assert_eq!(
            first_difference("a\n", "a\nb\n"),
            "it has 1 lines instead of 2"
        );
    }
}
