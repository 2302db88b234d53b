//! Attacks on `skills-serve`: by skills, by clients, by pages of other sites.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::json;

use super::agent::Agent;
use super::place::{CANARY, OWN, Place, answer, tool};

#[test]
fn row_06_settings_for_all_reach_only_skills_that_declare_them() {
    let Some(place) = Place::confined(6) else {
        return;
    };
    place.skill("mail", OWN);
    let metadata = "skills/mail/METADATA.yml";
    let declared =
        "config: {schema: {type: object, properties: {MAIL_PASSWORD: {type: string}}}}\n";
    place.write(metadata, &(place.read(metadata) + declared));
    place.write("all.env", &format!("MAIL_PASSWORD={CANARY}\n"));
    let mut agent = Agent::start(&place, &["--config", &place.text("all.env")]);
    agent.yes = json!({"action": "accept", "content": {}});
    let reads = "out = (len(os.environ.get('MAIL_PASSWORD', '')), read('config.env'))";
    let length = format!("({}, ", CANARY.len());
    let declaring = agent.run(&place, "mail", reads);
    assert!(declaring.contains(&length), "{declaring}");
    let other = agent.run(&place, "probe", reads);
    assert!(other.contains("(0, "), "the probe does not work: {other}");
    assert!(!other.contains(CANARY), "{other}");
}

#[test]
fn row_18_a_yes_for_the_session_ends_with_the_bytes() {
    let Some(place) = Place::confined(18) else {
        return;
    };
    let mut agent = Agent::start(&place, &["--recheck", "1"]);
    agent.yes = json!({"action": "accept", "content": {"remember": true}});
    for _ in 0..2 {
        let found = agent.run(&place, "probe", "out = 'first code'");
        assert!(found.contains("first code"), "{found}");
    }
    assert_eq!(agent.n_questions, 1, "a yes is not remembered at all");
    agent.yes = json!({"action": "decline"});
    let other = "print('{\"status\": \"success\", \"result\": \"other code\"}')\n";
    place.write("skills/probe/scripts/main.py", other);
    place.change(
        "skills/probe/METADATA.yml",
        OWN,
        "network: any, filesystem: any",
    );
    // The server looks at the directory again within seconds: either it asks, or other code runs.
    for _ in 0..200 {
        let found = agent.run(&place, "probe", "out = 'first code'");
        assert!(!found.contains("other code"), "nobody was asked: {found}");
        if agent.n_questions > 1 {
            return;
        }
    }
    panic!("the server did not notice other bytes");
}

/// The time that an answer may take on a busy machine.
const ANSWER: Duration = Duration::from_mins(1);

/// A server over HTTP that ends when this is dropped.
struct Server(Child, String);

impl Server {
    fn start(place: &Place) -> Self {
        let mut command = tool("skills-serve");
        command
            .arg(place.path("skills"))
            .args(["--http", "127.0.0.1:0", "--allow-run", "*"]);
        command.args(["--state", &place.text("state")]);
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        while lines.read_line(&mut line).unwrap() > 0 && !line.contains(" skills at ") {
            line.clear();
        }
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        let url = line.trim().rsplit(' ').next().unwrap();
        let address = url.trim_start_matches("http://").trim_end_matches("/mcp");
        Self(child, address.to_owned())
    }

    /// The whole answer to a request with these further lines in its head.
    fn ask(&self, method: &str, path: &str, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.1).unwrap();
        stream.set_read_timeout(Some(ANSWER)).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n{head}\r\n{body}",
            self.1
        )
        .unwrap();
        let mut res = String::new();
        stream.read_to_string(&mut res).unwrap();
        res
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn row_27_a_page_of_another_site_starts_no_skill() {
    let Some(place) = Place::confined(27) else {
        return;
    };
    let values = json!({"pluginType": "static", "capabilities": {"systemPromptPlaceholders": [
        {"placeholder": "{{StatInfo}}", "description": "Says something."}]}});
    place.plugin("Stat", "Stat", &values);
    place.write(
        "plugins/Stat/main.py",
        "open('runs', 'a').write('x')\nprint('a value')\n",
    );
    place.migrate();
    let server = Server::start(&place);
    let n_runs = || place.find("state", |path| path.ends_with("runs")).len();
    let foreign =
        "sec-fetch-site: cross-site\r\nsec-fetch-mode: no-cors\r\nsec-fetch-dest: image\r\n";
    let found = server.ask("GET", "/placeholders/StatInfo", foreign, "");
    assert_eq!(n_runs(), 0, "{found}");
    assert!(found.starts_with("HTTP/1.1 403"), "{found}");
    let found = server.ask("GET", "/placeholders/StatInfo", "", "");
    assert!(
        found.contains("a value"),
        "the probe does not work: {found}"
    );
    assert_eq!(n_runs(), 1);
}

