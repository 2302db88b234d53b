//! Signs and labels that decorate a line: `🎯 **Goal**`, `第一张图片`.

use std::borrow::Cow;

/// Signs that say something: right and wrong, a star of a rating.
const MEANT: [char; 6] = ['✅', '❌', '✔', '✖', '⭐', '✓'];

/// Words of titles that warn.
const WARNINGS: [&str; 7] = ["注意", "重要", "警告", "可靠", "实验", "慎用", "弃用"];

/// Returns a line without pictures before its first word.
pub(super) fn without_pictures(line: &str) -> Cow<'_, str> {
    let is_mark = |c: char| c.is_whitespace() || "#*->•【[".contains(c);
    let Some(at) = line.find(|c| !is_mark(c)) else {
        return line.into();
    };
    let (head, tail) = line.split_at(at);
    let rest = tail.trim_start_matches(is_picture);
    if rest.len() == tail.len() {
        line.into()
    } else {
        format!("{head}{}", rest.trim_start()).into()
    }
}

/// Returns true for emoji and their variants, except those that say something.
fn is_picture(c: char) -> bool {
    let is_emoji = matches!(
        u32::from(c),
        0x1F000..=0x1FAFF | 0x2600..=0x27BF | 0x2B00..=0x2BFF | 0x23E9..=0x23FA | 0xFE0F | 0x200D
    );
    is_emoji && !MEANT.contains(&c)
}

/// Returns a text whose title in wide brackets is a part of its first sentence: `【冷泡】把茶叶放进冷水。` is
/// `冷泡：把茶叶放进冷水。`
pub(super) fn without_brackets(text: &str) -> Cow<'_, str> {
    const MAX_LABEL: usize = 24;
    let found = text
        .strip_prefix('【')
        .and_then(|text| text.split_once('】'));
    let found = found.filter(|(label, rest)| {
        let is_text = rest.trim_start().starts_with(char::is_alphanumeric);
        is_text && label.chars().count() <= MAX_LABEL
    });
    // A warning stays one.
    let found = found.filter(|(label, _)| !WARNINGS.iter().any(|word| label.contains(word)));
    let Some((label, rest)) = found else {
        return text.into();
    };
    if label.chars().all(|c| rest.contains(c)) {
        return rest.trim_start().into();
    }
    let mark = if label.contains(['：', ':']) {
        '。'
    } else {
        '：'
    };
    format!("{label}{mark}{}", rest.trim_start()).into()
}

/// Returns the description of a numbered parameter without the number of its first one:
/// `第一张图片的链接`.
pub(super) fn without_ordinal(text: &str) -> Cow<'_, str> {
    const FIRST: [&str; 3] = ["第一", "第1", "第 1 "];
    const UNITS: [char; 9] = ['张', '个', '条', '段', '幅', '份', '篇', '项', '组'];
    for first in FIRST {
        if let Some((head, tail)) = text.split_once(first)
            && let Some(rest) = tail.trim_start().strip_prefix(UNITS)
        {
            return format!("{head}{}", rest.trim_start_matches('的')).into();
        }
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_before_words_go() {
        let check = |line: &str, expected: &str| assert_eq!(without_pictures(line), expected);
        check("🎨 **功能**:", "**功能**:");
        check("**🚀 最快上手**", "**最快上手**");
        check("⚠️ **说明**", "**说明**");
        check("- 📝 茶单", "- 茶单");
        check("【🧊 冷茶】", "【冷茶】");
        check("- ✅ 正确", "- ✅ 正确");
        check("茶 🍵", "茶 🍵");
        check("- a → b", "- a → b");
        check("", "");
    }

    #[test]
    fn titles_are_words() {
        let check = |text: &str, expected: &str| assert_eq!(without_brackets(text), expected);
        check("【冷泡】把茶叶放进冷水。", "冷泡：把茶叶放进冷水。");
        check("【第一步：烧水】把水烧开。", "第一步：烧水。把水烧开。");
        check("【不可靠】把水烧开。", "【不可靠】把水烧开。");
        check("【烧水】把水烧开。", "把水烧开。");
        check("【参数】：a", "【参数】：a");
        check("把水烧开。", "把水烧开。");
    }

    #[test]
    fn numbered_parameters_are_all_described() {
        let check = |text: &str, expected: &str| assert_eq!(without_ordinal(text), expected);
        check("第一张图片URL。", "图片URL。");
        check("第1张图片来源", "图片来源");
        check("茶壶的第一个的链接", "茶壶的链接");
        check("第一次泡的茶", "第一次泡的茶");
    }
}
