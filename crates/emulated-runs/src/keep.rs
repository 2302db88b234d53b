//! Recordings are shown before they are kept.

use std::collections::BTreeMap;
use std::io::{self, BufRead as _, IsTerminal as _, Write};

use emulated_internet::Cassette;
use skill_language::{Language, say};

use crate::deck::{Deck, DeckError, summary};

/// Recordings cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// Nobody could see them before.
    #[error(
        "recordings are shown before they are kept: run this in a terminal, or add --yes to keep them unseen"
    )]
    Unseen,
    /// The question cannot be asked.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The directory cannot be used.
    #[error(transparent)]
    Deck(#[from] DeckError),
}

/// Checks, before anything is asked of real services, that recordings could be kept: the user has agreed, or
/// there is a terminal to ask.
///
/// # Errors
///
/// Neither is so.
pub fn check(can_ask: bool) -> Result<(), KeepError> {
    if can_ask {
        Ok(())
    } else {
        Err(KeepError::Unseen)
    }
}

/// Returns true if the user has agreed, or can be asked on standard error.
pub fn can_ask(is_agreed: bool) -> bool {
    is_agreed || io::stderr().is_terminal() && io::stdin().is_terminal()
}

/// Shows recordings, asks unless the user has agreed, and keeps them. Returns true if they are kept.
///
/// # Errors
///
/// The question cannot be asked, or the directory cannot be used.
pub fn ask(
    deck: &Deck,
    cassettes: BTreeMap<String, Cassette>,
    is_agreed: bool,
    out: &mut dyn Write,
    language: Language,
) -> Result<bool, KeepError> {
    if cassettes.is_empty() {
        writeln!(
            out,
            "{}",
            language
                .say("nothing was recorded: no request was made in a case that proves something")
        )?;
        return Ok(false);
    }
    write!(out, "{}", summary(&cassettes))?;
    if !is_agreed {
        let question = language.say("Keep this recording? [y/N]");
        write!(out, "{question} ")?;
        out.flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            writeln!(out, "{}", language.say("the recording was not kept"))?;
            return Ok(false);
        }
    }
    let place = deck.path().display();
    let line = say!(language, "kept without secrets in {place}");
    for (skill, cassette) in cassettes {
        deck.keep(&skill, cassette)?;
    }
    writeln!(out, "{line}")?;
    Ok(true)
}
