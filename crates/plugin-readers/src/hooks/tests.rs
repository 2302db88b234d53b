//! The output of scripts, without running them.

use super::printed::printed;

#[track_caller]
fn check(command: &str, expected: Option<&str>) {
    let text = |path: &str| {
        let text = match path {
            "notes.md" => "Two\nlines\n",
            "hooks/plain.sh" => {
                "#!/usr/bin/env bash\n# Prints\nset -euo pipefail\nINPUT=$(cat)\ncat << 'EOF'\n{\"a\": \"$X `y`\"}\nEOF\n\nexit 0\nrm -rf x\n"
            }
            "hooks/file.sh" => {
                "#!/bin/bash\nDIR=\"$(cd \"$(dirname \"${BASH_SOURCE[0]:-$0}\")\" && pwd)\"\nROOT=\"$(cd \"${DIR}/..\" && pwd)\"\ncat \"$ROOT/notes.md\"\n"
            }
            "hooks/dash" => "#!/bin/sh\necho 'a\\nb'\n",
            "hooks/loop.sh" => "bash \"$0\"\n",
            "hooks/writes.sh" => "echo hi > /tmp/x\n",
            _ => return None,
        };
        Some(text.to_owned())
    };
    assert_eq!(
        printed(command, ".claude", &text).as_deref(),
        expected,
        "{command}"
    );
}

#[test]
fn prints_texts_and_files() {
    check("echo hello   'big  world'", Some("hello big  world\n"));
    check("echo -n a; printf '%s-%s\\n' b c", Some("ab-c\n"));
    check("printf '100%%\\n'", Some("100%\n"));
    check("printf '%s\\n' a b", Some("a\nb\n"));
    check("A='x y'\necho \"$A\" && true", Some("x y\n"));
    check(
        "cat \"${CLAUDE_PLUGIN_ROOT}/notes.md\"",
        Some("Two\nlines\n"),
    );
    check(
        "cat ${CLAUDE_PLUGIN_ROOT}/a/../notes.md 2>/dev/null || true",
        Some("Two\nlines\n"),
    );
    check(
        "echo \"$(cat \"$CLAUDE_PLUGIN_ROOT/notes.md\")!\"",
        Some("Two\nlines!\n"),
    );
    check(
        "cat \"$CLAUDE_PROJECT_DIR/.claude/notes.md\"",
        Some("Two\nlines\n"),
    );
    check(
        "[ -f ${CLAUDE_PLUGIN_ROOT}/no ] && echo no; echo yes",
        Some("yes\n"),
    );
    check("cat <<EOF\n$CLAUDE_PLUGIN_ROOT\nEOF\n", None);
    check("cat <<-EOF\n\t1 \\$ 2\n\tEOF\n", Some("1 $ 2\n"));
    check(
        "echo debug >&2; cat > /dev/null; echo shown",
        Some("shown\n"),
    );
}

#[test]
fn runs_scripts_of_the_package() {
    check(
        "${CLAUDE_PLUGIN_ROOT}/hooks/plain.sh",
        Some("{\"a\": \"$X `y`\"}\n"),
    );
    check(
        "bash \"${CLAUDE_PLUGIN_ROOT}/hooks/file.sh\"",
        Some("Two\nlines\n"),
    );
    check("bash -c 'echo a; echo b'", Some("a\nb\n"));
    check("sh -c 'echo \"a\\nb\"'", None);
    check("${CLAUDE_PLUGIN_ROOT}/hooks/dash", None);
    check("${CLAUDE_PLUGIN_ROOT}/hooks/loop.sh", None);
    check("${CLAUDE_PLUGIN_ROOT}/hooks/writes.sh", None);
}

#[test]
fn knows_nothing_of_programs_and_effects() {
    for command in [
        "",
        "date",
        "echo $(date)",
        "echo `date`",
        "echo $USER",
        "echo a > b",
        "echo a >> b",
        "echo a | tee b",
        "echo a & echo b",
        "echo *",
        "echo ~",
        "echo {a,b}",
        "cat README.md",
        "cat /etc/passwd",
        "cat ~/.ssh/id_rsa",
        "cat ${CLAUDE_PLUGIN_ROOT}/../secret",
        "cat $CLAUDE_PROJECT_DIR/README.md",
        "cat",
        "if true; then echo a; fi",
        "for x in a b; do echo $x; done",
        "f() { echo a; }; f",
        "(echo a)",
        "python3 ${CLAUDE_PLUGIN_ROOT}/x.py",
        "curl https://example.com",
        "exit 2",
        "echo a; false",
        "echo 'open",
        "cat <<EOF\nopen",
        "echo $((1+1))",
        "echo ${X:=1}",
        "A=$(curl x); echo a",
        "source ${CLAUDE_PLUGIN_ROOT}/notes.md",
        "echo \u{1}",
    ] {
        let expected = (command.is_empty()).then_some("");
        check(command, expected);
    }
}
