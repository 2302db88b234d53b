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
            if take.body.bytes().is_none() {
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
        }
    }

    /// Returns about how much memory it takes, in bytes.
    pub(crate) fn size(&self) -> usize {
        let (Content::Text(body) | Content::Base64(body)) = &self.body;
        let headers = self.headers.iter();
        let headers: usize = headers.map(|(name, value)| name.len() + value.len()).sum();
        self.request.size() + headers + body.len()
    }

    pub(crate) fn answer(&self) -> Answer {
        Answer {
            status: self.request.status,
            headers: self.headers.clone(),
            body: self.body.bytes().unwrap_or_default(),
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
            takes: vec![Take::new(request, answer)],
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
        assert_eq!(
            error(&text.replace("\"/w==\"", "\"/w\"")),
            "the answer to wss://a.example/ is not valid base64"
        );
        assert!(error("{}").starts_with("this is not a cassette: "));
    }
}
