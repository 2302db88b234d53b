//! The list of Codex.
//!
//! A list that is too long is cut fairly: every skill gets one more character of its description in
//! turn, until the budget is used up. If the lines without descriptions are too long, the last
//! skills are left out.
//!
//! A line costs its bytes divided by four, rounded up. Paths are short: `r1/NAME/SKILL.md`. The table of
//! their directories is paid for from the same budget, except for the length of the text that it
//! replaces. Compared with `codex debug prompt-input` (version 0.169.0).

use crate::places::Places;
use crate::row::{Item, Row};

/// The share of the context, in percent.
const PERCENT: usize = 2;
const BYTES_OF_TOKEN: usize = 4;

/// The client's own skills, which come first: the lengths of name and description in bytes.
const OWN_SKILLS: [(usize, usize); 4] = [(8, 570), (11, 624), (13, 106), (15, 225)];

/// The directory of the client's own skills, below the home directory.
const OWN_PLACE: &str = "/.codex/skills/.system";
/// The bytes of the text before the list: with a table of directories, without its lines, and without it.
const BEFORE: [usize; 2] = [310, 451];
/// The bytes of a line of that table, without its directory.
const TABLE_LINE: usize = "- `r0` = ``\n".len();

/// A line of the list.
struct Line<'a> {
    /// The bytes of the line without a description.
    n_bytes: usize,
    /// The description; `None` for ASCII text of the client, of which only the length is known.
    text: Option<&'a str>,
    /// The characters of the description.
    n_chars: usize,
    /// The characters that are shown.
    n_shown: usize,
    /// The bytes of these characters.
    n_shown_bytes: usize,
}

impl<'a> Line<'a> {
    fn new(n_name: usize, text: Option<&'a str>, n_chars: usize) -> Self {
        Self {
            n_bytes: n_name * 2 + "- : (file: r1//SKILL.md)\n".len(),
            text,
            n_chars,
            n_shown: 0,
            n_shown_bytes: 0,
        }
    }

    fn cost(&self) -> usize {
        self.cost_with(self.n_shown_bytes)
    }

    /// Returns the cost with a description of this many bytes and the blank after it.
    fn cost_with(&self, n_bytes: usize) -> usize {
        let n_blanks = usize::from(n_bytes > 0);
        (self.n_bytes + n_bytes + n_blanks).div_ceil(BYTES_OF_TOKEN)
    }

    /// Returns the bytes of the description with one more character, if there is one.
    fn with_next(&self) -> Option<usize> {
        match self.text {
            Some(text) => {
                let next = text[self.n_shown_bytes..].chars().next()?;
                Some(self.n_shown_bytes + next.len_utf8())
            }
            None => (self.n_shown < self.n_chars).then_some(self.n_shown_bytes + 1),
        }
    }
}

pub(crate) fn list(items: &[Item], context: usize, places: &Places) -> Vec<Row> {
    let limit = (context.saturating_mul(PERCENT) / 100).max(1);
    let limit = limit.saturating_sub(table_cost(places));
    let texts: Vec<String> = items
        .iter()
        .map(|item| one_line(&item.description))
        .collect();
    let own = OWN_SKILLS
        .iter()
        .map(|(name, n)| Line::new(*name, None, *n));
    let others = items.iter().zip(&texts);
    let others =
        others.map(|(item, text)| Line::new(item.name.len(), Some(text), text.chars().count()));
    let mut lines: Vec<Line<'_>> = own.chain(others).collect();
    let least: usize = lines.iter().map(Line::cost).sum();
    let mut is_listed = vec![true; lines.len()];
    if least <= limit {
        fill(&mut lines, limit - least);
    } else {
        is_listed = that_fit(&lines, limit);
    }
    let lines = lines.iter().zip(is_listed).skip(OWN_SKILLS.len());
    let rows = items.iter().zip(lines);
    rows.map(|(item, (line, is_listed))| {
        if !is_listed {
            return Row::missing(item);
        }
        // What the client joins to one line is shown in full.
        let is_whole = line.n_shown == line.n_chars;
        let n_chars = item.description.chars().count();
        Row::new(item, if is_whole { n_chars } else { line.n_shown })
    })
    .collect()
}

