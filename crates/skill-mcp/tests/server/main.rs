//! A server over two pipes: changes are announced, all views agree, and omissions are reported.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests lay out skills and change them"
)]

mod approvals; // questions to the person in front of a client
mod running; // skills that are run

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use skill_disclosure::Mode;
use skill_loader::Digest;
use skill_loader::catalog::{CatalogSettings, SkillRoot};
use skill_loader::load::Source;
use skill_mcp::{Server, Settings, ToolSet, serve_streams};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, duplex};

fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // Like an editor: all at once.
    let beside = path.with_extension("new");
    fs::write(&beside, text).unwrap();
    fs::rename(beside, path).unwrap();
}

fn skill(dir: &Path, path: &str, body: &str) {
    let name = path.rsplit('/').next().unwrap();
    let text = format!("---\nname: {name}\ndescription: Does {name}.\n---\n\n{body}\n");
    write(dir, &format!("{path}/SKILL.md"), &text);
}

struct Agent {
    lines: Lines<BufReader<DuplexStream>>,
    input: DuplexStream,
    n_calls: u64,
    /// The methods of notifications that came between answers.
    notifications: Vec<String>,
    /// The answer of the server to `initialize`.
    hello: Value,
    /// The answer to questions, for a client that can ask.
    says: Option<Value>,
    /// The questions of the server.
    asked: Vec<Value>,
}

impl Agent {
    async fn start(dir: &Path, change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_as(dir, None, change).await
    }

