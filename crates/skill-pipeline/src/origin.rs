//! Checks whether a skill is made from the same plugin as before.
//!
//! A skill that is made from another plugin inherits what agents and people know of its name. That
//! must be noticed: another author's plugin is a conflict, also at the same path if its name differs
//! too, and a plugin in another directory is a warning.

use skill_diagnostics::{Code, Diagnostic};
use skill_migrator::Migration;
use skill_model::{LockedSkill, Metadata, read_metadata};

use crate::{
    conflict::CONFLICT, context::Context, last_time::MAX_METADATA_BYTES, outcome::Status,
    refusal::Refusal,
};

const ORIGIN_CHANGED: Code = Code("origin-changed");

/// Compares the source of a skill with its earlier source, and returns a finding about a
/// difference.
///
/// # Errors
///
/// Fails with a conflict if another plugin would replace the earlier one, unless that is forced.
pub(crate) fn compare(
    context: &Context<'_>,
    migration: &Migration,
    entry: &LockedSkill,
) -> Result<Option<Diagnostic>, Refusal> {
    let name = migration.name.as_str();
    let Some(locked) = context.store.locked(name) else {
        return Ok(None);
    };
    let (old, new) = (&locked.source, &entry.source);
    if old.digest == new.digest {
        return Ok(None);
    }
    let before = metadata(context, name);
    let before = before.as_ref().and_then(plugin);
    let now = plugin(&migration.metadata);
    let is_same = before.is_some() && before == now;
    let is_moved = old.directory != new.directory;
    if is_same && !is_moved {
        return Ok(None);
    }
    let message = format!(
        "the skill `{name}` was made from {}, and this is {}",
        shown(before.as_ref(), &old.directory),
        shown(now.as_ref(), &new.directory)
    );
    let warning = |help| {
        let finding = Diagnostic::warning(ORIGIN_CHANGED, message.clone());
        Ok(Some(finding.in_file(name).with_help(help)))
    };
    if is_same {
        return warning(
            "if it is a different plugin, and not the same one in another directory, rename it, because it takes over the state of the skill",
        );
    }
    let is_by_another = is_by_another(before.as_ref(), now.as_ref());
    if !(is_moved || is_by_another) || context.options.force {
        return warning(
            "its calls get their own state; the warning `state-of-another` of skills-run explains how to keep the earlier one",
        );
    }
    let finding = Diagnostic::error(CONFLICT, message.clone());
    let finding = finding.in_file(name).with_help(
        "--force lets it take the name; to keep both apart, rename one of the plugins, or move the skill away",
    );
    Err((Status::Conflict, vec![finding]))
}

/// Reads the METADATA.yml with which the skill was written.
fn metadata(context: &Context<'_>, name: &str) -> Option<Metadata> {
    let root = context.store.root()?;
    let path = format!("{}/METADATA.yml", context.store.path(name));
    let bytes = root.read(&path, MAX_METADATA_BYTES).ok()?;
    read_metadata(std::str::from_utf8(&bytes).ok()?).0
}

/// Returns the name and author of a plugin, which distinguish it from others with the same
/// directory name. `skills-run` uses the same pair.
fn plugin(metadata: &Metadata) -> Option<(String, String)> {
    let name = metadata.legacy.as_ref()?.name.clone();
    let author = metadata.author.as_deref().unwrap_or_default().trim();
    Some((name, author.to_owned()))
}

/// Returns true for a plugin of another name that is not by the same author: packages of unrelated people have
/// the same paths in their own directories.
fn is_by_another(before: Option<&(String, String)>, now: Option<&(String, String)>) -> bool {
    let (Some((old_name, old_author)), Some((name, author))) = (before, now) else {
        return false;
    };
    old_name != name && (old_author != author || author.is_empty())
}

fn shown(plugin: Option<&(String, String)>, directory: &str) -> String {
    let directory = directory.escape_debug();
    match plugin {
        None => format!("the plugin in `{directory}`"),
        Some((name, author)) if author.is_empty() => {
            format!("the plugin `{}` in `{directory}`", name.escape_debug())
        }
        Some((name, author)) => format!(
            "the plugin `{}` by `{}` in `{directory}`",
            name.escape_debug(),
            author.escape_debug()
        ),
    }
}
