//! The table of plugins, within the width of a terminal.

use std::io::{self, Write};

use skill_pipeline::{Mode, Outcome, Status};

use super::view::View;
use skill_language::columns;
use skill_report::Paint;

/// The number of plugins up to which each one has a row. In larger collections only plugins that need
/// attention have one, unless -v is used.
const MAX_ROWS: usize = 120;
/// The maximum width of a name, in columns; longer names are cut.
const MAX_NAME: usize = 40;
/// The minimum width of a name on a narrow terminal, in columns.
const MIN_NAME: usize = 6;
/// The maximum length of a reason in one line, in characters.
const MAX_REASON: usize = 100;
/// The maximum length of a reason that is wrapped, in characters.
const MAX_WRAPPED_REASON: usize = 400;
/// The indentation of a wrapped reason, in columns.
const INDENT: usize = 4;

/// A row of the table.
struct Row {
    plugin: String,
    skill: String,
    /// The status with colours.
    status: String,
    /// The width of the status, in columns.
    status_width: usize,
    reason: Option<String>,
}

/// Writes a row for each plugin, or for each plugin that needs attention in a large collection.
pub(super) fn write(view: View, outcomes: &[Outcome], out: &mut dyn Write) -> io::Result<()> {
    let all = view.verbosity > 0 || outcomes.len() <= MAX_ROWS;
    let is_plain = |outcome: &Outcome| {
        outcome.status.is_migrated() && !outcome.needs_attention()
            || matches!(
                outcome.status,
                Status::Disabled | Status::HostPart | Status::Nothing
            )
    };
    let rows: Vec<Row> = outcomes
        .iter()
        .filter(|outcome| all || !is_plain(outcome))
        .map(|outcome| Row::new(view, outcome))
        .collect();
    if rows.is_empty() {
        return Ok(());
    }
    let [plugin_width, skill_width] = name_widths(&rows, view.width);
    let head = format!(
        "{}  {}  {}",
        pad(&view.paint.say("PLUGIN"), plugin_width),
        pad(&view.paint.say("SKILL"), skill_width),
        view.paint.say("STATUS")
    );
    writeln!(out, "{}", view.paint.strong(head))?;
    for row in &rows {
        let names = format!(
            "{}  {}",
            pad(&row.plugin, plugin_width),
            pad(&row.skill, skill_width)
        );
        row.write(&names, plugin_width + skill_width + 4, view, out)?;
    }
    writeln!(out)
}

impl Row {
    fn new(view: View, outcome: &Outcome) -> Self {
        let (status, status_width) = status(view.mode, outcome, view.paint);
        Self {
            plugin: source(outcome),
            skill: outcome.skill.clone().unwrap_or_else(|| "–".to_owned()),
            status,
            status_width,
            reason: reason(outcome).map(|it| view.paint.say(&it).into_owned()),
        }
    }

    /// Writes the row. A reason that does not fit on the line follows on lines of its own; the
    /// status begins at the column `start`.
    fn write(&self, names: &str, start: usize, view: View, out: &mut dyn Write) -> io::Result<()> {
        let View { width, paint, .. } = view;
        let Self { status, reason, .. } = self;
        let Some(reason) = reason else {
            return writeln!(out, "{names}  {status}");
        };
        let line = one_line(reason, MAX_REASON);
        let colon = &*paint.say(":");
        let needed = start + self.status_width + 2 + columns(&line);
        match width {
            Some(width) if needed > width => {
                writeln!(out, "{names}  {status}{colon}")?;
                let text = one_line(reason, MAX_WRAPPED_REASON);
                for line in wrap(&text, width.saturating_sub(INDENT).max(20)) {
                    writeln!(out, "{:INDENT$}{line}", "")?;
                }
                Ok(())
            }
            _ if colon == ":" => writeln!(out, "{names}  {status}: {line}"),
            _ => writeln!(out, "{names}  {status}{colon}{line}"),
        }
    }
}

/// Returns the widths of the two columns of names, so that the longest status fits beside them.
fn name_widths(rows: &[Row], width: Option<usize>) -> [usize; 2] {
    let widest = |name: fn(&Row) -> &str| {
        let widths = rows.iter().map(|row| columns(name(row)));
        widths.max().unwrap_or(0).clamp(MIN_NAME, MAX_NAME)
    };
    let [plugin, skill] = [widest(|row| &row.plugin), widest(|row| &row.skill)];
    let Some(width) = width else {
        return [plugin, skill];
    };
    // One more column for the colon before a reason.
    let status = rows.iter().map(|row| row.status_width + 1).max();
    let room = width.saturating_sub(status.unwrap_or(0) + 4);
    let half = room / 2;
    let fitting = match (plugin <= half, skill <= half) {
        _ if plugin + skill <= room => [plugin, skill],
        (true, _) => [plugin, room - plugin],
        (_, true) => [room - skill, skill],
        _ => [half, room - half],
    };
    fitting.map(|width| width.max(MIN_NAME))
}

fn source(outcome: &Outcome) -> String {
    let name = if outcome.directory.is_empty() {
        outcome.plugin.as_deref().unwrap_or(".")
    } else {
        &outcome.directory
    };
    name.escape_debug().to_string()
}

