//! The report for programs, documented in `docs/report.md`. `schema` is incremented when the form
//! changes in a way that a program would notice.

use std::collections::BTreeMap;

use parity_record::Parity;
use serde_json::{Map, Value, json};
use skill_diagnostics::Diagnostic;
use skill_migrator::Fate;
use skill_pipeline::{Account, Migrated, Mode, Outcome};

/// The version of the form.
const SCHEMA: u32 = 1;

/// Returns the whole report, with a line end.
/// `parity` has the recorded comparisons of the skills.
pub fn render(mode: Mode, migrated: &Migrated, parity: &BTreeMap<String, Parity>) -> String {
    let Migrated {
        outcomes,
        not_searched,
        totals,
        ..
    } = migrated;
    let by_status: Map<String, Value> = totals
        .by_status
        .iter()
        .map(|(status, n)| (status.word().to_owned(), json!(n)))
        .collect();
    let mut report = json!({
        "schema": SCHEMA,
        "tool": "skills-migrate",
        "mode": match mode {
            Mode::Write => "write",
            Mode::DryRun => "dry-run",
            Mode::Check => "check",
        },
        "summary": {
            "plugins": totals.plugins,
            "migrated": totals.migrated,
            "runnable": totals.runnable,
            "needs_attention": totals.attention,
            "hosted": totals.hosted,
            "by_status": by_status,
        },
        "not_searched": not_searched.iter().map(finding).collect::<Vec<_>>(),
        "plugins": outcomes.iter().map(|it| plugin(it, parity)).collect::<Vec<_>>(),
    });
    if let Some(import) = &migrated.settings {
        report["settings"] = import.to_json();
    }
    serde_json::to_string_pretty(&report).expect("a JSON value is written") + "\n"
}

/// Returns how it is known that the skill of a plugin runs; `None` if it cannot.
fn level(outcome: &Outcome, parity: &BTreeMap<String, Parity>) -> Option<&'static str> {
    let can_run = outcome.status.is_migrated() && outcome.runnable == Some(true);
    let name = outcome.skill.as_ref().filter(|_| can_run)?;
    let level = parity.get(name).map(Parity::level).unwrap_or_default();
    Some(level.word())
}

fn plugin(outcome: &Outcome, parity: &BTreeMap<String, Parity>) -> Value {
    let mut res = json!({
        "directory": outcome.directory,
        "plugin": outcome.plugin,
        "skill": outcome.skill,
        "status": outcome.status.word(),
        "runnable": outcome.runnable,
        "hosted": outcome.is_hosted,
        "level": level(outcome, parity),
        "findings": outcome.findings.iter().map(finding).collect::<Vec<_>>(),
    });
    if let Some(account) = &outcome.account {
        res["fates"] = fates(account);
        res["left_out"] = left_out(account);
    }
    res
}

/// Returns a finding without the parts that are absent.
fn finding(finding: &Diagnostic) -> Value {
    let mut res = json!({
        "code": finding.code.0,
        "severity": finding.severity.word(),
        "message": finding.message,
    });
    let place = &finding.place;
    let mut set = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            res[key] = value;
        }
    };
    set("file", place.file.as_ref().map(|file| json!(file)));
    set(
        "line",
        place.span.as_ref().map(|span| json!(span.position.line)),
    );
    set(
        "column",
        place.span.as_ref().map(|span| json!(span.position.column)),
    );
    set(
        "pointer",
        place.pointer.as_ref().map(|pointer| json!(pointer)),
    );
    set("help", finding.help.as_ref().map(|help| json!(help)));
    res
}

fn fates(account: &Account) -> Value {
    let rows = account.fates.iter().map(|(place, fate)| {
        let mut row = json!({
            "file": &*place.file,
            "pointer": place.pointer,
            "fate": fate.word(),
        });
        match fate {
            Fate::Carried { to } | Fate::Kept { to } => row["to"] = json!(to),
            Fate::Transformed { to, how } => {
                row["to"] = json!(to);
                row["how"] = json!(how);
            }
            Fate::Dropped { why } => row["why"] = json!(why),
        }
        row
    });
    rows.collect()
}

fn left_out(account: &Account) -> Value {
    let rows = account
        .left_out
        .iter()
        .map(|left| json!({ "path": left.path, "reason": left.reason.phrase() }));
    rows.collect()
}
