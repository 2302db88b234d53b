//! `skills-describe` without its search, called in process.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests make directories, and a failed step is a failed test"
)]

use std::fs;
use std::path::Path;

use clap::{CommandFactory as _, Parser as _};
use serde_json::Value;
use skill_testing::Buffer;
use skills_cli::{ExitStatus, output::Streams};
use skills_describe as describe;
use tempfile::TempDir;

const CARD: &str = "---\nname: card\ndescription: Makes <cards>. Use when a card is wanted.\n---\n# Card\n\n## Steps\n\n1. Do it.\n\n## Notes\n\nNone.\n";
const CARD_METADATA: &str = "schema: 1\nname: card\ndisplay_name: 卡片\nversion: \"1.0.0\"\ntype: direct\nenabled: true\nrunnable: true\ncommands:\n  - id: Draw\n    description: Draws a card.\n    dispatch: null\n    input_schema:\n      type: object\n      properties:\n        text: { type: string }\n        size: { type: string }\n      required: [text]\n    examples:\n      - { text: hello }\nplaceholders:\n  - { key: CardOfTheDay }\nlegacy:\n  host: vcp-main\n  name: CardMaker\n  directory: CardMaker\n  plugin_type: synchronous\n";
const DICE: &str = "---\nname: dice\ndescription: Rolls dice.\n---\n# Dice\n\nRoll.\n";

/// Two skills, and one that cannot be read.
fn tree() -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        let path = dir.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write("skills/card/SKILL.md", CARD);
    write("skills/card/METADATA.yml", CARD_METADATA);
    write("skills/card/scripts/run.py", "print('secret source')\n");
    write("skills/dice/SKILL.md", DICE);
    write("skills/broken/SKILL.md", "no frontmatter\n");
    write("prompt.txt", "一\n{{tool:card}} and {{Unknown}}\n");
    dir
}

/// Returns the exit status and both streams of a run, without the directory of the test. The words
/// `{dir}` in arguments are the directory.
fn run(dir: &Path, args: &[&str]) -> (ExitStatus, String, String) {
    let (out, err) = (Buffer::default(), Buffer::default());
    let here = dir.to_string_lossy();
    let skills = format!("{here}/skills");
    let args: Vec<String> = args.iter().map(|arg| arg.replace("{dir}", &here)).collect();
    let words = ["skills-describe".to_owned(), skills];
    let args = describe::Args::try_parse_from(words.into_iter().chain(args)).unwrap();
    let mut streams = Streams::in_memory(out.clone(), err.clone());
    let status = describe::run(args, &mut streams).unwrap();
    drop(streams);
    let here = format!("{here}/");
    (
        status,
        out.text().replace(&here, ""),
        err.text().replace(&here, ""),
    )
}

#[track_caller]
fn check(args: &[&str], status: ExitStatus, stdout: &str, stderr: &str) {
    let dir = tree();
    let (found, out, err) = run(dir.path(), args);
    let broken = "skills/broken/SKILL.md: error[invalid-frontmatter]: the file does not start with frontmatter, expected `---` as its first line\n";
    let err = err.strip_prefix(broken).expect("the broken skill is named");
    assert_eq!((found, out.as_str(), err), (status, stdout, stderr));
    assert!(!out.contains("secret source"), "{out}");
}

#[test]
fn the_arguments_fit_together() {
    describe::Args::command().debug_assert();
}

#[test]
fn all_skills_are_listed() {
    check(
        &[],
        ExitStatus::Fine,
        "- **card**: Makes &lt;cards>. Use when a card is wanted. (scripts)\n- **dice**: Rolls dice.\n",
        "2 skills, about 29 tokens\n",
    );
    check(
        &["--format", "xml", "--locations", "--pin", "dise"],
        ExitStatus::Fine,
        "<available_skills>\n<skill>\n<name>card</name>\n<description>Makes &lt;cards&gt;. Use when a card is wanted.</description>\n<has_resources>false</has_resources>\n<has_scripts>true</has_scripts>\n<location>skills/card/SKILL.md</location>\n</skill>\n<skill>\n<name>dice</name>\n<description>Rolls dice.</description>\n<has_resources>false</has_resources>\n<has_scripts>false</has_scripts>\n<location>skills/dice/SKILL.md</location>\n</skill>\n</available_skills>\nWhen a skill fits the task, call read_skill(skill_name='…') and follow what it says.\n",
        "warning: there is no skill `dise` to pin; did you mean `dice`?\n",
    );
}

