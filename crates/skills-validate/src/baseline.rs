//! `--baseline`: the file of known findings.

use std::path::Path;

use anyhow::Context as _;
use findings_report::{Baseline, Report};
use skill_loader::fs::{ReadError, read_named, write_new};

/// The maximum size of the file, in bytes.
const MAX_BYTES: u64 = 256 << 20;

/// Removes known findings from the report, or writes all findings to the file first.
pub(super) fn apply(path: &Path, update: bool, report: &mut Report) -> anyhow::Result<()> {
    let baseline = if update {
        let baseline = Baseline::from_report(report);
        write_new(path, baseline.to_json().as_bytes())?;
        baseline
    } else {
        read(path)?
    };
    baseline.apply(report);
    Ok(())
}

fn read(path: &Path) -> anyhow::Result<Baseline> {
    let bytes = read_named(path, MAX_BYTES).map_err(|error| match error {
        ReadError::Missing { .. } => anyhow::anyhow!(
            "{}: no such file; write it with --update-baseline",
            path.display()
        ),
        error => error.into(),
    })?;
    Baseline::parse(&bytes).with_context(|| format!("cannot read the baseline {}", path.display()))
}
