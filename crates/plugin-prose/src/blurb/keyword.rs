//! Finds keywords: parts of identifiers, and the nouns between the function words of Chinese text.

use crate::lex::chars::{head, is_cjk};
use crate::relation::words;
use crate::source::PluginSource;

/// The maximum number of keywords.
const MAX: usize = 24;
/// The maximum number of keywords from the description alone, so that commands get their share.
const MAX_PROSE: usize = 8;

/// English words that do not help to tell plugins apart.
const COMMON: &str = "vcp plugin plugins tool tools the and for with from this that your can use using used \
    into are is it its of to in on by or an as be via all any not new has have will which \
    when also more provides provide supports support based them each one two through gen get \
    set do request";

/// Words between nouns. Longer ones come first, so that `以及` is not cut at `及`.
const FUNCTION_WORDS: &str = "一个用于 一个 一种 一款 以及 或者 并且 可以 能够 允许 用于 用来 通过 使用 支持 提供 进行 \
    实现 基于 包括 包含 自动 并将 根据 指定 各种 所有 多种 任意 当前 相关 对应 快速 高效 \
    强大 简单 功能 插件 工具 调用 此 该 其 的 与 和 及 或 在 对 为 将 从 到 按 是 并 等 被 \
    了 也 都 则 把 由 获取 查询 生成 执行 创建 查看 列出 返回";

/// Endings of names for the kind of program; the noun without them is a keyword, too.
const KINDS: [&str; 14] = [
    "插件",
    "工具",
    "助手",
    "系统",
    "服务",
    "生成器",
    "管理器",
    "查询器",
    "搜索器",
    "编辑器",
    "执行器",
    "监控器",
    "中心",
    "器",
];

/// Returns the keywords of a plugin, the most distinctive first.
pub(crate) fn read(source: &PluginSource<'_>) -> Vec<String> {
    let mut res = Keywords::default();
    let display = source.display_name.unwrap_or_default();
    res.identifier(source.name);
    res.name(display);
    for (id, _) in source.commands.iter().take(MAX) {
        res.identifier(id);
    }
    res.prose(source.description, MAX_PROSE);
    for (_, summary) in source.commands.iter().take(MAX) {
        res.prose(summary, 2);
    }
    for (name, description) in source.placeholders.iter().take(MAX) {
        res.identifier(name);
        res.prose(description, 2);
    }
    res.list
}

#[derive(Default)]
struct Keywords {
    list: Vec<String>,
}

impl Keywords {
    fn push(&mut self, word: &str) -> bool {
        let word = word.trim().to_lowercase();
        let length = word.chars().count();
        let fresh = length > 1
            && length <= 32
            && !self.list.contains(&word)
            && self.list.len() < MAX
            && !word.contains(['<', '>']);
        if fresh {
            self.list.push(word);
        }
        fresh
    }

    /// Adds the words of an identifier.
    fn identifier(&mut self, name: &str) {
        for word in words(head(name, 200)) {
            let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
            if word.len() > 2 && !is_common(word) {
                self.push(word);
            }
        }
    }

    /// Adds a display name: its words, and the noun without the kind of program.
    fn name(&mut self, name: &str) {
        for chunk in head(name, 200).split(|c: char| !c.is_alphanumeric()) {
            for run in runs(chunk) {
                if !run.starts_with(is_cjk) {
                    self.identifier(run);
                    continue;
                }
                let kind = KINDS
                    .iter()
                    .find_map(|kind| run.strip_suffix(kind))
                    .filter(|stem| stem.chars().count() > 1);
                if run.chars().count() <= 10 && !KINDS.contains(&run) {
                    self.push(run);
                }
                if let Some(stem) = kind {
                    self.push(stem);
                }
            }
        }
    }

    /// Adds the nouns of running text.
    fn prose(&mut self, text: &str, limit: usize) {
        let mut n_words = 0;
        for run in head(text, 600)
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .flat_map(runs)
        {
            if n_words == limit {
                return;
            }
            if run.starts_with(is_cjk) {
                for noun in nouns(run) {
                    n_words += usize::from(n_words < limit && self.push(noun));
                }
            } else if run.len() > 2
                && !is_common(&run.to_ascii_lowercase())
                && !run.starts_with(|c: char| c.is_ascii_digit())
            {
                n_words += usize::from(self.push(run));
            }
        }
    }
}

fn is_common(word: &str) -> bool {
    COMMON.split(' ').any(|common| common == word)
}

/// Splits a text where its script changes.
fn runs(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    let mut start = 0;
    let mut last = None;
    for (at, c) in text.char_indices() {
        let cjk = is_cjk(c);
        if last.is_some_and(|last| last != cjk) {
            res.push(&text[start..at]);
            start = at;
        }
        last = Some(cjk);
    }
    if start < text.len() {
        res.push(&text[start..]);
    }
    res
}

/// Returns the text between the function words of a Chinese text, if it is short enough for a noun.
fn nouns(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let rest = &text[at..];
        if let Some(word) = FUNCTION_WORDS
            .split(' ')
            .find(|word| rest.starts_with(word))
        {
            res.push(&text[start..at]);
            at += word.len();
            start = at;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    res.push(&text[start..]);
    res.retain(|noun| (2..=6).contains(&noun.chars().count()));
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_nouns(text: &str, expected: &[&str]) {
        assert_eq!(nouns(text), expected);
    }

    #[track_caller]
    fn check(name: &str, display: &str, description: &str, expected: &[&str]) {
        let source = PluginSource {
            name,
            display_name: Some(display),
            description,
            commands: &[],
            texts: &[],
            placeholders: &[],
        };
        assert_eq!(read(&source), expected);
    }

    #[test]
    fn nouns_between_function_words() {
        check_nouns("提供实时的天气信息并预报", &["实时", "天气信息", "预报"]);
        check_nouns("的和与", &[]);
    }

    #[test]
    fn words_of_name_and_prose() {
        check(
            "TeaTimer",
            "泡茶计时器",
            "",
            &["tea", "timer", "泡茶计时器", "泡茶计时"],
        );
        check(
            "VCPTeaPlugin",
            "",
            "Brews green tea",
            &["tea", "brews", "green"],
        );
    }
}
