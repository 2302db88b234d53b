//! Time limits for `METADATA.yml` and frontmatter: linear in their size. Twice the size may take at
//! most a little more than twice the steps. Steps are counted, so a busy machine changes nothing.

use skill_diagnostics::steps;
use skill_model::{parse_skill, read_metadata_full};

/// Size of the smaller input.
const N: usize = 500;
/// Maximum steps of the double input, in percent of those of the single one.
const MOST: u64 = 225;

#[track_caller]
fn check(what: &str, read: fn(&str), text: impl Fn(usize) -> String) {
    let [single, double] = [N, 2 * N].map(|n| {
        let text = text(n);
        steps::of(|| read(&text))
    });
    assert!(single > 0, "{what}: nothing was counted");
    assert!(
        double * 100 <= single * MOST,
        "{what}: {single} steps, and {double} for the double"
    );
}

fn many(n: usize, piece: &str) -> String {
    let pieces = (0..n).map(|at| piece.replace('#', &at.to_string()));
    pieces.collect::<Vec<_>>().concat()
}

#[track_caller]
fn check_metadata(head: &str, piece: &str) {
    let read = |text: &str| drop(read_metadata_full(text));
    check(piece, read, |n| {
        format!("schema: 1\nname: a\ntype: direct\n{head}{}", many(n, piece))
    });
}

#[test]
fn findings_of_the_sidecar() {
    check_metadata("", "k#: v\n");
    check_metadata("", "k: v\n");
    check_metadata("entry:\n", "  k#: v\n");
    check_metadata("keywords:\n", "  - [w#]\n");
    check_metadata("commands:\n", "  - k#: v\n");
    check_metadata("commands:\n", "  - {id: c, k: #}\n");
    check_metadata("files:\n", "  - {path: f#, k: v, l: v}\n");
}

#[test]
fn frontmatter() {
    let read = |text: &str| drop(parse_skill(text).0.map(|skill| skill.frontmatter()));
    for piece in ["k#: v\n", "k: v\n", "k#: [v]\n", "k#: {a: b}\n"] {
        check(piece, read, |n| {
            format!(
                "---\nname: a\ndescription: d\n{}---\nbody\n",
                many(n, piece)
            )
        });
    }
}
