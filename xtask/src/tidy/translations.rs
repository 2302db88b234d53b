//! Every text for people has a Chinese row in the table of `skill-language`, and every row a text.
//!
//! A text is a string literal of at least two words in one of [`SOURCES`], or any text of the page of
//! `skills-serve`. The help of the command
//! lines is checked in `crates/skills-tools/tests/language.rs`, because clap puts it together.

use std::collections::BTreeSet;

use anyhow::Result;
use skill_language::{Language, Row, rows};

use crate::repo::Repo;
use crate::rust_source::{self, Literal};

/// The page of `skills-serve`. Its words need rows too.
const WEB: &str = "crates/skill-mcp/web";

const TABLE: &str = "crates/skill-language/src/zh.txt";

/// The sources of texts for people, below `crates/`: findings, errors of files, reports, tools. Other
/// crates write for programs: protocols, answers of skills and logs are English.
const SOURCES: &[&str] = &[
    "disclosure-report/src/",
    "findings-report/src/",
    "migration-report/src/",
    "parity-record/src/",
    "parity-report/src/",
    "plugin-manifest/src/",
    "plugin-model/src/",
    "plugin-prose/src/finding.rs",
    "plugin-openapi/src/address_secrets.rs",
    "plugin-openapi/src/body.rs",
    "plugin-openapi/src/documents.rs",
    "plugin-openapi/src/operation.rs",
    "plugin-openapi/src/parameters.rs",
    "plugin-openapi/src/read.rs",
    "plugin-openapi/src/schema.rs",
    "plugin-openapi/src/security.rs",
    "plugin-openapi/src/server.rs",
    "plugin-readers/src/ai_plugin.rs",
    "plugin-readers/src/claude/marketplace.rs",
    "plugin-readers/src/frontmatter.rs",
    "plugin-readers/src/host.rs",
    "plugin-readers/src/openapi.rs",
    "plugin-readers/src/package.rs",
    "plugin-readers/src/toml_file.rs",
    "skill-checker/src/",
    "skill-disclosure/src/body.rs",
    "skill-disclosure/src/phase.rs",
    "skill-disclosure/src/share.rs",
    "skill-environments/src/",
    "skill-executor/src/",
    "skill-loader/src/",
    "skill-mcp/src/",
    "skill-migrator/src/",
    "skill-model/src/",
    "skill-nats/src/",
    "skill-packages/src/",
    "skill-parity/src/",
    "skill-pipeline/src/",
    "skill-report/src/",
    "skill-sandbox/src/",
    "skill-search/src/",
    "skill-settings/src/",
    "skill-validator/src/",
    "skills-",
    "trigger-tests/src/",
];

