//! Compares what the executor imitates of JavaScript with Node itself, on random inputs.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "tests say what they skip"
)]

use std::ffi::OsString;
use std::path::Path;

use serde_json::{Value, json};
use skill_executor::direct::first_reply;
use skill_executor::json::{number_text, parse, parse_int, stringify, trim};
use skill_sandbox::{Program, Spec, Stdin, run};

/// The number of inputs for each imitation.
const N_INPUTS: usize = 4_000;

/// For each input: its JSON read and written, trimmed, as a whole number, and the first reply in it.
const REFERENCE: &str = r"
const own = f => { try { return f(); } catch { return null; } };
const isReply = value => value && typeof value === 'object' && ['success', 'error'].includes(value.status);
const first = text => {
  const found = /(\{[\s\S]*?\})(?:\s|$)/.exec(text);
  const value = found && own(() => JSON.parse(found[1]));
  return isReply(value) ? JSON.stringify(value) : null;
};
const inputs = JSON.parse(require('fs').readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(inputs.map(text => [
  own(() => JSON.stringify(JSON.parse(text))),
  text.trim(),
  String(parseInt(text, 10)),
  first(text),
])));
";

/// The same in Rust.
fn ours(text: &str) -> Value {
    let read = parse(text).ok().map(|value| stringify(&value));
    let number = parse_int(text).map_or_else(|| "NaN".to_owned(), number_text);
    let reply = first_reply(text).map(|map| stringify(&Value::Object(map)));
    json!([read, trim(text), number, reply])
}

/// Numbers that look random and are the same at every run (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let bound = u64::try_from(bound).unwrap();
        usize::try_from((mixed ^ (mixed >> 31)) % bound).unwrap()
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    fn value(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 2 } else { 4 }) {
            0 => self.one(&NUMBERS).to_owned(),
            1 => self.one(&TEXTS).to_owned(),
            2 => {
                let items: Vec<_> = (0..self.below(4)).map(|_| self.value(depth - 1)).collect();
                format!("[{}{}]", items.join(","), self.one(&SPACES))
            }
            _ => {
                let members: Vec<_> = (0..self.below(5))
                    .map(|_| {
                        let (key, space) = (self.one(&KEYS), self.one(&SPACES));
                        format!("{key}{space}:{space}{}", self.value(depth - 1))
                    })
                    .collect();
                format!("{{{}{}}}", members.join(","), self.one(&SPACES))
            }
        }
    }

    /// A JSON text with something around it, and often with a part put in or taken out.
    fn input(&mut self) -> String {
        let mut text = match self.below(4) {
            0 => format!(
                "{{\"status\":\"{}\",\"r\":{}}}",
                self.one(&["success", "error", "ok"]),
                self.value(2)
            ),
            _ => self.value(3),
        };
        text = format!("{}{text}{}", self.one(&AROUND), self.one(&AROUND));
        if self.below(3) == 0 {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            if let Some(at) = places.get(self.below(places.len().max(1))).copied() {
                match self.below(2) {
                    0 => drop(text.remove(at)),
                    _ => text.insert_str(at, self.one(&AROUND)),
                }
            }
        }
        text
    }
}

const SPACES: [&str; 5] = ["", "", " ", "\r\n", "\t"];
const AROUND: [&str; 14] = [
    "", "", "", " ", "\n", "\u{feff}", "\u{a0}", "\u{85}", "\u{200b}", "\u{2028}", "\0", "}", "{",
    "log ",
];
const KEYS: [&str; 11] = [
    "\"a\"",
    "\"b\"",
    "\"10\"",
    "\"9\"",
    "\"01\"",
    "\"-1\"",
    "\"4294967295\"",
    "\"4294967294\"",
    "\"__proto__\"",
    "\"\"",
    "\"\\u0061\"",
];
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "-0.0",
    "1",
    "-7.50",
    "1e21",
    "1E5",
    "1e-7",
    "0.000001",
    "123456789012345678901",
    "9007199254740993",
    "1e400",
    "-1e400",
    "5e-324",
    "1e-400",
    "2.5e+3",
    "01",
    "+1",
    ".5",
    "1.",
    "0x10",
    "true",
    "null",
    "NaN",
];
const TEXTS: [&str; 14] = [
    "\"\"",
    "\"x\"",
    "\"潮 🌊\"",
    "\"\\u00e9\\n\\\"\\\\\\/\\b\\f\"",
    "\"\u{7f}\u{2028}\"",
    "\"\\u0000\\u001f\"",
    "\"\\ud83c\\udf0a\"",
    "\"} \"",
    "\"{\"",
    "\"\t\"",
    "\"\\x\"",
    "\"\\u12\"",
    "'x'",
    "\"open",
];

#[test]
fn javascript_is_imitated() {
    if skill_testing::find::node().is_none() {
        return;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut random = Random(7);
    let inputs: Vec<String> = (0..N_INPUTS).map(|_| random.input()).collect();
    let argv = ["node", "-e", REFERENCE].map(OsString::from);
    let mut spec = Spec::new(Program::Argv(argv.into()), Path::new("/"));
    spec.env.insert("PATH".into(), path);
    spec.stdin = Stdin::Bytes(json!(inputs).to_string().into_bytes());
    let outcome = run(&spec).unwrap();
    let reference: Vec<Value> = serde_json::from_slice(&outcome.stdout).unwrap();
    assert_eq!(reference.len(), N_INPUTS);
    for (input, expected) in inputs.iter().zip(&reference) {
        assert_eq!(&ours(input), expected, "{input:?}");
    }
}
