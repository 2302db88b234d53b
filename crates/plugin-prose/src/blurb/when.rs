//! Writes the sentence that says when to use a plugin, in the language of its text.
//!
//! The Agent Skills specification wants a description that says what a skill does and when to use
//! it; legacy descriptions lack the second part.

use super::deeds;
use super::english::in_english;
use super::names;
use super::needs::{self, SAME, is_need};
use super::one_object;
use super::openers::without_kind;
use super::purpose::plain;
use super::stated;
use super::text::{core, overlap, sentences, share_of_characters, spaced_end, spaced_start};
use super::trades::{self, Trade};
use super::what::{What, capital, without_name};
use crate::lex::chars::is_cjk;
use crate::source::PluginSource;

/// The maximum length of the sentence, in characters.
const MAX_CHARS: usize = 400;
/// The maximum number of requests, and of names.
const MAX_REQUESTS: usize = 6;
const MAX_NAMES: usize = 2;
/// The share of character pairs of a need, in percent, from which a request of the trade says it.
const ASKED: usize = 75;
/// The number of requests from which needs are not said.
const ENOUGH: usize = 2;
/// The share of the characters of a need, in percent, from which the description and the requests say it.
const TOLD: usize = 50;
/// The number of commands from which the text of one speaks for itself alone.
const MANY: usize = 4;
/// Trades with many plugins.
const CROWDED: [&str; 5] = [
    "image generation",
    "image editing",
    "video generation",
    "music generation",
    "web search",
];

/// When to use a plugin.
pub(crate) struct When {
    /// One line, which is never empty.
    pub(crate) sentence: String,
    /// The trade in the other language: in English for a Chinese plugin.
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
    let others = all_texts(source, purposes);
    let trades = trades_of(&name, what, &others);
    let is_asked = requests_of(&trades).len() >= ENOUGH;
    let needs = needs_of(purposes, what, &trades, chinese && is_asked);
    let needs: Vec<&str> = needs.iter().map(String::as_str).collect();
    let names = names_of(source, &name, what, (&trades, chinese), &others);
    // What one of many commands is for is not what the plugin is for.
    let n_texts = if source.commands.len() < MANY {
        source.texts.len()
    } else {
        0
    };
    let texts = [source.description].into_iter();
    let stated = stated::sentence(texts.chain(source.texts.iter().take(n_texts).copied()));
    // One item of a section on its use says less than the requests of a trade.
    let is_thin = |stated: &String| is_asked && !stated.contains(['、', '，']);
    let stated = stated.filter(|it| !is_thin(it));
    let sentence =
        stated.filter(|stated| stated.contains('当') || stated.contains('于') == chinese);
    let sentence = sentence.unwrap_or_else(|| {
        if chinese {
            let said = format!("{} {}", what.first, what.more);
            let rest = (&unsaid(purposes, &said)[..], &names[..]);
            let found = needs.is_empty() && trades.is_empty();
            let found = found.then(|| by_criteria(what)).flatten();
            let link = gives_link(source.texts.first().copied().unwrap_or_default(), &trades);
            found.unwrap_or_else(|| in_chinese(&name, &needs, rest, (&trades, link)))
        } else {
            in_english(&name, &needs, (purposes, &names), &trades)
        }
    });
    let ids: Vec<&str> = source.commands.iter().map(|(id, _)| *id).collect();
    When {
        sentence: sentence.chars().take(MAX_CHARS).collect(),
        english: if chinese {
            english_tail(&names, &trades, &ids)
        } else {
            chinese_tail(&trades)
        },
    }
}

/// Returns all texts of a plugin with the identifiers of its commands, in which kinds of work are looked for.
fn all_texts(source: &PluginSource<'_>, purposes: &[String]) -> String {
    let texts = [source.description].into_iter();
    let texts = texts.chain(purposes.iter().map(String::as_str));
    let ids = source.commands.iter().map(|(id, _)| *id);
    let all: Vec<&str> = texts
        .chain(source.texts.iter().copied())
        .chain(ids)
        .collect();
    all.join("\n")
}

