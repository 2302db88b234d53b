//! Fits the coefficients of the search: `cargo xtask fit`.
//!
//! `fit ROUTING_DIR FETCHED_DIR DATA_DIR` reads the labelled requests, prints the results of the
//! coefficients on repositories that they were not fitted to, and writes `model.json`. With `--background` it
//! writes `background.txt` instead, which must be compiled in before the coefficients are fitted.
//! `--misses` lists held-out requests that go wrong, and writes nothing.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a program that reads labelled requests, calculates and talks to a person"
)]

mod background;
mod bend;
mod data;
mod fetched;
mod meaning;
mod nested;
mod score;
mod shaped;
mod solve;
mod train;

use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs};

use data::Task;
use nested::{Fitted, N_FOLDS, fitted};
use score::{Judgement, head, judge, line};
use skill_search::{Likeness, Model, Request};
use train::{Sample, Source};

/// The minimum number of requests of a repository that gets a line of its own.
const N_SPREAD: usize = 10;

/// The number of candidates per request. Rivals below the usual limit of a search are useful for
/// fitting, too.
const N_OBSERVED: usize = 48;

fn main() {
    let args: Vec<String> = env::args().skip(1).collect();
    let [routing, fetched, target, rest @ ..] = &args[..] else {
        println!("usage: fit ROUTING_DIR FETCHED_DIR DATA_DIR [--background|--misses]");
        return;
    };
    let (routing, target) = (Path::new(routing), Path::new(target));
    if rest == ["--background"] {
        let table = background::table(routing);
        fs::write(target.join("background.txt"), table).expect("the data directory is ours");
        return;
    }
    let small = data::tasks(routing, false);
    let written = data::written_tasks(routing, false);
    let mut parts = folds(&written);
    parts.extend(folds(&small));
    let mut seen: Vec<Sample> = see(&small, &parts, Source::Labelled);
    seen.extend(see(&data::tasks(routing, true), &parts, Source::Global));
    let own = data::fetched_tasks(routing, Path::new(fetched));
    seen.extend(see(&own, &folds(&own), Source::Own));
    seen.extend(see(&written, &parts, Source::Written));
    let tests = see(&data::written_tasks(routing, true), &parts, Source::Test);
    let with_misses = rest == ["--misses"];
    let (model, likeness) = cross_validated(seen, tests, with_misses);
    if with_misses {
        return;
    }
    println!("{}", several(&small));
    fs::write(target.join("model.json"), model.to_json()).expect("the data directory is ours");
    fs::write(target.join("likeness.txt"), likeness.to_text()).expect("as above");
}

/// Fits with each part held out in turn, prints the results, and fits to all requests.
fn cross_validated(
    mut seen: Vec<Sample>,
    mut tests: Vec<Sample>,
    with_misses: bool,
) -> (Model, Likeness) {
    let meanings = meaning::fitted(&seen);
    for one in seen.iter_mut().chain(&mut tests) {
        one.compare_meanings(&meanings.without[one.fold]);
    }
    let Fitted { without, whole } = fitted(Model::shipped(), &seen);
    println!("{}", head());
    let all = || seen.iter().chain(&tests);
    let held_out: Vec<Judgement> = all().map(|one| judge(&without[one.fold], one)).collect();
    print(&held_out, "held out");
    println!("{}", score::reliability(&held_out));
    let pairs: Vec<(&Sample, &Judgement)> = all().zip(&held_out).collect();
    print_spread(&pairs);
    if with_misses {
        for (one, judged) in &pairs {
            score::print_miss(&without[one.fold], one, judged);
        }
    }
    for one in seen.iter_mut().chain(&mut tests) {
        one.compare_meanings(&meanings.whole);
    }
    let all = seen.iter().chain(&tests);
    let fitted: Vec<Judgement> = all.map(|one| judge(&whole, one)).collect();
    print(&fitted, "fitted");
    (whole, meanings.whole)
}

/// Prints the results of each repository and of each part.
fn print_spread(pairs: &[(&Sample, &Judgement)]) {
    let mut repositories: Vec<&str> = pairs.iter().map(|(one, _)| &one.repo[..]).collect();
    repositories.sort_unstable();
    repositories.dedup();
    for source in [Source::Labelled, Source::Own, Source::Written, Source::Test] {
        for repository in &repositories {
            let own = pairs.iter().filter(|(one, _)| {
                one.repo == *repository && one.source == source && one.kind == "positive"
            });
            let own: Vec<&Judgement> = own.map(|(_, judged)| *judged).collect();
            if own.len() >= N_SPREAD {
                let title = format!("{} {source:?} {repository}", own.len());
                println!("{}", line(&title, &own));
            }
        }
        for fold in 0..N_FOLDS {
            let own = pairs.iter().map(|(_, judged)| *judged);
            let own = own.filter(|one| one.fold == fold && one.source == source);
            let own: Vec<&Judgement> = own.collect();
            println!("{}", line(&format!("  part {fold} {source:?}"), &own));
        }
    }
}

