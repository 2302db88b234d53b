//! A cassette: what a program asked real services and what they answered, without secrets.
//!
//! The text of a cassette is JSON with sorted keys, so that the same recording is the same file on every
//! machine. It holds what a replay needs: the requests in the order in which they came, the settings that the
//! program had, the names of those that were secret, and the time at which each case began.

use std::collections::{BTreeMap, BTreeSet};

use data_encoding::BASE64;
use serde::{Deserialize, Serialize};

use crate::exchange::Exchange;
use crate::question::Answer;

/// The version of the format.
const VERSION: u32 = 1;

/// The recorded requests of a program, by case.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cassette {
    version: u32,
    /// The settings of the program that are not secret.
    pub settings: BTreeMap<String, String>,
    /// The names of the settings whose values were taken out.
    pub secrets: BTreeSet<String>,
    /// The recordings by the name of their case.
    pub cases: BTreeMap<String, Recording>,
}

/// The requests of one case.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// The time at which the program began, in milliseconds since 1970.
    pub start_ms: i64,
    /// The requests, in the order in which they came, and their answers.
    pub takes: Vec<Take>,
}

/// A request and its answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Take {
    /// The request. Its `status` is that of the answer.
    pub request: Exchange,
    /// The headers of the answer, in order.
    pub headers: Vec<(String, String)>,
    /// The body of the answer.
    pub body: Content,
    /// The conversation by WebSocket that the request began, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<Said>,
}

/// A message of a conversation by WebSocket.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// Its sender.
    pub by: Speaker,
    /// The message.
    pub message: Message,
}

/// A side of a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The program.
    Program,
    /// The service.
    Service,
}

/// A message on a WebSocket (RFC 6455, sections 5.5.1 and 5.6).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Message {
    /// A text.
    Text(String),
    /// Other bytes, in base64.
    Base64(String),
    /// The end of the conversation, with its code.
    Close(u16),
}

/// A body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Content {
    /// A text.
    Text(String),
    /// Other bytes, in base64.
    Base64(String),
}

/// The text is not a cassette.
#[derive(Debug, thiserror::Error)]
pub enum CassetteError {
    /// It is not JSON of this form.
    #[error("this is not a cassette: {0}")]
    Form(#[from] serde_json::Error),
    /// It is of another version.
    #[error("the cassette has version {0}; expected {VERSION}: record it again")]
    Version(u32),
    /// The body of an answer is not base64.
    #[error("the answer to {0} is not valid base64")]
    Body(String),
}

impl Cassette {
    /// Returns a cassette without cases.
    pub fn new(settings: BTreeMap<String, String>, secrets: BTreeSet<String>) -> Self {
        Self {
            version: VERSION,
            settings,
            secrets,
            cases: BTreeMap::new(),
        }
    }

    /// Returns the addresses that were asked.
    pub fn urls(&self) -> impl Iterator<Item = &str> {
        let takes = self.cases.values().flat_map(|recording| &recording.takes);
        takes.map(|take| take.request.url.as_str())
    }

    /// Reads the text of a cassette.
    ///
    /// # Errors
    ///
    /// The text is not a cassette of this version.
    pub fn parse(text: &str) -> Result<Self, CassetteError> {
        let res: Self = serde_json::from_str(text)?;
        if res.version != VERSION {
            return Err(CassetteError::Version(res.version));
        }
        let takes = res.cases.values().flat_map(|recording| &recording.takes);
        for take in takes {
            let messages = take.messages.iter().map(|said| &said.message);
            let mut binary = messages.filter_map(|message| match message {
                Message::Base64(text) => Some(text),
                Message::Text(_) | Message::Close(_) => None,
            });
            let is_broken = binary.any(|text| BASE64.decode(text.as_bytes()).is_err());
            if is_broken || take.body.bytes().is_none() {
                return Err(CassetteError::Body(take.request.url.clone()));
            }
        }
        Ok(res)
    }

