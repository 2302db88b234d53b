//! A server over two pipes: changes are announced, all views agree, and omissions are reported.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out skills and change them"
)]

mod agent; // a client over two pipes
mod answers; // answers that are not text
mod approvals; // questions to the person in front of a client
mod behind; // MCP servers behind skills
mod running; // skills that are run
mod tools; // the tools and prompts of a client

use std::time::Duration;

use serde_json::{Value, json};
use skill_disclosure::Mode;
use skill_loader::Digest;
use skill_mcp::Settings;
use tempfile::TempDir;

use agent::{Agent, data, skill, value, write};

/// Returns the digest of a skill by each way to get it.
async fn digests(agent: &mut Agent, name: &str) -> Vec<String> {
    let uri = format!("skill://{name}/SKILL.md");
    let entry = agent.call("skills/get", json!({"uri": uri})).await;
    let read = agent.call("resources/read", json!({"uri": uri})).await;
    let text = read["contents"][0]["text"].as_str().unwrap();
    let arguments = json!({"skill_name": name, "force": true});
    let tool = agent.tool("read_skill", arguments).await;
    let listed = agent.tool("list_skills", json!({})).await;
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    vec![
        word(&entry["skill"]["resources"][0]["digest"]),
        Digest::from_content(text.as_bytes()).to_string(),
        word(&data(&tool)["digest"]),
        word(&data(&listed)["skills"][0]["digest"]),
    ]
}

#[tokio::test]
async fn a_change_is_announced_and_every_view_agrees() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "a", "One.");
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let before = digests(&mut agent, "a").await;
    assert!(
        before.iter().all(|digest| *digest == before[0]),
        "{before:?}"
    );
    skill(dir.path(), "a", "Two, which is longer.");
    for what in ["tools", "resources", "prompts"] {
        agent
            .until(&format!("notifications/{what}/list_changed"))
            .await;
    }
    let after = digests(&mut agent, "a").await;
    assert_ne!(before[0], after[0]);
    assert!(after.iter().all(|digest| *digest == after[0]), "{after:?}");
}

#[tokio::test]
async fn a_changed_file_is_served_with_its_new_digest() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "a", "Body.");
    write(dir.path(), "a/notes.md", "one");
    let mut agent = Agent::start(dir.path(), |s| s.recheck = Duration::from_mins(1)).await;
    let get = json!({"uri": "skill://a/SKILL.md"});
    agent.call("skills/get", get.clone()).await;
    write(dir.path(), "a/notes.md", "two");
    let read = agent
        .call("resources/read", json!({"uri": "skill://a/notes.md"}))
        .await;
    assert_eq!(read["contents"][0]["text"], "two");
    let entry = agent.call("skills/get", get).await;
    assert_eq!(
        entry["skill"]["resources"][1]["digest"],
        Digest::from_content(b"two").to_string()
    );
}

#[tokio::test]
async fn without_skills_the_tools_say_so() {
    let dir = TempDir::new().unwrap();
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let tools = agent.call("tools/list", json!({})).await;
    assert_eq!(tools["tools"].as_array().unwrap().len(), 6);
    let listed = agent.tool("list_skills", json!({})).await;
    assert_eq!(listed["content"][0]["text"], "0 skills", "{listed}");
    for (method, key) in [("prompts/list", "prompts"), ("skills/list", "skills")] {
        assert_eq!(
            agent.call(method, json!({})).await[key],
            json!([]),
            "{method}"
        );
    }
    skill(dir.path(), "a", "Body.");
    agent.until("notifications/tools/list_changed").await;
    let tools = agent.call("tools/list", json!({})).await;
    assert_eq!(tools["tools"].as_array().unwrap().len(), 6);
}

#[tokio::test]
async fn listings_come_in_pages() {
    let dir = TempDir::new().unwrap();
    for n in 0..201 {
        skill(dir.path(), &format!("skill-{n:03}"), "Body.");
    }
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let (skills, n_pages) = agent.all("skills/list", "skills").await;
    let mut uris: Vec<&str> = skills
        .iter()
        .map(|skill| skill["uri"].as_str().unwrap())
        .collect();
    assert!(uris.is_sorted());
    uris.dedup();
    assert_eq!((uris.len(), n_pages), (201, 5));
    assert_eq!(agent.all("resources/list", "resources").await.0.len(), 201);
    for method in ["skills/list", "resources/list"] {
        let answer = agent.call(method, json!({"cursor": "nonsense"})).await;
        assert_eq!(answer["error"]["code"], -32602);
    }
}

#[tokio::test]
async fn a_session_holds_so_many_skills() {
    let dir = TempDir::new().unwrap();
    for name in ["a", "b", "c"] {
        skill(dir.path(), name, "Body.");
    }
    let mut agent = Agent::start(dir.path(), |settings| settings.max_active = 2).await;
    let mut read = async |name: &str| {
        let answer = agent.tool("read_skill", json!({"skill_name": name})).await;
        let data = data(&answer);
        (data["already_active"] == true, data["unloaded"].clone())
    };
    assert_eq!(read("a").await, (false, json!([])));
    assert_eq!(read("b").await, (false, json!([])));
    assert_eq!(read("a").await, (true, Value::Null));
    assert_eq!(read("c").await, (false, json!(["b"])));
    assert_eq!(read("b").await, (false, json!(["a"])));
    let unloaded = agent.tool("unload_skill", json!({"skill_name": "b"})).await;
    assert_eq!(data(&unloaded)["session"]["active"][0]["skill_name"], "c");
    let again = agent.tool("unload_skill", json!({"skill_name": "b"})).await;
    assert_eq!(again["isError"], true);
}

