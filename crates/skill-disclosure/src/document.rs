//! The searchable texts of skills, and their index, for everything that searches.

use rayon::prelude::*;
use skill_loader::catalog::{Bounds, CatalogSkill};
use skill_model::{decode, split};
use skill_search::{CommandText, Document, Index, TriggerTexts};

/// Returns the index of skills. Their instructions are read as they are on disk now, up to `bounds`.
pub fn index<'s>(skills: impl IntoIterator<Item = &'s CatalogSkill>, bounds: &Bounds) -> Index {
    Index::build(&documents(skills, bounds))
}

/// Returns the searchable texts of skills, in their order; the files are read on all cores.
pub(crate) fn documents<'s>(
    skills: impl IntoIterator<Item = &'s CatalogSkill>,
    bounds: &Bounds,
) -> Vec<Document> {
    let skills: Vec<&CatalogSkill> = skills.into_iter().collect();
    let documents = skills.par_iter().map(|skill| document(skill, bounds));
    documents.collect()
}

/// Returns the searchable texts of a skill: everything in the catalog, and its instructions as they
/// are on disk now, read up to `bounds`. The instructions are empty if the file can no longer be
/// read or is not UTF-8, which the catalog has reported.
fn document(skill: &CatalogSkill, bounds: &Bounds) -> Document {
    let mut res = Document {
        name: skill.name.clone(),
        description: skill.description.clone(),
        body: body(skill, bounds),
        ..Document::default()
    };
    let Some(metadata) = skill.metadata.as_deref() else {
        return res;
    };
    res.display_name = metadata.display_name.clone().unwrap_or_default();
    let commands = metadata.commands.iter();
    res.commands = commands
        .map(|command| CommandText {
            id: command.id.clone(),
            description: command.description.clone(),
        })
        .collect();
    res.keywords.clone_from(&metadata.keywords);
    res.tags.clone_from(&metadata.tags);
    res.domain.clone_from(&metadata.domain);
    res.triggers = TriggerTexts {
        intents: metadata.triggers.intents.clone(),
        phrases: metadata.triggers.phrases.clone(),
    };
    res.aliases = metadata
        .legacy
        .iter()
        .map(|legacy| legacy.name.clone())
        .collect();
    #[expect(clippy::cast_possible_truncation, reason = "0 to 1, in 255ths later")]
    let priority = metadata.triggers.priority as f32;
    res.priority = priority;
    res
}

fn body(skill: &CatalogSkill, bounds: &Bounds) -> String {
    let place = &skill.place;
    let bytes = place
        .root
        .read(&place.file, bounds.file_bytes)
        .unwrap_or_default();
    let Ok(text) = decode(&bytes) else {
        return String::new();
    };
    let start = split(text).map_or(0, |split| split.body.start);
    text[start..].to_owned()
}

#[cfg(test)]
mod tests {
    #![expect(
        clippy::disallowed_methods,
        reason = "what is read here must be made by other means"
    )]

    use std::fs;

    use skill_loader::catalog::{Catalog, CatalogSettings, SkillRoot};
    use skill_loader::load::Source;

    use super::*;

    const SKILL: &str = "---\nname: rain\ndescription: Tells of rain.\n---\n# Rain\n\nLook up.\n";
    const METADATA: &str = "name: rain\nexecutor: none\ndisplay_name: Rain clouds\ncommands:\n  - id: look\n    description: Looks up.\ntags: [weather]\n";

    /// Returns the document of a skill; if `later` is given, these bytes replace its `SKILL.md`
    /// first.
    fn document_of(metadata: Option<&str>, later: Option<&[u8]>) -> Document {
        let dir = tempfile::tempdir().unwrap();
        let place = dir.path().join("rain");
        fs::create_dir(&place).unwrap();
        fs::write(place.join("SKILL.md"), SKILL).unwrap();
        if let Some(metadata) = metadata {
            fs::write(place.join("METADATA.yml"), metadata).unwrap();
        }
        let settings = CatalogSettings {
            roots: vec![SkillRoot {
                path: dir.path().to_owned(),
                source: Source::Project,
            }],
            ..CatalogSettings::default()
        };
        let catalog = Catalog::read(&settings);
        if let Some(later) = later {
            fs::write(place.join("SKILL.md"), later).unwrap();
        }
        document(&catalog.skills["rain"], &settings.bounds)
    }

    #[test]
    fn a_document_says_what_the_skill_says() {
        let found = document_of(None, None);
        assert_eq!(found.name, "rain");
        assert_eq!(found.description, "Tells of rain.");
        assert_eq!(found.body.trim(), "# Rain\n\nLook up.");
        assert!(found.commands.is_empty() && found.display_name.is_empty());
        let found = document_of(Some(METADATA), None);
        assert_eq!(found.display_name, "Rain clouds");
        assert_eq!(found.commands[0].id, "look");
        assert_eq!(found.tags, ["weather"]);
    }

    #[test]
    fn the_body_is_read_from_the_current_file() {
        for (later, expected) in [
            (&b"---\nname: rain\n---\nnew\n"[..], "new"),
            (b"no frontmatter", "no frontmatter"),
            (b"\xff\xfe\xfd", ""),
            (b"", ""),
        ] {
            assert_eq!(document_of(None, Some(later)).body.trim(), expected);
        }
    }
}
