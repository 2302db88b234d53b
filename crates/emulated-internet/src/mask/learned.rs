//! Values that were found by name: a session that an answer gives, a key that a program puts into a header.
//!
//! A program sends such a value in other places too, where no name tells it, and before as well as after the
//! place with the name. So the values are remembered, and a recording is masked again with all of them.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use skill_model::base64;

use super::forms::{decoded, pair, pieces};
use super::{MASKED, MIN_SECRET, Mask};
use crate::cassette::{Cassette, Take};

/// The shortest value that is looked for everywhere: shorter ones are parts of other words.
const MIN_LEARNED: usize = 8;
/// The shortest value without a digit that is: shorter ones are words of a language.
const MIN_WORDS: usize = 16;

impl Mask {
    /// Adds the settings that are not known to be secret. One that is sent in the place of a secret is one.
    #[must_use]
    pub fn with_settings(mut self, settings: &BTreeMap<String, String>) -> Self {
        let long = settings
            .iter()
            .filter(|(_, value)| value.len() >= MIN_SECRET);
        self.settings = long
            .map(|(name, value)| (value.clone(), name.clone()))
            .collect();
        self
    }

    /// Returns the word for a value in the place of a secret, and remembers the value.
    pub(super) fn secret(&self, value: &str) -> String {
        let found = self.by_value(value);
        let known = found.strip_prefix(MASKED);
        if known.is_some_and(|rest| rest.is_empty() || is_setting(rest)) {
            // The name of the setting says more.
            return found;
        }
        let word = match self.settings.get(value) {
            Some(name) => format!("{MASKED}.{name}"),
            None => MASKED.to_owned(),
        };
        self.learn(value, &word);
        word
    }

    /// Masks a cookie, `name=value`.
    pub(super) fn cookie(&self, text: &str) -> String {
        let mask = |value: &str| {
            self.learn(value, MASKED);
            MASKED.to_owned()
        };
        pair(text, |_| true, mask)
    }

    /// Remembers what follows the scheme in a header of authorization (RFC 9110, section 11.4).
    pub(super) fn learn_login(&self, scheme: &str, rest: &str) {
        self.secret(rest.trim());
        let login = base64::decode(rest.trim().trim_end_matches('=').as_bytes());
        let login = login.filter(|_| scheme.eq_ignore_ascii_case("basic"));
        let login = login.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        if let Some((_, password)) = login.as_deref().and_then(|login| login.split_once(':')) {
            self.secret(password);
        }
    }

    /// Remembers a value.
    pub(super) fn learn(&self, value: &str, word: &str) {
        let is_of_setting = self.settings.contains_key(value);
        let mut learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let parts = pieces(value).into_iter().chain([decoded(value)]);
        for part in parts.filter(|part| is_of_setting || tells(part)) {
            learned.entry(part).or_insert_with(|| word.to_owned());
        }
    }

    /// Returns a mask for the values that were found by name; `None` without any.
    fn late(&self) -> Option<Self> {
        let learned = self.learned.lock().unwrap_or_else(PoisonError::into_inner);
        let pairs = learned.iter();
        let pairs = pairs.map(|(value, word)| (value.clone(), word.clone()));
        (!learned.is_empty()).then(|| Self::of(pairs))
    }

    /// Masks requests and answers again, with all values that were found by name.
    pub(crate) fn again(&self, takes: &mut [Take]) {
        if let Some(late) = self.late() {
            for take in takes {
                late.take(take);
            }
        }
    }

    /// Masks a whole recording again, with all values that were found by name. A setting with such a value is
    /// secret.
    pub fn finish(&self, cassette: &mut Cassette) {
        let Some(late) = self.late() else { return };
        let takes = cassette.cases.values_mut().flat_map(|case| &mut case.takes);
        takes.for_each(|take| late.take(take));
        let settings = std::mem::take(&mut cassette.settings);
        for (name, value) in settings {
            if late.text(&value) == value {
                cassette.settings.insert(name, value);
            } else {
                cassette.secrets.insert(name);
            }
        }
    }