/// Returns what the table of directories costs.
fn table_cost(places: &Places) -> usize {
    let lines = TABLE_LINE * 2 + places.home.len() + OWN_PLACE.len() + places.skills.len();
    let [with, without] = [BEFORE[0] + lines, BEFORE[1]].map(|n| n.div_ceil(BYTES_OF_TOKEN));
    with.saturating_sub(without)
}

/// Gives every line one more character in turn.
fn fill(lines: &mut [Line<'_>], mut remaining: usize) {
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for line in &mut *lines {
            let Some(n_bytes) = line.with_next() else {
                continue;
            };
            let cost = line.cost_with(n_bytes) - line.cost();
            if cost <= remaining {
                remaining -= cost;
                line.n_shown += 1;
                line.n_shown_bytes = n_bytes;
                has_changed = true;
            }
        }
    }
}

/// Returns which lines without descriptions fit.
fn that_fit(lines: &[Line<'_>], limit: usize) -> Vec<bool> {
    let mut used = 0;
    let mut fits = |line: &Line<'_>| {
        let is_listed = used + line.cost() <= limit;
        used += if is_listed { line.cost() } else { 0 };
        is_listed
    };
    lines.iter().map(&mut fits).collect()
}

/// Returns a text with one blank in place of each run of white space.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Skills `skill-001`, `skill-002`, … with a description of `length` characters each, of which
    /// every second skill has Chinese ones.
    fn items(n: usize, length: usize) -> Vec<Item> {
        let text = |at: usize| if at.is_multiple_of(2) { "词" } else { "a" };
        (1..=n)
            .map(|at| Item {
                name: format!("skill-{at:03}"),
                description: text(at).repeat(length),
            })
            .collect()
    }

    /// Checks the shown characters of the first two skills and of the last one.
    #[track_caller]
    fn check(n: usize, length: usize, expected: [Option<usize>; 3]) {
        let rows = list(&items(n, length), 272_000, &Places::default());
        let shown = [&rows[0], &rows[1], &rows[n - 1]];
        let is_listed = |row: &&Row| row.extent != crate::row::Extent::Missing;
        let shown = shown.map(|row| Some(row).filter(is_listed).map(|row| row.n_shown));
        assert_eq!(shown, expected);
    }

    #[test]
    fn descriptions_are_cut_as_the_client_cuts_them() {
        // Recorded from the client.
        check(20, 300, [Some(300), Some(300), Some(300)]);
        check(100, 200, [Some(88), Some(85), Some(84)]);
        check(150, 100, [Some(52), Some(49), Some(48)]);
        check(300, 100, [Some(16), Some(13), Some(12)]);
        check(450, 50, [Some(4), Some(1), Some(0)]);
    }

    #[test]
    fn skills_are_left_out_as_the_client_leaves_them_out() {
        // Recorded from the client.
        let rows = list(&items(700, 50), 272_000, &Places::default());
        let mut listed = rows
            .iter()
            .filter(|row| row.extent != crate::row::Extent::Missing);
        assert_eq!(listed.next_back().map(|row| &*row.name), Some("skill-490"));
        check(700, 50, [Some(0), Some(0), None]);
    }

    #[test]
    fn long_paths_cost_what_the_table_of_the_client_costs() {
        // Recorded from the client: with 122 bytes of paths, its lines have one token less.
        for (home, skills, expected) in [
            ("/tmp/c/h", "/tmp/c/x/.agents/skills", 0),
            (
                "/work/c23/target/clients/agents/work/home",
                "/work/c23/target/clients/agents/work/project/.agents/skills",
                1,
            ),
        ] {
            let places = Places {
                home: home.to_owned(),
                skills: skills.to_owned(),
            };
            assert_eq!(table_cost(&places), expected, "{skills}");
        }
    }
}
