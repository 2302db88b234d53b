//! `docs/metadata.schema.json` describes METADATA.yml: every file that is written conforms to it, and
//! the examples of every command conform to the command's own schema.

use std::fs;
use std::path::Path;

use jsonschema::Validator;
use serde_json::{Value, json};
use skill_model::{Metadata, yaml};
use tempfile::TempDir;

use crate::{cases, tool};

#[test]
fn each_sidecar_conforms_to_the_schema() {
    let schema = Validator::new(&Metadata::json_schema()).unwrap();
    let wrong = each_sidecar(|metadata| flaws(&schema, metadata));
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn each_example_fits_its_command() {
    let wrong = each_sidecar(|metadata| {
        let commands = metadata["commands"].as_array().into_iter().flatten();
        commands.flat_map(flaws_of_examples).collect()
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_schema_refuses() {
    let schema = Validator::new(&Metadata::json_schema()).unwrap();
    let mut good = sidecar(&cases::fixtures("plugins"), &mut |_| true).unwrap();
    assert_eq!(flaws(&schema, &good), [""; 0]);
    for (key, value) in [
        ("schema", json!("1")),
        ("type", json!("directly")),
        ("commands", json!({})),
        ("permissions", json!(null)),
    ] {
        let kept = good[key].clone();
        good[key] = value;
        assert_ne!(flaws(&schema, &good), [""; 0], "{key}");
        good[key] = kept;
    }
}

/// Returns the mistakes in each METADATA.yml of the migrated fixtures.
fn each_sidecar(mut check: impl FnMut(&Value) -> Vec<String>) -> Vec<String> {
    let (mut acc, mut n_seen) = (Vec::new(), 0);
    sidecar(&cases::fixtures("plugins"), &mut |metadata| {
        n_seen += 1;
        let name = metadata["name"].as_str().unwrap_or_default();
        acc.extend(
            check(metadata)
                .into_iter()
                .map(|flaw| format!("{name}: {flaw}")),
        );
        false
    });
    assert!(n_seen > 30, "only {n_seen} sidecars were read");
    acc
}

/// Returns the first migrated METADATA.yml for which `is_wanted` is true.
fn sidecar(input: &Path, is_wanted: &mut dyn FnMut(&Value) -> bool) -> Option<Value> {
    let out = TempDir::new().unwrap();
    tool::report(input, out.path(), &["--include-disabled"]);
    let entries = fs::read_dir(out.path()).unwrap();
    let files = entries.map(|entry| entry.unwrap().path().join("METADATA.yml"));
    let texts = files.filter_map(|file| fs::read_to_string(file).ok());
    texts
        .map(|text| yaml::from_str(&text).unwrap())
        .find(|it| is_wanted(it))
}

fn flaws(schema: &Validator, value: &Value) -> Vec<String> {
    let errors = schema.iter_errors(value);
    errors
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect()
}

fn flaws_of_examples(command: &Value) -> Vec<String> {
    let schema = &command["input_schema"];
    // An example of a plugin may lack a parameter that its text calls required; both are copied as
    // they are.
    let mut schema = schema.clone();
    schema["required"] = json!([]);
    let validator = match Validator::new(&schema) {
        Ok(validator) => validator,
        Err(error) => return vec![format!("{}: no JSON Schema: {error}", command["id"])],
    };
    let examples = command["examples"].as_array().into_iter().flatten();
    examples
        .flat_map(|example| flaws(&validator, example))
        .collect()
}
