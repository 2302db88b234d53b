//! Filters without a script: radio buttons, whose state the style sheet reads.

use std::fmt::Write as _;

use skill_model::ExecutorKind;
use skill_pipeline::Outcome;

use super::group::Group;
use super::markup::Html;

/// Returns the classes by which the filters know an outcome.
pub(super) fn classes(outcome: &Outcome) -> String {
    let mut res = "item".to_owned();
    if Group::new(outcome).needs_reader() {
        res.push_str(" needy");
    }
    if outcome.status.is_migrated() && outcome.runnable == Some(true) {
        res.push_str(" runs");
    }
    if let Some(executor) = outcome.executor {
        res.push_str(" t-");
        res.push_str(executor.word());
    }
    res
}

/// Returns the types that occur.
fn types(outcomes: &[Outcome]) -> Vec<ExecutorKind> {
    let occurs = |kind: &ExecutorKind| outcomes.iter().any(|it| it.executor == Some(*kind));
    ExecutorKind::ALL.into_iter().filter(occurs).collect()
}

/// Returns the rules of the style sheet that hide what a filter excludes.
pub(super) fn rules(outcomes: &[Outcome]) -> String {
    let mut res = String::new();
    let shown = [("f-needy", "needy"), ("f-runs", "runs")];
    let types = types(outcomes);
    let types = types
        .iter()
        .map(|kind| (format!("f-{}", kind.word()), format!("t-{}", kind.word())));
    let shown = shown.map(|(id, class)| (id.to_owned(), class.to_owned()));
    for (id, class) in shown.into_iter().chain(types) {
        let _ = writeln!(
            res,
            "main:has(#{id}:checked) :is(.item:not(.{class}), tbody:not(:has(.{class})):has(.item)) {{ display: none; }}"
        );
    }
    res
}

/// Adds the filters, if there is anything to choose from.
pub(super) fn controls(outcomes: &[Outcome], html: &mut Html) {
    if outcomes.len() < 2 {
        return;
    }
    html.add(format_args!(r#"<div class="filters">"#));
    let show = [
        ("f-all", "all"),
        ("f-needy", "needs attention"),
        ("f-runs", "runnable"),
    ];
    choice(
        "Show",
        "show",
        &show.map(|(id, label)| (id.to_owned(), label)),
        html,
    );
    let types = types(outcomes);
    if types.len() > 1 {
        let all = [("f-every".to_owned(), "all")].into_iter();
        let types = types
            .iter()
            .map(|kind| (format!("f-{}", kind.word()), kind.word()));
        choice("Type", "type", &all.chain(types).collect::<Vec<_>>(), html);
    }
    html.add(format_args!("</div>"));
}

/// Adds radio buttons, of which the first is checked.
fn choice(title: &str, name: &str, buttons: &[(String, &str)], html: &mut Html) {
    let title = html.say(title);
    html.add(format_args!("<fieldset><legend>{title}</legend>"));
    for (at, (id, label)) in buttons.iter().enumerate() {
        let label = html.say(label);
        let checked = if at == 0 { " checked" } else { "" };
        html.add(format_args!(
            r#"<label><input type="radio" name="{name}" id="{id}"{checked} /> {label}</label>"#
        ));
    }
    html.add(format_args!("</fieldset>"));
}
