//! Things that end with the process of a program: timers of schedulers, connections that only an event confirms, and
//! processes that it ends itself after a time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::analysis::Analysis;
use super::arguments::Reader;
use super::branches::branches;
use super::facts::Language;
use super::lexer::Token;

/// The times after which a program ends a process that it started.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Ending {
    /// The argument and its values that lead there.
    pub(crate) mode: Option<(String, Vec<String>)>,
    /// Seconds without new output.
    pub(crate) idle: Option<String>,
    /// Seconds in all.
    pub(crate) total: Option<String>,
}

/// Returns true for code that plans calls with a scheduler in its process.
pub(crate) fn has_scheduler(code: &Analysis<'_, '_>) -> bool {
    code.readers.iter().any(|reader| {
        let is_call = |at: usize, method: &str| {
            matches!(
                reader.tokens[at + 1..],
                [Token::Sign('.'), Token::Word(found), Token::Sign('('), ..] if found == method
            )
        };
        let jobs = reader.index.of("scheduleJob").iter();
        let mut jobs = jobs.filter(|at| reader.tokens.get(**at + 1) == Some(&Token::Sign('(')));
        let has_cron = || {
            reader
                .index
                .of("cron")
                .iter()
                .any(|at| is_call(*at, "schedule"))
        };
        let has_python = || {
            reader.language == Language::Python
                && ["BackgroundScheduler", "AsyncIOScheduler"]
                    .iter()
                    .any(|name| {
                        reader
                            .index
                            .of(name)
                            .iter()
                            .any(|at| reader.tokens.get(at + 1) == Some(&Token::Sign('(')))
                    })
                && !reader.index.of("add_job").is_empty()
        };
        jobs.next().is_some() || has_cron() || has_python()
    })
}

/// Returns the words of the error with which a call ends while a connection is not there that only an event
/// confirms: `if (!socket || !state.connected) throw new Error('…')`.
pub(crate) fn awaited_connection(code: &Analysis<'_, '_>) -> Option<String> {
    const EVENTS: [&str; 5] = ["connected", "open", "ready", "authenticated", "connect"];
    for reader in &code.readers {
        let [number] = reader.named("processToolCall")[..] else {
            continue;
        };
        // `on('connected', () => { state.connected = true; })`
        let confirmed = reader.index.of("on").iter().filter_map(|at| {
            let [Token::Sign('('), Token::Text(event), ..] = reader.tokens[at + 1..] else {
                return None;
            };
            EVENTS.contains(&event).then_some(())?;
            let close = reader.index.closing(at + 1)?;
            let inside = &reader.tokens[at + 1..close];
            inside.windows(3).find_map(|three| match three {
                [Token::Word(name), Token::Sign('='), Token::Word("true")] => Some(*name),
                _ => None,
            })
        });
        let confirmed: BTreeSet<&str> = confirmed.collect();
        let body = reader.functions[number].body.clone();
        for at in body {
            let Token::Word(name) = reader.tokens[at] else {
                continue;
            };
            if !confirmed.contains(name) {
                continue;
            }
            let is_denied = reader.tokens[at.saturating_sub(3)..at].contains(&Token::Sign('!'));
            let rest = &reader.tokens[at..reader.tokens.len().min(at + 12)];
            let message = rest.windows(4).find_map(|four| match four {
                [
                    Token::Word("throw"),
                    Token::Word("new"),
                    Token::Word(_),
                    Token::Sign('('),
                ] => Some(()),
                _ => None,
            });
            let text = rest.iter().find_map(|it| match it {
                Token::Text(text) if !text.contains("${") => Some((*text).to_owned()),
                _ => None,
            });
            if is_denied && message.is_some() && text.is_some() {
                return text;
            }
        }
    }
    None
}

/// Returns the processes that code ends after a time without output, or after a time in all.
pub(crate) fn endings(code: &Analysis<'_, '_>) -> BTreeSet<Ending> {
    const MAX: usize = 16;
    let mut res = BTreeSet::new();
    let arguments = code.arguments();
    for reader in &code.readers {
        for &at in reader.index.of("setInterval").iter().take(MAX) {
            let Some(close) = reader.index.closing(at + 1) else {
                continue;
            };
            let inside = at + 2..close;
            let kills = reader.tokens[inside.clone()].windows(2).any(|two| {
                matches!(two, [Token::Word(name), Token::Sign('(')] if name.to_lowercase().contains("kill"))
            });
            let Some(interval) = reader.number_at(close - 1).filter(|_| kills) else {
                continue;
            };
            let (mut idle, mut total) = (None, None);
            for (counter, limit) in reader.limits(inside.clone()) {
                match reader.step(counter, inside.clone()) {
                    Some(Step::Time) => total = Some(limit),
                    Some(Step::Round) => idle = Some(limit * interval),
                    None => {}
                }
            }
            if idle.is_none() && total.is_none() {
                continue;
            }
            let all = branches(reader).into_iter();
            let around = all.filter(|it| it.body.contains(&at) && arguments.contains(it.subject));
            let mode = around.min_by_key(|it| it.body.len()).map(|it| {
                let values = it.values.iter().map(|value| (*value).to_owned());
                (it.subject.to_owned(), values.collect())
            });
            let seconds = |it: Option<u64>| it.map(seconds);
            res.insert(Ending {
                mode,
                idle: seconds(idle),
                total: seconds(total),
            });
        }
    }
    res
}

