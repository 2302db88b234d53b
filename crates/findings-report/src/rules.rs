//! The list of rules.

use std::io::{self, Write};

use serde_json::{Map, Value, json};
use skill_report::Paint;
use skill_validator::{Profile, RULES, Rule};

/// Writes a line for each rule.
pub fn text(paint: Paint, out: &mut dyn Write) -> io::Result<()> {
    RULES.iter().try_for_each(|rule| {
        let level = rule.levels.get(Profile::Spec).word();
        writeln!(
            out,
            "{:26} {:14} {level:8} {}",
            rule.code.0,
            rule.group.word(),
            paint.say(rule.what)
        )
    })
}

/// Returns one object with all rules.
pub fn json() -> Value {
    let rules: Vec<Value> = RULES.iter().map(json_of).collect();
    json!({ "version": 1, "rules": rules })
}

fn json_of(rule: &Rule) -> Value {
    let levels: Map<String, Value> = Profile::ALL
        .iter()
        .map(|profile| {
            (
                profile.name().to_owned(),
                rule.levels.get(*profile).word().into(),
            )
        })
        .collect();
    json!({
        "id": rule.code.0,
        "group": rule.group.word(),
        "levels": levels,
        "what": rule.what,
        "why": rule.why,
        "example": rule.example,
        "source": rule.source,
    })
}
