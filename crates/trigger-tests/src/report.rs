//! The results for people, programs and CI.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use skill_disclosure::{TO_BRIEF, TO_FULL};
use skill_loader::catalog::PROJECT_ROOTS;
use skill_report::{Paint, printable, xml};

use crate::case::Expected;
use crate::result::{CaseResult, Measures, confusions};

/// The most confusions that the text names; JSON has all.
const N_CONFUSIONS: usize = 20;

/// Returns the tests that failed with their reasons, the confusions and the figures.
///
/// `skills` are the directories that were searched; those of the project if it is empty.
pub fn text(results: &[CaseResult], skills: &[PathBuf], paint: Paint) -> String {
    let mut res = String::new();
    for result in results.iter().filter(|result| !result.passed) {
        let case = &result.case;
        let place = format!("{}:{}", case.file, case.line);
        let _ = writeln!(
            res,
            "{} {}  {}\n    {}",
            paint.error(paint.say("failed")),
            printable(&place),
            printable(&case.query),
            paint.say(&reason(result)),
        );
    }
    if results.iter().any(|result| !result.unknown.is_empty()) {
        let named: Vec<String> = skills.iter().map(|it| it.display().to_string()).collect();
        let line = match &named[..] {
            [] => format!(
                "the tests were run with the skills of the project ({}); --skills names others",
                PROJECT_ROOTS.join(", ")
            ),
            named => format!(
                "the tests were run with the skills in {}; --skills names others",
                printable(&named.join(", "))
            ),
        };
        let _ = writeln!(res, "{}", paint.say(&line));
    }
    confused(results, paint, &mut res);
    measured(results, paint, &mut res);
    res
}

/// Returns what was expected and what was found.
fn reason(result: &CaseResult) -> String {
    let skills = named(&result.case.skills);
    if !result.unknown.is_empty() {
        return format!(
            "no skill {}; expected the name of a skill of the catalog",
            named(&result.unknown)
        );
    }
    let first = result.first.as_ref().map_or_else(
        || "no skill fits".to_owned(),
        |(name, confidence)| format!("first is `{}` ({confidence:.2})", printable(name)),
    );
    let found = result.found.map_or_else(
        || "not found".to_owned(),
        |(rank, confidence)| format!("rank {rank} ({confidence:.2})"),
    );
    match result.case.expected {
        Expected::First if matches!(result.found, Some((1, _))) => {
            format!("expected {skills} first with at least {TO_BRIEF}; {first}")
        }
        Expected::First => format!("expected {skills} first; {first}; {skills}: {found}"),
        Expected::Among(number) => match result.found {
            Some((rank, confidence)) if rank <= number && confidence < TO_BRIEF => format!(
                "expected {skills} among the first {number} with at least {TO_BRIEF}; {first}; {skills}: {found}"
            ),
            _ => format!("expected {skills} among the first {number}; {first}; {skills}: {found}"),
        },
        Expected::NotThese => format!("expected another skill than {skills}, or none; {first}"),
        Expected::Nothing => format!("expected no skill; {first}"),
    }
}

fn named(names: &[String]) -> String {
    let names = names.iter().map(|name| format!("`{}`", printable(name)));
    names.collect::<Vec<_>>().join(", ")
}

fn confused(results: &[CaseResult], paint: Paint, acc: &mut String) {
    let all = confusions(results);
    if all.is_empty() {
        return;
    }
    let _ = writeln!(acc, "\n{}", paint.say("Confusions"));
    for (skill, first, n) in all.iter().take(N_CONFUSIONS) {
        let first = first.as_deref().map(printable);
        let first = first.map_or_else(|| paint.say("no skill"), Into::into);
        let _ = writeln!(acc, "  {n:>4}  {} → {first}", printable(skill));
    }
    if let Some(n @ 1..) = all.len().checked_sub(N_CONFUSIONS) {
        let more = format!("and {n} more; --format json has all");
        let _ = writeln!(acc, "        {}", paint.say(&more));
    }
    acc.push('\n');
}

fn measured(results: &[CaseResult], paint: Paint, acc: &mut String) {
    let found = Measures::new(results);
    let (passed, all) = found.passed;
    let failed = all - passed;
    let totals = match all {
        1 => format!("1 test: {passed} passed, {failed} failed"),
        _ => format!("{all} tests: {passed} passed, {failed} failed"),
    };
    let _ = writeln!(acc, "{}", paint.say(&totals));
    let rows = [
        (found.right_first, "the right skill is first"),
        (
            found.right_first_sure,
            "the right skill is first and has at least TO_FULL",
        ),
        (
            found.sure_right,
            "a first skill with at least TO_FULL is right",
        ),
        (
            found.not_these,
            "a skill that does not fit is not triggered",
        ),
        (found.nothing, "a request that no skill fits triggers none"),
    ];
    for (counts @ (part, whole), what) in rows.into_iter().filter(|((_, whole), _)| *whole > 0) {
        let what = paint.say(what).replace("TO_FULL", &TO_FULL.to_string());
        let colon = paint.say(": ");
        let _ = writeln!(acc, "  {what}{colon}{part}/{whole}, {}", share(counts));
    }
}

