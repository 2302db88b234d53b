//! The local time zone: offsets from UTC.
//!
//! The files of the zones are read through the loader and parsed by `jiff`, which would otherwise
//! look for them itself. A zone that is not found or cannot be parsed is UTC: a time stamp with
//! its offset is then still the right moment.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use skill_loader::fs::{Root, resolve};

/// The largest file of a zone, in bytes.
const MAX_FILE: u64 = 1 << 20;
/// The directory of the named time zones.
const ZONES: &str = "/usr/share/zoneinfo";

/// A time zone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone(TimeZone);

impl Zone {
    /// Returns UTC.
    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// Returns the zone of an environment: `TZ` as a name or a path, else `/etc/localtime`.
    pub fn from_environment(environment: &BTreeMap<String, String>) -> Self {
        let path = match environment
            .get("TZ")
            .map(|name| name.trim_start_matches(':'))
        {
            None => PathBuf::from("/etc/localtime"),
            Some("" | "UTC") => return Self::utc(),
            // An absolute path replaces the directory.
            Some(name) => Path::new(ZONES).join(name),
        };
        let parsed = read(&path).and_then(|bytes| Self::parse(&bytes));
        parsed.unwrap_or_else(Self::utc)
    }

    /// Returns the offset at a moment in seconds since 1970, in seconds east of UTC.
    pub fn offset(&self, at: i64) -> i64 {
        let at = Timestamp::from_second(at).unwrap_or(Timestamp::MAX);
        self.0.to_offset(at).seconds().into()
    }

    /// Parses a `TZif` file (RFC 9636).
    fn parse(bytes: &[u8]) -> Option<Self> {
        TimeZone::tzif("", bytes).ok().map(Self)
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let real = resolve(path).ok()?;
    let dir = Root::open_real(real.parent()?).ok()?;
    dir.read(real.file_name()?.to_str()?, MAX_FILE).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use skill_testing::{Need, skip};

    use super::Zone;

    #[test]
    fn offsets_of_real_zones() {
        let named = |name: &str| {
            let environment = BTreeMap::from([("TZ".to_owned(), name.to_owned())]);
            Zone::from_environment(&environment)
        };
        let is_there = named("Asia/Shanghai") != Zone::utc();
        let reason = format!("there are no zones in {}", super::ZONES);
        if !skip::unless_so(Need::Zones, is_there, &reason) {
            return;
        }
        for (name, at, hours) in [
            ("Asia/Shanghai", 1_795_175_073, 8.0),
            ("Asia/Kolkata", 1_795_175_073, 5.5),
            // 2026-11-20 and 2026-07-01; 2040-07-01 by the rule at the end of the file.
            ("America/New_York", 1_795_175_073, -5.0),
            ("America/New_York", 1_782_864_000, -4.0),
            ("Europe/Berlin", 2_224_713_600, 2.0),
            ("Australia/Sydney", 2_224_713_600, 10.0),
            ("Nowhere/At_All", 0, 0.0),
        ] {
            let offset = named(name).offset(at);
            #[expect(clippy::cast_precision_loss, reason = "an offset is a small number")]
            let shown = offset as f64 / 3_600.0;
            assert!((shown - hours).abs() < 1e-9, "{name}: {shown}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        for bytes in [
            &b""[..],
            b"TZif",
            b"not a zone file at all, but long enough for a header",
        ] {
            assert_eq!(Zone::parse(bytes), None);
        }
    }
}
