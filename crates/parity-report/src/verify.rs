//! The result of a comparison: a line for each plugin, and everything as JSON.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};
use similar::TextDiff;
use skill_language::{Language, columns, say};
use skill_parity::{CaseResult, Cause, Difference, PluginResult, ProgramClock, Verdict};

use skill_report::printable;

use crate::{padded, totals, without_secrets};

/// The longest reason in a line of text, in characters.
const MAX_REASON: usize = 200;
/// The longest value in a line of text, in characters.
const MAX_VALUE: usize = 80;
/// The maximum number of differences of a case in the text.
const MAX_DIFFERENCES: usize = 5;
/// The maximum number of masked places in the text.
const MAX_MASKED: usize = 3;
/// The longest text in the JSON report, in characters.
const MAX_TEXT: usize = 20_000;

/// Returns lines for each plugin, and a last line with totals.
pub fn text(results: &[PluginResult], language: Language) -> String {
    let words = results
        .iter()
        .map(|it| columns(&language.say(it.verdict.word())));
    let width = words.max().unwrap_or_default();
    let mut res: String = results
        .iter()
        .map(|it| lines(it, width, language))
        .collect();
    let counts = Verdict::ALL.map(|verdict| {
        let n = results.iter().filter(|it| it.verdict == verdict).count();
        let word = match verdict {
            // The verdict of one plugin is a verb.
            Verdict::Differs if n != 1 => "differ",
            Verdict::FailsAlike if n != 1 => "fail alike",
            Verdict::Unchanged if n != 1 => "pass unchanged",
            verdict => verdict.word(),
        };
        format!("{n} {}", language.say(word))
    });
    res.push_str(&totals(results.len(), &counts, language));
    res.push_str(&causes(results, language));
    res.push_str(&unmasked(results, language));
    res
}

/// Returns the number of verified cases, and of those in which nothing was masked.
fn verified_cases(results: &[PluginResult]) -> (usize, usize) {
    let cases = results.iter().flat_map(|result| &result.cases);
    let verified = cases.filter(|case| case.verdict == Verdict::Verified);
    let is_equal: Vec<bool> = verified.map(|case| case.masked.is_empty()).collect();
    let n_equal = is_equal.iter().filter(|is_equal| **is_equal).count();
    (is_equal.len(), n_equal)
}

/// Returns a line with the number of cases that are equal without a mask, if there is more than one plugin.
fn unmasked(results: &[PluginResult], language: Language) -> String {
    let (all, equal) = verified_cases(results);
    if results.len() < 2 || all == 0 {
        return String::new();
    }
    let line = say!(
        language,
        "{equal} of {all} verified cases are equal in every word; in the others, what differs from run to run was not compared"
    );
    format!("{line}\n")
}

/// Returns a line with the reasons why plugins are not verified, if there is more than one plugin.
fn causes(results: &[PluginResult], language: Language) -> String {
    let counts = Cause::ALL.into_iter().filter_map(|cause| {
        let all = results.iter().filter(|it| it.cause == Some(cause));
        let n = all.count();
        (n > 0).then(|| format!("{n} {}", language.say(cause.words())))
    });
    let counts: Vec<_> = counts.collect();
    if results.len() < 2 || counts.is_empty() {
        return String::new();
    }
    let counts = counts.join(&language.say(", "));
    format!("{}\n", say!(language, "not proven: {counts}"))
}

/// Returns one line for a plugin, with the first line of the reason, for people who wait for the others.
pub fn short_line(result: &PluginResult) -> String {
    let why = result.reason.as_deref().unwrap_or_default();
    let why = one_line(why.lines().next().unwrap_or_default(), MAX_REASON);
    let sign = if why.is_empty() { "" } else { ": " };
    let (directory, verdict) = (printable(&result.directory), result.verdict.word());
    format!("{directory}: {verdict}{sign}{}", printable(&why))
}

