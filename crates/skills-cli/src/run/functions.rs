//! Functions of the host itself, for skills of type `internal`: the catalogue, a description, a
//! text. They speak of the skills that lie beside the one that is called.
//!
//! | skill | arguments | value |
//! |---|---|---|
//! | `skill-catalog` | – | `skills`: name and description of each |
//! | `skill-describe` | `skill_name`, `phase` or `confidence` | `phase`, `text`, `tokens` |
//! | `skill-read` | `skill_name`, `section`, `resource` | `text`, `truncated`, `next_cursor` |

use serde_json::{Value, json};
use skill_disclosure::tokens::Estimator;
use skill_disclosure::{Budgets, Disclosure, Facts, LocalBodies, Phase, Situation, describe};
use skill_executor::call::Call;
use skill_executor::envelope::{ErrorCode, Failure, Success};
use skill_executor::internal::Internal;
use skill_loader::catalog::{Catalog, CatalogSettings, SkillRoot};
use skill_loader::load::{Limits, LoadError, Selection, Source, load_resource, load_skill_body};

/// The executor with these functions.
pub(super) fn internal() -> Internal {
    let mut res = Internal::default();
    res.register("skill-catalog", Box::new(|call, _| Ok(list(call))));
    res.register("skill-describe", Box::new(told));
    res.register("skill-read", Box::new(read));
    res
}

fn catalog(call: &Call<'_>) -> Catalog {
    let beside = call.skill.dir.parent().unwrap_or(&call.skill.dir);
    Catalog::read(&CatalogSettings {
        roots: vec![SkillRoot {
            path: beside.to_owned(),
            source: Source::Project,
        }],
        ..CatalogSettings::default()
    })
}

fn list(call: &Call<'_>) -> Success {
    let catalog = catalog(call);
    let skills = catalog.skills.values();
    let skills = skills.map(|skill| json!({"name": skill.name, "description": skill.description}));
    Success::of(json!({"skills": skills.collect::<Vec<_>>()}))
}

fn told(call: &Call<'_>, input: &Value) -> Result<Success, Failure> {
    let catalog = catalog(call);
    let skill = catalog.find(name(input)?).map_err(refused)?;
    let explicit = match input["phase"].as_str() {
        None => None,
        Some(word) => Some(phase(word)?),
    };
    let situation = Situation {
        explicit,
        confidence: input["confidence"].as_f64(),
        ..Situation::default()
    };
    let phase = Disclosure::default().phase(&skill.name, &situation);
    let facts = match load_skill_body(&skill.place, &Selection::default(), &Limits::default()) {
        Ok(body) => Facts::from_skill(skill).with_body(&body.text),
        Err(_) => Facts::from_skill(skill),
    };
    let bodies = LocalBodies::new(&catalog.skills, Limits::default());
    let counter = Estimator::default();
    let told = describe(&facts, phase, &Budgets::default(), &bodies, &counter)
        .map_err(|error| Failure::new(ErrorCode::Io, error.to_string()))?;
    let value = json!({"phase": phase.word(), "text": told.text, "tokens": told.tokens});
    Ok(Success::of(value))
}

fn read(call: &Call<'_>, input: &Value) -> Result<Success, Failure> {
    let catalog = catalog(call);
    let place = &catalog.find(name(input)?).map_err(refused)?.place;
    let text = |key: &str| input[key].as_str().map(ToOwned::to_owned);
    let selection = Selection {
        section: text("section"),
        cursor: text("cursor"),
    };
    let limits = Limits::default();
    let loaded = match input["resource"].as_str() {
        Some(path) => load_resource(place, path, &selection, &limits),
        None => load_skill_body(place, &selection, &limits),
    };
    let loaded = loaded.map_err(refused)?;
    Ok(Success::of(json!({
        "text": loaded.text,
        "truncated": loaded.report.truncated,
        "next_cursor": loaded.report.next_cursor,
    })))
}

fn name(input: &Value) -> Result<&str, Failure> {
    let missing = || Failure::new(ErrorCode::InvalidInput, "`skill_name` is missing");
    input["skill_name"].as_str().ok_or_else(missing)
}

fn phase(word: &str) -> Result<Phase, Failure> {
    let phases = [Phase::Metadata, Phase::Brief, Phase::Full];
    phases
        .into_iter()
        .find(|phase| phase.word() == word)
        .ok_or_else(|| {
            let message = format!("`{word}` is no phase, expected metadata, brief or full");
            Failure::new(ErrorCode::InvalidInput, message)
        })
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the signature that map_err asks for"
)]
fn refused(error: LoadError) -> Failure {
    Failure::new(ErrorCode::NotFound, error.to_string())
}
