//! Many requests at once: JSON lines in, JSON lines out, in the same order.

use rayon::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};
use skill_search::{Index, Request};

use super::short;

/// A line is not a request.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: expected {{\"id\": N, \"query\": \"TEXT\"}}")]
pub struct BatchError {
    /// The line, from 1.
    pub line: usize,
    source: serde_json::Error,
}

#[derive(Deserialize)]
struct Line {
    id: Value,
    query: String,
}

/// Answers the request on every line of a text with at most `top` skills, on all cores.
///
/// # Errors
///
/// The first line that is not a request.
pub fn batch(text: &str, top: usize, index: &Index) -> Result<Vec<Value>, BatchError> {
    let lines = (1..)
        .zip(text.lines())
        .filter(|(_, text)| !text.trim().is_empty());
    let lines = lines.map(|(line, text)| {
        serde_json::from_str(text).map_err(|source| BatchError { line, source })
    });
    let lines: Vec<Line> = lines.collect::<Result<_, _>>()?;
    Ok(lines.par_iter().map(|line| one(line, top, index)).collect())
}

fn one(line: &Line, top: usize, index: &Index) -> Value {
    let request = Request {
        limit: top,
        ..Request::new(&line.query[..])
    };
    let matches: Vec<Value> = index.search(&request).iter().map(short).collect();
    json!({"id": line.id, "matches": matches})
}
