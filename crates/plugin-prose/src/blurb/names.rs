//! Names of products and models, which tell plugins of one trade apart.

/// Words that many plugins share, in lower case.
const COMMON: [&str; 75] = [
    "cos",
    "git",
    "imap",
    "midi",
    "openai",
    "linux",
    "windows",
    "profile",
    "restful",
    "powershell",
    "ai",
    "api",
    "apis",
    "vcp",
    "vcptoolbox",
    "vcpchat",
    "url",
    "urls",
    "json",
    "markdown",
    "rust",
    "node",
    "node.js",
    "nodejs",
    "python",
    "html",
    "svg",
    "llm",
    "rag",
    "dsl",
    "http",
    "https",
    "sdk",
    "cli",
    "mcp",
    "agent",
    "agents",
    "chat",
    "completions",
    "spaces",
    "token",
    "tokens",
    "key",
    "tag",
    "tags",
    "id",
    "stdio",
    "js",
    "web",
    "websocket",
    "cpu",
    "gpu",
    "pdf",
    "ppt",
    "png",
    "jpg",
    "gif",
    "mp4",
    "eml",
    "md",
    "csv",
    "xlsx",
    "docx",
    "bm25",
    "plugin",
    "tool",
    "server",
    "oauth",
    "connect",
    "webp",
    "base64",
    "sql",
    "search",
    "browser",
    "custom",
];
/// Words that follow a name without being part of it.
const AFTER: [&str; 12] = [
    "API",
    "APIs",
    "Flash",
    "Image",
    "Images",
    "Diffusion",
    "Preview",
    "Search",
    "Spaces",
    "Video",
    "Music",
    "Model",
];

/// Returns the names in a text: words of Latin letters with a capital or a digit, as a reader would say
/// them.
pub(super) fn of_text(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_' | ' ');
    if let Some(title) = title(text) {
        return vec![title];
    }
    // Every English sentence begins with a capital.
    let is_english = text.is_ascii();
    let mut res: Vec<String> = Vec::new();
    for run in text.split(|c| !is_part(c)) {
        if let Some(name) = name(run, is_english) {
            let is_known = |other: &String| other.to_lowercase().contains(&name.to_lowercase());
            if !res.iter().any(is_known) {
                res.push(name);
            }
        }
    }
    res
}

/// Names of services, models and programs that users say.
const BRANDS: [&str; 33] = [
    "豆包",
    "通义千问",
    "通义万相",
    "硅基流动",
    "火山引擎",
    "文心一言",
    "智谱",
    "混元",
    "可灵",
    "即梦",
    "海螺",
    "百度",
    "高德",
    "阿里云",
    "腾讯云",
    "讯飞",
    "钉钉",
    "飞书",
    "知乎",
    "微博",
    "抖音",
    "秘塔",
    "GitHub",
    "GitLab",
    "Gitee",
    "MySQL",
    "PostgreSQL",
    "PowerShell",
    "opencode",
    "Google Scholar",
    "Everything",
    "Obsidian",
    "DuckDuckGo",
];

/// Returns the names of services, models and programs in a text.
pub(super) fn brands(text: &str) -> Vec<String> {
    BRANDS
        .iter()
        .filter(|brand| text.contains(**brand))
        .map(|it| (*it).to_owned())
        .collect()
}

/// Returns a name in lower case without what is not a letter or a digit: `You.com` and `Youcom` are the same.
pub(super) fn letters(name: &str) -> String {
    name.to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric())
        .collect()
}

/// Returns the name in the identifier of a plugin, without the words for what it does: `OolongImageGen` is
/// `Oolong`.
pub(super) fn of_identifier(id: &str) -> Option<String> {
    const KINDS: [&str; 9] = [
        "Gen",
        "Generator",
        "Search",
        "Image",
        "Video",
        "Music",
        "Fetch",
        "Plugin",
        "Turbo",
    ];
    const MIN: usize = 4;
    let mut bare = id.trim_end_matches(|c: char| c.is_ascii_digit());
    while let Some(stem) = KINDS.iter().find_map(|kind| bare.strip_suffix(kind)) {
        bare = stem;
    }
    let n_capitals = bare.bytes().filter(u8::is_ascii_uppercase).count();
    let is_word = bare.len() >= MIN && bare.bytes().all(|b| b.is_ascii_alphabetic());
    let is_one = n_capitals == 1 && bare.starts_with(|c: char| c.is_ascii_uppercase());
    let is_common = COMMON.contains(&&*bare.to_lowercase());
    (bare.len() < id.len() && is_word && is_one && !is_common).then(|| bare.to_owned())
}