    /// Starts a client that gives this answer to all questions.
    async fn start_as(dir: &Path, says: Option<Value>, change: impl FnOnce(&mut Settings)) -> Self {
        let mut settings = Settings {
            catalog: CatalogSettings {
                roots: vec![SkillRoot {
                    path: dir.to_owned(),
                    source: Source::Project,
                }],
                ..CatalogSettings::default()
            },
            recheck: Duration::from_millis(20),
            ..Settings::default()
        };
        change(&mut settings);
        let ((input, theirs), (output, mine)) = (duplex(1 << 16), duplex(1 << 16));
        let server = Server::new(settings);
        tokio::spawn(serve_streams(
            server,
            theirs,
            output,
            std::future::pending(),
        ));
        let mut res = Self {
            lines: BufReader::new(mine).lines(),
            input,
            n_calls: 0,
            notifications: Vec::new(),
            hello: Value::Null,
            says,
            asked: Vec::new(),
        };
        let capabilities = match &res.says {
            Some(_) => json!({"elicitation": {}}),
            None => json!({}),
        };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "x", "version": "1"}});
        res.hello = res.call("initialize", hello).await;
        res.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))
            .await;
        res
    }

    async fn say(&mut self, message: &Value) {
        self.input
            .write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
    }

    async fn hear(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap();
        serde_json::from_str(&line.expect("the server has gone")).unwrap()
    }

    /// Returns the result of a request, or the whole message if it is an error.
    async fn call(&mut self, method: &str, params: Value) -> Value {
        self.n_calls += 1;
        let id = self.n_calls;
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))
            .await;
        loop {
            let mut message = self.hear().await;
            if message["method"] == "elicitation/create" {
                let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": self.says});
                self.asked.push(message["params"].take());
                self.say(&answer).await;
                continue;
            }
            if message["id"] == id {
                let result = message["result"].take();
                return if result.is_null() { message } else { result };
            }
            self.notifications
                .extend(message["method"].as_str().map(str::to_owned));
        }
    }

    async fn tool(&mut self, name: &str, arguments: Value) -> Value {
        self.call("tools/call", json!({"name": name, "arguments": arguments}))
            .await
    }

    /// Waits for this notification.
    async fn until(&mut self, method: &str) {
        while !self.notifications.iter().any(|known| known == method) {
            let message = self.hear().await;
            self.notifications
                .extend(message["method"].as_str().map(str::to_owned));
        }
        self.notifications.retain(|known| known != method);
    }

    /// Returns all items of a paginated listing and the number of pages.
    async fn all(&mut self, method: &str, key: &str) -> (Vec<Value>, usize) {
        let (mut res, mut n_pages, mut cursor) = (Vec::new(), 0, Value::Null);
        loop {
            let params = if cursor.is_null() {
                json!({})
            } else {
                json!({"cursor": cursor})
            };
            let mut page = self.call(method, params).await;
            n_pages += 1;
            res.append(page[key].as_array_mut().unwrap());
            cursor = page["nextCursor"].take();
            if cursor.is_null() {
                return (res, n_pages);
            }
        }
    }
}

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
        word(&tool["structuredContent"]["digest"]),
        word(&listed["structuredContent"]["skills"][0]["digest"]),
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
async fn without_skills_there_are_no_tools() {
    let dir = TempDir::new().unwrap();
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    for (method, key) in [
        ("tools/list", "tools"),
        ("prompts/list", "prompts"),
        ("skills/list", "skills"),
    ] {
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
async fn no_tool_enumerates_the_skills() {
    let dir = TempDir::new().unwrap();
    for n in 0..89 {
        skill(dir.path(), &format!("skill-{n:03}"), "Body.");
    }
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let tools = agent.call("tools/list", json!({})).await.to_string();
    assert!(!tools.contains("skill-0"), "{tools}");
    assert!(tools.len() <= 8_000, "{}", tools.len());
}

/// A METADATA.yml of a skill with the command `b`.
fn with_command(name: &str, more: &str) -> String {
    format!(
        "schema: 1\nname: {name}\nversion: '1'\ntype: direct\ntransport: stdio-json\n{more}entry: {{runtime: shell, argv: [sh, main.sh], dir: scripts}}\nrequires: {{bin: [sh], npm: [axios]}}\ncommands:\n  - id: b\n    description: Does b.\n    dispatch: null\n    input_schema: {{type: object}}\n    examples: [{{x: 1}}]\n"
    )
}

#[tokio::test]
async fn commands_are_listed_once_their_skill_was_read() {
    let dir = TempDir::new().unwrap();
    let skills = dir.path().join("skills");
    for name in ["rain", "snow"] {
        skill(&skills, name, "Body.");
        write(
            &skills,
            &format!("{name}/METADATA.yml"),
            &with_command(name, ""),
        );
    }
    let state = dir.path().join("state");
    let commands = async |agent: &mut Agent| -> Vec<String> {
        let tools = agent.call("tools/list", json!({})).await;
        let tools = tools["tools"].as_array().unwrap().iter();
        let names = tools.filter_map(|tool| tool["name"].as_str());
        names
            .filter(|name| name.contains("__"))
            .map(str::to_owned)
            .collect()
    };
    let mut agent = Agent::start(&skills, |settings| running::run_all(&state, settings)).await;
    assert_eq!(commands(&mut agent).await, [""; 0]);
    let read = agent
        .tool("read_skill", json!({"skill_name": "rain"}))
        .await;
    assert_eq!(read["isError"], false, "{read}");
    agent.until("notifications/tools/list_changed").await;
    assert_eq!(commands(&mut agent).await, ["rain__b"]);
    for (set, expected) in [
        (ToolSet::Both, &["rain__b", "snow__b"][..]),
        (ToolSet::Commands, &["rain__b", "snow__b"]),
    ] {
        let mut agent = Agent::start(&skills, |settings| {
            running::run_all(&state, settings);
            settings.tools = set;
        })
        .await;
        assert_eq!(commands(&mut agent).await, expected);
    }
}

#[tokio::test]
async fn a_skill_that_is_read_says_how_it_is_used() {
    let dir = TempDir::new().unwrap();
    let skills = dir.path().join("skills");
    let off = "enabled: false\n";
    for (name, more) in [("off", off), ("rain", "")] {
        skill(&skills, name, "Body.");
        write(
            &skills,
            &format!("{name}/METADATA.yml"),
            &with_command(name, more),
        );
    }
    skill(&skills, "text", "Body.");
    let state = dir.path().join("state");
    let mut agent = Agent::start(&skills, |settings| {
        running::run_all(&state, settings);
        settings.directories = true;
    })
    .await;
    let needs = "must be installed: programs sh; npm packages axios\n";
    for (name, lines) in [
        (
            "rain",
            &[
                needs,
                "to run it: run_skill {\"skill_name\":\"rain\",\"command\":\"b\",\"arguments\":{\"x\":1}}\n",
            ][..],
        ),
        ("off", &[needs, "not run by this server: "]),
        ("text", &[]),
    ] {
        let read = agent.tool("read_skill", json!({"skill_name": name})).await;
        let text = read["content"][0]["text"].as_str().unwrap();
        let directory = format!("directory: {}\n", skills.join(name).display());
        for line in lines.iter().copied().chain([directory.as_str()]) {
            assert!(text.contains(line), "{name}: {line}\n{text}");
        }
        assert_eq!(read["structuredContent"]["run"].is_object(), name == "rain");
    }
    let mut agent = Agent::start(&skills, |_| ()).await;
    let read = agent
        .tool("read_skill", json!({"skill_name": "rain"}))
        .await;
    let text = read["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("start it with --allow-run rain"), "{text}");
    assert!(!text.contains("directory: "), "{text}");
}

#[tokio::test]
async fn what_cannot_be_run_is_marked_and_comes_last() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "umbrella-rain", "Body.");
    write(
        dir.path(),
        "umbrella-rain/METADATA.yml",
        &with_command("umbrella-rain", "runnable: false\n"),
    );
    skill(dir.path(), "rain", "Body.");
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let found = agent
        .tool("search_skills", json!({"query": "umbrella rain"}))
        .await;
    let matches = found["structuredContent"]["matches"].as_array().unwrap();
    let last = matches.last().unwrap();
    assert_eq!(
        (&last["name"], &last["can_run"]),
        (&json!("umbrella-rain"), &json!(false))
    );
    let list = agent.tool("list_skills", json!({})).await;
    let text = list["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("- umbrella-rain (cannot be run): "), "{text}");
    assert!(text.contains("- rain: "), "{text}");
    let nothing = agent
        .tool(
            "search_skills",
            json!({"query": "invoice of the tax office"}),
        )
        .await;
    let text = nothing["content"][0]["text"].as_str().unwrap();
    assert!(!text.contains("to read the first one"), "{text}");
}

#[tokio::test]
async fn what_has_no_entry_is_given_by_the_tools() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "many", "Body.");
    for n in 0..512 {
        write(dir.path(), &format!("many/references/{n}.md"), "x");
    }
    skill(dir.path(), "Not_A_Name", "Body.");
    let large = "x".repeat(1 << 20);
    skill(dir.path(), "large", "Body.");
    for n in 0..16 {
        write(dir.path(), &format!("large/data/{n}.txt"), &large);
    }
    write(
        dir.path(),
        "unnamed/SKILL.md",
        "---\ndescription: Has no name.\n---\nBody.\n",
    );
    skill(dir.path(), "fine", "Body.");
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let (skills, _) = agent.all("skills/list", "skills").await;
    let uris: Vec<&Value> = skills.iter().map(|skill| &skill["uri"]).collect();
    assert_eq!(uris, ["skill://fine/SKILL.md"]);
    for name in ["many", "Not_A_Name", "large", "unnamed"] {
        let uri = format!("skill://{name}/SKILL.md");
        for method in ["skills/get", "resources/read", "resources/directory/read"] {
            let answer = agent.call(method, json!({"uri": uri})).await;
            // An unknown resource has a code of its own in the older protocol.
            let code = if method == "resources/read" {
                -32002
            } else {
                -32602
            };
            assert_eq!(answer["error"]["code"], code, "{method} {name}");
        }
        let read = agent.tool("read_skill", json!({"skill_name": name})).await;
        assert_eq!(read["isError"], false, "{name}: {read}");
    }
    let many = agent
        .tool("read_skill", json!({"skill_name": "many", "force": true}))
        .await;
    assert_eq!(many["structuredContent"]["resources_total"], 512);
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
        let data = &answer["structuredContent"];
        (data["already_active"] == true, data["unloaded"].clone())
    };
    assert_eq!(read("a").await, (false, json!([])));
    assert_eq!(read("b").await, (false, json!([])));
    assert_eq!(read("a").await, (true, Value::Null));
    assert_eq!(read("c").await, (false, json!(["b"])));
    assert_eq!(read("b").await, (false, json!(["a"])));
    let unloaded = agent.tool("unload_skill", json!({"skill_name": "b"})).await;
    assert_eq!(
        unloaded["structuredContent"]["session"]["active"][0]["skill_name"],
        "c"
    );
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
        let text = read["structuredContent"]["content"]
            .as_str()
            .unwrap_or_default();
        assert!(
            texts
                .iter()
                .any(|known| known == text.trim_start_matches('\n').trim_end_matches('\n'))
        );
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
async fn tools_answer_to_the_names_they_were_given() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "a", "Body.");
    write(dir.path(), "a/notes.md", "x");
    let names = skill_mcp::ToolNames::parse("pascal,read_skill=load_skill").unwrap();
    let mut agent = Agent::start(dir.path(), |settings| {
        settings.names = names;
        settings.instructions = true;
    })
    .await;
    let read = agent.tool("load_skill", json!({"skill_name": "a"})).await;
    assert_eq!(
        read["structuredContent"]["resources"][0]["call"]["tool"],
        "ReadSkillResource"
    );
    let old = agent.tool("read_skill", json!({"skill_name": "a"})).await;
    assert_eq!(old["error"]["code"], -32602);
    let prompt = agent.call("prompts/get", json!({"name": "skills"})).await;
    assert!(prompt.to_string().contains("load_skill"), "{prompt}");
}

