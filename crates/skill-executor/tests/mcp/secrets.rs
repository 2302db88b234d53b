//! Secrets that a server repeats.

use serde_json::json;
use skill_executor::Runner;
use skill_executor::standard;

use super::{SETTINGS, World, check, program};

/// A server may put its key into what it says about itself: its name, its advice, its tools.
#[test]
fn a_server_that_repeats_its_key_is_asked() {
    let Some(server) = program() else { return };
    let World { dir, runner } = World::new();
    let config = "MODE=leaky\n".to_owned();
    let runner = Runner::new(standard(), runner.into_host()).with_config(Some(config));
    let world = World { dir, runner };
    let skill = world.skill(&server, SETTINGS);
    let found = world.introspect(&skill).unwrap();
    assert_eq!(found.server, "fake *** 1.0");
    assert_eq!(found.instructions, "Use ***.");
    assert_eq!(found.tools["echo"].command.description, "Does echo. ***");
    let all = format!("{found:?}");
    assert!(!all.contains("s3cret-key"), "{all}");
    // The tools are those that were accepted.
    let skill = world.introspected(server, SETTINGS);
    check(
        &world.call(&skill, "echo", json!({"text": "x"})),
        &json!("x"),
    );
    let names = json!({"names": ["s3cret-key"]});
    check(&world.call(&skill, "env", names), &json!({"***": 0}));
}
