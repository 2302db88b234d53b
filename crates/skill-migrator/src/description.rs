//! The frontmatter's `description` and `compatibility`.
//!
//! Source: specification (`description` 1 to 1024 characters, what it does and when to use it;
//! `compatibility` 1 to 500), `docs/migration.md`, "Field by field" (no angle brackets, `{{X}}` as plain
//! words).

use skill_diagnostics::Diagnostic;
use skill_model::{COMPATIBILITY_MAX, DESCRIPTION_MAX, Entry, Requires, Runtime};

use crate::{
    codes::DESCRIPTION_CUT,
    markdown::{DefuseReport, defuse, one_line},
    render::Language,
};

/// The parts of a description.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Parts {
    /// The effect of the skill, in one sentence.
    pub(crate) what: String,
    /// When to use it, in one sentence.
    pub(crate) when: String,
    /// Further sentences on what it does.
    pub(crate) more: String,
    /// The trade of a Chinese skill in English.
    pub(crate) english: Option<String>,
}

/// Joins what the skill does and when to use it, which comes early because clients cut long
/// descriptions, and then the rest. The sentence on its use is always complete; the others are cut at
/// the end of a sentence or word, which is reported.
pub(crate) fn description(parts: &Parts, seen: &mut DefuseReport) -> (String, Option<Diagnostic>) {
    let when = cut(&plain(&parts.when, seen), DESCRIPTION_MAX / 2).0;
    let what = plain(&parts.what, seen);
    let room = DESCRIPTION_MAX - when.chars().count() - 2 * usize::from(!when.is_empty());
    let (what, was_cut) = cut(&what, room);
    let finding = was_cut.then(|| {
        let message = format!("the description is longer than {DESCRIPTION_MAX} characters and was cut for the frontmatter");
        let finding = Diagnostic::note(DESCRIPTION_CUT, message).at_pointer("/description");
        finding.with_help("the whole text is in METADATA.yml and in references/")
    });
    let what = if when.is_empty() {
        what
    } else {
        with_full_stop(what)
    };
    let (what, rest) = divided(&what, &when);
    let more = plain(&parts.more, seen);
    let (what, more) = if rest.is_empty() {
        joined(what, &more)
    } else {
        (what, more)
    };
    let (mut res, when) = if is_too_late(&what, &when) {
        (when, what)
    } else {
        (what, when)
    };
    let when = if rest.is_empty() {
        when
    } else {
        format!("{when}{rest}")
    };
    let english = plain(parts.english.as_deref().unwrap_or_default(), seen);
    // What follows the sentence on the use is seen by nobody who chooses; the body has it.
    let is_chinese = when.chars().any(|c| matches!(c, '\u{4E00}'..='\u{9FFF}'));
    let more = if is_chinese { String::new() } else { more };
    for (at, sentence) in [when, more, english].into_iter().enumerate() {
        let n_chars = res.chars().count() + sentence.chars().count() + 1;
        if at == 0 || n_chars <= DESCRIPTION_MAX {
            append(&mut res, &sentence);
        }
    }
    (res, finding)
}

/// The number of characters after which lists of skills cut a description.
///
/// Source: Codex cuts at 59 to 74 characters (`docs/clients.md`).
const CUT: usize = 72;
/// The number of characters of the second sentence that are worth being seen.
const MIN_SEEN: usize = 14;

/// Divides a Chinese sentence after a whole clause, if something of the second sentence is seen then and
/// the rest is a sentence by itself: `烧水，支持保温` is `烧水。` and `支持保温。`
fn divided(what: &str, when: &str) -> (String, String) {
    const MIN: usize = 6;
    const ALONE: [&str; 11] = [
        "支持", "提供", "可", "也可", "还", "具有", "包括", "适合", "适用", "无需", "返回",
    ];
    let whole = (what.to_owned(), String::new());
    if when.is_empty() || what.chars().count() + MIN_SEEN <= CUT {
        return whole;
    }
    let after = |comma: usize| {
        let rest = &what[comma + '，'.len_utf8()..];
        rest.strip_prefix('并').unwrap_or(rest)
    };
    let n_seen = |comma: usize| what[..comma].chars().count();
    let commas = what.match_indices('，').map(|(at, _)| at).filter(|&at| {
        let is_fit = n_seen(at) >= MIN && n_seen(at) < CUT;
        is_fit && ALONE.iter().any(|word| after(at).starts_with(word))
    });
    let commas: Vec<usize> = commas.collect();
    let early = commas.iter().rev().find(|at| n_seen(**at) + MIN_SEEN < CUT);
    match early.or(commas.first()).copied() {
        Some(at) => (format!("{}。", &what[..at]), after(at).to_owned()),
        None => whole,
    }
}

/// Moves Chinese sentences from the rest to the first one while something of the sentence on the use is
/// seen behind them, and the beginning of a list that does not fit: `支持烧水、泡茶等。`
fn joined(mut what: String, more: &str) -> (String, String) {
    let mut rest = more;
    while let Some(at) = rest.find('。') {
        let (sentence, after) = rest.split_at(at + '。'.len_utf8());
        let n_chars = what.chars().count();
        if !what.ends_with('。') {
            break;
        }
        let room = CUT.saturating_sub(n_chars + MIN_SEEN);
        let Some(fitting) = fitting(sentence, room) else {
            break;
        };
        what.push_str(&fitting);
        rest = after.trim_start();
    }
    (what, rest.to_owned())
}

