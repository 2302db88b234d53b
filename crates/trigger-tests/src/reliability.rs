//! The confidence of first matches against how often they are right.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};
use skill_language::{Language, say};
use skill_search::calibrate::{Bin, ListedSkill, curve, error};
use skill_search::terms;

use crate::case::Expected;
use crate::result::CaseResult;

/// The width of a full bar of the diagram, in characters.
const WIDTH: usize = 40;
/// The maximum number of terms of a short request; longer ones up to the second number are of
/// middle length.
const SHORT: usize = 3;
const MIDDLE: usize = 12;

/// A group of requests.
struct Group {
    title: &'static str,
    is_in: fn(&str) -> bool,
}

const GROUPS: [Group; 5] = [
    Group {
        title: "requests in Chinese, Japanese, Korean",
        is_in: has_runs,
    },
    Group {
        title: "requests in other languages",
        is_in: |query| !has_runs(query),
    },
    Group {
        title: "requests of up to 3 terms",
        is_in: |query| terms(query).len() <= SHORT,
    },
    Group {
        title: "requests of 4 to 12 terms",
        is_in: |query| (SHORT + 1..=MIDDLE).contains(&terms(query).len()),
    },
    Group {
        title: "requests of more than 12 terms",
        is_in: |query| terms(query).len() > MIDDLE,
    },
];

fn has_runs(query: &str) -> bool {
    let is_run = |c: char| matches!(c, '\u{3041}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}');
    query.chars().any(is_run)
}

/// The reliability of first matches among `n_skills` skills: of all requests and of groups.
pub struct Reliability {
    n_skills: usize,
    n_requests: usize,
    bins: Vec<Bin>,
    error: f64,
    /// The title of each group with requests, their number and the error.
    groups: Vec<(&'static str, usize, f64)>,
}

impl Reliability {
    /// Compares the first match of each test with what is right. A first match of a test of "not
    /// first" counts only if it is one of the skills that are wrong there.
    pub fn new(results: &[CaseResult], n_skills: usize) -> Self {
        let firsts: Vec<(&str, Vec<ListedSkill>)> = results.iter().filter_map(first).collect();
        let of = |is_in: fn(&str) -> bool| -> Vec<Vec<ListedSkill>> {
            let own = firsts.iter().filter(|(query, _)| is_in(query));
            own.map(|(_, first)| first.clone()).collect()
        };
        let bins = curve(&of(|_| true));
        let groups = GROUPS.iter().map(|group| {
            let own = of(group.is_in);
            (group.title, own.len(), error(&curve(&own)))
        });
        Self {
            n_skills,
            n_requests: firsts.len(),
            error: error(&bins),
            bins,
            groups: groups.filter(|(_, n, _)| *n > 0).collect(),
        }
    }

    /// Writes one object for programs, or a diagram and the errors for people.
    ///
    /// # Errors
    ///
    /// The output cannot be written.
    pub fn write(&self, is_json: bool, language: Language, out: &mut dyn Write) -> io::Result<()> {
        if is_json {
            writeln!(out, "{:#}", self.json())
        } else {
            write!(out, "{}", self.text(language))
        }
    }

    fn json(&self) -> Value {
        let bins = self.bins.iter().map(|bin| {
            json!({"from": rounded(bin.from.into()), "n": bin.n, "mean": rounded(bin.mean), "right": rounded(bin.used)})
        });
        let groups = self.groups.iter().map(
            |(title, n, error)| json!({"group": title, "n": n, "calibration_error": rounded(*error)}),
        );
        json!({
            "skills": self.n_skills,
            "requests": self.n_requests,
            "curve": bins.collect::<Vec<_>>(),
            "calibration_error": rounded(self.error),
            "groups": groups.collect::<Vec<_>>(),
        })
    }

    fn text(&self, language: Language) -> String {
        let (n_requests, n_skills) = (self.n_requests, self.n_skills);
        let mut res = String::new();
        let head = say!(
            language,
            "first matches of {n_requests} requests among {n_skills} skills"
        );
        let columns = language.say("confidence from   requests   said  right");
        let _ = writeln!(res, "{head}\n\n{columns}");
        for bin in &self.bins {
            let (from, n, mean, right) = (bin.from, bin.n, bin.mean, bin.used);
            let bar = bar(right, mean);
            let _ = writeln!(res, "{from:>15.1} {n:>10} {mean:>6.2} {right:>6.2}  {bar}");
        }
        let legend =
            language.say("bars: how often the match is right; |: what the confidence says");
        let total = say!(language, "expected calibration error: {:.3}", self.error);
        let _ = writeln!(res, "{legend}\n\n{total}");
        for (title, n, error) in &self.groups {
            let _ = writeln!(res, "  {error:.3}  {n:>6}  {}", language.say(title));
        }
        res
    }
}

/// Returns the first match of a test, if it is known whether it is right.
fn first(result: &CaseResult) -> Option<(&str, Vec<ListedSkill>)> {
    let (_, confidence) = result.first.as_ref()?;
    let is_named = result.found.is_some_and(|(rank, _)| rank == 1);
    let is_right = match result.case.expected {
        Expected::First | Expected::Among(_) => is_named,
        Expected::Nothing => false,
        Expected::NotThese if is_named => false,
        Expected::NotThese => return None,
    };
    #[expect(clippy::cast_possible_truncation, reason = "a share of four digits")]
    let confidence = *confidence as f32;
    let first = ListedSkill {
        confidence,
        relatedness: confidence,
        choice: confidence,
        is_used: is_right,
    };
    Some((&result.case.query, vec![first]))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share of a width of 40"
)]
fn bar(right: f64, said: f64) -> String {
    let place = |share: f64| (share * WIDTH as f64).round() as usize;
    let (right, said) = (place(right), place(said));
    let cell = |at: usize| match at {
        at if at == said => '|',
        at if at < right => '#',
        _ => ' ',
    };
    let bar: String = (0..=WIDTH).map(cell).collect();
    bar.trim_end().to_owned()
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Case;

    fn result(query: &str, expected: Expected, confidence: f64, rank: usize) -> CaseResult {
        CaseResult {
            case: Case {
                query: query.to_owned(),
                skills: vec!["a".to_owned()],
                expected,
                file: "f".to_owned(),
                line: 1,
            },
            first: Some(("a".to_owned(), confidence)),
            found: Some((rank, confidence)),
            unknown: Vec::new(),
            passed: true,
        }
    }

    #[test]
    fn errors_are_counted_by_group() {
        let results = [
            result("merge files", Expected::First, 0.75, 1),
            result("合并文件", Expected::First, 0.75, 2),
            result("split files", Expected::NotThese, 0.25, 1),
            result("paint", Expected::NotThese, 0.25, 2),
        ];
        let found = Reliability::new(&results, 9);
        let text = found.text(Language::English);
        assert_eq!((found.n_requests, found.bins.len()), (3, 2), "{text}");
        let expected = (2.0 * (0.75 - 0.5) + 0.25) / 3.0;
        assert!((found.error - expected).abs() < 1e-9, "{text}");
        assert!(text.contains("0.7          2   0.75   0.50  ####################          |"));
        assert_eq!(found.json()["groups"][0]["calibration_error"], 0.75);
    }
}
