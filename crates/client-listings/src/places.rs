//! The directories that a list names.

/// The directories of a session. The longer they are, the less room some clients leave for descriptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Places {
    /// The absolute path of the directory of skills.
    pub skills: String,
    /// The absolute path of the user's home directory.
    pub home: String,
}

impl Default for Places {
    /// Short paths, which cost nothing.
    fn default() -> Self {
        Self {
            skills: "/home/user/project/.agents/skills".to_owned(),
            home: "/home/user".to_owned(),
        }
    }
}
