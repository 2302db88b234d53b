//! The templates and their filters.
//!
//! They are Jinja templates, built in or overridden by files of the same names. Values are escaped as
//! Markdown text by default (`{{ x }}`); the filters `cell`, `code` and `fence` produce Markdown, and
//! `safe` leaves a value as it is. Nothing is escaped as HTML, and values are never interpreted as
//! templates.

use minijinja::{Environment, UndefinedBehavior, Value as Field};
use serde_json::Value;
use skill_model::Hasher;

use crate::markdown;

/// The file names of the templates that `--templates DIR` may contain.
pub const TEMPLATE_FILES: [&str; 2] = ["SKILL.md.jinja", "commands.md.jinja"];

const BUILT_IN: [&str; 2] = [
    include_str!("../../templates/SKILL.md.jinja"),
    include_str!("../../templates/commands.md.jinja"),
];

/// The largest template, in bytes.
const MAX_TEMPLATE_BYTES: usize = 256 * 1024;

/// A template that is unusable, or that uses a missing value.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The file name does not belong to a template.
    #[error("`{0}` is no template; known are SKILL.md.jinja and commands.md.jinja")]
    Unknown(String),
    /// Too long.
    #[error("the template `{0}` is longer than 256 KiB")]
    TooLarge(String),
    /// The syntax is wrong.
    #[error("the template `{name}` cannot be read: {reason}")]
    Syntax {
        /// Its name.
        name: String,
        /// The problem, with its position.
        reason: String,
    },
    /// Rendering failed.
    #[error("the template `{name}` cannot be filled in: {reason}")]
    Render {
        /// Its name.
        name: String,
        /// The problem, with its position.
        reason: String,
    },
}

/// All templates, ready to use from any thread.
#[derive(Debug)]
pub struct Templates {
    environment: Environment<'static>,
    digest: String,
}

impl Templates {
    /// Creates the built-in templates, some of them replaced: pairs of file name and text.
    ///
    /// # Errors
    ///
    /// A name belongs to no template, or a text is too long or not a template.
    pub fn new(overrides: &[(String, String)]) -> Result<Self, TemplateError> {
        if let Some((name, _)) = overrides
            .iter()
            .find(|(name, _)| !TEMPLATE_FILES.contains(&name.as_str()))
        {
            return Err(TemplateError::Unknown(name.clone()));
        }
        let mut environment = environment();
        let mut digest = Hasher::default();
        for (name, built_in) in TEMPLATE_FILES.into_iter().zip(BUILT_IN) {
            let text = overrides
                .iter()
                .find(|(key, _)| key == name)
                .map_or(built_in, |(_, text)| text);
            if text.len() > MAX_TEMPLATE_BYTES {
                return Err(TemplateError::TooLarge(name.to_owned()));
            }
            let added = environment.add_template_owned(name, text.to_owned());
            added.map_err(|error| TemplateError::Syntax {
                name: name.to_owned(),
                reason: error.to_string(),
            })?;
            digest.update(text.as_bytes());
            digest.update(&[0]);
        }
        Ok(Self {
            environment,
            digest: digest.finish().hex(),
        })
    }

    /// Returns the digest of all templates: 64 hex digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Fills in a template and normalizes blank lines.
    pub(crate) fn render(&self, name: &'static str, data: &Value) -> Result<String, TemplateError> {
        let template = self.environment.get_template(name);
        let text = template.and_then(|template| template.render(data));
        let text = text.map_err(|error| TemplateError::Render {
            name: name.to_owned(),
            reason: reason(&error),
        })?;
        Ok(tidy_blank_lines(&text))
    }
}

/// Returns the reason why a template cannot be filled in, with the expression and its line.
fn reason(error: &minijinja::Error) -> String {
    let source = error.template_source().zip(error.range());
    match source.and_then(|(text, range)| text.get(range)) {
        Some(expression) => format!("{error}: `{}`", expression.trim()),
        None => error.to_string(),
    }
}

