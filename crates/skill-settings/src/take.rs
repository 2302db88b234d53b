//! The values in a `config.env` that belong to a skill.

use std::path::Path;

use skill_loader::fs::read_named;
use skill_model::{is_secret_name, read_env_file};

use crate::names::DEBUG_MODE;
use crate::{Error, Values, WantedKey, find};

/// The largest `config.env`, in bytes.
pub const MAX_FILE: u64 = 4 << 20;

/// The treatment of keys whose values restrict the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GuardPolicy {
    /// They are taken: the user stored them for this skill, on another machine.
    Stored,
    /// They are taken: the user named this one skill. No host had the keys of these tools, so one in its
    /// file comes from the author of a plugin, and stays there.
    Take,
    /// They are left out: a file for many skills may come from the author of a plugin, and the value
    /// of a guard makes approvals unnecessary and opens directories.
    Leave,
}

/// The values of a file for one skill.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Taken {
    /// The values that the skill wants.
    pub values: Values,
    /// The guards that were left out.
    pub guards: Vec<String>,
    /// The keys that the skill does not declare, or that no skill can get.
    pub others: Vec<String>,
    /// True if the user switched on the skill on another machine.
    pub is_enabled: bool,
    /// The reason why the plugin's own file of an old host could not be read.
    pub problem: Option<String>,
}

/// Returns the values of a file that a skill wants.
pub fn take(pairs: &[(String, String)], wanted: &[WantedKey], guards: GuardPolicy) -> Taken {
    let mut res = Taken::default();
    for (key, value) in pairs {
        let known = find(wanted, key);
        let is_left = known.is_some_and(|known| known.is_guard && is_left(key, guards));
        let is_guessed = known.is_some_and(|known| is_guessed(known, key, guards));
        let is_taken = known.map_or(key == DEBUG_MODE, WantedKey::is_settable) && !is_guessed;
        if is_left {
            res.guards.push(key.clone());
        } else if is_taken {
            res.values.insert(key.clone(), value.clone());
        } else if !is_comment(key) {
            res.others.push(key.clone());
        }
    }
    res
}

/// Returns true for a secret that a skill did not name: a family of names in METADATA.yml (`API_*`) would get the
/// secrets of other skills from a file for many.
fn is_guessed(known: &WantedKey, key: &str, policy: GuardPolicy) -> bool {
    policy == GuardPolicy::Leave && known.is_family() && is_secret_name(key)
}

/// The beginning of the keys of these tools, by which a user gives a program more: `SKILL_DIRECTORIES`.
const OF_TOOLS: &str = "SKILL_";

fn is_left(guard: &str, policy: GuardPolicy) -> bool {
    match policy {
        GuardPolicy::Stored => false,
        GuardPolicy::Take => guard.starts_with(OF_TOOLS),
        GuardPolicy::Leave => true,
    }
}

/// Returns true for a key that only the old host reads: in its pattern, `# ==== title` is an assignment.
pub(crate) fn is_comment(key: &str) -> bool {
    key.starts_with('#')
}

/// Returns the pairs of a `config.env` at a path that the user gave. Bytes that are not UTF-8 become
/// U+FFFD, as in the old host.
///
/// # Errors
///
/// The file cannot be read.
pub fn pairs_in(path: &Path) -> Result<Vec<(String, String)>, Error> {
    let bytes = read_named(path, MAX_FILE)?;
    Ok(read_env_file(&String::from_utf8_lossy(&bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_gets_no_secrets_of_others() {
        let text = "name: x\ntype: direct\nconfig: {undeclared: ['TEA_*', 'BA*']}\n";
        let metadata = skill_model::read_metadata(text)
            .0
            .expect("it is METADATA.yml");
        let wanted = crate::wanted(&metadata, None);
        let check = |key: &str, policy, expected: bool| {
            let taken = take(&[(key.to_owned(), "1".to_owned())], &wanted, policy);
            assert_eq!(
                taken.values.contains_key(key),
                expected,
                "{key}: {policy:?}"
            );
            assert_eq!(taken.others.is_empty(), expected, "{key}: {policy:?}");
        };
        check("TEA_POT", GuardPolicy::Leave, true);
        check("TEA_API_KEY", GuardPolicy::Leave, false);
        check("TEA_API_KEY", GuardPolicy::Take, true);
        check("TEA_API_KEY", GuardPolicy::Stored, true);
        check("BANK_PIN", GuardPolicy::Leave, false);
    }

    #[test]
    fn keys_of_these_tools_stay_in_a_file() {
        let check = |key: &str, policy, expected: bool| {
            assert_eq!(is_left(key, policy), expected, "{key}: {policy:?}");
        };
        check("SKILL_DIRECTORIES", GuardPolicy::Stored, false);
        check("SKILL_DIRECTORIES", GuardPolicy::Take, true);
        check("SKILL_HOSTS", GuardPolicy::Take, true);
        check("ALLOWED_DIRS", GuardPolicy::Take, false);
        check("ALLOWED_DIRS", GuardPolicy::Leave, true);
    }
}
