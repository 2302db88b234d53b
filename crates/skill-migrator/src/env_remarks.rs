//! Remarks in the comments of an example of settings: how to get a value, where it is needed, the ways and the
//! values that lists name.

use std::collections::BTreeMap;

use skill_model::EnvLine;

use crate::env_comment::{Comment, plain, says};
use crate::secrets::secret_findings;

/// Words of a line on how to get a value.
const HOW: [&str; 12] = [
    "获取地址",
    "获取：",
    "获取:",
    "手动获取",
    "前往",
    "F12",
    "控制台获取",
    "处获取",
    "后获取",
    "申请地址",
    "申请：",
    "申请:",
];
/// Words of a remark on whether a setting is needed.
const NEEDS: [&str; 11] = [
    "国内必",
    "国内需",
    "墙内必",
    "必须代理",
    "三选一",
    "二选一",
    "任选其一",
    "无鉴权",
    "匿名",
    "不需要则留空",
    "无密码则留空",
];
/// Maximum length of the way to get a value, in characters.
const MAX_HOW: usize = 240;

/// The comments between keys, and the keys that they may be about.
#[derive(Default, Debug)]
pub(crate) struct Remarks {
    /// The last lines of comments without a blank line or a key between them.
    block: Vec<String>,
    /// True after a blank line below them.
    is_apart: bool,
    /// The keys since the last line of a comment.
    keys: Vec<String>,
    /// The condition of the section: `Cookies（三选一）`.
    section: String,
}

impl Remarks {
    /// Takes the next line, and adds remarks to the comments on its keys.
    pub(crate) fn read(&mut self, line: &EnvLine, acc: &mut BTreeMap<String, Comment>) {
        match line {
            EnvLine::Comment(text) => self.comment(text, acc),
            EnvLine::Blank => {
                self.is_apart = true;
                if !self.keys.is_empty() {
                    self.block.clear();
                }
            }
            EnvLine::Key(key) | EnvLine::Optional(key) => {
                let is_of_several = self.block.iter().any(|it| it.contains("以下"));
                let is_own = self.keys.is_empty() && !self.is_apart;
                self.keys.push(key.clone());
                let comment = acc.entry(key.clone()).or_default();
                if comment.how.is_empty() && (is_own || is_of_several) {
                    comment.how = joined(&self.block);
                }
                if comment.condition.is_empty() && is_own {
                    comment.condition = condition(&self.block);
                }
                if comment.condition.is_empty() {
                    comment.condition.clone_from(&self.section);
                }
            }
        }
    }

    fn comment(&mut self, text: &str, acc: &mut BTreeMap<String, Comment>) {
        if text.starts_with("以上") && is_how(text) {
            // `以上两项请前往 … 获取`
            let how = joined(&[text.to_owned()]);
            for key in &self.keys {
                let comment = acc.entry(key.clone()).or_default();
                comment.how.clone_from(&how);
            }
        }
        if self.is_apart || !self.keys.is_empty() {
            self.block.clear();
            self.keys.clear();
            self.is_apart = false;
        }
        self.block.push(text.to_owned());
        if is_heading(text) && text.chars().any(char::is_alphanumeric) {
            self.section = condition(&[text.to_owned()]);
        }
    }
}

/// Returns true for a rule or a heading: `------ 【2】水壶 ------`.
fn is_heading(line: &str) -> bool {
    ["--", "──", "==", "━", "══"]
        .iter()
        .any(|rule| line.contains(rule))
}

/// Returns true for a line on how to get a value.
pub(crate) fn is_how(line: &str) -> bool {
    HOW.iter().any(|word| line.contains(word)) || line.trim_start().starts_with('→')
}

/// Returns true for a remark that a script writes a setting.
pub(crate) fn is_of_script(line: &str) -> bool {
    const WORDS: [&str; 3] = ["无需手动", "自动提取", "自动写入"];
    WORDS.iter().any(|word| line.contains(word))
}

/// Returns the lines on how to get a value as one text; empty if there are none, or if they have a secret.
fn joined(lines: &[String]) -> String {
    let Some(at) = lines.iter().position(|line| is_how(line)) else {
        return String::new();
    };
    let first = unmarked(plain(&lines[at]));
    let first = ["如需手动获取", "手动获取"]
        .iter()
        .find_map(|it| first.strip_prefix(it))
        .map_or(first, |rest| rest.trim_start_matches(['：', ':', ' ']));
    let first = first
        .strip_prefix("以上")
        .map_or(first, |rest| rest.find("请").map_or(rest, |at| &rest[at..]));
    let mut res = first.to_owned();
    for line in &lines[at + 1..] {
        let line = line.trim();
        if !line.starts_with('→') {
            break;
        }
        res.push(' ');
        res.push_str(line);
    }
    let is_short = res.chars().count() <= MAX_HOW;
    let is_plain = secret_findings("", &res).is_empty();
    if is_short && is_plain {
        res
    } else {
        String::new()
    }
}

