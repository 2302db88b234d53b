//! Plain words for what a plugin does: without the libraries behind it and without praise, with verbs
//! instead of nouns.
//!
//! `使用Python和OpenCV从摄像头捕获图像` is `从摄像头捕获图像`, and `进行高质量图像生成和图片编辑` is
//! `生成和编辑图像`. Only words of the sentence are used.

use super::text::{begins_with_deed, clauses, spaced_start};
use crate::lex::chars::is_cjk;

/// Verbs at the end of a noun that is a deed.
const VERBS: [&str; 15] = [
    "生成", "编辑", "搜索", "检索", "查询", "提取", "抓取", "分析", "计算", "拼接", "翻译", "渲染",
    "识别", "转换", "修改",
];

/// Things that are made, changed or looked for.
const THINGS: [&str; 16] = [
    "图像",
    "图片",
    "视频",
    "音乐",
    "歌曲",
    "音频",
    "文件",
    "代码",
    "代码内容",
    "网页",
    "网页内容",
    "网页正文",
    "文献",
    "数学表达式",
    "邮件",
    "书签",
];

/// Two names of one thing.
const SAME: [(&str, &str); 1] = [("图像", "图片")];

/// Returns a description in plain words.
pub(super) fn plain(what: &str) -> String {
    let what = without_details(&without_praise(&without_tools(what)));
    let what = without_first_of_two(&what).unwrap_or(what);
    let what = without_counts(&what);
    let what = as_verbs(&what).unwrap_or(what);
    performed(&what).unwrap_or(what)
}

/// Turns a noun that is a deed into a deed: `茶与水的占卜` is `进行茶与水的占卜`, and `茶艺学习增强` is
/// `辅助茶艺学习`.
fn performed(what: &str) -> Option<String> {
    let clause = clauses(what).next()?.0;
    let rest = &what[clause.len()..];
    if let Some(helped) = clause.strip_suffix("增强") {
        return Some(format!("辅助{}{rest}", spaced_start(helped)));
    }
    let is_deed = clause.ends_with("占卜") && clause.contains('的');
    (is_deed && !begins_with_deed(clause)).then(|| format!("进行{what}"))
}

/// Returns a description without the language and the libraries that a program is written with.
fn without_tools(what: &str) -> String {
    const TOOLS: [&str; 10] = [
        "python",
        "node",
        "node.js",
        "rust",
        "opencv",
        "pillow",
        "puppeteer",
        "playwright",
        "selenium",
        "pyautogui",
    ];
    let what = what.replace("通过调用 ", "通过 ");
    let what = without_program(&what);
    let Some(rest) = ["使用", "基于", "用"]
        .iter()
        .find_map(|it| what.strip_prefix(it))
    else {
        return what;
    };
    let end = rest
        .find(|c| is_cjk(c) && c != '和' && c != '与')
        .unwrap_or(rest.len());
    let (list, deed) = rest.split_at(end);
    let mut names = list
        .split(['和', '与', '、', ' ', ','])
        .map(str::trim)
        .filter(|it| !it.is_empty())
        .peekable();
    let is_list =
        names.peek().is_some() && names.all(|name| TOOLS.contains(&&*name.to_lowercase()));
    let is_deed = deed.starts_with(['从', '在', '对', '把', '将']) || begins_with_deed(deed);
    if is_list && is_deed {
        deed.to_owned()
    } else {
        what
    }
}

/// Returns a description without the file of the program behind a name: `某某命令行工具 (tea.exe) ` is `某某 `.
fn without_program(what: &str) -> String {
    let found = what.find(".exe)").and_then(|end| {
        let start = what[..end].rfind('(')?;
        Some((start, end + ".exe)".len()))
    });
    let Some((start, end)) = found else {
        return what.to_owned();
    };
    let head = what[..start].trim_end();
    let head = head.strip_suffix("命令行工具").unwrap_or(head).trim_end();
    format!("{head}{}", &what[end..])
}

