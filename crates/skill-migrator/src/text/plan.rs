//! The plan for a text.

use plugin_model::Role;
use skill_diagnostics::{Diagnostic, LineIndex};
use skill_model::{Digest, Frontmatter, SkillName, conflict::first_conflict};

use crate::{
    codes::{CONFLICT_MARKERS, EMPTY_TEXT, NO_DESCRIPTION, REFERENCES_REWRITTEN, TEXT_HOOKS},
    description,
    fate::Ledger,
    finish::{Parts, finish},
    markdown::{DefuseReport, reveal},
    package::Generated,
    plan::{GeneratedFile, Migration},
    switch,
};

use super::{
    Extent, TextUnit, body, budget, copied_links, copies, hooks, host_words, licenses,
    prompt::original,
    record,
    references::rewrite,
    roles::{self, Said},
    settings, words,
};

/// Plans a text, of which `extent` is a template.
pub(crate) fn plan(
    unit: &TextUnit<'_>,
    name: &SkillName,
    mut findings: Vec<Diagnostic>,
    extent: Extent,
) -> Migration {
    let mut ledger = Ledger::new(&unit.documents);
    let mut said = roles::read(unit, name.as_str(), &mut ledger);
    roles::state_manifests(unit, &mut said);
    let attached = unit.package.attached.iter();
    let loaded = attached.filter(|it| it.is_always_loaded);
    let sentences = loaded.map(|it| words::always_loaded(&it.to, unit.language()));
    said.sentences.extend(sentences);
    let agents = unit.agents().map(|agent| unit.target(&agent.file));
    said.sentences
        .extend(words::agents(&agents.collect::<Vec<_>>(), unit.language()));
    roles::claim_manifests(unit, said.license.is_some(), &mut ledger);
    let mut made = body::make(unit, &said, extent, &mut ledger);
    roles::claim_arguments(&said, &made.rows, &mut ledger);
    findings.append(&mut made.findings);
    if unit.text.body.trim().is_empty() {
        let message = "the text is empty: there is nothing to do";
        let finding = Diagnostic::warning(EMPTY_TEXT, message).in_file(&*unit.document.file);
        findings.push(finding.with_help("write the instructions, or remove the file"));
    }
    findings.extend(conflict(unit));
    if said.has_hooks {
        let message = "the hooks of the text are not carried";
        let help = "METADATA.yml has them under `legacy.extra`, and the skill has their programs; set them up in your host";
        let finding = Diagnostic::warning(TEXT_HOOKS, message).in_file(&*unit.document.file);
        findings.push(finding.with_help(help));
    }
    if said.license.is_none() {
        let (license, finding) = licenses::license(unit);
        said.license = license;
        findings.extend(finding);
    }
    let config = settings::read(unit.manifests(), &mut ledger);
    said.sentences
        .extend(words::settings(&config, &unit.text.body, unit.language()));
    let hooks = hooks::of_documents(unit);
    made.named.extend(hooks.named);
    made.named.append(&mut said.programs);
    let mut needed = copies::needed(unit, &made.named);
    let body = host_words::of_copies(unit, &made.body, &needed);
    let body = finish_body(unit, &said, &body, &mut findings);
    if said.description.is_none() {
        let is_empty = unit.text.body.trim().is_empty();
        let first = first_paragraph(&body).filter(|_| !is_empty);
        let nameless = || words::nameless(name.as_str(), unit.language());
        said.description = Some(first.unwrap_or_else(nameless));
        let message = if is_empty {
            "the text has no description; its name took the place"
        } else {
            "the text has no description; its first paragraph took the place"
        };
        let finding = Diagnostic::warning(NO_DESCRIPTION, message);
        findings.push(finding.with_help("write one that says what it does and when to use it"));
    }
    let mut record = record::record(unit, name.as_str(), &said);
    record.config = config;
    findings.extend(switch::finding(&record));
    record.prompt = made
        .prompt
        .or_else(|| original(unit, &body, &mut made.files));
    if let Some(prompt) = &mut record.prompt {
        prompt.prose_sha256 = Some(Digest::from_content(body.trim().as_bytes()).hex());
    }
    let frontmatter = frontmatter(unit, name, said, &mut findings);
    let mut generated = Generated { files: made.files };
    generated.files.extend(agents_of_settings(unit));
    generated.files.extend(hooks.files);
    findings.extend(budget::limit(unit, &mut needed));
    let mut copies = copies::copies(unit, &needed, &generated.files);
    findings.extend(copied_links::follow(
        unit,
        &mut copies,
        &mut generated.files,
    ));
    finish(
        name,
        Parts {
            record,
            skill: format!("{}{body}", frontmatter.emit_block()),
            generated,
            copies,
            settled: ledger.settle(),
            findings,
            blockers: Vec::new(),
            language: None,
        },
    )
}

