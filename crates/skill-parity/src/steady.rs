//! The same clock and the same random numbers for all runs of a case, and a record of connections
//! that failed.
//!
//! Programs load two small files before their own code: Node.js by `NODE_OPTIONS`, Python by
//! `PYTHONPATH`. No other tool does this.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use skill_loader::fs::{ReadError, Root};

/// The file for Node.js.
const NODE: &str = include_str!("steady/steady.js");
/// The file for Python, under the name that the interpreter looks for.
const PYTHON: &str = include_str!("steady/sitecustomize.py");
/// The name of the record, in the directory for temporary files of the program.
const RECORD: &str = ".skills-verify-failed-connections";
/// The longest record that is read, in bytes.
const MAX_RECORD: u64 = 1 << 20;

/// The files in the state directory of one run.
#[derive(Debug)]
pub(crate) struct Steady {
    /// The directory with the files.
    pub(crate) dir: PathBuf,
}

impl Steady {
    /// The directory of both files, beneath the state directory of a run.
    pub(crate) const DIR: &str = "steady";

    /// Returns the files of the run whose state is in `state`.
    pub(crate) fn new(state: &Path) -> Self {
        Self {
            dir: state.join(Self::DIR),
        }
    }

    /// Returns the variables by which programs load the files.
    pub(crate) fn loaders(&self) -> BTreeMap<String, String> {
        let node = self.dir.join("steady.js").display().to_string();
        let node = node.replace('\\', "\\\\").replace('"', "\\\"");
        BTreeMap::from([
            ("NODE_OPTIONS".to_owned(), format!("--require \"{node}\"")),
            ("PYTHONPATH".to_owned(), self.dir.display().to_string()),
            // The order of sets.
            ("PYTHONHASHSEED".to_owned(), "0".to_owned()),
        ])
    }

    /// Writes the files. `start_ms` is the time at which each process starts, and `tmp` a directory in
    /// which the program may write.
    pub(crate) fn write(state: &Root, start_ms: i64, tmp: &Path) -> Result<(), ReadError> {
        let record = Value::String(tmp.join(RECORD).display().to_string()).to_string();
        let filled = |text: &str| {
            let text = text.replace("__START__", &start_ms.to_string());
            text.replace("__RECORD__", &record).into_bytes()
        };
        state.write_whole(Self::DIR, "steady.js", &filled(NODE))?;
        state.write_whole(Self::DIR, "sitecustomize.py", &filled(PYTHON))
    }
}

/// Returns the first place that a program could not connect to, and removes the record. `tmp` is
/// beneath the state directory.
pub(crate) fn take_failed(state: &Root, tmp: &str) -> Option<String> {
    let path = format!("{tmp}/{RECORD}");
    let bytes = state.read(&path, MAX_RECORD).ok()?;
    // A record that stays is a change of files, which is seen.
    let _ = state.remove(&path);
    let text = String::from_utf8_lossy(&bytes);
    text.lines().next().map(str::to_owned)
}