/// Returns the remark of lines on whether a setting is needed: what is in brackets, or a clause.
fn condition(lines: &[String]) -> String {
    let has = |text: &str| NEEDS.iter().any(|word| text.contains(word));
    for line in lines.iter().rev().filter(|line| has(line)) {
        let mut brackets = line
            .split(['（', '('])
            .skip(1)
            .filter_map(|rest| rest.split(['）', ')']).next());
        if let Some(inner) = brackets.find(|inner| has(inner)) {
            return inner.trim().to_owned();
        }
        let mut clauses = line.split(['。', '；', ';', '，']);
        if let Some(clause) = clauses.find(|clause| has(clause) && clause.chars().count() <= 40) {
            let clause = unmarked(plain(clause));
            let is_open = clause.contains(['（', '(']);
            let clause = if is_open {
                clause
            } else {
                clause.trim_end_matches(['）', ')'])
            };
            return clause.to_owned();
        }
    }
    String::new()
}

/// Returns the lines that are about the next key: those below the last rule, and below a list that explains
/// the section.
pub(crate) fn own_lines(lines: &[String]) -> &[String] {
    let is_item = |line: &String| line.trim_start().starts_with("- ") || line.starts_with("  ");
    let is_label = |line: &String| plain(line).ends_with(['：', ':']);
    let last_rule = lines.iter().rposition(|line| is_heading(line));
    let rest = last_rule.map_or(lines, |at| &lines[at + 1..]);
    let rest = if rest.iter().any(|line| says(line)) {
        rest
    } else {
        lines
    };
    let Some(label) = rest.iter().position(is_label) else {
        return rest;
    };
    // `说明：`, items, and then a plain line.
    let is_note = matches!(
        plain(&rest[label]).trim_end_matches(['：', ':']),
        "说明" | "注意" | "备注" | "Note" | "Notes"
    );
    // `- 委托也带着茶杯，` goes on below.
    let goes_on = |at: usize| rest[at].ends_with(['，', ',']);
    let after = (label + 1..rest.len())
        .find(|at| !is_item(&rest[*at]) && !goes_on(at - 1) && says(&rest[*at]));
    match after {
        Some(after) if is_note => &rest[after..],
        _ => rest,
    }
}

/// Returns the label of a list of values with them: `火力模式：`, `- low：小火`, `- high：大火`.
pub(crate) fn with_choices(lines: &[String]) -> Option<String> {
    const MAX: usize = 6;
    let label = lines.first().map(|it| unmarked(plain(it)))?;
    let label = label.strip_suffix(['：', ':'])?;
    let items = lines[1..].iter().map(|it| it.trim());
    let items = items.take_while(|it| it.starts_with("- "));
    let values = items.map(|it| {
        let (value, _) = it[2..].split_once(['：', ':'])?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        (!value.is_empty() && value.chars().all(is_word)).then_some(value)
    });
    let values: Option<Vec<&str>> = values.collect();
    let values = values.filter(|all| (2..=MAX).contains(&all.len()))?;
    (says(label)).then(|| format!("{label} ({})", values.join(" / ")))
}

/// Returns a text without the mark of an item, the number of a way, and words that all settings of a table
/// share: `- 方式2：…`, `可选：…`.
pub(crate) fn unmarked(text: &str) -> &str {
    let text = text.trim_start_matches("- ").trim_start();
    let text = [
        "(可选)",
        "（可选）",
        "可选：",
        "可选:",
        "(optional)",
        "Optional:",
    ]
    .iter()
    .find_map(|it| text.strip_prefix(it))
    .map_or(text, str::trim_start);
    let rest = ["方式", "方法", "方案", "Option ", "option "]
        .iter()
        .find_map(|it| text.strip_prefix(it));
    let numbered = rest.and_then(|rest| {
        let is_number = |c: char| c.is_ascii_digit() || "一二三四五".contains(c);
        let (number, words) = rest.split_once(['：', ':'])?;
        (!number.is_empty() && number.chars().all(is_number)).then_some(words)
    });
    numbered.map_or(text, str::trim_start)
}
