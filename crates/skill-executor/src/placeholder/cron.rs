//! Cron texts as the old host's scheduler read them.
//!
//! Source: `docs/design/legacy-host.md` §1.5 and §1.9: five or six fields, fewer are read from the right;
//! ranges that run backwards and words that are unknown are refused without an error, and a date
//! makes a job for once.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;

use crate::zone::Zone;

/// Days that are searched for the next moment: eight years hold every date there is, also around 2100.
const HORIZON: i64 = 8 * 366;
const DAY: i64 = 86_400;

/// The schedule of computing a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Schedule {
    /// By fields.
    Cron(Box<Fields>),
    /// Once, in seconds since 1970.
    Once(i64),
}

/// The six fields, each as the values that it allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fields {
    seconds: Vec<u32>,
    minutes: Vec<u32>,
    hours: Vec<u32>,
    days: Vec<u32>,
    months: Vec<u32>,
    week_days: Vec<u32>,
    /// `L` among the days of the month.
    last_day: bool,
    /// Days of the week that count in the last seven days of a month alone: `5L`.
    last_week_days: Vec<u32>,
    /// `1#2`: the day of the week counts for the second time in a month.
    nth: Option<u32>,
}

/// A field: its name is only for readers; smallest and largest value, words for values.
struct Field {
    min: u32,
    max: u32,
    words: &'static [&'static str],
    first_word: u32,
    absent: &'static str,
}

const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];
const WEEK: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FIELDS: [Field; 6] = [
    Field {
        min: 0,
        max: 59,
        words: &[],
        first_word: 0,
        absent: "0",
    },
    Field {
        min: 0,
        max: 59,
        words: &[],
        first_word: 0,
        absent: "*",
    },
    Field {
        min: 0,
        max: 23,
        words: &[],
        first_word: 0,
        absent: "*",
    },
    Field {
        min: 1,
        max: 31,
        words: &[],
        first_word: 0,
        absent: "*",
    },
    Field {
        min: 1,
        max: 12,
        words: &MONTHS,
        first_word: 1,
        absent: "*",
    },
    Field {
        min: 0,
        max: 7,
        words: &WEEK,
        first_word: 0,
        absent: "*",
    },
];

/// Texts that stand for others.
const NAMED: [(&str, &str); 5] = [
    ("@yearly", "0 0 1 1 *"),
    ("@monthly", "0 0 1 * *"),
    ("@weekly", "0 0 * * 0"),
    ("@daily", "0 0 * * *"),
    ("@hourly", "0 * * * *"),
];

impl Schedule {
    /// Reads a text; `None` for one that means nothing, which is not an error. `zone` applies to a
    /// date without one.
    pub fn read(text: &str, zone: &Zone) -> Option<Self> {
        let text = crate::json::trim(text);
        let named = NAMED.iter().find(|(name, _)| *name == text);
        let cron = named.map_or(text, |(_, meaning)| meaning);
        match fields(cron) {
            Some(fields) => Some(Self::Cron(Box::new(fields))),
            None => date(text, zone).map(Self::Once),
        }
    }

    /// The first moment after `after`, both in seconds since 1970.
    pub fn next(&self, after: i64, zone: &Zone) -> Option<i64> {
        match self {
            Self::Once(at) => (*at > after).then_some(*at),
            Self::Cron(fields) => fields.next(after, zone),
        }
    }
}

impl Fields {
    fn next(&self, after: i64, zone: &Zone) -> Option<i64> {
        let local = after + zone.offset(after);
        let today = local.div_euclid(DAY);
        (today..today + HORIZON).find_map(|day| {
            if !self.allows(date_of(day)?) {
                return None;
            }
            let from = (local + 1 - day * DAY).max(0);
            let at = self.time_from(from)?;
            let wall = day * DAY + at;
            let guess = wall - zone.offset(wall);
            Some(wall - zone.offset(guess))
        })
    }

    fn allows(&self, date: Date) -> bool {
        let number = |part: i8| u32::from(part.unsigned_abs());
        let (day, n_days) = (number(date.day()), number(date.days_in_month()));
        if !self.months.contains(&number(date.month())) {
            return false;
        }
        let in_month = (self.last_day && day == n_days) || self.days.contains(&day);
        if self.nth.is_some_and(|nth| nth != (day - 1) / 7 + 1) {
            return false;
        }
        let week_day = number(date.weekday().to_sunday_zero_offset());
        let in_last_week = day + 7 > n_days;
        let in_week = self.week_days.contains(&week_day)
            || (in_last_week && self.last_week_days.contains(&week_day));
        // Both restricted: either will do. One restricted: that one counts.
        match (self.days.len() == 31, self.week_days.len() == 7) {
            (false, false) => in_month || in_week,
            (false, true) => in_month,
            (true, _) => in_week,
        }
    }