/// Returns the rules for all templates: lines that hold only a block leave no line, a value that does
/// not exist can be asked for but not printed, and values are Markdown text.
fn environment() -> Environment<'static> {
    let mut res = Environment::new();
    res.set_trim_blocks(true);
    res.set_lstrip_blocks(true);
    res.set_keep_trailing_newline(true);
    res.set_undefined_behavior(UndefinedBehavior::SemiStrict);
    res.set_formatter(|out, _, value| {
        if value.is_safe() {
            write!(out, "{value}")?;
        } else if !value.is_none() {
            out.write_str(&markdown::inline(&value.to_string()))?;
        }
        Ok(())
    });
    res.add_filter("cell", |text: &str| markdown_of(markdown::cell(text)));
    res.add_filter("code", |text: &str| markdown_of(markdown::code(text)));
    res.add_filter("fence", |text: &str, language: &str| {
        markdown_of(markdown::fenced(text, language))
    });
    res
}

/// Returns Markdown, which is not escaped again.
fn markdown_of(text: String) -> Field {
    Field::from_safe_string(text)
}

/// Removes double, leading and trailing blank lines outside fences.
fn tidy_blank_lines(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    let mut n_blank = 0;
    for line in text.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        let was_inside = fence.is_some();
        match fence {
            Some(open) if ticks == open && line == ticks => fence = None,
            None if ticks.len() >= 3 => fence = Some(ticks),
            _ => {}
        }
        let is_blank = !was_inside && line.trim().is_empty();
        n_blank = if is_blank { n_blank + 1 } else { 0 };
        if !(is_blank && (n_blank > 1 || res.is_empty())) {
            res.push_str(line);
            res.push('\n');
        }
    }
    res.truncate(res.trim_end().len());
    res.push('\n');
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_error(name: &str, text: &str, part: &str) {
        let error = Templates::new(&[(name.to_owned(), text.to_owned())]).expect_err("refused");
        assert!(error.to_string().contains(part), "{error}");
    }

    #[test]
    fn refuses_what_would_break_the_process() {
        check_error("x.jinja", "", "no template");
        let include = "{% include 'SKILL.md.jinja' %}";
        check_error("SKILL.md.jinja", include, "unknown statement include");
        check_error("SKILL.md.jinja", &"{% if a %}".repeat(2000), "recursion");
        check_error("SKILL.md.jinja", &"x".repeat(256 * 1024 + 1), "256 KiB");
        check_error("SKILL.md.jinja", "{% if a %}", "cannot be read");
    }

    #[test]
    fn says_what_a_template_misses() {
        let overrides = [("SKILL.md.jinja".to_owned(), "{{ nothing }}".to_owned())];
        let templates = Templates::new(&overrides).expect("a template");
        let error = templates
            .render("SKILL.md.jinja", &serde_json::json!({}))
            .expect_err("missing");
        assert!(error.to_string().contains("nothing"), "{error}");
    }

    #[test]
    fn values_are_text_never_templates_or_html() {
        let overrides = [(
            "SKILL.md.jinja".to_owned(),
            "{{ a }}|{{ b|cell }}|{{ c|fence('text') }}".to_owned(),
        )];
        let templates = Templates::new(&overrides).expect("a template");
        let data = serde_json::json!({"a": "{{x}} & \"q\" <b>", "b": "1|2", "c": "```"});
        let text = templates.render("SKILL.md.jinja", &data).expect("rendered");
        assert_eq!(text, "{{x}} & \"q\" \\<b>|1\\|2|````text\n```\n````\n");
    }

    #[test]
    fn blank_lines_are_single_outside_fences() {
        assert_eq!(
            tidy_blank_lines("\n\na\n\n\nb\n```\n\n\nx\n```\n\n\n"),
            "a\n\nb\n```\n\n\nx\n```\n"
        );
    }
}