/// Files of [`SOURCES`] with other literals: data, formats for machines, the texts of skills, answers
/// of a protocol to agents.
const OTHERS: &[&str] = &[
    "skill-migrator/src/text/sentences.rs",
    "skill-migrator/src/text/words.rs",
    "disclosure-report/src/disclosure/chart.rs",
    "disclosure-report/src/reading/block.rs",
    "findings-report/src/github.rs",
    "findings-report/src/json.rs",
    "findings-report/src/junit.rs",
    "findings-report/src/sarif.rs",
    "skill-environments/src/missing.rs",
    "skill-environments/src/pip/installer.rs",
    "skill-executor/src/callback.rs",
    "skill-executor/src/envelope.rs",
    "skill-executor/src/module/bundle.rs",
    "skill-executor/src/shell.rs",
    "skill-executor/src/view/host_part.rs",
    "skill-loader/src/text/",
    "skill-mcp/src/handler.rs",
    "skill-mcp/src/http/cors.rs",
    "skill-mcp/src/http/pages.rs",
    "skill-mcp/src/http/plugins.rs",
    "skill-mcp/src/http/request_ids.rs",
    "skill-mcp/src/instructions.rs",
    "skill-mcp/src/manifest.rs",
    "skill-mcp/src/metrics.rs",
    "skill-mcp/src/prompts.rs",
    "skill-mcp/src/reply.rs",
    "skill-mcp/src/schema.rs",
    "skill-mcp/src/sep.rs",
    "skill-mcp/src/stdio/",
    "skill-mcp/src/tools.rs",
    "skill-mcp/src/tools/",
    "skill-migrator/src/api/body.rs",
    "skill-migrator/src/api/groups.rs",
    "skill-migrator/src/api/summary.rs",
    "skill-migrator/src/arguments/",
    "skill-migrator/src/code/",
    "skill-migrator/src/env_example.rs",
    "skill-migrator/src/guards/name.rs",
    "skill-migrator/src/guards/text.rs",
    "skill-migrator/src/hook/body.rs",
    "skill-migrator/src/mcp/body.rs",
    "skill-migrator/src/mcp/page.rs",
    "skill-migrator/src/mcp/summary.rs",
    "skill-migrator/src/mcp/tools.rs",
    "skill-migrator/src/render/",
    "skill-model/src/secrets/names.rs",
    "skill-model/src/yaml/emit.rs",
    "skill-nats/src/testing.rs",
    "skill-packages/src/manifests.rs",
    "skill-packages/src/readme.rs",
    "skill-parity/src/effects.rs",
    "skill-pipeline/src/diff.rs",
    "skill-pipeline/src/evidence.rs",
    "skill-sandbox/src/linux/process.rs",
    "skill-sandbox/src/linux/wire.rs",
    "skill-search/src/index/analyse.rs",
    "skill-search/src/index/mention_kind.rs",
    "skill-search/src/search/explain.rs",
    "skill-search/src/text/clauses.rs",
    "skill-validator/src/docs.rs",
    "skill-validator/src/rules/description_without_when.rs",
];

/// The ends of the code before a literal that is not printed as it is.
const NOT_PRINTED: &[&str] = &[
    "after_long_help =",
    "concat!(",
    "contains(",
    "ends_with(",
    "example:",
    "expect(",
    "find(",
    "must_use =",
    "panic!(",
    "reason =",
    "source:",
    "split_once(",
    "starts_with(",
    "strip_prefix(",
    "strip_suffix(",
    "unreachable!(",
];

pub(super) fn check(repo: &Repo) -> Result<Vec<String>> {
    let rows: Vec<Row> = rows().collect();
    let mut acc = Vec::new();
    let mut known = BTreeSet::new();
    for path in repo.files("crates", ".rs")? {
        let text = repo.read(&path)?;
        let literals = rust_source::literals(&text);
        if is_source(&path) {
            acc.extend(missing(&path, &literals, &rows));
        }
        known.extend(literals.iter().flat_map(|it| parts(&it.text)));
        known.extend(paragraphs(&text));
    }
    for path in repo.files(WEB, "")? {
        let texts = web_texts(&repo.read(&path)?);
        acc.extend(missing_on_the_page(&path, &texts, &rows));
        known.extend(texts.into_iter().map(|(_, text)| text));
    }
    acc.extend(unused(&rows, &known));
    Ok(acc)
}

/// Returns the texts of the page with their lines: `say("…")` in scripts and `{{…}}` in HTML.
fn web_texts(file: &str) -> Vec<(usize, String)> {
    let mut acc = Vec::new();
    for (line, text) in (1..).zip(file.lines()) {
        for (start, end) in [("say(\"", '"'), ("{{", '}')] {
            let parts = text.split(start).skip(1);
            let found = parts.filter_map(|part| Some(part.split_once(end)?.0));
            let found = found.filter(|text| !["lang", "texts", "…"].contains(text));
            acc.extend(found.map(|text| (line, text.to_owned())));
        }
    }
    acc
}

fn missing_on_the_page(path: &str, texts: &[(usize, String)], rows: &[Row]) -> Vec<String> {
    let has_row = |text: &str| rows.iter().any(|row| row.english == text);
    let missing = texts.iter().filter(|(_, text)| !has_row(text));
    missing
        .map(|(line, text)| {
            format!("{path}:{line}: no Chinese text; add two lines to {TABLE}:\n{text}\n    (the translation; {{1}} is the first slot)")
        })
        .collect()
}

