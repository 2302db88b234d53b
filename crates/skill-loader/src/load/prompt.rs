//! Prompts of other hosts: what the host would send for what a user typed.

use std::collections::BTreeMap;
use std::path::Path;

use plugin_template::{
    Dialect, Expanded, Invocation, Language, ProseSettings, Template, edited_source,
    environment_words, read_request, to_text, typed_line,
};
use skill_model::{
    Digest, ExecutorKind, Metadata, Prompt, PromptArgument, PromptDialect, parse_skill,
};

use super::origin::Origin;
use super::project::Project;
use super::resource::load_resource;
use super::{Limits, Lines, LoadError, LoadReport, LoadedText, Selection, SkillPlace, Strategy};

/// The most commands that an error names.
const MAX_COMMANDS: usize = 10;

/// The prompt of a skill.
#[derive(Clone, Debug)]
pub struct LoadedPrompt {
    template: Template,
    /// The instructions of a skill that has no template.
    plain: Option<String>,
    prompt: Prompt,
    command: String,
    sha256: Digest,
    origin: Origin,
}

/// Returns the prompt that METADATA.yml describes; `None` for skills that are not prompts.
pub fn prompt_of(metadata: Option<&Metadata>) -> Option<&Prompt> {
    let is_prompt = |metadata: &&Metadata| metadata.executor == ExecutorKind::Prompt;
    metadata.filter(is_prompt)?.prompt.as_ref()
}

/// Returns the command line that runs a skill, with the names of its commands; empty for one that cannot
/// run.
fn call_of(name: &str, metadata: &Metadata) -> String {
    let is_called = !matches!(
        metadata.executor,
        ExecutorKind::Prompt | ExecutorKind::Static
    );
    if !metadata.runnable || !is_called {
        return String::new();
    }
    let ids: Vec<&str> = metadata.commands.iter().map(|it| it.id.as_str()).collect();
    let input = "--input '{…}'";
    match ids[..] {
        [] => format!("skills-run {name} {input}"),
        [only] => format!("skills-run {name} --command {only} {input}"),
        [first, ..] => {
            let shown = ids[..ids.len().min(MAX_COMMANDS)].join(", ");
            let more = match ids.len().saturating_sub(MAX_COMMANDS) {
                0 => String::new(),
                n => format!(" and {n} more"),
            };
            format!("skills-run {name} --command {first} {input} (commands: {shown}{more})")
        }
    }
}

/// Reads the prompt of the skill called `name`.
///
/// # Errors
///
/// [`LoadError::NotAPrompt`], and the errors of [`load_resource`] for its template.
pub fn load_prompt(
    name: &str,
    place: &SkillPlace,
    metadata: Option<&Metadata>,
    limits: &Limits,
) -> Result<LoadedPrompt, LoadError> {
    let not_a_prompt = || LoadError::NotAPrompt {
        name: name.to_owned(),
        call: metadata.map_or_else(String::new, |metadata| call_of(name, metadata)),
    };
    if prompt_of(metadata).is_none()
        && let Some(metadata) = metadata.filter(|metadata| takes_arguments(metadata))
    {
        return plain(name, place, metadata, limits);
    }
    let prompt = prompt_of(metadata).ok_or_else(not_a_prompt)?;
    let dialect = Dialect::from_word(prompt.dialect.word()).ok_or_else(not_a_prompt)?;
    let whole = Limits {
        excerpt_chars: usize::MAX,
        storage: None,
        ..limits.clone()
    };
    let text = load_resource(place, &prompt.template, &Selection::default(), &whole)?;
    let is_edited = |digest: &Digest| {
        let mut files = metadata.map_or(&[][..], |it| &it.files).iter();
        let known = files.find(|file| file.path == prompt.template);
        known.is_some_and(|file| file.sha256 != digest.hex())
    };
    let template = Template::parse(&text.text, dialect, &prompt.names);
    let source = if is_edited(&text.report.sha256) {
        // What was written into the template itself counts.
        None
    } else {
        edited(place, prompt, &template, &whole)
    };
    let template = match source {
        Some(source) => Template::parse(&source, dialect, &prompt.names),
        None => template,
    };
    let legacy = metadata.and_then(|metadata| metadata.legacy.as_ref());
    // The settings of OpenCode have variables, its Markdown files do not.
    let file = legacy.and_then(|legacy| legacy.file.as_deref());
    let is_of_settings = file.is_some_and(|file| file.contains("#/"));
    let template = if dialect == Dialect::OpenCode && is_of_settings {
        let text = environment_words(template.text());
        Template::parse(&text, dialect, &prompt.names)
    } else {
        template
    };
    let origin = Origin::new(name, place, metadata);
    let known = prompt
        .command
        .as_ref()
        .or(legacy.map(|legacy| &legacy.name));
    Ok(LoadedPrompt {
        template,
        plain: None,
        prompt: prompt.clone(),
        command: known.map_or(name, String::as_str).to_owned(),
        sha256: text.report.sha256,
        origin,
    })
}

