//! Skills, each described in its phase.

use std::io::{self, Write};

use serde_json::{Value, json};
use skill_disclosure::{Description, Omissions, Thresholds, escape_xml};
use skill_language::{Language, say};

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// A description, and the confidence by which its phase was chosen.
#[derive(Clone, Debug)]
pub struct ScoredDescription {
    /// The description.
    pub description: Description,
    /// The confidence that the request needs the skill, if it is known.
    pub confidence: Option<f64>,
}

/// Writes the descriptions for people.
pub fn text(all: &[ScoredDescription], language: Language, out: &mut dyn Write) -> io::Result<()> {
    for (at, one) in all.iter().enumerate() {
        let description = &one.description;
        if at > 0 {
            writeln!(out)?;
        }
        let confidence = one
            .confidence
            .map(|it| format!("{it}  "))
            .unwrap_or_default();
        let left_out = words(&description.left_out, language);
        let about = if description.counter == "estimate" {
            "about "
        } else {
            ""
        };
        let (skill, phase) = (&description.skill, language.say(description.phase.word()));
        let tokens = say!(language, ", {about}{} tokens", description.tokens);
        writeln!(out, "{confidence}{skill}  {phase}{tokens}{left_out}")?;
        for line in description.text.lines() {
            let indent = if line.is_empty() { "" } else { "    " };
            writeln!(out, "{indent}{line}")?;
        }
    }
    Ok(())
}

/// Lists the omissions for people.
fn words(left_out: &Omissions, language: Language) -> String {
    let parts = [
        (left_out.chars, "characters"),
        (left_out.commands, "commands"),
        (left_out.parameters, "parameter lists"),
        (left_out.sections, "sections"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts
        .map(|(n, what)| say!(language, "{n} {what}"))
        .collect();
    if parts.is_empty() {
        return String::new();
    }
    say!(language, "; left out: {}", parts.join(&language.say(", ")))
}

/// Writes the descriptions for prompts.
pub fn markdown(all: &[ScoredDescription], out: &mut dyn Write) -> io::Result<()> {
    let texts: Vec<&str> = all.iter().map(|one| &*one.description.text).collect();
    write!(out, "{}", texts.join("\n"))?;
    Ok(())
}

/// Writes the descriptions for prompts, each in an element.
pub fn xml(all: &[ScoredDescription], out: &mut dyn Write) -> io::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(out, "<skills>")?;
    for one in all {
        let description = &one.description;
        let confidence = one.confidence.map(|it| format!(" confidence=\"{it:.4}\""));
        writeln!(
            out,
            "<skill name=\"{}\" phase=\"{}\"{} tokens=\"{}\">\n{}</skill>",
            escape_xml(&description.skill),
            description.phase.word(),
            confidence.unwrap_or_default(),
            description.tokens,
            escape_xml(&description.text),
        )?;
    }
    writeln!(out, "</skills>")?;
    Ok(())
}

/// Returns one object for programs.
pub fn json(all: &[ScoredDescription], failures: &[String], thresholds: Thresholds) -> Value {
    let one = |one: &ScoredDescription| {
        let mut res = object(&one.description);
        res["confidence"] = one.confidence.into();
        res
    };
    json!({
        "schema": SCHEMA,
        "thresholds": {"to_brief": thresholds.to_brief(), "to_full": thresholds.to_full()},
        "skills": all.iter().map(one).collect::<Vec<Value>>(),
        "errors": failures,
    })
}

/// Returns a description for programs.
pub fn object(description: &Description) -> Value {
    let left_out = &description.left_out;
    json!({
        "name": description.skill,
        "phase": description.phase.word(),
        "tokens": description.tokens,
        "counter": description.counter,
        "truncated": left_out.is_cut(),
        "left_out": {
            "chars": left_out.chars,
            "commands": left_out.commands,
            "parameters": left_out.parameters,
            "sections": left_out.sections,
        },
        "text": description.text,
    })
}
