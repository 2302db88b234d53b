//! The comments of an example of settings: what they say of each key.

use std::collections::BTreeMap;

use skill_model::{EnvLine, env_lines, read_env_file};

pub(crate) use crate::env_comment::Comment;
use crate::env_comment::{plain, says};
use crate::env_remarks::{self, Remarks};
use crate::secrets::secret_findings;

/// Words of a comment that is about all keys below it, and not only the next one.
const FOLLOWING: [&str; 4] = ["以下", "following", "below", "下列"];

/// Returns the comments on the keys of an example. `families` are the keys with `*`, of which the example
/// may have members.
pub(crate) fn read(text: &str, families: &[&str]) -> BTreeMap<String, Comment> {
    let mut res: BTreeMap<String, Comment> = BTreeMap::new();
    let beside = beside(text);
    // The lines above a key, those about all keys until the next group, and the last group.
    let (mut own, mut group): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut last = String::new();
    let mut remarks = Remarks::default();
    for line in env_lines(text) {
        remarks.read(&line, &mut res);
        match line {
            EnvLine::Comment(comment) => {
                if own.is_empty() {
                    last.clear();
                }
                own.push(comment);
            }
            EnvLine::Blank => {
                if !own.is_empty() {
                    group = own.iter().find_map(|it| of_following(it));
                    group = group.filter(|it| !env_remarks::is_of_script(it));
                }
                families_of(&own, families, &mut res);
                own.clear();
                last.clear();
            }
            EnvLine::Key(key) | EnvLine::Optional(key) => {
                families_of(&own, families, &mut res);
                let lines = std::mem::take(&mut own);
                let whole = lines.join("\n");
                let sentence = sentence(&lines);
                if !whole.is_empty() {
                    last.clone_from(&whole);
                }
                let comment = res.entry(key.clone()).or_default();
                let text = beside.get(&key).cloned().or(sentence).or(group.clone());
                if comment.text.is_empty() {
                    comment.text = text.unwrap_or_default();
                }
                let text = comment.text.clone();
                if !comment.whole.contains(&last) {
                    comment.whole.push_str(&last);
                }
                if let Some(family) = families.iter().find(|it| is_member(it, &key)) {
                    let comment = res.entry((*family).to_owned()).or_default();
                    if comment.text.is_empty() {
                        comment.text = text;
                    }
                }
            }
        }
    }
    values_of(text, families, &mut res);
    res
}

/// Returns the remark behind the value of each key: `CUPS=4   # how many cups`.
fn beside(text: &str) -> BTreeMap<String, String> {
    let lines = text.lines().filter_map(|line| {
        let (key, rest) = line.trim().split_once('=')?;
        let (value, remark) = rest.split_once(" #")?;
        let is_name = key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_plain = !value.contains(['"', '\'']);
        let remark = sentence(&[remark.trim().to_owned()])?;
        (is_name && is_plain).then(|| (key.to_owned(), remark))
    });
    lines.collect()
}

/// Returns the first line of a comment that is a sentence or a phrase, with the next one if it goes on.
fn sentence(lines: &[String]) -> Option<String> {
    let lines = env_remarks::own_lines(lines);
    if let Some(named) = env_remarks::with_choices(lines) {
        return Some(named);
    }
    let is_default = |line: &str| {
        ["默认", "示例", "例如", "default", "example", "e.g."]
            .iter()
            .any(|it| plain(line).to_lowercase().starts_with(it))
            || env_remarks::is_of_script(line)
            || env_remarks::is_how(line)
    };
    let found = lines
        .iter()
        .position(|line| says(line) && !is_default(line));
    let at = found.or_else(|| lines.iter().position(|line| is_title(line)));
    let is_other = |line: &str| env_remarks::is_of_script(line);
    let at = at.or_else(|| lines.iter().position(|line| says(line) && !is_other(line)))?;
    let mut res = env_remarks::unmarked(plain(&lines[at])).to_owned();
    if res.ends_with(['，', ',', '、'])
        && let Some(next) = lines.get(at + 1).filter(|next| says(next))
    {
        res.push_str(plain(next));
    }
    secret_findings("", &res).is_empty().then_some(res)
}

