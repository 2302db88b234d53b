//! The templates and their helpers.
//!
//! They are built in, or overridden by files of the same names. Values are escaped as Markdown text
//! by default (`{{x}}`); helpers produce cells, code and fences; nothing is escaped as HTML, and
//! values are never interpreted as templates.

use handlebars::{
    Context, Handlebars, Helper, HelperResult, Output, RenderContext, RenderErrorReason,
};
use serde_json::Value;
use skill_model::Hasher;

use crate::markdown;

/// The file names of the templates that `--templates DIR` may contain.
pub const TEMPLATE_FILES: [&str; 2] = ["SKILL.md.hbs", "commands.md.hbs"];

const BUILT_IN: [&str; 2] = [
    include_str!("../../templates/SKILL.md.hbs"),
    include_str!("../../templates/commands.md.hbs"),
];

/// Limits of a template: `handlebars` overflows the stack at about 2,000 nested blocks.
const MAX_TEMPLATE_BYTES: usize = 256 * 1024;
const MAX_BLOCKS: usize = 500;

/// A template that is unusable, or that uses a missing value.
#[derive(Debug, thiserror::Error)]
pub enum TemplateError {
    /// The file name does not belong to a template.
    #[error("`{0}` is no template; known are SKILL.md.hbs and commands.md.hbs")]
    Unknown(String),
    /// Too long or too deep.
    #[error("the template `{0}` is longer than 256 KiB or holds more than 500 blocks")]
    TooLarge(String),
    /// Partials could call each other without end.
    #[error("the template `{0}` uses partials, which are not supported")]
    Partials(String),
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
    registry: Handlebars<'static>,
    digest: String,
}

impl Templates {
    /// Creates the built-in templates, some of them replaced: pairs of file name and text.
    pub fn new(overrides: &[(String, String)]) -> Result<Self, TemplateError> {
        let mut registry = Handlebars::new();
        registry.set_strict_mode(true);
        registry.register_escape_fn(markdown::inline);
        registry.register_helper("cell", Box::new(cell));
        registry.register_helper("code", Box::new(code));
        registry.register_helper("fence", Box::new(fence));
        if let Some((name, _)) = overrides
            .iter()
            .find(|(name, _)| !TEMPLATE_FILES.contains(&name.as_str()))
        {
            return Err(TemplateError::Unknown(name.clone()));
        }
        let mut digest = Hasher::default();
        for (name, built_in) in TEMPLATE_FILES.iter().zip(BUILT_IN) {
            let text = overrides
                .iter()
                .find(|(key, _)| key == name)
                .map_or(built_in, |(_, text)| text);
            check(name, text)?;
            let syntax = |error: handlebars::TemplateError| TemplateError::Syntax {
                name: (*name).to_owned(),
                reason: error.to_string(),
            };
            registry
                .register_template_string(name, text)
                .map_err(syntax)?;
            digest.update(text.as_bytes());
            digest.update(&[0]);
        }
        Ok(Self {
            registry,
            digest: digest.finish().hex(),
        })
    }

    /// Returns the digest of all templates: 64 hex digits.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Fills in a template and normalizes blank lines.
    pub(crate) fn render(&self, name: &'static str, data: &Value) -> Result<String, TemplateError> {
        let text = self
            .registry
            .render(name, data)
            .map_err(|error| TemplateError::Render {
                name: name.to_owned(),
                reason: error.to_string(),
            })?;
        Ok(tidy_blank_lines(&text))
    }
}

fn check(name: &str, text: &str) -> Result<(), TemplateError> {
    if text.len() > MAX_TEMPLATE_BYTES || text.matches("{{#").count() > MAX_BLOCKS {
        return Err(TemplateError::TooLarge(name.to_owned()));
    }
    if text.contains("{{>") || text.contains("{{#>") || text.contains("{{~>") {
        return Err(TemplateError::Partials(name.to_owned()));
    }
    Ok(())
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

fn argument<'a>(helper: &'a Helper<'_>, at: usize) -> Result<&'a str, RenderErrorReason> {
    let value = helper.param(at).map(handlebars::PathAndJson::value);
    value
        .and_then(Value::as_str)
        .ok_or_else(|| RenderErrorReason::ParamNotFoundForIndex("cell, code or fence", at))
}

fn cell(
    helper: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    Ok(out.write(&markdown::cell(argument(helper, 0)?))?)
}

fn code(
    helper: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    Ok(out.write(&markdown::code(argument(helper, 0)?))?)
}

fn fence(
    helper: &Helper<'_>,
    _: &Handlebars<'_>,
    _: &Context,
    _: &mut RenderContext<'_, '_>,
    out: &mut dyn Output,
) -> HelperResult {
    Ok(out.write(&markdown::fenced(
        argument(helper, 0)?,
        argument(helper, 1)?,
    ))?)
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
        check_error("x.hbs", "", "no template");
        check_error("SKILL.md.hbs", "{{> SKILL.md.hbs}}", "partials");
        check_error("SKILL.md.hbs", &"{{#if a}}".repeat(2000), "500 blocks");
        check_error("SKILL.md.hbs", "{{#if a}}", "cannot be read");
    }

    #[test]
    fn says_what_a_template_misses() {
        let overrides = [("SKILL.md.hbs".to_owned(), "{{nothing}}".to_owned())];
        let templates = Templates::new(&overrides).expect("a template");
        let error = templates
            .render("SKILL.md.hbs", &serde_json::json!({}))
            .expect_err("missing");
        assert!(error.to_string().contains("nothing"), "{error}");
    }

    #[test]
    fn values_are_text_never_templates_or_html() {
        let overrides = [(
            "SKILL.md.hbs".to_owned(),
            "{{a}}|{{{cell b}}}|{{{fence c \"text\"}}}".to_owned(),
        )];
        let templates = Templates::new(&overrides).expect("a template");
        let data = serde_json::json!({"a": "{{x}} & \"q\" <b>", "b": "1|2", "c": "```"});
        let text = templates.render("SKILL.md.hbs", &data).expect("rendered");
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
