//! The answer of a program that did not find a package.

use skill_environments::missing::{MissingModule, missing_module};
use skill_environments::{Ecosystem, MissingPackage, NOT_PREPARED};
use skill_model::pip_key;

use crate::call::Call;
use crate::envelope::{ErrorCode, Failure, Meta};
use crate::view;

/// Returns the failure of a program that ended because a package is not installed; `None` if it
/// failed for another reason. `message` is that of its own failure.
pub(crate) fn failure(call: &Call<'_>, meta: &Meta, message: &str) -> Option<Failure> {
    let texts = [meta.stderr.as_deref().unwrap_or_default(), message];
    if let Some(package) = texts.into_iter().find_map(without_native_part) {
        return Some(native(call, package));
    }
    let module = texts.into_iter().find_map(missing_module)?;
    Some(of_module(call, &module))
}

/// Returns the failure of a program that caught the error about a package and reported it as its
/// own: a peer that an installed package loads only when it is used. `None` if `own` is another
/// error. Its details are kept.
pub(crate) fn reported(call: &Call<'_>, own: &Failure) -> Option<Failure> {
    let mut failure = if let Some(package) = without_native_part(&own.message) {
        native(call, package)
    } else {
        let module = missing_module(&own.message)?;
        // Without the file that asked, the words may come from anywhere.
        module.file.as_ref()?;
        of_module(call, &module)
    };
    for (key, value) in &own.details {
        failure.details.entry(key).or_insert_with(|| value.clone());
    }
    Some(failure)
}

fn of_module(call: &Call<'_>, module: &MissingModule) -> Failure {
    let needs = view::needs(call.skill);
    let known = call.host.state.environments().find(&needs).missing;
    let known = known.iter().find(|one| is_of(one, module));
    let name = &call.skill.metadata.name;
    let package = known.map_or(module.package(), |known| known.name.as_str());
    let list = match module.ecosystem {
        Ecosystem::Npm => "npm",
        Ecosystem::Pip => "pip",
    };
    let is_required = needs
        .of(module.ecosystem)
        .keys()
        .any(|need| need == package);
    let command = format!("skills-run prepare {name}");
    let file = module.file.as_deref().map(|file| in_skill(call, file));
    let by = file
        .as_deref()
        .map_or(String::new(), |file| format!(", which {file} loads,"));
    let end = match known {
        Some(known) if known.reason != NOT_PREPARED => {
            format!("{}; `{command}` tries again", known.reason)
        }
        _ if is_required || known.is_some() => format!("`{command}` installs it"),
        _ => format!("add it to requires.{list} in METADATA.yml, then `{command}` installs it"),
    };
    let message = format!("the package `{package}`{by} is not installed: {end}");
    let failure = Failure::new(ErrorCode::MissingPackage, message)
        .with("package", package)
        .with("ecosystem", list)
        .with("command", command);
    match file {
        Some(file) => failure.with("file", file),
        None => failure,
    }
}

/// Returns the npm package whose native part the module `bindings` does not find.
fn without_native_part(text: &str) -> Option<&str> {
    let (_, tried) = text.split_once("Could not locate the bindings file")?;
    let (_, path) = tried.split_once("/node_modules/")?;
    let n_parts = if path.starts_with('@') { 2 } else { 1 };
    let (end, _) = path.match_indices('/').nth(n_parts - 1)?;
    let package = &path[..end];
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.@/".contains(c);
    package.chars().all(is_plain).then_some(package)
}

fn native(call: &Call<'_>, package: &str) -> Failure {
    let name = &call.skill.metadata.name;
    let command = format!("skills-run prepare {name} --allow-scripts {package}");
    let message = format!(
        "the package `{package}` has no native part, because its install script did not run: `{command}` runs it with your rights"
    );
    Failure::new(ErrorCode::MissingPackage, message)
        .with("package", package)
        .with("ecosystem", "npm")
        .with("command", command)
}

fn is_of(known: &MissingPackage, module: &MissingModule) -> bool {
    match module.ecosystem {
        Ecosystem::Npm => known.name == module.package(),
        Ecosystem::Pip => pip_key(&known.name) == pip_key(module.package()),
    }
}

/// Returns the path of a file in the skill, if it is the copy of one, or in its installed packages.
fn in_skill(call: &Call<'_>, file: &str) -> String {
    let marker = format!("/Plugin/{}/", call.skill.legacy_directory());
    let file = file.strip_prefix("file://").unwrap_or(file);
    if let Some((_, rest)) = file.split_once(&marker) {
        return format!("scripts/{rest}");
    }
    match file.split_once("/node_modules/") {
        Some((_, rest)) => format!("node_modules/{rest}"),
        None => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::without_native_part;

    #[test]
    fn the_package_without_its_native_part() {
        let check = |text: &str, expected| assert_eq!(without_native_part(text), expected);
        let tried = "Error: Could not locate the bindings file. Tried:\n → /s/node_modules";
        let text = format!("{tried}/better-sqlite3/build/better_sqlite3.node\n → /s/x");
        check(&text, Some("better-sqlite3"));
        check(&format!("{tried}/@a/b/build/b.node"), Some("@a/b"));
        check(&format!("{tried}/$(x)/build/b.node"), None);
        check("Cannot find module 'axios'", None);
    }
}