/// Returns true for a heading that names one setting: `--- 水壶的地址 ---`.
fn is_title(line: &str) -> bool {
    const GROUPS: [&str; 8] = [
        "配置",
        "设置",
        "开关",
        "选项",
        "settings",
        "configuration",
        "options",
        "参数",
    ];
    let title = plain(line).to_lowercase();
    let is_group =
        GROUPS.iter().any(|end| title.ends_with(end)) || title.contains(['【', '=', '#']);
    title != line.trim().to_lowercase() && !is_group && says(plain(line))
}

/// Returns what a comment says of all keys below it: `以下两项是红茶模式的必需配置`.
fn of_following(comment: &str) -> Option<String> {
    let lower = comment.to_lowercase();
    FOLLOWING
        .iter()
        .any(|word| lower.contains(word))
        .then_some(())?;
    let rest = comment.split_once('是').map(|(_, rest)| rest);
    // `以下两项由 setup.js 写入`
    let rest = rest.or_else(|| comment.split_once('项').map(|(_, rest)| rest));
    says(comment).then(|| plain(rest.unwrap_or(comment)).to_owned())
}

/// Adds the line of a comment that shows the form of a family: `格式: TABLE_名称=权限`, or what is below
/// the name in a list of them: `2. POT_{NAME}_SIZE`.
fn families_of(lines: &[String], families: &[&str], acc: &mut BTreeMap<String, Comment>) {
    const REQUIRED: [&str; 5] = ["必需)", "必需）", "必填)", "必填）", "required)"];
    for family in families {
        let is_end =
            |c: char| c.is_whitespace() || matches!(c, '=' | ':' | '：' | '`' | '(' | '（');
        let named = |line: &str| {
            let mut words = line.split(is_end);
            words
                .find(|word| is_member(family, word))
                .map(str::to_owned)
        };
        let is_example = |line: &str| {
            let line = env_remarks::unmarked(plain(line));
            ["示例", "例如", "example", "e.g."]
                .iter()
                .any(|it| line.to_lowercase().starts_with(it))
        };
        let all = lines
            .iter()
            .enumerate()
            .filter(|(_, line)| !is_example(line));
        let mut all = all.filter_map(|(at, line)| Some((at, line, named(line)?)));
        let Some((at, form, word)) = all.next() else {
            continue;
        };
        let comment = acc.entry((*family).to_owned()).or_default();
        comment.is_required |= REQUIRED.iter().any(|it| form.contains(it));
        if comment.form.is_empty() {
            comment.form = word.replace(['{', '}', '<', '>'], "");
        }
        if comment.text.is_empty() && form.contains('=') {
            plain(form).clone_into(&mut comment.text);
        } else if comment.text.is_empty()
            && let Some(next) = lines.get(at + 1).filter(|it| says(it) && !is_example(it))
        {
            let text = env_remarks::unmarked(plain(next));
            text.clone_into(&mut comment.text);
        }
        let rest = lines.iter().filter(|line| says(line));
        comment
            .whole
            .push_str(&rest.cloned().collect::<Vec<_>>().join("\n"));
    }
}

/// Adds the different values that the members of families have in the example.
fn values_of(text: &str, families: &[&str], acc: &mut BTreeMap<String, Comment>) {
    const MAX: usize = 6;
    for (key, value) in read_env_file(text) {
        let is_of = |family: &&&str| is_member(family, &key);
        let Some(family) = families.iter().find(is_of) else {
            continue;
        };
        let is_word = value
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "_-".contains(c));
        let values = &mut acc.entry((*family).to_owned()).or_default().values;
        if is_word && !value.is_empty() && values.len() < MAX && !values.contains(&value) {
            values.push(value);
        }
    }
}