/// Returns a description without praise of how well or how fast something is done.
fn without_praise(what: &str) -> String {
    const SAID: [(&str, &str); 12] = [
        ("操作数据库", "用 SQL 查询和修改数据库"),
        ("操作 Redis", "读写 Redis 的键和值"),
        ("核心模块：", "包括"),
        ("访问指定 URL 的内容", "读取链接的内容"),
        ("进行文本到视频或图像到视频的生成", "由文本或图像生成视频"),
        ("提供多种搜索引擎（", "在多种搜索引擎中搜索（"),
        ("低交互、静态、非侵入式 ", ""),
        ("实现文件搜索", "搜索文件"),
        ("进行高级网络搜索", "联网搜索"),
        ("进行网络搜索", "联网搜索"),
        ("进行中文网络搜索", "联网搜索中文内容"),
        ("冷知识库", "知识库"),
    ];
    const PRAISE: [&str; 15] = [
        "可信的",
        "多维度、跨领域的",
        "具有特定风格的",
        "智能化的",
        "高质量的",
        "高质量",
        "快速、精准的",
        "快速、准确的",
        "快速精准的",
        "精准的",
        "毫秒级的",
        "毫秒级",
        "专业级",
        "极速",
        "一键",
    ];
    let what = PRAISE
        .iter()
        .fold(what.to_owned(), |text, word| text.replace(word, ""));
    let what = SAID
        .iter()
        .fold(what, |text, (noun, verb)| text.replace(noun, verb));
    // A product is not newer for its user.
    let mut parts = what.split("新的");
    let mut res = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_name = part.starts_with(|c: char| c.is_ascii_uppercase());
        res.push_str(if is_name { "" } else { "新的" });
        res.push_str(part);
    }
    res
}

/// Returns what follows a first clause whose object the second one has too: `维护茶单，查看和删除茶单` is
/// `查看和删除茶单`.
fn without_first_of_two(what: &str) -> Option<String> {
    const MAX: usize = 10;
    let mut all = clauses(what);
    let (first, separator) = all.next()?;
    let (second, _) = all.next()?;
    let object: String = first.chars().skip(2).filter(|c| is_cjk(*c)).collect();
    let object = object
        .trim_start_matches("用户的")
        .trim_start_matches("用户");
    let has_deeds = begins_with_deed(second) && second.contains('、');
    let is_said = !object.is_empty() && second.contains(object) && first.chars().count() <= MAX;
    (all.next().is_none() && has_deeds && is_said)
        .then(|| what[first.len() + separator.len()..].to_owned())
}

/// Returns a sentence without later clauses on arguments, settings and forms of results, or on places of the
/// old host.
pub(super) fn without_details(what: &str) -> String {
    let mut res = String::new();
    let mut pending = "";
    for (at, (clause, separator)) in clauses(what).enumerate() {
        let bare = clause.trim_start().trim_start_matches('并');
        let is_left_out = at > 0 && (is_detail(bare) || clause.contains("根目录"));
        if !is_left_out {
            res.push_str(pending);
            res.push_str(clause);
            pending = separator;
        }
    }
    res
}

/// Returns true for a clause on arguments, settings and forms of results: the body says them, and nobody
/// chooses a skill by them.
pub(super) fn is_detail(clause: &str) -> bool {
    const STARTS: [&str; 20] = [
        "可以指定",
        "可指定",
        "支持指定",
        "返回",
        "供后续",
        "推荐用",
        "推荐使用",
        "适合",
        "它支持",
        "无需",
        "兼容",
        "两步完成",
        "三种模式",
        "默认",
        "具有权限",
        "可帮助 AI",
        "可帮助AI",
        "帮助 AI",
        "模型只需",
        "支持后续",
    ];
    const WORDS: [&str; 23] = [
        "参数",
        "提示词",
        "推理",
        "密钥",
        "轮询",
        "可配置",
        "配置、",
        "调节",
        "模板",
        "分页",
        "并发",
        "分隔",
        "阻塞",
        "延迟",
        "A/B",
        "注入",
        "裁剪",
        "编排",
        "服务器类型",
        "自定义 API",
        "质量增强",
        "脱敏",
        "异步查询",
    ];
    let is_support = clause.starts_with("支持") || clause.starts_with("提供");
    STARTS.iter().any(|start| clause.starts_with(start))
        || is_support && WORDS.iter().any(|word| clause.contains(word))
}

