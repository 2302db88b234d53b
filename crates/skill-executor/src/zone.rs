//! The local time zone: offsets from UTC.
//!
//! Source: RFC 9636 (`TZif`) for the files, POSIX `TZ` for the rule at their end. What cannot be
//! read is UTC: a time stamp with its offset is then still the right moment.

mod rule;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use skill_loader::fs::{Root, resolve};

/// Largest file of a zone, in bytes.
const MAX_FILE: u64 = 1 << 20;
/// The directory of the named time zones.
const ZONES: &str = "/usr/share/zoneinfo";

/// A time zone.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Zone {
    /// Moments in seconds since 1970 and the offset from there on, in seconds east of UTC.
    changes: Vec<(i64, i64)>,
    /// The offset before the first change.
    first: i64,
}

impl Zone {
    /// UTC all year.
    pub fn utc() -> Self {
        Self::default()
    }

    /// The zone of an environment: `TZ` as a name or a path, else `/etc/localtime`.
    pub fn of_environment(environment: &BTreeMap<String, String>) -> Self {
        let path = match environment
            .get("TZ")
            .map(|name| name.trim_start_matches(':'))
        {
            None => PathBuf::from("/etc/localtime"),
            Some("" | "UTC") => return Self::utc(),
            // An absolute path replaces the directory.
            Some(name) => Path::new(ZONES).join(name),
        };
        let found = read(&path).and_then(|bytes| Self::parse(&bytes));
        found.unwrap_or_default()
    }

    /// The offset at a moment in seconds since 1970, in seconds east of UTC.
    pub fn offset(&self, at: i64) -> i64 {
        let next = self.changes.partition_point(|(from, _)| *from <= at);
        match next.checked_sub(1) {
            Some(last) => self.changes[last].1,
            None => self.first,
        }
    }

    /// Reads a `TZif` file of version 2 or later.
    fn parse(bytes: &[u8]) -> Option<Self> {
        let old = Header::read(bytes)?;
        let bytes = bytes.get(HEADER + old.size(4)..)?;
        let header = Header::read(bytes)?;
        let body = bytes.get(HEADER..)?;
        let times = body.get(..header.times * 8)?.chunks_exact(8);
        let kinds = body.get(header.times * 8..)?;
        let types = kinds.get(header.times..)?.get(..header.types * 6)?;
        let offset = |kind: usize| {
            let bytes = types.get(kind * 6..kind * 6 + 4)?;
            Some(i64::from(i32::from_be_bytes(bytes.try_into().ok()?)))
        };
        let mut changes = Vec::new();
        for (time, kind) in times.zip(kinds) {
            let time = i64::from_be_bytes(time.try_into().ok()?);
            changes.push((time, offset((*kind).into())?));
        }
        let footer = bytes.get(HEADER + header.size(8)..)?;
        let first = offset(0)?;
        let last = changes.last().map_or(i64::MIN, |(time, _)| *time);
        let rule = std::str::from_utf8(footer).ok()?.trim_matches('\n');
        changes.extend(rule::changes(rule, last));
        Some(Self { changes, first })
    }
}

/// Bytes of a header.
const HEADER: usize = 44;

/// The counts in the header of a block.
struct Header {
    times: usize,
    types: usize,
    chars: usize,
    leaps: usize,
    standards: usize,
    universals: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Option<Self> {
        let head = bytes.get(..HEADER)?;
        if !head.starts_with(b"TZif") || head[4] < b'2' {
            return None;
        }
        let count = |n: usize| {
            let bytes = head[20 + n * 4..24 + n * 4].try_into().ok()?;
            usize::try_from(u32::from_be_bytes(bytes))
                .ok()
                .filter(|count| *count <= 100_000)
        };
        Some(Self {
            universals: count(0)?,
            standards: count(1)?,
            leaps: count(2)?,
            times: count(3)?,
            types: count(4)?,
            chars: count(5)?,
        })
    }

    /// Bytes of the block, where a time has `time` bytes.
    fn size(&self, time: usize) -> usize {
        let of_times = self.times * (time + 1) + self.types * 6 + self.chars;
        of_times + self.leaps * (time + 4) + self.standards + self.universals
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
            Zone::of_environment(&environment)
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
    fn what_is_no_zone_is_refused() {
        for bytes in [
            &b""[..],
            b"TZif",
            b"not a zone file at all, but long enough for a header",
        ] {
            assert_eq!(Zone::parse(bytes), None);
        }
    }
}
