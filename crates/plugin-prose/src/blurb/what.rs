//! Says what a plugin does: its own description without what is about the plugin or its host.
//!
//! Whole sentences and clauses are kept or left out, and nothing is rephrased, so nothing is invented.
//! What is left out is in the body and in `METADATA.yml`.

use std::borrow::Cow;

use super::sentence::{after_label, clean, english_tail};
use super::text::{clauses, core, is_about_host, is_about_make, overlap, sentences, width};
use super::{label, openers, purpose, wording};
use crate::lex::chars::is_cjk;
use crate::lex::group;
use crate::source::PluginSource;
use crate::summary::is_about_calls;

/// The maximum width of the first sentence, and of all others; a Chinese character is two wide.
const MAX_FIRST: usize = 124;
const MAX_MORE: usize = 140;

/// The purpose of a plugin, in sentences.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct What {
    /// One sentence without its stop.
    pub(crate) first: String,
    /// Further sentences with their stops.
    pub(crate) more: String,
}

/// Returns what a plugin does, from its description, or else from its commands.
pub(crate) fn of_plugin(source: &PluginSource<'_>) -> What {
    let text = before_list(source.description);
    let is_versions = sentences(text).next().is_some_and(begins_with_version);
    if is_versions && !source.commands.is_empty() {
        return of_commands(source);
    }
    let kept = sentences(text)
        .filter(|sentence| !is_noise(sentence))
        .filter(|sentence| {
            clauses(sentence).any(|(clause, _)| !is_about_host(&english_tail(clause)))
        })
        .enumerate()
        .map(|(at, sentence)| clean(sentence, at == 0))
        .filter(|sentence| says_something(sentence));
    let mut kept = kept.collect::<Vec<_>>().into_iter().peekable();
    let mut first = kept.next();
    // What a plugin does comes before what it is.
    if first.as_deref().is_some_and(label::is_bare) && kept.peek().is_some_and(|it| has_deed(it)) {
        first = kept.next().map(|first| after_label(&first, true));
    }
    // A few words before a sentence that names what there is.
    if first.as_deref().is_some_and(is_thin) && kept.peek().is_some_and(|it| lists_things(it)) {
        first = kept.next();
    }
    let first = first.map(|first| without_own_name(source, &first));
    let first = first.map(|first| label::used_for(openers::strip(&first)).unwrap_or(first));
    let Some(first) = first else {
        return of_commands(source);
    };
    let bare = openers::without_make(openers::strip(&first));
    let bare = if bare.len() < first.len() {
        capital(&bare)
    } else {
        first.clone()
    };
    let first = told_by_command(source, &bare).unwrap_or_else(|| cut(&bare, MAX_FIRST));
    let mut more = String::new();
    for sentence in kept {
        if sentence.contains("config.env")
            || is_about_make(&sentence)
            || wording::is_detail(&sentence)
        {
            continue;
        }
        let sentence = wording::plain(&sentence);
        let room = MAX_MORE.saturating_sub(width(&more));
        let Some(sentence) = within(sentence, room) else {
            break;
        };
        let is_said = |part: &str| !part.contains(&sentence);
        if is_said(&first) && is_said(&more) {
            push(&mut more, &sentence);
        }
    }
    What { first, more }
}

/// Returns a sentence without the plugin's name before a dash, `茶壶管家 - 按产地搜索茶叶`; before what it
/// supports the name stays, as a clause.
fn without_own_name(source: &PluginSource<'_>, sentence: &str) -> String {
    const MAX: usize = 30;
    const SAME: usize = 60;
    let dash = [" - ", " — ", " – ", "——"];
    let found = dash.iter().find_map(|dash| sentence.split_once(dash));
    let Some((label, rest)) = found else {
        return sentence.to_owned();
    };
    let names = format!(
        "{} {}",
        source.display_name.unwrap_or_default(),
        source.name
    );
    let is_name = label.chars().count() <= MAX && overlap(label, &names) >= SAME;
    let goes_on = rest.starts_with("支持") && !label.ends_with("插件");
    match (is_name && says_something(rest), goes_on) {
        (true, true) => format!("{label}，{rest}"),
        (true, false) => rest.trim_start().to_owned(),
        (false, _) => sentence.to_owned(),
    }
}

