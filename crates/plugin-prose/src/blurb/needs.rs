//! Chooses what of a plugin's purposes to say as needs: the words after `当需要`.
//!
//! A plugin may have dozens of commands, and the sentence has room for a handful. They are chosen so that
//! they differ, because each kind of work that is not named is one that no agent comes for, and work on
//! the plugin itself (its cache, its configuration) comes after the rest.

use super::combined;
use super::text::{DEEDS, MAX_NEEDS, begins_with_deed, core, is_about_host, overlap, width};
use super::what::{begins_with_version, without_name};
use crate::lex::chars::is_cjk;

/// The share of character pairs, in percent, from which two texts say the same.
pub(super) const SAME: usize = 50;
/// The maximum number of needs.
const MAX: usize = 6;
/// Longer needs are shortened, in width.
const LONG: usize = 24;
/// The width from which a shortened need also loses its means.
const VERY_LONG: usize = 40;
/// The minimum length of a need without its means, in characters.
const MIN_CORE: usize = 6;
/// The number of purposes in the description from which a single other need is a detail.
const MANY_SAID: usize = 2;
/// The number of other needs from which work on the plugin itself is left out.
const MIN_WORK: usize = 2;

/// Returns the purposes that are needs, that say more than `said`, and that differ from one another,
/// within the maximum width, in their order.
pub(super) fn of_purposes(purposes: &[String], said: &str) -> Vec<String> {
    let all = purposes.iter().filter(|it| !begins_with_version(it));
    let all = all.map(|it| short(without_name(it)));
    let all: Vec<String> = all.filter(|it| is_need(it)).collect();
    let mut all = combined::read(&all);
    all.retain(|it| overlap(it, said) < SAME);
    if all.iter().filter(|it| !is_upkeep(it)).count() >= MIN_WORK {
        all.retain(|it| !is_upkeep(it));
    }
    let mut room = MAX_NEEDS;
    let mut chosen: Vec<usize> = Vec::new();
    // First one of each kind of work, then of each kind of thing, then what differs at all.
    for likeness in [either_deed, either_overlap, overlap] {
        for at in 0..all.len() {
            let is_new = chosen
                .iter()
                .all(|&other| other != at && likeness(&all[at], &all[other]) < SAME);
            let width = width(&all[at]);
            if is_new && width <= room && chosen.len() < MAX {
                room -= width;
                chosen.push(at);
            }
        }
    }
    chosen.sort_unstable();
    // A rest beside a description that has the others is a detail.
    let n_said = purposes
        .iter()
        .filter(|it| overlap(it, said) >= SAME)
        .count();
    let is_detail = chosen.len() == 1 && n_said > MANY_SAID;
    chosen
        .into_iter()
        .filter(|_| !is_detail)
        .map(|at| all[at].clone())
        .collect()
}

/// Returns 100 for two needs that begin with the same deed, or else the share of the shorter in the other.
fn either_deed(a: &str, b: &str) -> usize {
    let deed = |text: &str| text.chars().take(2).collect::<String>();
    let is_same = deed(a) == deed(b) && begins_with_deed(a);
    if is_same { 100 } else { either_overlap(a, b) }
}

/// Returns the share of the shorter of two texts that is in the other, in percent.
fn either_overlap(a: &str, b: &str) -> usize {
    overlap(a, b).max(overlap(b, a))
}

/// Returns a long Chinese need without adjectives that say nothing to somebody who has the need, and
/// without its means: `根据列表创建一个新的、空的茶单` is `创建空的茶单`.
fn short(purpose: &str) -> String {
    if width(purpose) <= LONG || !purpose.chars().any(is_cjk) {
        return purpose.to_owned();
    }
    let plain = without_adjectives(&without_origin(purpose));
    if width(&plain) <= VERY_LONG {
        return plain;
    }
    let core = core(&plain);
    if core.chars().count() >= MIN_CORE && !core.ends_with("插件") {
        core.to_owned()
    } else {
        plain
    }
}

