//! A comment on a setting, and its lines.

/// The comments on a setting.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Comment {
    /// The sentence that says what it is; empty if none does.
    pub(crate) text: String,
    /// All lines above it and above the keys right before it.
    pub(crate) whole: String,
    /// The values of the example, if it is a family of keys.
    pub(crate) values: Vec<String>,
    /// The way to get its value: `登录 tea.example → 设置 → 令牌`.
    pub(crate) how: String,
    /// The remark on whether and where it is needed: `国内必需`, `三选一`.
    pub(crate) condition: String,
    /// The form of its name, if it is a family of keys: `TABLE_茶名`.
    pub(crate) form: String,
    /// True for a family of keys that the example calls required.
    pub(crate) is_required: bool,
}

/// Returns a line without the rules and numbers of a heading: `---- 【2】水壶 ----`.
pub(crate) fn plain(line: &str) -> &str {
    line.trim_matches(|c: char| c.is_whitespace() || "-=─━═*#".contains(c))
}

/// Returns true for a line that is a sentence or a phrase, and not a rule or a label.
pub(crate) fn says(line: &str) -> bool {
    let is_heading = ["--", "──", "==", "━"]
        .iter()
        .any(|rule| line.contains(rule));
    let line = plain(line);
    let has_words = line.contains(|c: char| c.is_whitespace() || !c.is_ascii());
    let is_rule = is_heading || line.contains(['=', '#', '─', '【']);
    let is_label = line.ends_with([':', '：', ']']) || matches!(line, "可选" | "必填" | "必需");
    line.chars().any(char::is_alphanumeric) && has_words && !is_rule && !is_label
}