/// Returns a sentence that fits, or the beginning of its list of things: `支持烧水、泡茶等`.
fn within(sentence: String, room: usize) -> Option<String> {
    const MIN_ITEMS: usize = 4;
    if width(&sentence) <= room {
        return Some(sentence);
    }
    let bare = without_brackets(&sentence);
    let items: Vec<&str> = bare.split('、').collect();
    if items.len() < MIN_ITEMS || bare.contains(['，', '；', '。']) {
        return None;
    }
    let mut res = String::new();
    let mut n_kept = 0;
    for item in &items[..items.len() - 1] {
        let next = if n_kept == 0 {
            (*item).to_owned()
        } else {
            format!("{res}、{item}")
        };
        if width(&next) + width("等") > room {
            break;
        }
        (res, n_kept) = (next, n_kept + 1);
    }
    (n_kept >= MIN_ITEMS - 1).then(|| format!("{res}等"))
}

/// Returns a sentence without its remarks in brackets.
fn without_brackets(sentence: &str) -> String {
    let mut res = String::new();
    let mut rest = sentence;
    while let Some(c) = rest.chars().next() {
        match group::take(rest).filter(|_| matches!(c, '(' | '（')) {
            Some((_, after)) => rest = after,
            None => {
                res.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
    }
    res
}

/// Returns true for a label of a few words: `茶叶内容获取`.
fn is_thin(first: &str) -> bool {
    const FEW: usize = 26;
    width(first) <= FEW && !first.contains(['，', ',', '、'])
}

/// Returns true for a sentence on what one gets, of at least three things: `基于某 API 获取茶名、产地与价格`.
fn lists_things(sentence: &str) -> bool {
    const MIN: usize = 3;
    const GETS: [&str; 4] = ["获取", "查询", "提取", "抓取"];
    let starts = ["基于", "通过", "使用", "从"];
    let clause = clauses(sentence).next().map_or("", |(clause, _)| clause);
    let got = GETS.iter().find_map(|word| clause.split_once(word));
    let is_list = got.is_some_and(|(_, things)| things.split(['、', '与', '和']).count() >= MIN);
    is_list && starts.iter().any(|start| clause.starts_with(start))
}

/// Returns what the only command of a plugin does, where the description says it in a few words and the
/// command in more: `获取网页` and `访问网页的内容，支持图片与文件`.
fn told_by_command(source: &PluginSource<'_>, first: &str) -> Option<String> {
    const FEW: usize = 20;
    const MORE: usize = 16;
    let [(_, summary)] = source.commands else {
        return None;
    };
    let sentence = sentences(summary).next()?;
    let is_noise = is_noise(sentence) || is_about_host(sentence) || is_about_make(sentence);
    let said = openers::without_agent(openers::strip(sentence));
    let said = cut(&purpose::plain(said), MAX_FIRST);
    let is_more = width(first) <= FEW && width(&said) >= width(first) + MORE;
    let is_deed = first.chars().any(is_cjk) && has_deed(&said) && !said.contains(['：', ':']);
    (is_more && is_deed && !is_noise).then_some(said)
}

/// Returns the purpose of the first command, for a description that says nothing of use.
fn of_commands(source: &PluginSource<'_>) -> What {
    let named = source.texts.iter().find_map(|text| named_purpose(text));
    if let Some(first) = named {
        return What {
            first,
            more: String::new(),
        };
    }
    let summaries = source.commands.iter().map(|(_, summary)| *summary);
    let texts = summaries.chain([source.description]);
    let mut purposes = texts.map(|text| without_name(&purpose::of_text(text)).to_owned());
    let first = purposes.find(|purpose| says_something(purpose));
    What {
        first: first.unwrap_or_default(),
        more: String::new(),
    }
}

/// Returns the purpose that a text names so: `**核心用途**：整理书签`.
fn named_purpose(text: &str) -> Option<String> {
    const LABELS: [&str; 3] = ["核心用途", "主要用途", "用途"];
    text.lines().find_map(|line| {
        let line = purpose::plain(line);
        let (label, rest) = line.split_once(['：', ':'])?;
        let rest = rest.split('。').next().unwrap_or_default().trim();
        let is_purpose = LABELS.contains(&label.trim()) && says_something(rest);
        is_purpose.then(|| cut(rest, MAX_FIRST))
    })
}

/// Returns a sentence that begins with a capital letter.
pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(c) => c.to_ascii_uppercase().to_string() + chars.as_str(),
        None => String::new(),
    }
}