    fn take(&self, take: &mut Take) {
        let answer = self.answer(take.answer());
        let mut res = Take::new(self.exchange(take.request.clone()), answer);
        res.messages = std::mem::take(&mut take.messages);
        for said in &mut res.messages {
            said.message = self.message(&said.message);
        }
        *take = res;
    }
}

/// Returns true for the end of a word for a setting: a point and a name.
fn is_setting(rest: &str) -> bool {
    let name = rest.strip_prefix('.').unwrap_or_default();
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || "_-.".contains(c))
}

/// Returns true for a value that is looked for everywhere: it is not a word of a language.
fn tells(value: &str) -> bool {
    let has_digit = value.contains(|c: char| c.is_ascii_digit());
    let min = if has_digit { MIN_LEARNED } else { MIN_WORDS };
    value.len() >= min && !value.contains(MASKED)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::exchange::Exchange;
    use crate::question::{Answer, Question};

    const SESSION: &str = "c4n4ry-s3ssion-77";

    fn take(path: &str, headers: &[(&str, &str)], answer: Answer) -> Take {
        let headers = headers.iter();
        let question = Question {
            scheme: "https",
            method: "GET".to_owned(),
            host: "a.example".to_owned(),
            port: 443,
            path: path.to_owned(),
            query: String::new(),
            body: Vec::new(),
            unread: None,
            headers: headers
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect(),
        };
        Take::new(Exchange::new(&question, answer.status), answer)
    }

    /// Checks that a recording of these requests does not have the session.
    #[track_caller]
    fn check(takes: Vec<Take>, settings: &[(&str, &str)]) -> Cassette {
        let settings = settings.iter();
        let settings = settings.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let settings: BTreeMap<String, String> = settings.collect();
        let mask = Mask::default().with_settings(&settings);
        let mut cassette = Cassette::new(settings, [].into());
        let case = cassette.cases.entry("a".to_owned()).or_default();
        for take in takes {
            let answer = mask.answer(take.answer());
            case.takes
                .push(Take::new(mask.exchange(take.request), answer));
        }
        mask.finish(&mut cassette);
        let text = cassette.text();
        assert!(!text.contains(SESSION), "{text}");
        cassette
    }

    fn answer(headers: &[(&str, &str)], body: &str) -> Answer {
        let mut res = Answer::new("text/plain", body.as_bytes());
        let headers = headers.iter();
        res.headers
            .extend(headers.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        res
    }

    #[test]
    fn a_session_is_masked_before_and_after_its_name() {
        let cookie = format!("sid={SESSION}; Path=/");
        let body = json!({"session": {"value": SESSION}, "name": "n"}).to_string();
        for (headers, body) in [
            (&[("set-cookie", cookie.as_str())][..], ""),
            (&[], body.as_str()),
        ] {
            check(
                vec![
                    take("/first", &[("x-old", SESSION)], answer(&[], SESSION)),
                    take("/login", &[], answer(headers, body)),
                    take(
                        &format!("/x/{SESSION}"),
                        &[("x-thing", SESSION)],
                        answer(&[], SESSION),
                    ),
                ],
                &[],
            );
        }
    }

    #[test]
    fn a_setting_in_the_place_of_a_secret_is_secret() {
        let key = [("x-api-key", SESSION)];
        let ask = take("/a", &key, answer(&[], "ok"));
        let cassette = check(vec![ask], &[("MY_VALUE", SESSION), ("UNIT", "celsius")]);
        assert_eq!(cassette.settings.keys().collect::<Vec<_>>(), ["UNIT"]);
        assert_eq!(cassette.secrets, ["MY_VALUE".to_owned()].into());
        let asked = &cassette.cases["a"].takes[0].request;
        assert_eq!(asked.headers["x-api-key"], "MASKED.MY_VALUE");
    }

    #[test]
    fn words_of_a_language_are_not_looked_for() {
        let cookie = [("set-cookie", "theme=darkness")];
        let takes = vec![take("/", &[], answer(&cookie, "the darkness falls"))];
        let cassette = check(takes, &[]);
        assert!(cassette.text().contains("the darkness falls"));
    }
}
