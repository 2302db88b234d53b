//! The title of a skill: the display name without what a user of a skill does not need to know.

/// Words in brackets that say how the plugin is made.
const MAKE: [&str; 30] = [
    "新api",
    "旧api",
    "自定义渠道",
    "wb",
    "api",
    "分布式",
    "常驻服务",
    "常驻队列服务",
    "常驻",
    "服务",
    "rust",
    "静态",
    "同步",
    "异步",
    "混合",
    "插件",
    "static",
    "sync",
    "async",
    "node",
    "nodejs",
    "node.js",
    "python",
    "js",
    "plugin",
    "native",
    "direct",
    "service",
    "hybrid",
    "vcp",
];

/// Returns a display name without the word for a plugin, and without brackets on how it is made.
pub(super) fn title(name: &str) -> String {
    let mut rest = without_host(name.trim());
    loop {
        let next = without_word(without_brackets(rest));
        if next == rest || next.chars().count() < 2 {
            return apart(&spaced(&without_inner_word(rest)));
        }
        rest = next;
    }
}

/// Returns the name of a class as words: `TeaDailyPapers` is `Tea Daily Papers`. A name with less than three
/// words is more likely one of a product.
fn spaced(name: &str) -> String {
    let is_plain = name.chars().all(|c| c.is_ascii_alphabetic());
    let is_capital = |c: char| c.is_ascii_uppercase();
    let has_run = name
        .as_bytes()
        .windows(2)
        .any(|two| two.iter().all(u8::is_ascii_uppercase));
    if !is_plain || has_run || name.matches(is_capital).count() < 3 {
        return name.to_owned();
    }
    let mut res = String::new();
    for c in name.chars() {
        if is_capital(c) && !res.is_empty() {
            res.push(' ');
        }
        res.push(c);
    }
    res
}

/// Returns a title without its identifier in brackets: `茶壶 (TeaPot)`.
pub(super) fn without_identifier(title: &str, id: &str) -> String {
    let letters = |text: &str| -> String {
        let kept = text.chars().filter(char::is_ascii_alphanumeric);
        kept.map(|c| c.to_ascii_lowercase()).collect()
    };
    let closed = title.strip_suffix([')', '）']);
    let found = closed.and_then(|text| text.rsplit_once(['(', '（']));
    match found {
        Some((head, inner)) if letters(inner) == letters(id) && !head.trim().is_empty() => {
            head.trim_end().to_owned()
        }
        _ => title.to_owned(),
    }
}

/// Returns a title with a blank between Latin and Chinese words: `PowerShell命令` is `PowerShell 命令`. A single
/// letter belongs to its word: `A股`.
fn apart(title: &str) -> String {
    const MIN: usize = 2;
    let is_wide = |c: char| matches!(c, '\u{4E00}'..='\u{9FFF}');
    let is_latin = |c: char| c.is_ascii_alphanumeric();
    let chars: Vec<char> = title.chars().collect();
    let n_before = |at: usize| {
        chars[..at]
            .iter()
            .rev()
            .take_while(|c| is_latin(**c))
            .count()
    };
    let n_behind = |at: usize| chars[at..].iter().take_while(|c| is_latin(**c)).count();
    let mut res = String::new();
    for (at, &c) in chars.iter().enumerate() {
        let last = at.checked_sub(1).map(|at| chars[at]);
        let is_border = last.is_some_and(|last| {
            is_wide(c) && n_before(at) >= MIN || is_wide(last) && n_behind(at) >= MIN
        });
        if is_border {
            res.push(' ');
        }
        res.push(c);
    }
    res
}

/// Returns a name without that of the old host in front: `VCP 论坛`.
fn without_host(name: &str) -> &str {
    let rest = name.strip_prefix("VCP").unwrap_or(name);
    let is_apart =
        rest.starts_with(|c: char| c.is_whitespace() || c.is_alphabetic() && !c.is_ascii());
    let rest = rest.trim_start();
    let rest = if is_apart && rest.chars().count() > 1 {
        rest
    } else {
        name
    };
    let made = ["分布式", "Python", "Rust"];
    let bare = made.iter().find_map(|it| rest.strip_prefix(*it));
    // `Python 教程` is about the language.
    let bare = bare.filter(|it| !it.starts_with(' ')).unwrap_or(rest);
    if bare.chars().count() > 1 { bare } else { rest }
}

fn without_brackets(name: &str) -> &str {
    let closed = name.strip_suffix([')', '）']);
    let Some((head, inner)) = closed.and_then(|text| text.rsplit_once(['(', '（'])) else {
        return name;
    };
    let lower = inner.to_lowercase();
    let mut words = lower.split(|c: char| c.is_whitespace() || "/、,，".contains(c));
    let is_make = |word: &str| {
        let bare = word.trim_end_matches("插件").trim_end_matches("版");
        bare.is_empty() || MAKE.contains(&bare)
    };
    if words.all(is_make) {
        head.trim_end()
    } else {
        name
    }
}

fn without_word(name: &str) -> &str {
    let words = [
        "同步插件",
        "异步插件",
        "静态插件",
        "插件",
        " Plugin",
        " plugin",
    ];
    let stem = words.iter().find_map(|word| name.strip_suffix(word));
    stem.map_or(name, |stem| {
        stem.trim_end().trim_end_matches('的').trim_end()
    })
}

/// Returns a name without the word before its brackets: `回忆插件 (Memo)` is `回忆 (Memo)`.
fn without_inner_word(name: &str) -> String {
    let at = name
        .rfind(['(', '（'])
        .filter(|_| name.ends_with([')', '）']));
    let (head, tail) = name.split_at(at.unwrap_or(name.len()));
    let bare = without_word(head.trim_end());
    if tail.is_empty() || bare.len() == head.trim_end().len() || bare.chars().count() < 2 {
        name.to_owned()
    } else if tail.starts_with('(') {
        format!("{bare} {tail}")
    } else {
        format!("{bare}{tail}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_about_the_plugin_are_left_out() {
        assert_eq!(without_identifier("茶壶 (TeaPot)", "TeaPot"), "茶壶");
        assert_eq!(without_identifier("茶壶 (铁)", "TeaPot"), "茶壶 (铁)");
        let check = |name: &str, expected: &str| assert_eq!(title(name), expected);
        check("Tea命令执行器", "Tea 命令执行器");
        check("3D茶壶与A股", "3D 茶壶与A股");
        check("论坛插件", "论坛");
        check("代码搜索器 (Rust)", "代码搜索器");
        check("天气插件（静态）", "天气");
        check("Letter Plugin", "Letter");
        check("视频生成器 (Wan2.1)", "视频生成器 (Wan2.1)");
        check("回忆插件 (Memo)", "回忆 (Memo)");
        check("插件", "插件");
        check("VCP 论坛", "论坛");
        check("VCP 分布式茶水间", "茶水间");
        check("茶水 (API)", "茶水");
        check("VCPForum", "VCPForum");
        check("插件管理", "插件管理");
        check("TeaDailyPapers", "Tea Daily Papers");
        check("TeaPot", "TeaPot");
    }
}
