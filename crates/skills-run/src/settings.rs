//! The settings of the arguments.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use skill_executor::call::Options;
use skill_executor::config::{MAX_INPUT, read_file};
use skill_executor::json::{Exact, parse_arguments, parse_input};

use crate::args::CallArgs;
use skills_cli::input::stdin;

/// Returns the input: standard input, a file, or the text itself. Empty text is null.
pub(super) fn input(written: Option<&str>) -> anyhow::Result<Exact> {
    let text = match written {
        None => String::new(),
        Some("-") => String::from_utf8_lossy(&stdin(MAX_INPUT)?).into_owned(),
        Some(text) => match text.strip_prefix('@') {
            Some(path) => read_file(Path::new(path)).context("cannot read the input")?,
            None => text.to_owned(),
        },
    };
    Ok(parse_arguments(&text, "the input")?)
}

/// Returns the options of a call.
pub(super) fn options(args: &CallArgs) -> anyhow::Result<Options> {
    let text = args.options.as_deref().unwrap_or_default();
    let mut res = Options::read(&parse_input(text, "--options")?).map_err(|why| anyhow!(why))?;
    res.timeout = args.timeout.map(Duration::from_millis).or(res.timeout);
    res.wait = args.wait.map(Duration::from_millis).or(res.wait);
    res.state_from = args.state_from.unwrap_or(res.state_from);
    Ok(res)
}
