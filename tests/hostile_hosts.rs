//! Packages of other hosts that attack the migration: nothing from outside of the input is read, and
//! everything ends with a finding.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::{migrate, tool, tree};

/// Text that no skill may have.
const OUTSIDE: &str = "a text outside of the input";

/// Migrates the marketplace that `lay_out` writes, beside a file that is not its own. Returns the
/// report and the whole output as a text.
fn run(lay_out: impl Fn(&Path)) -> (Value, String) {
    let dir = TempDir::new().unwrap();
    let [input, out] = [dir.path().join("in"), dir.path().join("out")];
    write(&dir.path().join("outside/secret.md"), OUTSIDE);
    write(&dir.path().join("outside/commands/x.md"), OUTSIDE);
    lay_out(&input);
    let report = tool::report(&input, &out, &[]);
    let text = if out.exists() {
        tree::render(&out, |_| true)
    } else {
        String::new()
    };
    (report, text)
}

fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Checks that the skills are these, that nothing from outside is in the output, and that the
/// findings have these codes among others.
#[track_caller]
fn check(lay_out: impl Fn(&Path), skills: &[&str], codes: &[&str]) {
    let (report, text) = run(lay_out);
    assert!(!text.contains(OUTSIDE), "{text}");
    let found: Vec<&str> = migrate::plugins(&report)
        .filter(|it| it["status"] == "created")
        .filter_map(|it| it["skill"].as_str())
        .collect();
    assert_eq!(found, skills, "{report}");
    let all = report.to_string();
    for code in codes {
        assert!(all.contains(code), "{code} is not in {all}");
    }
}

const MARKETPLACE: &str = ".claude-plugin/marketplace.json";
const BREW: &str = "---\ndescription: Brews tea when asked\n---\nBrew it.\n";

#[test]
fn links_are_not_followed() {
    let lay_out = |input: &Path| {
        write(
            &input.join(".claude-plugin/plugin.json"),
            r#"{"name":"tea"}"#,
        );
        write(&input.join("commands/brew.md"), BREW);
        symlink("../../outside/secret.md", input.join("commands/link.md")).unwrap();
        symlink("../outside/commands", input.join("agents")).unwrap();
        symlink(".", input.join("skills")).unwrap();
    };
    check(lay_out, &["brew"], &["a symbolic link"]);
}

#[test]
fn links_in_a_marketplace_are_not_followed_and_said() {
    let entries = r#"{"name":"m","plugins":[{"name":"out","source":"./plugins/out"},
        {"name":"in","source":"./plugins/in"},{"name":"tea","source":"./plugins/tea"}]}"#;
    let lay_out = |input: &Path| {
        write(&input.join(MARKETPLACE), entries);
        write(&input.join("plugins/tea/commands/brew.md"), BREW);
        write(&input.join("plugins/tea/.mcp.json.txt"), "x");
        symlink("../../outside", input.join("plugins/out")).unwrap();
        symlink("tea", input.join("plugins/in")).unwrap();
        symlink(
            "../../../outside/secret.md",
            input.join("plugins/tea/NOTICE"),
        )
        .unwrap();
    };
    check(lay_out, &["brew"], &["a symbolic link is not followed"]);
    // The list itself, and the directory that it is in.
    let lay_out = |input: &Path| {
        write(&input.join("lists/marketplace.json"), entries);
        write(
            &input.join("plugins/tea/.claude-plugin/plugin.json"),
            r#"{"name":"tea"}"#,
        );
        write(&input.join("plugins/tea/commands/brew.md"), BREW);
        fs::create_dir_all(input.join(".claude-plugin")).unwrap();
        symlink("../lists/marketplace.json", input.join(MARKETPLACE)).unwrap();
    };
    check(lay_out, &["brew"], &["marketplace-unreadable"]);
}

#[test]
fn a_package_that_contains_itself_in_its_paths_ends() {
    let lay_out = |input: &Path| {
        let manifest = r#"{"name":"tea","commands":["./","./commands","commands/./"],"skills":[".","./skills/../skills"]}"#;
        write(&input.join(".claude-plugin/plugin.json"), manifest);
        write(&input.join("commands/brew.md"), BREW);
        symlink("..", input.join("commands/up")).unwrap();
    };
    check(lay_out, &["brew"], &["missing-part"]);
}

#[test]
fn paths_do_not_leave_the_package() {
    let lay_out = |input: &Path| {
        let entries = r#"{"name":"m","plugins":[{"name":"a","source":"../outside"},
            {"name":"b","source":"/etc"},{"name":"c","source":"./plugins/c"}]}"#;
        write(&input.join(MARKETPLACE), entries);
        let manifest =
            r#"{"name":"c","commands":["./commands","../../../outside/commands","/etc"]}"#;
        write(
            &input.join("plugins/c/.claude-plugin/plugin.json"),
            manifest,
        );
        let text = format!(
            "{BREW}Read @../../../outside/secret.md and @/etc/passwd and ${{CLAUDE_PLUGIN_ROOT}}/../../../outside/secret.md, [it](../../../../outside/secret.md).\n"
        );
        write(&input.join("plugins/c/commands/brew.md"), &text);
    };
    check(lay_out, &["brew"], &["plugin-elsewhere", "missing-part"]);
}

#[test]
fn files_that_include_each_other_are_copied_once() {
    let lay_out = |input: &Path| {
        write(
            &input.join(".claude-plugin/plugin.json"),
            r#"{"name":"tea"}"#,
        );
        write(
            &input.join("commands/brew.md"),
            &format!("{BREW}See ${{CLAUDE_PLUGIN_ROOT}}/docs/a.md.\n"),
        );
        write(&input.join("docs/a.md"), "See [b](b.md) and docs/a.md.");
        write(
            &input.join("docs/b.md"),
            "See [a](a.md), ./a.md and ../commands/brew.md.",
        );
    };
    let (report, text) = run(lay_out);
    assert_eq!(migrate::plugins(&report).count(), 1);
    assert!(
        text.contains("brew/docs/a.md") && text.contains("brew/docs/b.md"),
        "{text}"
    );
}

#[test]
fn large_prompts_are_read() {
    let prompt = format!(
        "{BREW}{}\n",
        "Use $ARGUMENTS, and read this with care. ".repeat(30_000)
    );
    assert!(prompt.len() > 1 << 20);
    let lay_out = |input: &Path| write(&input.join(".claude/commands/brew.md"), &prompt);
    check(lay_out, &["brew"], &[]);
}

#[test]
fn large_frontmatters_are_bounded() {
    let aliases = format!("a: &a [{}]\n", "x,".repeat(50));
    let many_keys: Vec<String> = (0..20_000).map(|at| format!("k{at}: {at}\n")).collect();
    let bombs = [
        format!("b: {}{}\n", "[".repeat(5_000), "]".repeat(5_000)),
        format!("{aliases}b: &b [*a,*a,*a]\nc: [*b,*b,*b]\n"),
        format!("b: {}\n", "y".repeat(2 << 20)),
        many_keys.concat(),
    ];
    for bomb in &bombs {
        let text = format!("---\ndescription: Brews tea when asked\n{bomb}---\nBrew it.\n");
        let lay_out = |input: &Path| write(&input.join(".claude/commands/brew.md"), &text);
        let (report, text) = run(lay_out);
        for plugin in migrate::plugins(&report) {
            let is_said = !plugin["findings"].as_array().unwrap().is_empty();
            assert!(plugin["status"] == "created" || is_said, "{report}");
            assert_ne!(plugin["status"], "failed", "{report}");
        }
        assert!(text.len() < 16 << 20, "{} bytes", text.len());
    }
}
