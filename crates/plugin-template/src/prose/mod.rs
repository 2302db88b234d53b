//! A prompt as instructions for any agent: no placeholders, arguments by name, commands as
//! requests to run them, files by their path.
//!
//! - `words`: the English and Chinese words; `input`: the section about the arguments.

mod input;
mod words;

pub use input::input_section;
pub use words::Language;

use crate::argument::WHOLE;
use crate::code::{Code, in_code, line_after, line_before, longest_run};
use crate::lex::is_amount;
use crate::piece::{Piece, PieceKind, Selector};
use crate::{Argument, Dialect, Template};

/// The form in which a prompt is written.
pub struct ProseSettings<'a> {
    /// The language of added words.
    pub language: Language,
    /// The arguments, in order: [`Template::arguments`].
    pub arguments: &'a [Argument],
    /// The number of the first argument: [`Template::first_index`].
    pub first_index: usize,
    /// Returns the text for a file or a value of the host, such as a link to a copied file; `None`
    /// for the words of this crate.
    pub replace: &'a dyn Fn(&Piece) -> Option<String>,
}

/// The surroundings of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Inside code, where Markdown means nothing.
    Code,
    /// The only thing on its line, except for a list marker.
    Alone,
    /// The end of a line, after a colon.
    AfterColon,
    /// Inside a sentence.
    Sentence,
}

impl Template {
    /// Returns the prompt without placeholders.
    ///
    /// ```
    /// use plugin_template::{Dialect, Language, ProseSettings, Template};
    ///
    /// let template = Template::parse("!`git diff`\nReview $ARGUMENTS.", Dialect::Claude, &[]);
    /// let prose = template.prose(&ProseSettings {
    ///     language: Language::English,
    ///     arguments: &template.arguments("<file>"),
    ///     first_index: 0,
    ///     replace: &|_| None,
    /// });
    /// assert_eq!(prose, "Run `git diff` first and use its output.\nReview `<file>`.");
    /// ```
    pub fn prose(&self, settings: &ProseSettings<'_>) -> String {
        self.prose_of(settings, &|_| true)
    }

    /// Returns the prompt without the placeholders that `is_wanted` selects; the others stay.
    pub fn prose_of(
        &self,
        settings: &ProseSettings<'_>,
        is_wanted: &dyn Fn(&Piece) -> bool,
    ) -> String {
        let writer = Writer::new(self, settings);
        let pieces = self.pieces().iter();
        let written = pieces.map(|piece| {
            if is_wanted(piece) {
                writer.written(piece)
            } else {
                self.source(piece).to_owned()
            }
        });
        let res: String = written.collect();
        let is_shown = |piece: &Piece| {
            let is_inline = matches!(
                piece.kind,
                PieceKind::Shell {
                    is_block: false,
                    ..
                }
            );
            is_inline
                && is_wanted(piece)
                && !piece.inner().is_empty()
                && writer.around(piece) == Around::Code
        };
        if !self.pieces().iter().any(is_shown) {
            return res;
        }
        let request = settings.language.pick(
            "Run each command in `<output of: …>` first and put its output there.",
            "先运行每个 `<… 的输出>` 中的命令，并将其输出放在该处。",
        );
        format!("{}\n\n{request}\n", res.trim_end())
    }
}

impl Template {
    /// Returns the prose of each piece.
    pub(crate) fn segments(&self, settings: &ProseSettings<'_>) -> Vec<String> {
        let writer = Writer::new(self, settings);
        let pieces = self.pieces().iter();
        pieces.map(|piece| writer.written(piece)).collect()
    }
}

/// Returns an escaped placeholder as the host sends it, if nobody can take the result for a
/// placeholder: `\$5` is `$5`. `rest` is the text after it.
fn escaped<'t>(source: &'t str, rest: &str) -> &'t str {
    let number = source.strip_prefix("\\$").unwrap_or_default();
    let is_high = number.parse().is_ok_and(|number: usize| number > 2);
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    if is_high || is_number && is_amount(rest) {
        &source[1..]
    } else {
        source
    }
}