/// The growth of a counter in each round.
enum Step {
    /// By the time of the round.
    Time,
    /// By one, and it begins again where something happens.
    Round,
}

/// Returns milliseconds as seconds: `1.5`.
fn seconds(milliseconds: u64) -> String {
    let (whole, rest) = (milliseconds / 1_000, milliseconds % 1_000 / 100);
    if rest == 0 {
        whole.to_string()
    } else {
        format!("{whole}.{rest}")
    }
}

impl<'a> Reader<'_, 'a> {
    /// Returns the number at a position, or of the constant there.
    fn number_at(&self, at: usize) -> Option<u64> {
        let Token::Word(word) = self.tokens.get(at)? else {
            return None;
        };
        if let Ok(number) = word.replace('_', "").parse() {
            return Some(number);
        }
        let set = self.index.of(word).iter().filter_map(|at| {
            let is_constant = matches!(self.tokens[..*at], [.., Token::Word("const")]);
            match self.tokens[at + 1..] {
                [Token::Sign('='), Token::Word(number), Token::Sign(';'), ..] if is_constant => {
                    number.replace('_', "").parse().ok()
                }
                _ => None,
            }
        });
        let set: BTreeSet<u64> = set.collect();
        (set.len() == 1).then(|| set.first().copied()).flatten()
    }

    /// Returns the counters that are compared with numbers: `idle >= MAX`.
    fn limits(&self, inside: Range<usize>) -> BTreeMap<&'a str, u64> {
        let compared = inside.filter_map(|at| match self.tokens[at..] {
            [Token::Word(counter), Token::Sign('>'), Token::Sign('='), ..] => {
                Some((counter, self.number_at(at + 3)?))
            }
            _ => None,
        });
        compared.collect()
    }

    fn step(&self, counter: &str, inside: Range<usize>) -> Option<Step> {
        let places = self
            .index
            .of(counter)
            .iter()
            .filter(|at| inside.contains(at));
        let (mut grows, mut restarts) = (false, false);
        for at in places {
            match self.tokens[at + 1..] {
                [Token::Sign('+'), Token::Sign('='), ..] => return Some(Step::Time),
                [Token::Sign('+'), Token::Sign('+'), ..] => grows = true,
                [Token::Sign('='), Token::Word("0"), ..] => restarts = true,
                _ => {}
            }
        }
        (grows && restarts).then_some(Step::Round)
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[test]
    fn processes_that_code_ends() {
        let code = "async function processToolCall(args) { const { heat } = args; if (heat === 'low') { const every = 2000; const max = 3; const all = 45000; let idle = 0; let time = 0;
            const id = setInterval(() => { time += every; if (grew) { idle = 0; } else { idle++; } if (idle >= max || time >= all) { killTree(child.pid); } }, every); } }";
        let found = of_file("a.js", code, endings);
        let expected = Ending {
            mode: Some(("heat".to_owned(), vec!["low".to_owned()])),
            idle: Some("6".to_owned()),
            total: Some("45".to_owned()),
        };
        assert_eq!(found, BTreeSet::from([expected]));
        let kept = code.replace("killTree(child.pid)", "stop()");
        assert!(of_file("a.js", &kept, endings).is_empty());
    }

    #[test]
    fn timers_and_connections() {
        let check = |path: &str, code: &str, expected: bool| {
            assert_eq!(of_file(path, code, has_scheduler), expected, "{code}");
        };
        check("a.js", "schedule.scheduleJob(time, brew)", true);
        check("a.js", "cron.schedule('* * * * *', brew)", true);
        check("a.py", "s = BackgroundScheduler()\ns.add_job(brew)\n", true);
        check("a.js", "setInterval(clean, 1000)", false);
        let code = "pot.on('connected', () => { state.connected = true; }); function processToolCall(args) { if (!pot || !state.connected) { throw new Error('no pot yet'); } }";
        let found = of_file("a.js", code, awaited_connection);
        assert_eq!(found.as_deref(), Some("no pot yet"));
        let other = code.replace("throw new Error('no pot yet')", "connect()");
        assert_eq!(of_file("a.js", &other, awaited_connection), None);
    }
}
