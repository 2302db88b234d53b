//! The input of rules: a skill, parsed once.

use std::cell::OnceCell;
use std::ops::Range;

use skill_diagnostics::{Code, Diagnostic, LineIndex, Severity};
use skill_model::yaml::Node;
use skill_model::{Lock, LockedSkill, MetadataReading, Skill, read_metadata_full};

use crate::input::SkillFiles;
use crate::markdown::Markdown;
use crate::settings::Settings;
use crate::summary::{OtherVersion, SkillSummary};
use crate::{signals, unicode};

/// Name of the file that makes a directory a skill (specification: "contains, at minimum, a
/// `SKILL.md` file").
pub(crate) const SKILL_MD: &str = "SKILL.md";
/// Name of this project's sidecar.
pub(crate) const METADATA_YML: &str = "METADATA.yml";

/// The skill that is checked.
pub(crate) struct Context<'a> {
    pub(crate) files: &'a SkillFiles,
    pub(crate) settings: &'a Settings,
    /// Its entry in `skills.lock`.
    pub(crate) locked: Option<&'a LockedSkill>,
    /// Text of `SKILL.md`; empty if it is missing or not UTF-8.
    pub(crate) text: &'a str,
    /// The parsed `SKILL.md`.
    pub(crate) skill: Option<&'a Skill>,
    /// The findings of parsing.
    pub(crate) parse_findings: &'a [Diagnostic],
    /// Line index of `text`, made once, because a skill can have as many findings as lines.
    lines: OnceCell<LineIndex<'a>>,
    metadata: OnceCell<Option<Result<MetadataReading, Box<Diagnostic>>>>,
    markdown: OnceCell<Markdown>,
    hidden: OnceCell<PerText<'a, unicode::Hit>>,
    signals: OnceCell<PerText<'a, signals::Hit>>,
}

/// Path, text and hits of each text file that has any.
type PerText<'a, T> = Vec<(&'a str, &'a str, Vec<T>)>;

impl<'a> Context<'a> {
    pub(crate) fn new(
        files: &'a SkillFiles,
        settings: &'a Settings,
        locked: Option<&'a LockedSkill>,
        text: &'a str,
        skill: Option<&'a Skill>,
        parse_findings: &'a [Diagnostic],
    ) -> Self {
        Self {
            files,
            settings,
            locked,
            text,
            skill,
            parse_findings,
            lines: OnceCell::new(),
            metadata: OnceCell::new(),
            markdown: OnceCell::new(),
            hidden: OnceCell::new(),
            signals: OnceCell::new(),
        }
    }

