//! The tools in Chinese: no English text for people is left, and nothing for programs changes.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests prepare directories and start the tools"
)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// The tools, without prefix.
const TOOLS: [&str; 8] = [
    "migrate", "validate", "describe", "read", "run", "serve", "nodes", "parity",
];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures")
}

/// Runs the program `skills` with these words, in an English locale.
fn run(words: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skills"));
    command.args(words).env("LC_ALL", "C.UTF-8");
    command.output().unwrap()
}

fn stdout(words: &[&str]) -> String {
    String::from_utf8(run(words).stdout).unwrap()
}

fn is_chinese(text: &str) -> bool {
    text.chars().any(|c| ('\u{4E00}'..'\u{A000}').contains(&c))
}

/// Returns true for a line that is an English text: words, and nothing in Chinese.
fn is_english(line: &str) -> bool {
    let is_word = |word: &&str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_lowercase());
    let is_example = ["skills-", "echo "]
        .iter()
        .any(|it| line.trim().starts_with(it));
    // The end of a list of values that does not fit in one line.
    let values = line.trim().strip_suffix(']');
    let is_values = values.is_some_and(|it| it.split(", ").all(|value| !value.contains(' ')));
    !is_example
        && !is_values
        && !is_chinese(line)
        && line.split([' ', ',']).filter(is_word).count() > 2
}

/// Returns the English lines of the help of a tool or a subcommand, and of those below it.
fn english_help(words: &[&str]) -> Vec<String> {
    let mut acc = Vec::new();
    for flag in ["--help", "-h"] {
        let help = stdout(&[words, &["--ui-lang", "zh", flag]].concat());
        assert!(help.contains("用法："), "{words:?}: {help}");
        let lines = help.lines().filter(|line| is_english(line));
        acc.extend(lines.map(|line| format!("{}: {line}", words.join(" "))));
        if flag == "-h" {
            let section = help.lines().skip_while(|line| *line != "命令：").skip(1);
            let rows = section.take_while(|line| line.starts_with("  "));
            let rows = rows.filter(|line| !line.starts_with("   "));
            let names = rows.filter_map(|line| line.split_whitespace().next());
            for name in names.filter(|name| *name != "help") {
                acc.extend(english_help(&[words, &[name]].concat()));
            }
        }
    }
    acc
}

/// A text without a row in `crates/skill-language/src/zh.txt` is named. `CONTRIBUTING.md` describes how
/// to add one.
#[test]
fn the_help_of_every_tool_is_chinese() {
    let english: Vec<String> = TOOLS
        .iter()
        .flat_map(|tool| english_help(&[tool]))
        .collect();
    assert!(
        english.is_empty(),
        "no Chinese text:\n{}",
        english.join("\n")
    );
    assert!(
        !stdout(&["--ui-lang", "zh", "--help"])
            .lines()
            .any(is_english)
    );
}

#[test]
fn wrong_arguments_are_explained_in_chinese() {
    for (words, expected) in [
        (
            &["migrate", "--ui-lang", "zh", "--no"][..],
            "错误：未知的参数 '--no'",
        ),
        (
            &["validate", "--ui-lang=zh", "--format", "x"],
            "错误：'--format <FORMAT>' 的值 'x' 无效",
        ),
        (
            &["migrate", "--ui-lang", "zh", "a"],
            "错误：缺少以下必需的参数：",
        ),
        (
            &["validate", "--ui-lang", "zh", "/no/such"],
            "错误：无法打开 /no/such\n  原因：没有那个文件或目录（os error 2）\n",
        ),
        (
            &["serve", "--ui-lang", "zh", "--http", "0.0.0.0:0", "/"],
            "错误：拒绝 --http，请给出 --token-file\n  原因：0.0.0.0:0 不是回环地址",
        ),
        (
            &["--ui-lang", "zh", "x"],
            "错误：找到的是 `x`，应为一个工具",
        ),
        (
            &["validate", "--ui-lang", "fr"],
            "error: found `fr` after --ui-lang, expected en or zh",
        ),
    ] {
        let output = run(words);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.starts_with(expected), "{words:?}: {stderr}");
        assert_eq!(output.status.code(), Some(2), "{words:?}");
    }
}

