//! The settings of descriptions: flags take precedence over `skills.toml`, and both over defaults.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::ensure;
use serde::Deserialize;
use skill_disclosure::{
    Budgets, Describer, Disclosure, Mode, Phase, Thresholds, listing, share_of,
};
use skill_tokens::{Estimator, TokenCounter};
use skill_tokens_exact::ExactO200k;

use super::args::{ModeArg, PhaseArg, TokensArg};
use crate::args::{Args, Format};

/// The settings; every default is filled in.
pub(crate) struct Settings {
    /// The settings of the library.
    pub(super) describer: Describer,
    /// True if the user chose a mode.
    has_mode: bool,
    has_confidence: bool,
}

/// The file. Its other sections are for other tools.
#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    describe: Section,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct Section {
    to_brief: Option<f64>,
    to_full: Option<f64>,
    metadata_tokens: Option<usize>,
    brief_tokens: Option<usize>,
    full_tokens: Option<usize>,
    mode: Option<ModeArg>,
    min_priority: Option<f64>,
    pin: Vec<String>,
    max_tokens: Option<usize>,
    budget: Option<String>,
    context: Option<usize>,
    tokens: Option<TokensArg>,
    read_tool: Option<String>,
    locations: bool,
    phases: BTreeMap<String, PhaseArg>,
}

impl Settings {
    pub(crate) fn resolve(args: &Args) -> anyhow::Result<Self> {
        let file: File = skills_config::read(args.disclosure.config.as_deref())?;
        let file = file.describe;
        let options = &args.disclosure;
        if let Some(confidence) = options.confidence {
            let is_fine = (0.0..=1.0).contains(&confidence);
            ensure!(is_fine, "the confidence is {confidence}, expected 0 to 1");
        }
        let mut pins: BTreeSet<String> = file.pin.iter().cloned().collect();
        pins.extend(options.pins.iter().cloned());
        let defaults = Budgets::default();
        let describer = Describer {
            disclosure: disclosure(args, &file)?,
            budgets: Budgets {
                metadata: file.metadata_tokens.unwrap_or(defaults.metadata),
                brief: file.brief_tokens.unwrap_or(defaults.brief),
                full: file.full_tokens,
            },
            mode: mode(options.mode.or(file.mode)),
            min_priority: file.min_priority.unwrap_or(0.8),
            listing: listing::Settings {
                format: form(args.format),
                budget: budget(args, &file)?,
                has_locations: options.locations || file.locations,
                read_tool: read_tool(args.format, file.read_tool),
                search_tool: None,
            },
            pins,
            n_uses: match &args.usage {
                Some(path) if args.query.is_none() => skill_disclosure::read_usage(path)?.n_uses,
                _ => BTreeMap::new(),
            },
            counter: counter(options.tokens.or(file.tokens)),
            explicit: options.phase.map(phase),
        };
        Ok(Self {
            describer,
            has_mode: options.mode.is_some(),
            has_confidence: options.confidence.is_some(),
        })
    }

    /// Returns true if the user chose a mode.
    pub(crate) fn has_mode(&self) -> bool {
        self.has_mode
    }

    /// Returns true if the user chose a phase.
    pub(super) fn has_phase(&self) -> bool {
        self.describer.explicit.is_some() || self.has_confidence
    }
}

fn phase(arg: PhaseArg) -> Phase {
    match arg {
        PhaseArg::Metadata => Phase::Metadata,
        PhaseArg::Brief => Phase::Brief,
        PhaseArg::Full => Phase::Full,
    }
}

/// Returns the format of a list. The library has no text for people: Markdown takes its place.
fn form(format: Format) -> listing::Format {
    match format {
        Format::Xml => listing::Format::Xml,
        Format::Text | Format::Markdown => listing::Format::Markdown,
        Format::Json => listing::Format::Json,
    }
}

/// Returns the name of the tool by which agents read skills. Text for people does not name it.
fn read_tool(format: Format, file: Option<String>) -> Option<String> {
    (format != Format::Text).then(|| file.unwrap_or(listing::READ_TOOL.to_owned()))
}

fn disclosure(args: &Args, file: &Section) -> anyhow::Result<Disclosure> {
    let defaults = Thresholds::default();
    let to_full = args
        .disclosure
        .to_full
        .or(file.to_full)
        .unwrap_or(defaults.to_full());
    let to_brief = args.disclosure.to_brief.or(file.to_brief);
    let to_brief = to_brief.unwrap_or(defaults.to_brief().min(to_full));
    let preferences = file.phases.iter();
    let preferences = preferences.map(|(skill, it)| (skill.clone(), phase(*it)));
    Ok(Disclosure {
        thresholds: Thresholds::new(to_brief, to_full)?,
        preferences: preferences.collect(),
    })
}

fn mode(arg: Option<ModeArg>) -> Mode {
    match arg {
        None | Some(ModeArg::Progressive) => Mode::Progressive,
        Some(ModeArg::Eager) => Mode::Eager,
        Some(ModeArg::Hybrid) => Mode::Hybrid,
    }
}

fn counter(arg: Option<TokensArg>) -> Box<dyn TokenCounter> {
    match arg {
        None | Some(TokensArg::Estimate) => Box::new(Estimator::default()),
        Some(TokensArg::Exact) => Box::new(ExactO200k::new()),
    }
}

/// Returns the maximum tokens of the list. Either flag takes precedence over the file.
fn budget(args: &Args, file: &Section) -> anyhow::Result<Option<usize>> {
    let options = &args.disclosure;
    let context = options.context.or(file.context);
    if let Some(share) = &options.budget {
        return Ok(Some(share_of(share, context)?));
    }
    if let Some(max_tokens) = options.max_tokens.or(file.max_tokens) {
        return Ok(Some(max_tokens));
    }
    let share = file.budget.as_ref();
    Ok(share.map(|share| share_of(share, context)).transpose()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_section_is_checked() {
        let file: File =
            toml::from_str("strict = true\n[describe]\nto-full = 0.9\nphases = { a = \"full\" }\n")
                .unwrap();
        assert_eq!(file.describe.to_full, Some(0.9));
        assert!(toml::from_str::<File>("[describe]\ncolour = 1").is_err());
    }
}
