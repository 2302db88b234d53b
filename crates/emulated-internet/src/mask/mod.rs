//! Secrets are taken out of requests and answers, by value and by name.
//!
//! By value: the values of secret settings, as they are and as programs encode them. By name: what has
//! a name such as `authorization` or `api_key` in a header, a query, a form, a cookie or JSON. The word
//! for a value depends on the name of its setting alone, so that a replay with made-up values asks the same.
//!
//! What was found by name once is then looked for by value everywhere ([`learned`]).

#[cfg(test)]
mod canaries;
mod forms;
mod learned;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::Value;
use skill_model::{base64, is_session_name, scan_secrets, secret_forms};

use crate::cassette::Message;
use crate::exchange::{BOUNDARY, Exchange};
use crate::question::Answer;
use forms::{decoded, encoded, is_word, joined, pair, pieces};

/// Shorter values are not looked for: they are parts of other words.
const MIN_SECRET: usize = 4;
/// The word for a secret of an unknown setting.
const MASKED: &str = "MASKED";
/// Headers that are secret whatever they contain.
const SECRET_HEADERS: [&str; 4] = [
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
];

/// The secrets of a program.
#[derive(Clone, Default)]
pub struct Mask {
    /// The forms of each value with its word, the longest first.
    forms: Vec<(String, String)>,
    /// The values with their words.
    values: Vec<(String, String)>,
    /// The settings that are not known to be secret: their names, by value.
    settings: BTreeMap<String, String>,
    /// The values that were found by name, with their words.
    learned: Arc<Mutex<BTreeMap<String, String>>>,
}

impl Mask {
    /// Returns a mask for the values of these settings.
    pub fn new(secrets: &BTreeMap<String, String>) -> Self {
        let long = secrets
            .iter()
            .filter(|(_, value)| value.len() >= MIN_SECRET);
        let words = long.flat_map(|(name, value)| {
            let word = format!("{MASKED}.{name}");
            pieces(value)
                .into_iter()
                .map(move |value| (value, word.clone()))
        });
        Self::of(words)
    }

    /// Returns a mask for values with their words.
    fn of(words: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut res = Self::default();
        for (value, word) in words {
            let forms = secret_forms(&value).into_iter();
            res.forms.extend(forms.map(|form| (form, word.clone())));
            res.values.push((value, word));
        }
        // One secret may contain another; of equal ones, the first name counts.
        res.forms
            .sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
        res.forms.dedup_by(|a, b| a.0 == b.0);
        res
    }

    /// Returns a text without secrets.
    pub fn text(&self, text: &str) -> String {
        let mut res = self.by_value(text);
        let hits = scan_secrets(&res);
        for hit in hits.into_iter().rev() {
            if !res[hit.range.clone()].contains(MASKED) {
                res.replace_range(hit.range, MASKED);
            }
        }
        res
    }

    /// Returns a request without secrets.
    pub(crate) fn exchange(&self, mut request: Exchange) -> Exchange {
        let kind = request.headers.get("content-type");
        let kind = kind.map_or_else(String::new, |kind| kind.to_ascii_lowercase());
        request.url = self.url(&request.url);
        let headers = request.headers.into_iter();
        request.headers = headers
            .map(|(name, value)| {
                let value = self.header(&name, &value);
                (self.text(&name), value)
            })
            .collect();
        if let Some(value) = request.body.get_mut("json") {
            self.json(value);
        } else if let Some(Value::String(text)) = request.body.get_mut("text") {
            *text = self.body_text(&kind, text);
        }
        request
    }

    /// Returns an answer without secrets.
    pub(crate) fn answer(&self, mut answer: Answer) -> Answer {
        for (name, value) in &mut answer.headers {
            *value = self.header(name, value);
        }
        let kind = answer
            .headers
            .iter()
            .find(|(name, _)| name == "content-type");
        let kind = kind.map_or_else(String::new, |(_, kind)| kind.to_ascii_lowercase());
        answer.body = match String::from_utf8(answer.body) {
            Ok(text) if text.contains('\0') => self.bytes(&kind, text.into_bytes()),
            Ok(text) => self.answered(&kind, text).into_bytes(),
            Err(error) => self.bytes(&kind, error.into_bytes()),
        };
        answer
    }