/// Returns true for a skill of Claude Code, which puts what a user typed behind it.
///
/// Source: <https://code.claude.com/docs/en/skills>, "Pass arguments to skills".
fn takes_arguments(metadata: &Metadata) -> bool {
    let legacy = metadata.legacy.as_ref();
    let is_text = metadata.executor == ExecutorKind::Prompt;
    legacy.is_some_and(|legacy| {
        is_text && legacy.host == Dialect::Claude.word() && legacy.plugin_type == "skill"
    })
}

/// Reads the instructions of a skill without placeholders.
fn plain(
    name: &str,
    place: &SkillPlace,
    metadata: &Metadata,
    limits: &Limits,
) -> Result<LoadedPrompt, LoadError> {
    let whole = Limits {
        excerpt_chars: usize::MAX,
        storage: None,
        ..limits.clone()
    };
    let file = place.file.rsplit('/').next().unwrap_or(&place.file);
    let text = load_resource(place, file, &Selection::default(), &whole)?;
    let skill = parse_skill(&text.text).0;
    let body = skill.map_or(text.text.as_str(), |skill| skill.body(&text.text));
    Ok(LoadedPrompt {
        template: Template::parse("", Dialect::Claude, &[]),
        plain: Some(body.trim().to_owned()),
        prompt: Prompt {
            template: file.to_owned(),
            dialect: PromptDialect::Claude,
            prose_sha256: None,
            command: None,
            names: Vec::new(),
            first_index: None,
            arguments: Vec::new(),
        },
        command: name.to_owned(),
        sha256: text.report.sha256,
        origin: Origin::new(name, place, Some(metadata)),
    })
}

/// Returns the template with the edits of SKILL.md; `None` if SKILL.md is as the migration wrote it.
fn edited(
    place: &SkillPlace,
    prompt: &Prompt,
    template: &Template,
    limits: &Limits,
) -> Option<String> {
    let written = prompt.prose_sha256.as_ref()?;
    let file = place.file.rsplit('/').next().unwrap_or(&place.file);
    let text = load_resource(place, file, &Selection::default(), limits).ok()?;
    let skill = parse_skill(&text.text).0?;
    let body = skill.body(&text.text);
    if Digest::from_content(body.trim().as_bytes()).hex() == *written {
        return None;
    }
    let is_chinese = body.contains("## 输入") || body.contains("并使用其输出");
    let arguments: Vec<_> = prompt.arguments.iter().map(argument).collect();
    let first_index = prompt
        .first_index
        .and_then(|index| usize::try_from(index).ok());
    let settings = ProseSettings {
        language: if is_chinese {
            Language::Chinese
        } else {
            Language::English
        },
        arguments: &arguments,
        first_index: first_index.unwrap_or(usize::from(template.dialect() != Dialect::Claude)),
        replace: &|_| None,
    };
    Some(edited_source(template, &settings, body))
}

impl LoadedPrompt {
    /// Returns the arguments, in their order.
    pub fn arguments(&self) -> &[PromptArgument] {
        &self.prompt.arguments
    }