struct Writer<'a> {
    template: &'a Template,
    settings: &'a ProseSettings<'a>,
    code: Code,
    /// True if a placeholder stands for one word of the line.
    has_indices: bool,
}

impl<'a> Writer<'a> {
    fn new(template: &'a Template, settings: &'a ProseSettings<'a>) -> Self {
        Self {
            template,
            settings,
            code: Code::read(template.text()),
            has_indices: !template.used_indices().is_empty(),
        }
    }

    fn written(&self, piece: &Piece) -> String {
        let source = self.template.source(piece);
        if piece.doubt.is_some() {
            return source.to_owned();
        }
        match &piece.kind {
            PieceKind::Text => source.to_owned(),
            PieceKind::Escaped => {
                let rest = &self.template.text()[piece.range.end..];
                escaped(source, rest).to_owned()
            }
            PieceKind::Shell { command, is_block } => self.shell(piece, command, *is_block),
            PieceKind::File { path } => self.file(piece, path),
            PieceKind::Variable { name, path } => {
                let replaced = self.replaced(piece, path.as_deref());
                let is_code = self.around(piece) == Around::Code;
                replaced.unwrap_or_else(|| self.variable(name, path.as_deref(), is_code))
            }
            PieceKind::Arguments | PieceKind::Argument { .. } => {
                let name = self.argument(piece);
                match self.around(piece) {
                    Around::Code => name,
                    _ => in_code(&name),
                }
            }
        }
    }

    /// Returns an argument as `<name>`.
    fn argument(&self, piece: &Piece) -> String {
        format!("<{}>", self.name(piece))
    }

    /// Returns the name of an argument.
    fn name(&self, piece: &Piece) -> String {
        let arguments = self.settings.arguments;
        match &piece.kind {
            PieceKind::Argument { selector, .. } => match selector {
                Selector::Name(name) => name.clone(),
                Selector::Index(index) => {
                    let at = index.checked_sub(self.settings.first_index);
                    let known = at.and_then(|at| arguments.get(at));
                    known.map_or_else(|| format!("argument-{index}"), |known| known.name.clone())
                }
            },
            _ => match arguments {
                // `$ARGUMENTS` beside `$1` is the whole line.
                [only] if !self.has_indices => only.name.clone(),
                _ => WHOLE.to_owned(),
            },
        }
    }

    /// Returns the pieces of a command or path, as code.
    fn plain(&self, pieces: &[Piece]) -> String {
        let parts = pieces.iter().map(|piece| match &piece.kind {
            PieceKind::Arguments | PieceKind::Argument { .. } if piece.doubt.is_none() => {
                self.argument(piece)
            }
            PieceKind::Variable { name, path } => {
                let replaced = self.replaced(piece, path.as_deref());
                replaced.unwrap_or_else(|| self.variable(name, path.as_deref(), true))
            }
            PieceKind::File { path } => self.plain(path),
            _ => self.template.source(piece).to_owned(),
        });
        parts.collect()
    }

    /// Returns the text in place of a value, with the slash at the end of its path, behind which something
    /// else follows: `${CLAUDE_PLUGIN_ROOT}/config/$1.json`.
    fn replaced(&self, piece: &Piece, path: Option<&str>) -> Option<String> {
        let mut res = (self.settings.replace)(piece)?;
        let directory = path.and_then(|path| path.strip_suffix('/'));
        if directory.is_some_and(|directory| !directory.is_empty() && res.ends_with(directory)) {
            res.push('/');
        }
        Some(res)
    }

