//! Placeholders of older hosts in a prompt.

use std::path::Path;

use disclosure_report::disclosure;
use skill_disclosure::Phase;
use skill_loader::catalog::Catalog;

use super::settings::Settings;
use crate::args::{Args, Format};
use skills_cli::{ExitStatus, input, output::Streams};

/// The maximum size of a prompt, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Resolves the placeholders of a file. Unknown ones are not replaced, and are reported.
pub(super) fn answer(
    path: &Path,
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let text = input::text_or_stdin(path, MAX_BYTES)?;
    let default = (!settings.has_phase()).then_some(Phase::Brief);
    let rendered = settings.describer.render(&text, catalog, default);
    if args.format == Format::Json {
        streams.write_json(&disclosure::rendered_json(&rendered))?;
        return Ok(ExitStatus::Fine);
    }
    write!(streams.stdout, "{}", rendered.text)?;
    let language = streams.language;
    disclosure::unknown_placeholders(&rendered, path, language, &mut streams.stderr)?;
    Ok(ExitStatus::Fine)
}
