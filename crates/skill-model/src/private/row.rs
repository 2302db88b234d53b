//! A row of the tables of private names.

/// The kind of a private file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PrivateKind {
    /// Settings and keys of one installation.
    Settings,
    /// Keys, tokens, cookies, codes, wallets.
    Credentials,
    /// Data that a user wrote, requested or received.
    UserData,
    /// Packages, byte code, builds: can be regenerated.
    Regenerable,
    /// Files of version control, an editor or an agent.
    Tooling,
    /// Temporary files of a run or an editor.
    Leftover,
}

/// One row of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PrivateName {
    /// The name in lower case; `*` matches any run of characters, `[0-9]` a digit.
    pub pattern: &'static str,
    /// The kind of the file.
    pub kind: PrivateKind,
    /// The content, as a phrase with its article.
    pub reason: &'static str,
}

/// Creates a row.
pub(super) const fn row(
    pattern: &'static str,
    kind: PrivateKind,
    reason: &'static str,
) -> PrivateName {
    PrivateName {
        pattern,
        kind,
        reason,
    }
}
