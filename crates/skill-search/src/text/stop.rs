//! Words that do not help to tell skills apart.

use std::sync::OnceLock;

use super::patterns::Patterns;

/// English function words, and the fillers of requests; sorted.
const WORDS: &str = include_str!("../../data/stop-words.txt");
/// Characters of runs that carry no meaning alone.
const CHARS: &str = "的了是在我你他她它们这那有和与及或就都也把被让给对从到为以用个一不吗呢吧啊呀哦嗯之其而且但如若则所可要会能想请帮下上里来去做使得着过很更最再又还只些什么怎样";
/// Fillers of Chinese and Korean requests, which are removed before pairs are made; longest first.
const FILLERS: [&str; 51] = [
    "能不能",
    "可不可以",
    "有没有办法",
    "有没有",
    "帮我把",
    "请帮我",
    "帮我",
    "帮忙",
    "请问",
    "请你",
    "麻烦你",
    "麻烦",
    "我想要",
    "我想",
    "我要",
    "我需要",
    "需要",
    "想要",
    "等于多少",
    "等于几",
    "是多少",
    "多少",
    "怎么样",
    "怎么",
    "怎样",
    "如何",
    "为什么",
    "什么",
    "一下",
    "一个",
    "这个",
    "那个",
    "这些",
    "那些",
    "可以",
    "应该",
    "现在",
    "然后",
    "或者",
    "还是",
    "但是",
    "因为",
    "所以",
    "如果",
    "我们",
    "你们",
    "他们",
    "주세요",
    "해줘",
    "싶어",
    "있어",
];

/// Returns true if a folded word is a stop word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    static TABLE: OnceLock<Vec<&'static str>> = OnceLock::new();
    let table = TABLE.get_or_init(|| WORDS.split_ascii_whitespace().collect());
    table.binary_search(&word).is_ok()
}

/// Returns true if a character of a run carries no meaning alone.
pub(crate) fn is_stop_char(c: char) -> bool {
    CHARS.contains(c)
}

/// Returns a request without its fillers, each replaced by a blank, which ends a run.
pub(crate) fn without_fillers(text: &str) -> String {
    static TABLE: OnceLock<Patterns> = OnceLock::new();
    if text.is_ascii() {
        return text.to_owned();
    }
    let table = TABLE.get_or_init(|| Patterns::new(FILLERS));
    let mut res = String::with_capacity(text.len());
    let mut start = 0;
    while let Some((at, filler)) = table.find(text, start) {
        res.push_str(&text[start..at]);
        res.push(' ');
        start = at + filler.len();
    }
    res.push_str(&text[start..]);
    res
}
