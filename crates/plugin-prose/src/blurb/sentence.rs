//! One sentence of a description, without what is about the plugin, its host or its praise.

use super::text::{clauses, is_about_host};
use super::{openers, purpose};

/// Returns a sentence without clauses on the host, and without the word for a plugin.
pub(super) fn clean(sentence: &str, is_first: bool) -> String {
    const FOR_HOST: [&str; 3] = [" for VCPToolBox", " in VCPToolBox", " for VCP ToolBox"];
    let whole = FOR_HOST
        .iter()
        .fold(sentence.to_owned(), |text, it| text.replace(it, ""));
    let sentence = &*whole;
    let mut res = String::new();
    for (at, (clause, separator)) in clauses(sentence).enumerate() {
        let is_other = is_about_host(clause)
            || is_count(clause)
            || is_about_form(clause)
            || clause.contains("根目录");
        let is_left_out = is_other && (at > 0 || clauses(sentence).count() > 1);
        if !is_left_out {
            let clause = english_tail(openers::without_agent(clause));
            let clause = openers::without_make(&clause);
            let clause = openers::without_kind(&clause, is_first && at == 0);
            if at == 0 && is_label(&clause, sentence) {
                continue;
            }
            let clause = after_label(&clause, at > 0 && res.is_empty());
            res.push_str(&purpose::plain(&clause));
            res.push_str(separator);
        }
    }
    let res = res
        .trim()
        .trim_end_matches(['，', ',', '；', ';', '、', '：', ':']);
    let res = without_praise(res);
    res.replace("本插件", "本技能").replace("该插件", "本技能")
}

/// Returns a sentence without the praise before what it says: `特别增强了保温能力，可自动加热` is
/// `可自动加热`, and `进行高级的图像生成` is `进行图像生成`.
pub(super) fn without_praise(sentence: &str) -> String {
    const MADE: [&str; 4] = ["特别增强了", "大幅增强了", "全面升级了", "显著提升了"];
    const BETTER: [&str; 4] = ["高级的", "强大的", "优秀的", "专业级的"];
    const WAYS: [&str; 3] = ["并输出到 stdout", "并输出到stdout", "并输出到标准输出"];
    let first = clauses(sentence).next().map_or("", |(clause, _)| clause);
    let is_made = MADE.iter().any(|word| first.starts_with(word));
    let rest = sentence[first.len()..].trim_start_matches(['，', ',', ' ']);
    let kept = if is_made && !rest.is_empty() {
        rest
    } else {
        sentence
    };
    let text = BETTER
        .iter()
        .chain(&WAYS)
        .fold(kept.to_owned(), |text, word| text.replace(word, ""));
    without_promise(&text)
}

/// Returns true for a clause that counts the commands: `38+专业命令`.
fn is_count(clause: &str) -> bool {
    const MAX: usize = 12;
    let clause = clause.trim();
    clause.starts_with(|c: char| c.is_ascii_digit())
        && (clause.ends_with("命令") || clause.ends_with("指令"))
        && clause.chars().count() <= MAX
}

/// Returns a sentence without a last clause that names an ability.
fn without_promise(sentence: &str) -> String {
    let bare = sentence.trim_end_matches(['。', ' ']);
    match bare.rsplit_once('，') {
        Some((rest, last)) if is_promise(last) => format!("{rest}{}", &sentence[bare.len()..]),
        _ => sentence.to_owned(),
    }
}

/// Returns true for a clause that names an ability instead of a deed: `实现元自学习能力`.
fn is_promise(clause: &str) -> bool {
    const MAX: usize = 12;
    let clause = clause.trim();
    let begins = ["实现", "具备", "拥有", "赋予"]
        .iter()
        .any(|it| clause.starts_with(it));
    begins && clause.ends_with("能力") && clause.chars().count() <= MAX
}

/// Returns true for a clause on the form of the calls: `提供统一的工具名和调用方式`.
fn is_about_form(clause: &str) -> bool {
    const FORMS: [&str; 4] = ["调用方式", "调用接口", "工具名", "调用入口"];
    clause.trim_start().starts_with("提供统一的") && FORMS.iter().any(|form| clause.contains(form))
}

/// Returns true for a first clause that names a kind of plugin, when the next one says what it can do:
/// `茶叶搜索插件，可以按产地搜索`.
fn is_label(clause: &str, sentence: &str) -> bool {
    let mut all = clauses(sentence).map(|(clause, _)| clause);
    let (first, second) = (all.next().unwrap_or_default(), all.next());
    let is_kind = first.ends_with("插件") || first.ends_with("工具");
    let starts = ["这是", "一个", "一款", "同步", "异步", "静态", " "];
    let bare = starts.iter().fold(clause, |text, start| {
        text.strip_prefix(start).unwrap_or(text)
    });
    let is_empty = matches!(bare.trim(), "" | "VCP 工具" | "VCP工具");
    is_empty || is_kind && second.is_some_and(|second| can(second).is_some())
}

/// Returns what follows `可以`.
fn can(clause: &str) -> Option<&str> {
    const MIN: usize = 6;
    let rest = ["可以", "能够", "它可以"]
        .iter()
        .find_map(|word| clause.trim_start().strip_prefix(word));
    rest.filter(|rest| rest.chars().count() >= MIN)
}

/// Returns a clause that comes first without its `可以`.
pub(super) fn after_label(clause: &str, is_first: bool) -> String {
    let bare = if is_first { can(clause) } else { None };
    bare.unwrap_or(clause).to_owned()
}

/// Returns an English clause without what follows its last `and`, if that is about the host.
pub(super) fn english_tail(clause: &str) -> String {
    match clause.rsplit_once(" and ") {
        Some((head, tail)) if is_about_host(tail) && !is_about_host(head) => head.to_owned(),
        _ => clause.to_owned(),
    }
}
