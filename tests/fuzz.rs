//! The fuzz targets on a fixed corpus and fixed mutations of it, on stable.
//!
//! The bodies are those of `fuzz/`, where a fuzzer with coverage runs them for hours.
//! `FUZZ_ROUNDS` sets the number of mutations of each seed.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

#[path = "../fuzz/bodies/dns.rs"]
mod dns;
#[path = "../fuzz/bodies/frontmatter.rs"]
mod frontmatter;
#[path = "../fuzz/bodies/host.rs"]
mod host;
#[path = "../fuzz/bodies/manifest.rs"]
mod manifest;
#[path = "../fuzz/bodies/metadata.rs"]
mod metadata;
#[path = "../fuzz/bodies/prose.rs"]
mod prose;
#[path = "../fuzz/bodies/request.rs"]
mod request;
#[path = "../fuzz/bodies/section.rs"]
mod section;
#[path = "../fuzz/bodies/steps.rs"]
mod steps;
#[path = "../fuzz/bodies/template.rs"]
mod template;

/// The number of mutations of each seed in an ordinary run.
const ROUNDS: u32 = 200;

#[test]
fn manifests_do_not_break() {
    check("manifest", manifest::run);
}

#[test]
fn frontmatter_does_not_break() {
    check("frontmatter", frontmatter::run);
}

#[test]
fn metadata_does_not_break() {
    check("metadata", metadata::run);
}

#[test]
fn prose_does_not_break() {
    check("prose", prose::run);
}

#[test]
fn templates_do_not_break() {
    check("template", template::run);
}

#[test]
fn sections_do_not_break() {
    check("section", section::run);
}

#[test]
fn requests_do_not_break() {
    check("request", request::run);
}

#[test]
fn queries_to_the_resolver_do_not_break() {
    check("dns", dns::run);
}

#[test]
fn names_of_hosts_do_not_break() {
    check("host", host::run);
}

/// Each input is read twice as a text of thousands of members, so there are fewer of them.
#[test]
fn steps_grow_with_the_size() {
    check_rounds("steps", steps::run, ROUNDS / 20);
}

fn check(target: &str, run: fn(&[u8])) {
    check_rounds(target, run, ROUNDS);
}

fn check_rounds(target: &str, run: fn(&[u8]), usual: u32) {
    let rounds = std::env::var("FUZZ_ROUNDS").map_or(usual, |text| text.parse().unwrap());
    let seeds = seeds(target);
    let mut dice = Dice(0x2545_f491_4f6c_dd1d);
    for seed in &seeds {
        try_one(target, run, seed);
        for _ in 0..rounds {
            let other = &seeds[dice.below(seeds.len())];
            try_one(target, run, &mutated(seed, other, &mut dice));
        }
    }
}

/// Runs one input, and prints it if the target panics.
fn try_one(target: &str, run: fn(&[u8]), input: &[u8]) {
    let outcome = catch_unwind(AssertUnwindSafe(|| run(input)));
    assert!(
        outcome.is_ok(),
        "{target} breaks on {:?}",
        String::from_utf8_lossy(input)
    );
}

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../fuzz/seeds")
        .join(target);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|it| it.unwrap().path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

/// Pieces that are difficult for parsers.
const PIECES: [&str; 20] = [
    "---\n", "\n", "\r", "\u{85}", "\u{2028}", "\u{feff}", "\0", "\"", "'", "\\", ": ", "#", "{",
    "[", "```", "- ", "\u{200d}", "「", "1e999", "&",
];

/// Returns the seed after one to four changes: a piece inserted, a range removed, doubled, or copied
/// from another seed, or a byte set.
fn mutated(seed: &[u8], other: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut res = seed.to_vec();
    for _ in 0..=dice.below(4) {
        let from = dice.below(res.len() + 1);
        let to = (from + dice.below(12)).min(res.len());
        match dice.below(5) {
            0 => drop(res.splice(from..from, PIECES[dice.below(PIECES.len())].bytes())),
            1 => drop(res.drain(from..to)),
            2 => {
                let stretch = res[from..to].to_vec();
                drop(res.splice(from..from, stretch));
            }
            3 => {
                let start = dice.below(other.len() + 1);
                let end = (start + dice.below(40)).min(other.len());
                drop(res.splice(from..to, other[start..end].iter().copied()));
            }
            _ => {
                if let Some(byte) = res.get_mut(from) {
                    *byte = u8::try_from(dice.below(256)).unwrap_or_default();
                }
            }
        }
    }
    res
}

/// Pseudorandom numbers that are the same on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound.max(1) as u64).unwrap_or_default()
    }
}
