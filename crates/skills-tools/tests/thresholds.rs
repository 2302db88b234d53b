//! The documents name the thresholds that the code has.
#![expect(
    clippy::disallowed_methods,
    reason = "the documents are beside the code"
)]

use std::path::Path;

use skill_disclosure::{TO_BRIEF, TO_FULL};

/// A document and a piece of it; `{brief}` and `{full}` are the thresholds.
const MENTIONS: &[(&str, &str)] = &[
    ("docs/cli.md", "from {brief} a skill is described briefly"),
    ("docs/cli.md", "from {full} in full"),
    (
        "crates/skills/src/library.rs",
        "Descriptions grow at {brief} /// and at {full}",
    ),
    (
        "crates/skills/src/library.rs",
        "brief from {brief} on, full from {full} on",
    ),
    ("docs/cli.md", "is described briefly [default: {brief}]"),
    ("docs/cli.md", "is described in full [default: {full}]"),
    (
        "docs/cli.md",
        "Minimum confidence of --intent, 0 to 1 [default: {full}]",
    ),
    ("docs/disclosure.md", "confidence ≥ {brief} |"),
    ("docs/disclosure.md", "confidence ≥ {full}, or"),
    (
        "docs/disclosure.md",
        "to-brief = {brief}\nto-full = {full}\n",
    ),
    (
        "crates/skill-search/examples/fit/score.rs",
        "const TO_BRIEF: f32 = {brief}; pub(crate) const TO_FULL: f32 = {full};",
    ),
    ("docs/running.md", "with a confidence of {full} ("),
    ("docs/search.md", "unrelated requests below {brief}."),
    (
        "docs/search.md",
        "From {brief} a skill is worth a look; from {full} it",
    ),
];

#[test]
fn documents_name_the_thresholds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let missing: Vec<String> = MENTIONS
        .iter()
        .map(|(document, piece)| {
            let piece = piece.replace("{brief}", &TO_BRIEF.to_string());
            (document, piece.replace("{full}", &TO_FULL.to_string()))
        })
        .filter(|(document, piece)| {
            let text = std::fs::read_to_string(root.join(document));
            let text = text.expect("the document can be read");
            // Help is wrapped.
            let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            !words(&text).contains(&words(piece))
        })
        .map(|(document, piece)| format!("{document} does not say `{piece}`"))
        .collect();
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
