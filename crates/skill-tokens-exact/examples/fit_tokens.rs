//! Writes the filter of `skill_tokens::Estimator` from the o200k vocabulary, or measures it against
//! o200k. `cargo xtask fit-tokens` starts it.
#![expect(
    clippy::cast_precision_loss,
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program for developers, which reads corpora and talks to a person"
)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use skill_tokens::{Estimator, Piece, TokenCounter, Vocabulary, pieces};
use skill_tokens_exact::ExactO200k;

/// The number of tokens of o200k: ranks below this one.
const N_RANKS: u32 = 199_998;
/// The size of the filter, as a power of two in bytes.
const LOG_BYTES: u32 = 19;
/// Longer texts are also measured in parts of these lengths, in characters.
const PARTS: [usize; 3] = [40, 200, 1_000];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((verb, [path])) if verb == "write" => write(Path::new(path)),
        Some((verb, corpora)) if verb == "measure" => measure(corpora),
        _ => println!("usage: fit_tokens write FILE | measure CORPUS..."),
    }
}

fn write(path: &Path) {
    let bpe = tiktoken_rs::o200k_base_singleton();
    let tokens: Vec<Vec<u8>> = (0..N_RANKS)
        .filter_map(|rank| bpe.decode_bytes(&[rank]).ok())
        .collect();
    let bits = Vocabulary::build(tokens.iter().map(Vec::as_slice), LOG_BYTES);
    println!("{} tokens in {} bytes", tokens.len(), bits.len());
    std::fs::write(path, bits).expect("the filter can be written");
}

/// The errors of the texts of each kind, as fractions of the exact count.
type Errors = BTreeMap<String, Vec<(f64, String)>>;

fn measure(corpora: &[String]) {
    let mut texts = Vec::new();
    for corpus in corpora {
        collect(Path::new(corpus), &mut texts);
    }
    let (estimator, exact) = (Estimator::default(), ExactO200k::new());
    let mut errors = Errors::new();
    for (kind, text) in &texts {
        compare(&estimator, &exact, kind, text, &mut errors);
    }
    for (kind, mut errors) in errors {
        errors.sort_by(|a, b| a.0.total_cmp(&b.0));
        let n = errors.len() as f64;
        let mean = errors.iter().map(|(error, _)| error.abs()).sum::<f64>() / n;
        let bias = errors.iter().map(|(error, _)| error).sum::<f64>() / n;
        let (lowest, highest) = (&errors[0], &errors[errors.len() - 1]);
        println!(
            "{kind:32} n {n:6} error {:6.2} % bias {:6.2} % from {:6.1} % to {:6.1} %  lowest: {:?}",
            mean * 100.0,
            bias * 100.0,
            lowest.0 * 100.0,
            highest.0 * 100.0,
            lowest.1.chars().take(50).collect::<String>(),
        );
    }
    words(&texts, &estimator, &exact);
    speed(&texts, &estimator, &exact);
}

/// Prints the exact counts of words that are not tokens, by the count of the longest token first.
fn words(texts: &[(String, String)], estimator: &Estimator, exact: &ExactO200k) {
    let mut counts: BTreeMap<(bool, usize), (usize, usize)> = BTreeMap::new();
    for (_, text) in texts {
        for (kind, piece) in pieces(text) {
            let found = estimator.count(piece);
            if kind == Piece::Word && found > 1 && found <= 40 {
                let count = counts.entry((piece.is_ascii(), found)).or_default();
                count.0 += 1;
                count.1 += exact.count(piece);
            }
        }
    }
    for ((is_ascii, found), (n, sum)) in counts {
        let mean = sum as f64 / n as f64;
        println!("ascii {is_ascii:5} found {found:3} exact {mean:6.2} n {n}");
    }
}

fn compare(estimator: &Estimator, exact: &ExactO200k, kind: &str, text: &str, errors: &mut Errors) {
    let mut add = |kind: String, text: &str| {
        let (right, found) = (exact.count(text), estimator.count(text));
        if right > 0 {
            let error = (found as f64 - right as f64) / right as f64;
            errors
                .entry(kind)
                .or_default()
                .push((error, text.to_owned()));
        }
    };
    add(format!("{kind} whole"), text);
    let chars: Vec<char> = text.chars().collect();
    for size in PARTS {
        if chars.len() > size {
            let part = chars
                .chunks(size)
                .nth(chars.len() / size / 2)
                .expect("it is longer");
            add(format!("{kind} {size:5}"), &part.iter().collect::<String>());
        }
    }
}

fn speed(texts: &[(String, String)], estimator: &Estimator, exact: &ExactO200k) {
    let n_bytes: usize = texts.iter().map(|(_, text)| text.len()).sum();
    for counter in [estimator as &dyn TokenCounter, exact] {
        let start = Instant::now();
        let n: usize = texts.iter().map(|(_, text)| counter.count(text)).sum();
        let rate = n_bytes as f64 / start.elapsed().as_secs_f64() / 1e6;
        println!(
            "{}: {n} tokens of {n_bytes} bytes, {rate:.0} MB/s",
            counter.name()
        );
    }
}

/// Collects the texts of a file or directory: the strings of `body` and `description` in JSON
/// lines, other files as a whole, by extension.
fn collect(path: &Path, texts: &mut Vec<(String, String)>) {
    if path.is_dir() {
        let mut entries: Vec<_> = std::fs::read_dir(path)
            .expect("a directory")
            .flatten()
            .collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            collect(&entry.path(), texts);
        }
        return;
    }
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    if text.split_whitespace().count() < 3 || text.contains("// placeholder") {
        return;
    }
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let ending = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    if ending != "jsonl" {
        texts.push((format!(".{ending}"), text));
        return;
    }
    for line in text.lines() {
        let value: serde_json::Value = serde_json::from_str(line).expect("JSON lines");
        for key in ["body", "description", "request", "query", "text"] {
            if let Some(text) = value.get(key).and_then(serde_json::Value::as_str) {
                texts.push((format!("{name} {key}"), text.to_owned()));
            }
        }
    }
}
