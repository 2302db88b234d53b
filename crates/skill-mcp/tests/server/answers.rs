//! Answers that are not text, or long: as content of the protocol.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;

use data_encoding::BASE64;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::running::run_all;
use crate::{Agent, skill, write};

/// The first bytes of a PNG, which are not UTF-8.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Starts a server that answers a request for `/N` with the Nth body, and returns its port.
fn serve(answers: Vec<(&'static str, Vec<u8>)>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, mut seen) = (stream.unwrap(), Vec::new());
            while !seen.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                seen.extend(byte);
            }
            let text = String::from_utf8_lossy(&seen).into_owned();
            let path = text.split(' ').nth(1).unwrap().trim_start_matches('/');
            let (media, body) = &answers[path.parse::<usize>().unwrap()];
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: {media}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                body.len()
            );
            // The client may have gone.
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(body);
        }
    });
    port
}

/// Returns the answers of a skill for a service that has these.
async fn ask(
    answers: Vec<(&'static str, Vec<u8>)>,
    tells_paths: bool,
) -> (TempDir, Agent, Vec<Value>) {
    let dir = TempDir::new().unwrap();
    let n_answers = answers.len();
    let port = serve(answers);
    skill(dir.path(), "skills/camera", "Takes pictures.");
    let metadata = format!(
        "schema: 1\nname: camera\nversion: '1'\ntype: service\ntransport: http\nentry: {{runtime: native, endpoint: 'http://127.0.0.1:{port}/', dir: .}}\npermissions: {{network: allowlist, network_allowlist: [127.0.0.1], filesystem: none}}\ncommands: [{{id: take, http: {{method: GET, path: '/{{n}}', parameters: [{{name: n, in: path, required: true}}]}}, input_schema: {{type: object, properties: {{n: {{}}}}, required: [n]}}}}]\n"
    );
    write(dir.path(), "skills/camera/METADATA.yml", &metadata);
    let state = dir.path().join("state");
    let mut agent = Agent::start(&dir.path().join("skills"), |settings| {
        run_all(&state, settings);
        if tells_paths {
            let runner = settings.run.take().and_then(std::sync::Arc::into_inner);
            settings.run = runner.map(|it| std::sync::Arc::new(it.with_paths(true)));
        }
    })
    .await;
    let mut res = Vec::new();
    for n in 0..n_answers {
        let arguments = json!({"skill_name": "camera", "command": "take", "arguments": {"n": n}});
        res.push(agent.tool("run_skill", arguments).await);
    }
    (dir, agent, res)
}

#[tokio::test]
async fn an_answer_that_is_not_text_is_content() {
    let long_image = [PNG, &vec![0xff; 600 << 10]].concat();
    let long_text = "a".repeat(70_000);
    let (_dir, mut agent, found) = ask(
        vec![
            ("image/png", PNG.to_vec()),
            ("audio/wav", b"RIFF\xff".to_vec()),
            ("application/pdf", b"%PDF\xff".to_vec()),
            ("image/png", long_image.clone()),
            ("text/plain", long_text.clone().into_bytes()),
        ],
        false,
    )
    .await;
    let part = |n: usize| found[n]["content"][1].clone();
    let data = BASE64.encode(PNG);
    let image = json!({"type": "image", "data": data, "mimeType": "image/png"});
    assert_eq!(part(0), image, "{}", found[0]);
    let data = BASE64.encode(b"RIFF\xff");
    let sound = json!({"type": "audio", "data": data, "mimeType": "audio/wav"});
    assert_eq!(part(1), sound);
    for (n, media, content) in [
        (2, "application/pdf", b"%PDF\xff".to_vec()),
        (3, "image/png", long_image),
        (4, "text/plain", long_text.into_bytes()),
    ] {
        let link = part(n);
        assert_eq!(link["type"], "resource_link", "{link}");
        assert_eq!(
            (&link["mimeType"], &link["size"]),
            (&json!(media), &json!(content.len()))
        );
        let read = agent
            .call("resources/read", json!({"uri": link["uri"]}))
            .await;
        let read = &read["contents"][0];
        let expected = match std::str::from_utf8(&content) {
            Ok(text) => json!({"uri": link["uri"], "mimeType": media, "text": text}),
            Err(_) => {
                json!({"uri": link["uri"], "mimeType": media, "blob": BASE64.encode(&content)})
            }
        };
        assert!(*read == expected, "{link}");
    }
    for answer in &found {
        let text = answer["content"][0]["text"].as_str().unwrap();
        let value: Value = serde_json::from_str(text).unwrap();
        assert!(
            value["bytes"].is_u64() && value["file"].is_null(),
            "{value}"
        );
    }
    let unknown = format!("skills-serve://answers/{}.png", "0".repeat(32));
    for uri in [unknown.as_str(), "skills-serve://answers/../x.png"] {
        let answer = agent.call("resources/read", json!({"uri": uri})).await;
        assert_eq!(answer["error"]["code"], -32002, "{answer}");
    }
}

/// An agent on this machine also learns where the file is.
#[tokio::test]
async fn an_agent_on_this_machine_gets_the_path_too() {
    let (_dir, _agent, found) = ask(vec![("image/png", PNG.to_vec())], true).await;
    let text = found[0]["content"][0]["text"].as_str().unwrap();
    let value: Value = serde_json::from_str(text).unwrap();
    let path = value["file"].as_str().unwrap();
    assert_eq!(std::fs::read(path).unwrap(), PNG);
    assert_eq!(found[0]["content"][1]["type"], "image");
}
