//! The page for people, in a real Chromium that `clients/page.mjs` drives.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use skill_testing::find;

use super::process::{Server, skills};

/// A skill whose every text is markup.
const MARKUP: &str = "---\nname: markup\ndescription: <script>window.hit=1</script> Shows <img src=x onerror=window.hit=1> as text.\n---\n\n# <b>Bold</b>\n\n<script>window.hit=1</script> **strong** `<i>` [evil](javascript:window.hit=1) [up](../word-count/SKILL.md) [file](references/a.md) ![<img src=x onerror=window.hit=1>](http://x.example/a.png)\n\n| a |\n|---|\n| <img src=x onerror=window.hit=1> |\n";

#[test]
fn people_see_skills_phases_and_confidence() {
    let (Some(browser), Some(_)) = (find::browser(), find::node()) else {
        return;
    };
    let dir = skills();
    fs::create_dir(dir.path().join("skills/markup")).unwrap();
    fs::write(dir.path().join("skills/markup/SKILL.md"), MARKUP).unwrap();
    fs::create_dir(dir.path().join("skills/markup/references")).unwrap();
    fs::write(
        dir.path().join("skills/markup/references/a.md"),
        "# A file\n\n<script>window.hit=1</script>\n",
    )
    .unwrap();
    let server = Server::start(dir.path(), &[]);
    let origin = format!("http://{}", server.address());
    let seen = drive(&browser, dir.path(), &origin);
    assert_eq!(seen["listed"], json!(["markup", "pdf-forms", "word-count"]));
    assert_eq!(seen["count"], "3 skills");
    assert_eq!(seen["found"][0], json!(["word-count", true]), "{seen}");
    assert_eq!(seen["title"], "word-count · Skills");
    let tokens: Vec<u64> = seen["tokens"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect();
    assert!(
        tokens.is_sorted() && tokens[0] > 0 && tokens[0] < tokens[2],
        "{tokens:?}"
    );
    assert!(
        seen["phases"][2]
            .as_str()
            .unwrap()
            .contains("Give it a text.")
    );
    let tables = seen["tables"].to_string();
    assert!(
        tables.contains("Findings")
            && tables.contains("Resources")
            && tables.contains("SKILL.md as it was read")
    );
    assert!(
        seen["missing"].as_str().unwrap().contains("no-such-skill"),
        "{seen}"
    );
    assert_eq!(
        seen["links"],
        json!(["#/markup/files/references/a.md", "http://x.example/a.png"]),
        "{seen}"
    );
    assert_eq!(seen["file"], "A file", "{seen}");
    assert_eq!(seen["nothing"], json!([0, "0 skills fit"]), "{seen}");
    assert_eq!(
        seen["filtered"],
        json!([["word-count"], ["markup", "pdf-forms"]]),
        "{seen}"
    );
    assert_eq!(
        seen["chinese"],
        json!(["zh-CN", "技能", "3 个技能"]),
        "{seen}"
    );
    assert_eq!(
        seen["tapped"], true,
        "a tap on a small screen shows the skill"
    );
    let question = seen["question"].as_str().unwrap();
    assert!(
        question.contains("Run the command `count` of the skill `word-count`"),
        "{question}"
    );
    assert!(seen["ran"].as_str().unwrap().contains("3 words"), "{seen}");
    for (what, nothing) in [
        ("unnamed", json!([])),
        // The types of skills are words of METADATA.yml.
        ("english", json!(["direct", "instructions", "direct"])),
        ("complaints", json!([])),
        ("scripts", json!(0)),
        ("asked", json!([origin])),
        ("fits", json!({"390": true, "400": true, "1280": true})),
        ("pale", json!({"light": [], "dark": []})),
    ] {
        assert_eq!(seen[what], nothing, "{what}");
    }
}

fn drive(browser: &Path, dir: &Path, origin: &str) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients/page.mjs");
    let mut command = Command::new("node");
    command
        .arg(script)
        .arg(browser)
        .arg(dir.join("profile"))
        .arg(origin);
    // Where a new picture for the documents is to be put.
    command.args(std::env::var_os("SKILLS_PAGE_PICTURE"));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}
