//! The plan for a unit that is a program.

use plugin_model::UnitKind;
use skill_diagnostics::Diagnostic;
use skill_model::SkillName;

use crate::{
    code::{self, Analysis, CodeFacts, Reachable},
    commands,
    draft::fill,
    entry::{self, EntryReading},
    fate::Ledger,
    finish::{Parts, finish},
    model_names::ModelNames,
    package::{copies, generated},
    plan::{Migration, Options},
    plugin::{Plugin, Source},
    plugin_language, readme_links,
    render::{TemplateError, Templates},
};

/// Plans the migration of a program.
pub(crate) fn plan(
    plugin: &Plugin<'_>,
    name: &SkillName,
    earlier: Vec<Diagnostic>,
    templates: &Templates,
    options: Options,
) -> Result<Migration, TemplateError> {
    let mut ledger = Ledger::new(&plugin.package.documents);
    let entry = entry::read(plugin);
    let code = read_code(plugin, &entry);
    let sources = code::sources(&code.files, plugin.texts);
    let analysis = Analysis::new(&code, &sources);
    let commands = commands::read(plugin, &analysis, &mut ledger);
    let mut draft = fill(
        plugin,
        name,
        entry,
        &analysis,
        &commands.entries,
        &mut ledger,
        earlier,
    );
    let language = plugin_language::language(plugin, options);
    draft.add_commands(plugin, commands.entries, commands.findings, language);
    let mut copies = copies(plugin);
    let documents = draft.documents(
        plugin,
        &commands.originals,
        templates,
        (language, options.shell),
    )?;
    let frontmatter = draft.frontmatter(plugin, &mut ledger, language);
    let triggers = draft.triggers();
    draft.remark();
    let mut settled = ledger.settle();
    commands::name_texts(&mut settled.0, &documents);
    let skill = ModelNames::new(plugin).corrected(&frontmatter.emit(&documents.body));
    let mut generated = generated(plugin, &draft.record, documents);
    readme_links::follow(plugin, &mut copies, &mut generated.files);
    let mut res = finish(
        name,
        Parts {
            record: draft.record,
            skill,
            generated,
            copies,
            settled,
            findings: draft.findings,
            blockers: draft.blockers,
            language: Some(language),
        },
    );
    // Tests are not passed on, so `files` of the sidecar does not name them.
    res.generated.extend(triggers);
    res.generated.sort();
    Ok(res)
}

/// Returns the modules of the host that the code of a unit may load and of which nothing is known
/// yet, as paths in the host's directory. Extensions are as the code writes them.
pub fn wanted_modules(source: &Source<'_>) -> Vec<String> {
    let UnitKind::Program(program) = &source.unit.kind else {
        return Vec::new();
    };
    let plugin = Plugin::new(source, program);
    let code = read_code(&plugin, &entry::read(&plugin));
    code.wanted.into_iter().collect()
}

fn read_code(plugin: &Plugin<'_>, entry: &EntryReading) -> CodeFacts {
    let files = Reachable {
        directory: plugin.directory_name(),
        texts: plugin.texts,
        host: plugin.host,
    };
    let file = entry.file.as_deref();
    file.map(|file| code::read_code(file, files))
        .unwrap_or_default()
}
