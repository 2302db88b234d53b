//! Settings that restrict a program: no value, no call without a yes.

use serde_json::{Value, json};
use skill_executor::call::{Approval, Options};
use skill_executor::envelope::Envelope;
use skill_executor::sandbox::{Level, Sandbox};

use super::World;

const METADATA: &str = "type: direct\ntransport: stdio-json\nentry: {runtime: shell, argv: [sh, main], dir: scripts}\n\
    config: {schema: {properties: {ALLOWED_DIRS: {type: string}}}, guards: [{key: ALLOWED_DIRS, kind: allow-directories, unset: open}, {key: MAX_FILE_SIZE, kind: limit, unset: default}]}\n\
    permissions: {network: none, filesystem: skill, environment: [ALLOWED_DIRS], admin: false, approval: required, approval_for: [guards]}\n";
const MAIN: &str = "echo '{\"status\":\"success\",\"result\":[1]}'";

fn codes(envelope: &Envelope) -> Vec<&str> {
    envelope
        .warnings
        .iter()
        .map(|warning| warning.code)
        .collect()
}

#[test]
fn an_open_guard_needs_a_yes_until_it_has_a_value() {
    let mut world = World::new(METADATA, &[("main", MAIN)]);
    let call = |world: &World, config: &str| world.call(&Value::Null, config, &Options::default());
    for config in [
        "",
        "ALLOWED_DIRS=",
        "ALLOWED_DIRS='  '\nOTHER=1",
        "ALLOWED_DIRS=,",
        "ALLOWED_DIRS=' , '",
        "ALLOWED_DIRS=[]",
    ] {
        let refused = call(&world, config);
        assert_eq!(codes(&refused), ["guard-open"], "{config}");
        let failure = refused.outcome.unwrap_err();
        assert_eq!(failure.details["open_guards"], json!(["ALLOWED_DIRS"]));
        let message = "has no value for `ALLOWED_DIRS` (allow-directories)";
        assert!(failure.message.contains(message), "{}", failure.message);
    }
    let allowed = call(&world, "ALLOWED_DIRS=/srv/desk");
    assert!(allowed.is_ok() && codes(&allowed).is_empty());
    // A yes is enough; the warning stays.
    world.approval = Approval::Granted;
    let approved = call(&world, "");
    assert!(approved.is_ok());
    assert_eq!(codes(&approved), ["guard-open"]);
    // So is a variable that the program is given.
    world.approval = Approval::Missing;
    let value = ("ALLOWED_DIRS".to_owned(), "/srv/desk".to_owned());
    world.host.environment.extend([value]);
    assert!(call(&world, "").is_ok());
}

/// A value that the program gets and that opens no directory is reported.
#[test]
fn directories_of_the_environment_are_not_opened() {
    for (in_environment, config, expected) in [
        (Some("/srv/desk"), "", &["guard-opens-nothing"][..]),
        (Some("/srv/desk"), "ALLOWED_DIRS=,", &["guard-open"]),
        (Some("/srv/desk"), "ALLOWED_DIRS=/srv/desk", &[]),
        (Some(" "), "", &["guard-open"]),
        (None, "", &["guard-open"]),
    ] {
        let mut world = World::new(METADATA, &[("main", MAIN)]);
        world.host.sandbox = Sandbox::at_least(Level::Full);
        let value = in_environment.map(|value| ("ALLOWED_DIRS".to_owned(), value.to_owned()));
        world.host.environment.extend(value);
        // Nothing is started for an input that no program takes.
        let envelope = world.call(&json!([1]), config, &Options::default());
        assert_eq!(codes(&envelope), expected, "{in_environment:?} {config}");
        for warning in envelope.warnings {
            let names = ["`ALLOWED_DIRS`", "/srv/desk", "--config"];
            let says = names.iter().all(|part| warning.message.contains(part));
            assert_eq!(
                says,
                warning.code == "guard-opens-nothing",
                "{}",
                warning.message
            );
        }
    }
}

#[test]
fn a_yes_of_another_kind_is_still_asked_for() {
    let admin = METADATA.replace("admin: false", "admin: true");
    let admin = admin.replace("[guards]", "[admin, guards]");
    let unguarded = METADATA.replace("unset: open", "unset: default");
    let unguarded = unguarded.replace(", approval_for: [guards]", "");
    let by_hand = METADATA.replace(", approval_for: [guards]", "");
    for metadata in [admin, unguarded, by_hand] {
        let mut world = World::new(&metadata, &[("main", MAIN)]);
        let code = ("DECRYPTED_AUTH_CODE".to_owned(), "1".to_owned());
        world.host.environment.extend([code]);
        let answer = world.answer(&Value::Null, "ALLOWED_DIRS=/srv/desk");
        let text = answer.as_str().unwrap_or_default();
        assert!(text.contains("approval before every call"), "{text}");
    }
}
