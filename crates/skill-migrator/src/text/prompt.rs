//! `prompt` of METADATA.yml.

use plugin_model::Format;
use plugin_template::{Argument, Dialect, FirstIndex, Template};
use skill_model::{Prompt, PromptArgument, PromptDialect};

use super::TextUnit;
use crate::plan::GeneratedFile;

/// The files in which the original of a text is, the first that is free.
const ORIGINALS: [&str; 3] = [
    "references/template.md",
    "references/original.md",
    "references/original-text.md",
];

/// Returns the record of a skill without placeholders of which `body` is another text, and adds its original to
/// the files. Its host puts what a user typed behind that one.
///
/// Source: <https://code.claude.com/docs/en/skills>, "Pass arguments to skills".
pub(crate) fn original(
    unit: &TextUnit<'_>,
    body: &str,
    files: &mut Vec<GeneratedFile>,
) -> Option<Prompt> {
    let text = &unit.text.body;
    let is_skill = unit.package.format == Format::Claude && unit.kind_word() == "skill";
    if !is_skill || body.trim() == text.trim() {
        return None;
    }
    let is_free = |path: &&str| {
        let mut own = unit.package.sources.files.iter();
        own.all(|file| !unit.target(&file.path).eq_ignore_ascii_case(path))
    };
    let path = ORIGINALS.into_iter().find(is_free)?;
    let template = Template::parse(text, Dialect::Claude, &[]);
    // A text without placeholders has no arguments of its own.
    let res = prompt(&template, 0, &[], path)?;
    files.push(GeneratedFile {
        path: path.to_owned(),
        text: text.clone(),
    });
    Some(res)
}

/// Creates the record of a template at this path, of which the frontmatter names `n_hinted` arguments.
/// `None` if METADATA.yml has no word for its dialect.
pub(crate) fn prompt(
    template: &Template,
    n_hinted: usize,
    arguments: &[Argument],
    path: &str,
) -> Option<Prompt> {
    let word = template.dialect().word();
    let mut dialects = PromptDialect::ALL.into_iter();
    let dialect = dialects.find(|dialect| dialect.word() == word)?;
    let first_index = match template.first_index(n_hinted) {
        FirstIndex::Known(1) | FirstIndex::Unsure if dialect == PromptDialect::Claude => Some(1),
        _ => None,
    };
    let arguments = arguments.iter().map(|argument| PromptArgument {
        name: argument.name.clone(),
        description: argument.description.clone(),
        required: argument.required,
        choices: argument.choices.clone(),
    });
    Some(Prompt {
        template: path.to_owned(),
        dialect,
        prose_sha256: None,
        command: None,
        names: template.names().to_vec(),
        first_index,
        arguments: arguments.collect(),
    })
}