#[expect(clippy::cast_precision_loss, reason = "numbers of tests")]
fn share((part, whole): (usize, usize)) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}

/// Returns everything for programs.
pub fn json(results: &[CaseResult]) -> Value {
    let found = Measures::new(results);
    let part = |(part, whole): (usize, usize)| json!({"count": part, "of": whole});
    let rows = results.iter().map(|result| {
        json!({
            "file": result.case.file,
            "line": result.case.line,
            "query": result.case.query,
            "skills": result.case.skills,
            "expect": result.case.expected.to_string(),
            "passed": result.passed,
            "first": result.first.as_ref().map(|(name, it)| json!({"skill": name, "confidence": it})),
            "rank": result.found.map(|(rank, _)| rank),
            "confidence": result.found.map(|(_, it)| it),
            "unknown": result.unknown,
        })
    });
    let confusions = confusions(results).into_iter();
    let confusions =
        confusions.map(|(skill, first, n)| json!({"skill": skill, "first": first, "count": n}));
    json!({
        "version": 1,
        "tests": found.passed.1,
        "passed": found.passed.0,
        "measures": {
            "right_first": part(found.right_first),
            "right_first_sure": part(found.right_first_sure),
            "sure_right": part(found.sure_right),
            "not_these": part(found.not_these),
            "nothing": part(found.nothing),
        },
        "confusions": confusions.collect::<Vec<_>>(),
        "results": rows.collect::<Vec<_>>(),
    })
}

/// Returns `JUnit` XML: a test case for each test, in the order of the tests.
pub fn junit(results: &[CaseResult]) -> String {
    let (passed, all) = Measures::new(results).passed;
    let counts = format!("tests=\"{all}\" failures=\"{}\"", all - passed);
    let mut res = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"skills-describe\" {counts}>\n  \
         <testsuite name=\"triggers\" {counts} errors=\"0\" skipped=\"0\">\n"
    );
    for result in results {
        let case = &result.case;
        let class = case.skills.first().map_or("none", |name| &name[..]);
        let _ = write!(
            res,
            "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
            xml(class),
            xml(&case.query),
            xml(&case.file),
            case.line
        );
        if result.passed {
            res.push_str("/>\n");
        } else {
            let reason = reason(result);
            let _ = writeln!(
                res,
                ">\n      <failure type=\"trigger\" message=\"{}\"/>\n    </testcase>",
                xml(&reason)
            );
        }
    }
    res.push_str("  </testsuite>\n</testsuites>\n");
    res
}

#[cfg(test)]
mod tests {
    use skill_search::{Document, Index};

    use super::*;

    fn results() -> Vec<CaseResult> {
        let documents = [
            ("pdf", "Merge PDF files"),
            ("weather", "Weather forecasts for a city"),
        ];
        let documents = documents.map(|(name, description)| Document {
            name: name.into(),
            description: description.into(),
            ..Document::default()
        });
        let text = r#"[
            {"query": "merge two PDF files", "should_trigger": true, "skill": "pdf"},
            {"query": "weather <in> Paris", "should_trigger": true, "skill": "pdf"},
            {"query": "merge PDF files", "should_trigger": true, "skill": "pfd"},
            {"query": "xyzzy", "expect": "none"}
        ]"#;
        let cases = crate::read(text, "t.json", None).unwrap();
        crate::run(&cases, &Index::build(&documents))
    }

    #[test]
    fn people_see_what_failed_and_why() {
        let text = text(&results(), &[], Paint::NONE);
        for expected in [
            "failed t.json:3  weather <in> Paris\n    expected `pdf` first; first is `weather` (",
            "failed t.json:4  merge PDF files\n    no skill `pfd`; expected the name",
            "     1  pdf → weather\n",
            "4 tests: 2 passed, 2 failed\n  the right skill is first: 1/3, 33.3 %\n",
            "  a request that no skill fits triggers none: 1/1, 100.0 %\n",
        ] {
            assert!(text.contains(expected), "{expected:?} is not in:\n{text}");
        }
    }

    #[test]
    fn programs_get_the_same_counts() {
        let results = results();
        let value = json(&results);
        assert_eq!(
            value["measures"]["right_first"],
            json!({"count": 1, "of": 3})
        );
        assert_eq!(value["results"][1]["first"]["skill"], "weather");
        let xml = junit(&results);
        assert!(xml.contains("<testsuite name=\"triggers\" tests=\"4\" failures=\"2\""));
        assert!(xml.contains("name=\"weather &lt;in&gt; Paris\" file=\"t.json\" line=\"3\">"));
        assert_eq!(xml.matches("<failure ").count(), 2);
    }
}