/// Returns the trades of the name and the first sentence, then those of a second one on further work.
fn trades_of(name: &str, what: &What, others: &str) -> Vec<&'static Trade> {
    let kinds = sentences(&what.more).next();
    let kinds = kinds.filter(|it| it.starts_with("支持"));
    let of_first = trades::of_texts(&format!("{name}\n{}\n", what.first), others);
    let mut of_kinds = trades::of_texts(&format!("{}\n", kinds.unwrap_or_default()), others);
    // A mode of another work is not research on anything.
    of_kinds.retain(|it| it.name != "deep research");
    trades::joined(of_first, of_kinds)
}

/// Returns the needs that neither the description nor a request says; titles of commands are not what users
/// say, so none where the requests are enough.
fn needs_of(purposes: &[String], what: &What, trades: &[&Trade], is_asked: bool) -> Vec<String> {
    if is_asked {
        return Vec::new();
    }
    let said = format!("{} {}", what.first, what.more);
    let mut needs = needs::of_purposes(purposes, &said);
    if !trades.is_empty() {
        let requests = || trades.iter().flat_map(|trade| trade.requests.iter());
        let asked: Vec<&str> = requests().copied().collect();
        let told = format!("{} {}", what.first, asked.concat());
        needs.retain(|need| {
            let is_asked = requests().any(|request| overlap(core(need), request) >= ASKED);
            let is_told = share_of_characters(need, &told) >= TOLD;
            !is_asked && !is_told && !needs::is_upkeep(need)
        });
        return needs;
    }
    // Nobody comes for a plugin by its further sentences.
    if needs.is_empty() {
        needs = needs::of_purposes(purposes, &what.first);
    }
    // One need of several would be half of its work.
    if needs.len() <= 2
        && let Some((deeds, object)) = one_object::read(purposes)
    {
        needs.retain(|need| !need.contains(&object));
        needs.insert(0, format!("{deeds}{object}"));
    }
    needs
}

/// Returns the names by which users ask for a plugin: those of its title and, where plugins of a trade are
/// many, also the model or the service behind.
fn names_of(
    source: &PluginSource<'_>,
    name: &str,
    what: &What,
    (trades, chinese): (&[&Trade], bool),
    others: &str,
) -> Vec<String> {
    let mut names = if chinese {
        names::of_text(name)
    } else {
        Vec::new()
    };
    let is_service = !chinese && what.first.contains(" API");
    let is_crowded = is_service || trades.iter().any(|trade| CROWDED.contains(&trade.name));
    let is_of_work = what.first.contains('《');
    let first = if is_crowded || is_of_work {
        &*what.first
    } else {
        ""
    };
    let titled = format!("{name} {}", what.first);
    // Which databases it queries is in its further texts.
    let of_databases = trades.iter().any(|trade| trade.name == "databases");
    let of_databases = if of_databases { others } else { "" };
    let titled = format!("{titled} {of_databases}");
    let brands = names::brands(if chinese { &titled } else { "" });
    let is_said = |brand: &String| {
        let mut requests = trades.iter().flat_map(|trade| trade.requests.iter());
        requests.any(|request| request.contains(brand.as_str()))
    };
    let brands: Vec<String> = brands.into_iter().filter(|it| !is_said(it)).collect();
    let has_brand = !brands.is_empty();
    let own = (chinese && is_crowded).then(|| names::of_identifier(source.name));
    let is_read = |own: &String| others.to_lowercase().contains(&own.to_lowercase());
    let own = own.flatten().filter(is_read);
    let is_other = |known: &String, other: &String| {
        let (known, other) = (names::letters(known), names::letters(other));
        !known.contains(&other) && !other.contains(&known)
    };
    let first = names::of_text(first).into_iter();
    for other in brands.into_iter().chain(first).chain(own) {
        if names.iter().all(|known| is_other(known, &other)) {
            names.push(other);
        }
    }
    names.truncate(MAX_NAMES + usize::from(has_brand));
    names
}