    /// Returns what the host would send for what a user typed behind the command's name. Commands
    /// and files are named in it; nothing is run and no other file is read. A last line says where the
    /// paths of the text are.
    ///
    /// # Errors
    ///
    /// [`LoadError::ArgumentsRefused`] if the host would refuse it.
    pub fn sent(&self, typed: &str) -> Result<LoadedText, LoadError> {
        let sent = self.expanded(typed, &mut |path| Some(read_request(path)))?;
        self.with_places(typed, &sent, false)
    }

    /// Returns what the host would send in a project: with its files, where the host puts their
    /// content into the text. No file outside of the project, no secret and no link is read.
    ///
    /// # Errors
    ///
    /// Those of [`LoadedPrompt::sent`].
    pub fn sent_in(&self, typed: &str, project: &Path) -> Result<LoadedText, LoadError> {
        let mut project = Project::open(project);
        let sent = self.expanded(typed, &mut |path| project.content(path))?;
        self.with_places(typed, &sent, true)
    }

    /// Returns the text of an expansion, and the line about its paths. `is_here` is true for a reader
    /// on this machine.
    fn with_places(
        &self,
        typed: &str,
        sent: &[Expanded],
        is_here: bool,
    ) -> Result<LoadedText, LoadError> {
        let places = self.template.path_places(&self.invocation(typed));
        let mut places = places.map_err(LoadError::ArgumentsRefused)?;
        if self.template.dialect() == Dialect::Gemini {
            // The content of its files is in the text.
            places.project.clear();
        }
        self.origin.resolve(&mut places);
        let line = self.origin.place_line(&places, is_here);
        Ok(self.loaded(to_text(sent) + &line))
    }

    /// Returns what the host would send; `content` is that of a file which it puts into the text.
    fn expanded(
        &self,
        typed: &str,
        content: &mut dyn FnMut(&str) -> Option<String>,
    ) -> Result<Vec<Expanded>, LoadError> {
        if let Some(body) = &self.plain {
            let typed = typed.trim();
            let all = match typed {
                "" => body.clone(),
                typed => format!("{body}\n\nARGUMENTS: {typed}"),
            };
            return Ok(vec![Expanded::Text(all)]);
        }
        let invocation = self.invocation(typed);
        let sent = self.template.expand_with_files(&invocation, content);
        sent.map_err(LoadError::ArgumentsRefused)
    }

    fn invocation<'t>(&'t self, typed: &'t str) -> Invocation<'t> {
        let mut res = Invocation::new(&self.command, typed);
        let first_index = self.prompt.first_index;
        res.first_index = first_index.and_then(|index| usize::try_from(index).ok());
        res.variables.clone_from(&self.origin.settings);
        res
    }

    /// Returns what the host would send for these values.
    ///
    /// # Errors
    ///
    /// Those of [`LoadedPrompt::sent`].
    pub fn sent_for(&self, values: &BTreeMap<String, String>) -> Result<LoadedText, LoadError> {
        let arguments: Vec<_> = self.arguments().iter().map(argument).collect();
        self.sent(&typed_line(&self.template, &arguments, values))
    }

    fn loaded(&self, text: String) -> LoadedText {
        let n_bytes = self.template.text().len() as u64;
        let report = LoadReport {
            path: self.prompt.template.clone(),
            sha256: self.sha256,
            bytes_read: n_bytes,
            total_bytes: n_bytes,
            chars_returned: text.chars().count(),
            lines: Lines {
                first: 1,
                last: text.lines().count().max(1),
            },
            truncated: false,
            strategy: Strategy::Whole,
            section: None,
            next_cursor: None,
            storage_ref: None,
        };
        LoadedText {
            text,
            report,
            sections: Vec::new(),
            findings: Vec::new(),
        }
    }
}

fn argument(known: &PromptArgument) -> plugin_template::Argument {
    plugin_template::Argument {
        name: known.name.clone(),
        description: known.description.clone(),
        required: known.required,
        choices: known.choices.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_dialects_have_the_same_words() {
        let words = PromptDialect::ALL.map(PromptDialect::word);
        assert_eq!(words, Dialect::ALL.map(Dialect::word));
    }
}
