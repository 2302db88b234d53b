//! The next steps after a migration: the directory of the skills, and the commands to go on with.

use std::fmt;
use std::path::Path;

use skill_language::{Language, say};
use skill_pipeline::{Mode, Totals};

use skill_report::printable;

/// The next steps after a migration, as lines for a terminal; empty if nothing was migrated.
#[derive(Clone, Copy, Debug)]
pub struct NextSteps<'a> {
    /// The directory of plugins, as the caller named it.
    pub input: &'a Path,
    /// The directory of skills, as the caller named it.
    pub out: &'a Path,
    /// The mode of the migration.
    pub mode: Mode,
    /// The totals of the migration.
    pub totals: &'a Totals,
    /// The language.
    pub language: Language,
}

impl fmt::Display for NextSteps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [input, out] = [self.input, self.out].map(word);
        let Totals {
            migrated,
            attention,
            ..
        } = *self.totals;
        if migrated == 0 || self.mode == Mode::Check {
            return Ok(());
        }
        if self.mode == Mode::DryRun {
            let text = say!(
                self.language,
                "nothing was written; run the command without --dry-run to write to {out}"
            );
            writeln!(f, "{text}")?;
        } else {
            writeln!(f, "{}", say!(self.language, "the skills are in {out}"))?;
        }
        if attention > 0 {
            let skills = if attention == 1 {
                "skill needs"
            } else {
                "skills need"
            };
            let text = say!(
                self.language,
                "{attention} {skills} attention; for the reasons: skills-migrate {input} --out {out} --report report.html"
            );
            writeln!(f, "{text}")?;
        }
        if self.mode == Mode::Write {
            let text = say!(self.language, "next: skills-validate {out}");
            writeln!(f, "{text}")?;
        }
        Ok(())
    }
}

/// Returns a path as a word of a POSIX shell.
fn word(path: &Path) -> String {
    let text = path.to_string_lossy();
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+:@".contains(c);
    if !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain) {
        text.into_owned()
    } else {
        printable(&format!("'{}'", text.replace('\'', "'\\''")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(mode: Mode, out: &str, [migrated, attention]: [usize; 2], expected: &str) {
        let totals = Totals {
            migrated,
            attention,
            ..Totals::default()
        };
        let next = NextSteps {
            input: Path::new("plugins"),
            out: Path::new(out),
            mode,
            totals: &totals,
            language: Language::English,
        };
        assert_eq!(next.to_string(), expected);
    }

    #[test]
    fn each_mode_has_its_next_steps() {
        check(
            Mode::Write,
            "skills",
            [3, 1],
            "the skills are in skills\n1 skill needs attention; for the reasons: skills-migrate plugins --out skills --report report.html\nnext: skills-validate skills\n",
        );
        check(
            Mode::Write,
            "my skills",
            [1, 0],
            "the skills are in 'my skills'\nnext: skills-validate 'my skills'\n",
        );
        check(
            Mode::DryRun,
            "-x",
            [1, 0],
            "nothing was written; run the command without --dry-run to write to '-x'\n",
        );
        check(Mode::Check, "skills", [3, 1], "");
        check(Mode::Write, "skills", [0, 0], "");
    }
}
