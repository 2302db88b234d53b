//! Words of the old host for the agent, the plugin and its settings, and what a skill says instead.

/// Phrases that speak of or to the agent, and what a skill says instead.
const AGENT: [(&str, &str); 96] = [
    ("同步 VCP 工具，", ""),
    ("VCP 工具", "工具"),
    ("VCP工具", "工具"),
    ("VCP 插件", "程序"),
    ("VCP插件", "程序"),
    // Nobody who reads this knows an earlier version.
    ("也兼容旧的", "也支持"),
    ("也兼容旧", "也支持"),
    ("仍兼容旧的", "也支持"),
    ("仍兼容", "也支持"),
    ("继续兼容", "也支持"),
    ("直接返回VCP", "直接返回"),
    ("VCP API", "API"),
    ("由插件", "由程序"),
    ("插件目录", "程序目录"),
    ("插件只在", "程序只在"),
    ("本工具会", ""),
    ("统一设置。", ""),
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
    ("VCP Agent", "Agent"),
    ("VCP 模型", "模型"),
    ("VCP模型", "模型"),
    ("使用 VCP 配置的", "使用配置的"),
    ("VCP 配置的", "配置的"),
    ("VCP项目", "项目"),
    ("VCP 项目", "项目"),
    ("桥接 VCP 与 ", "操作 "),
    ("VCP托管的", ""),
    ("VCP 托管 ", ""),
    ("VCP托管", ""),
    ("分布式服务器的", ""),
    ("存放在服务器", "存放在本机"),
    ("服务器根目录", "程序的根目录"),
    ("根配置", "配置"),
    ("使用该工具", ""),
    ("使用此工具", ""),
    ("调用此工具来让AI", ""),
    ("调用此工具让AI", ""),
    ("调用此工具以", ""),
    ("调用此工具来", ""),
    ("调用此工具使用", "使用"),
    ("调用此工具通过", "通过"),
    ("重要提示给AI：", "注意："),
    ("重要提示给AI:", "注意："),
    ("给AI的重要提示", "注意"),
    ("提示给AI", "提示"),
    ("给AI的提示", "提示"),
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
    ("此工具会", "它会"),
    ("该工具会", "它会"),
    ("调用此工具，", ""),
    ("调用此工具", ""),
    ("插件目录(scripts/)", "`scripts/`"),
    ("插件目录（scripts/）", "`scripts/`"),
    ("家中配置的", "配置的"),
    (" (必须按此顺序)", ""),
    ("（必须按此顺序）", ""),
    ("查看插件能力", "查看程序能力"),
    ("插件的处理模式", "处理模式"),
    ("插件的权限信息", "程序的权限信息"),
    ("[无状态] ", ""),
    ("[无状态]", ""),
    ("本插件", "本技能"),
    ("该插件", "本技能"),
    ("此插件", "本技能"),
];

/// Verbs behind the word for the agent or the program.
const VERBS: [&str; 27] = [
    "必须", "需要", "需", "应该", "应当", "应", "可以", "可", "无需", "只需", "只会", "提供",
    "直接", "通过", "手动", "传入", "填写", "会", "已", "将", "自动", "内部", "返回", "默认",
    "安全", "仅", "做",
];
/// Words that only begin like one of the verbs.
const NOUNS: [&str; 10] = [
    "可视",
    "应用",
    "会议",
    "会话",
    "会员",
    "已有",
    "需求",
    "将来",
    "提供商",
    "安全性",
];

/// Words before the subject of a clause.
const BEFORE: [&str; 9] = ["当", "如果", "若", "时", "请", "但", "则", "因此", "会"];

