//! The clock: the single entry point for reading the time.
#![expect(
    clippy::disallowed_methods,
    reason = "results carry the time of the call, as the old host's did"
)]

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::tz::Offset;

/// Returns the milliseconds since 1970, in UTC.
pub fn now_ms() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The first moment of 1980, in milliseconds since 1970.
const FIRST_MS: i64 = 315_532_800_000;
/// The first moment of 2100.
const END_MS: i64 = 4_102_444_800_000;

/// Returns the milliseconds since 1970 of a moment such as `2025-01-01T00:00:00Z`.
///
/// # Errors
///
/// The text is not a date and a time with an offset (RFC 3339), or not from 1980 to 2099: programs and
/// certificates do not work in other years.
pub fn parse_ms(text: &str) -> Result<i64, String> {
    let moment: Result<Timestamp, _> = text.parse();
    let ms = moment.map(Timestamp::as_millisecond).map_err(|_| {
        "this is not a moment; expected one such as 2025-01-01T00:00:00Z".to_owned()
    })?;
    if (FIRST_MS..END_MS).contains(&ms) {
        Ok(ms)
    } else {
        Err("programs cannot begin in that year; expected one from 1980 to 2099".to_owned())
    }
}

/// Returns the milliseconds since 1970 of a date in a header, such as `Fri, 31 Dec 2032 23:59:59 GMT`
/// (RFC 9110 §5.6.7).
pub(crate) fn parse_http_date(text: &str) -> Option<i64> {
    let moment = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(moment.timestamp().as_millisecond())
}

/// Formats a moment in milliseconds since 1970 as `2026-11-20T11:44:33.387+00:00`; `offset` is in
/// seconds east of UTC.
pub fn local_iso(ms: i64, offset: i64) -> String {
    let at = Timestamp::from_millisecond(ms).unwrap_or(Timestamp::MAX);
    let offset = i32::try_from(offset).ok();
    let offset = offset.and_then(|seconds| Offset::from_seconds(seconds).ok());
    let local = at.to_zoned(offset.unwrap_or(Offset::UTC).to_time_zone());
    local.strftime("%Y-%m-%dT%H:%M:%S%.3f%:z").to_string()
}

#[cfg(test)]
mod tests {
    use super::{local_iso, parse_ms};

    #[test]
    fn moments_are_read() {
        assert_eq!(parse_ms("2025-01-01T01:00:00+01:00"), Ok(1_735_689_600_000));
        for wrong in [
            "2025-01-01",
            "1979-12-31T23:59:59Z",
            "2100-01-01T00:00:00Z",
            "1900-01-01T00:00:00Z",
        ] {
            assert!(parse_ms(wrong).is_err(), "{wrong}");
        }
        assert!(parse_ms("1980-01-01T00:00:00Z").is_ok());
        assert!(parse_ms("2099-12-31T23:59:59Z").is_ok());
    }

    #[test]
    fn moments() {
        for (ms, offset, text) in [
            (0, 0, "1970-01-01T00:00:00.000+00:00"),
            (951_782_400_000, 0, "2000-02-29T00:00:00.000+00:00"),
            (1_795_175_073_387, 28_800, "2026-11-20T19:44:33.387+08:00"),
            (1_795_175_073_387, -12_600, "2026-11-20T08:14:33.387-03:30"),
            (-1, 0, "1969-12-31T23:59:59.999+00:00"),
        ] {
            assert_eq!(local_iso(ms, offset), text);
        }
    }
}
