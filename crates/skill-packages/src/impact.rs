//! The impact of a change.

/// The impact of a change on those who use the package.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Impact {
    /// Other texts or files; every call that worked works.
    Patch,
    /// Something new.
    Feature,
    /// A call that worked may fail.
    Breaking,
}

impl Impact {
    /// Returns the word for reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Feature => "feature",
            Self::Breaking => "breaking",
        }
    }
}
