//! Sentences and clauses of a description.

use std::collections::BTreeSet;

use crate::lex::chars::is_cjk;
use crate::summary::sentence_end;

/// The maximum width of all needs in a sentence; a Chinese character is two wide.
pub(crate) const MAX_NEEDS: usize = 132;

/// Returns the width of a text; a Chinese character is two wide.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

/// Returns the sentences of a text without their stops; a line end ends a sentence.
pub(crate) fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = line.trim();
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let end = sentence_end(rest);
            let sentence = rest[..end].trim_end_matches(['。', '.', '！', '!', '？', '?', ' ']);
            rest = rest[end..].trim_start();
            Some(sentence)
        })
    })
}

/// Returns the clauses of a sentence with the separator after each, which is empty for the last.
/// Brackets are not divided.
pub(crate) fn clauses(sentence: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = sentence;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut depth = 0_usize;
        let found = rest.char_indices().find(|(_, c)| {
            match c {
                '(' | '（' | '[' | '【' | '“' | '「' => depth += 1,
                ')' | '）' | ']' | '】' | '”' | '」' => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0 && matches!(c, '，' | ',' | '；' | ';')
        });
        let Some((at, c)) = found else {
            return Some((std::mem::take(&mut rest), ""));
        };
        let blank = usize::from(rest[at + c.len_utf8()..].starts_with(' '));
        let end = at + c.len_utf8() + blank;
        let res = (&rest[..at], &rest[at..end]);
        rest = &rest[end..];
        Some(res)
    })
}

/// Returns true for words that only an old host's user knows: how a value gets into a prompt, how calls
/// are written, how the plugin runs.
pub(crate) fn is_about_host(clause: &str) -> bool {
    const HOST: [&str; 25] = [
        "占位符",
        "配置界面",
        "管理界面",
        "后台面板",
        "系统提示词",
        "系统提示",
        "串语法",
        "[[",
        "{{",
        "stdio",
        "hybridservice",
        "管理面板",
        "插件中心",
        "PluginManager",
        "VCPToolBox",
        "VCP ToolBox",
        "placeholder",
        "system prompt",
        "system 尾部",
        "admin panel",
        "「始」",
        "TOOL_REQUEST",
        "tool_name",
        "指令界定符",
        "指令标记",
    ];
    HOST.iter().any(|word| clause.contains(word))
}

/// Returns true for a sentence on how a program is built: what it is written in, what its processes and
/// queues do.
pub fn is_about_make(sentence: &str) -> bool {
    const MAKE: [&str; 26] = [
        "该版本为",
        "道安全闸",
        "触发前端",
        "前端实时",
        "CONNECT 代理",
        "动态读取",
        "实现参考",
        "核心引擎由",
        "编写，确保",
        "维护脚本",
        "父进程",
        "优雅关闭",
        "FIFO 队列",
        "FIFO队列",
        "索引队列",
        "原生二进制",
        "Node.js 包装器",
        "JS 桥",
        "filelock",
        "跨进程并发",
        "数据驱动架构",
        "常驻内存",
        "parent process",
        "graceful shutdown",
        "native binary for",
        "is written in Rust",
    ];
    let shares_code = sentence.contains("共享") && sentence.contains("模块")
        || sentence.contains("封装的") && sentence.trim_end_matches('。').ends_with("工具");
    shares_code || MAKE.iter().any(|word| sentence.contains(word))
}

/// Common verbs of purposes.
pub(crate) const DEEDS: [&str; 35] = [
    "查询", "查看", "获取", "读取", "列出", "搜索", "检索", "创建", "新建", "添加", "删除", "编辑",
    "修改", "更新", "发送", "发布", "回复", "启动", "停止", "关闭", "打开", "刷新", "生成", "执行",
    "下载", "上传", "设置", "管理", "分析", "提交", "取消", "启用", "禁用", "测试", "抓取",
];

