//! Derives words for search and for the description of a skill.
//!
//! A search needs the words of both languages if the text has both: identifiers are English, the
//! prose is mostly Chinese. Nothing is translated; words are taken from the text.

mod keyword;
mod purpose;
mod when;

use crate::reading::Blurb;
use crate::source::PluginSource;

/// The maximum number of phrases, and of intents.
const MAX: usize = 8;

/// Derives search words and the "use when" sentence. It never fails, not even on empty texts.
pub fn read_blurb(source: &PluginSource<'_>) -> Blurb {
    let purposes = purpose::of_plugin(source);
    Blurb {
        keywords: keyword::read(source),
        phrases: purposes.iter().take(MAX).cloned().collect(),
        intents: intents(source),
        when: when::sentence(source, &purposes),
    }
}

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
        assert_eq!(
            found.when,
            "当需要开始计时、停止计时时使用，也用于泡茶计时器相关的任务。"
        );
    }

    #[test]
    fn an_english_plugin() {
        let found = read_blurb(&source(
            "FeedReader",
            Some("Feed reader"),
            "Fetches the latest items of a feed.",
            &[],
        ));
        assert_eq!(
            found.when,
            "Use when you need to fetch the latest items of a feed, or for other tasks about Feed reader."
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