/// Returns the title of a work: `《茶之诗：春》` is `茶之诗`.
fn title(text: &str) -> Option<String> {
    const MAX: usize = 12;
    let (_, rest) = text.split_once('《')?;
    let (title, _) = rest.split_once('》')?;
    let title = title.split(['：', ':']).next().unwrap_or_default().trim();
    (2..=MAX)
        .contains(&title.chars().count())
        .then(|| title.to_owned())
}

/// Returns the name in a run of Latin words: its first word that is one, and the words that belong to it.
fn name(run: &str, is_english: bool) -> Option<String> {
    const MAX: usize = 28;
    let words: Vec<&str> = run
        .split_whitespace()
        .map(|word| word.trim_matches(['.', '-', '_']))
        .collect();
    let starts = |at: usize| {
        let is_initial = !words[at]
            .get(1..)
            .unwrap_or_default()
            .contains(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
        is_name(words[at]) && !(is_english && at == 0 && is_initial)
    };
    let start = (0..words.len()).find(|at| starts(*at))?;
    let mut end = start + 1;
    while end < words.len()
        && (is_name(words[end]) || is_number(words[end]) || AFTER.contains(&words[end]))
    {
        end += 1;
    }
    while end > start + 1 && COMMON.contains(&&*words[end - 1].to_lowercase()) {
        end -= 1;
    }
    let mut name = words[start..end].join(" ");
    while name.len() > MAX && end > start + 1 {
        end -= 1;
        name = words[start..end].join(" ");
    }
    (name.len() <= MAX).then_some(name)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit() || b == b'.')
}

fn is_name(word: &str) -> bool {
    let is_telling = word
        .chars()
        .any(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    // `1Panel`, but not `4K` or `2x`.
    let after_digit = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_word =
        after_digit.len() > 3 && after_digit.starts_with(|c: char| c.is_ascii_uppercase());
    word.len() > 2
        && (word.starts_with(|c: char| c.is_ascii_alphabetic()) || is_word)
        && is_telling
        && !COMMON.contains(&&*word.to_lowercase())
        && !is_version(word)
}

/// Returns true for `v1.2`.
fn is_version(word: &str) -> bool {
    word.strip_prefix(['v', 'V']).is_some_and(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(of_text(text), expected, "{text}");
    }

    #[test]
    fn identifiers_and_brands_are_names() {
        let check = |id: &str, expected: Option<&str>| {
            assert_eq!(of_identifier(id).as_deref(), expected, "{id}");
        };
        check("OolongImageGen2", Some("Oolong"));
        check("OolongTeaGen", None);
        check("TeaGen", None);
        check("WebSearch", None);
        check("Oolong", None);
        assert_eq!(brands("豆包茶壶 用火山引擎烧水"), ["豆包", "火山引擎"]);
        assert_eq!(letters("You.com"), "youcom");
    }

    #[test]
    fn names_are_words_of_their_own() {
        check(
            "通过 SiliconFlow API 使用 FLUX.1-schnell 模型",
            &["SiliconFlow", "FLUX.1-schnell"],
        );
        check("Agnes Image 2.1 Flash 绘图", &["Agnes Image 2.1 Flash"]);
        check("使用 OpenAI 兼容 API", &[]);
        check("Kettle v1.5 烧水，支持 JSON、GPU。", &["Kettle"]);
        check("调用 API 烧水", &[]);
        check("Fetches teas from the Oolong API", &["Oolong"]);
        check("Feed reader", &[]);
        check("从 1Panel 获取 4K 图", &["1Panel"]);
        check("查询《茶之诗：春》的茶", &["茶之诗"]);
    }
}
