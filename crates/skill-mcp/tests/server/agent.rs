//! A client of a server over two pipes, and the skills that it serves.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use skill_loader::catalog::{CatalogSettings, SkillRoot};
use skill_loader::load::Source;
use skill_mcp::{Server, Settings, serve_streams};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, Lines, duplex};

pub(crate) fn write(dir: &Path, path: &str, text: &str) {
    let path = dir.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    // Like an editor: all at once.
    let beside = path.with_extension("new");
    fs::write(&beside, text).unwrap();
    fs::rename(beside, path).unwrap();
}

pub(crate) fn skill(dir: &Path, path: &str, body: &str) {
    let name = path.rsplit('/').next().unwrap();
    let text = format!("---\nname: {name}\ndescription: Does {name}.\n---\n\n{body}\n");
    write(dir, &format!("{path}/SKILL.md"), &text);
}

pub(crate) struct Agent {
    pub(crate) lines: Lines<BufReader<DuplexStream>>,
    pub(crate) input: DuplexStream,
    pub(crate) n_calls: u64,
    /// The methods of notifications that came between answers.
    pub(crate) notifications: Vec<String>,
    /// The answer of the server to `initialize`.
    pub(crate) hello: Value,
    /// The answer to questions, for a client that can ask.
    pub(crate) says: Option<Value>,
    /// The questions of the server.
    pub(crate) asked: Vec<Value>,
}

impl Agent {
    pub(crate) async fn start(dir: &Path, change: impl FnOnce(&mut Settings)) -> Self {
        Self::start_as(dir, None, change).await
    }

    /// Starts a client that gives this answer to all questions.
    pub(crate) async fn start_as(
        dir: &Path,
        says: Option<Value>,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
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

    pub(crate) async fn say(&mut self, message: &Value) {
        self.input
            .write_all(format!("{message}\n").as_bytes())
            .await
            .unwrap();
    }

    pub(crate) async fn hear(&mut self) -> Value {
        let line = self.lines.next_line().await.unwrap();
        serde_json::from_str(&line.expect("the server has gone")).unwrap()
    }

    /// Returns the result of a request, or the whole message if it is an error.
    pub(crate) async fn call(&mut self, method: &str, params: Value) -> Value {
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

    pub(crate) async fn tool(&mut self, name: &str, arguments: Value) -> Value {
        self.call("tools/call", json!({"name": name, "arguments": arguments}))
            .await
    }

    /// Waits for this notification.
    pub(crate) async fn until(&mut self, method: &str) {
        while !self.notifications.iter().any(|known| known == method) {
            let message = self.hear().await;
            self.notifications
                .extend(message["method"].as_str().map(str::to_owned));
        }
        self.notifications.retain(|known| known != method);
    }

    /// Returns all items of a paginated listing and the number of pages.
    pub(crate) async fn all(&mut self, method: &str, key: &str) -> (Vec<Value>, usize) {
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

/// Returns the data for programs of an answer.
pub(crate) fn data(answer: &Value) -> &Value {
    &answer["_meta"]["skills-serve/data"]
}

/// Returns the value of a skill that was run, whose JSON is the text of the answer; null for a failure.
pub(crate) fn value(answer: &Value) -> Value {
    assert!(
        answer.get("structuredContent").is_none(),
        "the text is given once"
    );
    let text = answer["content"][0]["text"].as_str().unwrap_or_default();
    serde_json::from_str(text).unwrap_or_default()
}
