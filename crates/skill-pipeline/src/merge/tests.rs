//! Merges of small trees. A case is one line: the base, the edited skill, the plan, and the
//! expected result for each path.

use skill_loader::Digest;
use skill_model::conflict::Side;

use super::three_way::merge;
use super::tree::{File, FileSource, MergeResult, Tree};

/// Files as `path=text`, separated by blanks; `|` is a line end, a text with `!` is binary.
struct Side3(Vec<(String, String, String)>);

impl Side3 {
    fn parse(spec: &str) -> Self {
        let files = spec.split_whitespace().map(|file| {
            let (path, text) = file.split_once('=').unwrap();
            let text = text.replace('|', "\n");
            let digest = Digest::from_content(text.as_bytes()).to_string();
            (path.to_owned(), digest, text)
        });
        Self(files.collect())
    }

    fn tree(&self) -> Tree<'_> {
        let files = self.0.iter().map(|(path, digest, text)| {
            let text = Some(text.as_str()).filter(|text| !text.contains('!'));
            (path.as_str(), File { digest, text })
        });
        files.collect()
    }

    fn text(&self, path: &str) -> &str {
        &self.0.iter().find(|file| file.0 == path).unwrap().2
    }
}

fn merged(base: &str, ours: &str, theirs: &str, favor: Option<Side>) -> String {
    let [base, ours, theirs] = [base, ours, theirs].map(Side3::parse);
    let MergeResult {
        files, conflicts, ..
    } = merge(&base.tree(), &ours.tree(), &theirs.tree(), favor);
    let files = files.iter().map(|(path, taken)| {
        let text = match taken {
            FileSource::Ours(from) => ours.text(from),
            FileSource::Theirs(from) => theirs.text(from),
            FileSource::Text { text, .. } => text,
        };
        format!("{path}={}", text.replace('\n', "|"))
    });
    let conflicts = conflicts
        .iter()
        .map(|it| format!("{:?}({})", it.kind, it.path));
    files.chain(conflicts).collect::<Vec<_>>().join(" ")
}

#[track_caller]
fn check(base: &str, ours: &str, theirs: &str, expected: &str) {
    assert_eq!(merged(base, ours, theirs, None), expected);
}

#[track_caller]
fn check_sides(base: &str, ours: &str, theirs: &str, for_ours: &str, for_theirs: &str) {
    assert_eq!(merged(base, ours, theirs, Some(Side::Ours)), for_ours);
    assert_eq!(merged(base, ours, theirs, Some(Side::Theirs)), for_theirs);
}

#[test]
fn what_one_side_changed_is_taken() {
    check("a=1", "a=1", "a=2", "a=2");
    check("a=1", "a=2", "a=1", "a=2");
    check("a=1", "a=2", "a=2", "a=2");
    check("a=!1", "a=!1", "a=!2", "a=!2");
    check("a=!1", "a=!2", "a=!1", "a=!2");
}

#[test]
fn lines_are_merged() {
    check(
        "a=1|2|3|4|5|",
        "a=one|2|3|4|5|",
        "a=1|2|3|4|five|",
        "a=one|2|3|4|five|",
    );
    check("a=1|2|3|", "a=0|1|2|3|", "a=1|2|3|4|", "a=0|1|2|3|4|");
    check("a=1|2|3|", "a=1|3|", "a=1|2|3|4|", "a=1|3|4|");
    check("a=1|2|3", "a=0|1|2|3", "a=1|2|3|4", "a=0|1|2|3|4");
}

#[test]
fn the_same_lines_are_marked() {
    let marked = "a=1|<<<<<<< edited by hand|x|=======|y|>>>>>>> from the plugin|3|";
    check(
        "a=1|2|3|",
        "a=1|x|3|",
        "a=1|y|3|",
        &format!("{marked} Lines(a)"),
    );
    check_sides("a=1|2|3|", "a=1|x|3|", "a=1|y|3|", "a=1|x|3|", "a=1|y|3|");
    check_sides(
        "a=1|2|3|4|5|6|",
        "a=1|x|3|4|5|mine|",
        "a=one|y|3|4|5|6|",
        "a=1|x|3|4|5|mine|",
        "a=one|y|3|4|5|mine|",
    );
}

#[test]
fn files_come_and_go() {
    check("a=1", "a=1 b=mine", "a=1 c=new", "a=1 b=mine c=new");
    check("a=1 b=2", "a=1", "a=1 b=2", "a=1");
    check("a=1 b=2", "a=1 b=2", "a=1", "a=1");
    check("a=1", "a=1 b=same", "a=1 b=same", "a=1 b=same");
    check(
        "a=1",
        "a=1 b=x",
        "a=1 b=y",
        "a=1 b=<<<<<<< edited by hand|x|=======|y|>>>>>>> from the plugin| Lines(b)",
    );
}

#[test]
fn a_whole_file_that_both_touched_is_stuck() {
    check("a=!1", "a=!2", "a=!3", "a=!2 Binary(a)");
    check_sides("a=!1", "a=!2", "a=!3", "a=!2", "a=!3");
    check("a=1 b=2", "a=1", "a=1 b=3", "a=1 RemovedByHand(b)");
    check_sides("a=1 b=2", "a=1", "a=1 b=3", "a=1", "a=1 b=3");
    check(
        "a=1 b=2",
        "a=1 b=mine",
        "a=1",
        "a=1 b=mine GoneFromPlugin(b)",
    );
    check_sides("a=1 b=2", "a=1 b=mine", "a=1", "a=1 b=mine", "a=1");
    check("a=!1", "a=x", "a=y", "a=x NoBase(a)");
}

#[test]
fn a_renamed_file_keeps_the_changes_of_the_other_side() {
    check("a=1|2|3|4|", "b=1|2|3|4|", "a=1|2|3|four|", "b=1|2|3|four|");
    check("a=1|2|3|4|", "a=one|2|3|4|", "b=1|2|3|4|", "b=one|2|3|4|");
    check(
        "a=1|2|3|4|",
        "b=1|2|3|4|5|",
        "a=0|1|2|3|4|",
        "b=0|1|2|3|4|5|",
    );
    check("a=!1", "b=!1", "a=!2", "b=!2");
    check("a=1|2|", "b=1|2|", "b=1|2|", "b=1|2|");
    check("a=1|2|", "b=1|2|", "c=1|2|", "b=1|2| Renamed(b)");
    check_sides("a=1|2|", "b=1|2|", "c=1|2|", "b=1|2|", "c=1|2|");
}

#[test]
fn two_files_do_not_share_a_path() {
    check(
        "a=1|2|3|",
        "b=1|2|3|",
        "a=1|2|3| b=other|",
        "b=1|2|3| Clash(b)",
    );
    check(
        "x=1",
        "x=1 d=mine",
        "x=1 d/e=new",
        "d=mine d/e=new x=1 Clash(d/e)",
    );
}
