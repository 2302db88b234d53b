//! Settings that restrict a program: no value, no call without a yes.

use serde_json::{Value, json};
use skill_executor::call::Options;
use skill_executor::envelope::Envelope;

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
    world.host.approved = true;
    let approved = call(&world, "");
    assert!(approved.is_ok());
    assert_eq!(codes(&approved), ["guard-open"]);
    // So is a variable that the program is given.
    world.host.approved = false;
    let value = ("ALLOWED_DIRS".to_owned(), "/srv/desk".to_owned());
    world.host.environment.extend([value]);
    assert!(call(&world, "").is_ok());
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
        assert!(
            text.contains("asks for approval before every call"),
            "{text}"
        );
    }
}
