//! Some skills, each in its phase.

use serde_json::{Value, json};
use skill_disclosure::{Description, Facts, Omissions, Phase, describe, escape_xml};
use skill_loader::catalog::Catalog;

use super::{Chosen, Settings, bodies, facts_with_sections};
use crate::describe::{Args, Format};
use crate::{ExitStatus, output::Streams};

/// Version of the JSON form.
const SCHEMA: u32 = 1;

/// A skill that is told of.
struct Told {
    description: Description,
    confidence: Option<f64>,
}

/// Describes the chosen skills in their order. One that is not there, or whose body cannot be
/// read, is reported, and the others are described.
pub(super) fn answer(
    args: &Args,
    settings: &Settings,
    catalog: &Catalog,
    chosen: &[Chosen],
    streams: &mut Streams,
) -> anyhow::Result<ExitStatus> {
    let mut all = Vec::new();
    let mut failures = Vec::new();
    for (skill, confidence) in chosen {
        match tell(settings, catalog, skill, *confidence) {
            Ok(description) => all.push(Told {
                description,
                confidence: *confidence,
            }),
            Err(message) => failures.push(message),
        }
    }
    match args.format {
        Format::Json => json(&all, &failures, settings, streams)?,
        Format::Xml => xml(&all, streams)?,
        Format::Markdown => markdown(&all, streams)?,
        Format::Text => text(&all, streams)?,
    }
    for failure in &failures {
        writeln!(streams.stderr, "error: {failure}")?;
    }
    let is_fine = failures.is_empty();
    Ok(if is_fine {
        ExitStatus::Fine
    } else {
        ExitStatus::Findings
    })
}

/// Describes one skill, or says why not.
pub(super) fn tell(
    settings: &Settings,
    catalog: &Catalog,
    skill: &str,
    confidence: Option<f64>,
) -> Result<Description, String> {
    let found = catalog.find(skill).map_err(|error| match error.help() {
        Some(help) => format!("{error}; {help}"),
        None => error.to_string(),
    })?;
    let bodies = bodies(catalog);
    let phase = settings.phase(skill, confidence);
    let facts = match phase {
        Phase::Brief => facts_with_sections(found, &bodies),
        _ => Facts::from_skill(found),
    };
    let counter = &*settings.counter;
    describe(&facts, phase, &settings.budgets, &bodies, counter).map_err(|error| error.to_string())
}

fn text(all: &[Told], streams: &mut Streams) -> anyhow::Result<()> {
    for (at, told) in all.iter().enumerate() {
        let description = &told.description;
        if at > 0 {
            writeln!(streams.stdout)?;
        }
        let confidence = told
            .confidence
            .map(|it| format!("{it}  "))
            .unwrap_or_default();
        let left_out = words(&description.left_out);
        writeln!(
            streams.stdout,
            "{confidence}{}  {}, {}{} tokens{left_out}",
            description.skill,
            description.phase.word(),
            if description.counter == "estimate" {
                "about "
            } else {
                ""
            },
            description.tokens,
        )?;
        for line in description.text.lines() {
            let indent = if line.is_empty() { "" } else { "    " };
            writeln!(streams.stdout, "{indent}{line}")?;
        }
    }
    Ok(())
}

/// What is missing, for people.
fn words(left_out: &Omissions) -> String {
    let parts = [
        (left_out.chars, "characters"),
        (left_out.commands, "commands"),
        (left_out.parameters, "parameter lists"),
        (left_out.sections, "sections"),
    ];
    let parts = parts.iter().filter(|(n, _)| *n > 0);
    let parts: Vec<String> = parts.map(|(n, what)| format!("{n} {what}")).collect();
    if parts.is_empty() {
        return String::new();
    }
    format!("; left out: {}", parts.join(", "))
}

fn markdown(all: &[Told], streams: &mut Streams) -> anyhow::Result<()> {
    let texts: Vec<&str> = all.iter().map(|told| &*told.description.text).collect();
    write!(streams.stdout, "{}", texts.join("\n"))?;
    Ok(())
}

fn xml(all: &[Told], streams: &mut Streams) -> anyhow::Result<()> {
    if all.is_empty() {
        return Ok(());
    }
    writeln!(streams.stdout, "<skills>")?;
    for told in all {
        let description = &told.description;
        let confidence = told.confidence.map(|it| format!(" confidence=\"{it:.4}\""));
        writeln!(
            streams.stdout,
            "<skill name=\"{}\" phase=\"{}\"{} tokens=\"{}\">\n{}</skill>",
            escape_xml(&description.skill),
            description.phase.word(),
            confidence.unwrap_or_default(),
            description.tokens,
            escape_xml(&description.text),
        )?;
    }
    writeln!(streams.stdout, "</skills>")?;
    Ok(())
}

fn json(
    all: &[Told],
    failures: &[String],
    settings: &Settings,
    streams: &mut Streams,
) -> anyhow::Result<()> {
    let one = |told: &Told| {
        let mut res = object(&told.description);
        res["confidence"] = told.confidence.into();
        res
    };
    let skills: Vec<Value> = all.iter().map(one).collect();
    let thresholds = settings.disclosure.thresholds;
    let whole = json!({
        "schema": SCHEMA,
        "thresholds": {"to_brief": thresholds.to_brief(), "to_full": thresholds.to_full()},
        "skills": skills,
        "errors": failures,
    });
    serde_json::to_writer_pretty(&mut streams.stdout, &whole)?;
    writeln!(streams.stdout)?;
    Ok(())
}

/// A description for programs.
pub(super) fn object(description: &Description) -> Value {
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
