//! A manifest with the same members many times: twice as many take at most a little more than twice
//! the steps. `#` in the input becomes the number of the copy, so keys can differ or repeat.

use skill_diagnostics::steps;

/// Copies in the smaller manifest: enough that a position costs no more the further it is.
const N: usize = 1_000;
/// Steps of the double manifest, in parts of a hundred of those of the single one.
const MOST: u64 = 225;

pub(super) fn run(bytes: &[u8]) {
    let Ok(member) = std::str::from_utf8(bytes) else {
        return;
    };
    let [single, double] = [N, 2 * N].map(|n| {
        let copies: Vec<String> = (0..n)
            .map(|at| member.replace('#', &at.to_string()))
            .collect();
        let text = format!(
            r#"{{"name":"n","pluginType":"static","entryPoint":{{}},{}}}"#,
            copies.join(",")
        );
        steps::of(|| {
            plugin_manifest::read(&text);
        })
    });
    assert!(
        double * 100 <= single * MOST + 100_000,
        "{single} steps, and {double} for the double"
    );
}