#[test]
fn the_list_of_a_client_is_shown() {
    check(
        &["--client", "codex"],
        ExitStatus::Fine,
        "Codex 0.169.0, a context of 272000 tokens: 2 % of the context for the whole list\n\nskill     shown     cut  result\ncard         41       0  whole\ndice         11       0  whole\n\n2 skills: 2 whole\n",
        "",
    );
    let dir = tree();
    let args = [
        "--client",
        "claude-code",
        "--context",
        "150000",
        "--format",
        "json",
    ];
    let answer: Value = serde_json::from_str(&run(dir.path(), &args).1).unwrap();
    assert_eq!(answer["counts"]["name only"], 2);
    assert_eq!(answer["skills"][0]["cut_characters"], 41);
}

#[test]
fn each_confidence_has_its_phase() {
    let metadata = "    **card** (卡片): Makes <cards>.\n";
    let brief = "    **card** (卡片): Makes <cards>.\n    Use when a card is wanted.\n    Commands:\n    - Draw(text, size?): Draws a card.\n    Provides {{CardOfTheDay}}\n    Sections: Steps · Notes\n";
    for (confidence, shown, head, text) in [
        ("0.1499", "0.1499", "metadata, about 11 tokens", metadata),
        ("0.15", "0.15", "brief, about 44 tokens", brief),
        ("0.69", "0.69", "brief, about 44 tokens", brief),
    ] {
        let expected = format!("{shown}  card  {head}\n{text}");
        check(
            &["--skill", "card", "--confidence", confidence],
            ExitStatus::Fine,
            &expected,
            "",
        );
    }
    let full = "**card** (卡片): Makes <cards>. Use when a card is wanted.\n- Draw(text, size?): Draws a card.\n- provides {{CardOfTheDay}}\n\n# Card\n\n## Steps\n\n1. Do it.\n\n## Notes\n\nNone.\n";
    check(
        &[
            "--skill",
            "card",
            "--confidence",
            "0.7",
            "--format",
            "markdown",
        ],
        ExitStatus::Fine,
        full,
        "",
    );
    check(
        &["--skill", "card", "--phase", "full", "--format", "markdown"],
        ExitStatus::Fine,
        full,
        "",
    );
}

#[test]
fn a_missing_skill_is_an_error_and_the_others_are_described() {
    check(
        &[
            "--skill", "dicee", "--skill", "dice", "--format", "markdown",
        ],
        ExitStatus::Findings,
        "**dice**: Rolls dice.\n",
        "error: no skill is called `dicee`; did you mean `dice`?\n",
    );
}

#[test]
fn a_request_is_answered_with_descriptions() {
    let dir = tree();
    let (status, out, _) = run(dir.path(), &["--query", "$dice", "--format", "json"]);
    assert_eq!(status, ExitStatus::Fine);
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(answer["matches"][0]["skill"], "dice");
    assert_eq!(answer["matches"][0]["description"]["phase"], "full");
    assert_eq!(
        answer["matches"][0]["description"]["text"],
        "**dice**: Rolls dice.\n\n# Dice\n\nRoll.\n"
    );
    let (_, out, _) = run(
        dir.path(),
        &["--query", "$dice", "--mode", "eager", "--format", "xml"],
    );
    assert!(
        out.contains("<skill_content name=\"dice\">\n# Dice\n\nRoll.\n</skill_content>\n"),
        "{out}"
    );
    assert!(
        out.contains("<name>card</name>") && !out.contains("<name>dice</name>"),
        "{out}"
    );
}

#[test]
fn placeholders_are_resolved_and_unknown_ones_stay() {
    check(
        &["--render", "{dir}/prompt.txt", "--phase", "metadata"],
        ExitStatus::Fine,
        "一\n**card** (卡片): Makes <cards>. and {{Unknown}}\n",
        "prompt.txt:2:19: {{Unknown}} is not replaced: no skill has this name\n",
    );
}

