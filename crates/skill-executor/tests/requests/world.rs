//! A skill with requests of its own, and the server that they go to.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::JoinHandle;

use serde_json::Value;
use skill_executor::call::Host;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_executor::{Request, Runner, standard};
use tempfile::TempDir;

const COMMANDS: &str = "
  - id: getPet
    http:
      method: GET
      path: /pets/{id}
      parameters: [{name: id, in: path, required: true}, {name: q, in: query}]
      security: [[token]]
    input_schema: {type: object, properties: {id: {type: string}, q: {type: array}}, required: [id], additionalProperties: false}
  - id: putPet
    http:
      method: PUT
      path: /pets
      body: {kind: json, media_type: application/json, required: true}
      security: [[basic], [token], [key]]
    input_schema: {type: object, properties: {name: {type: string}}}
  - id: upload
    http:
      method: POST
      path: /files
      body: {kind: multipart, media_type: multipart/form-data, files: [file]}
      security: [[token], []]
    input_schema: {type: object, properties: {file: {}}}
  - id: signed
    http: {method: GET, path: /signed, security: [[signature], [token, cert]]}
    input_schema: {type: object}
  - id: signedOrNot
    http: {method: GET, path: /open, security: [[signature], [token], []]}
    input_schema: {type: object}
  - id: served
    http: {method: GET, path: /served, security: [[server login, server sig]]}
    input_schema: {type: object}
  - id: dropPet
    approval: required
    http: {method: DELETE, path: '/pets/{id}', parameters: [{name: id, in: path}]}
    input_schema: {type: object, properties: {id: {}}}
";

/// A skill whose server answers these texts, one for each connection.
pub(crate) struct World {
    pub(crate) dir: TempDir,
    pub(crate) port: u16,
    pub(crate) server: JoinHandle<Vec<String>>,
}

pub(crate) fn world(answers: Vec<String>, endpoint: Option<&str>) -> World {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let dir = tempfile::tempdir().unwrap();
    let skill = dir.path().join("pets");
    std::fs::create_dir_all(&skill).unwrap();
    let own = format!("http://127.0.0.1:{port}/v1");
    let endpoint = endpoint.unwrap_or(&own).replace("PORT", &port.to_string());
    let metadata = format!(
        "schema: 1\nname: pets\nversion: '1'\ntype: service\ntransport: http\nentry:\n  runtime: \
         native\n  endpoint: '{endpoint}'\n  credentials:\n    token: {{in: header, name: \
         Authorization, prefix: Bearer, setting: TOKEN}}\n    basic: {{in: header, name: \
         Authorization, prefix: Basic, user: NAME, setting: WORD}}\n    key: {{in: query, name: \
         key, setting: TOKEN}}\n    server login: {{in: header, name: Authorization, prefix: Basic, user: NAME, setting: WORD}}\n    server sig: {{in: query, name: sig, setting: SIG}}\n  endpoint_setting: BASE\n  dir: \
         .\nconfig: {{secret: \
         [TOKEN, WORD, SIG], schema: {{properties: {{TOKEN: {{}}, WORD: {{}}, SIG: {{}}, NAME: {{}}, BASE: {{}}, HOST: {{default: \
         '127.0.0.1:{port}'}}}}}}}}\npermissions: {{network: allowlist, network_allowlist: \
         [127.0.0.1], filesystem: none}}\ncommands:{COMMANDS}"
    );
    std::fs::write(skill.join("METADATA.yml"), metadata).unwrap();
    std::fs::write(skill.join("a.txt"), "of a file").unwrap();
    let server = std::thread::spawn(move || serve(&listener, answers));
    World { dir, port, server }
}

fn serve(listener: &TcpListener, answers: Vec<String>) -> Vec<String> {
    let asked = answers.into_iter().map(|answer| {
        let (mut stream, _) = listener.accept().unwrap();
        let mut seen = vec![0; 1 << 16];
        let mut size = 0;
        loop {
            size += stream.read(&mut seen[size..]).unwrap();
            let text = String::from_utf8_lossy(&seen[..size]).into_owned();
            let Some((head, body)) = text.split_once("\r\n\r\n") else {
                continue;
            };
            let mut headers = head.lines().filter_map(|line| line.split_once(": "));
            let length = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
            let length = length.map_or(0, |(_, value)| value.parse().unwrap());
            if body.len() >= length {
                // Whoever asked may have gone.
                let _ = stream.write_all(answer.as_bytes());
                break text;
            }
        }
    });
    asked.collect()
}

pub(crate) fn answer(status: &str, headers: &str, body: &str) -> String {
    let size = body.len();
    format!(
        "HTTP/1.1 {status}\r\ncontent-length: {size}\r\nconnection: close\r\n{headers}\r\n{body}"
    )
}

impl World {
    pub(crate) fn runner(&self, settings: &[(&str, &str)]) -> Runner {
        let lines = settings
            .iter()
            .map(|(key, value)| format!("{key}={value}\n"));
        let host = Host {
            environment: [].into(),
            state: State::open(&self.dir.path().join("state")).unwrap(),
            allow_shell: false,
            strict: false,
            sandbox: Sandbox::off(),
            zone: Zone::utc(),
            loaders: std::collections::BTreeMap::new(),
            fixed_ms: None,
        };
        Runner::new(standard(), host).with_config(Some(lines.collect()))
    }

    pub(crate) fn skill(&self) -> SkillPackage {
        SkillPackage::read(&self.dir.path().join("pets")).unwrap()
    }

    pub(crate) fn run(&self, settings: &[(&str, &str)], command: &str, input: Value) -> Value {
        let mut request = Request::new(input);
        request.command = Some(command.to_owned());
        self.runner(settings).run(&self.skill(), request).to_value()
    }
}