/// The locale decides, and the flag wins.
#[test]
fn the_language_is_chosen() {
    for (flag, variables, expected) in [
        (None, &[("LANG", "zh_CN.UTF-8")][..], true),
        (
            None,
            &[("LANG", "zh_CN.UTF-8"), ("LC_MESSAGES", "en_US.UTF-8")],
            false,
        ),
        (
            None,
            &[("LANG", "en_US.UTF-8"), ("LC_ALL", "zh_TW.UTF-8")],
            true,
        ),
        (Some("--ui-lang=en"), &[("LANG", "zh_CN.UTF-8")], false),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_skills"));
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            command.env_remove(name);
        }
        command
            .args(["validate", "-h"])
            .args(flag)
            .envs(variables.iter().copied());
        let help = String::from_utf8(command.output().unwrap().stdout).unwrap();
        assert_eq!(is_chinese(&help), expected, "{flag:?} {variables:?}");
    }
}

/// Returns the findings and helps in a text for people that are not Chinese.
fn english_findings(text: &str) -> Vec<&str> {
    let labels = ["错误[", "警告[", "提示[", "error[", "warning[", "note["];
    let is_finding = |line: &str| labels.iter().any(|label| line.starts_with(label));
    let is_help = |line: &str| line.contains("= 建议: ") || line.contains("= help: ");
    let lines = text
        .lines()
        .filter(|line| is_finding(line) || is_help(line));
    lines
        .filter(|line| !is_chinese(line.split_once(": ").map_or("", |(_, message)| message)))
        .collect()
}

#[test]
fn findings_are_chinese_and_machine_formats_do_not_change() {
    let dir = TempDir::new().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
    let mut reports = Vec::new();
    for language in ["en", "zh"] {
        for source in ["plugins", "broken"] {
            let plugins = fixtures().join(source).to_str().unwrap().to_owned();
            let [out, report, page] =
                ["", ".json", ".html"].map(|end| path(&format!("{language}-{source}{end}")));
            let words = ["migrate", &plugins, "--out", &out, "--ui-lang", language];
            let output = run(&[&words, &["-vv", "--report", &report][..]].concat());
            let stderr = String::from_utf8(output.stderr).unwrap();
            if language == "zh" {
                run(&[&words, &["--report", &page][..]].concat());
                let english = english_findings(&stderr);
                assert!(
                    english.is_empty(),
                    "no Chinese text:\n{}",
                    english.join("\n")
                );
                let page = std::fs::read_to_string(&page).unwrap();
                assert!(
                    page.contains("<html lang=\"zh-CN\">") && page.contains("<h1>迁移报告</h1>")
                );
                check_skills(&out);
            }
            reports.push((
                source,
                std::fs::read(&report).unwrap(),
                tree(Path::new(&out)),
            ));
        }
    }
    for at in 0..2 {
        assert!(
            reports[at].1 == reports[at + 2].1,
            "the reports as JSON differ"
        );
        assert!(reports[at].2 == reports[at + 2].2, "the skills differ");
    }
}

/// Validates skills in both languages.
fn check_skills(skills: &str) {
    let english = run(&["validate", skills, "--ui-lang", "zh", "--verbose"]);
    let english = String::from_utf8(english.stdout).unwrap();
    assert!(english_findings(&english).is_empty(), "{english}");
    assert!(
        english
            .lines()
            .last()
            .unwrap()
            .contains(" 个技能（配置集 spec）："),
        "{english}"
    );
    for format in ["json", "sarif", "junit", "github"] {
        let [en, zh] = ["en", "zh"]
            .map(|it| stdout(&["validate", skills, "--format", format, "--ui-lang", it]));
        assert!(en == zh, "{format} depends on the language");
    }
}

/// Returns the path and the bytes of every file.
fn tree(dir: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut res = Vec::new();
    let mut waiting = vec![dir.to_owned()];
    while let Some(next) = waiting.pop() {
        for entry in std::fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with(".skills-migrate") {
                waiting.push(path);
            } else if path.is_file() {
                let name = path.strip_prefix(dir).unwrap().to_owned();
                res.push((name, std::fs::read(&path).unwrap()));
            }
        }
    }
    res.sort();
    res
}
