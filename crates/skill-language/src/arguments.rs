//! The command line in the language of the reader.

use std::ffi::OsString;

use clap::error::{Error, ErrorKind};
use clap::{Arg, Command, CommandFactory, FromArgMatches};

use crate::help::translated;
use crate::{FLAG, Language};

/// The width of help texts without a terminal, in columns, as in clap.
pub const WIDTH: usize = 100;

/// Returns the command line of a tool, with the flag of the language.
pub fn command<A: CommandFactory>() -> Command {
    let language = Arg::new("ui_lang")
        .long(FLAG.trim_start_matches('-'))
        .value_name("LANG")
        .value_parser(Language::ALL.map(Language::word))
        .help("Language of messages and of reports for people [default: that of the locale]")
        .help_heading("Output");
    A::command().arg(language)
}

/// Parses the arguments of a tool, of which the first is the name of the program. Returns the language
/// too, which is `locale` without the flag.
pub fn parse<A: CommandFactory + FromArgMatches>(
    mut arguments: Vec<OsString>,
    locale: Language,
) -> (Language, Result<A, Error>) {
    let mut command = command::<A>();
    let language = match Language::take_flag(&mut arguments) {
        Ok(language) => language.unwrap_or(locale),
        Err(text) => return (locale, Err(command.error(ErrorKind::InvalidValue, text))),
    };
    if language != Language::English {
        // Texts are wrapped after they are translated.
        command = command.term_width(usize::MAX);
    }
    let found = command.try_get_matches_from_mut(arguments);
    let parsed = found.and_then(|mut found| A::from_arg_matches_mut(&mut found));
    (language, parsed.map_err(|error| error.format(&mut command)))
}

/// Returns a help text or an error with codes for colours, for a terminal of this width.
pub fn message(error: &Error, language: Language, width: Option<usize>) -> String {
    let text = error.render().ansi().to_string();
    translated(&text, language, width.unwrap_or(WIDTH))
}
