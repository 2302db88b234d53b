//! Versions of packages: `MAJOR.MINOR.PATCH` (<https://semver.org>).

use std::fmt;
use std::str::FromStr;

use crate::impact::Impact;

/// A version without the labels of a pre-release.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version(pub u64, pub u64, pub u64);

/// A text is not a version.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a version; expected three numbers, such as 1.0.0")]
pub struct VersionError(String);

impl Version {
    /// The version of a first package.
    pub const FIRST: Self = Self(1, 0, 0);

    /// Returns the version after changes with this impact. Before 1.0.0 a breaking change increases the
    /// minor version and any other the patch version, as Cargo has it.
    #[must_use]
    pub fn after(self, impact: Impact) -> Self {
        let Self(major, minor, patch) = self;
        match impact {
            Impact::Breaking if major > 0 => Self(major + 1, 0, 0),
            Impact::Feature if major > 0 => Self(major, minor + 1, 0),
            Impact::Breaking => Self(major, minor + 1, 0),
            Impact::Feature | Impact::Patch => Self(major, minor, patch + 1),
        }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

impl FromStr for Version {
    type Err = VersionError;

    fn from_str(text: &str) -> Result<Self, VersionError> {
        let number = |part: &str| {
            let is_plain = part.bytes().all(|byte| byte.is_ascii_digit());
            let has_zeros = part.len() > 1 && part.starts_with('0');
            part.parse().ok().filter(|_| is_plain && !has_zeros)
        };
        let parts: Vec<Option<u64>> = text.split('.').map(number).collect();
        match parts[..] {
            [Some(major), Some(minor), Some(patch)] => Ok(Self(major, minor, patch)),
            _ => Err(VersionError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_versions_or_not() {
        for good in ["0.0.0", "1.20.300"] {
            assert_eq!(good.parse::<Version>().unwrap().to_string(), good);
        }
        for bad in [
            "",
            "1",
            "1.2",
            "1.2.3.4",
            "01.2.3",
            "+1.2.3",
            "1.2.x",
            "v1.2.3",
            "1.2.3-rc.1",
        ] {
            assert!(bad.parse::<Version>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_next_version_follows_from_the_impact() {
        for (from, impact, to) in [
            ("1.2.3", Impact::Patch, "1.2.4"),
            ("1.2.3", Impact::Feature, "1.3.0"),
            ("1.2.3", Impact::Breaking, "2.0.0"),
            ("0.2.3", Impact::Patch, "0.2.4"),
            ("0.2.3", Impact::Feature, "0.2.4"),
            ("0.2.3", Impact::Breaking, "0.3.0"),
        ] {
            let from: Version = from.parse().unwrap();
            assert_eq!(from.after(impact).to_string(), to);
        }
    }
}
