//! Whether a skill is made from the plugin that it was made from before.
//!
//! A skill that becomes another plugin's takes over what agents and people know of its name. That
//! must not happen unnoticed: another author's plugin of the same name is a conflict, and one that
//! only lies elsewhere is a warning.

use skill_diagnostics::{Code, Diagnostic};
use skill_migrator::Migration;
use skill_model::{LockedSkill, Metadata, read_metadata};

use crate::{
    last_time::MAX_METADATA_BYTES,
    outcome::Status,
    reconcile::CONFLICT,
    work::{Context, Refusal},
};

const ORIGIN_CHANGED: Code = Code("origin-changed");

/// Compares where a skill comes from with where it came from. Returns a remark on what is odd.
///
/// # Errors
/// A conflict, where another plugin would take the place of the one before, unless that is forced.
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
            "if it is another plugin, and not the same in another place, rename it: the state of the skill becomes its own",
        );
    }
    if !is_moved || context.options.force {
        return warning(
            "its calls get a state of their own; the warning `state-of-another` of skills-run says how to choose the one before",
        );
    }
    let finding = Diagnostic::error(CONFLICT, message.clone());
    let finding = finding.in_file(name).with_help(
        "--force lets it take the name; to keep both apart, rename one of the plugins, or move the skill away",
    );
    Err((Status::Conflict, vec![finding]))
}

/// What the skill was written with.
fn metadata(context: &Context<'_>, name: &str) -> Option<Metadata> {
    let root = context.store.root()?;
    let path = format!("{name}/METADATA.yml");
    let bytes = root.read(&path, MAX_METADATA_BYTES).ok()?;
    read_metadata(std::str::from_utf8(&bytes).ok()?).0
}

/// A plugin's name and author, which tell it apart from others of its directory's name. The same
/// that `skills-run` goes by.
fn plugin(metadata: &Metadata) -> Option<(String, String)> {
    let name = metadata.legacy.as_ref()?.name.clone();
    let author = metadata.author.as_deref().unwrap_or_default().trim();
    Some((name, author.to_owned()))
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
