//! The recordings that a verification makes and replays.

use std::sync::Arc;

use emulated_internet::Cassette;
use emulated_runs::settings::{self, Recorded};
use parity_record::Verdict;
use skill_model::read_env_file;

use crate::cases::Case;
use crate::options::{Answers, VerifyOptions};
use crate::result::CaseResult;
use crate::trials::{self, Comparison};

/// Returns the cassette of a skill that is replayed; an empty one if nothing was recorded, because the plugin
/// asks nothing.
pub(crate) fn read(options: &VerifyOptions, skill: &str) -> Result<Option<Cassette>, String> {
    let network = options.network.as_ref();
    let Some(Answers::Replayed(deck)) = network.map(|network| &network.answers) else {
        return Ok(None);
    };
    let cassette = deck.read(skill).map_err(|error| error.to_string())?;
    Ok(Some(
        cassette.unwrap_or_else(|| Recorded::default().cassette(&[])),
    ))
}

/// Returns true if nothing was recorded of a skill that is replayed.
pub(crate) fn is_missing(options: &VerifyOptions, skill: &str) -> bool {
    let network = options.network.as_ref();
    match network.map(|network| &network.answers) {
        Some(Answers::Replayed(deck)) => matches!(deck.read(skill), Ok(None)),
        _ => false,
    }
}

/// Determines the settings of the recording, and the mask that takes secrets out of it.
pub(crate) fn prepare(comparison: &mut Comparison<'_>, cases: &[Case]) {
    let network = comparison.options.network.as_ref();
    comparison.recorded = match (
        network.map(|network| &network.answers),
        &comparison.cassette,
    ) {
        (Some(Answers::Recorded(_)), _) => {
            let environment = comparison.environment.0.iter();
            let stored = comparison.stored.iter();
            let pairs = environment.chain(stored);
            let pairs = pairs.map(|(key, value)| (key.clone(), value.clone()));
            let configs = cases
                .iter()
                .filter_map(|case| trials::config(comparison, case));
            let pairs = pairs.chain(configs.flat_map(|config| read_env_file(&config)));
            Recorded::new(pairs, &comparison.wanted)
        }
        (_, Some(cassette)) => settings::replayed(cassette, &comparison.wanted),
        (_, None) => return,
    };
    comparison.mask = Arc::new(comparison.recorded.mask());
}

/// Returns what was recorded in the cases that prove something; `None` if nothing was asked.
pub(crate) fn cassette(comparison: &Comparison<'_>, cases: &mut [CaseResult]) -> Option<Cassette> {
    let network = comparison.options.network.as_ref()?;
    if !matches!(network.answers, Answers::Recorded(_)) {
        return None;
    }
    let mut res = comparison.recorded.cassette(&comparison.wanted);
    for case in cases {
        let is_proof = matches!(case.verdict, Verdict::Verified | Verdict::Differs);
        let recording = case.recording.take().filter(|_| is_proof);
        res.cases
            .extend(recording.map(|recording| (case.id.clone(), recording)));
    }
    comparison.mask.finish(&mut res);
    let has_takes = res.cases.values().any(|case| !case.takes.is_empty());
    has_takes.then_some(res)
}
