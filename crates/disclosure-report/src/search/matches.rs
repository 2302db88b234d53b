//! The skills that match a request, and the reasons.

use std::io::{self, Write};

use serde_json::{Value, json};
use skill_language::{Language, say};
use skill_loader::catalog::Catalog;
use skill_model::Metadata;
use skill_search::{Explanation, Match};

/// The version of the JSON form.
const SCHEMA: u32 = 1;
/// The maximum number of terms in an explanation for people.
const N_TERMS: usize = 12;

/// Returns one object for programs. `describe` returns the description of a match.
pub fn json(
    text: &str,
    matches: &[Match],
    with_reasons: bool,
    catalog: &Catalog,
    describe: &dyn Fn(&Match) -> Value,
) -> Value {
    let described = matches.iter().map(|one| {
        let mut res = short(one);
        res["description"] = describe(one);
        res["level"] = level(catalog, &one.skill).into();
        if with_reasons {
            res["explanation"] = reasons(&one.explanation);
        }
        res
    });
    let matches: Vec<Value> = described.collect();
    json!({"schema": SCHEMA, "query": text, "matches": matches})
}

/// Returns how it is known that a skill runs; `None` if it has no program that can run.
fn level(catalog: &Catalog, name: &str) -> Option<&'static str> {
    let skill = catalog.skills.get(name)?;
    let can_run = |metadata: &Metadata| metadata.runnable && metadata.entry.is_some();
    skill.metadata.as_deref().filter(|it| can_run(it))?;
    let dir = skill.place.dir.as_deref()?;
    Some(parity_record::level_of(skill.place.root.path(), dir).word())
}

fn reasons(explanation: &Explanation) -> Value {
    let terms = explanation
        .terms
        .iter()
        .map(|hit| json!({"term": hit.term, "weight": rounded(hit.weight), "fields": hit.fields}));
    let mention = explanation.mention.as_ref();
    let features = explanation.features.iter();
    json!({
        "terms": terms.collect::<Vec<_>>(),
        "trigger": explanation.trigger,
        "mention": mention.map(|mention| json!({"text": mention.text, "kind": mention.kind.word()})),
        "before": explanation.before.as_ref().map(|before| json!({
            "skill": before.skill,
            "reasons": before.reasons.iter().map(|(reason, weight)| json!({"reason": reason, "weight": rounded(*weight)})).collect::<Vec<_>>(),
            "terms": before.terms,
        })),
        "features": features
            .map(|(name, value)| ((*name).to_owned(), json!(rounded(*value))))
            .collect::<serde_json::Map<_, _>>(),
    })
}

/// Writes a line for each match, and its reasons.
pub fn text(
    matches: &[Match],
    with_reasons: bool,
    language: Language,
    out: &mut dyn Write,
) -> io::Result<()> {
    for one in matches {
        writeln!(out, "{:.2}  {}", one.confidence, one.skill)?;
        if let Some(wish) = &one.wish {
            let text = say!(language, "answers: {wish}");
            writeln!(out, "      {text}")?;
        }
        if with_reasons {
            explain(one, language, out)?;
        }
    }
    Ok(())
}

fn explain(one: &Match, language: Language, out: &mut dyn Write) -> io::Result<()> {
    let numbers = say!(
        language,
        "related {:.2}, the one {:.2}",
        one.relatedness,
        one.choice
    );
    writeln!(out, "      {numbers}")?;
    if one.is_ambiguous {
        let text = language.say("another skill fits equally well");
        writeln!(out, "      {text}")?;
    }
    let explanation = &one.explanation;
    if let Some(before) = &explanation.before {
        let reasons = before.reasons.iter();
        let reasons =
            reasons.map(|(reason, weight)| format!("{} +{weight:.2}", language.say(reason)));
        let reasons: Vec<String> = reasons.collect();
        if !reasons.is_empty() {
            let reasons = reasons.join(", ");
            let text = say!(language, "before {}: {reasons}", before.skill);
            writeln!(out, "      {text}")?;
        }
        if !before.terms.is_empty() {
            let terms = before.terms.join(", ");
            writeln!(
                out,
                "      {}",
                say!(language, "only this skill has: {terms}")
            )?;
        }
    }
    if let Some(mention) = &explanation.mention {
        let text = say!(
            language,
            "named by its {}: {}",
            mention.kind.word(),
            mention.text
        );
        writeln!(out, "      {text}")?;
    }
    if let Some(trigger) = &explanation.trigger {
        writeln!(out, "      {}", say!(language, "trigger: {trigger}"))?;
    }
    for hit in explanation.terms.iter().take(N_TERMS) {
        writeln!(
            out,
            "      {:<16} {:.1}  {}",
            hit.term,
            hit.weight,
            hit.fields.join(", ")
        )?;
    }
    match explanation.terms.len().checked_sub(N_TERMS) {
        Some(n_more @ 1..) => {
            writeln!(out, "      {}", say!(language, "and {n_more} more"))
        }
        _ => Ok(()),
    }
}

/// Returns a match without its reasons.
pub fn short(one: &Match) -> Value {
    let mut res = json!({
        "skill": one.skill,
        "confidence": rounded(one.confidence),
        "relatedness": rounded(one.relatedness),
        "choice": rounded(one.choice),
    });
    if one.is_ambiguous {
        res["ambiguous"] = true.into();
    }
    if let Some(wish) = &one.wish {
        res["wish"] = wish[..].into();
    }
    res
}

/// Returns the names of the matches with their confidences.
pub fn ranked(matches: &[Match]) -> Vec<(String, f64)> {
    let ranked = matches.iter();
    let ranked = ranked.map(|one| (one.skill.clone(), rounded(one.confidence)));
    ranked.collect()
}

/// Rounds to four decimal places.
pub fn rounded(number: f32) -> f64 {
    (f64::from(number) * 1e4).round() / 1e4
}

#[cfg(test)]
mod tests {
    use skill_search::{Document, Index, Request};

    use super::*;

    /// Returns the reasons for the first of two skills with these descriptions.
    fn explained(descriptions: [&str; 2]) -> String {
        let document = |(name, description): (&str, &str)| Document {
            name: name.to_owned(),
            description: description.to_owned(),
            ..Document::default()
        };
        let documents = ["alpha", "beta"].into_iter().zip(descriptions);
        let documents: Vec<Document> = documents.map(document).collect();
        let matches = Index::build(&documents).search(&Request::new("convert notes to pdf"));
        let mut out = Vec::new();
        explain(&matches[0], Language::English, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn skills_that_fit_equally_have_no_reasons() {
        let same = "Convert notes to PDF.";
        let text = explained([same; 2]);
        assert!(text.contains("another skill fits equally well"), "{text}");
        assert!(!text.contains("before"), "{text}");
        let text = explained([same, "Convert songs."]);
        assert!(
            text.contains("before beta: ") && text.contains("more of the words +"),
            "{text}"
        );
    }
}