/// Returns the finding about a text in which two versions of some lines wait for a choice.
fn conflict(unit: &TextUnit<'_>) -> Option<Diagnostic> {
    let text = unit.document.text;
    let range = first_conflict(text)?;
    let span = LineIndex::new(text).span(range.start..range.start);
    let message = "the text has the markers of an unresolved merge (`<<<<<<<`, `>>>>>>>`), and is migrated with them";
    let finding = Diagnostic::warning(CONFLICT_MARKERS, message);
    let finding = finding.in_file(&*unit.document.file).at(span);
    Some(finding.with_help("choose one of the two versions, and remove the markers"))
}

/// Replaces references, adds what the old host did, and makes hidden characters visible. A body
/// without any of them is unchanged.
fn finish_body(
    unit: &TextUnit<'_>,
    said: &Said,
    body: &str,
    findings: &mut Vec<Diagnostic>,
) -> String {
    let (body, n_agents) = agent_files(unit, body);
    let (mut body, n_replaced) = rewrite(&body, unit.names());
    let n_replaced = n_replaced + n_agents;
    if n_replaced > 0 {
        let message = format!(
            "{n_replaced} references to other parts were written as the names of their skills"
        );
        findings.push(Diagnostic::note(REFERENCES_REWRITTEN, message));
    }
    if !said.sentences.is_empty() {
        body.push_str(if body.ends_with('\n') { "\n" } else { "\n\n" });
        body.push_str(words::old_host(unit.language()));
        body.push_str("\n\n");
        for sentence in &said.sentences {
            body.push_str("- ");
            body.push_str(&crate::markdown::one_line(sentence));
            body.push('\n');
        }
    }
    let mut seen = DefuseReport::default();
    let body = harmless(reveal(body, &mut seen), &mut seen);
    findings.extend(seen.findings());
    findings.extend(host_words::left(unit, &body));
    body
}

/// Returns the references for agents that are a part of the settings of a host.
fn agents_of_settings(unit: &TextUnit<'_>) -> Vec<GeneratedFile> {
    let agents = unit.agents().filter(|agent| agent.file.contains('#'));
    let files = agents.filter_map(|agent| {
        let text = agent.kind.text()?;
        let document = unit.package.document(&agent.file)?;
        let mut described = document.with_role(Role::Description);
        let description = described.find_map(|(_, node)| node.as_str());
        let description = description.map(|text| format!("{text}\n\n"));
        Some(GeneratedFile {
            path: unit.target(&agent.file),
            text: format!(
                "# {}\n\n{}{}\n",
                text.call,
                description.unwrap_or_default(),
                text.body.trim_end()
            ),
        })
    });
    files.collect()
}

