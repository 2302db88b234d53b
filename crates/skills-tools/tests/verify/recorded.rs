//! `verify --network record` and `replay`: a proof that others can repeat without keys and without a network.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

use serde_json::{Value, json};
use skill_testing::{Need, find, tool};
use tempfile::TempDir;

use super::{Collection, run_tool, run_tool_in, skip};

/// The secret of the user, and one that the service gives.
const CANARY: &str = "kAnary-of-the-user-1";
const TOKEN: &str = "token-of-the-service-2";

/// Logs in with the user's key, and searches with the token that it gets. The time is in the address.
const PROGRAM: &str = r"const args = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const { PLACES_API_KEY: key, PLACES_URL: url } = process.env;
async function main() {
  const body = JSON.stringify({ password: key });
  const login = await (await fetch(`${url}/login`, { method: 'POST', body })).json();
  const asked = `${url}/search?q=${encodeURIComponent(args.city)}&api_key=${key}&at=${Date.now()}`;
  const found = await (await fetch(asked, { headers: { authorization: `Bearer ${login.token}` } })).json();
  console.log(JSON.stringify({ status: 'success', result: { name: found.name, n: found.n } }));
}
main().catch(error => console.log(JSON.stringify({ status: 'error', error: String(error.cause || error) })));
";

/// Serves so many requests, each on a connection of its own, and returns their first lines.
fn serve(listener: TcpListener, n_requests: usize) -> thread::JoinHandle<Vec<String>> {
    thread::spawn(move || {
        let mut lines = Vec::new();
        for (at, stream) in listener.incoming().take(n_requests).enumerate() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut head, mut size) = (String::new(), 0);
            while !head.ends_with("\r\n\r\n") {
                let start = head.len();
                stream.read_line(&mut head).unwrap();
                let line = head[start..].to_ascii_lowercase();
                if let Some(length) = line.strip_prefix("content-length:") {
                    size = length.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; size];
            stream.read_exact(&mut body).unwrap();
            head.push_str(&String::from_utf8(body).unwrap());
            let answer = if head.contains(&format!("Bearer {TOKEN}")) {
                json!({"name": "Oslo", "n": at})
            } else {
                json!({"token": TOKEN})
            };
            let answer = answer.to_string();
            let size = answer.len();
            let head_of_answer = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {size}\r\nconnection: close\r\n\r\n"
            );
            let stream = stream.get_mut();
            stream.write_all(head_of_answer.as_bytes()).unwrap();
            stream.write_all(answer.as_bytes()).unwrap();
            lines.push(head);
        }
        lines
    })
}

fn collection(url: &str) -> Collection {
    let res = Collection(TempDir::new().unwrap());
    let manifest = json!({
        "manifestVersion": "1.0.0", "name": "Places", "version": "1.0.0", "displayName": "Places",
        "description": "Says where places are.", "pluginType": "synchronous",
        "entryPoint": {"command": "node main.js"},
        "communication": {"protocol": "stdio", "timeout": 30000},
        "configSchema": {"PLACES_API_KEY": "string", "PLACES_URL": "string"},
        "capabilities": {"invocationCommands": [{"commandIdentifier": "Ask", "description": "Asks."}]},
    });
    res.write("plugins/Places/plugin-manifest.json", &manifest.to_string());
    res.write("plugins/Places/main.js", PROGRAM);
    let cases = json!([{"plugin": "Places", "input": {"city": "Oslo"}}]);
    res.write("cases.json", &cases.to_string());
    let settings = format!("PLACES_API_KEY={CANARY}\nPLACES_URL={url}\n");
    res.write("common.env", &settings);
    let migrated = res.tool(&["plugins", "--out", "skills", "--quiet"]);
    assert_eq!(migrated.status, 0, "{migrated:?}");
    res
}

/// Returns the text of the report of a run, and its only result.
fn result(collection: &Collection, args: &str) -> (String, Value) {
    let args: Vec<&str> = args.split(' ').collect();
    let answer = collection.tool(&args);
    let text = fs::read_to_string(collection.path("report.json"));
    let text = text.unwrap_or_else(|_| panic!("{answer:?}"));
    let report: Value = serde_json::from_str(&text).unwrap();
    (text, report["results"][0].clone())
}