#[test]
fn the_file_is_below_the_flags_and_above_the_defaults() {
    let dir = tree();
    let config = dir.path().join("skills.toml");
    fs::write(
        &config,
        "strict = true\n[describe]\nto-full = 0.3\nphases = { dice = \"full\" }\n",
    )
    .unwrap();
    let config = config.to_string_lossy();
    let phase = |args: &[&str]| {
        let args = [&["--format", "json", "--config", &config], args].concat();
        let (_, out, _) = run(dir.path(), &args);
        let answer: Value = serde_json::from_str(&out).unwrap();
        answer["skills"][0]["phase"].as_str().unwrap().to_owned()
    };
    assert_eq!(phase(&["--skill", "card", "--confidence", "0.3"]), "full");
    assert_eq!(
        phase(&["--skill", "card", "--confidence", "0.3", "--to-full", "0.9"]),
        "brief"
    );
    assert_eq!(phase(&["--skill", "dice", "--confidence", "0"]), "full");
    assert_eq!(
        phase(&["--skill", "dice", "--phase", "metadata"]),
        "metadata"
    );
}

#[test]
fn a_budget_is_reported_and_a_picture_drawn() {
    let dir = tree();
    let (_, out, _) = run(
        dir.path(),
        &[
            "--format",
            "xml",
            "--budget",
            "0.04%",
            "--context",
            "200000",
            "--report",
            "{dir}/report.json",
        ],
    );
    let report: Value =
        serde_json::from_slice(&fs::read(dir.path().join("report.json")).unwrap()).unwrap();
    assert_eq!(
        (&report["stage"], &report["budget"], &report["total"]),
        (&"names-only".into(), &80.into(), &2.into())
    );
    assert!(out.contains("<skill><name>dice</name></skill>"), "{out}");
    let (_, out, _) = run(
        dir.path(),
        &["--stats", "--chart", "{dir}/chart.svg", "--format", "json"],
    );
    let stats: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (&stats["skills"], &stats["counter"]),
        (&2.into(), &"o200k".into())
    );
    assert_eq!(stats["eager"], stats["phases"]["full"]["sum"]);
    let chart = fs::read_to_string(dir.path().join("chart.svg")).unwrap();
    assert!(
        chart.starts_with("<svg ") && chart.contains("2 skills"),
        "{chart}"
    );
}

/// A change of the skills or of the index between two runs.
type Step = fn(&Path);

const STEPS: [(&str, Step); 13] = [
    ("nothing", |_| {}),
    ("a file is touched", |dir| {
        fs::write(dir.join("skills/dice/SKILL.md"), DICE).unwrap();
    }),
    ("a description changes", |dir| {
        fs::write(
            dir.join("skills/dice/SKILL.md"),
            DICE.replace("Rolls", "Draws"),
        )
        .unwrap();
    }),
    ("a body changes", |dir| {
        fs::write(
            dir.join("skills/dice/SKILL.md"),
            DICE.replace("Roll.", "Draw."),
        )
        .unwrap();
    }),
    ("a skill is added", |dir| {
        fs::create_dir(dir.join("skills/ace")).unwrap();
        fs::write(
            dir.join("skills/ace/SKILL.md"),
            "---\nname: ace\ndescription: Draws an ace.\n---\nDraw.\n",
        )
        .unwrap();
    }),
    ("a skill is removed", |dir| {
        fs::remove_dir_all(dir.join("skills/dice")).unwrap();
    }),
    ("a skill is renamed", |dir| {
        fs::rename(dir.join("skills/dice"), dir.join("skills/cubes")).unwrap();
        let text = DICE.replace("name: dice", "name: cubes");
        fs::write(dir.join("skills/cubes/SKILL.md"), text).unwrap();
    }),
    ("a METADATA.yml changes", |dir| {
        let text = CARD_METADATA.replace("Draws a card.", "Paints a picture.");
        fs::write(dir.join("skills/card/METADATA.yml"), text).unwrap();
    }),
    ("a METADATA.yml goes", |dir| {
        fs::remove_file(dir.join("skills/card/METADATA.yml")).unwrap();
    }),
    ("the index is cut", |dir| {
        let bytes = fs::read(dir.join("skills.idx")).unwrap();
        fs::write(dir.join("skills.idx"), &bytes[..bytes.len() / 2]).unwrap();
    }),
    ("the index is damaged", |dir| {
        let mut bytes = fs::read(dir.join("skills.idx")).unwrap();
        for part in 0..8 {
            let at = bytes.len() * part / 8;
            bytes[at] ^= 0x41;
        }
        fs::write(dir.join("skills.idx"), bytes).unwrap();
    }),
    ("the index has another version", |dir| {
        let mut bytes = fs::read(dir.join("skills.idx")).unwrap();
        bytes[7] = b'0';
        fs::write(dir.join("skills.idx"), bytes).unwrap();
    }),
    ("the index is something else", |dir| {
        fs::write(dir.join("skills.idx"), "hello").unwrap();
    }),
];

