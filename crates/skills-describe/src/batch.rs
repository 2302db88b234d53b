//! Many requests at once: JSON lines in, JSON lines out, in the same order.

use std::path::Path;

use anyhow::Context as _;
use disclosure_report::search::short;
use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use skill_search::{Index, Request};

use skills_cli::{input, output::Streams};

/// The maximum size of a file of requests, in bytes.
const MAX_BYTES: u64 = 1 << 30;

#[derive(Deserialize)]
struct Line {
    id: Value,
    query: String,
}

/// Answers every line of a file.
pub(super) fn answer(
    path: &Path,
    top: usize,
    index: &Index,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let text = input::text_or_stdin(path, MAX_BYTES)?;
    let mut lines = Vec::new();
    for (number, text) in (1..)
        .zip(text.lines())
        .filter(|(_, text)| !text.trim().is_empty())
    {
        let line: Line = serde_json::from_str(text).with_context(|| {
            format!("line {number}: expected {{\"id\": N, \"query\": \"TEXT\"}}")
        })?;
        lines.push(line);
    }
    let answers: Vec<Value> = lines.par_iter().map(|line| one(line, top, index)).collect();
    for answer in answers {
        serde_json::to_writer(&mut streams.stdout, &answer)?;
        writeln!(streams.stdout)?;
    }
    Ok(())
}

fn one(line: &Line, top: usize, index: &Index) -> Value {
    let request = Request {
        limit: top,
        ..Request::new(&line.query[..])
    };
    let matches: Vec<Value> = index.search(&request).iter().map(short).collect();
    json!({"id": line.id, "matches": matches})
}
