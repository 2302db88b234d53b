//! Descriptions that begin with a noun, as deeds.
//!
//! A reader of a list of skills looks for a verb. Only the words of the description are used, and a word
//! such as `进行` before a deed that is a noun.

use super::text::{begins_with_deed, clauses, spaced_end, spaced_start};

/// Deeds at the end of a noun.
const DEEDS: [&str; 17] = [
    "搜索", "检索", "查询", "提取", "抓取", "核查", "检查", "分析", "占卜", "计算", "监控", "转换",
    "翻译", "渲染", "识别", "推送", "扫描",
];

/// Deeds with things that are kept somewhere.
const MOVES: [&str; 12] = [
    "上传",
    "下载",
    "复制",
    "移动",
    "删除",
    "列出",
    "重命名",
    "读取",
    "写入",
    "创建",
    "编辑",
    "搜索",
];

/// Words before what is acted on, or before its place.
const PREPOSITIONS: [&str; 12] = [
    "对", "在", "从", "通过", "使用", "用", "为", "将", "把", "按", "根据", "向",
];

/// Beginnings of a clause on what can be done.
const ABLE: [&str; 6] = ["支持", "负责", "可以", "能够", "用于", "可"];

/// Returns a description that begins with a deed: `文件操作，对目录进行读、写等操作` is `对目录进行读、写等操作`.
/// Other texts are returned unchanged.
pub(super) fn as_deed(what: &str) -> String {
    let what = without_rhythm(what);
    let labelled = what.split_once('：');
    if let Some((label, rest)) = labelled.filter(|(label, rest)| is_deed_label(label, rest)) {
        let deed = label.trim_end_matches("插件");
        return format!("进行{}，{rest}", spaced_start(deed));
    }
    let bare = what
        .strip_prefix("支持")
        .filter(|rest| begins_with_preposition(rest));
    let what = bare.unwrap_or(what);
    let found = without_head(what)
        .or_else(|| in_its_place(what))
        .or_else(|| of_tool(what))
        .or_else(|| performed(what));
    found.unwrap_or_else(|| what.to_owned())
}

/// Returns true for a label that says what is done, before a list of how: `茶叶搜索插件：支持三种排序`.
pub(super) fn is_deed_label(label: &str, rest: &str) -> bool {
    let deed = label.trim_end_matches("插件");
    ends_with_deed(deed) && !begins_with_deed(deed) && rest.starts_with("支持")
}

/// Skips how often an old host called a program: a skill is called once.
fn without_rhythm(what: &str) -> &str {
    const RHYTHMS: [&str; 5] = [
        "在后台周期性地",
        "后台周期性地",
        "周期性地",
        "周期性",
        "定期",
    ];
    let rest = RHYTHMS.iter().find_map(|word| what.strip_prefix(word));
    rest.unwrap_or(what)
}

/// Skips a noun whose deed the next clause says with its object: `文本搜索，支持在目录中搜索`.
fn without_head(what: &str) -> Option<String> {
    const MAX: usize = 14;
    if let Some((head, rest)) = what.split_once(['：', ':']) {
        let rest = rest.trim_start().strip_prefix("负责")?;
        let is_head = head.chars().count() <= MAX && !begins_with_deed(head);
        return is_head.then(|| rest.to_owned());
    }
    let (head, separator) = clauses(what).next()?;
    let rest = what[head.len() + separator.len()..].trim_start();
    let rest = without_able(rest);
    let last: String = last_chars(head, 2);
    let is_head = head.chars().count() <= MAX
        && !begins_with_deed(head)
        && !begins_with_preposition(head)
        && (DEEDS.contains(&&*last) || last == "操作");
    (is_head && begins_with_preposition(rest) && rest.contains(&last)).then(|| rest.to_owned())
}

/// Turns `茶叶仓库，支持茶叶上传、下载和删除操作` into `在茶叶仓库中上传、下载和删除茶叶`.
fn in_its_place(what: &str) -> Option<String> {
    let (place, separator) = clauses(what).next()?;
    let rest = &what[place.len() + separator.len()..];
    let (clause, _) = clauses(rest).next()?;
    let after = &rest[clause.len()..];
    let list = clause.trim().strip_prefix("支持")?;
    let list = ["操作", "功能"]
        .iter()
        .find_map(|end| list.strip_suffix(end))?
        .trim();
    let marks = ['、', '和', '与'];
    let mut items = list.split(marks).map(str::trim);
    let first = items.next()?;
    let verb = MOVES.iter().find(|verb| first.ends_with(**verb))?;
    let object = first.strip_suffix(verb)?;
    let is_list = items.clone().count() > 0 && items.all(|item| MOVES.contains(&item));
    let is_place = !begins_with_deed(place) && !begins_with_preposition(place);
    (is_list && is_place && !object.is_empty())
        .then(|| format!("在{place}中{}{object}{after}", &list[object.len()..]))
}

