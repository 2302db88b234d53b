//! The rule at the end of a zone file: `CET-1CEST,M3.5.0,M10.5.0/3`.

use crate::clock::{Civil, days_since_1970};

/// Rules are applied up to this year.
const LAST_YEAR: i64 = 2_100;
const DAY: i64 = 86_400;
/// The default time of a change: 2 o'clock, in seconds.
const TWO: i64 = 7_200;

/// The changes after `after` that a rule makes, as moments and offsets. A rule without summer
/// time makes none; one that this cannot read neither.
pub(super) fn changes(rule: &str, after: i64) -> Vec<(i64, i64)> {
    parse(rule, after).unwrap_or_default()
}

fn parse(rule: &str, after: i64) -> Option<Vec<(i64, i64)>> {
    let rest = name(rule)?;
    let (standard, rest) = time(rest)?;
    let rest = name(rest)?;
    // Offsets in a rule are west of UTC.
    let (summer, rest) = match rest.strip_prefix(',') {
        Some(_) => (standard - 3_600, rest),
        None => time(rest)?,
    };
    let mut parts = rest.strip_prefix(',')?.split(',');
    let (begin, end) = (day(parts.next()?)?, day(parts.next()?)?);
    let from = Civil::of_seconds(after.max(0)).year;
    let mut res = Vec::new();
    for year in from..LAST_YEAR {
        res.push((begin.at(year) + standard, -summer));
        res.push((end.at(year) + summer, -standard));
    }
    res.retain(|(at, _)| *at > after);
    res.sort_unstable();
    Some(res)
}

/// Returns the text after a name: letters, or anything in `<…>`.
fn name(text: &str) -> Option<&str> {
    if let Some(quoted) = text.strip_prefix('<') {
        return quoted.split_once('>').map(|(_, rest)| rest);
    }
    let rest = text.trim_start_matches(|char: char| char.is_ascii_alphabetic());
    (rest.len() < text.len()).then_some(rest)
}

/// `[+-]hh[:mm[:ss]]` in seconds, and what follows.
fn time(text: &str) -> Option<(i64, &str)> {
    let (sign, digits) = match text.as_bytes().first()? {
        b'-' => (-1, &text[1..]),
        b'+' => (1, &text[1..]),
        _ => (1, text),
    };
    let is_part = |char: char| char.is_ascii_digit() || char == ':';
    let end = digits.find(|char| !is_part(char)).unwrap_or(digits.len());
    let mut seconds = 0;
    let mut unit = 3_600;
    for part in digits[..end].split(':') {
        seconds += part.parse::<i64>().ok()? * unit;
        unit /= 60;
    }
    Some((sign * seconds, &digits[end..]))
}

/// The `week`th `weekday` of a month (5 is the last), and a time of that day.
struct Change {
    month: i64,
    week: i64,
    weekday: i64,
    time: i64,
}

fn day(text: &str) -> Option<Change> {
    let (date, at) = text.split_once('/').map_or((text, TWO), |(date, at)| {
        (date, time(at).map_or(TWO, |(seconds, _)| seconds))
    });
    let mut numbers = date
        .strip_prefix('M')?
        .split('.')
        .map(|part| part.parse().ok());
    let res = Change {
        month: numbers.next()??,
        week: numbers.next()??,
        weekday: numbers.next()??,
        time: at,
    };
    ((1..=12).contains(&res.month) && (1..=5).contains(&res.week)).then_some(res)
}

impl Change {
    /// The moment in local time, in seconds since 1970.
    fn at(&self, year: i64) -> i64 {
        let first = days_since_1970(year, self.month, 1);
        let (next_year, next_month) = if self.month == 12 {
            (year + 1, 1)
        } else {
            (year, self.month + 1)
        };
        let after = days_since_1970(next_year, next_month, 1);
        let of_first = i64::from(Civil::week_day(first * DAY));
        let mut day = first + (self.weekday - of_first).rem_euclid(7) + (self.week - 1) * 7;
        while day >= after {
            day -= 7;
        }
        day * DAY + self.time
    }
}
