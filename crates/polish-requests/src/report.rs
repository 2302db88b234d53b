//! The result for people.

use std::io::{self, Write};

use skill_language::{Language, say};
use skill_polish::Verdict;
use skill_report::printable;

/// The counts of all answers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Counts {
    skills: usize,
    accepted: usize,
    refused: usize,
    /// Answers that could not be used at all.
    pub(crate) unusable: usize,
}

impl Counts {
    pub(crate) fn summary(self, language: Language) -> String {
        say!(
            language,
            "polish: {} texts accepted (for {} skills), {} refused; unusable answers: {}",
            self.accepted,
            self.skills,
            self.refused,
            self.unusable
        )
    }
}

/// Counts a verdict, and writes a line for each slot that was refused.
pub(crate) fn report(
    verdict: &Verdict,
    language: Language,
    counts: &mut Counts,
    messages: &mut dyn Write,
) -> io::Result<()> {
    if let Some(entry) = &verdict.entry {
        counts.skills += 1;
        counts.accepted += entry.slots.all().count();
    }
    counts.refused += verdict.refused.len();
    for refused in &verdict.refused {
        let text = say!(
            language,
            "warning[polish]: {}: `{}` {}",
            printable(&verdict.skill),
            printable(&refused.slot),
            printable(&refused.reason)
        );
        writeln!(messages, "{text}")?;
    }
    Ok(())
}
