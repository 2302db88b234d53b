//! Results that the old host showed later: an agent gets the result of a call and nothing afterwards.

/// Returns a sentence without its clauses on results that come by themselves later.
pub(super) fn without_later(sentence: &str) -> String {
    const LATER: [&str; 5] = [
        "稍后会自动",
        "结果会自动更新",
        "自动更新结果",
        "完成后会自动推送",
        "完成后自动推送",
    ];
    if !LATER.iter().any(|word| sentence.contains(word)) {
        return sentence.to_owned();
    }
    let is_stop = |c: char| matches!(c, '，' | '。' | '；' | '！' | '*');
    let mut res = String::new();
    for part in sentence.split_inclusive(is_stop) {
        if !LATER.iter().any(|word| part.contains(word)) {
            res.push_str(part);
            continue;
        }
        // The stop of a clause that ends the sentence ends the one before.
        let stop = part
            .chars()
            .next_back()
            .filter(|c| matches!(c, '。' | '！' | '*'));
        if let Some(stop) = stop {
            res.truncate(res.trim_end_matches(['，', '；']).len());
            res.push(stop);
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_comes_later() {
        let check = |text: &str, expected: &str| assert_eq!(without_later(text), expected);
        check(
            "**烧水需要三分钟，请告知用户已开始，稍后会自动更新结果。**",
            "**烧水需要三分钟，请告知用户已开始。**",
        );
        check("稍后会自动更新，请等待。", "请等待。");
        check("烧水后自动断电。", "烧水后自动断电。");
    }
}
