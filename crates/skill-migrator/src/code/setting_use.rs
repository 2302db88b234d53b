//! The use of a setting in code, as values.

/// The replacement of a missing value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Fallback {
    /// A default value of the program.
    Value,
    /// True.
    On,
    /// The program ends.
    Ends,
    /// An empty value: an empty text or list, null, false, 0, `none`, `*`.
    Nothing,
}

/// The use of one setting in code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct SettingUse {
    /// The first file that names it.
    pub(crate) file: String,
    /// The replacement of a missing value; the most open of several.
    pub(crate) fallback: Option<Fallback>,
    /// True if it is compared with `true` or `false`.
    pub(crate) is_switch: bool,
    /// True if it is split into a list.
    pub(crate) is_split: bool,
    /// The check of a list made from it that refuses something.
    pub(crate) check: Option<ListCheck>,
    /// The literal that replaces a missing value, if all places have the same.
    pub(crate) default: Option<String>,
    /// True if it is the host, user or address of a connection: `{ host: env.TEA_HOST }`.
    pub(crate) is_connection: bool,
}

/// A list that determines whether something is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ListCheck {
    /// True if listed items are allowed and others refused.
    pub(crate) is_allowing: bool,
    /// Words and texts around the check, in lower case.
    pub(crate) around: Vec<String>,
}
