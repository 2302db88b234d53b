//! Servers with an address: what they answer, and where a call may go.

use std::time::Duration;

use serde_json::json;
use skill_executor::Request;
use skill_executor::envelope::ErrorCode;

use crate::mcp_server::Server;
use crate::{SETTINGS, World, check};

fn allowed(port: u16) -> String {
    format!(
        "{SETTINGS}permissions: {{network: allowlist, network_allowlist: ['127.0.0.1:{port}'], filesystem: none}}\n"
    )
}

#[test]
fn tools_of_an_address_answer() {
    for protocol in ["json", "events", "sse"] {
        let server = Server::start(protocol);
        let world = World::new();
        let mcp = json!({"url": server.url("/mcp"), "headers": {"Authorization": "Bearer ${KEY}"}});
        let skill = world.introspected(mcp, &allowed(server.port()));
        check(
            &world.call(&skill, "echo", json!({"text": "hé"})),
            &json!("hé"),
        );
        check(
            &world.call(&skill, "session", json!({})),
            &json!("Bearer ***"),
        );
    }
}

#[test]
fn an_address_is_asked_under_the_policy() {
    let server = Server::start("json");
    let world = World::new();
    let error = |path: &str, more: &str| {
        let skill = world.skill(
            &json!({"url": server.url(path), "headers": {"Authorization": "Bearer ${KEY}"}}),
            more,
        );
        let message = world.introspect(&skill).unwrap_err();
        assert!(!message.contains("s3cret"), "{message}");
        message
    };
    let port = server.port();
    let denied = error("/mcp", SETTINGS);
    assert!(
        denied.contains(&format!("may not reach http://127.0.0.1:{port}")),
        "{denied}"
    );
    let moved = error("/moved", &allowed(port));
    assert!(
        moved.contains("redirects to http://elsewhere.example:80/mcp, which is not followed"),
        "{moved}"
    );
    let refused = error("/secret", &allowed(port));
    assert!(
        refused.contains("the MCP server answered 401: no entry for Bearer ***"),
        "{refused}"
    );
    let large = error("/large", &allowed(port));
    assert!(
        large.contains("a message of more than 16777216 bytes"),
        "{large}"
    );
    let text = error("/text", &allowed(port));
    assert!(text.contains("answered `hello`, expected JSON"), "{text}");
    let other = error("/other", &allowed(port));
    assert!(
        other.contains("wants messages to be sent to http://127.0.0.2"),
        "{other}"
    );
    let nobody = world.skill(&json!({"url": "http://127.0.0.1:1/mcp"}), &allowed(1));
    assert!(
        world
            .introspect(&nobody)
            .unwrap_err()
            .contains("http://127.0.0.1:1 cannot be reached")
    );
}

#[test]
fn an_address_without_an_end_is_given_up() {
    let server = Server::start("json");
    let world = World::new();
    let check = |path: &str, timeout: Duration, expected: ErrorCode| {
        let skill = world.skill(&json!({"url": server.url(path)}), &allowed(server.port()));
        let mut request = Request::default();
        request.options.timeout = Some(timeout);
        let prepared = world.runner.prepare(&skill, request).unwrap();
        let failure = prepared.introspect().unwrap_err();
        assert_eq!(failure.code, expected, "{path}: {failure:?}");
    };
    // The number of messages ends it long before the time does, however fast the machine is.
    check("/forever", Duration::from_mins(2), ErrorCode::TooLarge);
    check("/slow", Duration::from_millis(400), ErrorCode::Timeout);
}
