//! The three ways to a server: directly, by `skills-run`, through `skills-serve`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::table::Server;
use crate::agents::install::Installed;
use crate::shell;

/// The client: the official SDK for TypeScript.
const ASK: &str = include_str!("ask.mjs");

/// A server that became a skill.
pub(super) struct Trial<'a> {
    pub(super) server: &'a Server,
    pub(super) installed: &'a Installed,
    pub(super) sdk: &'a Installed,
    /// The program `skills`.
    pub(super) program: &'a Path,
    /// The directory of everything below.
    pub(super) place: PathBuf,
}

impl Trial<'_> {
    /// The directory that the server works on.
    fn data(&self) -> PathBuf {
        self.place.join("data")
    }

    fn skill(&self) -> String {
        format!("skills/{}", self.server.name)
    }

    /// Returns a text of the table with the directory that the server works on.
    fn filled(&self, text: &str) -> String {
        text.replace("DIR", &self.data().to_string_lossy())
    }

    /// Returns a call of one of the tools, in the environment of the user: it has what the package managers
    /// need.
    fn skills(&self, words: &[&str]) -> Command {
        let mut res = Command::new(self.program);
        res.args(words).current_dir(&self.place);
        res.env("PATH", self.sdk.path());
        res
    }

    /// Fills the directory of the server again, so that each way finds the same.
    fn lay_out(&self) -> Result<()> {
        let data = self.data();
        let _ = fs::remove_dir_all(&data);
        fs::create_dir_all(&data)?;
        (self.server.lay_out)(&data)
    }

    /// Migrates the server, installs its package, and asks it for its tools, as a user does.
    pub(super) fn prepare(&self) -> Result<()> {
        let server = self.server;
        fs::create_dir_all(self.place.join("in"))?;
        self.lay_out()?;
        let (start, package) = server.start();
        let mut words = start;
        words.push(package);
        words.extend(server.arguments.iter().map(|word| self.filled(word)));
        let variables: BTreeMap<_, _> = server
            .environment
            .iter()
            .map(|(name, value)| (*name, self.filled(value)))
            .collect();
        let entry = json!({"command": words[0], "args": words[1..], "env": variables});
        let list = json!({"mcpServers": {server.name: entry}});
        fs::write(self.place.join("in/.mcp.json"), list.to_string())?;
        let skill = self.skill();
        let directories = format!("SKILL_DIRECTORIES={}", self.data().display());
        let steps: [&[&str]; 4] = [
            &["migrate", "in", "--out", "skills", "--quiet"],
            &["run", "configure", &skill, &directories, "--state", "state"],
            &["run", "prepare", &skill, "--state", "state"],
            &["migrate", "introspect", &skill, "--state", "state"],
        ];
        for step in steps {
            shell::capture(&mut self.skills(step))?;
        }
        Ok(())
    }

    /// Returns the calls with the directory filled in.
    fn calls(&self) -> Result<Vec<(&'static str, Value)>> {
        let call = |(tool, input): &(&'static str, &'static str)| {
            let input = serde_json::from_str(&self.filled(input));
            Ok((*tool, input.with_context(|| (*tool).to_owned())?))
        };
        self.server.calls.iter().map(call).collect()
    }

    /// Asks a server with the client.
    fn ask(&self, prefix: &str, words: &[String]) -> Result<Value> {
        self.lay_out()?;
        let file = self.place.join("ask.mjs");
        fs::write(&file, ASK)?;
        let mut command = self.sdk.program("node", &self.place, &self.place);
        command.env("SDK", self.sdk.modules());
        for (name, value) in self.server.environment {
            command.env(name, self.filled(value));
        }
        let calls = serde_json::to_string(&self.calls()?)?;
        command.arg(file).arg(prefix).arg(calls).args(words);
        serde_json::from_str(&shell::capture(&mut command)?).context("the client prints no JSON")
    }

    /// Asks the server itself.
    pub(super) fn directly(&self) -> Result<Value> {
        let program = self.installed.file(self.server.program);
        let mut words = vec![program.to_string_lossy().into_owned()];
        words.extend(self.server.arguments.iter().map(|word| self.filled(word)));
        self.ask("", &words)
    }

    /// Asks `skills-serve` before it.
    pub(super) fn served(&self) -> Result<Value> {
        let name = self.server.name;
        let program = self.program.to_string_lossy();
        let rest = ["serve", "--stdio", "skills", "--allow-run", name];
        let more = ["--state", "state", "--tools", "commands"];
        let words = [&[&*program][..], &rest, &more].concat();
        let words: Vec<String> = words.into_iter().map(str::to_owned).collect();
        self.ask(&format!("{name}__"), &words)
    }

    /// Makes the calls by `skills-run`, a process each.
    pub(super) fn run(&self) -> Result<Vec<Value>> {
        self.lay_out()?;
        let skill = self.skill();
        let run = |(tool, input): (&str, Value)| {
            let input = input.to_string();
            let words = ["run", &skill, "--command", tool, "--input", &input];
            let more = ["--state", "state", "--approve", "--json"];
            let Output { stdout, stderr, .. } =
                self.skills(&[&words[..], &more].concat()).output()?;
            let answer: Value = serde_json::from_slice(&stdout)
                .with_context(|| format!("{tool}: {}", String::from_utf8_lossy(&stderr)))?;
            Ok(answer)
        };
        self.calls()?.into_iter().map(run).collect()
    }
}