fn is_source(path: &str) -> bool {
    let Some(path) = path.strip_prefix("crates/") else {
        return false;
    };
    let is_in = |list: &[&str]| list.iter().any(|start| path.starts_with(start));
    is_in(SOURCES)
        && !is_in(OTHERS)
        && path.contains("/src/")
        && !path.ends_with("/tests.rs")
        && !path.contains("/tests/")
}

/// Returns the texts without a row, each with what to do about it.
fn missing(path: &str, literals: &[Literal], rows: &[Row]) -> Vec<String> {
    let texts = literals.iter().filter(|it| is_text(path, it));
    let lines = texts.flat_map(|it| it.text.lines().map(move |line| (it, line)));
    let missing = lines.filter(|(_, line)| n_words(line) >= 2 && !has_row(line, rows));
    missing
        .map(|(it, line)| {
            let text = escaped(line.trim());
            format!(
                "{path}:{}: no Chinese text; add two lines to {TABLE}:\n{text}\n    (the translation; {{1}} is the first slot, `=` keeps the text)",
                it.line
            )
        })
        .collect()
}

fn has_row(text: &str, rows: &[Row]) -> bool {
    let trimmed = text.trim();
    [text, trimmed].iter().any(|text| {
        rows.iter().any(|row| row.english == *text) || {
            let said = Language::Chinese.say(text);
            said != *text && !fits_any_text(text, rows) && !has_english(&said)
        }
    })
}

/// Returns true if the only rows for a text are those with fewer than two words, such as
/// `cannot {} {}`: they fit texts that nobody translated.
fn fits_any_text(text: &str, rows: &[Row]) -> bool {
    let (few, more): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| n_words(&row.english) < 2);
    few.iter().any(|row| row.fits(text)) && !more.iter().any(|row| row.fits(text))
}

/// Returns true if three words of English follow each other in a Chinese text: a row fits by its
/// frame, as `{} is {}` does, and not by what is in its slots.
fn has_english(said: &str) -> bool {
    let parts = said.split(|c: char| !(c.is_ascii_lowercase() || c == ' '));
    let mut counts = parts.map(|part| part.split(' ').filter(|word| word.len() > 1).count());
    counts.any(|n| n >= 3)
}

/// Returns the rows of the table that are for no text of the sources.
fn unused(rows: &[Row], known: &BTreeSet<String>) -> Vec<String> {
    rows.iter()
        .filter(|row| !row.is_composed && !known.contains(&row.english))
        .map(|row| {
            format!(
                "{TABLE}:{}: nothing prints this text any more; correct the row or remove it",
                row.line
            )
        })
        .collect()
}

/// Returns true for a literal that people read.
fn is_text(path: &str, literal: &Literal) -> bool {
    let Literal { before, text, .. } = literal;
    let statement = before.rsplit(';').next().unwrap_or_default();
    let is_reason = path.contains("skill-validator/src/rules/") && before.ends_with("why:");
    let is_code = text.starts_with('<')
        || ["</", "(allow", "(deny", "(?", "\\s", "\\b"]
            .iter()
            .any(|sign| text.contains(sign))
        || text.chars().any(|c| ('\u{4E00}'..'\u{A000}').contains(&c));
    !is_code
        && !is_reason
        && !NOT_PRINTED.iter().any(|end| before.ends_with(end))
        && !["assert", "tracing::", "html.add("]
            .iter()
            .any(|it| statement.contains(it))
        && n_words(text) >= 2
}

/// Counts the words of a text outside its slots; a word of three letters must be among them.
fn n_words(text: &str) -> usize {
    let mut rest = text;
    let mut plain = String::new();
    while let Some((before, after)) = rest.split_once('{') {
        plain.push_str(before);
        plain.push(' ');
        rest = after.split_once('}').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    let trim = |word: &'_ str| {
        word.trim_matches(|c: char| ",;:.?!()[]`'\"".contains(c))
            .to_owned()
    };
    let words: Vec<String> = plain.split_whitespace().map(trim).collect();
    let is_word = |word: &&String| {
        !word.is_empty() && word.chars().all(|c| c.is_ascii_alphabetic() || c == '\'')
    };
    let words: Vec<&String> = words.iter().filter(is_word).collect();
    if words.iter().any(|word| word.len() >= 3) {
        words.len()
    } else {
        0
    }
}

