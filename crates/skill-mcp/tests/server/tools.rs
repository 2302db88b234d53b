//! The tools and prompts that a client sees.

use serde_json::{Value, json};
use skill_mcp::ToolSet;
use tempfile::TempDir;

use crate::agent::{Agent, data, skill, write};
use crate::running;

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
        assert_eq!(data(&read)["run"].is_object(), name == "rain");
    }
    let mut agent = Agent::start(&skills, |_| ()).await;
    let read = agent
        .tool("read_skill", json!({"skill_name": "rain"}))
        .await;
    let text = read["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("start it with --allow-run rain"), "{text}");
    assert!(!text.contains("directory: "), "{text}");
    let call = json!({"name": "run_skill", "arguments": {"skill_name": "rain"}});
    let refused = agent.call("tools/call", call).await;
    let message = refused["error"]["message"].as_str().unwrap();
    assert!(message.contains("--allow-run"), "{message}");
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
    let matches = data(&found)["matches"].as_array().unwrap();
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
    assert_eq!(data(&many)["resources_total"], 512);
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
        data(&read)["resources"][0]["call"]["tool"],
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

/// A skill of Claude Code without placeholders gets what a user typed behind its text, as with
/// `skills-read --arguments`; other skills take no arguments.
#[tokio::test]
async fn the_prompt_of_a_skill_takes_arguments() {
    let dir = TempDir::new().unwrap();
    for (name, host) in [("brew", "claude"), ("boil", "gemini")] {
        skill(dir.path(), name, "Brew it.");
        let metadata = format!(
            "schema: 1\nname: {name}\nversion: 1.0.0\ntype: prompt\nlegacy:\n  host: {host}\n  name: {name}\n  plugin_type: skill\n"
        );
        write(dir.path(), &format!("{name}/METADATA.yml"), &metadata);
    }
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    for (name, typed, expected) in [
        (
            "brew",
            "two cups",
            "# Skill: brew\n\nBrew it.\n\nARGUMENTS: two cups",
        ),
        ("brew", " ", "Brew it."),
        ("boil", "two cups", "`boil` is not a prompt of another host"),
    ] {
        let values = json!({"skill_name": name, "arguments": typed});
        let request = json!({"name": "skill", "arguments": values});
        let got = agent.call("prompts/get", request).await;
        let text = got["messages"][0]["content"]["text"].as_str();
        let error = got["error"]["message"].as_str();
        let text = text.or(error).unwrap_or_default().trim_end();
        assert!(text.contains(expected), "{text}");
    }
}

/// Only what a user starts is a prompt: commands, and skills that have placeholders.
#[tokio::test]
async fn a_skill_without_placeholders_is_not_a_prompt() {
    let dir = TempDir::new().unwrap();
    let all = "\n  arguments:\n    - name: arguments\n";
    for (name, plugin_type, dialect, arguments, template) in [
        (
            "brew",
            "skill",
            "claude",
            "",
            "Brew it as /pour:over says.\n",
        ),
        ("pour", "skill", "claude", all, "Pour $ARGUMENTS.\n"),
        ("wash", "prompt", "codex", "", "Wash it.\n"),
        (
            "taste",
            "command",
            "gemini",
            all,
            "Taste @{tea.md}: {{args}}\n",
        ),
    ] {
        skill(dir.path(), name, "Do it.");
        let metadata = format!(
            "schema: 1\nname: {name}\nversion: 1.0.0\ntype: prompt\nprompt:\n  template: references/template.md\n  dialect: {dialect}{arguments}\nlegacy:\n  host: {dialect}\n  name: {name}\n  plugin_type: {plugin_type}\n"
        );
        write(dir.path(), &format!("{name}/METADATA.yml"), &metadata);
        let file = format!("{name}/references/template.md");
        write(dir.path(), &file, template);
    }
    // The content of a file is that of the server's directory, and not of its client.
    write(dir.path(), "tea.md", "A text of the server.");
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let listed = agent.call("prompts/list", json!({})).await;
    let names = listed["prompts"].as_array().unwrap().iter();
    let names: Vec<&str> = names
        .map(|prompt| prompt["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["skills", "skill", "pour", "taste", "wash"]);
    let typed = json!({"arguments": "a cup"});
    let by_name = json!({"skill_name": "brew", "arguments": "a cup"});
    for (name, values, expected) in [
        ("brew", &json!({}), "no prompt is called `brew`"),
        ("pour", &typed, "Pour a cup.\n"),
        ("wash", &json!({}), "Wash it.\n"),
        (
            "taste",
            &typed,
            "Taste [read `tea.md` in the user's project first and use its content]: a cup\n",
        ),
        (
            "skill",
            &by_name,
            "# Skill: brew\n\nBrew it as /pour:over says.\n\nARGUMENTS: a cup",
        ),
    ] {
        let request = json!({"name": name, "arguments": values});
        let got = agent.call("prompts/get", request).await;
        let text = got["messages"][0]["content"]["text"].as_str();
        let error = got["error"]["message"].as_str();
        assert_eq!(text.or(error), Some(expected), "{name}: {got}");
    }
}

#[tokio::test]
async fn what_a_skill_builds_on_is_given_with_it() {
    let dir = TempDir::new().unwrap();
    for (name, requires) in [
        ("report", "[pdf@^1, fonts]"),
        ("pdf", "[fonts]"),
        ("fonts", "[]"),
    ] {
        skill(dir.path(), name, &format!("Body of {name}."));
        write(
            dir.path(),
            &format!("{name}/METADATA.yml"),
            &format!(
                "schema: 1\nname: {name}\nversion: '1.2'\ntype: prompt\nrequires:\n  skills: {requires}\n"
            ),
        );
    }
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let arguments = json!({"skill_name": "report", "with_required": true});
    let read = agent.tool("read_skill", arguments.clone()).await;
    let text = read["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("builds on the skills: pdf@^1 (here: 1.2), fonts\n"),
        "{text}"
    );
    assert_eq!(text.matches("Body of fonts.").count(), 1, "{text}");
    assert_eq!(text.matches("Body of pdf.").count(), 1, "{text}");
    let pdf = agent.tool("read_skill", json!({"skill_name": "pdf"})).await;
    assert_eq!(data(&pdf)["already_active"], true);
    write(
        dir.path(),
        "report/METADATA.yml",
        "schema: 1\nname: report\nversion: '1'\ntype: prompt\nrequires:\n  skills: [gone]\n",
    );
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let refused = agent.tool("read_skill", arguments).await;
    let text = refused["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("the skill `gone` is missing"), "{text}");
}

/// A package has a further version of a skill for those that require it.
#[tokio::test]
async fn versions_of_a_skill_are_told_apart() {
    let dir = TempDir::new().unwrap();
    for (place, file, name, version, requires) in [
        ("pdf", "SKILL.md", "pdf", "2.0.0", ""),
        (".host/pdf@1.4.0", "SKILL.host.md", "pdf", "1.4.0", ""),
        ("report", "SKILL.md", "report", "1.0.0", "pdf@^1"),
    ] {
        let head = format!("---\nname: {name}\ndescription: Does {name}.\n---\n\n{version}\n");
        write(dir.path(), &format!("{place}/{file}"), &head);
        let metadata = format!(
            "schema: 1\nname: {name}\nversion: '{version}'\ntype: prompt\nrequires: {{skills: [{requires}]}}\n"
        );
        write(dir.path(), &format!("{place}/METADATA.yml"), &metadata);
    }
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let listed = agent.tool("list_skills", json!({})).await;
    let text = listed["content"][0]["text"].as_str().unwrap();
    let line = "- pdf 2.0.0 (for skills that require another version: 1.4.0): Does pdf.";
    assert!(text.contains(line), "{text}");
    assert_eq!(text.matches("- pdf").count(), 1, "{text}");
    assert_eq!(
        data(&listed)["skills"][0]["other_versions"],
        json!(["1.4.0"])
    );
    let arguments = json!({"skill_name": "report", "with_required": true});
    let read = agent.tool("read_skill", arguments).await;
    let text = read["content"][0]["text"].as_str().unwrap();
    for expected in [
        "builds on the skills: pdf@^1 (here: 1.4.0)\n",
        "<required_skill name=\"pdf\" version=\"1.4.0\">",
    ] {
        assert!(text.contains(expected), "{text}");
    }
}

#[tokio::test]
async fn what_cannot_be_run_loses_its_description_first() {
    let dir = TempDir::new().unwrap();
    let text = "Makes tea of many kinds for many people. Use when tea is wanted.".repeat(3);
    for at in 0..60 {
        let name = format!("skill-{at:02}");
        let text = format!("---\nname: {name}\ndescription: {text}\n---\nBody.\n");
        write(dir.path(), &format!("{name}/SKILL.md"), &text);
    }
    let broken = with_command("skill-00", "runnable: false\n");
    write(dir.path(), "skill-00/METADATA.yml", &broken);
    let mut agent = Agent::start(dir.path(), |_| ()).await;
    let prompt = agent.call("prompts/get", json!({"name": "skills"})).await;
    let text = prompt["messages"][0]["content"]["text"].as_str().unwrap();
    assert!(
        text.contains("<skill><name>skill-00</name></skill>"),
        "{text}"
    );
    assert!(
        !text.contains("<skill><name>skill-01</name></skill>"),
        "{text}"
    );
    assert!(
        text.contains("descriptions; search_skills finds them"),
        "{text}"
    );
}
