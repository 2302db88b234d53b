//! The requirements in the readme of a plugin: `## Prerequisites`.
//!
//! Packages, settings and steps about the old host are left out: the skill has its own.

use crate::markdown::one_line;
use crate::package::is_readme;
use crate::plugin::Plugin;

/// Titles of the section.
const TITLES: [&str; 11] = [
    "前置要求",
    "前置条件",
    "前提",
    "运行前提",
    "运行要求",
    "环境要求",
    "系统要求",
    "使用前提",
    "requirements",
    "prerequisites",
    "要求",
];
/// Words of what a skill says otherwise, or cannot.
const OTHERS: [&str; 30] = [
    "node",
    "npm",
    "python",
    "pip",
    "依赖",
    "vcp",
    "插件",
    "plugin",
    "config.env",
    "配置",
    "重启",
    "restart",
    "复制",
    "copy",
    "clone",
    "requirements.txt",
    "主服务",
    "服务端",
    "agent",
    "http",
    "package",
    "ide",
    "系统 path",
    "管理面板",
    "tool_request",
    "cargo",
    "rust",
    "```",
    "未安装时",
    "如果",
];
/// Words of a numbered step that is about an app, and not about its download.
const STEPS: [&str; 5] = ["注册", "register", "启用", "enable", "保持"];
/// Maximum number of requirements, and maximum length of one in characters.
const MAX: usize = 4;
const MAX_LENGTH: usize = 90;

/// Returns the requirements of the readmes at the top of a plugin.
pub(crate) fn read(plugin: &Plugin<'_>) -> Vec<String> {
    let readmes = plugin.texts.iter().filter(|(path, _)| is_readme(path));
    let mut all = readmes.map(|(_, text)| of_text(text));
    all.find(|found| !found.is_empty()).unwrap_or_default()
}

fn of_text(text: &str) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    // The level of the section, and whether the line is in a fence.
    let (mut section, mut is_fenced) = (None, false);
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        }
        if is_fenced || line.starts_with("```") {
            continue;
        }
        let level = line.len() - line.trim_start_matches('#').len();
        if level > 0 && line[level..].starts_with(' ') {
            let title = title(&line[level..]);
            // `System requirements` too.
            let last = title.rsplit(' ').next().unwrap_or_default();
            let is_title = TITLES.iter().any(|it| last.eq_ignore_ascii_case(it));
            section = match section {
                Some(open) if level > open => {
                    // A heading within says what is needed, unless it is of another such list.
                    res.extend(requirement(&title).filter(|_| !is_title && names_one(&title)));
                    Some(open)
                }
                _ => is_title.then_some(level),
            };
            continue;
        }
        if section.is_some() {
            res.extend(of_line(line));
        }
    }
    res.dedup();
    res.truncate(MAX);
    res
}

/// Returns true for a heading that names an app: `Kettle v2+`, not `运行时要求`.
fn names_one(title: &str) -> bool {
    let is_list = TITLES.iter().any(|it| title.to_lowercase().ends_with(it));
    title.contains(|c: char| c.is_ascii_digit()) && !is_list
}

/// Returns a heading without its number and signs: `2. 运行时要求`.
fn title(text: &str) -> String {
    let text = text.trim_start_matches(|c: char| {
        c.is_ascii_digit()
            || c.is_whitespace()
            || matches!(c, '.' | '、' | '*')
            || !c.is_alphanumeric()
    });
    text.trim_end_matches([':', '：', '*', ' ']).to_owned()
}

fn of_line(line: &str) -> Option<String> {
    let (number, rest) = line.split_at(line.find(|c: char| !c.is_ascii_digit()).unwrap_or(0));
    if !number.is_empty() && rest.starts_with(['.', '、', ')']) {
        let rest = rest[rest.chars().next().map_or(0, char::len_utf8)..].trim();
        let lower = rest.to_lowercase();
        let is_step = STEPS.iter().any(|word| lower.contains(word));
        return requirement(rest).filter(|_| is_step);
    }
    let item = ["- ", "* ", "• "]
        .iter()
        .find_map(|sign| line.strip_prefix(sign));
    let is_other = line.is_empty() || line.starts_with(['|', '>', '!', '<']);
    // An introduction ends with a colon.
    let is_lead = line.trim_end_matches('*').ends_with([':', '：']);
    match item {
        Some(item) => requirement(item),
        None if is_other || is_lead => None,
        None => requirement(line),
    }
}

/// Returns the first sentence of a text without marks, if it is about something else than packages, settings
/// and the old host.
fn requirement(text: &str) -> Option<String> {
    let text = without_links(text).replace("**", "").replace('`', "");
    let text = one_line(&text);
    let end = text.find(['。', '；']).unwrap_or(text.len());
    let text = text[..end].split(". ").next().unwrap_or_default();
    let text = text.split('（').next().unwrap_or_default().trim();
    let starts = ["服务器上需", "服务器上", "需要", "需"];
    let bare = starts.iter().find_map(|start| text.strip_prefix(start));
    let text = bare.unwrap_or(text).trim();
    let lower = text.to_lowercase();
    let n_chars = text.chars().count();
    let is_other = OTHERS.iter().any(|word| lower.contains(word));
    ((4..=MAX_LENGTH).contains(&n_chars) && !is_other).then(|| text.to_owned())
}

/// Returns a text with the words of its links: `[kettle](https://…)`.
fn without_links(text: &str) -> String {
    let mut res = String::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once('[') {
        let link = tail
            .split_once("](")
            .and_then(|(words, tail)| Some((words, tail.split_once(')')?.1)));
        res.push_str(head);
        match link {
            Some((words, tail)) => {
                res.push_str(words);
                rest = tail;
            }
            None => {
                res.push('[');
                rest = tail;
            }
        }
    }
    res + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(of_text(text), expected, "{text}");
    }

    #[test]
    fn sections_of_readmes() {
        check(
            "# Tea\n\nMuch.\n\n## Prerequisites\n\n- Node.js 18\n- The **Kettle** app must be open\n\n## Usage\n\n- Pour it\n",
            &["The Kettle app must be open"],
        );
        check(
            "## 前置要求\n\n### 1. 茶壶 v2+ 及其命令行\n\n1. 打开茶壶\n2. 点击 **注册**\n\n```\ntea 1\n```\n\n### 2. 运行时要求\n\n- **必须保持茶壶打开**（它用管道通信）\n\n## 特性\n- 快\n",
            &["茶壶 v2+ 及其命令行", "点击 注册", "必须保持茶壶打开"],
        );
        check(
            "## 前置条件\n\n服务器上需安装 [kettle CLI](https://a.b)，装好后确认 `kettle -v` 可用。\n",
            &["安装 kettle CLI，装好后确认 kettle -v 可用"],
        );
        check("## 系统要求\n\n- Node.js v18\n- VCP 环境\n", &[]);
        check("## 要求很高的茶\n\n- 水温 80 度\n", &[]);
    }
}
