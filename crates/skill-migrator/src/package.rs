//! The files of a skill: copied and generated ones.

use std::borrow::Cow;

use plugin_model::SourceFile;
use skill_diagnostics::Diagnostic;
use skill_model::{Digest, FileRecord, FindingRecord, Metadata, UPSTREAM_SKILL};

use crate::{
    codes::NESTED_SKILL,
    deps::package_files,
    entry::SCRIPTS,
    env_example,
    plan::{CopiedFile, GeneratedFile},
    plugin::Plugin,
    render,
    secrets::secret_findings,
};

/// The directory of the old host's modules in the skill.
pub(crate) const LEGACY: &str = "legacy";

/// Returns the path of a file of the host relative to a plugin of the host.
pub fn from_plugin(host_path: &str) -> String {
    format!("../../{host_path}")
}

/// Returns every file of the plugin under `scripts/`, its readme as a reference instead, and the modules
/// of the host under `legacy/`. A readme that the code names is in both places.
pub(crate) fn copies(plugin: &Plugin<'_>) -> Vec<CopiedFile> {
    let copy = |file: &SourceFile, directory: &str| CopiedFile {
        to: format!("{directory}/{}", carried_path(plugin, &file.path)),
        from: file.path.clone(),
        executable: file.executable && directory == SCRIPTS,
        bytes: file.bytes,
        sha256: file.sha256.clone(),
    };
    let keeps_readme = names_in_code(plugin, "README");
    let is_script = |file: &&SourceFile| keeps_readme || !is_readme(&file.path);
    let scripts = plugin.files.iter().filter(is_script);
    let scripts = scripts.map(|file| copy(file, SCRIPTS));
    let readmes = plugin
        .files
        .iter()
        .filter(|file| is_readme(&file.path))
        .map(|file| copy(file, "references"));
    let modules = plugin.host.files.iter().map(|file| CopiedFile {
        to: format!("{LEGACY}/{}", file.path),
        from: from_plugin(&file.path),
        executable: false,
        bytes: file.bytes,
        sha256: file.sha256.clone(),
    });
    let mut res: Vec<CopiedFile> = scripts.chain(readmes).chain(modules).collect();
    res.sort();
    res
}

/// Returns the path of a file in the skill. A nested `SKILL.md` would be a skill for clients that search
/// recursively, so it is renamed. Where the program runs, it also has its own name.
fn carried_path<'a>(plugin: &Plugin<'_>, path: &'a str) -> Cow<'a, str> {
    let (directory, name) = path.rsplit_once('/').map_or(("", path), |(directory, _)| {
        path.split_at(directory.len() + 1)
    });
    let renamed = format!("{directory}{UPSTREAM_SKILL}");
    let is_free = || !plugin.has_file(&renamed);
    if name.eq_ignore_ascii_case("SKILL.md") && is_free() {
        Cow::Owned(renamed)
    } else {
        Cow::Borrowed(path)
    }
}

/// Returns whether code of the plugin has a word.
fn names_in_code(plugin: &Plugin<'_>, word: &str) -> bool {
    plugin.code_texts().any(|text| text.contains(word))
}

/// Returns the findings on nested skills: where each is now.
pub(crate) fn nested_skills(plugin: &Plugin<'_>) -> Vec<Diagnostic> {
    let nested = plugin.files.iter().filter(|file| {
        let name = file.path.rsplit('/').next().unwrap_or_default();
        name.eq_ignore_ascii_case("SKILL.md")
    });
    let finding = |file: &SourceFile| {
        let to = carried_path(plugin, &file.path);
        if to == file.path {
            let message = format!("`{SCRIPTS}/{to}` is a skill inside this skill");
            let finding = Diagnostic::note(NESTED_SKILL, message);
            finding.with_help("the plugin has a file of the other name too; clients that search recursively offer this one as a skill")
        } else {
            let message = format!("`{}` is carried as `{SCRIPTS}/{to}`", file.path.escape_debug());
            let finding = Diagnostic::note(NESTED_SKILL, message);
            finding.with_help(if names_in_code(plugin, "SKILL.md") {
                "clients that search recursively would offer it as a skill; the code names SKILL.md, and finds it where skills-run starts the program"
            } else {
                "clients that search recursively would offer it as a skill; to use it as one, copy its directory beside this skill"
            })
        }
        .in_file(file.path.clone())
    };
    nested.map(finding).collect()
}

/// Returns the readmes of a plugin, as paths in the skill.
pub(crate) fn readmes(plugin: &Plugin<'_>) -> Vec<String> {
    let readmes = plugin.files.iter().filter(|file| is_readme(&file.path));
    readmes
        .map(|file| format!("references/{}", file.path))
        .collect()
}

/// Returns the path of the first readme, relative to the plugin.
pub(crate) fn readme<'a>(plugin: &Plugin<'a>) -> Option<&'a str> {
    let mut paths = plugin.files.iter().map(|file| file.path.as_str());
    paths.find(|path| is_readme(path))
}

/// Returns true for a readme of the plugin itself.
pub(crate) fn is_readme(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    !path.contains('/') && lower.starts_with("readme") && lower.ends_with(".md")
}

/// The files that the migration writes.
#[derive(Default)]
pub(crate) struct Generated {
    pub(crate) files: Vec<GeneratedFile>,
}

impl Generated {
    pub(crate) fn push(&mut self, path: &str, text: String) {
        self.files.push(GeneratedFile {
            path: path.to_owned(),
            text,
        });
    }
}

/// Creates everything except `SKILL.md` and `METADATA.yml`.
pub(crate) fn generated(
    plugin: &Plugin<'_>,
    record: &Metadata,
    documents: render::Documents,
) -> Generated {
    let mut res = Generated::default();
    res.push(
        "references/legacy-manifest.json",
        plugin.document().text.to_owned(),
    );
    res.files.extend(package_files(plugin, &record.requires));
    if let Some(text) = documents.commands {
        res.push("references/commands.md", text);
    }
    if let Some(text) = documents.overview {
        res.push("references/overview.md", text);
    }
    let keep_comment = |comment: &str| secret_findings("", comment).is_empty();
    if let Some(text) = env_example::render(plugin, record, keep_comment) {
        res.push("assets/config.env.example", text);
    }
    res
}

/// Creates `files` of the sidecar.
pub(crate) fn file_records(copies: &[CopiedFile], generated: &[GeneratedFile]) -> Vec<FileRecord> {
    let copied = copies.iter().map(|copy| FileRecord {
        path: copy.to.clone(),
        bytes: copy.bytes,
        sha256: copy.sha256.clone(),
    });
    let written = generated.iter().map(|file| FileRecord {
        path: file.path.clone(),
        bytes: file.text.len() as u64,
        sha256: Digest::from_content(file.text.as_bytes()).hex(),
    });
    let mut res: Vec<FileRecord> = copied.chain(written).collect();
    res.sort_by(|a, b| a.path.cmp(&b.path));
    res
}

/// Creates `findings` of the sidecar.
pub(crate) fn finding_records(findings: &[Diagnostic]) -> Vec<FindingRecord> {
    let records = findings.iter().map(|finding| FindingRecord {
        code: finding.code.0.to_owned(),
        message: finding.message.clone(),
        pointer: finding.place.pointer.clone(),
    });
    records.collect()
}