fn lines(result: &PluginResult, width: usize, language: Language) -> String {
    let directory = match result.directory.as_str() {
        "" => ".",
        directory => directory,
    };
    let directory = printable(directory);
    let verdict = padded(&language.say(result.verdict.word()), width);
    let mut res = format!("{verdict}  {directory}");
    if let Some(skill) = &result.skill {
        let _ = write!(res, " -> {}", printable(skill));
    }
    res.push_str(&language.say(": "));
    res.push_str(&match &result.reason {
        Some(reason) => printable(&one_line(&language.say(reason), MAX_REASON)),
        None => measured(result, language),
    });
    let would_prove = result.would_prove.as_deref();
    // A reason that ends with the flag in brackets already says it.
    let is_said = |remedy: &str| {
        let reason = result.reason.as_deref().unwrap_or_default();
        reason.ends_with(&format!("({remedy})"))
    };
    if let Some(remedy) = would_prove.filter(|remedy| !is_said(remedy)) {
        let remedy = printable(remedy);
        let _ = write!(res, " {}", say!(language, "[would prove it: {remedy}]"));
    }
    res.push('\n');
    res.push_str(&masked(result, language));
    res.push_str(&without_secrets(&result.without_secrets, language));
    for case in result
        .cases
        .iter()
        .filter(|it| it.verdict == Verdict::Differs)
    {
        for difference in case.differences.iter().take(MAX_DIFFERENCES) {
            let _ = writeln!(
                res,
                "    {}: {}",
                case.id,
                printable(&difference_line(difference, language))
            );
        }
        let more = case.differences.len().saturating_sub(MAX_DIFFERENCES);
        if more > 0 {
            let more = say!(language, "{more} more differences");
            let _ = writeln!(res, "    {}: {more}", case.id);
        }
    }
    res
}

/// Returns a line with the values of a verified plugin that were not compared.
fn masked(result: &PluginResult, language: Language) -> String {
    if result.verdict != Verdict::Verified {
        return String::new();
    }
    let cases = result.cases.iter();
    let cases = cases.filter(|case| case.verdict == Verdict::Verified);
    let all: BTreeSet<&str> = cases
        .flat_map(|case| case.masked.iter().map(String::as_str))
        .collect();
    if all.is_empty() {
        return String::new();
    }
    let places = all.iter().take(MAX_MASKED);
    let places: Vec<_> = places.map(|at| one_line(at, MAX_VALUE)).collect();
    let more = all.len().saturating_sub(places.len());
    let places = printable(&places.join(&language.say(", ")));
    let line = match more {
        0 => say!(
            language,
            "not compared in full, because it differs from run to run: {places}"
        ),
        more => say!(
            language,
            "not compared in full, because it differs from run to run: {places} and {more} more"
        ),
    };
    let mut res = format!("    {line}\n");
    if result.clock == Some(ProgramClock::Real) {
        let note = "its program has a clock of its own, because faketime is not installed";
        let _ = writeln!(res, "    {}", language.say(note));
    }
    res
}

/// Returns the number of cases, and the time of the skill relative to the plugin.
fn measured(result: &PluginResult, language: Language) -> String {
    let n = result.cases.len();
    let counted = match result.verdict {
        Verdict::Differs => Verdict::Differs,
        _ => Verdict::Verified,
    };
    let cases = result.cases.iter();
    let counted = cases.filter(|it| it.verdict == counted).count();
    let cases = match (n, counted) {
        (1, 1) => say!(language, "1 case"),
        (n, counted) if counted == n => say!(language, "{n} cases"),
        (n, counted) => say!(language, "{counted} of {n} cases"),
    };
    let is_recorded = result.cases.iter().any(|case| case.is_recorded);
    let requests = match result.cases.iter().map(|case| case.n_requests).sum() {
        0 => None,
        1 if is_recorded => Some(say!(language, "1 recorded request, same answers")),
        requests if is_recorded => {
            Some(say!(language, "{requests} recorded requests, same answers"))
        }
        1 => Some(say!(language, "1 request to the emulated internet")),
        requests => Some(say!(
            language,
            "{requests} requests to the emulated internet"
        )),
    };
    let time = ratio(result);
    let time = time.map(|ratio| say!(language, "{ratio:.2} × the time of the plugin"));
    let parts: Vec<String> = [Some(cases), requests, time]
        .into_iter()
        .flatten()
        .collect();
    parts.join(&language.say(", "))
}

