//! Measures the cost of one skill in process:
//! `cargo run --release -p skill-validator --example cost`.
//!
//! Prints microseconds of one core for a skill of 2 kB: parsing alone, the rules of the group
//! `specification`, all rules; and the speed of the secret scan in megabytes per second.

use std::time::Instant;

use skill_model::{parse_skill, scan_secrets};
use skill_validator::{Entry, Group, Level, RULES, Settings, SkillFiles, validate_skill};

const ROUNDS: u32 = 20_000;

#[expect(clippy::print_stdout, reason = "a program for people")]
fn main() {
    let text = skill();
    let files = SkillFiles {
        directory: "sheet-tools".to_owned(),
        entries: vec![Entry::file("SKILL.md", text.as_str())],
        hard_links: Vec::new(),
        ..SkillFiles::default()
    };
    let all = Settings::default();
    let mut specification = Settings::default();
    let others = RULES
        .iter()
        .filter(|rule| rule.group != Group::Specification);
    specification
        .levels
        .extend(others.map(|rule| (rule.code.0.to_owned(), Level::Off)));
    assert!(validate_skill(&files, None, &all).findings.is_empty());
    println!(
        "parse           {:6.2} µs",
        per_round(|| parse_skill(&text).0.is_some())
    );
    let check = |settings: &Settings| validate_skill(&files, None, settings).findings.is_empty();
    println!(
        "specification   {:6.2} µs",
        per_round(|| check(&specification))
    );
    println!("all rules       {:6.2} µs", per_round(|| check(&all)));
    let megabytes = text.repeat(5000);
    let start = Instant::now();
    assert!(scan_secrets(&megabytes).is_empty());
    let rate = length(&megabytes) / start.elapsed().as_secs_f64();
    println!("scan for secrets {rate:5.0} MB/s");
}

#[expect(clippy::cast_precision_loss, reason = "a size in memory")]
fn length(text: &str) -> f64 {
    text.len() as f64 / 1e6
}

fn per_round(mut work: impl FnMut() -> bool) -> f64 {
    let start = Instant::now();
    for _ in 0..ROUNDS {
        assert!(work());
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(ROUNDS)
}

fn skill() -> String {
    let step = "## Step\n\nRun the command, read its output and mend what it complains of; then go on.\n\n";
    format!(
        "---\nname: sheet-tools\ndescription: Reads, merges and checks spreadsheets. Use when the \
         user asks for tables, invoices or totals.\nlicense: MIT\nmetadata:\n  author: somebody\n  \
         version: \"1.2\"\n---\n\n# Sheet tools\n\n{}",
        step.repeat(20)
    )
}