/// Returns a sentence that fits, or the beginning of its list of three things and more.
fn fitting(sentence: &str, room: usize) -> Option<String> {
    const MIN_ITEMS: usize = 3;
    const END: &str = "等。";
    if sentence.chars().count() <= room {
        return Some(sentence.to_owned());
    }
    let bare = without_brackets(sentence);
    let bare = bare.trim_end_matches('。').trim_end_matches('等');
    if bare.contains(['，', '；']) {
        return None;
    }
    let items: Vec<&str> = bare.split('、').collect();
    let mut res = String::new();
    let mut n_items = 0;
    for item in items {
        let next = if n_items == 0 {
            item.to_owned()
        } else {
            format!("{res}、{item}")
        };
        if next.chars().count() + END.chars().count() > room {
            break;
        }
        (res, n_items) = (next, n_items + 1);
    }
    (n_items >= MIN_ITEMS).then(|| format!("{res}{END}"))
}

/// Returns a sentence without its remarks in brackets.
fn without_brackets(sentence: &str) -> String {
    let mut depth = 0_usize;
    let kept = sentence.chars().filter(|c| {
        let is_open = matches!(c, '(' | '（');
        let is_closed = matches!(c, ')' | '）');
        depth += usize::from(is_open);
        let is_kept = depth == 0;
        depth -= usize::from(is_closed && depth > 0);
        is_kept
    });
    kept.collect()
}

/// Returns true if nothing of the second sentence would be seen where a list of skills cuts a
/// description, and it is worth being seen.
fn is_too_late(what: &str, when: &str) -> bool {
    let is_plain = ["当用户问到", "当任务需要", "Use when a task"]
        .iter()
        .any(|start| when.starts_with(start));
    !when.is_empty() && !is_plain && what.chars().count() > CUT
}

/// Appends a sentence, with a blank unless a wide stop precedes it.
fn append(text: &mut String, sentence: &str) {
    let is_wide = text.ends_with(['。', '！', '？', '；', '…']);
    if !text.is_empty() && !sentence.is_empty() && !is_wide {
        text.push(' ');
    }
    text.push_str(sentence);
}

/// Adds the full stop of its script, unless the text ends a sentence already.
fn with_full_stop(mut text: String) -> String {
    let last = text.chars().next_back();
    if last.is_some_and(|c| c.is_alphanumeric() || matches!(c, ')' | '）' | '」' | '"' | '\'')) {
        let is_wide = text.chars().any(|c| matches!(c, '\u{3400}'..='\u{9FFF}'));
        text.push(if is_wide { '。' } else { '.' });
    }
    text
}

/// Returns one line without hidden characters, angle brackets and braces of placeholders.
fn plain(text: &str, seen: &mut DefuseReport) -> String {
    // The frontmatter is not rendered as Markdown, so commands in it are left unchanged.
    let mut found = DefuseReport::default();
    let visible = if text.contains("!`") || text.contains("`!") {
        text.split('`')
            .map(|part| defuse(part, &mut found).into_owned())
            .collect::<Vec<_>>()
            .join("`")
    } else {
        defuse(text, &mut found).into_owned()
    };
    seen.hidden |= found.hidden;
    let line = one_line(&visible).replace("->", "→").replace("=>", "⇒");
    let line = line
        .replace("<<<", "‹")
        .replace(">>>", "›")
        .replace('<', "‹")
        .replace('>', "›");
    line.replace("{{", "").replace("}}", "")
}

/// Cuts a text to `max` code points, including the mark: at the end of a sentence if that keeps at
/// least half, otherwise at a blank, otherwise anywhere.
pub(crate) fn cut(text: &str, max: usize) -> (String, bool) {
    let Some((limit, _)) = text.char_indices().nth(max) else {
        return (text.to_owned(), false);
    };
    let room = text[..limit].char_indices().last().map_or(0, |(at, _)| at);
    let head = &text[..room];
    let sentence = head
        .rfind(['。', '！', '？', '；'])
        .map(|at| at + '。'.len_utf8());
    let latin = head.rfind(". ").map(|at| at + 1);
    let end = sentence.max(latin).filter(|end| end * 2 > room);
    let end = end
        .or_else(|| head.rfind(' ').filter(|end| end * 2 > room))
        .unwrap_or(room);
    (format!("{}…", head[..end].trim_end()), true)
}