    /// The first time of day not before `from`, in seconds.
    fn time_from(&self, from: i64) -> Option<i64> {
        let times = self.hours.iter().flat_map(|hour| {
            let minutes = self.minutes.iter();
            minutes.map(move |minute| i64::from(*hour) * 3_600 + i64::from(*minute) * 60)
        });
        times.filter(|time| time + 59 >= from).find_map(|time| {
            let mut seconds = self.seconds.iter().map(|second| time + i64::from(*second));
            seconds.find(|at| *at >= from)
        })
    }
}

/// Returns the date of a day, counted from 1970; `None` beyond the year 9999.
fn date_of(day: i64) -> Option<Date> {
    let midnight = Timestamp::from_second(day * DAY).ok()?;
    Some(Offset::UTC.to_datetime(midnight).date())
}

/// Returns the seconds between 1970 and a date and time, as if the time were in UTC.
fn utc_seconds(at: DateTime) -> Option<i64> {
    Some(Offset::UTC.to_timestamp(at).ok()?.as_second())
}

fn fields(text: &str) -> Option<Fields> {
    let atoms: Vec<&str> = text.split_whitespace().collect();
    let missing = FIELDS.len().checked_sub(atoms.len())?;
    if atoms.is_empty() {
        return None;
    }
    let atom = |n: usize| match n.checked_sub(missing) {
        Some(at) => atoms[at],
        None => FIELDS[n].absent,
    };
    let last_day = atom(3).split(',').any(|part| part == "L");
    let days = atom(3)
        .split(',')
        .filter(|part| *part != "L")
        .collect::<Vec<_>>()
        .join(",");
    let days = if days.is_empty() {
        Vec::new()
    } else {
        values(&days, &FIELDS[3])?
    };
    let (week, nth) = nth_of(atom(5))?;
    let (last, plain): (Vec<&str>, Vec<&str>) = week.split(',').partition(|part| is_last(part));
    let last = last.iter().map(|part| part.trim_end_matches('L'));
    let last = last.collect::<Vec<_>>().join(",");
    Some(Fields {
        seconds: values(atom(0), &FIELDS[0])?,
        minutes: values(atom(1), &FIELDS[1])?,
        hours: values(atom(2), &FIELDS[2])?,
        days,
        months: values(atom(4), &FIELDS[4])?,
        week_days: week_days(&plain.join(","))?,
        last_day,
        last_week_days: week_days(&last)?,
        nth,
    })
}

/// `1#2` as its day and its count, which is for one day alone.
fn nth_of(text: &str) -> Option<(&str, Option<u32>)> {
    let Some((day, nth)) = text.split_once('#') else {
        return Some((text, None));
    };
    let nth = number(nth).filter(|nth| (1..=5).contains(nth))?;
    (!day.contains([',', '-', '/', 'L'])).then_some((day, Some(nth)))
}

/// Returns true if a day of the week means the last one of the month: `5L`.
fn is_last(part: &str) -> bool {
    part.strip_suffix('L')
        .is_some_and(|day| number(day).is_some())
}

/// Days of the week; none for an empty text. 7 is Sunday too.
fn week_days(text: &str) -> Option<Vec<u32>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    let mut res = values(text, &FIELDS[5])?;
    for day in &mut res {
        *day %= 7;
    }
    res.sort_unstable();
    res.dedup();
    Some(res)
}

/// The values of one field, sorted.
fn values(text: &str, field: &Field) -> Option<Vec<u32>> {
    let mut res = Vec::new();
    for part in text.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(number(step)?)),
            None => (part, None),
        };
        let (from, to) = match range.split_once('-') {
            _ if matches!(range, "*" | "?") => (field.min, field.max),
            Some((from, to)) => (value(from, field)?, value(to, field)?),
            None => {
                let from = value(range, field)?;
                (from, if step.is_some() { field.max } else { from })
            }
        };
        let step = step.unwrap_or(1);
        if from < field.min || to > field.max || from > to || step == 0 {
            return None;
        }
        res.extend((from..=to).step_by(usize::try_from(step).ok()?));
    }
    res.sort_unstable();
    res.dedup();
    Some(res)
}

fn value(text: &str, field: &Field) -> Option<u32> {
    let folded = text.to_ascii_lowercase();
    match field.words.iter().position(|word| *word == folded) {
        Some(at) => Some(field.first_word + u32::try_from(at).ok()?),
        None => number(text),
    }
}

fn number(text: &str) -> Option<u32> {
    let are_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| are_digits)
}

