//! Migrates a directory of plugins, searches the skills, reads the best one and runs it.
//!
//! `cargo run -p skills --example tour -- fixtures/plugins /tmp/skills "weather in Oslo" '{"city": "Oslo"}'`
#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    skills::init();
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [plugins, out, request, input] = args.as_slice() else {
        return Err("usage: tour PLUGINS OUT REQUEST INPUT".into());
    };
    let migrated = skills::migrate(plugins).into_dir(out)?;
    let totals = &migrated.totals;
    println!("{} of {} plugins migrated", totals.migrated, totals.plugins);

    let library = skills::Library::open([out])?;
    let hits = library.search(request);
    for hit in &hits {
        println!("{:.2} {}", hit.confidence, hit.skill);
    }
    let Some(best) = hits.first() else {
        return Err("no skill fits".into());
    };
    let description = library.describe_for(&best.skill, best.confidence)?;
    println!("\n{}", description.text);

    let answer = library.run(&best.skill, serde_json::from_str(input)?)?;
    println!("{}", answer.value);
    Ok(())
}
