//! Messages that both kinds of agents send and receive.

use std::io::{BufRead, BufReader, Read};
use std::thread;

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Returns the first message of a session.
pub(super) fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "bench", "version": "1"},
    }})
}

/// Returns the message after it.
pub(super) fn initialized() -> Value {
    json!({"jsonrpc": "2.0", "method": "notifications/initialized"})
}

/// Returns a read of one skill, active or not; formatted by hand because it is sent often.
pub(super) fn read(id: usize) -> String {
    let skill = skill(id);
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"read_skill","arguments":{{"skill_name":"{skill}","force":true}}}}}}"#
    )
}

/// Returns the id of an answer that contains the right skill; `None` for any other one. It checks
/// only the beginning and the length, so that the client does not dominate the measurement; every
/// hundredth answer is checked completely.
pub(super) fn answered(line: &[u8]) -> Option<usize> {
    let head = std::str::from_utf8(line.get(..200)?).ok()?;
    let (_, rest) = head.split_once("\"id\":")?;
    let id: usize = rest.split_once(',')?.0.parse().ok()?;
    let skill = format!("name=\\\"{}\\\"", skill(id));
    if line.len() < super::BODY || !head.contains(&skill) {
        return None;
    }
    (!id.is_multiple_of(100) || is_whole(line)).then_some(id)
}

fn is_whole(line: &[u8]) -> bool {
    let answer: Option<Value> = serde_json::from_slice(line).ok();
    let text = answer
        .as_ref()
        .and_then(|answer| answer.pointer("/result/content/0/text")?.as_str());
    text.is_some_and(|text| text.len() > super::BODY && text.contains("</instructions>"))
}

fn skill(id: usize) -> String {
    format!("skill-{}", id * 7 % super::N_SKILLS)
}

/// Returns the first line of output of a process; the rest is read and dropped, so that the process
/// never blocks.
pub(super) fn first_line(stream: impl Read + Send + 'static) -> Result<String> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader
        .read_line(&mut line)
        .context("the server says nothing")?;
    thread::spawn(move || std::io::copy(&mut reader, &mut std::io::sink()));
    Ok(line.trim_end().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_is_a_call_of_the_tool() {
        let read: Value = serde_json::from_str(&read(3)).unwrap();
        assert_eq!(read["method"], "tools/call");
        assert_eq!(read["id"], 3);
        assert_eq!(read["params"]["arguments"]["skill_name"], "skill-21");
    }
}