/// Returns a deed without the word for what does it: `抓取茶叶笔记的专属爬虫` is `抓取茶叶笔记`.
fn of_tool(what: &str) -> Option<String> {
    const TOOLS: [&str; 9] = [
        "爬虫",
        "接口",
        "客户端",
        "助手",
        "工具",
        "引擎",
        "适配器",
        "桥接器",
        "控制器",
    ];
    const MAX: usize = 8;
    let is_tool = TOOLS.iter().any(|tool| what.ends_with(tool));
    let (deed, tool) = what.rsplit_once('的')?;
    (is_tool
        && begins_with_deed(deed)
        && tool.chars().count() <= MAX
        && !what.contains(['，', ',']))
    .then(|| deed.to_owned())
}

/// Turns nouns that are deeds into `进行` with them: `茶叶搜索、图片搜索` and `语义级搜索引擎`.
fn performed(what: &str) -> Option<String> {
    const ENGINES: [&str; 3] = ["引擎", "工具", "能力"];
    const MIN: usize = 4;
    if let Some((means, deed)) = what.strip_prefix("基于").and_then(|it| it.split_once('的')) {
        let deed = ["等能力", "等功能", "能力", "功能"]
            .iter()
            .find_map(|end| deed.strip_suffix(end))
            .unwrap_or(deed);
        let is_deed = ends_with_deed(deed) && !deed.contains('，');
        let deed = spaced_start(deed);
        return is_deed.then(|| format!("通过{}进行{deed}", spaced_end(means)));
    }
    let (clause, _) = clauses(what).next()?;
    let rest = &what[clause.len()..];
    let bare = ENGINES.iter().find_map(|end| clause.strip_suffix(end));
    let is_list = clause.contains('、') && clause.split('、').all(ends_with_deed);
    let bare = bare
        .filter(|bare| ends_with_deed(bare))
        .or_else(|| is_list.then_some(clause))?;
    let is_noun = bare.chars().count() >= MIN
        && !begins_with_deed(bare)
        && !begins_with_preposition(bare)
        && !ABLE.iter().any(|word| bare.starts_with(word))
        && !["进行", "提供", "执行", "调用", "基于"]
            .iter()
            .any(|word| bare.contains(word));
    is_noun.then(|| format!("进行{}{rest}", spaced_start(bare)))
}

/// Returns true for a noun that is a deed: `茶叶搜索`.
fn ends_with_deed(noun: &str) -> bool {
    DEEDS.iter().any(|deed| noun.ends_with(deed))
}

fn begins_with_preposition(text: &str) -> bool {
    PREPOSITIONS.iter().any(|word| text.starts_with(word))
}

/// Returns what follows a word such as `支持`.
fn without_able(clause: &str) -> &str {
    ABLE.iter()
        .find_map(|word| clause.strip_prefix(word))
        .unwrap_or(clause)
}

fn last_chars(text: &str, n: usize) -> String {
    let n_all = text.chars().count();
    text.chars().skip(n_all.saturating_sub(n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn descriptions_begin_with_a_deed() {
        let check = |what: &str, expected: &str| assert_eq!(as_deed(what), expected);
        check(
            "茶叶系统操作，对茶单进行读、写等多种操作",
            "对茶单进行读、写等多种操作",
        );
        check("文本搜索，支持在茶单中快速搜索", "在茶单中快速搜索");
        check("茶叶派发中心：负责管理茶叶任务", "管理茶叶任务");
        check(
            "某茶叶仓库（TEA），支持茶叶上传、下载和删除操作，具有权限控制",
            "在某茶叶仓库（TEA）中上传、下载和删除茶叶，具有权限控制",
        );
        check(
            "某茶叶仓库，支持 茶叶上传、下载 操作",
            "在某茶叶仓库中上传、下载茶叶",
        );
        check("抓取茶叶笔记的专属爬虫", "抓取茶叶笔记");
        check("打开、关闭茶壶的直接业务适配器", "打开、关闭茶壶");
        check("茶叶搜索、茶壶搜索", "进行茶叶搜索、茶壶搜索");
        check("语义级并发搜索引擎", "进行语义级并发搜索");
        check(
            "基于 Tea API 的搜索与网页抓取",
            "通过 Tea API 进行搜索与网页抓取",
        );
        check(
            "基于某库的 Tea 茶叶检索、茶壶获取与单位转换等能力",
            "通过某库进行 Tea 茶叶检索、茶壶获取与单位转换",
        );
        check(
            "轻量茶叶检索插件：支持三种排序",
            "进行轻量茶叶检索，支持三种排序",
        );
        check("定期从茶叶服务器获取信息", "从茶叶服务器获取信息");
        check("支持通过某 API 烧水", "通过某 API 烧水");
        for same in [
            "搜索茶叶",
            "通过图片进行搜索",
            "支持茶叶搜索",
            "茶叶搜索，便宜",
            "按标签整理茶单，支持导出",
            "茶壶管家系统",
            "Boils water: fast",
            "",
        ] {
            check(same, same);
        }
    }
}