/// Reads a date such as `2026-11-20`, `2026-11-20T08:00` or `2026-11-20 08:00:30Z`: a day alone is
/// in UTC, a time without a zone is local, and days after the end of a month are days of the next
/// one, as in JavaScript.
fn date(text: &str, zone: &Zone) -> Option<i64> {
    let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
    let mut parts = day.split('-').map(number);
    let (year, month, date) = (parts.next()??, parts.next()??, parts.next()??);
    let is_day = parts.next().is_none() && (1..=12).contains(&month) && (1..=31).contains(&date);
    if !is_day || !(1_000..=9_999).contains(&year) {
        return None;
    }
    let first = Date::new(year.try_into().ok()?, month.try_into().ok()?, 1).ok()?;
    let midnight = utc_seconds(first.into())? + i64::from(date - 1) * DAY;
    if time.is_empty() {
        return Some(midnight);
    }
    let is_utc = time.ends_with('Z');
    let time = time.trim_end_matches('Z').split('.').next()?;
    let mut parts = time.split(':').map(number);
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    if hour > 23 || minute > 59 || second > 59 || parts.next().is_some() {
        return None;
    }
    let wall = midnight + i64::from(hour * 3_600 + minute * 60 + second);
    Some(if is_utc {
        wall
    } else {
        wall - zone.offset(wall)
    })
}

#[cfg(test)]
mod tests {
    use super::Schedule;
    use crate::clock::local_iso;
    use crate::zone::Zone;

    /// 2026-11-20, a Friday, 11:44:33 UTC.
    const NOW: i64 = 1_795_175_073;

    /// The next two moments, or none.
    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let zone = Zone::utc();
        let schedule = Schedule::read(text, &zone);
        let mut at = NOW;
        let mut res = Vec::new();
        for _ in 0..2 {
            let next = schedule
                .as_ref()
                .and_then(|schedule| schedule.next(at, &zone));
            let Some(next) = next else { break };
            res.push(local_iso(next * 1_000, 0)[..19].to_owned());
            at = next;
        }
        assert_eq!(res, expected, "{text}");
    }

    #[test]
    fn fields_and_odd_texts() {
        check(
            "*/15 * * * * *",
            &["2026-11-20T11:44:45", "2026-11-20T11:45:00"],
        );
        check(
            "0 */6 * * *",
            &["2026-11-20T12:00:00", "2026-11-20T18:00:00"],
        );
        check(
            "5,50 11 * * mon-fri",
            &["2026-11-20T11:50:00", "2026-11-23T11:05:00"],
        );
        check(
            "0 0 29 feb *",
            &["2028-02-29T00:00:00", "2032-02-29T00:00:00"],
        );
        check(
            "0 0 13 * 5",
            &["2026-11-27T00:00:00", "2026-12-04T00:00:00"],
        );
        check("0 0 L * *", &["2026-11-30T00:00:00", "2026-12-31T00:00:00"]);
        check(
            "0 0 * * 5L",
            &["2026-11-27T00:00:00", "2026-12-25T00:00:00"],
        );
        check(
            "0 0 * * 1,5L",
            &["2026-11-23T00:00:00", "2026-11-27T00:00:00"],
        );
        check(
            "0 0 * * mon#2",
            &["2026-12-14T00:00:00", "2027-01-11T00:00:00"],
        );
        check("0 0 * * 7", &["2026-11-22T00:00:00", "2026-11-29T00:00:00"]);
        check(
            "30/10 11 * * *",
            &["2026-11-20T11:50:00", "2026-11-21T11:30:00"],
        );
        check("@daily", &["2026-11-21T00:00:00", "2026-11-22T00:00:00"]);
        // §1.9: four fields are read from the right, one means every minute.
        check("0 8 * *", &["2026-12-08T00:00:00", "2026-12-08T00:01:00"]);
        check("*", &["2026-11-20T11:45:00", "2026-11-20T11:46:00"]);
        check("2026-11-20T12:00:00Z", &["2026-11-20T12:00:00"]);
        check("2026-11-20", &[]);
        check("2027-02-31", &["2027-03-03T00:00:00"]);
        check("2027-02-31 08:00:30", &["2027-03-03T08:00:30"]);
        check("0 0 30 feb *", &[]);
        for refused in [
            "@midnight",
            "0 22-2 * * *",
            "every hour",
            "60 * * * *",
            "* * * * * * *",
            "*/0 * * * *",
            "0 0 * * 1#6",
            "0 0 * * 1-5#1",
            "0 0 * * 9L",
            "",
        ] {
            check(refused, &[]);
        }
    }
}
