//! `skills-migrate --shell`: a POSIX shell and the reader of PowerShell find the same program, words
//! and input in the two commands of each SKILL.md.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use skill_testing::powershell::{Input, started};
use tempfile::TempDir;

use crate::{cases, corpus, tool};

/// A program that writes down its words and its input.
const STUB: &str = "#!/bin/sh
for word; do printf '%s\\0' \"$word\"; done > \"$RECORD/words\"
/bin/cat > \"$RECORD/input\"
";

#[test]
fn both_shells_start_the_same_programs() {
    check(&cases::fixtures("plugins"));
    if let Some(corpus) = corpus::corpus() {
        check(corpus.path());
    }
}

#[test]
fn one_shell_has_its_commands_only() {
    let input = cases::fixtures("plugins");
    let [sh, powershell, both] = ["sh", "powershell", "both"].map(|shell| migrate(&input, shell));
    for (skill, both) in &both {
        let fences = |text: &str| ["sh", "powershell"].map(|it| fence(text, it).map(str::to_owned));
        let [in_sh, in_powershell] = fences(both);
        assert_eq!(fences(&sh[skill]), [in_sh, None], "{skill}");
        assert_eq!(fences(&powershell[skill]), [None, in_powershell], "{skill}");
    }
}

/// Migrates a collection for a shell. Returns each SKILL.md by the name of its skill.
fn migrate(input: &Path, shell: &str) -> BTreeMap<String, String> {
    let out = TempDir::new().unwrap();
    let args = [input, Path::new("--out"), out.path()].map(|arg| arg.to_str().unwrap());
    let more = ["--include-disabled", "--shell", shell, "--quiet"];
    tool::migrate(&[&args[..], &more].concat());
    let skills = fs::read_dir(out.path()).unwrap().filter_map(|entry| {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(path.join("SKILL.md")).ok()?;
        Some((path.file_name()?.to_str()?.to_owned(), text))
    });
    skills.collect()
}

/// Migrates a collection and compares the commands of each skill.
#[track_caller]
fn check(input: &Path) {
    let skills = migrate(input, "both");
    let mut n_compared = 0;
    for (skill, text) in &skills {
        match [fence(text, "sh"), fence(text, "powershell")] {
            [Some(sh), Some(powershell)] => {
                n_compared += usize::from(compare(skill, sh, powershell));
            }
            [None, None] => {}
            other => panic!("{skill}: only one shell: {other:?}"),
        }
    }
    assert!(
        n_compared * 2 > skills.len(),
        "{n_compared} of {}",
        skills.len()
    );
}

/// Returns the text of the first block of that language.
fn fence<'t>(text: &'t str, language: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("\n```{language}\n"))?;
    rest.split_once("\n```\n").map(|(text, _)| text)
}

/// Compares what the two commands start. Returns false if PowerShell uses `skills-run` in place of a
/// line that only a POSIX shell can read.
#[track_caller]
fn compare(skill: &str, sh: &str, powershell: &str) -> bool {
    let started =
        started(powershell).unwrap_or_else(|error| panic!("{skill}: {error}\n{powershell}"));
    let (program, words) = started.argv.split_first().unwrap();
    if program == "skills-run" && !sh.starts_with("skills-run") {
        assert_eq!(words[0], ".", "{skill}");
        return false;
    }
    let (mut sh_words, sh_input) = run(sh, in_sh(program));
    let input = match started.input {
        Input::Session | Input::Empty => String::new(),
        Input::Text(text) => text,
    };
    // PowerShell cannot pass JSON or code as a word, so it is the input there.
    match words {
        [dash] if dash == "-" => assert_eq!(sh_words, ["-e", &input], "{skill}"),
        [_, flag, dash] if flag == "--input" => {
            assert_eq!(dash, "-", "{skill}");
            let json = sh_words.pop().unwrap();
            let value: Value = serde_json::from_str(&json).unwrap();
            assert_eq!(
                value,
                serde_json::from_str::<Value>(&input).unwrap(),
                "{skill}"
            );
        }
        _ => {
            assert_eq!(sh_words, words, "{skill}");
            assert_eq!(sh_input, input, "{skill}");
        }
    }
    true
}

/// The name in a POSIX shell of a program that PowerShell starts. Windows installs Python as `python`,
/// where the systems with a POSIX shell have `python3`.
fn in_sh(program: &str) -> &str {
    match program {
        "python" => "python3",
        other => other,
    }
}

/// Runs a script with a POSIX shell. Returns the words after the program's name, and the input.
fn run(script: &str, program: &str) -> (Vec<String>, String) {
    let dir = TempDir::new().unwrap();
    let place = if program.contains('/') {
        "scripts"
    } else {
        "bin"
    };
    let stub = dir.path().join(place).join(program);
    fs::create_dir_all(dir.path().join("scripts")).unwrap();
    fs::create_dir_all(stub.parent().unwrap()).unwrap();
    fs::write(&stub, STUB).unwrap();
    fs::set_permissions(&stub, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", dir.path().join("bin").display());
    let shell = Command::new("/bin/sh")
        .args(["-c", script])
        .current_dir(dir.path())
        .env("PATH", path)
        .env("RECORD", dir.path())
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    assert!(shell.status.success(), "{script}: {shell:?}");
    let words = fs::read_to_string(dir.path().join("words")).unwrap();
    let words = words.split_terminator('\0').map(str::to_owned).collect();
    let input = fs::read_to_string(dir.path().join("input")).unwrap();
    (words, input)
}
