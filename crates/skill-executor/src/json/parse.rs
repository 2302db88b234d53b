//! `JSON.parse`: doubles, the last of equal keys, integer keys first, lone surrogates. [`parse_exact`]
//! keeps numbers as they are written.

use serde_json::{Map, Value};
use thiserror::Error;

use super::number::{number_as_written, number_of};

/// Deepest nesting that is taken. The old host had no limit of its own; this one keeps a hostile
/// reply from overflowing our stack.
pub const MAX_DEPTH: usize = 2_000;

/// The error for a text that is not JSON.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{what} at byte {at}")]
pub struct JsonError {
    /// The problem.
    pub what: &'static str,
    /// The position, in bytes.
    pub at: usize,
}

/// Reads one JSON text as JavaScript does. Infinite numbers become null, which is what the old
/// host printed for them; a lone surrogate becomes U+FFFD.
pub fn parse(text: &str) -> Result<Value, JsonError> {
    Parser::new(text, false).whole()
}

/// A JSON text whose numbers are kept.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Exact {
    /// The value.
    pub value: Value,
    /// The numbers that a value cannot keep, as they are written: integers of more than 64 bits, more
    /// digits than a double has, and numbers out of its range.
    pub changed: Vec<String>,
}

/// Reads one JSON text as [`parse`] does, but with the numbers that are written: integers of 64 bits,
/// and decimals that a double has exactly these digits for.
///
/// ```
/// let exact = skill_executor::json::parse_exact("[9007199254740993, 1.0, 1e400]").unwrap();
/// assert_eq!(exact.value.to_string(), "[9007199254740993,1.0,null]");
/// assert_eq!(exact.changed, ["1e400"]);
/// ```
///
/// # Errors
///
/// The text is not JSON.
pub fn parse_exact(text: &str) -> Result<Exact, JsonError> {
    let mut parser = Parser::new(text, true);
    let value = parser.whole()?;
    let changed = parser.changed;
    Ok(Exact { value, changed })
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    is_exact: bool,
    changed: Vec<String>,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, is_exact: bool) -> Self {
        Self {
            text,
            at: 0,
            is_exact,
            changed: Vec::new(),
        }
    }

    fn whole(&mut self) -> Result<Value, JsonError> {
        let value = self.value(0)?;
        self.space();
        if self.at < self.text.len() {
            return Err(self.fail("more after the value"));
        }
        Ok(value)
    }

    fn fail(&self, what: &'static str) -> JsonError {
        JsonError { what, at: self.at }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.peek() {
            self.at += 1;
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    fn value(&mut self, depth: usize) -> Result<Value, JsonError> {
        if depth > MAX_DEPTH {
            return Err(self.fail("nested too deep"));
        }
        self.space();
        match self.peek() {
            Some(b'{') => self.object(depth),
            Some(b'[') => self.array(depth),
            Some(b'"') => Ok(Value::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Result<Value, JsonError> {
        for (word, value) in [
            ("true", Value::Bool(true)),
            ("false", Value::Bool(false)),
            ("null", Value::Null),
        ] {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.fail("expected a value"))
    }

    fn array(&mut self, depth: usize) -> Result<Value, JsonError> {
        self.at += 1;
        let mut res = Vec::new();
        self.space();
        if self.take(b']') {
            return Ok(Value::Array(res));
        }
        loop {
            res.push(self.value(depth + 1)?);
            self.space();
            if self.take(b']') {
                return Ok(Value::Array(res));
            }
            if !self.take(b',') {
                return Err(self.fail("expected `,` or `]`"));
            }
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, JsonError> {
        self.at += 1;
        let mut res = Map::new();
        self.space();
        if self.take(b'}') {
            return Ok(Value::Object(res));
        }
        loop {
            self.space();
            if self.peek() != Some(b'"') {
                return Err(self.fail("expected a key"));
            }
            let key = self.string()?;
            self.space();
            if !self.take(b':') {
                return Err(self.fail("expected `:`"));
            }
            let value = self.value(depth + 1)?;
            res.insert(key, value);
            self.space();
            if self.take(b'}') {
                return Ok(Value::Object(in_js_order(res)));
            }
            if !self.take(b',') {
                return Err(self.fail("expected `,` or `}`"));
            }
        }
    }

    fn digits(&mut self) -> Result<(), JsonError> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            return Err(self.fail("expected a digit"));
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Value, JsonError> {
        let start = self.at;
        self.take(b'-');
        if !self.take(b'0') {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if self.take(b'e') || self.take(b'E') {
            let _ = self.take(b'+') || self.take(b'-');
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        if self.is_exact {
            if let Some(number) = number_as_written(text) {
                return Ok(Value::Number(number));
            }
            self.changed.push(text.to_owned());
        }
        let value = text.parse().unwrap_or(f64::NAN);
        Ok(number_of(value).map_or(Value::Null, Value::Number))
    }

    fn string(&mut self) -> Result<String, JsonError> {
        self.at += 1;
        let mut res = String::new();
        loop {
            let rest = &self.text[self.at..];
            let end = rest
                .bytes()
                .position(|byte| byte < b' ' || byte == b'"' || byte == b'\\')
                .ok_or_else(|| self.fail("the string does not end"))?;
            res.push_str(&rest[..end]);
            self.at += end + 1;
            match rest.as_bytes()[end] {
                b'"' => return Ok(res),
                b'\\' => res.push(self.escape()?),
                _ => return Err(self.fail("control character in a string")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, JsonError> {
        let byte = self.peek().ok_or_else(|| self.fail("unfinished escape"))?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => byte.into(),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => return self.unit_escape(),
            _ => return Err(self.fail("unknown escape")),
        })
    }

    fn unit_escape(&mut self) -> Result<char, JsonError> {
        let unit = self.unit()?;
        if !(0xd800..0xdc00).contains(&unit) {
            return Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let before = self.at;
        if self.take(b'\\') && self.take(b'u') {
            let low = self.unit()?;
            if (0xdc00..0xe000).contains(&low) {
                let both = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
                return Ok(char::from_u32(both).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
        self.at = before;
        Ok(char::REPLACEMENT_CHARACTER)
    }

    fn unit(&mut self) -> Result<u32, JsonError> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or_default();
        let are_hex = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let unit = u32::from_str_radix(digits, 16).ok().filter(|_| are_hex);
        let unit = unit.ok_or_else(|| self.fail("expected four hex digits"))?;
        self.at += 4;
        Ok(unit)
    }
}

/// JavaScript enumerates keys that are array indices first, by value.
fn in_js_order(map: Map<String, Value>) -> Map<String, Value> {
    if !map.keys().any(|key| index(key).is_some()) {
        return map;
    }
    let (mut indices, rest): (Vec<_>, Vec<_>) =
        map.into_iter().partition(|(key, _)| index(key).is_some());
    indices.sort_by_key(|(key, _)| index(key));
    indices.into_iter().chain(rest).collect()
}

/// A canonical array index: 0 to 2^32 - 2.
fn index(key: &str) -> Option<u32> {
    let value: u32 = key.parse().ok()?;
    (value != u32::MAX && value.to_string() == key).then_some(value)
}