#[test]
fn an_old_index_gives_the_answers_of_a_new_one() {
    for (what, step) in STEPS {
        let dir = tree();
        let dir = dir.path();
        // The index of a catalog with findings is not used.
        fs::remove_dir_all(dir.join("skills/broken")).unwrap();
        // An index counts only if it is younger than its files by more than a tick of the clock.
        std::thread::sleep(std::time::Duration::from_millis(50));
        let ask = |how: &[&str]| {
            let asked = ["--query", "draw a card or roll dice", "--format", "json"];
            let (status, stdout, stderr) = run(dir, &[&asked[..], how].concat());
            assert_eq!((status, &stderr[..]), (ExitStatus::Fine, ""), "{what}");
            stdout
        };
        let index = ["--index", "{dir}/skills.idx"];
        let before = ask(&index);
        assert_eq!(ask(&index), before, "{what}: asked again");
        step(dir);
        let fresh = ask(&["--no-index"]);
        assert_eq!(ask(&index), fresh, "{what}");
        assert_eq!(ask(&index), fresh, "{what}: written again");
    }
}

#[test]
fn the_exit_status_is_about_what_was_asked() {
    let dir = tree();
    let status = |args: &[&str]| run(dir.path(), args).0;
    for (args, expected) in [
        (
            &["--query", "roll dice", "--no-index"][..],
            ExitStatus::Fine,
        ),
        (&["--query", "qqq zzz", "--no-index"], ExitStatus::Fine),
        (&["--skill", "dice"], ExitStatus::Fine),
        (&["--skill", "absent"], ExitStatus::Findings),
        (&["--skill", "broken"], ExitStatus::Findings),
    ] {
        assert_eq!(status(args), expected, "{args:?}");
    }
}

#[test]
fn an_empty_query_is_an_error() {
    for query in ["", "  "] {
        let words = ["skills-describe", "skills", "--query", query];
        let args = describe::Args::try_parse_from(words).unwrap();
        let mut streams = Streams::in_memory(Buffer::default(), Buffer::default());
        let error = describe::run(args, &mut streams).unwrap_err();
        assert!(error.to_string().contains("--query is empty"), "{error}");
    }
}

#[test]
fn requests_trigger_their_skills() {
    let dir = tree();
    let tests = r#"[{"query": "roll the dice", "should_trigger": true},
                    {"query": "make a card", "should_trigger": true}]"#;
    let evals = dir.path().join("skills/dice/evals");
    fs::create_dir(&evals).unwrap();
    fs::write(evals.join("triggers.json"), tests).unwrap();
    let skills = dir.path().join("skills").to_string_lossy().into_owned();
    let test = |args: &[&str]| {
        let words = ["skills-describe", "test", &skills, "--no-index"];
        let (out, err) = (Buffer::default(), Buffer::default());
        let args = describe::Args::try_parse_from(words.iter().chain(args)).unwrap();
        let status = describe::run(args, &mut Streams::in_memory(out.clone(), err));
        (status.unwrap(), out.text())
    };
    // The directory is its own catalog where the project has no such skills.
    assert_eq!(test(&[]), test(&["--skills", &skills]));
    let (status, text) = test(&["--skills", &skills]);
    assert_eq!(status, ExitStatus::Findings, "{text}");
    let failure =
        "evals/triggers.json:2  make a card\n    expected `dice` first; first is `card` (";
    assert!(text.contains(failure), "{text}");
    assert!(text.contains("2 tests: 1 passed, 1 failed\n"), "{text}");
    let (status, text) = test(&["--format", "junit"]);
    assert_eq!(status, ExitStatus::Findings, "{text}");
    assert!(text.contains("tests=\"2\" failures=\"1\""), "{text}");
    let empty = dir.path().join("empty");
    fs::create_dir(&empty).unwrap();
    let (_, text) = test(&["--skills", &empty.to_string_lossy()]);
    let hint = format!(
        "the tests were run with the skills in {}; --skills names others\n",
        empty.display()
    );
    assert!(text.contains(&hint), "{text}");
}