fn ratio(result: &PluginResult) -> Option<f64> {
    let times = || result.cases.iter().filter_map(|case| case.ms);
    let plugin: f64 = times().map(|(plugin, _)| plugin).sum();
    let skill: f64 = times().map(|(_, skill)| skill).sum();
    (plugin > 0.0).then(|| skill / plugin)
}

fn difference_line(difference: &Difference, language: Language) -> String {
    if let Some(line) = requests_line(difference, language) {
        return line;
    }
    let value = |value: &Option<Value>| match value {
        Some(value) => one_line(&value.to_string(), MAX_VALUE),
        None => language.say("nothing").into_owned(),
    };
    let at = match difference.at.as_str() {
        "" => "/",
        at => at,
    };
    say!(
        language,
        "{}: plugin {}, skill {}",
        one_line(at, MAX_VALUE),
        value(&difference.plugin),
        value(&difference.skill)
    )
}

/// Returns a line with the requests that only one side made; `None` if the difference is another one.
fn requests_line(difference: &Difference, language: Language) -> Option<String> {
    if difference.at != "/requests" {
        return None;
    }
    let requests = |side: &Option<Value>| side.as_ref()?.as_array().cloned();
    let (plugin, skill) = (requests(&difference.plugin)?, requests(&difference.skill)?);
    let surplus = |own: &[Value], others: &[Value]| {
        let words = surplus(own, others, language);
        (!words.is_empty()).then(|| words.join(&language.say(", ")))
    };
    let of_plugin = surplus(&plugin, &skill);
    let of_skill = surplus(&skill, &plugin);
    let sides = [
        of_plugin.map(|requests| say!(language, "only the plugin asks {requests}")),
        of_skill.map(|requests| say!(language, "only the skill asks {requests}")),
    ];
    let sides: Vec<String> = sides.into_iter().flatten().collect();
    (!sides.is_empty()).then(|| sides.join(&language.say("; ")))
}

/// Returns the methods and addresses of the requests that the others have not, each as often as it is missing.
fn surplus(own: &[Value], others: &[Value], language: Language) -> Vec<String> {
    let mut others = others.to_vec();
    let mut res = Vec::new();
    for request in own {
        match others.iter().position(|other| other == request) {
            Some(at) => drop(others.swap_remove(at)),
            None => {
                let word = |key: &str| request[key].as_str().unwrap_or_default();
                let line = format!("{} {}", word("method"), word("url"));
                res.push(one_line(&line, MAX_VALUE));
            }
        }
    }
    let more = res.len().saturating_sub(MAX_DIFFERENCES);
    if more > 0 {
        res.truncate(MAX_DIFFERENCES);
        res.push(say!(language, "{more} more"));
    }
    res
}

fn one_line(text: &str, max: usize) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    cut(&text, max)
}

fn cut(text: &str, max: usize) -> String {
    match text.char_indices().nth(max) {
        Some((end, _)) => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        None => text.to_owned(),
    }
}

/// Returns everything for programs.
pub fn json(results: &[PluginResult], unused: &[String]) -> String {
    let counts = Verdict::ALL.map(|verdict| {
        let n = results.iter().filter(|it| it.verdict == verdict).count();
        (verdict.word().replace(' ', "_"), Value::from(n))
    });
    let (verified_cases, equal_cases) = verified_cases(results);
    let value = json!({
        "version": 1,
        "plugins": results.len(),
        "counts": serde_json::Map::from_iter(counts),
        "verified_cases": verified_cases,
        "verified_cases_without_masks": equal_cases,
        "unused_cases": unused,
        "results": results.iter().map(of_plugin).collect::<Vec<_>>(),
    });
    let mut res = serde_json::to_string_pretty(&value).expect("a value is JSON");
    res.push('\n');
    res
}