    /// Returns a message of a conversation without secrets.
    pub(crate) fn message(&self, message: &Message) -> Message {
        let masked = self.answer(Answer::new("", message.bytes())).body;
        match message {
            Message::Text(_) => Message::Text(String::from_utf8_lossy(&masked).into_owned()),
            Message::Base64(_) => Message::of_bytes(&masked),
            Message::Close(code) => Message::Close(*code),
        }
    }

    /// Returns the text of an answer; JSON without a secret stays as it is, byte by byte.
    fn answered(&self, kind: &str, text: String) -> String {
        let Ok(old) = serde_json::from_str::<Value>(&text) else {
            return self.body_text(kind, &text);
        };
        let mut new = old.clone();
        self.json(&mut new);
        if new == old { text } else { new.to_string() }
    }

    fn body_text(&self, kind: &str, text: &str) -> String {
        if kind.starts_with("application/x-www-form-urlencoded") {
            self.pairs(text)
        } else if kind.starts_with("multipart/") {
            self.parts(text)
        } else {
            self.lines(text)
        }
    }

    /// Masks each line: events and log lines may carry JSON.
    fn lines(&self, text: &str) -> String {
        let masked = text.split_inclusive('\n').map(|line| {
            let start = line.find(['{', '[']).unwrap_or(line.len());
            let (head, tail) = line.split_at(start);
            match serde_json::from_str::<Value>(tail) {
                Ok(old) if old.is_object() || old.is_array() => {
                    let mut new = old.clone();
                    self.json(&mut new);
                    let end = &tail[tail.trim_end().len()..];
                    if new == old {
                        line.to_owned()
                    } else {
                        format!("{}{new}{end}", self.by_value(head))
                    }
                }
                _ => self.by_value(line),
            }
        });
        self.text(&masked.collect::<String>())
    }

    /// Replaces the values of secret settings, in the forms that programs use.
    fn by_value(&self, text: &str) -> String {
        let mut res = text.to_owned();
        for (form, word) in &self.forms {
            if res.contains(form) {
                res = res.replace(form, word);
            }
        }
        for range in encoded(&res).into_iter().rev() {
            let Some(bytes) = base64::decode(res[range.clone()].trim_end_matches('=').as_bytes())
            else {
                continue;
            };
            if let Some(word) = self.inside(&bytes) {
                res.replace_range(range, &word);
            }
        }
        res
    }

    /// Returns the word of a secret that bytes contain.
    fn inside(&self, bytes: &[u8]) -> Option<String> {
        let contains = |value: &str| {
            bytes
                .windows(value.len())
                .any(|part| part == value.as_bytes())
        };
        let found = self.values.iter().find(|(value, _)| contains(value));
        found.map(|(_, word)| word.clone())
    }

    /// Masks an answer that is not a text in UTF-8. One in Latin-1 is masked as text; of another, what remains
    /// could not be read anyway.
    fn bytes(&self, kind: &str, bytes: Vec<u8>) -> Vec<u8> {
        let narrow: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
        if let Some(word) = self.inside(&bytes).or_else(|| self.inside(&narrow)) {
            return word.into_bytes();
        }
        let text: String = bytes.iter().copied().map(char::from).collect();
        let masked = self.answered(kind, text.clone());
        if masked == text {
            return bytes;
        }
        let latin = |c: char| u8::try_from(u32::from(c)).unwrap_or(b'?');
        masked.chars().map(latin).collect()
    }

    fn header(&self, name: &str, value: &str) -> String {
        match name {
            "cookie" => joined(value, ';', |part| self.cookie(part)),
            "set-cookie" => match value.split_once(';') {
                Some((first, rest)) => format!("{};{}", self.cookie(first), self.text(rest)),
                None => self.cookie(value),
            },
            _ if SECRET_HEADERS.contains(&name) || is_session_name(name) => {
                match value.split_once(' ') {
                    Some((scheme, rest)) if is_word(scheme) => {
                        self.learn_login(scheme, rest);
                        format!("{scheme} {MASKED}")
                    }
                    _ => self.secret(value),
                }
            }
            "location" | "referer" | "origin" => self.url(value),
            _ => self.text(value),
        }
    }