/// Returns a need without the words on the program that made its object:
/// `列出当前茶馆下由 TeaBot 记录的订单` is `列出订单`.
fn without_origin(need: &str) -> String {
    const MAX: usize = 20;
    let found = need.find('由').and_then(|at| {
        let tail = need[at + '由'.len_utf8()..].trim_start();
        let is_name = tail.starts_with(|c: char| c.is_ascii_uppercase());
        let end = tail.find('的').filter(|end| is_name && *end <= MAX * 2)?;
        Some((&need[..at], &tail[end + '的'.len_utf8()..]))
    });
    let Some((head, tail)) = found else {
        return need.to_owned();
    };
    let place = head
        .strip_suffix('下')
        .and_then(|head| head.rfind("当前").filter(|at| *at > 0));
    let head = place.map_or(head, |at| &head[..at]);
    if head.is_empty() {
        need.to_owned()
    } else {
        format!("{head}{tail}")
    }
}

/// Returns a text without adjectives such as `新的`, and without the `一个` before one.
fn without_adjectives(text: &str) -> String {
    const ADJECTIVES: [&str; 15] = [
        "全新的",
        "新的",
        "已有的",
        "现有的",
        "已存在的",
        "已创建的",
        "有状态的",
        "无状态的",
        "指定的",
        "给定的",
        "任意的",
        "复杂的",
        "完整的",
        "详细的",
        "一次性的",
    ];
    let adjective = |text: &str| ADJECTIVES.iter().find(|word| text.starts_with(**word));
    let mut res = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut after = rest.strip_prefix("一个").unwrap_or(rest);
        let mut n_found = 0;
        while let Some(word) = adjective(after) {
            after = after[word.len()..].trim_start_matches('、');
            n_found += 1;
        }
        if n_found > 0 {
            rest = after;
            continue;
        }
        res.push(c);
        rest = &rest[c.len_utf8()..];
    }
    res
}

/// Returns true for work on a plugin itself: its cache, its queue, whether it runs.
pub(super) fn is_upkeep(purpose: &str) -> bool {
    const UPKEEP: [&str; 24] = [
        "缓存",
        "健康检查",
        "健康状态",
        "排队",
        "当前配置",
        "插件配置",
        "插件的权限",
        "权限信息",
        "配置信息",
        "发布信息",
        "已运行",
        "运行状态",
        "热重载",
        "自检",
        "连接状态",
        "health",
        "its cache",
        "the cache",
        "queue status",
        "readiness",
        "token validity",
        "safety gate",
        "authentication status",
        "observer configuration",
    ];
    let lower = purpose.to_lowercase();
    UPKEEP.iter().any(|word| lower.contains(word))
}

/// Returns true for a purpose that somebody may need: a deed, not a kind of tool or a word of an old
/// host.
pub(super) fn is_need(purpose: &str) -> bool {
    const KINDS: [&str; 13] = [
        "接口",
        "命令组",
        "器",
        "插件",
        "系统",
        "服务",
        "引擎",
        "工具",
        "模型",
        "协议",
        "能力",
        "命令",
        "平台",
    ];
    const SELVES: [&str; 10] = [
        "旧版", "该", "这是", "此", "本", "静态", "包含", "由", "一个", "输入",
    ];
    let n_wide = purpose.chars().filter(|c| is_cjk(*c)).count();
    let is_short = n_wide < 3 && purpose.split_whitespace().count() < 2;
    let is_kind = KINDS.iter().any(|kind| purpose.ends_with(kind)) && !begins_with_deed(purpose);
    let is_self = SELVES.iter().any(|word| purpose.starts_with(word))
        || [
            "此插件",
            "本插件",
            "该插件",
            "没有",
            "无法",
            "不能",
            "已停用",
        ]
        .iter()
        .any(|word| purpose.contains(word));
    // `messageProcessor.resolve` is for those who wrote it.
    let is_code = purpose
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
        .any(|word| {
            let inner = word.trim_matches('.');
            inner.len() > MAX_DOTTED && inner.contains('.')
        });
    // `在指定的领域下` was cut off from its deed.
    let is_condition = purpose.starts_with(['在', '从'])
        && purpose.ends_with(['下', '时', '后', '中'])
        || is_ground(purpose);
    !is_short
        && !is_condition
        && !is_kind
        && !is_self
        && !is_code
        && !is_about_host(purpose)
        && !purpose.contains(['，', '：'])
}

