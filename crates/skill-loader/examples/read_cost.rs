//! Measures levels 1 to 3 in process over a directory of skills that `cargo xtask bench read` lays
//! out: `cargo run --release -p skill-loader --example read_cost -- SKILLS`.
#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program for people, which changes what is read"
)]

use std::path::Path;
use std::time::{Duration, Instant};

use skill_loader::catalog::{Bounds, CatalogCache, CatalogSettings, SkillRoot};
use skill_loader::load::{Limits, Selection, Source, load_resource, load_skill_body};

/// Number of body reads, and of reloads.
const N_READS: usize = 20_000;
const N_RELOADS: usize = 200;

fn main() {
    let skills = std::env::args().nth(1).expect("usage: read_cost SKILLS");
    let cache = cache(Path::new(&skills));
    println!("skills          {:8}", cache.current().skills.len());
    let (all, limits) = (Selection::default(), Limits::default());
    let catalog = cache.current();
    let places: Vec<_> = catalog.skills.values().map(|skill| &skill.place).collect();
    let times = measured(N_READS, |n| {
        assert!(load_skill_body(places[n % places.len()], &all, &limits).is_ok());
    });
    show("load_skill_body", times, 200);
    let section = Selection {
        section: Some("## Step".to_owned()),
        cursor: None,
    };
    let times = measured(N_READS, |n| {
        let place = places[n % places.len()];
        assert!(load_resource(place, "SKILL.md", &section, &limits).is_ok());
    });
    show("load_resource", times, 0);
    reloads(Path::new(&skills), &cache);
    let times = measured(5, |_| drop(cache.refresh()));
    show("refresh all", times, 0);
}

fn cache(skills: &Path) -> CatalogCache {
    CatalogCache::new(CatalogSettings {
        roots: vec![SkillRoot {
            path: skills.to_owned(),
            source: Source::Project,
        }],
        bounds: Bounds {
            directories: 1_000_000,
            ..Bounds::default()
        },
        trusted: Vec::new(),
    })
}

/// Changes one skill per round and times the reload; the write itself is not timed.
fn reloads(skills: &Path, cache: &CatalogCache) {
    let mut times = Vec::new();
    for n in 0..N_RELOADS {
        let name = format!("skill-{}", n % 100);
        let description = format!("Changed for the time {n}.");
        let text = format!("---\nname: {name}\ndescription: {description}\n---\n# Changed\n");
        std::fs::write(skills.join(&name).join("SKILL.md"), text).expect("the skill is ours");
        let start = Instant::now();
        let catalog = cache.refresh_skill(&name);
        times.push(start.elapsed());
        assert_eq!(catalog.skills[&name].description, description);
    }
    show("reload one", times, 5_000);
}

fn measured(n_rounds: usize, mut round: impl FnMut(usize)) -> Vec<Duration> {
    let rounds = (0..n_rounds).map(|n| {
        let start = Instant::now();
        round(n);
        start.elapsed()
    });
    rounds.collect()
}

/// Prints the median and the 99th percentile in microseconds beside the promised maximum.
fn show(what: &str, mut times: Vec<Duration>, promised: u128) {
    times.sort_unstable();
    let median = times[times.len() / 2].as_micros();
    let high = times[times.len() * 99 / 100].as_micros();
    let verdict = match promised {
        0 => String::new(),
        most if high <= most => format!("   kept: at most {most}"),
        most => format!("   BROKEN: at most {most}"),
    };
    println!("{what:<15} {median:8} µs   p99 {high:8} µs{verdict}");
}