/// Returns a text in which the agent is not the subject, which reads it (`AI必须提供` is `必须提供`), and
/// a program is not a plugin: `插件会重试` is `程序会重试`.
fn without_subjects(text: &str) -> String {
    let mut res = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let before = res.trim_end();
        let is_start = !before.ends_with(char::is_alphanumeric) && !res.ends_with('-')
            || BEFORE.iter().any(|word| before.ends_with(word));
        let found = [("AI", ""), ("插件", "程序")]
            .iter()
            .find_map(|(subject, to)| {
                let after = rest.strip_prefix(subject)?;
                let bare = after.strip_prefix(' ').unwrap_or(after);
                let is_verb = VERBS.iter().any(|verb| bare.starts_with(verb))
                    && !NOUNS.iter().any(|noun| bare.starts_with(noun));
                let is_other = ["本", "该", "此"].iter().any(|word| res.ends_with(word));
                (is_start && is_verb && !is_other).then_some((*to, bare))
            });
        if let Some((to, after)) = found {
            res.push_str(to);
            rest = after;
        } else {
            res.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    res
}

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
        let before = before
            .strip_suffix('主')
            .map_or(before, |rest| rest.trim_end_matches(is_path));
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
        "VCP",
        "WebSocket",
        "兼容",
        "使用",
        "最新版本",
        "[无状态]",
        "家中",
        "统一设置",
        "必须按此顺序",
    ]
    .iter()
    .any(|word| text.contains(word))
    {
        return text.to_owned();
    }
    let text = AGENT
        .iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    without_subjects(&without_host_name(&text))
}

/// Returns a text without the name of the host before what is not its own: `在VCP论坛中` is `在论坛中`. Quoted
/// words and names such as `VCPDesk` stay.
fn without_host_name(text: &str) -> String {
    const NAME: &str = "VCP";
    // What is quoted or in a list is a name.
    const QUOTES: [char; 10] = ['"', '\'', '`', '“', '‘', '「', '『', '[', '/', '、'];
    const JOINS: [char; 8] = ['的', '与', '和', '及', '或', '将', '会', '在'];
    let mut res = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(NAME) {
        let (head, tail) = rest.split_at(at);
        res.push_str(head);
        let bare = tail[NAME.len()..].trim_start_matches(' ');
        let is_noun =
            bare.starts_with(|c| matches!(c, '\u{4E00}'..='\u{9FFF}')) && !bare.starts_with(JOINS);
        let is_inside = res.ends_with(|c: char| c.is_ascii_alphanumeric() || "-_.".contains(c))
            || res.ends_with(QUOTES);
        if is_noun && !is_inside {
            // The blank before the name is one around Latin letters.
            let n_kept = res.trim_end_matches(' ').len();
            if res[..n_kept].ends_with(|c| matches!(c, '\u{4E00}'..='\u{9FFF}')) {
                res.truncate(n_kept);
            }
            rest = bare;
        } else {
            res.push_str(NAME);
            rest = &tail[NAME.len()..];
        }
    }
    res + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_is_not_its_own_subject() {
        let check = |text: &str, expected: &str| assert_eq!(plain_words(text), expected);
        check("AI 直接写语句，插件做解析。", "直接写语句，程序做解析。");
        check("AI应用与AI会议", "AI应用与AI会议");
        check("便于由 AI 做总结，当AI需要时", "便于由 AI 做总结，当需要时");
        check("OpenAI 通过接口返回", "OpenAI 通过接口返回");
        check("AI绘画插件", "AI绘画插件");
        check("本插件会重试。", "本技能会重试。");
        check("调用此工具让AI烧水。", "烧水。");
        check("- AI需要提供茶名", "- 需要提供茶名");
        check("在VCP论坛中发帖", "在论坛中发帖");
        check("从 VCP 日记系统读取", "从日记系统读取");
        check("例如 'VCP技术板块'", "例如 'VCP技术板块'");
        check("VCP的茶、VCPDesk桌面", "VCP的茶、VCPDesk桌面");
    }

    #[test]
    fn places_of_settings_go() {
        let check = |text: &str, expected: &str| assert_eq!(plain_words(text), expected);
        check(
            "1. 需要在 `Plugin/Tea/config.env` 中配置 TeaKey。",
            "1. 需要配置 TeaKey。",
        );
        check("请在config.env中设置 TeaKey。", "请设置 TeaKey。");
        check("由config.env中TEA指定。", "由配置中TEA指定。");
        check("用对外地址。统一在主 config.env 里设置。", "用对外地址。");
        check("在茶馆中配置茶具。", "在茶馆中配置茶具。");
    }
}
