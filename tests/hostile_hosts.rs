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

/// Migrates files beside a plugin that is fine, which is migrated whatever is in the others. Every other
/// package is migrated or says why not, and the output has at most this size.
#[track_caller]
fn check_beside(files: &[(&str, &[u8])], max_bytes: usize) -> Value {
    let lay_out = |input: &Path| {
        write(&input.join("good/.claude/commands/good.md"), BREW);
        for (path, bytes) in files {
            let path = input.join("bad").join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, bytes).unwrap();
        }
    };
    let (report, text) = run(lay_out);
    let mut has_good = false;
    for plugin in migrate::plugins(&report) {
        let status = plugin["status"].as_str().unwrap();
        let is_said = !plugin["findings"].as_array().unwrap().is_empty();
        assert!(
            status == "created" || status == "rejected" && is_said,
            "{plugin}"
        );
        has_good |= plugin["skill"] == "good" && status == "created";
    }
    assert!(has_good, "{report}");
    assert!(text.len() < max_bytes, "{} bytes", text.len());
    // The template beside it is the prompt as its host sends it.
    let files = text.split("\n=== ").skip(1);
    for file in files.filter(|file| {
        file.lines()
            .next()
            .is_some_and(|it| it.ends_with("SKILL.md"))
    }) {
        assert!(!file.contains('\0') && !file.contains('\x1b'), "{file}");
    }
    report
}

const COMMAND: &str = ".claude/commands/brew.md";

#[test]
fn bytes_that_are_no_text_are_said() {
    let zero = [BREW.as_bytes(), b"Brew \0 it.\0\n"].concat();
    let report = check_beside(&[(COMMAND, &zero)], 20_000);
    assert!(report.to_string().contains("hidden-characters"), "{report}");
    let broken = [BREW.as_bytes(), b"Brew \xff\xfe it.\n"].concat();
    let head = b"---\ndescription: \xc3\x28\n---\nBrew.\n";
    for bytes in [&broken[..], head] {
        let report = check_beside(&[(COMMAND, bytes)], 20_000);
        assert!(
            report.to_string().contains("the file is not UTF-8"),
            "{report}"
        );
    }
}

#[test]
fn names_with_controls_are_harmless() {
    let names = [
        ".claude/commands/\x1b[31mred.md",
        ".claude/commands/two\nlines.md",
        ".claude/commands/\u{202e}gpj.md",
        ".claude/skills/a\tb/SKILL.md",
    ];
    let files = names.map(|name| (name, BREW.as_bytes()));
    let report = check_beside(&files, 30_000).to_string();
    assert_eq!(report.matches("is not read: ").count(), 3, "{report}");
    let manifest = br#"{"name":"e\u001b[2Jvil\n---\nname: x"}"#;
    let files = [
        (".claude-plugin/plugin.json", &manifest[..]),
        ("commands/brew.md", BREW.as_bytes()),
    ];
    check_beside(&files, 30_000);
}

#[test]
fn ten_thousand_small_files_are_read() {
    let manifest = br#"{"name":"many"}"#;
    let brew = format!("{BREW}See ${{CLAUDE_PLUGIN_ROOT}}/data/7/7.md.\n");
    let paths: Vec<String> = (0..10_000)
        .map(|at| format!("data/{}/{at}.md", at % 100))
        .collect();
    let mut files: Vec<(&str, &[u8])> = paths
        .iter()
        .map(|path| (path.as_str(), &b"x"[..]))
        .collect();
    files.push((".claude-plugin/plugin.json", manifest));
    files.push(("commands/brew.md", brew.as_bytes()));
    check_beside(&files, 40_000);
}

#[test]
fn a_million_keys_are_refused() {
    let keys: Vec<String> = (0..1_000_000).map(|at| format!("k{at}: 1\n")).collect();
    let keys = keys.concat();
    let text = format!("---\ndescription: Brews\n{keys}---\nBrew it.\n");
    check_beside(&[(COMMAND, text.as_bytes())], 20_000);
}

#[test]
fn settings_that_explode_are_bounded() {
    let included = "x".repeat(1 << 18);
    let bombs = [
        ("opencode.jsonc", "/*".repeat(50_000)),
        ("opencode.json", "[".repeat(200_000)),
        (
            ".mcp.json",
            format!("{{\"mcpServers\":{{\"a\":{}}}}}", "[".repeat(200_000)),
        ),
        (
            "opencode.json",
            format!(
                r#"{{"command":{{"a":{{"template":"{0}"}},"b":{{"template":"{0}"}}}}}}"#,
                "{file:./big.txt}".repeat(8_000)
            ),
        ),
    ];
    for (file, text) in &bombs {
        let files = [(*file, text.as_bytes()), ("big.txt", included.as_bytes())];
        check_beside(&files, 32 << 20);
    }
}

#[test]
fn placeholders_without_end_take_linear_time() {
    let bodies = [
        "!`".repeat(20_000),
        "`".repeat(50_000),
        "```\n".repeat(10_000),
        "[".repeat(20_000) + &"](".repeat(20_000),
        "$ARGUMENTS[".repeat(10_000),
        "@{a!{".repeat(10_000) + &"}".repeat(20_000),
    ];
    let texts = bodies.map(|body| format!("{BREW}{body}\n"));
    let names: Vec<String> = (0..texts.len())
        .map(|at| format!(".claude/commands/c{at}.md"))
        .collect();
    let files = names.iter().zip(&texts);
    let files: Vec<(&str, &[u8])> = files
        .map(|(name, text)| (name.as_str(), text.as_bytes()))
        .collect();
    check_beside(&files, 16 << 20);
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