/// Writes `@agent-x` as the path of its reference, if the agent is one.
fn agent_files(unit: &TextUnit<'_>, body: &str) -> (String, usize) {
    let mut body = body.to_owned();
    let mut n_replaced = 0;
    for agent in unit.agents() {
        let call = agent.kind.text().map_or("", |text| text.call.as_str());
        let short = call.rsplit(':').next().unwrap_or(call);
        let path = unit.target(&agent.file);
        for name in [call, short] {
            let token = format!("@agent-{name}");
            let ends =
                |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || "-_:".contains(c));
            let mut parts = body.split(&token);
            let mut res = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                if ends(part) {
                    res.push_str(&words::agent(short, &path, unit.language()));
                    n_replaced += 1;
                } else {
                    res.push_str(&token);
                }
                res.push_str(part);
            }
            body = res;
        }
    }
    (body, n_replaced)
}

/// Breaks what an agent would run while it renders a skill (`SECURITY.md`, M9).
fn harmless(body: String, seen: &mut DefuseReport) -> String {
    if !body.contains("!`") && !body.contains("```!") {
        return body;
    }
    seen.command = true;
    body.replace("!`", "! `").replace("```!", "``` !")
}

fn frontmatter(
    unit: &TextUnit<'_>,
    name: &SkillName,
    said: Said,
    findings: &mut Vec<Diagnostic>,
) -> Frontmatter {
    let mut seen = DefuseReport::default();
    let what = said.description.unwrap_or_default();
    let what = match unit.lost_name().filter(|name| !what.contains(name)) {
        Some(name) => words::named(name, &what, unit.language()),
        None => what,
    };
    let what = if said.on_request {
        format!("{} {what}", words::on_request(unit.language()))
    } else {
        what
    };
    let parts = description::Parts {
        what,
        when: said.when,
        ..description::Parts::default()
    };
    let (description, finding) = description::description(&parts, &mut seen);
    findings.extend(finding);
    let mut reveal = |text: String| reveal(text, &mut seen);
    Frontmatter {
        name: name.to_string(),
        description,
        license: said.license.map(&mut reveal),
        compatibility: said.compatibility.map(&mut reveal),
        metadata: said
            .metadata
            .into_iter()
            .map(|(key, value)| (key, reveal(value)))
            .collect(),
        allowed_tools: said.allowed_tools.map(&mut reveal),
    }
}

/// Returns the first paragraph of prose, or else the first heading.
fn first_paragraph(body: &str) -> Option<String> {
    let mut acc = String::new();
    let mut heading = "";
    let (mut is_fence, mut is_comment) = (false, false);
    for line in body.lines().map(str::trim) {
        let is_mark = line.starts_with("```") || line.starts_with("~~~");
        is_fence ^= is_mark && !is_comment;
        is_comment |= line.starts_with("<!--") && !is_fence;
        let is_hidden = is_fence || is_mark || is_comment;
        is_comment &= !line.contains("-->");
        if is_hidden {
            if acc.is_empty() {
                continue;
            }
            break;
        }
        let is_bold = line.starts_with("**") && line.len() > 4;
        let is_prose = is_bold
            || !line.is_empty()
                && !line.starts_with(['#', '`', '-', '*', '|', '<', '>', '!', '{', '='])
                && line.contains(char::is_alphabetic);
        if is_prose {
            acc.push_str(if acc.is_empty() { "" } else { " " });
            acc.push_str(line);
        } else if !acc.is_empty() {
            break;
        } else if heading.is_empty() && line.starts_with('#') {
            heading = line.trim_start_matches('#').trim();
        }
    }
    let found = if acc.is_empty() { heading } else { &acc };
    (!found.is_empty()).then(|| without_bold(found))
}

/// Returns a text without the marks of bold words; a description is plain text. Code keeps its stars.
fn without_bold(text: &str) -> String {
    const MARK: &str = "**";
    let is_prose = |at: &usize| text[..*at].matches('`').count().is_multiple_of(2);
    let marks = text.match_indices(MARK).map(|(at, _)| at);
    let marks: Vec<usize> = marks.filter(is_prose).collect();
    if !marks.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let mut res = String::with_capacity(text.len());
    let mut from = 0;
    for at in marks {
        res.push_str(&text[from..at]);
        from = at + MARK.len();
    }
    res + &text[from..]
}