/// Returns true if a Chinese purpose begins with a common verb.
pub(crate) fn begins_with_deed(purpose: &str) -> bool {
    DEEDS.iter().any(|deed| purpose.starts_with(deed))
}

/// Returns the deed of a Chinese purpose without its means: `通过邮件发送账单` is `发送账单`.
pub(crate) fn core(purpose: &str) -> &str {
    let is_means = ["通过", "使用", "基于", "根据", "调用", "利用"]
        .iter()
        .any(|means| purpose.starts_with(means));
    if !is_means {
        return purpose;
    }
    let deeds = [
        "生成", "进行", "查找", "查询", "获取", "检索", "搜索", "渲染", "发送", "执行", "编辑",
        "抓取", "创建",
    ];
    let found = deeds
        .iter()
        .filter_map(|deed| purpose.find(deed))
        .filter(|at| *at > 0);
    found
        .min()
        .map_or(purpose, |at| purpose[at..].trim_start_matches("进行"))
}

/// Returns a text with a blank before a Latin word at its beginning.
pub(crate) fn spaced_start(text: &str) -> String {
    let blank = text.starts_with(|c: char| c.is_ascii_alphanumeric());
    format!("{}{text}", if blank { " " } else { "" })
}

/// Returns a text with a blank after a Latin word at its end.
pub(crate) fn spaced_end(text: &str) -> String {
    let blank = text.ends_with(|c: char| c.is_ascii_alphanumeric());
    format!("{text}{}", if blank { " " } else { "" })
}

/// Returns the share of `part` that is in `whole`, in percent: of the character pairs of a Chinese text,
/// of the words of another one.
pub(crate) fn overlap(part: &str, whole: &str) -> usize {
    let (part, whole) = (units(part), units(whole));
    let n_known = part.iter().filter(|unit| whole.contains(*unit)).count();
    n_known * 100 / part.len().max(1)
}

/// Returns the share of the Chinese characters of `part` that are in `whole`, in percent, without those of
/// particles. A title of a command repeats what a plugin does in other words of the same characters.
pub(crate) fn share_of_characters(part: &str, whole: &str) -> usize {
    const PARTICLES: [char; 20] = [
        '的', '了', '一', '个', '在', '从', '将', '把', '对', '按', '由', '与', '和', '或', '并',
        '其', '中', '你', '新', '所',
    ];
    let is_word = |c: &char| is_cjk(*c) && !PARTICLES.contains(c);
    let all: Vec<char> = part.chars().filter(is_word).collect();
    let n_known = all.iter().filter(|c| whole.contains(**c)).count();
    n_known * 100 / all.len().max(1)
}

fn units(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let letters: Vec<char> = lower.chars().filter(|c| c.is_alphanumeric()).collect();
    let words = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| word.len() > 2).map(str::to_owned);
    if letters.iter().any(|c| is_cjk(*c)) {
        letters
            .windows(2)
            .map(|pair| pair.iter().collect())
            .collect()
    } else {
        words.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_on_the_making_of_a_program() {
        let check = |text: &str, expected| assert_eq!(is_about_make(text), expected, "{text}");
        check("与茶壶插件共享连接模块。", true);
        check("核心引擎由 Rust 编写，确保性能。", true);
        check("It is a native binary for each system.", true);
        check("与朋友共享茶单。", false);
        check("烧水并保持温度。", false);
        check("Boils water.", false);
    }

    #[test]
    fn divides_texts() {
        let found: Vec<&str> = sentences("A b. C 1.5 d!\n好的。再见").collect();
        assert_eq!(found, ["A b", "C 1.5 d", "好的", "再见"]);
        let found: Vec<_> = clauses("a（b，c），d; e").collect();
        assert_eq!(found, [("a（b，c）", "，"), ("d", "; "), ("e", "")]);
        assert_eq!(overlap("查询天气", "可以查询天气和风"), 100);
        assert_eq!(overlap("画图", "查询天气"), 0);
        assert_eq!(overlap("pour tea", "pours of tea"), 50);
    }
}