/// Returns what a Chinese plugin is for in English, by its trades or else by the identifiers of its commands.
fn english_tail(names: &[String], trades: &[&Trade], ids: &[&str]) -> Option<String> {
    const MAX_DEEDS: usize = 4;
    let mut said: Vec<String> = Vec::new();
    for trade in trades {
        if said.len() < MAX_DEEDS && said.iter().all(|deed| deed != trade.deed) {
            said.push(trade.deed.to_owned());
        }
    }
    if said.is_empty() {
        let said = deeds::of_identifiers(names, ids)?;
        return Some(format!("{}.", capital(&said)));
    }
    let said = in_one(&said);
    // A client that matches words finds the service by its name.
    let is_new = |name: &&String| name.is_ascii() && !said.contains(name.as_str());
    let named: Vec<&str> = names.iter().filter(is_new).map(String::as_str).collect();
    let named = if named.is_empty() {
        String::new()
    } else {
        format!(" ({})", named.join(", "))
    };
    Some(format!("{}{named}.", capital(&said)))
}

/// Returns deeds as a list, each verb once. Some of them are lists themselves, so there is a comma before the
/// last.
fn in_one(deeds: &[String]) -> String {
    const VERBS: [&str; 8] = [
        "look up ",
        "find ",
        "get ",
        "draw ",
        "search ",
        "see ",
        "list ",
        "work out ",
    ];
    let verb = |deed: &str| VERBS.iter().copied().find(|verb| deed.starts_with(verb));
    let mut last = None;
    let mut said = Vec::new();
    for deed in deeds {
        let own = verb(deed);
        let is_same = own.is_some() && own == last;
        // `get the weather and see if it rains` has two verbs.
        let has_other = deed.split(" and ").skip(1).any(|part| verb(part).is_some());
        last = own.filter(|_| !has_other);
        let bare = own
            .filter(|_| is_same)
            .and_then(|verb| deed.strip_prefix(verb));
        said.push(bare.unwrap_or(deed).to_owned());
    }
    let deeds = &said[..];
    match deeds {
        [a, b] if !a.contains(" and ") && !b.contains(" and ") => format!("{a} and {b}"),
        [head @ .., last] if !head.is_empty() => format!("{}, and {last}", head.join(", ")),
        _ => deeds.concat(),
    }
}

/// Returns what the users of an English plugin say in Chinese.
fn chinese_tail(trades: &[&Trade]) -> Option<String> {
    let requests = requests_of(trades).into_iter();
    let requests: Vec<String> = requests.map(|it| format!("“{it}”")).collect();
    (!requests.is_empty()).then(|| format!("当用户说{}时使用。", requests.concat()))
}

/// Returns the requests of trades, at least one of each kind of work while there is room, in their order.
fn requests_of(trades: &[&Trade]) -> Vec<&'static str> {
    let all = || {
        trades
            .iter()
            .flat_map(|trade| trade.requests.iter().copied())
    };
    let firsts = trades
        .iter()
        .filter_map(|trade| trade.requests.first().copied());
    let mut chosen: Vec<&str> = Vec::new();
    for request in firsts.chain(all()) {
        if chosen.len() < MAX_REQUESTS && !chosen.contains(&request) {
            chosen.push(request);
        }
    }
    let mut res: Vec<&str> = Vec::new();
    for request in all().filter(|it| chosen.contains(it)) {
        if !res.contains(&request) {
            res.push(request);
        }
    }
    res
}