#[tokio::test]
async fn prompts_of_other_hosts_are_prompts_with_their_arguments() {
    let dir = TempDir::new().unwrap();
    skill(dir.path(), "skill", "Not the prompt of the server.");
    for name in ["fix", "skill"] {
        let metadata = format!(
            "schema: 1\nname: {name}\nversion: 1.0.0\ntype: prompt\nprompt:\n  template: references/template.md\n  dialect: claude\n  names: [issue, mode]\n  arguments:\n    - name: issue\n      description: Its number.\n      required: true\n    - name: mode\n      choices: [fast, slow]\n"
        );
        skill(dir.path(), name, "Fix `<issue>`.");
        write(dir.path(), &format!("{name}/METADATA.yml"), &metadata);
        let template = "Fix $issue ($mode): $ARGUMENTS\n!`git status`\n";
        write(
            dir.path(),
            &format!("{name}/references/template.md"),
            template,
        );
    }
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let listed = agent.call("prompts/list", json!({})).await;
    let names = listed["prompts"].as_array().unwrap().iter();
    let names: Vec<&str> = names
        .map(|prompt| prompt["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["skills", "skill", "fix", "skill-prompt"]);
    let expected = json!([
        {"name": "issue", "description": "Its number.", "required": true},
        {"name": "mode", "description": "one of fast, slow", "required": false},
    ]);
    assert_eq!(listed["prompts"][2]["arguments"], expected);
    for name in ["fix", "skill-prompt"] {
        let values = json!({"issue": "the parser", "mode": "fast"});
        let got = agent
            .call("prompts/get", json!({"name": name, "arguments": values}))
            .await;
        assert_eq!(
            got["messages"][0]["content"]["text"],
            "Fix the parser (fast): \"the parser\" fast\n[run `git status` first and use its output]\n"
        );
    }
    for (values, expected) in [
        (json!({"mode": "fast"}), "`issue` is missing"),
        (
            json!({"issue": "1", "x": "2"}),
            "`x` is not an argument of `fix`; it takes issue, mode",
        ),
    ] {
        let refused = agent
            .call("prompts/get", json!({"name": "fix", "arguments": values}))
            .await;
        assert_eq!(refused["error"]["message"], expected);
    }
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