/// Returns true for a key of a family: `TABLE_tea` of `TABLE_*`.
pub(crate) fn is_member(family: &str, key: &str) -> bool {
    let (Some((first, _)), Some((_, last))) = (family.split_once('*'), family.rsplit_once('*'))
    else {
        return false;
    };
    let rest = key
        .strip_prefix(first)
        .and_then(|rest| rest.strip_suffix(last));
    !key.contains('*') && rest.is_some_and(|rest| !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(&str, &str)]) {
        let found = read(text, &["TABLE_*"]);
        let found: Vec<(&str, &str)> = found
            .iter()
            .filter(|(_, comment)| !comment.text.is_empty())
            .map(|(key, comment)| (key.as_str(), comment.text.as_str()))
            .collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn what_comments_say() {
        check(
            "# Tea\n\n# Key of the pot\nPOT_KEY=\nCUPS=2\n# ====\nX=1\n\n# .env\nY=1\n",
            &[("POT_KEY", "Key of the pot")],
        );
        check("CUPS=4   # how many cups\n", &[("CUPS", "how many cups")]);
        check("KEY=\"a # b\"\n", &[]);
        check(
            "# 以下两项是红茶模式的必需配置。\n\nURL=\nKEY=\n\n# 水 温\nHEAT=\n",
            &[
                ("HEAT", "水 温"),
                ("KEY", "红茶模式的必需配置。"),
                ("URL", "红茶模式的必需配置。"),
            ],
        );
        check(
            "# ---- 【5】茶单 ----\n# 格式: TABLE_茶名=权限\n#\nTABLE_green=READ\n",
            &[("TABLE_*", "格式: TABLE_茶名=权限")],
        );
    }

    #[test]
    fn keys_below_a_comment_share_it_as_a_whole() {
        let found = read("# 两种方式\n# 都留空则免费\nURL=\nKEY=\n\nCUP=\n", &[]);
        let whole = |key: &str| found[key].whole.as_str();
        assert_eq!(whole("KEY"), "两种方式\n都留空则免费");
        assert_eq!(whole("CUP"), "");
    }

    #[test]
    fn values_of_a_family() {
        let found = read("TABLE_a=READ\nTABLE_b=FULL\nTABLE_c=READ\n", &["TABLE_*"]);
        assert_eq!(found["TABLE_*"].values, ["READ", "FULL"]);
    }

    #[test]
    fn ways_and_conditions() {
        let check = |text: &str, key: &str, how: &str, condition: &str| {
            let found = read(text, &[]);
            let comment = found.get(key).cloned().unwrap_or_default();
            assert_eq!(
                (&*comment.how, &*comment.condition),
                (how, condition),
                "{text}"
            );
        };
        let both = "# --- 令牌 ---\n# 以下两项由 brew.js 写入，无需手动填写\n# 如需手动获取：登录 tea.example → F12\n#   → 找到 pot\n\nA_TOKEN=\nB_TOKEN=\n\nCUPS=2\n";
        check(both, "A_TOKEN", "登录 tea.example → F12 → 找到 pot", "");
        check(both, "B_TOKEN", "登录 tea.example → F12 → 找到 pot", "");
        check(both, "CUPS", "", "");
        check(
            "# --- 代理（国内必需） ---\n# 都经过它\nPROXY=\n\n# 杯数\nCUPS=2\n",
            "PROXY",
            "",
            "国内必需",
        );
        check(
            "# 密钥。不配置时匿名访问（额度较低）。\nKEY=\n",
            "KEY",
            "",
            "不配置时匿名访问（额度较低）",
        );
        check(
            "# KEY=\n# 以上一项请前往 https://tea.example 获取\n",
            "KEY",
            "请前往 https://tea.example 获取",
            "",
        );
    }

    #[test]
    fn lines_of_a_key() {
        let check = |text: &str, expected: &str| {
            let found = read(&format!("{text}\nKEY=\n"), &[]);
            assert_eq!(found["KEY"].text, expected, "{text}");
        };
        check("# 方式3：JSON 数组格式", "JSON 数组格式");
        check(
            "# --- 委托 配置 ---\n# 说明：\n# - 委托也带着茶杯，\n#   这些茶杯要洗。\n# (可选) 最多几轮",
            "最多几轮",
        );
        check(
            "# 火力 模式：\n# - low：小火\n# - high：大火",
            "火力 模式 (low / high)",
        );
        check("# 由 setup.js 自动写入，无需手动填写", "");
        check("# 示例: a b\n# 茶壶的 名称", "茶壶的 名称");
    }
}