/// Returns true for the ground of a deed that was cut off: `根据给出的茶名`.
fn is_ground(purpose: &str) -> bool {
    let begins = ["根据", "按照", "依据", "基于"];
    let is_begun = begins.iter().any(|word| purpose.starts_with(word));
    is_begun && !DEEDS.iter().any(|deed| purpose.contains(deed)) && core(purpose) == purpose
}

/// Longer words with a dot in them are identifiers of code.
const MAX_DOTTED: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(purposes: &[&str], said: &str, expected: &[&str]) {
        let purposes: Vec<String> = purposes.iter().map(|&it| it.to_owned()).collect();
        assert_eq!(of_purposes(&purposes, said), expected, "{purposes:?}");
    }

    #[test]
    fn needs_say_more_than_the_description() {
        let all = [
            "查询茶叶库存",
            "茶叶库存查询",
            "烧水",
            "茶壶管理器",
            "该壶烧水",
        ];
        check(&all, "按种类泡茶", &["查询茶叶库存"]);
        check(&all, "查询茶叶库存和价格", &[]);
        check(&["Kettle v1.5 — 更好"], "烧水", &[]);
        check(&["根据给出的茶名"], "烧水", &[]);
    }

    #[test]
    fn needs_differ() {
        check(
            &[
                "新建茶叶订单",
                "在茶叶订单中标出最贵的一种",
                "新建茶叶订单草稿",
                "掷骰子决定口味",
                "从茶单中随机抽取",
                "生成下一次泡茶的时间点",
                "给客人的杯子编号",
            ],
            "",
            &[
                "新建茶叶订单",
                "在茶叶订单中标出最贵的一种",
                "掷骰子决定口味",
                "从茶单中随机抽取",
                "生成下一次泡茶的时间点",
                "给客人的杯子编号",
            ],
        );
    }

    #[test]
    fn each_kind_of_work_is_named() {
        check(
            &[
                "查询茶叶名录",
                "查询茶壶名录",
                "查询产地天气",
                "查询水的硬度",
                "查询杯子尺寸",
                "查询茶农电话",
                "删除一条茶评",
                "上传茶园照片",
            ],
            "",
            &[
                "查询茶叶名录、茶壶名录、产地天气、杯子尺寸和茶农电话",
                "查询水的硬度",
                "删除一条茶评",
                "上传茶园照片",
            ],
        );
    }

    #[test]
    fn work_on_the_plugin_itself_gives_way() {
        let all = ["查询茶壶的缓存条目", "按产地搜索茶叶", "泡一壶绿茶"];
        check(&all, "", &all[1..]);
        check(&all[..2], "", &all[..2]);
    }

    #[test]
    fn long_needs_are_shortened() {
        let check = |purpose: &str, expected: &str| assert_eq!(short(purpose), expected);
        check("创建一个新的、有状态的茶叶牌堆实例", "创建茶叶牌堆实例");
        check("新建一个空的茶单", "新建一个空的茶单");
        check(
            "根据主人在上个月提供的全部产地的列表创建自己的茶叶清单",
            "创建自己的茶叶清单",
        );
        check(
            "brews a new pot of green tea for all guests",
            "brews a new pot of green tea for all guests",
        );
        check("列出当前茶馆下由 TeaBot 记录的订单和茶客", "列出订单和茶客");
        check(
            "由 TeaBot 记录的订单和所有茶客的名字",
            "由 TeaBot 记录的订单和所有茶客的名字",
        );
        assert_eq!(core("通过邮件发送账单"), "发送账单");
        assert_eq!(without_name("Kettle — 让水烧开"), "让水烧开");
    }
}
