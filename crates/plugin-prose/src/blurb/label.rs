//! Labels of what a plugin does, as sentences.
//!
//! Many manifests describe a plugin by a noun: `视频内容获取`. A reader of a list of skills looks for a verb
//! and its object: `获取视频内容`. Only words of the label are used.

use super::text::{clauses, spaced_end, spaced_start};
use crate::lex::chars::is_cjk;

/// Verbs at the end of a label. Verbs with an object of their own are not among them.
const VERBS: [&str; 6] = ["获取", "抓取", "生成", "创建与更新", "管理与整理", "操作"];

/// Verbs before a word such as `工具`.
const KIND_VERBS: [&str; 8] = [
    "监控", "管理", "核查", "检查", "分析", "查询", "检索", "搜索",
];

/// Words after a verb that say what does it.
const DOERS: [&str; 5] = ["系统", "工具", "管理器", "分析器", "助手"];

/// Words after the verb that say nothing.
const KINDS: [&str; 4] = ["服务", "工具", "功能", "能力"];

/// Nouns of what is looked at rather than done.
const VALUES: [&str; 4] = ["信息", "数据", "热榜", "行情"];

/// Words that are not in the object of a verb.
const NO_OBJECT: [&str; 16] = [
    "基于", "支持", "通过", "使用", "用于", "进行", "从", "对", "的", "将", "把", "自动", "可",
    "与", "和", "及",
];

/// Longer labels are sentences, in characters.
const MAX: usize = 24;

/// Returns a label as a verb with its object: `日记创建与更新服务` is `创建与更新日记`, and
/// `Foo V2 视频生成` is `用 Foo V2 生成视频`. Other texts are returned unchanged.
pub(crate) fn as_sentence(what: &str) -> String {
    let clause = clauses(what).next().map_or("", |(clause, _)| clause);
    let rest = &what[clause.len()..];
    let after = rest.trim_start_matches(['，', ',', ' ']);
    let goes_on = ["支持", "提供", "包括"]
        .iter()
        .any(|word| after.starts_with(word));
    let at = clause.find(['（', '(']).filter(|at| *at > 0);
    let (label, bracket) = clause.split_at(at.unwrap_or(clause.len()));
    let is_whole = bracket.is_empty() || bracket.ends_with([')', '）']);
    if !(rest.is_empty() || goes_on) || !is_whole {
        return what.to_owned();
    }
    match turned(label.trim_end()) {
        Some(turned) => format!("{turned}{bracket}{rest}"),
        None => what.to_owned(),
    }
}

/// Returns true for a label that says what kind of thing a plugin is, and not what it does:
/// `茶壶管家系统`.
pub(super) fn is_bare(what: &str) -> bool {
    const THINGS: [&str; 6] = ["系统", "工具", "引擎", "后端", "框架", "平台"];
    const DEEDS: [&str; 10] = [
        "管理", "监控", "搜索", "检索", "查询", "生成", "分析", "核查", "获取", "操作",
    ];
    let is_thing = THINGS.iter().any(|thing| what.ends_with(thing));
    let is_deed = DEEDS.iter().any(|deed| what.contains(deed));
    is_thing && !is_deed && what.chars().count() <= MAX + MAX && !what.contains(['，', ',', '；'])
}

/// Returns what a plugin does where its first clause says what it is: `多功能茶壶后端，用于烧水` is `烧水`,
/// and `Foo API 的封装，用于烧水` is `通过 Foo API 烧水`.
pub(super) fn used_for(what: &str) -> Option<String> {
    const MIN: usize = 4;
    const SHELLS: [&str; 4] = ["的封装能力", "的封装工具", "的封装", "封装"];
    let clause = clauses(what).next().map_or("", |(clause, _)| clause);
    let rest = what[clause.len()..].trim_start_matches(['，', ',', ' ']);
    let use_ = ["用于", "用来"]
        .iter()
        .find_map(|word| rest.strip_prefix(word))?;
    if use_.chars().count() < MIN {
        return None;
    }
    let service = SHELLS.iter().find_map(|shell| clause.strip_suffix(shell));
    match service.map(str::trim) {
        Some(service) if service.ends_with("API") => Some(format!("通过 {service} {use_}")),
        Some(_) => None,
        None => is_bare(clause).then(|| use_.to_owned()),
    }
}

fn turned(label: &str) -> Option<String> {
    let is_label = label.chars().count() <= MAX
        && !label.contains(['、', '；', '：', '（', '(', ',', ';', ':', '/']);
    if !is_label {
        return None;
    }
    with_means(label)
        .or_else(|| of_doer(label))
        .or_else(|| of_verb(label))
        .or_else(|| of_value(label))
}

/// Turns `基于 Foo API 的图像生成` into `通过 Foo API 生成图像`.
fn with_means(label: &str) -> Option<String> {
    let (means, deed) = label.strip_prefix("基于")?.split_once('的')?;
    let verb = VERBS
        .iter()
        .chain(&KIND_VERBS)
        .find(|verb| deed.ends_with(**verb))?;
    let object = deed.strip_suffix(verb)?.trim();
    is_object(object).then(|| {
        format!(
            "通过{}{verb}{}",
            spaced_end(&spaced_start(means.trim())),
            spaced_start(object)
        )
    })
}