/// Returns the requirements of the skill as one sentence.
pub(crate) fn compatibility(
    entry: Option<&Entry>,
    requires: &Requires,
    host_requires: &[String],
    language: Language,
) -> Option<String> {
    let say = |english, chinese| language.pick(english, chinese);
    let list = |what: &str, items: &mut dyn Iterator<Item = &String>| list(what, items, language);
    let mut parts = Vec::new();
    match entry.map(|entry| entry.runtime) {
        Some(Runtime::Node) => parts.push(interpreter("Node.js", requires, "20", language)),
        Some(Runtime::Python) => parts.push(interpreter("Python", requires, "", language)),
        Some(Runtime::Shell) => parts.push(say("a POSIX shell", "POSIX shell").to_owned()),
        Some(Runtime::Native) | None => {}
    }
    let known = ["node", "nodejs", "python", "python3", "sh"];
    parts.extend(list(
        say("programs", "程序"),
        &mut requires
            .bin
            .iter()
            .filter(|bin| !known.contains(&bin.as_str())),
    ));
    parts.extend(list(
        say("npm packages", "npm 包"),
        &mut requires.npm.iter(),
    ));
    parts.extend(list(
        say("Python packages", "Python 包"),
        &mut requires.pip.iter(),
    ));
    if requires.network {
        parts.push(say("network access", "可联网").to_owned());
    }
    parts.extend(list(
        say("operating system", "操作系统"),
        &mut requires.os.iter(),
    ));
    parts.extend(list(
        say("parts of the legacy host", "旧宿主的部分"),
        &mut host_requires.iter(),
    ));
    let text = match language {
        Language::English => format!("Requires {}.", parts.join("; ")),
        Language::Chinese => format!("需要 {}。", parts.join("；")),
    };
    let mut seen = DefuseReport::default();
    (!parts.is_empty()).then(|| cut(&plain(&text, &mut seen), COMPATIBILITY_MAX).0)
}

/// Returns an interpreter with the versions that will do: `Python 3.12 or later`.
fn interpreter(name: &str, requires: &Requires, least: &str, language: Language) -> String {
    let range = requires.runtime.as_deref().unwrap_or_default();
    let mut bounds = range.split(", ");
    let at_least = bounds.clone().find_map(|it| it.strip_prefix(">="));
    let at_least = at_least.map(|it| it.strip_suffix(".0").unwrap_or(it));
    let below = bounds.find_map(|it| it.strip_prefix('<'));
    let least = at_least.unwrap_or(least);
    match (least, below, language) {
        ("", None, _) => format!("{name} 3"),
        ("", Some(below), Language::English) => format!("{name} 3 before {below}"),
        ("", Some(below), Language::Chinese) => format!("{name} 3（低于 {below}）"),
        (least, None, Language::English) => format!("{name} {least} or later"),
        (least, None, Language::Chinese) => format!("{name} {least} 或更高版本"),
        (least, Some(below), Language::English) => {
            format!("{name} {least} or later, before {below}")
        }
        (least, Some(below), Language::Chinese) => {
            format!("{name} {least} 或更高版本（低于 {below}）")
        }
    }
}

fn list(
    what: &str,
    items: &mut dyn Iterator<Item = &String>,
    language: Language,
) -> Option<String> {
    let items: Vec<&str> = items.map(String::as_str).collect();
    let colon = language.pick(": ", "：");
    (!items.is_empty()).then(|| format!("{what}{colon}{}", items.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(what: &str, when: &str) -> Parts {
        Parts {
            what: what.to_owned(),
            when: when.to_owned(),
            ..Parts::default()
        }
    }

    #[track_caller]
    fn check(parts: &Parts, expected: &str) {
        assert_eq!(description(parts, &mut DefuseReport::default()).0, expected);
    }

    #[test]
    fn says_what_and_when() {
        check(
            &parts("Rolls dice.", "Use when dice are asked for."),
            "Rolls dice. Use when dice are asked for.",
        );
        check(&parts("", "Use when x."), "Use when x.");
        check(
            &parts("Rolls dice", "Use when x."),
            "Rolls dice. Use when x.",
        );
        check(&parts("掷骰子", "当需要时使用。"), "掷骰子。当需要时使用。");
        check(
            &Parts {
                more: "支持多个骰子。".to_owned(),
                english: Some("Dice.".to_owned()),
                ..parts("掷骰子", "当需要时使用。")
            },
            "掷骰子。支持多个骰子。当需要时使用。Dice.",
        );
        let long = format!("把茶叶{}", "慢".repeat(40));
        check(
            &parts(
                &format!("{long}，并支持{}", "快".repeat(20)),
                "当需要时使用。",
            ),
            &format!("{long}。当需要时使用。支持{}。", "快".repeat(20)),
        );
        check(
            &parts("fills {{VCPWeather}}\n<b>now</b> a -> b", ""),
            "fills VCPWeather ‹b›now‹/b› a → b",
        );
    }

    #[test]
    fn cuts_at_sentences_and_keeps_the_second_part() {
        let long = parts(&"这是一句话。".repeat(400), "当需要时使用。");
        let (text, finding) = description(&long, &mut DefuseReport::default());
        assert!(finding.is_some());
        assert!(
            text.chars().count() <= 1024
                && text.starts_with("当需要时使用。这是")
                && text.ends_with("。…"),
            "{text}"
        );
        assert_eq!(cut("abc def", 5), ("abc…".to_owned(), true));
        assert_eq!(cut("abcdef", 6), ("abcdef".to_owned(), false));
        assert_eq!(cut("abcdef", 3), ("ab…".to_owned(), true));
    }
}