    /// Creates a finding without a position. The engine sets its severity.
    #[expect(clippy::unused_self, reason = "reads as the context's finding")]
    pub(crate) fn finding(&self, code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, message)
    }

    /// Creates a finding at a byte range of `SKILL.md`.
    pub(crate) fn at(
        &self,
        code: Code,
        range: Range<usize>,
        message: impl Into<String>,
    ) -> Diagnostic {
        let lines = self.lines.get_or_init(|| LineIndex::new(self.text));
        self.finding(code, message).at(lines.span(range))
    }

    /// Creates a finding at a byte range of another text file. Each call indexes the lines of the
    /// file, so a rule that can have many findings in one file makes its own [`LineIndex`].
    pub(crate) fn at_file(
        &self,
        code: Code,
        (path, text): (&str, &str),
        range: Range<usize>,
        message: impl Into<String>,
    ) -> Diagnostic {
        let span = LineIndex::new(text).span(range);
        self.finding(code, message).in_file(path).at(span)
    }

    /// Returns a value of the frontmatter.
    pub(crate) fn field(&self, key: &str) -> Option<&'a Node> {
        self.skill?.get(key)
    }

    /// Returns the text of a value of the frontmatter that is not null.
    pub(crate) fn field_text(&self, key: &str) -> Option<(&'a str, &'a Node)> {
        let node = self.field(key)?;
        let text = node.text()?;
        (!node.to_value().is_null()).then_some((text, node))
    }

    /// Returns the body of `SKILL.md`; the whole text if there is no frontmatter.
    pub(crate) fn body(&self) -> &'a str {
        self.skill.map_or(self.text, |skill| skill.body(self.text))
    }

    /// Returns the offset of the body in `SKILL.md`.
    pub(crate) fn body_start(&self) -> usize {
        self.skill.map_or(0, |skill| skill.split.body.start)
    }

    /// Returns the links, code and HTML of the body.
    pub(crate) fn markdown(&self) -> &Markdown {
        self.markdown.get_or_init(|| Markdown::read(self.body()))
    }

    /// Returns the result of reading `METADATA.yml`, if the file exists.
    pub(crate) fn metadata(&self) -> Option<&Result<MetadataReading, Box<Diagnostic>>> {
        let read = || {
            let text = self.metadata_text()?;
            Some(read_metadata_full(text))
        };
        self.metadata.get_or_init(read).as_ref()
    }

    /// Returns the readable parts of `METADATA.yml`.
    pub(crate) fn metadata_reading(&self) -> Option<&MetadataReading> {
        self.metadata()?.as_ref().ok()
    }

    /// Returns the text of `METADATA.yml` if it exists and is UTF-8.
    pub(crate) fn metadata_text(&self) -> Option<&'a str> {
        std::str::from_utf8(self.files.bytes(METADATA_YML)?).ok()
    }

    /// Returns the hidden characters of every text file.
    pub(crate) fn hidden(&self) -> &PerText<'a, unicode::Hit> {
        self.hidden.get_or_init(|| self.scanned(unicode::scan))
    }

    /// Returns the signals of every text file.
    pub(crate) fn signals(&self) -> &PerText<'a, signals::Hit> {
        self.signals.get_or_init(|| self.scanned(signals::scan))
    }

    fn scanned<T>(&self, scan: fn(&str) -> Vec<T>) -> PerText<'a, T> {
        let texts = self.texts().map(|(path, text)| (path, text, scan(text)));
        texts.filter(|(.., hits)| !hits.is_empty()).collect()
    }

    /// Returns all text files with their text, including the decoded `SKILL.md`.
    pub(crate) fn texts(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let (files, own) = (self.files.read_files(), self.text);
        files.filter_map(move |(path, bytes)| match path {
            SKILL_MD if !own.is_empty() => Some((path, own)),
            _ => Some((path, as_text(path, bytes)?)),
        })
    }
}

/// Returns whether a path has a Markdown extension.
pub(crate) fn is_markdown(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.eq_ignore_ascii_case("md")
}

/// Number of bytes in which a NUL marks a file as binary.
const HEAD: usize = 8000;

/// Returns the text of a file; `None` for binary files, except those with a Markdown extension.
fn as_text<'a>(path: &str, bytes: &'a [u8]) -> Option<&'a str> {
    let head = &bytes[..bytes.len().min(HEAD)];
    if head.contains(&0) && !is_markdown(path) {
        return None;
    }
    std::str::from_utf8(bytes).ok()
}

/// All skills of a run.
pub(crate) struct Tree<'a> {
    /// The skills, sorted by path.
    pub(crate) skills: &'a [SkillSummary],
    pub(crate) settings: &'a Settings,
    /// Each `skills.lock` with the path of its directory.
    pub(crate) locks: &'a [(String, Lock)],
    /// Versions of skills beside other ones.
    pub(crate) versions: &'a [OtherVersion],
}

impl Tree<'_> {
    /// Creates a finding about a skill.
    pub(crate) fn finding(&self, code: Code, at: usize, message: impl Into<String>) -> Diagnostic {
        let skill = &self.skills[at];
        let finding = Diagnostic::new(Severity::Warning, code, message);
        let finding = finding.in_file(skill.file(SKILL_MD));
        match &skill.description_span {
            Some(span) => finding.at(span.clone()),
            None => finding,
        }
    }

    /// Creates a finding about the `METADATA.yml` of a skill.
    pub(crate) fn in_metadata(
        &self,
        code: Code,
        at: usize,
        message: impl Into<String>,
    ) -> Diagnostic {
        let finding = Diagnostic::new(Severity::Warning, code, message);
        finding.in_file(self.skills[at].file(METADATA_YML))
    }
}
