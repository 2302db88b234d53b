//! The words of users who want something of a common trade.
//!
//! A description of a tool names the tool; a request names the need. Only trades whose requests are
//! certain are here, and only the plugin's name and first sentence decide. The table is
//! `trades/table.txt`.

use std::sync::LazyLock;

static TRADES: LazyLock<Vec<Trade>> = LazyLock::new(|| parsed(include_str!("trades/table.txt")));

/// The maximum number of trades of a plugin.
const MAX: usize = 2;

/// A kind of work of a common trade.
#[derive(Default)]
pub(crate) struct Trade {
    /// The trade in English, in lower case unless it is a name; its kinds have the same.
    pub(crate) name: &'static str,
    /// The deed in English: `draw pictures`.
    pub(crate) deed: &'static str,
    cues: Vec<String>,
    /// True for work that counts only beside another kind of the trade.
    is_further: bool,
    /// Requests of users in Chinese.
    pub(crate) requests: Vec<&'static str>,
}

/// Returns the trades of a plugin by its name and its first sentence, each ending with a line end, in
/// the order of the table. Its other texts add only further kinds of the same work.
pub(crate) fn of_texts(text: &str, others: &str) -> Vec<&'static Trade> {
    let (text, others) = (text.to_lowercase(), others.to_lowercase());
    let of = |text: &str, trade: &Trade| trade.place(text).is_some();
    // What is said first is what a plugin is for.
    let found = TRADES.iter().filter(|it| !it.is_further);
    let mut found: Vec<(usize, &Trade)> = found
        .filter_map(|it| Some((it.place(&text)?, it)))
        .collect();
    let in_order: Vec<&Trade> = found.iter().map(|(_, it)| *it).collect();
    found.sort_by_key(|(at, _)| *at);
    let mut names: Vec<&str> = Vec::new();
    for (_, trade) in found {
        if names.len() < MAX && !names.contains(&trade.name) {
            names.push(trade.name);
        }
    }
    let mut res = in_order;
    res.retain(|it| names.contains(&it.name));
    for trade in TRADES.iter() {
        let is_kind = res.iter().any(|known| trade.is_kind_of(known));
        let is_known = res.iter().any(|known| std::ptr::eq(*known, trade));
        if is_kind && !is_known && (of(&text, trade) || of(&others, trade)) {
            res.push(trade);
        }
    }
    // Kinds of one trade are together.
    let mut order: Vec<&str> = Vec::new();
    for trade in &res {
        if !order.contains(&trade.name) {
            order.push(trade.name);
        }
    }
    let of = |known: &Trade| order.iter().position(|name| *name == known.name);
    let first = |trade: &Trade| order.iter().position(|name| trade.is_of(name));
    res.sort_by_key(|trade| (first(trade), of(trade)));
    res
}

/// Returns trades with further ones, within the maximum number of names.
pub(crate) fn joined(
    mut trades: Vec<&'static Trade>,
    others: Vec<&'static Trade>,
) -> Vec<&'static Trade> {
    let mut names: Vec<&str> = Vec::new();
    for trade in &trades {
        if !names.contains(&trade.name) {
            names.push(trade.name);
        }
    }
    for other in others {
        let is_new = !names.contains(&other.name);
        if is_new && names.len() < MAX {
            names.push(other.name);
        } else if is_new || trades.iter().any(|it| std::ptr::eq(*it, other)) {
            continue;
        }
        trades.push(other);
    }
    trades
}

impl Trade {
    /// Returns where a text first has a cue.
    fn place(&self, text: &str) -> Option<usize> {
        let cues = self.cues.iter().filter(|cue| has(text, cue));
        let first = |cue: &String| text.find(cue.split('+').next().unwrap_or_default());
        cues.filter_map(first).min()
    }

    /// Returns true for another kind of the work of a trade: pictures are made and changed by the same tools.
    fn is_kind_of(&self, other: &Self) -> bool {
        self.is_of(other.name)
    }

    /// Returns true for work of the trade of this name.
    fn is_of(&self, name: &str) -> bool {
        const PICTURES: (&str, &str) = ("image generation", "image editing");
        self.name == name || (name, self.name) == PICTURES
    }
}

/// Returns true if a text has all words of a cue.
fn has(text: &str, cue: &str) -> bool {
    cue.split('+').all(|word| match word.strip_prefix('!') {
        Some(word) => !text.contains(word),
        None => text.contains(word),
    })
}

/// Returns the trades of the table; its form is at its beginning.
fn parsed(table: &'static str) -> Vec<Trade> {
    let mut res: Vec<Trade> = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let words = |list: &'static str| list.split(", ").map(str::trim);
        match (line.split_at_checked(2), res.last_mut()) {
            (Some((mark @ ("- " | "+ "), cues)), Some(trade)) => {
                trade.is_further = mark == "+ ";
                trade
                    .cues
                    .extend(words(cues).map(|cue| cue.replace('$', "\n")));
            }
            (Some(("> ", requests)), Some(trade)) => trade.requests.extend(words(requests)),
            _ => {
                if let Some((name, deed)) = line.split_once(": ") {
                    res.push(Trade {
                        name,
                        deed,
                        ..Trade::default()
                    });
                }
            }
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_work_has_cues_and_words() {
        for trade in TRADES.iter() {
            assert!(
                !trade.cues.is_empty() && !trade.requests.is_empty(),
                "{}",
                trade.deed
            );
            let cues = trade.cues.iter();
            let is_lower = cues
                .clone()
                .all(|cue| *cue == cue.to_lowercase() && !cue.is_empty());
            assert!(is_lower, "{:?}", trade.cues);
        }
    }

    #[test]
    fn requests_fit_what_is_done() {
        let check = |text: &str, expected: &[&str]| {
            let (first, others) = text.split_once('|').unwrap_or((text, ""));
            let found: Vec<&str> = of_texts(first, others)
                .iter()
                .flat_map(|it| it.requests.iter().copied())
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("在本地的邮件中搜索\n", &["查一下邮件", "有没有新邮件"]);
        check(
            "读取、发送和回复邮件\n",
            &["查一下邮件", "有没有新邮件", "发封邮件"],
        );
        check("Sends email\n", &["查一下邮件", "有没有新邮件", "发封邮件"]);
        check(
            "生成视频\n|支持图生视频、视频拼接。图生图",
            &[
                "做一段视频",
                "生成一个视频",
                "让这张图动起来",
                "把几段视频接起来",
            ],
        );
        check(
            "生成图像\n|图生图",
            &["画一张图", "生成一张图片", "改一下这张图"],
        );
        check("搜索邮件\n|图生图", &["查一下邮件", "有没有新邮件"]);
        check(
            "在本地邮件存储中执行全文搜索\n",
            &["查一下邮件", "找一封邮件"],
        );
        check(
            "科学计算\n|求定积分、标准差",
            &[
                "算一下",
                "这个式子等于多少",
                "求这个积分",
                "算标准差和置信区间",
            ],
        );
        check("MIDI翻译器\n|", &[]);
        check("生成 PDF 信息图\n", &[]);
        check(
            "抓取网页内容\n|也读 PDF",
            &["看看这个链接", "这个网页讲了什么", "读一下这个 PDF"],
        );
        check("翻译器\n", &["翻译这段话", "这句话是什么意思"]);
        check("解析MIDI\n", &["解析这个 MIDI 文件"]);
    }
}
