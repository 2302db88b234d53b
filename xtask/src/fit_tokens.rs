//! Writing and measuring the filter of the token estimator, from the o200k vocabulary: see
//! `crates/skill-tokens-exact/examples/fit_tokens.rs`.

use anyhow::{Result, bail};

use crate::repo::Repo;
use crate::shell;

/// The filter.
const DATA: &str = "crates/skill-tokens/data/o200k.bin";
/// Texts to measure with; absent ones are skipped.
const CORPORA: [&str; 2] = ["../shared/eval/routing", "../shared/corpus"];

pub(crate) fn run(repo: &Repo, args: &[String]) -> Result<()> {
    if !args.is_empty() {
        bail!("usage: cargo xtask fit-tokens");
    }
    example(repo, &["write", DATA])?;
    // The filter is compiled in before it is measured.
    let corpora = CORPORA
        .into_iter()
        .filter(|path| repo.root().join(path).exists());
    let args: Vec<&str> = ["measure"].into_iter().chain(corpora).collect();
    example(repo, &args)
}

fn example(repo: &Repo, args: &[&str]) -> Result<()> {
    let words = [
        "run",
        "--quiet",
        "--release",
        "--package",
        "skill-tokens-exact",
        "--example",
        "fit_tokens",
        "--",
    ];
    shell::run(shell::cargo(repo).args(words).args(args))
}