/// Returns the report of a run in a copy of a collection, for a user with another name, home and language.
fn elsewhere(collection: &Collection, args: &str) -> String {
    let copy = collection.copied();
    fs::remove_file(copy.path("common.env")).unwrap();
    let home = copy.path("home-of-somebody");
    fs::create_dir(&home).unwrap();
    let env = [
        ("HOME", home.to_str().unwrap()),
        ("USER", "somebody"),
        ("LOGNAME", "somebody"),
        ("LANG", "de_DE.UTF-8"),
        ("PLACES_API_KEY", "another-key"),
    ];
    let args: Vec<&str> = args.split(' ').collect();
    let answer = run_tool_in(&env, &tool!("skills-migrate"), &copy.path("."), &args);
    assert_eq!(answer.status, 0, "{answer:?}");
    fs::read_to_string(copy.path("report.json")).unwrap()
}

#[test]
fn a_recording_proves_without_the_service() {
    if find::node().is_none() {
        return;
    }
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let collection = collection(&url);
    let unseen =
        "verify plugins skills kept --network record --cases cases.json --config common.env";
    let unseen = collection.tool(&unseen.split(' ').collect::<Vec<_>>());
    assert_eq!(unseen.status, 2, "{unseen:?}");
    assert!(unseen.stderr.contains("--yes"), "{unseen:?}");

    for (superfluous, said) in [
        ("verify plugins skills kept", "--network"),
        ("verify plugins skills kept --network emulate", "kept"),
        (
            "verify plugins skills --network replay --answers kept",
            "--answers",
        ),
    ] {
        let answer = collection.tool(&superfluous.split(' ').collect::<Vec<_>>());
        assert_eq!(answer.status, 2, "{answer:?}");
        assert!(answer.stderr.contains(said), "{answer:?}");
    }

    let service = serve(listener, 2);
    let record = "verify plugins skills kept --network record --cases cases.json --config common.env --yes --report report.json";
    let (_, recorded) = result(&collection, record);
    let reason = recorded["reason"].as_str().unwrap_or_default();
    let is_there = !reason.contains("namespace");
    if !skip::unless_so(Need::Sandbox, is_there, reason) {
        return;
    }
    assert_eq!(recorded["verdict"], "verified", "{recorded:#}");
    let asked = service.join().unwrap();
    assert!(
        asked[0].contains(CANARY) && asked[1].contains(CANARY),
        "{asked:?}"
    );
    let kept = fs::read_to_string(collection.path("kept/places.json")).unwrap();
    assert!(!kept.contains(CANARY) && !kept.contains(TOKEN), "{kept}");

    // The service has ended, and there are no settings.
    let replay =
        "verify plugins skills kept --network replay --cases cases.json --report report.json";
    let (text, replayed) = result(&collection, replay);
    assert_eq!(replayed["verdict"], "verified", "{replayed:#}");
    assert_eq!(replayed["cases"][0]["requests"], 2);
    assert_eq!(replayed["cases"][0]["masked"], json!([]), "{replayed:#}");
    assert_eq!(result(&collection, replay).0, text);
    assert_eq!(elsewhere(&collection, replay), text);

    let call = [
        "skills/places",
        "--state",
        "state",
        "--input",
        r#"{"city": "Oslo"}"#,
        "--network",
        "emulate",
    ];
    let emulated = run_tool(&tool!("skills-run"), &collection.path("."), &call);
    assert_eq!(emulated.status, 0, "{emulated:?}");
    let state = collection.path("state/skills");
    assert!(!state.exists(), "an emulated call leaves nothing");

    collection.edit("skills/places/scripts/main.js", "/login", "/logon");
    let (_, wrong) = result(&collection, replay);
    assert_eq!(wrong["verdict"], "differs", "{wrong:#}");
    let differences = wrong["cases"][0]["differences"].as_array().unwrap();
    assert!(
        differences.iter().any(|it| it["at"] == "/requests/0/url"),
        "{wrong:#}"
    );
}