#[tokio::test]
async fn what_is_written_meanwhile_is_never_mixed() {
    let dir = TempDir::new().unwrap();
    let texts = ["one ".repeat(2_000), "two ".repeat(3_000)];
    skill(dir.path(), "a", &texts[0]);
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let place = dir.path().to_owned();
    let again = texts.clone();
    let writer = std::thread::spawn(move || {
        for n in 0..300 {
            skill(&place, "a", &again[n % 2]);
        }
    });
    while !writer.is_finished() {
        let read = agent
            .tool("read_skill", json!({"skill_name": "a", "force": true}))
            .await;
        let text = read["content"][0]["text"].as_str().unwrap_or_default();
        let (_, text) = text.split_once("<instructions>").unwrap_or_default();
        let (text, _) = text.split_once("</instructions>").unwrap_or_default();
        // The end of a text is trimmed for models.
        assert!(texts.iter().any(|known| known.trim() == text.trim()));
        let read = agent
            .call("resources/read", json!({"uri": "skill://a/SKILL.md"}))
            .await;
        if let Some(text) = read["contents"][0]["text"].as_str() {
            assert!(
                texts
                    .iter()
                    .any(|known| text.ends_with(&format!("\n\n{known}\n")))
            );
        }
    }
    writer.join().unwrap();
}

#[tokio::test]
async fn an_entry_has_the_frontmatter_as_it_is_written() {
    let dir = TempDir::new().unwrap();
    let header = "name: a\ndescription: Does a. 天气\nlicense: MIT\nallowed-tools: Bash(git:*) Read\nmetadata:\n  version: \"2.10\"\n  nested: {deep: [1, no, null]}\nown-key: yes\n";
    write(
        dir.path(),
        "a/SKILL.md",
        &format!("---\n{header}---\nBody.\n"),
    );
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let extension = &agent.hello["capabilities"]["extensions"]["io.modelcontextprotocol/skills"];
    assert_eq!(*extension, json!({"directoryRead": true}));
    let expected = json!({
        "name": "a",
        "description": "Does a. 天气",
        "license": "MIT",
        "allowed-tools": "Bash(git:*) Read",
        "metadata": {"version": "2.10", "nested": {"deep": [1, "no", null]}},
        "own-key": "yes",
    });
    let listed = agent.call("skills/list", json!({})).await;
    assert_eq!(listed["skills"][0]["frontmatter"], expected);
    let uri = json!({"uri": "skill://a/SKILL.md"});
    let entry = agent.call("skills/get", uri).await;
    assert_eq!(entry["skill"]["frontmatter"], expected);
}

#[tokio::test]
async fn bodies_are_in_the_catalog_by_mode() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "a", "The body of a.");
    // A skill whose body is included needs no description.
    for (mode, with_catalog, has_line, has_body) in [
        (Mode::Progressive, false, false, false),
        (Mode::Progressive, true, true, false),
        (Mode::Eager, true, false, true),
        (Mode::Hybrid, true, true, false),
    ] {
        let change = |settings: &mut Settings| {
            (settings.mode, settings.instructions) = (mode, with_catalog);
        };
        let mut agent = Agent::start(dir.path(), change).await;
        let said = agent.hello["instructions"].as_str().unwrap();
        assert_eq!(said.contains("Does a."), has_line, "{mode:?} {said}");
        assert_eq!(said.contains("The body of a."), has_body, "{mode:?} {said}");
        let prompt = agent.call("prompts/get", json!({"name": "skills"})).await;
        let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
        assert_eq!(text.contains("The body of a."), has_body, "{mode:?} {text}");
    }
}

#[tokio::test]
async fn nothing_is_run_where_nothing_was_allowed() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "a", "Body.");
    let metadata = "name: a\nexecutor: direct\ntransport: stdio-json\nrunnable: true\nenabled: true\nentry:\n  runtime: python\n  argv: [python3, main.py]\n  dir: scripts\ncommands:\n  - id: b\n    description: Does b.\n    dispatch: null\n    input_schema: {type: object}\n";
    write(dir.path(), "a/METADATA.yml", metadata);
    write(dir.path(), "a/scripts/main.py", "");
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let tools = agent.call("tools/list", json!({})).await;
    let tools = tools["tools"].as_array().unwrap();
    let runs = |tool: &&Value| matches!(tool["name"].as_str(), Some("run_skill" | "a__b"));
    assert_eq!(tools.iter().find(runs), None);
    for name in ["run_skill", "a__b"] {
        let answer = agent.tool(name, json!({"skill_name": "a"})).await;
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
}
