//! The form of a result: what a program prints as `{"status": "success", "result": …}`, what a module
//! returns, and what a program for a placeholder prints.
//!
//! Literals are read, and names and functions of the same file that give one. A result of another form
//! makes the whole unknown, so that what is found is certain, except beside many texts.

mod answers;
mod calls;
mod consumed;
mod expression;
mod failures;
mod files;
mod follow;
mod form;
mod items;
mod parts;
mod rust;
mod starts;
#[cfg(test)]
mod tests;
mod values;

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::lexer::Token;
use super::scopes::Scopes;
use consumed::Consumed;
pub(super) use failures::arguments_behind;
use files::Files;
pub(crate) use form::{Answers, Json, Member, Outcome, Part, REST};
use form::{Starts, merged};
pub(crate) use rust::outcome_of_rust;
use starts::{CALLED, STATUS, SUCCESS};
use values::Code;

/// Maximum number of names, functions and operands that are followed, one after the other.
const MAX_DEPTH: usize = 10;
/// Maximum number of expressions that are read for one file.
const MAX_EXPRESSIONS: usize = 10_000;
/// The sign with which programs begin the text of a failure.
const CROSS: &str = "❌";

/// The known facts on results.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each fact is independent of the others"
)]
pub(crate) struct Results {
    /// Their form, if that is certain.
    pub(crate) form: Option<Outcome>,
    /// True if `form` is what all commands have, and each has more.
    pub(crate) is_split: bool,
    /// True if a module returns its text without an object around it.
    pub(crate) is_bare: bool,
    /// True if an answer of success may have a member `error`.
    pub(crate) has_error: bool,
    /// True if the text of a failure begins with a cross in an answer of success.
    pub(crate) has_cross: bool,
    /// The form of some answers, where those of others are not known.
    pub(crate) partly: Option<Outcome>,
    /// The beginnings of texts that tell a failure in an answer of success.
    pub(crate) failures: Vec<String>,
    /// The labels of values in its texts: `Name: ${name}`.
    pub(crate) labels: Vec<String>,
    /// True if the texts have values without a label.
    pub(crate) has_unlabelled: bool,
}

/// Returns the form of all results of the reached files. Each command has all values that select it.
pub(crate) fn results(
    code: &Analysis<'_, '_>,
    commands: &[Vec<String>],
    answers: Answers,
) -> Results {
    let scopes = Scopes::new(&code.readers, commands);
    // Nothing calls what no command runs.
    let is_reached = |file: usize, at: usize| {
        let scope = scopes.at(file, at);
        scope.commands.is_none_or(|it| !it.is_empty())
    };
    let all = |_, _| true;
    let mut res = results_at(code, commands, answers, (&is_reached, &all));
    if res.form.is_none() && commands.len() < 2 {
        res = results_at(code, commands, answers, (&all, &all));
    }
    if writes_camel_case(code) {
        res.form = res.form.map(Outcome::in_camel_case);
    }
    res.has_cross = code.readers.iter().any(|reader| has_cross(reader.tokens));
    let texts = failures::texts(code, answers);
    res.failures = texts.failures;
    // Each command has texts of its own.
    if commands.len() < 2 {
        res.labels = texts.labels;
        res.has_unlabelled = texts.has_others;
    }
    res
}

/// Returns the form of the results of each command that has a branch of the code, by its number. Each
/// command has all values that select it.
pub(crate) fn outcomes(
    code: &Analysis<'_, '_>,
    commands: &[Vec<String>],
    answers: Answers,
) -> BTreeMap<usize, Outcome> {
    let scopes = Scopes::new(&code.readers, commands);
    let known = scopes.known().into_iter();
    let is_camel = writes_camel_case(code);
    let consumed = Consumed::new(&code.readers);
    let forms = known.filter_map(|command| {
        let is_reached = |file: usize, at: usize| {
            let scope = scopes.at(file, at);
            scope.commands.is_none_or(|it| it.contains(&command))
        };
        let own = &commands[command..=command];
        let is_answer = |file: usize, at: usize| !consumed.has(&scopes, command, (file, at));
        let form = results_at(code, own, answers, (&is_reached, &is_answer)).form;
        let form = form.map(|it| if is_camel { it.in_camel_case() } else { it });
        form.map(|form| (command, form))
    });
    forms.collect()
}

/// Returns true for a position in a file that counts, by the number of the file.
type Counts<'f> = &'f dyn Fn(usize, usize) -> bool;

