//! Names of plugins in the prose of a body, as what they are now: the program of this skill, or another
//! skill of the collection.

use std::collections::BTreeMap;

use skill_model::SkillName;

use crate::markdown::code;

/// The plugins that a text may name.
pub(super) struct PluginNames<'a> {
    /// The names of the plugin itself.
    pub(super) own: Vec<&'a str>,
    /// The other plugins of the collection by their directories, and their skills.
    pub(super) others: &'a BTreeMap<String, SkillName>,
}

/// Names shorter than these are words.
const MIN: usize = 6;

impl PluginNames<'_> {
    /// Returns a body whose prose names skills: `用 TeaTimer 插件` is ``用 `tea-timer` 技能``, and where the
    /// plugin itself is said to act, it is the program. Code is unchanged.
    pub(super) fn as_skills(&self, body: &str) -> String {
        let mut res = String::new();
        let mut is_fence = false;
        for line in body.split_inclusive('\n') {
            let is_mark = line.trim_start().starts_with("```");
            is_fence ^= is_mark;
            let is_code = is_fence || is_mark || line.starts_with('#');
            if is_code || !line.contains(|c: char| c.is_ascii_alphabetic()) {
                res.push_str(line);
                continue;
            }
            for (at, part) in line.split('`').enumerate() {
                if at > 0 {
                    res.push('`');
                }
                if at % 2 == 0 {
                    res.push_str(&self.in_prose(part));
                } else {
                    res.push_str(part);
                }
            }
        }
        res
    }

    fn in_prose(&self, text: &str) -> String {
        let text = self.own_as_program(text);
        let text = self.others_before(&text, "插件", "", " 技能");
        self.others_before(&text, "plugin", "the skill ", "")
    }

    /// Returns a text in which the plugin itself, where it acts, is the program: `TeaTimer 不支持` is `程序不支持`.
    fn own_as_program(&self, text: &str) -> String {
        const DEEDS: [&str; 12] = [
            "不支持",
            "支持",
            "将",
            "会",
            "需要",
            "可以",
            "能够",
            "返回",
            "只",
            "默认",
            "自动",
            "不会",
        ];
        let mut res = text.to_owned();
        for name in self.own.iter().filter(|name| name.len() >= MIN) {
            let mut from = 0;
            while let Some(at) = res[from..].find(name).map(|at| at + from) {
                let end = at + name.len();
                let rest = res[end..].trim_start_matches(' ');
                let acts = DEEDS.iter().any(|deed| rest.starts_with(deed));
                if acts && !is_inside(&res, at, end) {
                    let n_blanks = res[end..].len() - rest.len();
                    let start = res[..at].trim_end_matches(' ').len();
                    let is_after_word = res[..start].ends_with(|c: char| c.is_alphanumeric());
                    let start = if is_after_word { start } else { at };
                    res.replace_range(start..end + n_blanks, "程序");
                    from = start + "程序".len();
                } else {
                    from = end;
                }
            }
        }
        res
    }

    /// Returns a text in which a word before `kind` that is another plugin is the name of its skill.
    fn others_before(&self, text: &str, kind: &str, before: &str, after: &str) -> String {
        let mut res = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(kind) {
            let (head, tail) = rest.split_at(at);
            let tail = &tail[kind.len()..];
            let bare = head.trim_end_matches(' ');
            let start = bare.rfind(|c: char| !is_of_word(c));
            let start = start.map_or(0, |at| {
                at + bare[at..].chars().next().map_or(1, char::len_utf8)
            });
            let is_path = bare[..start].ends_with(['/', '.', '"', '\'', '-']);
            let goes_on = tail.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '/');
            let skill = self.skill(&bare[start..]).filter(|_| !is_path && !goes_on);
            let Some(skill) = skill else {
                res.push_str(head);
                res.push_str(kind);
                rest = tail;
                continue;
            };
            let mut lead = &bare[..start];
            if !before.is_empty() {
                lead = ["the ", "The "]
                    .iter()
                    .find_map(|it| lead.strip_suffix(it))
                    .unwrap_or(lead);
            }
            res.push_str(lead);
            res.push_str(before);
            res.push_str(&code(skill.as_str()));
            res.push_str(after);
            rest = tail;
        }
        res.push_str(rest);
        res
    }

    /// Returns the skill of another plugin by its directory, or by the end of the only one that ends so.
    fn skill(&self, word: &str) -> Option<&SkillName> {
        if word.len() < MIN || self.own.contains(&word) {
            return None;
        }
        let ends = || self.others.iter().filter(|(name, _)| name.ends_with(word));
        self.others.get(word).or_else(|| {
            ends()
                .next()
                .map(|(_, skill)| skill)
                .filter(|_| ends().count() == 1)
        })
    }
}

/// Returns true for a part of a longer name.
fn is_inside(text: &str, start: usize, end: usize) -> bool {
    let before = text[..start].ends_with(|c: char| is_of_word(c) || "-./\\\"'".contains(c));
    before || text[end..].starts_with(|c: char| is_of_word(c) || c == '-')
}

fn is_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plugins_are_named_as_skills() {
        let names = ["TeaTimer", "ServerTeaShelf", "LocalTeaShelf", "MilkJug"];
        let skills = [
            "tea-timer",
            "server-tea-shelf",
            "local-tea-shelf",
            "milk-jug",
        ];
        let skills = skills.map(|name| SkillName::new(name).expect("the name is valid"));
        let others = names.map(str::to_owned).into_iter().zip(skills).collect();
        let names = PluginNames {
            own: vec!["KettleGen"],
            others: &others,
        };
        let check = |text: &str, expected: &str| assert_eq!(names.as_skills(text), expected);
        check("用 TeaTimer 插件计时。\n", "用 `tea-timer` 技能计时。\n");
        check("与 MilkJug插件一致", "与 `milk-jug` 技能一致");
        check(
            "Use the TeaTimer plugin first.",
            "Use the skill `tea-timer` first.",
        );
        check("用 TeaShelf 插件", "用 TeaShelf 插件");
        check("用 ServerTea 插件", "用 ServerTea 插件");
        check("KettleGen 不支持牛奶。", "程序不支持牛奶。");
        check("由 KettleGen 自动加水", "由程序自动加水");
        check("MyKettleGen 不支持", "MyKettleGen 不支持");
        check("# TeaTimer 插件\n", "# TeaTimer 插件\n");
        check("`TeaTimer 插件`", "`TeaTimer 插件`");
        check(
            "```\nTeaTimer 插件\n```\nTeaTimer 插件",
            "```\nTeaTimer 插件\n```\n`tea-timer` 技能",
        );
    }
}
