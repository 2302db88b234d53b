//! Clients that many plugins use speak HTTP/2 and WebSocket with the emulated internet.

use std::fs;
use std::path::Path;

use serde_json::json;
use skill_testing::find;

use super::emulated::{add, collection, verified};
use super::{Collection, copy};

/// By `http2` of Node.js, undici and ws.
const NODE: &str = r"const http2 = require('http2');
const { Agent, request } = require('./vendor/undici');
const WebSocket = require('./vendor/ws');
const core = () => new Promise((done, fail) => {
  const client = http2.connect('https://core.example');
  client.on('error', fail);
  const asked = client.request({ ':path': '/v1/a' });
  let text = '';
  asked.on('data', part => { text += part; });
  asked.on('end', () => { client.close(); done(JSON.parse(text).status); });
  asked.end();
});
const undici = async version => {
  const dispatcher = new Agent({ allowH2: version === 2 });
  const answer = await request(`https://undici${version}.example/v1/a`, { method: 'POST', body: 'x', dispatcher });
  const { status } = await answer.body.json();
  await dispatcher.close();
  return status;
};
const talk = () => new Promise((done, fail) => {
  const socket = new WebSocket('wss://ws.example/talk');
  socket.on('error', fail).on('open', () => socket.send('hello'));
  socket.on('message', said => { socket.close(); done(String(said)); });
});
(async () => [await core(), await undici(1), await undici(2), await talk()])().then(
  result => console.log(JSON.stringify({ status: 'success', result })),
  error => console.log(JSON.stringify({ status: 'error', error: String(error) })));
";

/// By httpx, websockets and aiohttp.
const PYTHON: &str = r#"import asyncio, json, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "vendor"))
import aiohttp, httpx
from websockets.sync.client import connect
result = []
with httpx.Client(http2=True) as client:
    answer = client.post("https://httpx.example/v1/a", json={"a": 1})
    result += [answer.http_version, str(answer.status_code)]
    answer.json()
with connect("wss://websockets.example/talk") as socket:
    socket.send("hello")
    result.append(socket.recv())
async def main():
    async with aiohttp.ClientSession() as session:
        async with session.get("https://aiohttp.example/v1/a") as answer:
            result.append(str(answer.status))
            await answer.json()
        async with session.ws_connect("wss://aiohttp.example/talk") as socket:
            await socket.send_str("hello")
            result.append(await socket.receive_str())
asyncio.run(main())
print(json.dumps({"status": "success", "result": result}))
"#;

/// The answer to a message.
const SAID: &str = r#"{"type":"ack","ok":true}"#;

/// Removes what no program runs: byte code, programs, and descriptions of packages.
fn thin(dir: &Path) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        if !entry.file_type().unwrap().is_dir() {
            continue;
        }
        let is_run = !["__pycache__", "bin", "docs", "types"].contains(&name.as_str());
        if is_run && !name.ends_with(".dist-info") {
            thin(&entry.path());
        } else {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
}

/// Checks the value of a plugin with a directory of packages, and the number of its requests and messages.
#[track_caller]
fn check(name: &str, file: (&str, &str), vendored: &[&Path], value: &[&str], n_requests: usize) {
    let collection: Collection = collection(&[name], &json!({}));
    let runtime = if file.0.ends_with("py") {
        "python3"
    } else {
        "node"
    };
    add(&collection, name, &format!("{runtime} {}", file.0), file);
    for from in vendored {
        let vendor = collection.path(&format!("plugins/{name}/vendor"));
        match from.file_name().unwrap().to_str().unwrap() {
            "python" => copy(from, &vendor),
            package => copy(from, &vendor.join(package)),
        }
        thin(&vendor);
    }
    let answer = collection.tool(&[
        "plugins",
        "--out",
        "skills",
        "--quiet",
        "--secrets",
        "redact",
    ]);
    assert_eq!(answer.status, 0, "{answer:?}");
    let Some(results) = verified(&collection, &[]) else {
        return;
    };
    let result = &results[name];
    assert_eq!(result["verdict"], "verified", "{result:#}");
    let case = &result["cases"][0];
    assert_eq!(
        case["answers"]["skill"]["value"],
        json!(value),
        "{result:#}"
    );
    assert_eq!(case["requests"], n_requests, "{result:#}");
}

#[test]
fn clients_of_node() {
    let Some(place) = find::clients("web").filter(|_| find::node().is_some()) else {
        return;
    };
    let packages = ["undici", "ws"].map(|name| place.join("web/node_modules").join(name));
    let packages = packages.each_ref().map(AsRef::as_ref);
    let value = ["success", "success", "success", SAID];
    // The beginning of a conversation is a request.
    check("WebNode", ("main.js", NODE), &packages, &value, 5);
}

#[test]
fn clients_of_python() {
    let Some(place) = find::clients("web").filter(|_| find::python().is_some()) else {
        return;
    };
    let packages = place.join("web/python");
    // The status of the answer, not its content: where a machine is busy, a time limit of the first form of
    // answers makes `verify` try another one.
    let value = ["HTTP/2", "200", SAID, "200", SAID];
    check("WebPython", ("main.py", PYTHON), &[&packages], &value, 6);
}
