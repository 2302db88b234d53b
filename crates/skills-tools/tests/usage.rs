//! Recorded use, and skills that are functions of the tools themselves.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out skills, start the tools and look at what came of it"
)]

use skill_testing::{Need, find, tool};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};
use tempfile::TempDir;

fn skills() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join("skills").join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(
        "word-count/SKILL.md",
        "---\nname: word-count\ndescription: Counts the words of a text.\n---\n\n# Word count\n\n## Usage\n\nGive it a text.\n",
    );
    for name in ["skill-catalog", "skill-describe", "skill-read"] {
        let text =
            format!("---\nname: {name}\ndescription: A function of the host.\n---\n\n# {name}\n");
        write(&format!("{name}/SKILL.md"), &text);
        let text = format!("name: {name}\ntype: internal\nrunnable: true\nenabled: true\n");
        write(&format!("{name}/METADATA.yml"), &text);
    }
    dir
}

fn run(tool: &str, dir: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(tool);
    command.args(args).current_dir(dir).env("HOME", dir);
    command
        .env_remove("XDG_STATE_HOME")
        .env_remove("XDG_CACHE_HOME");
    command.output().unwrap()
}

fn answer(dir: &Path, skill: &str, input: &Value) -> Value {
    let input = input.to_string();
    let tool = &tool!("skills-run");
    let output = run(tool, dir, &[skill, "--skills", "skills", "--input", &input]);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn internal_skills_speak_of_their_neighbours() {
    let dir = skills();
    for (skill, input, pointer, expected) in [
        (
            "skill-catalog",
            json!({}),
            "/value/skills/3/name",
            json!("word-count"),
        ),
        (
            "skill-describe",
            json!({"skill_name": "word-count", "phase": "metadata"}),
            "/value/phase",
            json!("metadata"),
        ),
        (
            "skill-describe",
            json!({"skill_name": "word-count", "confidence": 0.8}),
            "/value/phase",
            json!("full"),
        ),
        (
            "skill-read",
            json!({"skill_name": "word-count", "section": "Usage"}),
            "/value/truncated",
            json!(false),
        ),
        (
            "skill-read",
            json!({"skill_name": "word-cuont"}),
            "/error/code",
            json!("not-found"),
        ),
        (
            "skill-read",
            json!({}),
            "/error/code",
            json!("invalid-input"),
        ),
        (
            "skill-describe",
            json!({"skill_name": "word-count", "phase": "all"}),
            "/error/code",
            json!("invalid-input"),
        ),
    ] {
        let answer = answer(dir.path(), skill, &input);
        assert_eq!(
            answer.pointer(pointer),
            Some(&expected),
            "{skill} {input}: {answer}"
        );
    }
}

#[test]
fn use_is_recorded_where_it_is_asked_for_and_judged() {
    let dir = skills();
    let (describe, read) = (tool!("skills-describe"), tool!("skills-read"));
    let query = [
        "skills",
        "--query",
        "count the words of this text",
        "--usage",
        "use.jsonl",
    ];
    assert!(run(&describe, dir.path(), &query).status.success());
    let reading = ["word-count", "--skills", "skills", "--usage", "use.jsonl"];
    assert!(run(&read, dir.path(), &reading).status.success());
    let recorded = fs::read_to_string(dir.path().join("use.jsonl")).unwrap();
    assert_eq!(recorded.lines().count(), 2, "{recorded}");

    let few = run(&describe, dir.path(), &["calibrate", "use.jsonl"]);
    let stderr = String::from_utf8(few.stdout).unwrap();
    assert_eq!(few.status.code(), Some(1), "{stderr}");
    assert!(
        stderr.contains("nothing is proposed: 1 requests"),
        "{stderr}"
    );

    fs::write(dir.path().join("use.jsonl"), recorded.repeat(60)).unwrap();
    let calibrate = ["calibrate", "use.jsonl", "--json", "--write", "model.json"];
    let output = run(&describe, dir.path(), &calibrate);
    let proposed: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(proposed["curve"][0]["used"], 1.0, "{proposed}");
    let confidence = |more: &[&str]| {
        let args = [&query[..3], &["--format", "json"], more].concat();
        let output = run(&describe, dir.path(), &args);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        found["matches"][0]["confidence"].as_f64().unwrap()
    };
    let (before, after) = (confidence(&[]), confidence(&["--model", "model.json"]));
    assert!(after > before, "{before} {after}");
}

#[test]
fn confidence_is_compared_with_tests() {
    let dir = skills();
    let tests = "{\"query\": \"count the words of this text\", \"skill\": \"word-count\", \"should_trigger\": true}\n";
    fs::write(dir.path().join("tests.jsonl"), tests).unwrap();
    let args = [
        "calibrate",
        "tests.jsonl",
        "--skills",
        "skills",
        "--no-index",
    ];
    let output = run(&tool!("skills-describe"), dir.path(), &args);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(
        text.starts_with("first matches of 1 requests among"),
        "{text}"
    );
    assert!(text.contains("expected calibration error: 0."), "{text}");
}

/// Runs `skills` and returns its exit code, standard output and standard error.
fn skills_program(args: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skills"));
    let output = command.args(args).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn the_program_lists_its_tools() {
    let list = "Usage: skills TOOL [ARGUMENT]...

Tools:
  migrate    turn legacy plugins into Agent Skills
  validate   check Agent Skills
  describe   find the skills that fit a request
  read       read one skill as an agent does
  run        run a skill as its plugin ran
  serve      serve skills to agents over MCP
  nodes      share skills with other machines
  parity     prove that skills do what their plugins did

`skills TOOL --help` explains each; `skills-TOOL` is the same.
";
    let none = String::new();
    for flag in ["--help", "-h", "help"] {
        let expected = (Some(0), list.to_owned(), none.clone());
        assert_eq!(skills_program(&[flag]), expected, "{flag}");
    }
    assert_eq!(
        skills_program(&[]),
        (Some(2), none.clone(), list.to_owned())
    );
    let error = format!("error: found `skills-run`, expected a tool\n\n{list}");
    assert_eq!(
        skills_program(&["skills-run"]),
        (Some(2), none.clone(), error)
    );
    let version = format!("skills {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(skills_program(&["--version"]), (Some(0), version, none));
}

#[test]
fn each_tool_is_a_word_of_the_program() {
    for tool in [
        "migrate", "validate", "describe", "read", "run", "serve", "nodes", "parity",
    ] {
        let (code, version, _) = skills_program(&[tool, "--version"]);
        let name = format!("skills-{tool} ");
        assert_eq!(
            (code, version.starts_with(&name)),
            (Some(0), true),
            "{version}"
        );
    }
}

/// Runs a line of a shell on a terminal, and returns what the terminal shows.
fn on_a_terminal(script: &Path, dir: &Path, line: &str) -> String {
    let mut command = Command::new(script);
    // `script` makes a terminal without a size where it has none itself.
    let line = format!("stty cols 80 rows 24; {line}");
    command.args(["-qec", &line, "/dev/null"]);
    command
        .current_dir(dir)
        .env("HOME", dir)
        .env("NO_COLOR", "1");
    let output = command.output().unwrap();
    String::from_utf8(output.stdout).unwrap().replace('\r', "")
}

#[test]
fn a_server_on_a_terminal_says_that_it_waits() {
    let Some(script) = find::program(Need::Programs, "script") else {
        return;
    };
    let dir = skills();
    let serve = tool!("skills-serve");
    // `script` has no standard input here, so that the one of the terminal ends at once.
    let line = format!("{serve} skills --ui-lang zh");
    let shown = on_a_terminal(&script, dir.path(), &line);
    let expected = "正在标准输入上等待 MCP 客户端；要在浏览器中查看页面：--http 127.0.0.1:8080";
    // The terminal may show the sign for the end of the input too.
    let lines: Vec<&str> = shown.lines().filter(|line| line.contains(' ')).collect();
    assert_eq!(lines, [expected], "{shown}");
}

#[test]
fn an_answer_on_a_terminal_is_text() {
    let Some(script) = find::program(Need::Programs, "script") else {
        return;
    };
    let dir = skills();
    let run = format!("{} --skills skills", tool!("skills-run"));
    let shown = |args: &str| on_a_terminal(&script, dir.path(), &format!("{run} {args}"));
    let missing = shown("skill-raed");
    let expected = "error[not-found]: no skill, plugin or command is called `skill-raed`; did you mean `skill-read`?\n";
    assert_eq!(missing, expected);
    let input = "--input '{\"skill_name\": \"word-count\", \"section\": \"Usage\"}'";
    let text = shown(&format!("skill-read {input}"));
    assert!(text.starts_with("{\n  \"text\": "), "{text}");
    assert!(!text.contains("elapsed_ms"), "{text}");
    assert_eq!(
        shown("skill-raed --ui-lang zh"),
        "错误[not-found]: 没有名为 `skill-raed` 的技能、插件或命令；是否指 `skill-read`？\n"
    );
    let prune = format!("{} prune", tool!("skills-run"));
    let prune = |args: &str| on_a_terminal(&script, dir.path(), &format!("{prune} {args}"));
    let pruned = prune("--ui-lang zh");
    assert!(pruned.contains("释放的字节数：0\n"), "{pruned}");
    for json in [
        prune("| cat"),
        shown(&format!("skill-read {input} --json")),
        shown(&format!("skill-read {input} | cat")),
    ] {
        let answer: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(answer["ok"], true, "{json}");
    }
}
