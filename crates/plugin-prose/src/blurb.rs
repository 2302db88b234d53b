//! Derives words for search and for the description of a skill.
//!
//! A search needs the words of both languages if the text has both: identifiers are English, the
//! prose is mostly Chinese. Nothing is translated; words are taken from the text.

mod combined;
mod deeds;
mod english;
mod keyword;
mod label;
mod names;
mod needs;
mod noun;
mod one_object;
mod openers;
mod purpose;
mod requests;
mod sentence;
mod stated;
mod text;
mod trades;
mod what;
mod when;
mod wording;

use crate::lex::normal::plain;
use crate::reading::Blurb;
use crate::source::PluginSource;

pub use text::is_about_make;

/// The maximum number of phrases, and of intents.
const MAX: usize = 8;

/// Derives search words and the "use when" sentence. It never fails, not even on empty texts.
pub fn read_blurb(source: &PluginSource<'_>) -> Blurb {
    let description = plain(source.description);
    let source = &PluginSource {
        description: &description,
        ..*source
    };
    let purposes = purpose::of_plugin(source);
    let what = what::of_plugin(source);
    let when = when::read(source, &purposes, &what);
    Blurb {
        keywords: keyword::read(source),
        phrases: purposes.iter().take(MAX).cloned().collect(),
        intents: intents(source),
        requests: requests::read(source, &purposes),
        what: wording::plain(&noun::as_deed(&label::as_sentence(&what.first))),
        more: unsaid(&what.more, &when.sentence),
        when: when.sentence,
        english: when.english,
    }
}

/// Returns a description whose first sentence says what is done rather than that a plugin does it:
/// `一个用于整理书签的同步插件。支持导出。` is `整理书签。支持导出。`
///
/// ```
/// assert_eq!(plugin_prose::without_plugin("一个用于整理书签的同步插件。支持导出。"), "整理书签。支持导出。");
/// ```
///
/// Clauses on the old host are left out.
pub fn without_plugin(description: &str) -> String {
    let is_change =
        |sentence: &&str| what::begins_with_version(sentence) || what::is_of_service(sentence);
    let changes: Vec<&str> = text::sentences(description).filter(is_change).collect();
    let mut kept = description.to_owned();
    for change in changes {
        kept = kept.replace(&format!("{change}。"), "").replace(change, "");
    }
    let kept = without_host(&kept);
    let kept = kept.split_inclusive('。').map(sentence::without_praise);
    let kept: String = kept.collect();
    let description = kept.trim();
    let end = description.find(['。', '\n']).unwrap_or(description.len());
    let (first, rest) = description.split_at(end);
    let (clause, after) = match text::clauses(first).next() {
        Some((clause, _)) => first.split_at(clause.len()),
        None => (first, ""),
    };
    let bare = openers::without_kind(&openers::without_make(openers::strip(clause)), true);
    let bare = if after.is_empty() {
        label::as_sentence(&bare)
    } else {
        bare
    };
    if bare.chars().count() < MIN_CLAUSE {
        description.to_owned()
    } else {
        format!("{}{rest}", noun::as_deed(&format!("{bare}{after}")))
    }
}

/// Returns a description without further sentences that promise what only absent commands would do:
/// `烧水。提供茶叶称重功能。` is `烧水。` for the absent command `为茶叶称重`.
pub fn without_promises<'a>(description: &str, absent: impl Iterator<Item = &'a str>) -> String {
    const SAID: usize = 50;
    let absent: String = absent.collect();
    let mut res = description.to_owned();
    for sentence in text::sentences(description).skip(1) {
        if text::share_of_characters(&without_frame(sentence), &absent) >= SAID {
            res = res
                .replace(&format!("{sentence}。"), "")
                .replace(sentence, "");
        }
    }
    res
}

/// Returns a sentence without the words around its list: `提供称重、保温等功能` is `称重、保温`.
fn without_frame(sentence: &str) -> String {
    let bare = ["提供", "支持"]
        .iter()
        .find_map(|it| sentence.strip_prefix(it))
        .unwrap_or(sentence);
    let ends = ["等功能", "功能", "等能力", "能力", "等"];
    ends.iter()
        .find_map(|it| bare.strip_suffix(it))
        .unwrap_or(bare)
        .to_owned()
}

