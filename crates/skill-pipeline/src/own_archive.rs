//! Archives of a package in itself, for downloads, which no skill needs.

/// Returns true for an archive of a package in itself, for downloads: `Tea/Tea.zip`, by the name of the
/// directory or of the unit.
pub(crate) fn is_archive_of(directory: &str, name: Option<&str>, path: &str) -> bool {
    const ENDINGS: [&str; 5] = [".zip", ".tar.gz", ".tgz", ".rar", ".7z"];
    let directory = directory.rsplit('/').next().unwrap_or_default();
    let names = [directory, name.unwrap_or_default()];
    let stem = ENDINGS.iter().find_map(|ending| path.strip_suffix(ending));
    stem.is_some_and(|stem| {
        !stem.is_empty() && names.iter().any(|name| stem.eq_ignore_ascii_case(name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn archives_of_a_package_in_itself() {
        let check = |path: &str, expected: bool| {
            let found = is_archive_of("Plugin/Tea", Some("TeaBot"), path);
            assert_eq!(found, expected, "{path}");
        };
        check("Tea.zip", true);
        check("teabot.tar.gz", true);
        check("leaves.zip", false);
        check("Tea/leaves.zip", false);
        check(".zip", false);
    }
}
