//! The clock: the single entry point for reading the time.
#![expect(
    clippy::disallowed_methods,
    reason = "results carry the time of the call, as the old host's did"
)]

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the milliseconds since 1970, in UTC.
pub fn now_ms() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A moment as calendar fields, for time stamps and cron expressions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Civil {
    /// Year, Gregorian.
    pub year: i64,
    /// 1 to 12.
    pub month: u32,
    /// 1 to 31.
    pub day: u32,
    /// 0 to 23.
    pub hour: u32,
    /// 0 to 59.
    pub minute: u32,
    /// 0 to 59.
    pub second: u32,
}

const DAY: i64 = 86_400;

impl Civil {
    /// The fields of a moment in seconds since 1970 (days to date: the usual era arithmetic of
    /// the Gregorian calendar).
    pub fn of_seconds(seconds: i64) -> Self {
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_shifted = (5 * day_of_year + 2) / 153;
        let month = if month_shifted < 10 {
            month_shifted + 3
        } else {
            month_shifted - 9
        };
        let small = |value: i64| u32::try_from(value).unwrap_or_default();
        Self {
            year: year_of_era + era * 400 + i64::from(month <= 2),
            month: small(month),
            day: small(day_of_year - (153 * month_shifted + 2) / 5 + 1),
            hour: small(rest / 3_600),
            minute: small(rest / 60 % 60),
            second: small(rest % 60),
        }
    }

    /// Day of the week of a moment: 0 is Sunday.
    pub fn week_day(seconds: i64) -> u32 {
        let days = seconds.div_euclid(DAY);
        u32::try_from((days + 4).rem_euclid(7)).unwrap_or_default()
    }
}

/// Days from 1970 to a date of the Gregorian calendar; months from 1, days from 1.
pub fn days_since_1970(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let shifted = if month > 2 { month - 3 } else { month + 9 };
    let day_of_year = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// A moment as `2026-11-20T11:44:33.387+00:00`; the offset is in seconds east of UTC.
pub fn local_iso(ms: i64, offset: i64) -> String {
    let local = ms + offset * 1_000;
    let at = Civil::of_seconds(local.div_euclid(1_000));
    let sign = if offset < 0 { '-' } else { '+' };
    let east = offset.abs();
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}{sign}{:02}:{:02}",
        at.year,
        at.month,
        at.day,
        at.hour,
        at.minute,
        at.second,
        local.rem_euclid(1_000),
        east / 3_600,
        east / 60 % 60,
    )
}

#[cfg(test)]
mod tests {
    use super::local_iso;

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