/// Returns the sentences that another sentence does not have whole.
fn unsaid(more: &str, when: &str) -> String {
    let mut res = more.to_owned();
    for sentence in text::sentences(more) {
        if when.contains(sentence.trim_start_matches("支持")) {
            res = res.replace(&format!("{sentence}。"), "");
        }
    }
    res
}

/// Returns a text without the clauses on the old host, and without sentences that have no other.
fn without_host(description: &str) -> String {
    let mut res = description.to_owned();
    let told = text::sentences(description).filter(|sentence| text::is_about_host(sentence));
    for sentence in told {
        let kept = text::clauses(sentence).filter(|(clause, _)| !text::is_about_host(clause));
        let kept: String = kept.flat_map(|(clause, mark)| [clause, mark]).collect();
        let kept = kept.trim_end_matches(['，', ',', '；', ';', '、', '：', ':', ' ']);
        if kept.chars().filter(|c| c.is_alphanumeric()).count() >= MIN_CLAUSE {
            res = res.replace(sentence, kept);
        } else {
            res = res
                .replace(&format!("{sentence}。"), "")
                .replace(sentence, "");
        }
    }
    res
}

/// Shorter clauses say too little.
const MIN_CLAUSE: usize = 4;

/// Returns identifiers of commands as words: `FindArtist` is "find artist".
fn intents(source: &PluginSource<'_>) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    for (id, _) in source.commands {
        let words = crate::relation::words(id);
        let intent = words.join(" ");
        let telling = words.len() > 1
            && intent.len() <= 60
            && intent != crate::relation::words(source.name).join(" ");
        if telling && !res.contains(&intent) && res.len() < MAX {
            res.push(intent);
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source<'a>(
        name: &'a str,
        display: Option<&'a str>,
        description: &'a str,
        commands: &'a [(&'a str, &'a str)],
    ) -> PluginSource<'a> {
        PluginSource {
            name,
            display_name: display,
            description,
            commands,
            texts: &[],
            placeholders: &[],
        }
    }

    #[test]
    fn both_languages() {
        let found = read_blurb(&source(
            "TeaTimer",
            Some("泡茶计时器"),
            "按茶叶种类提醒泡茶时间。",
            &[("StartTimer", "开始计时。"), ("StopTimer", "停止计时。")],
        ));
        assert!(
            found.keywords.contains(&"timer".to_owned())
                && found.keywords.contains(&"泡茶计时器".to_owned()),
            "{:?}",
            found.keywords
        );
        assert_eq!(found.intents, ["start timer", "stop timer"]);
        assert_eq!(found.phrases, ["开始计时", "停止计时"]);
        assert_eq!(found.what, "按茶叶种类提醒泡茶时间");
        assert_eq!(found.when, "当需要开始计时、停止计时时使用。");
    }

    #[test]
    fn absent_commands_are_not_promised() {
        let check = |text: &str, absent: &[&str], expected: &str| {
            assert_eq!(without_promises(text, absent.iter().copied()), expected);
        };
        check(
            "烧水。提供茶叶称重、封装等功能。",
            &["为茶叶称重", "封装一罐茶"],
            "烧水。",
        );
        check(
            "烧水。提供茶叶称重功能。",
            &["泡茶"],
            "烧水。提供茶叶称重功能。",
        );
        check("烧水。", &["烧水"], "烧水。");
    }

    #[test]
    fn an_english_plugin() {
        let found = read_blurb(&source(
            "TeaReader",
            Some("Tea reader"),
            "Fetches the latest items of a box.",
            &[],
        ));
        assert_eq!(found.what, "Fetches the latest items of a box");
        assert_eq!(
            found.when,
            "Use for requests about the latest items of a box."
        );
    }

    #[test]
    fn empty_texts_still_give_a_sentence() {
        let found = read_blurb(&source("", None, "", &[]));
        assert!(!found.when.is_empty());
        let found = read_blurb(&source("X", None, "<b>\n</b>", &[("", "")]));
        assert!(!found.when.contains(['<', '>', '\n']));
    }
}