    fn shell(&self, piece: &Piece, command: &[Piece], is_block: bool) -> String {
        let words = self.settings.language;
        let command = self.plain(command);
        let command = command.trim_matches(['\n', '\r']);
        if command.trim().is_empty() {
            return String::new();
        }
        if is_block || command.contains('\n') {
            let fence = "`".repeat(longest_run(command).max(2) + 1);
            let request = words.pick(
                "Run these commands first and use their output:",
                "先运行以下命令，并使用其输出：",
            );
            return format!("{request}\n\n{fence}sh\n{command}\n{fence}");
        }
        let code = in_code(command);
        match (self.around(piece), words) {
            (Around::Code, Language::English) => format!("<output of: {command}>"),
            (Around::Code, Language::Chinese) => format!("<{command} 的输出>"),
            (Around::Alone, Language::English) => {
                format!("Run {code} first and use its output.")
            }
            (Around::Alone, Language::Chinese) => format!("先运行 {code}，并使用其输出。"),
            (Around::AfterColon, Language::English) => {
                format!("run {code} first and use its output")
            }
            (Around::AfterColon, Language::Chinese) => format!("先运行 {code}，并使用其输出"),
            (Around::Sentence, Language::English) => {
                format!("(run {code} first and use its output)")
            }
            (Around::Sentence, Language::Chinese) => format!("（先运行 {code}，并使用其输出）"),
        }
    }

    fn file(&self, piece: &Piece, path: &[Piece]) -> String {
        let path = self.plain(path);
        let around = self.around(piece);
        if around == Around::Code {
            return path;
        }
        let named = (self.settings.replace)(piece).unwrap_or_else(|| in_code(&path));
        let words = self.settings.language;
        let is_content = self.template.dialect() == Dialect::Gemini;
        match (around, words) {
            (Around::Alone, Language::English) => format!("Read {named}."),
            (Around::Alone, Language::Chinese) => format!("阅读 {named}。"),
            (Around::AfterColon, Language::English) if is_content => {
                format!("the content of {named}")
            }
            (Around::AfterColon, Language::Chinese) if is_content => format!("{named} 的内容"),
            _ => named,
        }
    }

    fn variable(&self, name: &str, path: Option<&str>, is_code: bool) -> String {
        let is_own = matches!(
            name,
            "CLAUDE_PLUGIN_ROOT" | "CLAUDE_SKILL_DIR" | "extensionPath"
        );
        let is_project = is_project(name);
        match path {
            Some("") if is_own || is_project => return "./".to_owned(),
            Some(path) if is_own || is_project => return path.to_owned(),
            Some(path) if name == "userHome" => return format!("~/{path}"),
            None if is_code && name == "userHome" => return "~".to_owned(),
            None if is_code && (is_own || is_project) => return ".".to_owned(),
            _ => {}
        }
        let Some(mut words) = words::value(name, self.settings.language) else {
            return name.to_owned();
        };
        if is_code {
            words = format!("<{}>", words.replace('`', ""));
        }
        match (path, self.settings.language) {
            (Some(path), _) if is_code => format!("{words}/{path}"),
            (Some(path), Language::English) => format!("{} in {words}", in_code(path)),
            (Some(path), Language::Chinese) => format!("{words}中的 {}", in_code(path)),
            (None, _) => words,
        }
    }

    fn around(&self, piece: &Piece) -> Around {
        let (start, end) = (piece.range.start, piece.range.end);
        let is_block = matches!(piece.kind, PieceKind::Shell { is_block: true, .. });
        let has_fence = self.code.fence_at(start).is_some();
        if !is_block && (has_fence || self.code.is_in_span(start)) {
            return Around::Code;
        }
        let text = self.template.text();
        let (before, after) = (line_before(text, start), line_after(text, end));
        if !after.trim().is_empty() {
            return Around::Sentence;
        }
        let is_marker = |c: char| c.is_ascii_digit() || " \t-*+.>)".contains(c);
        if before.chars().all(is_marker) {
            Around::Alone
        } else if before
            .trim_end()
            .trim_end_matches('*')
            .ends_with([':', '：'])
        {
            Around::AfterColon
        } else {
            Around::Sentence
        }
    }
}

/// Returns true for variables of hosts that are the directory of the user's project.
///
/// ```
/// assert!(plugin_template::is_project("workspaceFolder"));
/// ```
pub fn is_project(name: &str) -> bool {
    matches!(
        name,
        "CLAUDE_PROJECT_DIR" | "workspaceFolder" | "workspacePath"
    )
}
