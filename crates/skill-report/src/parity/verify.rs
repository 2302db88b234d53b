//! What is told: a line for each plugin, and everything as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use similar::TextDiff;

use skill_parity::{Account, CaseAccount, Difference, Verdict};

use crate::printable;

/// Longest value in a line of text, in characters.
const SHORT: usize = 80;
/// Differences of a case that are shown as text.
const SHOWN: usize = 5;
/// Longest text in the JSON report, in characters.
const LONG: usize = 20_000;

/// The lines for people; the last one counts.
pub fn text(accounts: &[Account]) -> String {
    let mut res: String = accounts.iter().map(lines).collect();
    let counts = Verdict::ALL.map(|verdict| {
        let n = accounts.iter().filter(|it| it.verdict == verdict).count();
        format!("{n} {}", verdict.word())
    });
    let _ = writeln!(res, "{} plugins: {}", accounts.len(), counts.join(", "));
    res
}

fn lines(account: &Account) -> String {
    let directory = match account.directory.as_str() {
        "" => ".",
        directory => directory,
    };
    let directory = printable(directory);
    let mut res = format!("{:<8}  {directory}", account.verdict.word());
    if let Some(skill) = &account.skill {
        let _ = write!(res, " -> {}", printable(skill));
    }
    let _ = match (&account.reason, account.verdict) {
        (Some(reason), _) => write!(res, ": {}", printable(&one_line(reason, 200))),
        _ => write!(res, ": {}", measured(account)),
    };
    res.push('\n');
    for case in account
        .cases
        .iter()
        .filter(|it| it.verdict == Verdict::Differs)
    {
        for difference in case.differences.iter().take(SHOWN) {
            let _ = writeln!(res, "    {}: {}", case.id, printable(&shown(difference)));
        }
        let more = case.differences.len().saturating_sub(SHOWN);
        if more > 0 {
            let _ = writeln!(res, "    {}: {more} more differences", case.id);
        }
    }
    res
}

/// How many cases, and how long they took in comparison.
fn measured(account: &Account) -> String {
    let n = account.cases.len();
    let differing = account
        .cases
        .iter()
        .filter(|it| it.verdict == Verdict::Differs)
        .count();
    let cases = match (n, differing) {
        (1, 0) => "1 case".to_owned(),
        (n, 0) => format!("{n} cases"),
        (n, differing) => format!("{differing} of {n} cases"),
    };
    match ratio(account) {
        Some(ratio) => format!("{cases}, {ratio:.2} × the time"),
        None => cases,
    }
}

fn ratio(account: &Account) -> Option<f64> {
    let times = || account.cases.iter().filter_map(|case| case.ms);
    let plugin: f64 = times().map(|(plugin, _)| plugin).sum();
    let skill: f64 = times().map(|(_, skill)| skill).sum();
    (plugin > 0.0).then(|| skill / plugin)
}

fn shown(difference: &Difference) -> String {
    let value = |value: &Option<Value>| match value {
        Some(value) => one_line(&value.to_string(), SHORT),
        None => "nothing".to_owned(),
    };
    let at = match difference.at.as_str() {
        "" => "/",
        at => at,
    };
    format!(
        "{}: plugin {}, skill {}",
        one_line(at, SHORT),
        value(&difference.plugin),
        value(&difference.skill)
    )
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

/// The whole account.
pub fn json(accounts: &[Account], unused: &[String]) -> String {
    let counts = Verdict::ALL.map(|verdict| {
        let n = accounts.iter().filter(|it| it.verdict == verdict).count();
        (verdict.word().replace(' ', "_"), Value::from(n))
    });
    let value = json!({
        "version": 1,
        "plugins": accounts.len(),
        "counts": serde_json::Map::from_iter(counts),
        "unused_cases": unused,
        "results": accounts.iter().map(of_plugin).collect::<Vec<_>>(),
    });
    let mut res = serde_json::to_string_pretty(&value).expect("a value is JSON");
    res.push('\n');
    res
}

fn of_plugin(account: &Account) -> Value {
    let (source, skill) = account.digests.clone().unzip();
    json!({
        "directory": account.directory,
        "skill": account.skill,
        "verdict": account.verdict.word(),
        "reason": account.reason,
        "digests": {"plugin": source, "skill": skill},
        "time_ratio": ratio(account),
        "cases": account.cases.iter().map(of_case).collect::<Vec<_>>(),
    })
}

fn of_case(case: &CaseAccount) -> Value {
    json!({
        "id": case.id,
        "verdict": case.verdict.word(),
        "reason": case.reason,
        "differences": case.differences.iter().map(of_difference).collect::<Vec<_>>(),
        "masked": case.masked,
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
        res["diff"] = cut(&diff, LONG).into();
    }
    res
}

fn shortened(value: &Value) -> Value {
    let text = match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    if text.chars().count() <= LONG {
        return value.clone();
    }
    cut(&text, LONG).into()
}
