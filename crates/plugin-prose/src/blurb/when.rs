//! Writes the sentence that says when to use a plugin, in the language of its text.
//!
//! The Agent Skills specification wants a description that says what a skill does and when to use
//! it; legacy descriptions lack the second part.

use super::openers::without_kind;
use super::purpose::plain;
use super::stated;
use super::text::{is_about_host, overlap, width};
use super::trades::{self, Trade};
use super::what::{What, begins_with_version, without_name};
use crate::lex::chars::is_cjk;
use crate::source::PluginSource;

/// The maximum width of all needs; a Chinese character is two wide.
const MAX: usize = 100;
/// The maximum length of the sentence, in characters.
const MAX_CHARS: usize = 400;
/// The share of character pairs, in percent, from which two texts say the same.
const SAME: usize = 50;
/// The maximum number of requests.
const MAX_REQUESTS: usize = 3;

/// Verbs at the beginning of English summaries.
const VERBS: &str = "fetch get list search create delete update edit generate return read write send convert \
    find query run execute build load save show explain reset start stop cancel resume trace \
    compare audit retrieve validate check download upload translate summarize summarise analyze \
    analyse calculate compute render resize open close click scroll monitor track record \
    play look provide manage remove add set extract parse sort filter plan schedule make take give \
    put post push pull fix format encode decode encrypt decrypt sign verify test call invoke trigger \
    toggle switch control rename move copy merge split join combine count measure estimate predict \
    detect recognize identify classify collect capture crop rotate scale compress archive publish \
    notify remind log print draw paint plot scan crawl scrape browse navigate select choose pick \
    insert append replace clean clear trim cut drop install configure connect register approve \
    reject book order transfer rank rate recommend suggest tell ask answer speak transcribe compose \
    rewrite correct shorten expand describe define resolve ping inspect deploy restart reload enable \
    disable lock unlock backup restore sync import export migrate index store fill submit wait report \
    display preview stream watch evaluate solve simulate adjust change modify apply share keep roll \
    turn soften reopen shut pause mark tag label group mix blend rollback";

/// When to use a plugin.
pub(crate) struct When {
    /// One line, which is never empty.
    pub(crate) sentence: String,
    /// The trade in English, for a Chinese plugin.
    pub(crate) english: Option<String>,
}

/// Returns when to use a plugin: what it says itself, or what its users say and need.
pub(crate) fn read(source: &PluginSource<'_>, purposes: &[String], what: &What) -> When {
    let name = source
        .display_name
        .filter(|name| !name.trim().is_empty())
        .unwrap_or(source.name);
    let name = plain(name);
    let chinese = is_chinese(source, purposes);
    let trades = trades::of_text(&format!("{name}\n{}\n", what.first));
    let texts = [source.description].into_iter();
    let stated = stated::sentence(texts.chain(source.texts.iter().copied()));
    let said = format!("{} {}", what.first, what.more);
    let needs = needs(purposes, &said);
    let sentence =
        stated.filter(|stated| stated.contains('当') || stated.contains('于') == chinese);
    let sentence = sentence.unwrap_or_else(|| {
        if chinese {
            in_chinese(&name, &needs, &unsaid(purposes, &said), &trades)
        } else {
            in_english(&name, &needs, purposes, &trades)
        }
    });
    let mut english: Vec<&str> = Vec::new();
    for trade in &trades {
        if !english.contains(&trade.english) {
            english.push(trade.english);
        }
    }
    When {
        sentence: sentence.chars().take(MAX_CHARS).collect(),
        english: (chinese && !english.is_empty())
            .then(|| format!("Use for {}.", english.join(" and "))),
    }
}

/// Returns the purposes that differ from what the description says.
fn unsaid(purposes: &[String], said: &str) -> Vec<String> {
    let is_new = |purpose: &&String| overlap(core(without_name(purpose)), said) < SAME;
    purposes.iter().filter(is_new).cloned().collect()
}

/// Returns the purposes that are needs, that say more than `said`, and that differ from one another,
/// within the maximum width.
fn needs<'p>(purposes: &'p [String], said: &str) -> Vec<&'p str> {
    let mut res: Vec<&str> = Vec::new();
    let mut room = MAX;
    for purpose in purposes {
        if begins_with_version(purpose) {
            continue;
        }
        let purpose = without_name(purpose);
        let is_new =
            overlap(purpose, said) < SAME && res.iter().all(|other| overlap(purpose, other) < SAME);
        if !is_need(purpose) || !is_new {
            continue;
        }
        let Some(rest) = room.checked_sub(width(purpose)) else {
            continue;
        };
        room = rest;
        res.push(purpose);
    }
    res
}