    /// Masks the path, the query and the fragment of an address.
    fn url(&self, url: &str) -> String {
        let start = url.find("://").map_or(0, |at| at + 3);
        let start = url[start..].find('/').map_or(url.len(), |at| start + at);
        let (host, rest) = url.split_at(start);
        let (path, query) = match rest.find(['?', '#']) {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        let mut res = self.text(host);
        res.push_str(&joined(path, '/', |part| self.encoded(part)));
        if let Some(sign) = query.chars().next() {
            res.push(sign);
            res.push_str(&self.pairs(&query[1..]));
        }
        res
    }

    /// Masks `name=value` pairs, which are percent-encoded.
    fn pairs(&self, text: &str) -> String {
        joined(text, '&', |part| {
            pair(
                part,
                |name| is_session_name(&decoded(name)),
                |value| {
                    let masked = self.encoded(value);
                    if masked.starts_with(MASKED) || value.is_empty() {
                        masked
                    } else {
                        self.secret(&decoded(value))
                    }
                },
            )
        })
        .split('&')
        .map(|part| match part.split_once('=') {
            Some((name, value)) => format!("{}={}", self.encoded(name), self.encoded(value)),
            None => self.encoded(part),
        })
        .collect::<Vec<_>>()
        .join("&")
    }

    /// Masks a part of an address, as it is and decoded.
    fn encoded(&self, part: &str) -> String {
        let masked = self.text(part);
        if masked != part {
            return masked;
        }
        let plain = decoded(part);
        let masked = self.text(&plain);
        if masked == plain {
            part.to_owned()
        } else {
            masked
        }
    }

    /// Masks the parts of a multipart body (RFC 7578) by the names of their fields.
    fn parts(&self, text: &str) -> String {
        let line = format!("--{BOUNDARY}");
        let parts = text.split(&line).map(|part| {
            let Some((head, body)) = part.split_once("\r\n\r\n") else {
                return self.text(part);
            };
            let name = head.split("name=\"").nth(1);
            let name = name.and_then(|rest| rest.split('"').next());
            if name.is_some_and(is_session_name) && !body.trim_end().is_empty() {
                let end = &body[body.trim_end().len()..];
                self.learn(body.trim_end(), MASKED);
                return format!("{}\r\n\r\n{MASKED}{end}", self.text(head));
            }
            format!("{}\r\n\r\n{}", self.text(head), self.lines(body))
        });
        parts.collect::<Vec<_>>().join(&line)
    }

    fn json(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.in_json(text),
            Value::Number(number) => {
                let number = number.to_string();
                let mut values = self.values.iter();
                if let Some((_, word)) = values.find(|(value, _)| *value == number) {
                    *value = word.as_str().into();
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(map) => {
                let old = std::mem::take(map);
                for (name, mut value) in old {
                    if is_session_name(&name) {
                        self.whole(&mut value);
                    } else {
                        self.json(&mut value);
                    }
                    map.insert(self.text(&name), value);
                }
            }
            _ => {}
        }
    }

    /// Masks all of a value that has a secret name.
    fn whole(&self, value: &mut Value) {
        match value {
            Value::String(text) if !text.is_empty() => *text = self.secret(text),
            Value::Number(number) if number.to_string().len() >= MIN_SECRET => {
                self.learn(&number.to_string(), MASKED);
                *value = MASKED.into();
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.whole(item)),
            Value::Object(map) => map.values_mut().for_each(|item| self.whole(item)),
            _ => {}
        }
    }

    /// Masks a text in JSON, which may be JSON or an address itself.
    fn in_json(&self, text: &str) -> String {
        if text.starts_with("http://") || text.starts_with("https://") {
            return self.url(text);
        }
        if text.starts_with(['{', '[']) {
            return self.answered("", text.to_owned());
        }
        self.text(text)
    }
}

impl std::fmt::Debug for Mask {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mask").finish_non_exhaustive()
    }
}
