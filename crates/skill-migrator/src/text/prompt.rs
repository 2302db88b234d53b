//! `prompt` of METADATA.yml.

use plugin_template::{Argument, FirstIndex, Template};
use skill_model::{Prompt, PromptArgument, PromptDialect};

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
