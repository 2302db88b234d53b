//! `--baseline`: findings that are known already.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use serde::{Deserialize, Serialize};
use skill_loader::fs::{ReadError, Root, write_new};

use skill_report::findings::Report;

/// Most bytes of the file.
const MAX_BYTES: u64 = 256 << 20;

/// The file: how often each fingerprint was found.
#[derive(Default, Serialize, Deserialize)]
struct Baseline {
    version: u32,
    findings: BTreeMap<String, u32>,
}

/// Takes known findings out of the report, or makes all findings known.
pub(super) fn apply(path: &Path, update: bool, report: &mut Report) -> anyhow::Result<()> {
    let baseline = if update {
        write(path, report)?
    } else {
        read(path)?
    };
    let mut left = baseline.findings;
    report.take_known(|fingerprint| match left.get_mut(fingerprint) {
        Some(n) if *n > 0 => {
            *n -= 1;
            true
        }
        _ => false,
    });
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Baseline> {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let root = Root::open_following(directory.unwrap_or(Path::new(".")))?;
    let bytes = root.read(name, MAX_BYTES).map_err(|error| match error {
        ReadError::Missing { .. } => anyhow::anyhow!(
            "{}: no such file; write it with --update-baseline",
            path.display()
        ),
        error => error.into(),
    })?;
    serde_json::from_slice(&bytes)
        .with_context(|| format!("cannot read the baseline {}", path.display()))
}

fn write(path: &Path, report: &Report) -> anyhow::Result<Baseline> {
    let mut baseline = Baseline {
        version: 1,
        findings: BTreeMap::new(),
    };
    for item in &report.items {
        *baseline
            .findings
            .entry(item.fingerprint.clone())
            .or_default() += 1;
    }
    let text = serde_json::to_string_pretty(&baseline)? + "\n";
    write_new(path, text.as_bytes())?;
    Ok(baseline)
}
