//! The page for people, in a real Chromium that `clients/page.mjs` drives.

use std::ffi::OsString;
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
    // Where a new picture for the documents is to be put.
    let picture = std::env::var_os("SKILLS_PAGE_PICTURE");
    let seen = drive("page.mjs", &browser, dir.path(), &origin, picture);
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
    let chinese = "是否在本机运行技能 `word-count` 的命令 `count`？参数：{\"text\":\"一 二\"}";
    assert_eq!(seen["asked_in_chinese"], chinese, "{seen}");
    let missing = seen["missing_in_chinese"].as_str().unwrap();
    assert!(missing.contains("没有"), "{missing}");
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

#[test]
fn people_type_the_token() {
    let (Some(browser), Some(_)) = (find::browser(), find::node()) else {
        return;
    };
    let dir = skills();
    let token = "0123456789abcdef";
    let file = dir.path().join("token");
    fs::write(&file, token).unwrap();
    let server = Server::start(dir.path(), &["--token-file", file.to_str().unwrap()]);
    let origin = format!("http://{}", server.address());
    let seen = drive(
        "page_token.mjs",
        &browser,
        dir.path(),
        &origin,
        Some(token.into()),
    );
    // The first token is wrong, so the browser asks again, and then no more.
    assert_eq!(seen["asked"], json!(["basic", "basic"]), "{seen}");
    assert!(seen["ran"].as_str().unwrap().contains("3 words"), "{seen}");
}

fn drive(script: &str, browser: &Path, dir: &Path, origin: &str, last: Option<OsString>) -> Value {
    let scripts = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients");
    let mut command = Command::new("node");
    command
        .arg(scripts.join(script))
        .arg(browser)
        .arg(dir.join("profile"))
        .arg(origin);
    command.args(last);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    serde_json::from_slice(&output.stdout).unwrap()
}
