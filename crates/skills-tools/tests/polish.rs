//! Texts by a model, from the command line.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out plugins and start the tools"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use skill_testing::tool;

/// Starts `skills-migrate`; returns the exit status and both streams.
fn migrate(dir: &Path, args: &[&str]) -> (i32, String) {
    let mut command = Command::new(tool!("skills-migrate"));
    command.args(["plugins", "--out", "skills"]).args(args);
    for key in ["SKILLS_POLISH_KEY", "OPENAI_API_KEY"] {
        command.env_remove(key);
    }
    let output = command.current_dir(dir).output().unwrap();
    let all = [output.stdout, output.stderr].concat();
    (
        output.status.code().unwrap(),
        String::from_utf8(all).unwrap(),
    )
}

fn plugin(dir: &Path) {
    let manifest = json!({
        "manifestVersion": "1.0.0", "name": "Weather", "displayName": "天气插件", "version": "1.0.0",
        "description": "查询城市的天气预报和空气质量。", "author": "t", "pluginType": "synchronous",
        "entryPoint": {"type": "python", "command": "python3 weather.py"},
        "communication": {"protocol": "stdio"},
        "capabilities": {"invocationCommands": [
            {"commandIdentifier": "query", "description": "查询天气。\n- `city` (字符串, 必需): 城市"}
        ]},
    });
    let at = dir.join("plugins/Weather");
    fs::create_dir_all(&at).unwrap();
    fs::write(at.join("plugin-manifest.json"), manifest.to_string()).unwrap();
    fs::write(at.join("weather.py"), "print('{}')\n").unwrap();
}

#[test]
fn answers_become_texts() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    plugin(dir);
    let (status, said) = migrate(dir, &["--polish-export", "jobs.jsonl"]);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("jobs for a model: 1, written to jobs.jsonl"),
        "{said}"
    );
    assert!(!dir.join("skills/weather").exists());
    let job: Value =
        serde_json::from_str(&fs::read_to_string(dir.join("jobs.jsonl")).unwrap()).unwrap();
    let quote = "查询城市的天气预报";
    let answer = json!({"skill": "weather", "digest": job["digest"], "model": "m", "slots": {
        "title": {"text": "天气", "quote": quote},
        "when": [{"text": "比较两个城市", "quote": quote}, {"text": "用 OpenWeather", "quote": quote}],
        "english": {"text": "Weather forecasts and air quality.", "quote": quote},
        "advice": [{"text": "先说空气质量。", "quote": "空气质量。查"}, {"text": "先说预报。", "quote": quote}],
        "care": [{"text": "预报可能有错。", "quote": quote}],
        "result": {"text": "返回预报。", "quote": quote},
    }});
    fs::write(dir.join("answers.jsonl"), answer.to_string()).unwrap();
    let (status, said) = migrate(dir, &["--polish-import", "answers.jsonl"]);
    assert_eq!(status, 0, "{said}");
    for part in [
        "weather: `when[1]` has `OpenWeather`, which none of the plugin's texts has",
        "weather: `advice[0]` has a quote that none of the plugin's texts has",
        "6 texts accepted (for 1 skills), 2 refused",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let text = fs::read_to_string(dir.join("skills/weather/SKILL.md")).unwrap();
    for part in [
        "当用户要比较两个城市时使用。",
        "Weather forecasts and air quality.",
        "\n# 天气\n",
        "\n返回预报。\n",
        "\n## 用法要点\n\n- 先说预报。\n",
        "\n## 注意\n\n- 预报可能有错。\n",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (status, said) = migrate(dir, &["--check"]);
    assert_eq!(status, 0, "{said}");
    // The manifest changes: every text that quotes it falls back, and that is said.
    let path = dir.join("plugins/Weather/plugin-manifest.json");
    let manifest = fs::read_to_string(&path).unwrap();
    fs::write(&path, manifest.replace("1.0.0", "1.0.1")).unwrap();
    let (status, said) = migrate(dir, &["-v"]);
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("polish-stale"), "{said}");
    let text = fs::read_to_string(dir.join("skills/weather/SKILL.md")).unwrap();
    assert!(!text.contains("比较两个城市"), "{text}");
}

#[test]
fn wrong_uses_are_errors() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    plugin(dir);
    let check = |args: &[&str], part: &str| {
        let (status, said) = migrate(dir, args);
        assert!(
            status == 2 && said.contains(part),
            "{args:?} {status}: {said}"
        );
    };
    check(&["--polish"], "--polish-url");
    check(&["--polish-url", "http://127.0.0.1:1"], "--polish-model");
    check(
        &["--polish-url", "x", "--polish-model", "m"],
        "it has no scheme",
    );
    check(&["--polish-import", "none.jsonl"], "none.jsonl");
    check(&["--check", "--polish-import", "x"], "cannot be used with");
    fs::create_dir(dir.join("skills")).unwrap_or_default();
    fs::write(dir.join("skills/polish.lock.json"), "{").unwrap();
    check(&[], "polish.lock.json cannot be read");
}
