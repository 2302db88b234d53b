//! The tree that is migrated: the real manifests if they are available, otherwise the fixtures.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::shell;

/// Fills `plugins` with that many plugin directories and returns their origin.
pub(super) fn lay_out(repo: &Repo, plugins: &Path, copies: usize) -> Result<String> {
    match repo
        .shared()
        .map(|shared| shared.join("corpus/materialize.py"))
    {
        Some(script) if script.is_file() => {
            let mut command = shell::program(repo, "python3");
            command
                .arg(script)
                .arg(plugins)
                .args(["--copies", &copies.to_string()]);
            shell::capture(&mut command)?;
            Ok(format!(
                "{copies} plugin directories laid out from ../shared/corpus"
            ))
        }
        _ => {
            repeat_fixtures(repo, plugins, copies)?;
            Ok(format!(
                "{copies} plugin directories repeated from fixtures/plugins"
            ))
        }
    }
}

/// Fills `plugins` with that many plugin directories from the fixtures, under new names.
pub(super) fn repeat_fixtures(repo: &Repo, plugins: &Path, copies: usize) -> Result<()> {
    let source = repo.path("fixtures/plugins");
    let mut names: Vec<_> = fs::read_dir(&source)?
        .map(|entry| Ok(entry?.file_name()))
        .collect::<Result<_>>()?;
    names.retain(|name| source.join(name).join("plugin-manifest.json").is_file());
    names.sort();
    for (number, name) in names.iter().cycle().take(copies).enumerate() {
        let turn = number / names.len();
        let target = plugins.join(format!("{}-{turn}", name.display()));
        copy_tree(&source.join(name), &target)?;
        rename_plugin(&target.join("plugin-manifest.json"), turn)?;
    }
    Ok(())
}

fn copy_tree(source: &Path, target: &Path) -> Result<()> {
    fs::create_dir_all(target).with_context(|| format!("cannot create {}", target.display()))?;
    for entry in fs::read_dir(source)? {
        let entry = entry?;
        let inner = target.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_tree(&entry.path(), &inner)?;
        } else {
            fs::copy(entry.path(), &inner)?;
        }
    }
    Ok(())
}

fn rename_plugin(manifest: &Path, turn: usize) -> Result<()> {
    let text = fs::read_to_string(manifest)?;
    fs::write(manifest, with_suffix(&text, turn))?;
    Ok(())
}

/// Changes the first `"name": "…"`, which in the fixtures is the plugin's own.
fn with_suffix(text: &str, turn: usize) -> String {
    let key = "\"name\": \"";
    let end = text.find(key).and_then(|at| {
        let start = at + key.len();
        Some(start + text[start..].find('"')?)
    });
    match end {
        Some(end) => format!("{}V{turn}{}", &text[..end], &text[end..]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_the_first_name_only() {
        let text = r#"{"name": "A", "author": {"name": "B"}}"#;
        assert_eq!(
            with_suffix(text, 3),
            r#"{"name": "AV3", "author": {"name": "B"}}"#
        );
        assert_eq!(with_suffix("[]", 3), "[]");
    }

    #[test]
    fn repeats_fixtures_under_new_names() {
        let repo = Repo::here().unwrap();
        let plugins = repo.path("target/xtask-test-input");
        let _ = fs::remove_dir_all(&plugins);
        repeat_fixtures(&repo, &plugins, 70).unwrap();
        let manifest = plugins.join("ArtPalette-1/plugin-manifest.json");
        let manifest = fs::read_to_string(manifest).unwrap();
        assert!(manifest.contains(r#""name": "ArtPaletteV1""#));
        assert_eq!(fs::read_dir(&plugins).unwrap().count(), 70);
    }
}