/// Skips a name with a dash: `Kettle — boils water`.
pub(crate) fn without_name(purpose: &str) -> &str {
    let found = [" — ", " - ", "——"]
        .iter()
        .find_map(|dash| purpose.split_once(dash));
    found.map_or(purpose, |(_, rest)| rest.trim())
}

/// Appends a sentence with the stop of its script.
fn push(acc: &mut String, sentence: &str) {
    let is_wide = sentence.chars().any(is_cjk);
    if !acc.is_empty() && !is_wide {
        acc.push(' ');
    }
    acc.push_str(sentence);
    acc.push(if is_wide { '。' } else { '.' });
}

/// Returns a text up to its first numbered list or section in brackets, without a label before it.
fn before_list(text: &str) -> &str {
    let starts = [
        " 1. ",
        "：1.",
        ":1.",
        "\n1.",
        "： 1.",
        ": 1.",
        " 【",
        "\n【",
        "。【",
        "。参数:",
        "。参数：",
        "\n参数",
        "\nParameters",
    ];
    let at = starts.iter().filter_map(|start| text.find(start)).min();
    let Some(at) = at.filter(|at| *at > 0) else {
        return text;
    };
    let head = text[..at].trim_end();
    let label = head.strip_suffix([':', '：']);
    let label = label.or_else(|| text[at..].starts_with([':', '：']).then_some(head));
    let Some(label) = label else {
        return head;
    };
    let end = label.rfind(['。', '！', '；', '\n']);
    end.map_or(label, |end| &label[..end])
}

/// Returns true for a sentence on versions, authors or the syntax of calls.
fn is_noise(sentence: &str) -> bool {
    const NOISE: [&str; 17] = [
        "实现参考",
        "平滑迁移",
        "该版本为",
        "新增：",
        "新增:",
        "已修复",
        "修复了",
        "更新日志",
        "作者：",
        "作者:",
        "Author:",
        "Changelog",
        "特定格式",
        "精确格式",
        "「始」",
        "TOOL_REQUEST",
        "Stage ",
    ];
    let is_call = is_about_calls(sentence);
    is_call
        || is_of_service(sentence)
        || NOISE.iter().any(|noise| sentence.contains(noise))
        || begins_with_version(sentence)
}

/// Returns true for what a service does by itself, and that it offers tools: a call does neither.
pub(super) fn is_of_service(sentence: &str) -> bool {
    let bare = sentence.split_once('：').map_or(sentence, |(_, rest)| rest);
    bare.starts_with("常驻") && bare.contains("连接")
        || bare.starts_with("同时提供") && bare.contains("工具")
}

/// Returns true for `v1.5: …`, `Name v1.5 — …` and `1.2.0 …`: a version at the start, of the changes in
/// it.
pub(crate) fn begins_with_version(sentence: &str) -> bool {
    let mut words = sentence.split_whitespace();
    let is_version = |word: &str| {
        let word = word.trim_end_matches([':', '：', '-', '—']);
        let digits = word.trim_start_matches(['v', 'V']);
        let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        digits.contains('.') && digits.split('.').all(is_number)
    };
    let (first, second, third) = (words.next(), words.next(), words.next());
    let is_dash = |word: &str| {
        word.chars()
            .all(|c| matches!(c, '—' | '–' | '-' | ':' | '：'))
    };
    let changes = [
        "增加", "新增", "支持", "修复", "升级", "优化", "重构", "adds", "fixes",
    ];
    let is_change = || {
        let clause = sentence.split(['，', ',']).next().unwrap_or_default();
        changes.iter().any(|word| clause.contains(word))
    };
    first.is_some_and(|word| is_version(word) && word.ends_with([':', '：']))
        || first.is_some_and(is_version) && is_change()
        || first.is_some_and(|word| word.starts_with(['v', 'V']) && is_version(word))
        || second.is_some_and(is_version) && third.is_some_and(is_dash)
}

