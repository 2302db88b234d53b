//! The decision about a confined child.

use crate::policy::LauncherKind;
use crate::report::{Level, Report};

/// The way in which a child is started.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Without restrictions, with this report.
    Free(Report),
    /// By `sandbox-exec`.
    Seatbelt,
    /// Not at all: only this level could be reached.
    Refused(Report),
}

/// Decides how a child is started that wants at least this level, on a system of this name
/// ([`std::env::consts::OS`]).
pub(super) fn decide(launcher: &LauncherKind, at_least: Level, system: &str) -> Start {
    let without = |why: String| Report {
        level: Level::None,
        missing: vec![why],
    };
    let report = match (launcher, system) {
        (LauncherKind::Seatbelt, "macos") if at_least <= Level::Partial => return Start::Seatbelt,
        (LauncherKind::Seatbelt, "macos") => Report {
            level: Level::Partial,
            missing: vec![NOT_TESTED.to_owned()],
        },
        (LauncherKind::Seatbelt, _) => without("sandbox-exec exists on macOS only".to_owned()),
        (LauncherKind::Program(_), _) => {
            without(format!("this program has no sandbox for {system}"))
        }
    };
    if at_least > report.level {
        Start::Refused(report)
    } else {
        Start::Free(report)
    }
}

/// The first thing that is missing with `sandbox-exec`.
pub(super) const NOT_TESTED: &str =
    "the profile for sandbox-exec is experimental: its authors have not run it on macOS";

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(launcher: &LauncherKind, at_least: Level, system: &str, expected: &str) {
        let got = match decide(launcher, at_least, system) {
            Start::Free(report) => format!("free, {}", report.level.as_str()),
            Start::Seatbelt => "seatbelt".to_owned(),
            Start::Refused(report) => {
                format!("{}: {}", report.level.as_str(), report.missing.join("; "))
            }
        };
        assert_eq!(got, expected, "{launcher:?} {at_least:?} {system}");
    }

    #[test]
    fn nothing_weaker_than_asked_for_is_started() {
        let ours = LauncherKind::Program("/proc/self/exe".into());
        let (none, partial, full) = (Level::None, Level::Partial, Level::Full);
        check(&ours, none, "windows", "free, none");
        let no_sandbox = "none: this program has no sandbox for windows";
        check(&ours, partial, "windows", no_sandbox);
        check(&ours, full, "windows", no_sandbox);
        let no_sandbox = "none: this program has no sandbox for macos";
        check(&ours, partial, "macos", no_sandbox);
        let elsewhere = "none: sandbox-exec exists on macOS only";
        check(&LauncherKind::Seatbelt, partial, "windows", elsewhere);
        check(&LauncherKind::Seatbelt, partial, "macos", "seatbelt");
        let not_full = format!("partial: {NOT_TESTED}");
        check(&LauncherKind::Seatbelt, full, "macos", &not_full);
    }
}
