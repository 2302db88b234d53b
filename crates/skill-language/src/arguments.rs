//! The command line in the language of the reader.

use std::ffi::OsString;

use clap::error::{Error, ErrorKind};
use clap::{Arg, Command, CommandFactory, FromArgMatches};

use crate::help::translated;
use crate::{FLAG, Language};

/// The width of help texts without a terminal, in columns, as in clap.
pub const WIDTH: usize = 100;

/// The headings of options that few people need; only `--help` shows them.
const RARE: [&str; 4] = ["Chains", "Index", "Limits", "Other machines"];

/// The help of a tool: the exit status and the examples come before the options.
const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}{after-help}\n\n{all-args}";

/// Returns the command line of a tool, with the flag of the language. `-h` has the examples and the
/// options that many people need, `--help` has everything.
pub fn command<A: CommandFactory>() -> Command {
    let language = Arg::new("ui_lang")
        .long(FLAG.trim_start_matches('-'))
        .value_name("LANG")
        .value_parser(Language::ALL.map(Language::word))
        .help("Language of messages and of reports for people [default: that of the locale]")
        .help_heading("Output");
    let command = A::command().arg(language).help_template(TEMPLATE);
    let command = command.mut_args(|arg| {
        let is_rare = arg.get_help_heading().is_some_and(|it| RARE.contains(&it));
        arg.hide_short_help(is_rare)
    });
    let long = command.get_after_long_help().map(ToString::to_string);
    match long
        .as_deref()
        .and_then(|text| text.split_once("Examples:\n"))
    {
        Some((_, examples)) => command.after_help(format!("Examples:\n{examples}")),
        None => command,
    }
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
