//! Names of variables that no skill can get, or that are set for each call.

/// The key that every plugin of the old host had.
pub const DEBUG_MODE: &str = "DebugMode";

/// Beginnings of names that tell a loader or an interpreter what to run.
const LOADERS: [&str; 6] = ["BASH_FUNC_", "DYLD_", "LD_", "MALLOC_", "PERL5", "RUBY"];
/// Whole names of the same kind.
const LOADER_NAMES: [&str; 27] = [
    "BASHOPTS",
    "BASH_ENV",
    "CDPATH",
    "CLASSPATH",
    "ENV",
    "GCONV_PATH",
    "GEM_HOME",
    "GEM_PATH",
    "GLIBC_TUNABLES",
    "IFS",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "LOCPATH",
    "LUA_CPATH",
    "LUA_INIT",
    "LUA_PATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PROMPT_COMMAND",
    "PS4",
    "PYTHONBREAKPOINT",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONUSERBASE",
    "SHELLOPTS",
    "_JAVA_OPTIONS",
];
/// Variables that each call sets, whatever the user has set.
const MADE: [&str; 7] = [
    "DECRYPTED_AUTH_CODE",
    "PLUGIN_NAME_FOR_CALLBACK",
    "PROJECT_BASE_PATH",
    "PWD",
    "PYTHONIOENCODING",
    "USERPROFILE",
    "VCP_REQUEST_IP",
];
/// Variables that the old host set for its plugins, and that have a value unless the user sets one.
const PROVIDED: [&str; 7] = [
    "File_Key",
    "IMAGESERVER_FILE_KEY",
    "IMAGESERVER_IMAGE_KEY",
    "Image_Key",
    "PORT",
    "SERVER_PORT",
    "VarHttpUrl",
];
/// Variables of the machine, its user and the administrator, which nobody sets for one skill.
const SYSTEM: [&str; 15] = [
    "DECRYPTED_AUTH_CODE",
    "HOME",
    "HOSTNAME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LOGNAME",
    "NODE_ENV",
    "PATH",
    "SHELL",
    "TEMP",
    "TERM",
    "TMP",
    "TMPDIR",
    "USER",
];

/// Returns true if a variable decides what code a program loads.
pub fn is_loader(name: &str) -> bool {
    LOADER_NAMES.contains(&name) || LOADERS.iter().any(|begin| name.starts_with(begin))
}

/// Returns true if a POSIX shell accepts the text as the name of a variable.
pub fn is_identifier(name: &str) -> bool {
    let is_word = |char: char| char.is_ascii_alphanumeric() || char == '_';
    name.chars().all(is_word)
        && name
            .chars()
            .next()
            .is_some_and(|char| !char.is_ascii_digit())
}

/// Returns true if each call sets the variable itself.
pub fn is_made(name: &str) -> bool {
    MADE.contains(&name)
}

/// Returns true if a skill that names the variable has a value for it without any setting.
pub fn is_provided(name: &str) -> bool {
    is_made(name) || PROVIDED.contains(&name)
}

/// Returns true if the variable belongs to the machine, its user or the administrator.
pub(crate) fn is_of_system(name: &str) -> bool {
    SYSTEM.contains(&name)
}

/// Returns true if a name belongs to a family of names, of which `*` is the part that the user chooses:
/// `TEA_POT_*` has `TEA_POT_green`, `TEA_*_SIZE` has `TEA_CUP_SIZE`. A name that loads code, or that each
/// call sets, belongs to none, and a family with a beginning of fewer than three characters has no names.
pub fn is_of_family(family: &str, name: &str) -> bool {
    const MIN_BEGINNING: usize = 3;
    let Some((first, rest)) = family.split_once('*') else {
        return false;
    };
    let is_named = first.len() >= MIN_BEGINNING;
    let Some(mut left) = name.strip_prefix(first).filter(|_| is_named) else {
        return false;
    };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        // At least one character is the user's.
        let from = left.char_indices().nth(1).map_or(left.len(), |(at, _)| at);
        let Some(at) = left[from..].find(part) else {
            return false;
        };
        left = &left[from + at + part.len()..];
    }
    let is_last = left.len() > last.len() && left.ends_with(last);
    is_last && is_identifier(name) && !is_loader(name) && !is_made(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_a_family() {
        for (family, name, expected) in [
            ("TEA_POT_*", "TEA_POT_green", true),
            ("TEA_POT_*", "TEA_POT_", false),
            ("TEA_POT_*", "TEA_CUP_green", false),
            ("TEA_*_SIZE", "TEA_CUP_SIZE", true),
            ("TEA_*_SIZE", "TEA__SIZE", false),
            ("TEA_*_SIZE_*", "TEA_CUP_SIZE_2", true),
            ("TEA_POT", "TEA_POT", false),
            ("*_POT", "TEA_POT", false),
            ("T*", "TEA_POT", false),
            ("LD_*", "LD_PRELOAD", false),
            ("NODE_*", "NODE_OPTIONS", false),
            ("TEA_*", "TEA_a=b", false),
        ] {
            assert_eq!(is_of_family(family, name), expected, "{family} {name}");
        }
    }
}