/// Returns how many requests for one skill a search takes for several wishes, with the compiled
/// coefficients, and for how many of them the right skill comes first, is the answer to some wish, or would
/// come first in the undivided request.
fn several(tasks: &[Task]) -> String {
    let (mut n, mut n_split, mut n_first, mut n_some, mut n_whole) = (0, 0, 0, 0, 0);
    for task in tasks {
        for asked in task.requests.iter().filter(|one| one.kind == "positive") {
            n += 1;
            let matches = task.index.search(&Request::new(&asked.text[..]));
            if matches.first().is_none_or(|first| first.wish.is_none()) {
                continue;
            }
            n_split += 1;
            let is_right = |skill: &str| asked.gold.iter().any(|gold| gold == skill);
            n_first += usize::from(is_right(&matches[0].skill));
            let mut sure = matches
                .iter()
                .filter(|one| one.confidence >= score::TO_FULL);
            n_some += usize::from(sure.any(|one| is_right(&one.skill)));
            let observed = task.index.observe(&Request::new(&asked.text[..]));
            let score = train::place("score");
            let best = |a: &&skill_search::Observation, b: &&skill_search::Observation| {
                a.features[score].total_cmp(&b.features[score])
            };
            let whole = observed.iter().max_by(best);
            n_whole += usize::from(whole.is_some_and(|one| is_right(&one.skill)));
        }
    }
    format!(
        "{n_split} of {n} requests for one skill are taken for several wishes: right first {n_first}, right with 0.7 {n_some}, right first undivided {n_whole}"
    )
}

fn print(judged: &[Judgement], name: &str) {
    for source in [
        Source::Labelled,
        Source::Global,
        Source::Own,
        Source::Written,
        Source::Test,
    ] {
        let counted = judged.iter().filter(|one| one.source == source);
        let counted: Vec<&Judgement> = counted.collect();
        println!("{}", line(&format!("{name}, {source:?}"), &counted));
    }
}

/// Assigns each repository to a part: the largest first, each to the smallest part.
fn folds(tasks: &[Task]) -> BTreeMap<String, usize> {
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for asked in tasks.iter().flat_map(|task| &task.requests) {
        *sizes.entry(&asked.fold).or_default() += usize::from(asked.kind == "positive");
    }
    let mut sizes: Vec<(usize, &str)> = sizes.into_iter().map(|(fold, n)| (n, fold)).collect();
    sizes.sort_by(|a, b| b.cmp(a));
    let mut loads = [0; N_FOLDS];
    let mut res = BTreeMap::new();
    for (size, repository) in sizes {
        let fold = (0..N_FOLDS).min_by_key(|fold| loads[*fold]).unwrap_or(0);
        loads[fold] += size;
        res.insert(repository.to_owned(), fold);
    }
    res
}

fn see(tasks: &[Task], folds: &BTreeMap<String, usize>, source: Source) -> Vec<Sample> {
    let mut res = Vec::new();
    for task in tasks {
        for (turn, asked) in task.requests.iter().enumerate() {
            let mut request = Request::new(&asked.text[..]);
            request.limit = N_OBSERVED;
            let observed = task.index.observe(&request);
            let fold = match asked.kind {
                "unrelated" | "stray" | "unword" => turn % N_FOLDS,
                _ => folds.get(&asked.fold).copied().unwrap_or(0),
            };
            let is_near = |skill: &str| asked.near.as_deref() == Some(skill);
            res.push(Sample {
                kind: asked.kind,
                lang: asked.lang.clone(),
                fold,
                source,
                request: task.index.request_vector(&asked.text),
                vectors: observed.iter().map(|one| one.vectors).collect(),
                rows: observed.iter().map(|one| one.features).collect(),
                right: observed
                    .iter()
                    .map(|one| asked.gold.contains(&one.skill))
                    .collect(),
                near: observed.iter().map(|one| is_near(&one.skill)).collect(),
                limits: observed.iter().map(|one| one.limit).collect(),
                mentioned: observed.iter().map(|one| one.is_mentioned).collect(),
                n_skills: task.index.len(),
                n_right: asked.gold.len(),
                repo: asked.fold.clone(),
                text: asked.text.clone(),
                skills: observed.into_iter().map(|one| one.skill).collect(),
            });
        }
    }
    res
}
