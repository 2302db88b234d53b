//! A client of NATS that keeps to no protocol of ours: it says and hears what the server lets it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::{Value, json};

/// The time that a listener waits for the next message, even on a busy machine.
const SILENCE: Duration = Duration::from_mins(1);

/// A connection to a server.
pub(crate) struct Wire {
    stream: TcpStream,
    reader: BufReader<TcpStream>,
}

/// A message that came in.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) subject: String,
    pub(crate) reply: Option<String>,
    pub(crate) text: String,
}

impl Wire {
    /// Connects; `login` holds a user and a password where the server asks for them.
    pub(crate) fn new(url: &str, login: Option<(&str, &str)>) -> Self {
        let stream = TcpStream::connect(url.trim_start_matches("nats://")).unwrap();
        stream.set_read_timeout(Some(SILENCE)).unwrap();
        let reader = BufReader::new(stream.try_clone().unwrap());
        let mut res = Self { stream, reader };
        let mut options = json!({"verbose": false, "pedantic": false, "headers": true,
            "lang": "rust", "version": "1", "protocol": 1});
        if let Some((user, password)) = login {
            options["user"] = user.into();
            options["pass"] = password.into();
        }
        res.say(&format!("CONNECT {options}"));
        res.settle();
        res
    }

    fn say(&mut self, line: &str) {
        write!(self.stream, "{line}\r\n").unwrap();
    }

    pub(crate) fn subscribe(&mut self, subject: &str, id: usize) {
        self.say(&format!("SUB {subject} {id}"));
    }

    /// Publishes a value with the header by which our messages tell what they are.
    pub(crate) fn publish(&mut self, subject: &str, event: Option<&str>, value: &Value) {
        let body = value.to_string();
        let Some(event) = event else {
            return self.say(&format!("PUB {subject} {}\r\n{body}", body.len()));
        };
        let head = format!("NATS/1.0\r\nSkills-Event: {event}\r\n\r\n");
        let (n_head, n_all) = (head.len(), head.len() + body.len());
        self.say(&format!("HPUB {subject} {n_head} {n_all}\r\n{head}{body}"));
    }

    /// Waits until the server has seen all that was said; what came in meanwhile.
    pub(crate) fn settle(&mut self) -> Vec<Message> {
        self.say("PING");
        let mut res = Vec::new();
        loop {
            let line = self.line();
            assert!(!line.is_empty(), "the server does not answer");
            if line.starts_with("PONG") {
                return res;
            }
            res.extend(self.message(&line));
        }
    }

    /// The next message, or none when the connection has ended or nothing comes.
    pub(crate) fn next(&mut self) -> Option<Message> {
        loop {
            let line = self.line();
            if line.is_empty() {
                return None;
            }
            if let Some(message) = self.message(&line) {
                return Some(message);
            }
        }
    }

    fn line(&mut self) -> String {
        let mut res = String::new();
        let _ = self.reader.read_line(&mut res);
        res
    }

    /// The message that begins with `line`; refusals and greetings are passed over.
    fn message(&mut self, line: &str) -> Option<Message> {
        let words: Vec<_> = line.split_whitespace().collect();
        let n_sizes = match *words.first()? {
            "MSG" => 1,
            "HMSG" => 2,
            "PING" => {
                self.say("PONG");
                return None;
            }
            _ => return None,
        };
        let mut bytes = vec![0; words.last()?.parse::<usize>().ok()? + 2];
        self.reader.read_exact(&mut bytes).ok()?;
        Some(Message {
            subject: words[1].to_owned(),
            reply: (words.len() > 3 + n_sizes).then(|| words[3].to_owned()),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }
}