fn of_plugin(result: &PluginResult) -> Value {
    let (source, skill) = result.digests.clone().unzip();
    json!({
        "directory": result.directory,
        "skill": result.skill,
        "verdict": result.verdict.word(),
        "reason": result.reason,
        "cause": result.cause.map(Cause::word),
        "would_prove": result.would_prove,
        "level": result.level.word(),
        "clock": result.clock.as_ref().map(ProgramClock::words),
        "without_secrets": result.without_secrets,
        "digests": {"plugin": source, "skill": skill},
        "time_ratio": ratio(result),
        "cases": result.cases.iter().map(of_case).collect::<Vec<_>>(),
    })
}

fn of_case(case: &CaseResult) -> Value {
    let answers = case.answers.as_ref();
    let answers = answers
        .map(|(plugin, skill)| json!({"plugin": shortened(plugin), "skill": shortened(skill)}));
    json!({
        "id": case.id,
        "verdict": case.verdict.word(),
        "reason": case.reason,
        "input": shortened(&case.input),
        "answers": answers,
        "differences": case.differences.iter().map(of_difference).collect::<Vec<_>>(),
        "masked": case.masked,
        "requests": case.n_requests,
        "asked": case.asked,
        "recorded": case.is_recorded,
        "ms": case.ms.map(|(plugin, skill)| json!({"plugin": plugin, "skill": skill})),
    })
}

fn of_difference(difference: &Difference) -> Value {
    let mut res = json!({"at": difference.at});
    for (key, value) in [("plugin", &difference.plugin), ("skill", &difference.skill)] {
        if let Some(value) = value {
            res[key] = shortened(value);
        }
    }
    if let (Some(Value::String(plugin)), Some(Value::String(skill))) =
        (&difference.plugin, &difference.skill)
        && (plugin.contains('\n') || skill.contains('\n'))
    {
        let diff = TextDiff::from_lines(plugin.as_str(), skill.as_str());
        let diff = diff.unified_diff().header("plugin", "skill").to_string();
        res["diff"] = cut(&diff, MAX_TEXT).into();
    }
    res
}

fn shortened(value: &Value) -> Value {
    let text = match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    if text.chars().count() <= MAX_TEXT {
        return value.clone();
    }
    cut(&text, MAX_TEXT).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_of_one_side_are_named() {
        let ask = |method: &str, url: &str| json!({"method": method, "url": url});
        let (a, b) = (
            ask("GET", "https://a.example/1"),
            ask("GET", "https://a.example/2"),
        );
        let leak = ask("POST", "https://evil.example/leak");
        let check = |plugin: &[&Value], skill: &[&Value], expected: &str| {
            let difference = Difference {
                at: "/requests".to_owned(),
                plugin: Some(json!(plugin)),
                skill: Some(json!(skill)),
            };
            assert_eq!(difference_line(&difference, Language::English), expected);
        };
        let only = "only the skill asks POST https://evil.example/leak";
        check(&[&a, &b], &[&a, &leak, &b], only);
        check(
            &[&a],
            &[&a, &a],
            "only the skill asks GET https://a.example/1",
        );
        let both = "only the plugin asks GET https://a.example/2; ";
        check(&[&a, &b], &[&a, &leak], &format!("{both}{only}"));
    }

    #[test]
    fn a_reason_is_one_line_of_limited_length() {
        let mut result = PluginResult::not_run("Fetch".to_owned(), None);
        let check = |result: &PluginResult, expected: &str| {
            assert_eq!(short_line(result), expected);
        };
        check(&result, "Fetch: not run");
        result.reason = Some("no answer\nat all".to_owned());
        check(&result, "Fetch: not run: no answer");
        result.reason = Some("x".repeat(3000));
        let cut = format!(
            "Fetch: not run: {}… (3000 characters)",
            "x".repeat(MAX_REASON)
        );
        check(&result, &cut);
    }
}
