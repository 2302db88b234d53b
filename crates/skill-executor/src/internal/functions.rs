//! Functions of the host itself, for skills of type `internal`: the catalog, a description, a
//! text. They are about the skills in the same directory as the one that is called.
//!
//! | skill | arguments | value |
//! |---|---|---|
//! | `skill-catalog` | – | `skills`: name and description of each |
//! | `skill-describe` | `skill_name`, `phase` or `confidence` | `phase`, `text`, `tokens` |
//! | `skill-read` | `skill_name`, `section`, `resource` | `text`, `truncated`, `next_cursor` |

use serde_json::{Value, json};
use skill_disclosure::{DescribeError, Describer, Phase};
use skill_loader::load::{Limits, LoadError, Selection, load_resource, load_skill_body};

use crate::beside::beside;
use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Success};
use crate::internal::Internal;

/// Returns the executor with these functions.
pub fn functions() -> Internal {
    let mut res = Internal::default();
    res.register("skill-catalog", Box::new(|call, _| Ok(list(call))));
    res.register("skill-describe", Box::new(described));
    res.register("skill-read", Box::new(read));
    res
}

fn list(call: &Call<'_>) -> Success {
    let catalog = beside(call.skill);
    let skills = catalog.skills.values();
    let skills = skills.map(|skill| json!({"name": skill.name, "description": skill.description}));
    Success::new(json!({"skills": skills.collect::<Vec<_>>()}))
}

fn described(call: &Call<'_>, input: &Value) -> Result<Success, Failure> {
    let (catalog, name) = (beside(call.skill), name(input)?);
    let explicit = match input["phase"].as_str() {
        None => None,
        Some(word) => Some(phase(word)?),
    };
    let describer = Describer {
        explicit,
        ..Describer::default()
    };
    let described = describer
        .describe(&catalog, name, input["confidence"].as_f64())
        .map_err(not_described)?;
    Ok(Success::new(json!({
        "phase": described.phase.word(),
        "text": described.text,
        "tokens": described.tokens,
    })))
}

fn read(call: &Call<'_>, input: &Value) -> Result<Success, Failure> {
    let catalog = beside(call.skill);
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
    Ok(Success::new(json!({
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
    Phase::from_word(word).ok_or_else(|| {
        let message = format!("`{word}` is not a phase, expected metadata, brief or full");
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

fn not_described(error: DescribeError) -> Failure {
    match error {
        DescribeError::Unknown { error } => refused(error),
        DescribeError::Body(error) => Failure::new(ErrorCode::Io, error.to_string()),
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "tests lay out their own files")]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::{Value, json};

    use crate::call::{Call, Host, Options};
    use crate::config::Config;
    use crate::environment::HostEnvironment;
    use crate::package::SkillPackage;
    use crate::sandbox::Sandbox;
    use crate::standard;
    use crate::state::State;
    use crate::zone::Zone;

    fn internal(dir: &Path, name: &str) {
        let skill = dir.join(name);
        fs::create_dir_all(&skill).unwrap();
        let text = format!("---\nname: {name}\ndescription: About {name}.\n---\n# {name}\n");
        fs::write(skill.join("SKILL.md"), text).unwrap();
        let text = format!("schema: 1\nname: {name}\nversion: '1'\ntype: internal\n");
        fs::write(skill.join("METADATA.yml"), text).unwrap();
    }

    #[track_caller]
    fn check(skill: &str, input: &Value, pointer: &str, expected: &Value) {
        let dir = tempfile::tempdir().unwrap();
        for name in ["skill-catalog", "skill-describe", "skill-read"] {
            internal(&dir.path().join("skills"), name);
        }
        let host = Host {
            environment: HostEnvironment::default(),
            state: State::open(&dir.path().join("state")).unwrap(),
            allow_shell: false,
            strict: false,
            sandbox: Sandbox::off(),
            zone: Zone::utc(),
            loaders: std::collections::BTreeMap::new(),
            fixed_ms: None,
        };
        let package = SkillPackage::read(&dir.path().join("skills").join(skill)).unwrap();
        let envelope = standard().execute(&Call {
            skill: &package,
            command: None,
            input,
            config: &Config::default(),
            options: &Options::default(),
            host: &host,
            others: None,
        });
        let value = envelope.to_value();
        assert_eq!(value.pointer(pointer), Some(expected), "{value}");
    }

    #[test]
    fn every_registry_runs_the_functions_of_the_host() {
        let none = json!({});
        check(
            "skill-catalog",
            &none,
            "/value/skills/2/name",
            &json!("skill-read"),
        );
        let named = json!({"skill_name": "skill-read", "phase": "metadata"});
        check("skill-describe", &named, "/value/phase", &json!("metadata"));
        check(
            "skill-read",
            &named,
            "/value/text",
            &json!("# skill-read\n"),
        );
        check("skill-read", &none, "/error/code", &json!("invalid-input"));
    }
}
