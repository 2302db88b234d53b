//! The formats as texts: a list for the terminal, and the page `docs/formats.md`.

use std::fmt::Write as _;

use plugin_model::Role;

use crate::{
    reader::{Part, Reader},
    table::READERS,
};

/// Returns a list of the formats for people, in the order in which they are tried.
pub fn list() -> String {
    let rows = READERS.iter().map(|reader| {
        let Reader {
            name, title, marks, ..
        } = reader;
        format!("{name:<14} {title}: {}\n", marks.replace('`', ""))
    });
    rows.collect()
}

const HEAD: &str = "\
# The formats of plugins

<!-- written by `cargo xtask codegen` from the tables of the readers -->

`skills-migrate` recognizes these formats. If a directory has the marks of several, the first one that finds something to migrate reads it. Lists and settings that it does not read (`opencode.json`, `.mcp.json`, `mcp.json`, `.cursorrules`) are read beside it, and so are documents of OpenAPI beside those. Packages inside of a package belong to it, unless its manifest names nothing of its own or a marketplace beside it lists packages below; the directories of hosts directly in it, such as `.claude`, are always packages of their own. Each file becomes one skill, of the innermost package, and a skill that several directories of one project have, byte for byte, is one. `--format NAME` reads one format only.

A file that says it is one of these and cannot be read is an error with its place: a manifest or a document that is cut, not UTF-8, Swagger 2.0, or OpenAPI of another version. Everything else is migrated, and the exit status is 1. An operation that is not an object is left out with a warning (`broken-operation`).

| `--format` | reads | marks |
|---|---|---|
";

const FATES: &str = "
Each key of each document has a fate. *Kept* values are unchanged in `legacy.extra` of METADATA.yml, in an object for each file. Keys of VCPToolBox manifests are on [their own page](migration.md#field-by-field), and placeholders in texts [on that of the templates](design/prompt-templates.md).
";

/// Returns the page on the formats, with the fate of each key.
pub fn page() -> String {
    let mut res = HEAD.to_owned();
    for reader in READERS {
        let Reader {
            name, title, marks, ..
        } = reader;
        let _ = writeln!(res, "| `{name}` | {title} | {marks} |");
    }
    res.push_str(FATES);
    for reader in READERS {
        if !reader.parts.is_empty() {
            let _ = write!(res, "\n## {}\n", reader.name);
            reader
                .parts
                .iter()
                .for_each(|part| write_part(part, &mut res));
        }
    }
    res
}

fn write_part(part: &Part, res: &mut String) {
    let _ = write!(
        res,
        "\n{}:\n\n| key | fate | place or reason |\n|---|---|---|\n",
        part.title
    );
    for key in part.keys {
        let (word, place) = fate(key.role);
        let _ = writeln!(res, "| `{}` | {word} | {place} |", key.name);
    }
    let _ = writeln!(res, "| other keys | | {} |", part.others);
}

/// Returns the fate of the value of a key: the word of a fate, and the place or the reason.
fn fate(role: Role) -> (&'static str, &'static str) {
    match role {
        Role::Name => (
            "carried",
            "`name`; a name that a skill cannot have is in `display_name` or kept",
        ),
        Role::DisplayName => ("carried", "`display_name`"),
        Role::Description => ("carried", "`description` of SKILL.md and METADATA.yml"),
        Role::WhenToUse => ("transformed", "the end of `description`"),
        Role::License => ("carried", "`license` of SKILL.md"),
        Role::Compatibility => ("carried", "`compatibility` of SKILL.md"),
        Role::Metadata => ("carried", "`metadata` of SKILL.md"),
        Role::AllowedTools => (
            "transformed",
            "`allowed-tools` of SKILL.md, separated by spaces",
        ),
        Role::ArgumentHint | Role::Arguments => (
            "transformed",
            "the section *Input* and `prompt.arguments`; kept if the text has no such section",
        ),
        Role::Version => ("carried", "`version`"),
        Role::Author => ("carried", "`author`; an address is kept"),
        Role::Tags => ("carried", "`tags`"),
        Role::Domain => ("carried", "`domain`"),
        Role::Enabled => ("transformed", "`enabled`"),
        Role::Layout => ("transformed", "decides which files are read"),
        Role::Body => ("transformed", "the body of SKILL.md"),
        Role::Settings => (
            "transformed",
            "`config.schema` and `config.secret`; the texts name the settings",
        ),
        Role::OnRequest => (
            "transformed",
            "the beginning of `description` if it is true, else kept",
        ),
        Role::OffersItself => (
            "transformed",
            "the beginning of `description` if it is false, else kept",
        ),
        Role::Off => (
            "transformed",
            "`enabled`, the beginning of `description` and a finding if it is true, else kept",
        ),
        Role::Servers => (
            "transformed",
            "a skill for each server ([mcp](#mcp)); kept in `legacy.extra` of the other skills",
        ),
        Role::Hooks => (
            "kept",
            "`legacy.extra` or `references/hooks.json`, and a finding",
        ),
        Role::Kept => ("kept", "`legacy.extra`: it steers the host only"),
        Role::Stated(_) | Role::StatedBy(..) | Role::StatedNames(_) | Role::OnlyTools => {
            ("kept", "`legacy.extra`, and a sentence in SKILL.md")
        }
        Role::Becomes(place) => ("transformed", place),
        Role::Referenced => ("kept", "the copy of the document in `references/`"),
        Role::Dropped(reason) => ("dropped", reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_on_the_page() {
        let page = page();
        for part in READERS.iter().flat_map(|reader| reader.parts) {
            for key in part.keys {
                assert!(
                    page.contains(&format!("| `{}` | ", key.name)),
                    "{}",
                    key.name
                );
            }
        }
        assert_eq!(list().lines().count(), READERS.len());
    }
}
