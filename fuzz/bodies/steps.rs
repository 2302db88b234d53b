//! A manifest, a sidecar and a frontmatter with the same members many times: twice as many take at
//! most a little more than twice the steps. `#` in the input becomes the number of the copy, so
//! keys can differ or repeat.

use skill_diagnostics::steps;

/// Copies in the smaller text: enough that a position costs no more the further it is.
const N: usize = 1_000;
/// Steps of the double text, in parts of a hundred of those of the single one.
const MOST: u64 = 225;

pub(super) fn run(bytes: &[u8]) {
    let Ok(member) = std::str::from_utf8(bytes) else {
        return;
    };
    check("manifest", |n| {
        let members = copies(member, n).join(",");
        let text = format!(r#"{{"name":"n","pluginType":"static","entryPoint":{{}},{members}}}"#);
        steps::of(|| drop(plugin_manifest::read(&text)))
    });
    check("METADATA.yml", |n| {
        let text = format!("schema: 1\nname: n\n{}\n", copies(member, n).join("\n"));
        steps::of(|| drop(skill_model::read_metadata_full(&text)))
    });
    check("SKILL.md", |n| {
        let text = format!("---\nname: n\n{}\n---\nn\n", copies(member, n).join("\n"));
        steps::of(|| drop(skill_model::parse_skill(&text)))
    });
}

fn copies(member: &str, n: usize) -> Vec<String> {
    (0..n)
        .map(|at| member.replace('#', &at.to_string()))
        .collect()
}

fn check(what: &str, steps: impl Fn(usize) -> u64) {
    let (single, double) = (steps(N), steps(2 * N));
    assert!(
        double * 100 <= single * MOST + 100_000,
        "{what}: {single} steps, and {double} for the double"
    );
}
