//! Words of the old host for the agent, the plugin and its settings, and what a skill says instead.

/// Phrases that speak of or to the agent, and what a skill says instead.
const AGENT: [(&str, &str); 90] = [
    // Nobody who reads this knows an earlier version.
    ("也兼容旧的", "也支持"),
    ("也兼容旧", "也支持"),
    ("仍兼容旧的", "也支持"),
    ("仍兼容", "也支持"),
    ("继续兼容", "也支持"),
    ("使用原有的", "使用"),
    ("使用原有 ", "使用 "),
    ("使用原有", "使用"),
    ("🔥 **最新版本！** ", ""),
    ("🔥 **最新版本！**", "最新版本"),
    ("**最新版本！** ", ""),
    ("使用新的", "使用"),
    // The program formats a message; the old host sent it.
    ("通过WebSocket向", "向"),
    ("通过 WebSocket 向", "向"),
    ("并通过WebSocket发送", ""),
    ("并通过 WebSocket 发送", ""),
    ("VCP 托管的", ""),
    ("VCP托管的", ""),
    ("VCP 托管 ", ""),
    ("VCP托管", ""),
    ("分布式服务器的", ""),
    ("存放在服务器", "存放在本机"),
    ("服务器根目录", "程序的根目录"),
    ("根配置", "配置"),
    ("使用该工具", ""),
    ("使用此工具", ""),
    ("调用此工具以", ""),
    ("调用此工具来", ""),
    ("调用此工具使用", "使用"),
    ("调用此工具通过", "通过"),
    ("重要提示给AI：", "注意："),
    ("重要提示给AI:", "注意："),
    ("给AI的重要提示", "注意"),
    ("提示给AI", "提示"),
    ("给AI的提示", "提示"),
    ("AI必须", "必须"),
    ("AI 必须", "必须"),
    ("AI需要", "需要"),
    ("AI 需要", "需要"),
    ("AI需", "需"),
    ("AI应该", "应该"),
    ("AI应当", "应当"),
    ("AI应", "应"),
    ("AI 应", "应"),
    ("AI可以", "可以"),
    ("AI 可以", "可以"),
    ("AI可", "可"),
    ("AI无需", "无需"),
    ("允许AI", "可"),
    ("允许 AI ", "可"),
    ("告知AI", "告知"),
    ("返回给AI", "返回"),
    ("请AI", "请"),
    ("适合 AI ", "适合"),
    ("适合AI", "适合"),
    ("适用于 AI ", "适用于"),
    ("适用于AI", "适用于"),
    ("供 AI ", "供"),
    ("供AI", "供"),
    ("AI只需", "只需"),
    ("AI 只需", "只需"),
    ("AI提供", "提供"),
    ("AI 提供", "提供"),
    ("让AI", "可"),
    ("让 AI ", "可"),
    ("调用此插件的AI女仆的", "调用者的"),
    ("AI女仆", "Agent"),
    ("专属女仆Agent", "专属 Agent"),
    ("女仆", "Agent"),
    ("config.env 中配置的 ", "配置项 "),
    ("config.env 中的 ", "配置项 "),
    ("config.env 中的", "配置中的"),
    ("config.env中的", "配置项 "),
    ("config.env中", "配置中"),
    ("插件会", "程序会"),
    ("插件已", "程序已"),
    ("插件将", "程序将"),
    ("插件只会", "程序只会"),
    ("插件自动", "程序自动"),
    ("插件内部", "程序内部"),
    ("插件返回", "程序返回"),
    ("插件默认", "程序默认"),
    ("插件安全", "程序安全"),
    ("此工具会", "它会"),
    ("该工具会", "它会"),
    ("调用此工具，", ""),
    ("调用此工具", ""),
    ("本插件", "本技能"),
    ("该插件", "本技能"),
    ("此插件", "本技能"),
];

/// Returns a text without the place of a setting, for which `skills-run configure` is the way:
/// `在 Plugin/Tea/config.env 中配置 TeaKey` is `配置 TeaKey`.
fn without_settings_file(text: &str) -> String {
    const FILE: &str = "config.env";
    const DEEDS: [&str; 6] = ["配置", "设置", "填写", "指定", "添加", "启用"];
    let mut res = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(FILE) {
        let is_path = |c: char| c.is_ascii_alphanumeric() || "_-./\\` ".contains(c);
        let before = rest[..at].trim_end_matches(is_path);
        let after = rest[at + FILE.len()..].trim_start_matches(['`', ' ']);
        let after = ["中", "里", "内"]
            .iter()
            .find_map(|word| after.strip_prefix(word));
        let after = after.filter(|rest| DEEDS.iter().any(|deed| rest.starts_with(deed)));
        match (before.strip_suffix('在'), after) {
            (Some(before), Some(after)) => {
                res.push_str(before);
                rest = after;
            }
            _ => {
                res.push_str(&rest[..at + FILE.len()]);
                rest = &rest[at + FILE.len()..];
            }
        }
    }
    res + rest
}

/// Returns a text without the words of the legacy host for the agent, the plugin and its settings.
pub(crate) fn plain_words(text: &str) -> String {
    let text = &without_settings_file(text);
    if ![
        "AI",
        "插件",
        "此工具",
        "该工具",
        "女仆",
        "config.env",
        "服务器",
        "托管",
        "根配置",
        "WebSocket",
        "兼容",
        "使用",
        "最新版本",
    ]
    .iter()
    .any(|word| text.contains(word))
    {
        return text.to_owned();
    }
    AGENT
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_settings_go() {
        let check = |text: &str, expected: &str| assert_eq!(plain_words(text), expected);
        check(
            "1. 需要在 `Plugin/Tea/config.env` 中配置 TeaKey。",
            "1. 需要配置 TeaKey。",
        );
        check("请在config.env中设置 TeaKey。", "请设置 TeaKey。");
        check("由config.env中TEA指定。", "由配置中TEA指定。");
        check("在茶馆中配置茶具。", "在茶馆中配置茶具。");
    }
}