/// Returns a description without a last clause that counts functions: `管理茶单，提供列出和整理两个功能`.
fn without_counts(what: &str) -> String {
    match what.rsplit_once('，') {
        Some((rest, last)) if last.starts_with("提供") && last.ends_with("个功能") => {
            rest.to_owned()
        }
        _ => what.to_owned(),
    }
}

/// Returns a description whose nouns after `进行` are verbs: `使用某模型进行图像生成和编辑` is
/// `使用某模型生成和编辑图像`. The result is `None` if one of them is of another kind.
fn as_verbs(what: &str) -> Option<String> {
    let (means, rest) = ["进行", "执行"].iter().find_map(|it| what.split_once(it))?;
    let end = rest.find(['，', '；', '（', '(']).unwrap_or(rest.len());
    let (nouns, after) = rest.split_at(end);
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for noun in nouns.split(['、', '和', '与']) {
        let noun = noun.trim();
        let verb = VERBS.iter().find(|verb| noun.ends_with(**verb))?;
        let object = noun.strip_suffix(verb)?;
        let known = groups
            .iter_mut()
            .find(|(known, _)| object.is_empty() || is_same(known, object));
        match known {
            Some((_, verbs)) => verbs.push(verb),
            None if THINGS.contains(&object) => {
                groups.push((object.to_owned(), vec![verb]));
            }
            None => return None,
        }
    }
    let said = groups
        .iter()
        .map(|(object, verbs)| format!("{}{}", listed(verbs), spaced_start(object)));
    let said: Vec<String> = said.collect();
    let said = listed(&said.iter().map(String::as_str).collect::<Vec<_>>());
    Some(format!("{means}{said}{after}"))
}

fn is_same(a: &str, b: &str) -> bool {
    let is_pair = |(x, y): &(&str, &str)| a == *x && b == *y || a == *y && b == *x;
    a == b || SAME.iter().any(is_pair)
}

/// Returns words as a list: `甲、乙和丙`.
fn listed(words: &[&str]) -> String {
    match words {
        [all @ .., last] if !all.is_empty() => format!("{}和{last}", all.join("、")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_are_plain() {
        let check = |what: &str, expected: &str| assert_eq!(plain(what), expected);
        check("使用Python和OpenCV从摄像头捕获图像", "从摄像头捕获图像");
        check("使用 Tea API 烧水", "使用 Tea API 烧水");
        check(
            "使用某 API 进行高质量图像生成和图片编辑",
            "使用某 API 生成和编辑图像",
        );
        check("使用某模型进行图像生成和编辑", "使用某模型生成和编辑图像");
        check(
            "用某服务进行视频生成（支持续写）",
            "用某服务生成视频（支持续写）",
        );
        check(
            "在茶单目录中进行快速、精准的代码内容搜索",
            "在茶单目录中搜索代码内容",
        );
        check("执行数学表达式计算", "计算数学表达式");
        check("进行语义级并发搜索", "进行语义级并发搜索");
        check(
            "进行垂直领域搜索、网页正文提取",
            "进行垂直领域搜索、网页正文提取",
        );
        check("使用 Tea API 进行高级网络搜索", "使用 Tea API 联网搜索");
        check("进行文献检索与网页内容抓取", "检索文献和抓取网页内容");
        check(
            "维护用户的茶单，查看、添加和删除用户茶单",
            "查看、添加和删除用户茶单",
        );
        check(
            "管理茶单，提供列出(list)和整理(organize)两个功能",
            "管理茶单",
        );
        check("烧水，保温", "烧水，保温");
        check("通过调用 Tea 命令行工具 (tea.exe) 烧水", "通过 Tea 烧水");
        check("使用新的Tea API烧新的水", "使用Tea API烧新的水");
        check(
            "融合茶与水的占卜，支持各种茶",
            "进行融合茶与水的占卜，支持各种茶",
        );
        check("茶艺学习增强。", "茶艺学习增强。");
        check("茶艺学习增强", "辅助茶艺学习");
        check("烧水，支持多种参数，并返回茶单", "烧水");
        check("支持烧水，也支持把茶单写入根目录 tea", "支持烧水");
        check("", "");
    }
}