/// Turns `事件驱动的 Foo 日志监控系统` into `监控 Foo 日志`.
fn of_doer(label: &str) -> Option<String> {
    const PRAISE: [&str; 4] = ["智能", "多功能", "综合", "轻量"];
    let doer = DOERS.iter().find(|doer| label.ends_with(**doer))?;
    // The verb of `管理器` is in the word.
    let bare = label.strip_suffix(doer.trim_end_matches('器'));
    let bare = bare.or_else(|| label.strip_suffix('器'))?.trim_end();
    let bare = bare.trim_end_matches("通用");
    let verb = KIND_VERBS.iter().find(|verb| bare.ends_with(**verb))?;
    let object = bare.strip_suffix(verb)?.trim();
    let object = object.rsplit_once('的').map_or(object, |(_, rest)| rest);
    let object = PRAISE
        .iter()
        .find_map(|word| object.trim_start().strip_prefix(word))
        .unwrap_or(object)
        .trim();
    is_object(object).then(|| format!("{verb}{}", spaced_start(object)))
}

fn of_verb(label: &str) -> Option<String> {
    let bare = KINDS
        .iter()
        .find_map(|kind| label.strip_suffix(kind))
        .unwrap_or(label);
    let verb = VERBS.iter().find(|verb| bare.ends_with(**verb))?;
    let object = bare.strip_suffix(verb)?.trim_end();
    let object = ["通用", "VCP"]
        .iter()
        .find_map(|word| object.strip_prefix(word))
        .unwrap_or(object)
        .trim_start();
    let object = ["的完整", "的全部"]
        .iter()
        .find_map(|end| object.strip_suffix(end))
        .unwrap_or(object);
    if !is_object(object) {
        return None;
    }
    let (product, made) = product(object);
    Some(match (*verb, product) {
        ("生成", "") => format!("生成{}", spaced_start(object)),
        ("生成", product) if !made.is_empty() => format!("用 {product} 生成{made}"),
        (verb, _) => format!("{verb}{}", spaced_start(object)),
    })
}

/// Turns `实时的茶叶信息` into `获取实时的茶叶信息`.
fn of_value(label: &str) -> Option<String> {
    const DEEDS: [&str; 17] = [
        "获取", "提供", "查询", "查看", "显示", "更新", "返回", "读取", "列出", "收集", "生成",
        "管理", "搜索", "记录", "查找", "通过", "使用",
    ];
    let label = label
        .strip_suffix("引擎")
        .filter(|bare| bare.ends_with("数据"))
        .unwrap_or(label);
    let is_value = VALUES.iter().any(|value| label.ends_with(value));
    let is_deed = DEEDS.iter().any(|deed| label.contains(deed))
        || label.starts_with(['从', '将', '对', '向', '在', '由', '该', '此', '本'])
        || label.starts_with('当') && !label.starts_with("当前");
    (is_value && !is_deed).then(|| format!("获取{}", spaced_start(label)))
}

/// Returns true for an object: at least a word of Chinese or of Latin letters, without words of a clause.
fn is_object(text: &str) -> bool {
    let n_wide = text.chars().filter(|c| is_cjk(*c)).count();
    let n_latin = text.chars().filter(char::is_ascii_alphanumeric).count();
    // `语义级` is how, not what.
    let is_manner = text.ends_with(['级', '式', '型', '化']) || text.ends_with("并发");
    (n_wide >= 2 || n_latin >= 3) && !is_manner && !NO_OBJECT.iter().any(|word| text.contains(word))
}

/// Divides an object into the name of a product and the rest: `Foo V2 视频`.
fn product(object: &str) -> (&str, &str) {
    let at = object.find(is_cjk).unwrap_or(object.len());
    let (product, made) = object.split_at(at);
    (product.trim(), made)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_a_verb_with_an_object() {
        let check = |what: &str, expected: &str| assert_eq!(as_sentence(what), expected);
        check("Tea 视频内容获取", "获取 Tea 视频内容");
        check("通用 URL 内容获取", "获取 URL 内容");
        check("日记创建与更新服务", "创建与更新日记");
        check("Foo V2.0 视频生成", "用 Foo V2.0 生成视频");
        check("视频生成", "生成视频");
        check(
            "茶单管理与整理，提供两种顺序",
            "管理与整理茶单，提供两种顺序",
        );
        check("VCP Kettle 操作", "操作 Kettle");
        check("VCP茶单操作（Tea-First）", "操作茶单（Tea-First）");
        check(
            "基于某引擎 API 的图像生成，支持重试",
            "通过某引擎 API 生成图像，支持重试",
        );
        check("事件驱动的 Kettle 日志监控系统", "监控 Kettle 日志");
        check("基于配置档驱动的智能 Kettle 管理器", "管理 Kettle");
        check("VCP茶馆论坛的完整操作", "操作茶馆论坛");
        check("茶叶智能数据引擎", "获取茶叶智能数据");
        check("实时的茶叶信息", "获取实时的茶叶信息");
        check("当前茶馆的状态信息", "获取当前茶馆的状态信息");
        for sentence in [
            "获取网页",
            "从网页获取",
            "支持视频生成",
            "文生图、视频生成",
            "自动获取",
            "语义级并发搜索引擎",
            "语义级搜索工具",
            "提供茶叶信息",
            "通过图片查找茶叶信息",
            "泡茶，然后获取",
            "基于某 API 的搜索与网页抓取",
            "Boils water",
            "",
        ] {
            check(sentence, sentence);
        }
    }

    #[test]
    fn kinds_of_things_give_way_to_deeds() {
        let check = |what: &str, expected: Option<&str>| {
            assert_eq!(used_for(what).as_deref(), expected, "{what}");
        };
        check("多功能茶壶后端，用于烧一壶水", Some("烧一壶水"));
        check(
            "Foo v2 API 的封装能力，用于检索茶叶",
            Some("通过 Foo v2 API 检索茶叶"),
        );
        check("茶叶，用于烧一壶水", None);
        check("烧水", None);
        assert!(is_bare("茶壶管家系统") && is_bare("基于 Foo 库封装的工具"));
        assert!(!is_bare("茶叶搜索引擎") && !is_bare("烧水，然后关闭系统"));
    }
}