/// Returns a text, and its lines without the number of an exit status.
fn parts(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim_start);
    let lines = lines.map(|line| {
        line.trim_start_matches(|c: char| c.is_ascii_digit())
            .trim_start()
    });
    let whole = [text, text.trim()];
    whole.into_iter().chain(lines).map(str::to_owned).collect()
}

/// Returns the paragraphs of the doc comments, in which clap finds the help of options.
fn paragraphs(text: &str) -> Vec<String> {
    let docs = rust_source::comments(text)
        .into_iter()
        .filter(|it| it.is_doc);
    let docs: Vec<_> = docs.collect();
    let mut acc = Vec::new();
    for block in
        docs.chunk_by(|a, b| a.line + 1 == b.line && !a.text.is_empty() && !b.text.is_empty())
    {
        let lines: Vec<&str> = block.iter().map(|it| &*it.text).collect();
        let paragraph = lines.join(" ");
        acc.extend(paragraph.strip_suffix('.').map(str::to_owned));
        acc.push(paragraph);
    }
    acc
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, source: &str) -> Vec<String> {
        missing(path, &rust_source::literals(source), &[])
    }

    #[test]
    fn a_text_without_a_row_is_named() {
        let path = "crates/skill-checker/src/a.rs";
        let problems = found(path, "fn a() {\n    f(\"nobody translated `{x}`\")\n}\n");
        assert_eq!(problems.len(), 1);
        assert!(problems[0].starts_with("crates/skill-checker/src/a.rs:2: no Chinese text"));
        assert!(problems[0].contains("\nnobody translated `{x}`\n"));
    }

    #[test]
    fn other_literals_are_no_texts() {
        for source in [
            "x.expect(\"nobody reads this here\")",
            "\"word\"",
            "\"{a}/{b} {c}\"",
            "\"<p>two words</p>\"",
            "assert!(x, \"nobody reads this\")",
            "#[cfg(test)]\nmod t { f(\"nobody reads this\") }",
        ] {
            assert_eq!(
                found("crates/skill-checker/src/a.rs", source),
                [""; 0],
                "{source}"
            );
        }
        assert!(!is_source("crates/skill-tokens/src/a.rs"));
        assert!(!is_source("crates/skill-checker/tests/a.rs"));
    }

    #[test]
    fn a_row_without_a_text_is_named() {
        let row = |english: &str, is_composed| Row {
            line: 7,
            english: english.to_owned(),
            chinese: None,
            is_composed,
        };
        let known = BTreeSet::from(["a text".to_owned()]);
        let rows = [
            row("a text", false),
            row("another", false),
            row("a word", true),
        ];
        assert_eq!(
            unused(&rows, &known),
            [
                "crates/skill-language/src/zh.txt:7: nothing prints this text any more; correct the row or remove it"
            ]
        );
    }

    #[test]
    fn a_word_of_the_page_without_a_row_is_named() {
        let texts =
            web_texts("<p>{{Skills}} {{lang}}</p>\nmake(say(\"Run it\"), say(\"{} skills\", n))\n");
        let row = Row {
            line: 1,
            english: "{} skills".to_owned(),
            chinese: None,
            is_composed: false,
        };
        let problems = missing_on_the_page("a.js", &texts, &[row]);
        assert_eq!(problems.len(), 2, "{problems:?}");
        assert!(
            problems[0].starts_with("a.js:1: no Chinese text")
                && problems[0].contains("\nSkills\n")
        );
        assert!(problems[1].starts_with("a.js:2: ") && problems[1].contains("\nRun it\n"));
    }

    #[test]
    fn help_is_found_in_comments() {
        let text = "/// One\n/// text.\n///\n/// Two.\nfn a() {}\n";
        assert_eq!(
            paragraphs(text),
            ["One text", "One text.", "", "Two", "Two."]
        );
    }
}
