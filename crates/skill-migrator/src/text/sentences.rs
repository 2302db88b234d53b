//! The sentences about the old host in Chinese.

/// The sentence about the only tools of a text.
pub(super) const ONLY_TOOLS: &str = "The old host let it use only these tools: {}.";
/// The same if there are none.
pub(super) const NO_TOOLS: &str = "The old host let it use no tools.";

/// English sentences, in which `{}` is a value, and the Chinese ones.
const SENTENCES: [(&str, &str); 17] = [
    (NO_TOOLS, "旧宿主不允许它使用任何工具。"),
    (
        "The old host ran it in the permission mode `{}`.",
        "旧宿主以权限模式 `{}` 运行它。",
    ),
    (
        "The old host gave it these MCP servers: {}.",
        "旧宿主为它提供以下 MCP 服务器：{}。",
    ),
    (ONLY_TOOLS, "旧宿主只允许它使用以下工具：{}。"),
    (
        "The old host did not let it use these tools: {}.",
        "旧宿主不允许它使用以下工具：{}。",
    ),
    (
        "The old host ran it apart from the conversation (`context: {}`).",
        "旧宿主在对话之外运行它（`context: {}`）。",
    ),
    (
        "The old host gave it to the agent `{}`.",
        "旧宿主将它交给代理 `{}`。",
    ),
    ("It uses these skills: {}.", "它使用以下技能：{}。"),
    (
        "It hands work to these agents: {}.",
        "它将工作交给以下代理：{}。",
    ),
    (
        "The old host offered these next steps: {}.",
        "旧宿主提供以下后续步骤：{}。",
    ),
    (
        "The old host applied it to files that match {}.",
        "旧宿主将它应用于匹配 {} 的文件。",
    ),
    (
        "The old host set its tools: {}.",
        "旧宿主设定了它的工具：{}。",
    ),
    (
        "The old host set its permissions: {}.",
        "旧宿主设定了它的权限：{}。",
    ),
    (
        "Plan and answer only; change no files.",
        "只规划和回答；不要更改文件。",
    ),
    (
        "Change nothing: the old host let it only read.",
        "不要更改任何内容：旧宿主只允许它读取。",
    ),
    ("The old host always applied it.", "旧宿主始终应用它。"),
    (
        "The old host did not list it for the user.",
        "旧宿主不向用户列出它。",
    ),
];

/// Returns the Chinese form of a sentence that a reader states about a text, if it is known.
pub fn chinese_sentence(english: &str) -> Option<&'static str> {
    let mut rows = SENTENCES.iter();
    rows.find(|row| row.0 == english).map(|row| row.1)
}
