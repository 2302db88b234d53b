//! Clauses that say nothing to the user of a skill: on results that the old host showed later, because an
//! agent gets the result of a call and nothing afterwards, and on what a version mended.

/// Parts of a clause on a result that comes by itself.
const LATER: [&str; 5] = [
    "稍后会自动",
    "结果会自动更新",
    "自动更新结果",
    "完成后会自动推送",
    "完成后自动推送",
];
/// The beginnings of a clause on what a version mended.
const MENDED: [&str; 8] = [
    "该入口不再",
    "此入口不再",
    "已修复",
    "修复了",
    "已补齐",
    "已完成全",
    "已完成了",
    "Fixed ",
];

/// Parts of a clause on what only earlier calls need.
const OBSOLETE: [&str; 4] = ["仅保留兼容", "仅为兼容保留", "只为兼容保留", "不建议新调用"];

/// The beginnings of a clause on what a result is good for.
const GOOD_FOR: [&str; 8] = [
    "便于后续由",
    "便于后续 AI",
    "便于 AI",
    "便于AI",
    "便于 Agent",
    "便于Agent",
    "供后续分析",
    "便于你",
];

/// Returns a sentence without such clauses.
pub(super) fn without_needless(sentence: &str) -> String {
    let is_suspect = LATER
        .iter()
        .chain(&MENDED)
        .chain(&OBSOLETE)
        .chain(&GOOD_FOR)
        .chain(&["与 MCP"])
        .any(|word| sentence.contains(word));
    if !is_suspect {
        return sentence.to_owned();
    }
    let is_stop = |c: char| matches!(c, '，' | '。' | '；' | '！' | '*');
    let is_dropped = |part: &str| {
        // Also after names: `Brew/Pour 已修复…`.
        let behind_names = part.trim_start_matches(|c: char| c.is_ascii());
        let is_mended = |text: &str| MENDED.iter().any(|word| text.starts_with(word));
        let is_port = part.contains("与 MCP") && part.contains("一致");
        is_mended(part)
            || is_port
            || GOOD_FOR.iter().any(|word| part.starts_with(word))
            || is_mended(behind_names)
            || LATER
                .iter()
                .chain(&OBSOLETE)
                .any(|word| part.contains(word))
    };
    let mut res = String::new();
    for part in sentence.split_inclusive(is_stop) {
        if !is_dropped(part) {
            res.push_str(part);
            continue;
        }
        // The stop of a clause that ends the sentence ends the one before; a stronger one as well.
        let stop = part
            .chars()
            .next_back()
            .filter(|c| matches!(c, '。' | '！' | '；' | '*'));
        if let Some(stop) = stop.filter(|_| !res.is_empty()) {
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
    fn needless_clauses_go() {
        let check = |text: &str, expected: &str| assert_eq!(without_needless(text), expected);
        check(
            "**烧水需要三分钟，请告知用户已开始，稍后会自动更新结果。**",
            "**烧水需要三分钟，请告知用户已开始。**",
        );
        check("稍后会自动更新，请等待。", "请等待。");
        check("烧水后自动断电。", "烧水后自动断电。");
        check(
            "默认泡绿茶，已修复水温过高的问题；可选红茶。",
            "默认泡绿茶；可选红茶。",
        );
        check(
            "泡茶方式。旧brew_mode仅保留兼容，不建议新调用使用",
            "泡茶方式。",
        );
        check("该入口不再加载旧壶。\n输出茶。", "\n输出茶。");
        check("Foo/Pour 已修复漏水；已完成全部回归。", "");
        check("返回全部茶单，便于后续由 AI 比较。", "返回全部茶单。");
        check(
            "结果是 JSON，字段与 MCP 保持一致，形如：",
            "结果是 JSON，形如：",
        );
        check("It brews. Fixed a leak.", "It brews. Fixed a leak.");
        check("已完成的订单不能取消。", "已完成的订单不能取消。");
    }
}