/// Compares the answers of the three ways; the error names the first difference.
pub(super) fn compare(direct: &Value, run: &[Value], served: &Value) -> Result<(usize, usize)> {
    let [tools, others] = [direct, served].map(|found| found["tools"].as_object());
    let (tools, others) = (
        tools.context("no tools")?,
        others.context("no tools are served")?,
    );
    for (name, tool) in tools {
        ensure!(
            others.get(name) == Some(tool),
            "the tool {name} is {tool}, and {:?} is served",
            others.get(name)
        );
    }
    ensure!(
        tools.len() == others.len(),
        "{} tools, and {} are served",
        tools.len(),
        others.len()
    );
    let answers = direct["answers"].as_array().context("no answers")?;
    for (n, answer) in answers.iter().enumerate() {
        ensure!(
            served["answers"][n] == *answer,
            "call {n}: the server answers {answer}, and skills-serve {}",
            served["answers"][n]
        );
        ensure!(
            is_same(answer, &run[n]),
            "call {n}: the server answers {answer}, and skills-run {}",
            run[n]
        );
    }
    Ok((tools.len(), answers.len()))
}

/// Returns whether the answer of `skills-run` says what the server said.
fn is_same(answer: &Value, run: &Value) -> bool {
    let texts = answer["content"].as_array().into_iter().flatten();
    let texts: Vec<&str> = texts.filter_map(|part| part["text"].as_str()).collect();
    if answer["isError"] == true {
        return run["error"]["message"] == texts.join("\n");
    }
    if let Some(message) = answer["message"].as_str() {
        let said = run["error"]["message"].as_str().unwrap_or_default();
        let message = message.rsplit_once(": ").map_or(message, |(_, text)| text);
        return said.ends_with(message);
    }
    let structured = answer.get("structuredContent");
    run["content"] == answer["content"] && structured.is_none_or(|value| run["value"] == *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(tools: &Value, text: &str) -> Value {
        let content = json!([{"type": "text", "text": text}]);
        json!({"tools": tools, "answers": [{"content": content, "isError": false}]})
    }

    #[test]
    fn differences_are_named() {
        let tools = json!({"a": {"hints": 1}});
        let direct = answer(&tools, "x");
        let run = |text: &str| [json!({"content": [{"type": "text", "text": text}]})];
        let good = compare(&direct, &run("x"), &direct).unwrap();
        assert_eq!(good, (1, 1));
        for (run, served, part) in [
            (run("y"), direct.clone(), "and skills-run"),
            (run("x"), answer(&tools, "y"), "and skills-serve"),
            (
                run("x"),
                answer(&json!({"a": {"hints": 2}}), "x"),
                "the tool a",
            ),
            (
                run("x"),
                answer(&json!({"a": {"hints": 1}, "b": {}}), "x"),
                "2 are served",
            ),
        ] {
            let error = compare(&direct, &run, &served).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
