//! Settings that name a directory in which the program works: `TARGET_DIRECTORY`, `VAULT_PATH`. The
//! directory is the only one outside of the skill that it may access.

use plugin_model::ConfigKey;

use super::name;

/// Last words of names of directories.
const DIRECTORY: [&str; 9] = [
    "dir",
    "dirs",
    "directory",
    "directories",
    "folder",
    "folders",
    "root",
    "roots",
    "vault",
];
/// Last words that name a file as often.
const PATH: [&str; 2] = ["path", "paths"];
/// Words of a description that is about a directory, in lower case.
const SAID: [&str; 4] = ["目录", "文件夹", "directory", "folder"];
/// First words of lists of what the program leaves out, or that are about the old host.
const OTHER: [&str; 8] = [
    "exclude", "excluded", "ignore", "ignored", "skip", "skipped", "project", "node",
];

/// Returns whether a setting of the manifest names a directory.
pub(super) fn is_named(key: &ConfigKey) -> bool {
    let said = key
        .description
        .as_ref()
        .map(|field| field.value.to_lowercase());
    let said = said.unwrap_or_default();
    is_directory(&key.key, &said)
}

fn is_directory(key: &str, said: &str) -> bool {
    let words = name::words(key);
    let (Some(first), Some(last)) = (words.first(), words.last()) else {
        return false;
    };
    let says = SAID.iter().any(|word| said.contains(word));
    let is_place = DIRECTORY.contains(&&**last) || PATH.contains(&&**last) && says;
    is_place && !OTHER.contains(&&**first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_directories() {
        for (key, said, expected) in [
            ("TARGET_DIRECTORY", "", true),
            ("mailIndexDir", "", true),
            ("SCAN_ROOT", "", true),
            ("SAVE_PATH", "where pictures go: a folder", true),
            ("SAVE_PATH", "截图保存目录", true),
            ("FFMPEG_PATH", "the program", false),
            ("EXCLUDE_DIRS", "", false),
            ("IGNORED_FOLDERS", "", false),
            ("PROJECT_ROOT", "", false),
            ("ROOT_NAME", "a directory", false),
            ("", "", false),
        ] {
            assert_eq!(is_directory(key, said), expected, "{key}: {said}");
        }
    }
}