    /// Returns its text.
    ///
    /// # Panics
    ///
    /// Never: its values are JSON.
    pub fn text(&self) -> String {
        let mut res = serde_json::to_string_pretty(self).expect("a cassette is JSON");
        res.push('\n');
        res
    }
}

impl Take {
    pub(crate) fn new(request: Exchange, answer: Answer) -> Self {
        Self {
            request,
            headers: answer.headers,
            body: Content::new(answer.body),
            messages: Vec::new(),
        }
    }

    /// Returns about how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        let (Content::Text(body) | Content::Base64(body)) = &self.body;
        let headers = self.headers.iter();
        let headers: usize = headers.map(|(name, value)| name.len() + value.len()).sum();
        let messages = self.messages.iter().map(|said| said.message.size());
        self.request.size() + headers + body.len() + messages.sum::<usize>()
    }

    pub(crate) fn answer(&self) -> Answer {
        Answer {
            status: self.request.status,
            headers: self.headers.clone(),
            body: self.body.bytes().unwrap_or_default(),
        }
    }
}

impl Message {
    /// Returns the binary message of these bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Self {
        Self::Base64(BASE64.encode(bytes))
    }

    /// Returns the bytes of a text or of a binary message.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.clone().into_bytes(),
            Self::Base64(text) => BASE64.decode(text.as_bytes()).unwrap_or_default(),
            Self::Close(_) => Vec::new(),
        }
    }

    /// Returns about how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Text(text) | Self::Base64(text) => text.len() + 16,
            Self::Close(_) => 16,
        }
    }
}

impl Content {
    fn new(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::Text(text),
            Err(error) => Self::Base64(BASE64.encode(error.as_bytes())),
        }
    }

    /// Returns the bytes; `None` if they are not base64.
    fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Text(text) => Some(text.clone().into_bytes()),
            Self::Base64(text) => BASE64.decode(text.as_bytes()).ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cassette with one answer of these bytes.
    fn cassette(body: &[u8]) -> Cassette {
        let settings = BTreeMap::from([("UNIT".to_owned(), "C".to_owned())]);
        let mut res = Cassette::new(settings, BTreeSet::from(["API_KEY".to_owned()]));
        let request = Exchange::of_message("wss://a.example/", Ok("x"));
        let answer = Answer::new("text/plain", body);
        let recording = Recording {
            start_ms: 7,
            takes: vec![Take {
                messages: vec![
                    Said {
                        by: Speaker::Program,
                        message: Message::Text("hello".to_owned()),
                    },
                    Said {
                        by: Speaker::Service,
                        message: Message::of_bytes(body),
                    },
                    Said {
                        by: Speaker::Service,
                        message: Message::Close(1000),
                    },
                ],
                ..Take::new(request, answer)
            }],
        };
        res.cases.insert("one".to_owned(), recording);
        res
    }

    #[test]
    fn the_text_is_read_back() {
        for body in [&b"text \xE2\x82\xAC"[..], b"\xFF\x00"] {
            let cassette = cassette(body);
            let again = Cassette::parse(&cassette.text()).unwrap();
            assert_eq!(again, cassette);
            assert_eq!(again.text(), cassette.text());
            assert_eq!(again.cases["one"].takes[0].answer().body, body);
        }
    }

    #[test]
    fn faults_are_named() {
        let text = cassette(b"\xFF").text();
        let error = |text: &str| Cassette::parse(text).unwrap_err().to_string();
        let other = text.replace("\"version\": 1", "\"version\": 2");
        assert_eq!(
            error(&other),
            "the cassette has version 2; expected 1: record it again"
        );
        for at in [text.find("\"/w==\""), text.rfind("\"/w==\"")] {
            let mut broken = text.clone();
            broken.replace_range(at.unwrap()..at.unwrap() + 6, "\"/w\"");
            assert_eq!(
                error(&broken),
                "the answer to wss://a.example/ is not valid base64"
            );
        }
        assert!(error("{}").starts_with("this is not a cassette: "));
    }
}