/// Returns the form of the results at the positions of files that are reached; of objects, those that are
/// answers of the program.
fn results_at(
    code: &Analysis<'_, '_>,
    commands: &[Vec<String>],
    answers: Answers,
    (is_reached, is_answer): (Counts<'_>, Counts<'_>),
) -> Results {
    let mut found = Found::default();
    let files = Files {
        readers: &code.readers,
        commands,
        answers,
        is_reached,
    };
    // An answer may pass on the result of another object, `{ success: true, result }`.
    for source in Source::of(answers) {
        for file in 0..files.readers.len() {
            let is_reached = |at| is_reached(file, at);
            let code = files.code(file, &is_reached, MAX_EXPRESSIONS);
            found.add(&code, source, &|at| is_answer(file, at));
        }
        if !found.forms.is_empty() || found.n_unknown > 0 {
            break;
        }
    }
    found.results(answers)
}

/// A place of answers in code.
#[derive(Clone, Copy)]
enum Source {
    /// The result of the function that the old host called.
    Returned,
    /// Objects that begin like this, or are the arguments of functions that print them.
    Objects(Starts),
    /// The arguments of functions that print.
    Printed,
}

impl Source {
    /// Returns the places in the order in which they count.
    fn of(answers: Answers) -> &'static [Self] {
        match answers {
            Answers::Program => &[Self::Objects(STATUS), Self::Objects(SUCCESS)],
            Answers::Module => &[
                Self::Returned,
                Self::Objects(STATUS),
                Self::Objects(SUCCESS),
            ],
            Answers::Printed => &[Self::Printed],
        }
    }
}

/// The forms of answers.
#[derive(Default)]
struct Found {
    forms: Vec<Outcome>,
    n_unknown: usize,
    has_result: bool,
}

impl Found {
    fn add(&mut self, code: &Code<'_, '_>, source: &Source, is_answer: &dyn Fn(usize) -> bool) {
        let forms = match source {
            Source::Returned => code.answer(CALLED).map(Some).into_iter().collect(),
            Source::Objects(starts) => code.objects(*starts, is_answer),
            Source::Printed => code.printed(),
        };
        self.has_result |= code.has_result.get() || matches!(source, Source::Objects(_));
        for form in forms {
            match form {
                Some(form) => self.forms.push(form),
                None => self.n_unknown += 1,
            }
        }
    }

    fn results(mut self, answers: Answers) -> Results {
        let is_bare = answers == Answers::Module && !self.has_result;
        if answers == Answers::Printed {
            // A notice of an error is in place of the data.
            let is_data = |it: &Outcome| *it != Outcome::Text;
            if self.forms.iter().any(is_data) {
                self.forms.retain(is_data);
                self.n_unknown = 0;
            }
        }
        if answers == Answers::Module && self.forms.iter().any(|it| *it != Outcome::Text) {
            // The objects around texts have other members in some answers.
            let name = if is_bare {
                "original_plugin_output"
            } else {
                "result"
            };
            for form in &mut self.forms {
                *form = std::mem::replace(form, Outcome::Text).into_object(name);
            }
        }
        let n_known = self.forms.len();
        let mut all = self.forms.into_iter();
        let Some(first) = all.next() else {
            return Results::default();
        };
        let form = all.try_fold(first, merged);
        let has_error = form.as_ref().is_some_and(|form| form.has("error"));
        let form = form.and_then(Outcome::without_error);
        // A few texts beside many are texts as well; an object may have other members.
        let is_certain = match form {
            Some(Outcome::Text) => self.n_unknown * 3 <= n_known,
            _ => self.n_unknown == 0,
        };
        let (form, partly) = if is_certain {
            (form, None)
        } else {
            (None, form)
        };
        Results {
            form,
            is_bare,
            has_error: has_error && is_certain,
            partly,
            ..Results::default()
        }
    }
}

/// Returns true if the keys of what is printed are changed: `json.dumps(to_camel_case(answer))`.
fn writes_camel_case(code: &Analysis<'_, '_>) -> bool {
    let mut tokens = code.readers.iter().flat_map(|it| it.tokens.windows(4));
    tokens.any(|four| match four {
        [
            Token::Word("dumps" | "stringify"),
            Token::Sign('('),
            Token::Word(name),
            Token::Sign('('),
        ] => name.to_ascii_lowercase().contains("camel"),
        _ => false,
    })
}

/// Returns true if a function returns a text that begins with a cross.
fn has_cross(tokens: &[Token<'_>]) -> bool {
    (0..tokens.len()).any(|at| match tokens[at..] {
        [Token::Word("return"), Token::Text(text), ..]
        | [
            Token::Word("return"),
            Token::Word("f"),
            Token::Text(text),
            ..,
        ] => text.trim_start().starts_with(CROSS),
        _ => false,
    })
}
