//! Clients of the protocol: the official conformance suite, and the inspector.

use anyhow::{Context, Result, ensure};

use super::Agent;
use super::collection::Collection;
use super::conformance;
use super::install::{Installed, Package};

const CONFORMANCE: Package = Package::Npm("@modelcontextprotocol/conformance@0.2.0-alpha.12");

pub(super) const AGENTS: &[Agent] = &[
    Agent {
        name: "MCP conformance",
        package: CONFORMANCE,
        way: "SEP-2640 scenarios, revisions 2025-11-25 and 2026-07-28",
        is_small: true,
        check: |agent, skills| conformance::pass(agent, skills, &conformance::SKILLS),
    },
    Agent {
        name: "MCP conformance",
        package: CONFORMANCE,
        way: "core scenarios that need no test server, both revisions",
        is_small: true,
        check: |agent, skills| conformance::pass(agent, skills, &conformance::CORE),
    },
    Agent {
        name: "MCP conformance",
        package: CONFORMANCE,
        way: "core scenarios that fail in part, for a known reason",
        is_small: true,
        check: conformance::known,
    },
    Agent {
        name: "MCP Inspector",
        package: Package::Npm("@modelcontextprotocol/inspector@2.12.0"),
        way: "`--cli --method skills/list --verify`",
        is_small: false,
        check: inspector,
    },
];

fn inspector(agent: &Installed, skills: &Collection) -> Result<String> {
    let mut command = agent.program("mcp-inspector", &skills.home, &skills.place);
    command.args(["--cli", skills.url(), "--transport", "http"]);
    command.args(["--method", "skills/list", "--verify"]);
    let output = command.output()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let verified = text.lines().find(|line| line.starts_with("Verified "));
    let verified = verified.with_context(|| format!("it verifies nothing: {text}"))?;
    let expected = format!("Verified {} skills and ", skills.n_entries());
    ensure!(
        output.status.success() && verified.starts_with(&expected),
        "expected `{expected}…`, found: {verified}"
    );
    Ok(verified.trim_end_matches('.').to_owned())
}