/// Returns true for a Chinese sentence with room for a verb and its object.
fn has_deed(sentence: &str) -> bool {
    const MIN: usize = 6;
    const ASIDES: [&str; 5] = ["支持", "需要", "注意", "默认", "包含"];
    sentence.chars().filter(|c| is_cjk(*c)).count() >= MIN
        && !ASIDES.iter().any(|word| sentence.starts_with(word))
}

/// Returns true if a sentence has words beyond a name.
fn says_something(sentence: &str) -> bool {
    let n_wide = sentence.chars().filter(|c| is_cjk(*c)).count();
    n_wide >= 2 || sentence.split_whitespace().count() >= 2
}

/// Returns a further clause without its means: `并通过 Foo API 获取水温` is `并获取水温`.
fn without_means(clause: &str) -> Cow<'_, str> {
    let Some(deed) = clause.trim_start().strip_prefix('并') else {
        return clause.into();
    };
    let core = core(deed);
    if core.len() < deed.len() {
        format!("并{core}").into()
    } else {
        clause.into()
    }
}

/// Cuts a sentence after whole clauses, at least one.
fn cut(sentence: &str, max: usize) -> String {
    if width(sentence) <= max {
        return sentence.to_owned();
    }
    let mut res = String::new();
    let mut pending = "";
    for (clause, separator) in clauses(sentence) {
        let is_long = |clause: &str| !res.is_empty() && width(&res) + width(clause) > max;
        let clause = if is_long(clause) {
            without_means(clause)
        } else {
            clause.into()
        };
        if is_long(&clause) {
            let room = max.saturating_sub(width(&res));
            if let Some(list) = within(clause.into_owned(), room).filter(|_| is_thin(&res)) {
                res.push_str(pending);
                res.push_str(&list);
            }
            break;
        }
        res.push_str(pending);
        res.push_str(&clause);
        pending = separator;
    }
    res.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(description: &str, first: &str, more: &str) {
        let found = of_plugin(&PluginSource {
            name: "X",
            display_name: None,
            description,
            commands: &[("go", "煮一壶水。")],
            texts: &[],
            placeholders: &[],
        });
        assert_eq!((found.first.as_str(), found.more.as_str()), (first, more));
    }

    #[test]
    fn words_about_the_plugin_are_left_out() {
        check("一个用于整理书签的同步插件。", "整理书签", "");
        check(
            "书签插件：按标签整理书签，支持导出。",
            "按标签整理书签，支持导出",
            "",
        );
        check("允许AI通过邮件发送账单。", "通过邮件发送账单", "");
        check("A plugin that sorts old letters.", "Sorts old letters", "");
        check("Letter sorting plugin.", "Letter sorting", "");
        check("允许主人的AI烧水并保持温度。", "烧水并保持温度", "");
        check("供 Agent 或用户烧水并保持温度。", "烧水并保持温度", "");
        check(
            "茶壶，对任意一种茶叶用合适的水温冲泡（返回时间和水温）、用语音提醒茶已经泡好、给其他人留一壶热茶、记录泡茶的次数与时间、在夜里自动关灯并锁门。",
            "茶壶，对任意一种茶叶用合适的水温冲泡、用语音提醒茶已经泡好、给其他人留一壶热茶、记录泡茶的次数与时间等",
            "",
        );
        check(
            "Kettle integration for VCPToolBox with steam checks, tea and cups.",
            "Kettle integration with steam checks, tea and cups",
            "",
        );
        check(
            "一个使用 Rust 编写的高性能茶叶搜索插件，可以按产地快速搜索茶叶。",
            "按产地快速搜索茶叶",
            "",
        );
        check(
            "查询茶叶数据库的 VCP 工具，提供价格。",
            "查询茶叶数据库，提供价格",
            "",
        );
        check("茶叶搜索，38+专业命令。", "茶叶搜索", "");
        check(
            "混合服务插件：常驻茶馆长连接，收到消息后烧水。",
            "煮一壶水",
            "",
        );
        check("烧水插件（纯Python实现）。", "烧水", "");
        check("一个同步 VCP 工具，用于搜索茶叶存货。", "搜索茶叶存货", "");
        check("一个同步 VCP 插件，用于搜索茶叶存货。", "搜索茶叶存货", "");
        check("一个极简、高效的烧水引擎。", "烧水引擎", "");
        check("茶壶管家系统。可以烧水并保持温度。", "烧水并保持温度", "");
        check(
            "提供对 Kettle API 的封装，用于烧各种水。",
            "通过 Kettle API 烧各种水",
            "",
        );
        check(
            "茶叶内容获取插件。基于某 API 获取茶名、产地与价格，支持中文。快。",
            "基于某 API 获取茶名、产地与价格，支持中文",
            "",
        );
        check(
            "多功能后端，用于烧各种水。支持定时。",
            "烧各种水",
            "支持定时。",
        );
        check(
            "整理书签插件。支持多种浏览器。",
            "整理书签",
            "支持多种浏览器。",
        );
    }

    #[test]
    fn praise_is_left_out() {
        check(
            "创建和编辑茶单文件，实现自动补货能力。",
            "创建和编辑茶单文件",
            "",
        );
        check(
            "进行高级的茶叶搜索。特别增强了保温能力，可自动加热。",
            "进行茶叶搜索",
            "可自动加热。",
        );
        check("烧水。特别增强了保温能力。", "烧水", "特别增强了保温能力。");
    }

    #[test]
    fn plugins_that_are_objects_stay() {
        check("输入名字后，查找对应插件。", "输入名字后，查找对应插件", "");
        check(
            "基于某库封装的 VCP 同步插件。",
            "基于某库封装的 VCP 工具",
            "",
        );
    }

    #[test]
    fn clauses_about_the_host_are_left_out() {
        check(
            "每小时统计茶叶库存，并通过占位符 {{TeaStock}} 提供。",
            "每小时统计茶叶库存",
            "",
        );
        check(
            "Counts the tea in stock and provides it as a placeholder. Fast and small.",
            "Counts the tea in stock",
            "Fast and small.",
        );
    }

    #[test]
    fn versions_and_calls_are_left_out() {
        check("烧三种水，提供统一的工具名和调用方式。", "烧三种水", "");
        check("烧水并保持温度。v1.2.0 新增：静音。", "烧水并保持温度", "");
        check(
            "烧水并保持温度。AI应使用特定格式请求此工具。",
            "烧水并保持温度",
            "",
        );
        check("Kettle v1.5 — 更好的保温：三档。双保证。", "煮一壶水", "");
    }

    #[test]
    fn lists_and_long_sentences_end_at_clauses() {
        check(
            "烧水。支持分析不同茶叶的颜色与香气、动态识别各种茶具的大小和用途（含部分没有把手的杯子）、给常来的茶客推荐他们没有喝过的茶、按季节安排每一次的泡茶、查询各地茶园的天气与雨水、检查茶叶的库存状态与可选的声音提示。",
            "烧水",
            "支持分析不同茶叶的颜色与香气、动态识别各种茶具的大小和用途、给常来的茶客推荐他们没有喝过的茶、按季节安排每一次的泡茶等。",
        );
        check(
            "烧水并保持温度。支持：1. 绿茶 2. 红茶",
            "烧水并保持温度",
            "",
        );
        let long = format!("烧水{}，并通过 Kettle API v3 获取水温。", "慢".repeat(54));
        check(&long, &format!("烧水{}，并获取水温", "慢".repeat(54)), "");
        let long = format!("烧水并保持温度，{}，{}。", "慢".repeat(40), "快".repeat(40));
        check(&long, &format!("烧水并保持温度，{}", "慢".repeat(40)), "");
    }
}
