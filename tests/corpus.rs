//! The 89 real manifests, if they are next to the checkout. They are not part of the project, so these
//! tests are skipped without them.

use std::process::Command;

use serde_json::Value;
use skill_testing::find;
use tempfile::TempDir;

use crate::tool;

#[test]
fn switched_off_plugins_are_listed() {
    let Some(corpus) = corpus() else { return };
    let out = TempDir::new().unwrap();
    let summary = &tool::report(corpus.path(), out.path(), &[])["summary"];
    assert_eq!(summary["migrated"], 69, "{summary}");
    assert_eq!(summary["by_status"]["disabled"], 20, "{summary}");
}

#[test]
fn all_are_migrated_when_asked() {
    let Some(corpus) = corpus() else { return };
    let out = TempDir::new().unwrap();
    let report = tool::report(corpus.path(), out.path(), &["--include-disabled"]);
    let failed: Vec<&Value> = report["plugins"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["status"] != "created")
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(report["summary"]["migrated"], 89);
}

/// Writes the collection to a temporary directory; `None` if it is absent.
pub(crate) fn corpus() -> Option<TempDir> {
    let script = find::shared("corpus/materialize.py")?;
    find::python()?;
    let res = TempDir::new().unwrap();
    let status = Command::new("python3")
        .arg(script)
        .arg(res.path())
        .output()
        .unwrap()
        .status;
    assert!(status.success(), "materialize.py failed");
    Some(res)
}
