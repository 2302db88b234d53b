//! Measures the cost of a search: `cargo xtask bench describe`.
//!
//! `search_cost` prints a table, and `search_cost N` its row of N skills, which is the one to
//! profile. `search_cost --write DIR N` writes N skills instead.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement that writes its own input and talks to a person"
)]

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs};

use skill_search::{Document, Index, Request};

/// The number of words in the texts; the n-th is used about 1/n as often as the first.
const N_WORDS: usize = 30_000;
const N_DESCRIPTION: usize = 35;
const N_BODY: usize = 150;
const N_REQUEST: usize = 12;
/// The promises of the project: the number of skills, and milliseconds at the median.
const PROMISES: [(usize, f64); 3] = [(1_000, 0.2), (10_000, 1.0), (100_000, 5.0)];
/// The promised number of skills indexed per second.
const MIN_RATE: f64 = 20_000.0;
const N_REQUESTS: usize = 400;

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    if let [flag, dir, number] = &args[..]
        && flag == "--write"
    {
        return write(dir.as_ref(), number.parse().expect("a number of skills"));
    }
    println!(
        "{:<10} {:>12} {:>9} {:>9}   promise",
        "skills", "skills/s", "p50 ms", "p99 ms"
    );
    let only: Option<usize> = args.first().and_then(|number| number.parse().ok());
    for (n_skills, promise) in PROMISES {
        if only.is_none_or(|only| only == n_skills) {
            measure(n_skills, promise);
        }
    }
}

fn measure(n_skills: usize, promise: f64) {
    let documents = Texts::new().documents(n_skills);
    let start = Instant::now();
    let index = Index::build(&documents);
    let rate = count(n_skills) / start.elapsed().as_secs_f64();
    drop(documents);
    let mut texts = Texts::new();
    texts.state = 77;
    let requests: Vec<Request> = (0..N_REQUESTS)
        .map(|turn| Request::new(texts.text(N_REQUEST, turn.is_multiple_of(3))))
        .collect();
    let mut times = Vec::new();
    for request in &requests {
        let start = Instant::now();
        let n_matches = index.search(request).len();
        times.push(start.elapsed().as_secs_f64() * 1e3);
        assert!(
            n_matches <= request.limit,
            "a search gives what it is asked for"
        );
    }
    times.sort_by(f64::total_cmp);
    let (p50, p99) = (times[N_REQUESTS / 2], times[N_REQUESTS * 99 / 100]);
    let word = |is_kept: bool| if is_kept { "kept" } else { "BROKEN" };
    println!(
        "{n_skills:<10} {rate:>12.0} {p50:>9.3} {p99:>9.3}   {}: p50 at most {promise} ms; {}: at least {MIN_RATE} skills/s",
        word(p50 <= promise),
        word(rate >= MIN_RATE),
    );
    let start = Instant::now();
    let bytes = Arc::new(index.to_bytes());
    let written = start.elapsed().as_secs_f64() * 1e3;
    let start = Instant::now();
    let is_read = Index::from_shared(bytes.clone(), 0).is_ok();
    let read = start.elapsed().as_secs_f64() * 1e3;
    assert!(is_read, "an index reads what it wrote");
    let megabytes = count(bytes.len()) / 1e6;
    println!("           {megabytes:.1} MB, to bytes {written:.1} ms, from bytes {read:.1} ms");
}

fn write(dir: &Path, n_skills: usize) {
    for document in Texts::new().documents(n_skills) {
        let dir = dir.join(&document.name);
        fs::create_dir_all(&dir).expect("the directory is ours");
        let Document {
            name,
            description,
            body,
            ..
        } = document;
        let text = format!("---\nname: {name}\ndescription: {description}\n---\n\n{body}\n");
        fs::write(dir.join("SKILL.md"), text).expect("the directory is ours");
    }
}

#[expect(clippy::cast_precision_loss, reason = "a rate needs no more")]
fn count(number: usize) -> f64 {
    number as f64
}

/// Generates texts whose words follow Zipf's law, the same every time.
struct Texts {
    words: Vec<String>,
    state: u64,
}

impl Texts {
    fn new() -> Self {
        let mut res = Self {
            words: Vec::new(),
            state: 1,
        };
        res.words = (0..N_WORDS).map(|_| res.word()).collect();
        res
    }

    fn documents(&mut self, n_documents: usize) -> Vec<Document> {
        let document = |number: usize| {
            let is_chinese = number.is_multiple_of(3);
            Document {
                name: format!("{}-{}-{number}", self.pick(), self.pick()),
                description: self.text(N_DESCRIPTION, is_chinese),
                body: self.text(N_BODY, is_chinese),
                ..Document::default()
            }
        };
        (0..n_documents).map(document).collect()
    }

    fn next(&mut self, below: usize) -> usize {
        self.state = self
            .state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        usize::try_from(self.state >> 33).unwrap_or(0) % below
    }

    fn word(&mut self) -> String {
        const PARTS: [&str; 16] = [
            "ka", "ter", "lo", "min", "sta", "pre", "vi", "ron", "ex", "qua", "del", "fu", "shi",
            "ble", "gor", "ny",
        ];
        let n_parts = 2 + self.next(3);
        (0..n_parts)
            .map(|_| PARTS[self.next(PARTS.len())])
            .collect()
    }

    /// Returns a word by Zipf's law: its rank is a product of uniformly distributed numbers.
    fn pick(&mut self) -> String {
        let (a, b) = (self.next(N_WORDS) + 1, self.next(N_WORDS) + 1);
        let rank = (a * b / N_WORDS).min(a.min(b)) * self.next(64) / 64;
        self.words[rank.min(N_WORDS - 1)].clone()
    }

    fn text(&mut self, n_words: usize, is_chinese: bool) -> String {
        let mut res = String::new();
        for turn in 0..n_words {
            if is_chinese {
                let rank = self.next(50) * self.next(50);
                let c = 0x4e00 + u32::try_from(rank).unwrap_or(0);
                res.extend(char::from_u32(c));
                if turn % 9 == 8 {
                    res.push('，');
                }
            } else {
                res.push_str(&self.pick());
                res.push_str(if turn % 11 == 10 { ". " } else { " " });
            }
        }
        res.trim_end().to_owned()
    }
}