/// Returns the purposes that differ from what the description says.
fn unsaid(purposes: &[String], said: &str) -> Vec<String> {
    let is_new = |purpose: &&String| overlap(core(without_name(purpose)), said) < SAME;
    purposes.iter().filter(is_new).cloned().collect()
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

fn in_chinese(
    name: &str,
    needs: &[&str],
    (purposes, names): (&[String], &[String]),
    (trades, link): (&[&Trade], bool),
) -> String {
    let requests = requests_of(trades).into_iter();
    let requests: Vec<String> = requests.map(|it| format!("“{it}”")).collect();
    // A request names the trade; the name tells plugins of one trade apart.
    let named = names.iter().filter(|_| !requests.is_empty());
    let named = named.map(String::as_str).collect::<Vec<_>>().join("、");
    let mut requests = requests.concat();
    if !named.is_empty() {
        requests = format!("{requests}或点名{}", spaced_end(&spaced_start(&named)));
    }
    if link && !requests.is_empty() {
        let whose = names.first().map_or("", String::as_str);
        let whose = spaced_end(&spaced_start(whose));
        requests = format!(
            "{}或给出{whose}链接",
            spaced_end(&requests.trim_end().replace("或点名", "、点名"))
        );
    }
    // A need with a list in it ends with a comma.
    let has_list = needs.iter().any(|need| need.contains('、'));
    let needs = needs.join(if has_list { "，" } else { "、" });
    match (needs.is_empty(), requests.is_empty()) {
        (false, false) => format!("当用户说{}，或需要{needs}时使用。", requests.trim_end()),
        (true, false) => format!("当用户说{requests}时使用。"),
        (false, true) => format!("当需要{needs}时使用。"),
        (true, true) => {
            let core = purposes.iter().map(|purpose| core(without_name(purpose)));
            let is_tool = |core: &&str| core.ends_with("插件") || core.ends_with("工具");
            let core = core
                .into_iter()
                .find(|core| is_need(core) && !is_tool(core));
            match core {
                Some(core) => format!("当用户要{core}时使用。"),
                None if name.is_empty() => "当任务需要此技能时使用。".to_owned(),
                None => named_need(name),
            }
        }
    }
}

/// Returns true for a first command that needs a link, which a user hands over: `- url (必需): 茶叶的链接`. Where
/// links are the trade itself, its requests say so.
fn gives_link(text: &str, trades: &[&Trade]) -> bool {
    const NEAR: usize = 24;
    let is_link = |line: &str| {
        let line = line.trim_start_matches(|c: char| "-*`• ".contains(c));
        let rest = line
            .strip_prefix("url")
            .map(|rest| rest.trim_start_matches('`'));
        let Some((need, text)) = rest.and_then(|rest| rest.split_once([':', '：'])) else {
            return false;
        };
        let near: String = text.chars().take(NEAR).collect();
        let is_needed = need.contains("必需") || need.contains("必填");
        is_needed
            && ["URL", "链接", "网址"]
                .iter()
                .any(|word| near.contains(word))
    };
    let is_of_links = |trade: &&Trade| matches!(trade.name, "web pages" | "browser control");
    text.lines().any(is_link) && !trades.iter().any(is_of_links)
}

/// Returns the sentence of a plugin that finds one kind of thing in several ways, `查询茶叶订单。支持按日期、产地搜索。`:
/// `当用户问起茶叶订单，或需要按日期、产地搜索时使用。`
fn by_criteria(what: &What) -> Option<String> {
    const FINDS: [&str; 7] = ["查询", "查看", "搜索", "检索", "获取", "列出", "查找"];
    let object = FINDS
        .iter()
        .find_map(|deed| what.first.strip_prefix(deed))?;
    let by = |sentence: &str| {
        let way = sentence.strip_prefix("支持")?;
        let is_way = way.starts_with('按') && FINDS.iter().any(|deed| way.ends_with(deed));
        is_way.then(|| way.to_owned())
    };
    let way = sentences(&what.more).find_map(by)?;
    let is_name = !object.contains(['，', '、']);
    is_name.then(|| format!("当用户问起{object}，或需要{way}时使用。"))
}

/// Returns the sentence for a name alone: `茶叶库存查询` is `当用户要查询茶叶库存时使用。`
fn named_need(name: &str) -> String {
    const DEEDS: [(&str, &str); 16] = [
        ("查询", "查询"),
        ("检索", "检索"),
        ("搜索", "搜索"),
        ("监控", "查看"),
        ("提供", "查看"),
        ("管理", "管理"),
        ("生成", "生成"),
        ("执行", "执行"),
        ("分析", "分析"),
        ("折叠", "折叠"),
        ("渲染", "渲染"),
        ("备份", "备份"),
        ("翻译", "翻译"),
        ("测试", "测试"),
        (" Test", "测试 "),
        ("编辑", "编辑"),
    ];
    let name = &*without_tool(name.split(['(', '（']).next().unwrap_or_default().trim());
    let found = DEEDS.iter().find_map(|(end, deed)| {
        let object = name.strip_suffix(end)?.trim_end_matches(['的', ' ']);
        (object.chars().count() > 1).then_some((*deed, object))
    });
    match found {
        Some((deed, object)) => format!(
            "当用户要{}{}时使用。",
            deed.trim_end(),
            spaced_start(object)
        ),
        None => format!("当用户问到{}时使用。", spaced_end(&spaced_start(name))),
    }
}

/// Returns a name without the word for a tool at its end: `日志查询器` is `日志查询`.
fn without_tool(name: &str) -> String {
    const MIN: usize = 4;
    let bare = without_kind(name, true);
    let stem = ["工具", "助手", "服务", "引擎", "系统", "器"]
        .iter()
        .find_map(|kind| bare.strip_suffix(kind));
    let stem = stem
        .map(str::trim_end)
        .filter(|stem| stem.chars().count() >= MIN);
    stem.map_or_else(|| bare.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_finding_are_needs() {
        let check = |first: &str, more: &str, expected: Option<&str>| {
            let what = What {
                first: first.to_owned(),
                more: more.to_owned(),
            };
            assert_eq!(by_criteria(&what).as_deref(), expected, "{first}");
        };
        let expected = "当用户问起茶叶订单，或需要按日期、产地搜索时使用。";
        check("查询茶叶订单", "支持按日期、产地搜索。", Some(expected));
        check("查询茶叶订单", "支持保温。", None);
        check("烧水", "支持按日期搜索。", None);
    }

    #[test]
    fn sentences_in_both_languages() {
        let purposes = ["整理书签".to_owned()];
        assert_eq!(
            in_chinese("书签", &[], (&purposes, &[]), (&[], false)),
            "当用户要整理书签时使用。"
        );
        assert_eq!(
            in_chinese("书签插件", &[], (&[], &[]), (&[], false)),
            "当用户问到书签时使用。"
        );
        let trades = trades::of_texts("某城市的天气", "");
        assert_eq!(
            in_chinese("天气", &["查询湿度"], (&purposes, &[]), (&trades, false)),
            "当用户说“今天天气怎么样”“要不要带伞”，或需要查询湿度时使用。"
        );
        assert_eq!(
            in_chinese(
                "天气",
                &[],
                (&purposes, &["Rainy".to_owned()]),
                (&trades, true)
            ),
            "当用户说“今天天气怎么样”“要不要带伞”、点名 Rainy 或给出 Rainy 链接时使用。"
        );
        assert!(gives_link(
            "参数:\n- url (字符串, 必需): 天气的链接",
            &trades
        ));
        assert!(!gives_link("- url (字符串, 可选): 天气的链接", &trades));
        let names = ["Rainy".to_owned()];
        assert_eq!(
            in_chinese("天气", &[], (&purposes, &names), (&trades, false)),
            "当用户说“今天天气怎么样”“要不要带伞”或点名 Rainy 时使用。"
        );
        assert_eq!(named_need("茶叶库存查询"), "当用户要查询茶叶库存时使用。");
        assert_eq!(named_need("FRP 状态监控"), "当用户要查看 FRP 状态时使用。");
        assert_eq!(named_need("茶叶搜索器 (Rust)"), "当用户要搜索茶叶时使用。");
        assert_eq!(
            in_english("Kettle", &[], (&[], &names), &trades),
            "Use when the user wants to get the weather and find out if it will rain, or names Rainy."
        );
        assert_eq!(
            in_english(
                "Kettle",
                &["Fetches water", "Keep it warm", "Close the lid"],
                (&[], &[]),
                &[]
            ),
            "Use when you need to fetch water, keep it warm or close the lid."
        );
        assert_eq!(
            in_english("Kettle", &[], (&[], &[]), &trades),
            "Use when the user wants to get the weather and find out if it will rain."
        );
        assert_eq!(
            in_english("Kettle", &[], (&[], &[]), &[]),
            "Use when a task is about Kettle."
        );
    }
}