/// Returns the status with colours, and its width.
fn status(mode: Mode, outcome: &Outcome, paint: Paint) -> (String, usize) {
    let word = match (outcome.status, mode) {
        (Status::Created, Mode::DryRun | Mode::Check) => "would be created",
        (Status::Updated, Mode::DryRun | Mode::Check) => "would be updated",
        (Status::Merged, Mode::DryRun | Mode::Check) => "would be merged",
        (Status::Removed, Mode::DryRun | Mode::Check) => "would be removed",
        (Status::Disabled, _) => "switched off, skipped",
        (Status::HostPart, _) => "part of a host, skipped",
        (Status::Nothing, _) => "nothing to migrate",
        (status, _) => status.word(),
    };
    let word = &*paint.say(word);
    let painted = match outcome.status {
        Status::Rejected | Status::Conflict | Status::Failed => paint.error(word),
        _ if outcome.needs_attention() => {
            let text = &*paint.say("cannot run yet");
            let comma = &*paint.say(", ");
            let painted = format!("{word}{comma}{}", paint.warning(text));
            return (painted, columns(word) + columns(comma) + columns(text));
        }
        Status::Stale => paint.warning(word),
        Status::Disabled | Status::HostPart | Status::Nothing => paint.faint(word),
        Status::Created | Status::Updated | Status::Merged => paint.good(word),
        Status::Unchanged | Status::Removed => word.to_owned(),
    };
    (painted, columns(word))
}

/// Returns the reason for a status that is not good.
fn reason(outcome: &Outcome) -> Option<String> {
    let reason = outcome.first_reason();
    match outcome.status {
        Status::Rejected | Status::Conflict | Status::Failed | Status::Stale => {
            Some(reason.unwrap_or_default().to_owned())
        }
        _ if outcome.needs_attention() => {
            let reason = reason.filter(|reason| !reason.is_empty());
            Some(reason.unwrap_or("see the skill").to_owned())
        }
        _ => None,
    }
}

/// Returns a text in one line of at most `max` characters.
fn one_line(text: &str, max: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = text.chars().take(max).collect();
    if cut.len() < text.len() {
        format!("{cut}…")
    } else {
        text
    }
}

/// Splits a text into lines of at most `width` columns, between words. A longer word, or a text
/// without blanks, is split where the line is full.
fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split(' ') {
        let word_width = columns(word);
        if used > 0 && used + 1 + word_width > width {
            lines.push(String::new());
            used = 0;
        }
        if used > 0 {
            push(&mut lines, ' ');
            used += 1;
        }
        for c in word.chars() {
            let c_width = columns(c.encode_utf8(&mut [0; 4]));
            if used + c_width > width {
                lines.push(String::new());
                used = 0;
            }
            push(&mut lines, c);
            used += c_width;
        }
    }
    lines
}

fn push(lines: &mut [String], c: char) {
    if let Some(line) = lines.last_mut() {
        line.push(c);
    }
}

/// Returns a text of exactly `width` columns: filled with blanks, or cut with an ellipsis.
fn pad(text: &str, width: usize) -> String {
    let mut res = String::new();
    let mut used = 0;
    let is_too_wide = columns(text) > width;
    for c in text.chars() {
        let c_width = columns(c.encode_utf8(&mut [0; 4]));
        if used + c_width + usize::from(is_too_wide) > width {
            break;
        }
        res.push(c);
        used += c_width;
    }
    if is_too_wide {
        res.push('…');
        used += 1;
    }
    res + &" ".repeat(width.saturating_sub(used))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(directory: &str, skill: &str, status: Status, blocker: Option<&str>) -> Outcome {
        Outcome {
            directory: directory.to_owned(),
            plugin: None,
            skill: Some(skill.to_owned()),
            status,
            executor: None,
            runnable: Some(blocker.is_none()),
            is_hosted: false,
            blocker: blocker.map(str::to_owned),
            findings: Vec::new(),
            errors: Vec::new(),
            manifest: None,
            diff: String::new(),
            changes: Vec::new(),
            account: None,
        }
    }

    /// Checks the table of a dry run at a width.
    #[track_caller]
    fn check(width: Option<usize>, expected: &str) {
        let outcomes = [
            outcome("WordCount", "word-count", Status::Created, None),
            outcome(
                "weather-archive",
                "historical-weather-observation-archive-reader",
                Status::Created,
                Some(
                    "the old host hands its context bridge to this plugin, which no other host does",
                ),
            ),
            outcome("节气", "skill-0c558264", Status::Disabled, None),
        ];
        let view = View {
            mode: Mode::DryRun,
            verbosity: 0,
            paint: Paint::NONE,
            width,
        };
        let mut out = Vec::new();
        write(view, &outcomes, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, expected);
        if let Some(width) = width {
            assert!(text.lines().all(|line| columns(line) <= width), "{text}");
        }
    }

    #[test]
    fn a_table_fits_a_terminal_and_breaks_no_status() {
        check(
            Some(80),
            "\
PLUGIN           SKILL                         STATUS
WordCount        word-count                    would be created
weather-archive  historical-weather-observat…  would be created, cannot run yet:
    the old host hands its context bridge to this plugin, which no other host
    does
节气             skill-0c558264                switched off, skipped

",
        );
        check(
            Some(60),
            "\
PLUGIN       SKILL         STATUS
WordCount    word-count    would be created
weather-ar…  historical-…  would be created, cannot run yet:
    the old host hands its context bridge to this plugin,
    which no other host does
节气         skill-0c558…  switched off, skipped

",
        );
        check(
            None,
            "\
PLUGIN           SKILL                                     STATUS
WordCount        word-count                                would be created
weather-archive  historical-weather-observation-archive-…  would be created, cannot run yet: the old host hands its context bridge to this plugin, which no other host does
节气             skill-0c558264                            switched off, skipped

",
        );
    }

    #[test]
    fn a_text_is_wrapped_between_words() {
        for (text, width, expected) in [
            ("a bc def", 4, &["a bc", "def"][..]),
            ("abcdef gh", 4, &["abcd", "ef", "gh"]),
            ("此技能目前", 4, &["此技", "能目", "前"]),
            ("", 4, &[""]),
        ] {
            assert_eq!(wrap(text, width), expected, "{text}");
        }
    }
}