/// Returns true for a purpose that somebody may need: a deed, not a kind of tool or a word of an old
/// host.
pub(super) fn is_need(purpose: &str) -> bool {
    const KINDS: [&str; 11] = [
        "器", "插件", "系统", "服务", "引擎", "工具", "模型", "协议", "能力", "命令", "平台",
    ];
    const SELVES: [&str; 9] = [
        "该", "这是", "此", "本", "静态", "包含", "由", "一个", "输入",
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
    !is_short && !is_kind && !is_self && !is_about_host(purpose) && !purpose.contains(['，', '：'])
}

/// Returns true if a Chinese purpose begins with a common verb.
fn begins_with_deed(purpose: &str) -> bool {
    const DEEDS: [&str; 34] = [
        "查询", "查看", "获取", "读取", "列出", "搜索", "检索", "创建", "新建", "添加", "删除",
        "编辑", "修改", "更新", "发送", "发布", "回复", "启动", "停止", "关闭", "打开", "刷新",
        "生成", "执行", "下载", "上传", "设置", "管理", "分析", "提交", "取消", "启用", "禁用",
        "测试",
    ];
    DEEDS.iter().any(|deed| purpose.starts_with(deed))
}

/// Returns true if the prose is Chinese: identifiers inside it do not count for much.
fn is_chinese(source: &PluginSource<'_>, purposes: &[String]) -> bool {
    let prose = source
        .description
        .chars()
        .chain(purposes.iter().flat_map(|purpose| purpose.chars()));
    let (mut n_cjk, mut n_ascii) = (0_usize, 0_usize);
    for c in prose.take(4000) {
        n_cjk += usize::from(is_cjk(c));
        n_ascii += usize::from(c.is_ascii_alphabetic());
    }
    if n_cjk + n_ascii == 0 {
        return source
            .display_name
            .is_some_and(|name| name.chars().any(is_cjk));
    }
    n_cjk * 4 >= n_ascii
}

fn in_chinese(name: &str, needs: &[&str], purposes: &[String], trades: &[&Trade]) -> String {
    let requests = trades.iter().flat_map(|trade| trade.requests);
    let requests: Vec<String> = requests
        .take(MAX_REQUESTS)
        .map(|it| format!("“{it}”"))
        .collect();
    let requests = requests.concat();
    let needs = needs.join("、");
    match (needs.is_empty(), requests.is_empty()) {
        (false, false) => format!("当用户说{requests}，或需要{needs}时使用。"),
        (true, false) => format!("当用户说{requests}时使用。"),
        (false, true) => format!("当需要{needs}时使用。"),
        (true, true) => {
            let core = purposes.iter().map(|purpose| core(without_name(purpose)));
            let core = core.into_iter().find(|core| is_need(core));
            match core {
                Some(core) => format!("当用户要{core}时使用。"),
                None if name.is_empty() => "当任务需要此技能时使用。".to_owned(),
                None => format!("当任务涉及{}时使用。", without_tool(name)),
            }
        }
    }
}

/// Returns a name without the word for a tool at its end: `日志查询器` is `日志查询`.
fn without_tool(name: &str) -> String {
    const MIN: usize = 4;
    let bare = without_kind(name, true);
    let stem = ["工具", "助手", "服务", "器"]
        .iter()
        .find_map(|kind| bare.strip_suffix(kind));
    let stem = stem
        .map(str::trim_end)
        .filter(|stem| stem.chars().count() >= MIN);
    stem.map_or_else(|| bare.clone(), str::to_owned)
}

/// Returns the deed of a Chinese purpose without its means: `通过邮件发送账单` is `发送账单`.
fn core(purpose: &str) -> &str {
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

fn in_english(name: &str, needs: &[&str], purposes: &[String], trades: &[&Trade]) -> String {
    let verbs: Vec<String> = needs.iter().filter_map(|need| infinitive(need)).collect();
    let nouns: Vec<&str> = trades.iter().map(|trade| trade.english).collect();
    match (verbs.is_empty(), nouns.is_empty()) {
        (false, _) => return format!("Use when you need to {}.", joined(&verbs, "or")),
        (true, false) => return format!("Use for requests about {}.", nouns.join(" and ")),
        (true, true) => {}
    }
    let objects = purposes.iter().filter_map(|purpose| object(purpose));
    match (objects.into_iter().next(), name.is_empty()) {
        (Some(object), _) => format!("Use for requests about {object}."),
        (None, false) => format!("Use when a task is about {}.", without_kind(name, true)),
        (None, true) => "Use when a task calls for this skill.".to_owned(),
    }
}

/// Returns words as a list: `a, b or c`.
fn joined(words: &[String], last: &str) -> String {
    match words {
        [head @ .., end] if !head.is_empty() => format!("{} {last} {end}", head.join(", ")),
        _ => words.concat(),
    }
}

/// Returns what an English purpose is about: its words after the verb, up to the means.
fn object(purpose: &str) -> Option<String> {
    let deed = infinitive(purpose)?;
    let (_, object) = deed.split_once(' ')?;
    let means = [
        " from ",
        " via ",
        " using ",
        " with ",
        " by ",
        " through ",
        " and ",
    ];
    let end = means.iter().filter_map(|word| object.find(word)).min();
    let object = object[..end.unwrap_or(object.len())].trim_end_matches([',', ';']);
    let is_clause = [
        "between ", "that ", "to ", "for ", "in ", "on ", "how ", "whether ", "if ",
    ]
    .iter()
    .any(|word| object.starts_with(word));
    if is_clause || !object.contains(' ') {
        return None;
    }
    (width(object) <= MAX).then(|| object.to_owned())
}

/// Returns the purpose in the form after `to`: its verbs without the ending of the third person.
/// The result is `None` if it does not begin with a verb, or continues with an unknown one.
fn infinitive(purpose: &str) -> Option<String> {
    let (first, rest) = purpose.split_once(' ').unwrap_or((purpose, ""));
    let lower = first.to_lowercase();
    if rest.starts_with("of ") || rest.is_empty() {
        return None;
    }
    let verb = bare_verb(&lower).or_else(|| {
        let article = rest.split(' ').next().unwrap_or_default();
        let object = ["a", "an", "the", "your", "its", "all", "one"].contains(&article);
        guessed(&lower).filter(|_| object)
    })?;
    let third = verb != lower;
    let mut res = vec![verb];
    let mut joined = false;
    for word in rest.split(' ').filter(|word| !word.is_empty()) {
        let known = bare_verb(word).filter(|_| joined && third && word.ends_with('s'));
        // `fetches and summarizes`: the second verb follows the first.
        joined = matches!(word, "and" | "or" | "then") || (word.ends_with(',') && third);
        res.push(known.unwrap_or_else(|| word.to_owned()));
    }
    Some(res.join(" "))
}

/// Returns the verb of a word in the first or third person, if it is a known one.
fn bare_verb(word: &str) -> Option<String> {
    let stems = [Some(word), word.strip_suffix('s'), word.strip_suffix("es")];
    let known = |stem: &&str| VERBS.split_whitespace().any(|verb| verb == *stem);
    let found = stems.into_iter().flatten().find(known).map(str::to_owned);
    found.or_else(|| {
        let stem = format!("{}y", word.strip_suffix("ies")?);
        known(&stem.as_str()).then_some(stem)
    })
}

/// Returns a word that looks like a verb in the third person, without its ending.
fn guessed(word: &str) -> Option<String> {
    let letters = word.len() > 3 && word.bytes().all(|b| b.is_ascii_lowercase());
    if !letters || ["ss", "us", "is"].iter().any(|end| word.ends_with(end)) {
        return None;
    }
    if let Some(stem) = word.strip_suffix("ies") {
        return Some(format!("{stem}y"));
    }
    let hissing = ["shes", "ches", "sses", "xes", "zzes", "oes"]
        .iter()
        .any(|end| word.ends_with(end));
    word.strip_suffix(if hissing { "es" } else { "s" })
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(purpose: &str, expected: Option<&str>) {
        assert_eq!(infinitive(purpose).as_deref(), expected);
    }

    #[test]
    fn third_person_becomes_infinitive() {
        check("Fetches daily papers", Some("fetch daily papers"));
        check("Lists files", Some("list files"));
        check("Create a task", Some("create a task"));
        check("Closes and reopens a file", Some("close and reopen a file"));
        check("Brews the tea", Some("brew the tea"));
        check("Carries a pot", Some("carry a pot"));
        check("Applies patches", Some("apply patches"));
        check("Weather forecasts", None);
        check("URL fetching", None);
        check("List of teas", None);
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
        let all: Vec<String> = all.iter().map(|&it| it.to_owned()).collect();
        assert_eq!(needs(&all, "按种类泡茶"), ["查询茶叶库存"]);
        assert_eq!(needs(&all, "查询茶叶库存和价格"), [""; 0]);
        assert_eq!(without_name("Kettle — 让水烧开"), "让水烧开");
        let cut = ["Kettle v1.5 — 更好".to_owned()];
        assert_eq!(needs(&cut, "烧水"), [""; 0]);
        assert_eq!(core("通过邮件发送账单"), "发送账单");
        assert_eq!(
            object("Fetches green teas from a shop").as_deref(),
            Some("green teas")
        );
    }

    #[test]
    fn sentences_in_both_languages() {
        let purposes = ["整理书签".to_owned()];
        assert_eq!(
            in_chinese("书签", &[], &purposes, &[]),
            "当用户要整理书签时使用。"
        );
        assert_eq!(
            in_chinese("书签插件", &[], &[], &[]),
            "当任务涉及书签时使用。"
        );
        let trades = trades::of_text("某城市的天气");
        assert_eq!(
            in_chinese("天气", &["查询湿度"], &purposes, &trades),
            "当用户说“今天天气怎么样”“要不要带伞”，或需要查询湿度时使用。"
        );
        assert_eq!(
            in_english(
                "Kettle",
                &["Fetches water", "Keep it warm", "Close the lid"],
                &[],
                &[]
            ),
            "Use when you need to fetch water, keep it warm or close the lid."
        );
        assert_eq!(
            in_english("Kettle", &[], &[], &trades),
            "Use for requests about weather."
        );
        assert_eq!(
            in_english("Kettle", &[], &[], &[]),
            "Use when a task is about Kettle."
        );
    }
}
