//! The environment of this process.

use std::collections::BTreeMap;

use super::{BASE, WINDOWS};

/// Returns the environment variables of this process, which replace those of the old host. Names
/// and values that are not UTF-8 are left out. On Windows, where `Path` is `PATH`, usual names get
/// the spelling of the lists here.
pub fn from_process() -> BTreeMap<String, String> {
    let all = std::env::vars_os();
    let text =
        all.filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    if cfg!(windows) {
        text.map(|(name, value)| (as_listed(name), value)).collect()
    } else {
        text.collect()
    }
}

/// Returns a name in the spelling of the lists of usual names.
fn as_listed(name: String) -> String {
    let mut listed = BASE.iter().chain(&WINDOWS);
    let known = listed.find(|known| known.eq_ignore_ascii_case(&name));
    known.map_or(name, |known| (*known).to_owned())
}

#[cfg(test)]
mod tests {
    use super::as_listed;

    #[test]
    fn usual_names_of_windows_are_found_in_any_case() {
        for (name, expected) in [
            ("Path", "PATH"),
            ("SystemRoot", "SYSTEMROOT"),
            ("ComSpec", "COMSPEC"),
            ("MyKey", "MyKey"),
        ] {
            assert_eq!(as_listed(name.to_owned()), expected);
        }
    }
}
