//! Many requests at once.

use std::path::Path;

use disclosure_report::search;
use skill_search::Index;

use skills_cli::{input, output::Streams};

/// The maximum size of a file of requests, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Answers every line of a file.
pub(super) fn answer(
    path: &Path,
    top: usize,
    index: &Index,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let text = input::text_or_stdin(path, MAX_BYTES)?;
    for answer in search::batch(&text, top, index)? {
        serde_json::to_writer(&mut streams.stdout, &answer)?;
        writeln!(streams.stdout)?;
    }
    Ok(())
}