/// Posts a result to the URL that it got, as the programs of the old host do.
const POSTS: &str = "import json, os, urllib.request\n\
    print(json.dumps({'status': 'success', 'result': 'begun'}), flush=True)\n\
    url = os.environ['CALLBACK_BASE_URL'] + '/Later/true'\n\
    body = json.dumps({'status': 'Succeed', 'message': 'the true result'}).encode()\n\
    urllib.request.urlopen(urllib.request.Request(url, body, {'Content-Type': 'application/json'})).read()\n";

#[test]
fn row_28_a_result_that_was_not_asked_for_is_not_taken() {
    let Some(place) = Place::confined(28) else {
        return;
    };
    place.plugin("Later", "Later", &json!({"pluginType": "asynchronous"}));
    place.migrate();
    let program = "skills/later/scripts/main.py";
    place.write(program, POSTS);
    let server = Server::start(&place);
    let forged = r#"{"status": "Succeed", "message": "a forged result"}"#;
    server.ask("POST", "/plugin-callback/Later/forged", "", forged);
    let found = server.ask("GET", "/plugin-callback/Later/forged", "", "");
    assert!(!found.contains("a forged result"), "{found}");
    let writes = format!(
        "base = os.environ['PROJECT_BASE_PATH'] + '/VCPAsyncResults'\n\
         append(base + '/Later-file.json', '{forged}')\nout = os.listdir(base)"
    );
    assert!(place.says("probe", &writes).contains("Later-file.json"));
    let result = |id: &str| {
        let mut command = tool("skills-run");
        command.args(["result", id, "--state", &place.text("state")]);
        answer(&mut command).to_string()
    };
    assert!(!result("Later-file").contains("a forged result"));
    // A call of its own brings its result in.
    let code = "tools/call";
    let called = json!({"jsonrpc": "2.0", "id": 1, "method": code, "params": {
        "name": "run_skill", "arguments": {"skill_name": "later", "arguments": {}}}});
    call_over_http(&server, &called.to_string());
    for _ in 0..500 {
        if result("Later-true").contains("the true result") {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the result of a call of its own did not come");
}

/// Calls a tool in a session of its own.
fn call_over_http(server: &Server, call: &str) {
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}});
    let accept = "accept: application/json, text/event-stream\r\n";
    let found = server.ask("POST", "/mcp", accept, &hello.to_string());
    let mut lines = found.lines();
    let session = lines
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .unwrap();
    let head = format!("{accept}mcp-session-id: {session}\r\n");
    let ready = r#"{"jsonrpc": "2.0", "method": "notifications/initialized"}"#;
    server.ask("POST", "/mcp", &head, ready);
    let found = server.ask("POST", "/mcp", &head, call);
    assert!(found.contains("begun"), "{found}");
}

#[test]
fn row_31_every_line_that_cannot_be_read_gets_an_error() {
    let place = Place::new();
    let long = format!("{{\"a\": \"{}\"}}", "a".repeat(12 << 20));
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let deep = format!(
        r#"{{"jsonrpc": "2.0", "id": 8, "method": "tools/call", "params": {{"name": "list_skills", "arguments": {deep}}}}}"#
    );
    for (name, line) in [
        ("12 MB", long.as_bytes()),
        (
            "bad UTF-8",
            b"\xff\xfe\x80{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}",
        ),
        ("NUL", &[0; 1000]),
        ("nesting", deep.as_bytes()),
    ] {
        let mut agent = Agent::start(&place, &[]);
        agent.send_line(line);
        let id = agent.request("ping", &json!({}));
        let first = agent.receive();
        assert!(first["error"].is_object(), "{name}: {first}");
        let second = agent.receive();
        assert_eq!(second["id"], id, "{name}: {second}");
        assert!(second["result"].is_object(), "{name}: {second}");
    }
}
