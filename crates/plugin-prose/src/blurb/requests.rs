//! Requests that a user of the plugin might write, in its own words: for tests of the search.

use super::needs::is_need;
use super::stated;
use super::what::{begins_with_version, without_name};
use crate::lex::chars::is_cjk;
use crate::source::PluginSource;

/// The maximum number of requests.
const MAX: usize = 8;
/// The minimum number of Chinese characters of a request: about two words.
const MIN_WIDE: usize = 4;

/// Returns the requests: first the items of the plugin's own section on its use, then its purposes.
/// A single word is not a request, and neither is a clause about the plugin itself.
pub(super) fn read(source: &PluginSource<'_>, purposes: &[String]) -> Vec<String> {
    let texts = [source.description].into_iter();
    let stated = stated::items_of(texts.chain(source.texts.iter().copied()));
    let purposes = purposes.iter().filter(|it| !begins_with_version(it));
    let purposes = purposes.map(|it| without_name(it).to_owned());
    let mut res: Vec<String> = Vec::new();
    for request in stated.into_iter().chain(purposes.filter(|it| is_need(it))) {
        let request = request.trim().to_owned();
        let is_same = |other: &String| other.to_lowercase() == request.to_lowercase();
        if res.len() < MAX && has_words(&request) && !res.iter().any(is_same) {
            res.push(request);
        }
    }
    res
}

/// Returns true if a text has at least two words.
fn has_words(text: &str) -> bool {
    let n_wide = text.chars().filter(|c| is_cjk(*c)).count();
    let is_word = |word: &&str| word.chars().any(char::is_alphanumeric);
    n_wide >= MIN_WIDE || (n_wide == 0 && text.split_whitespace().filter(is_word).count() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(description: &str, purposes: &[&str], expected: &[&str]) {
        let source = PluginSource {
            name: "Tea",
            display_name: None,
            description,
            commands: &[],
            texts: &[],
            placeholders: &[],
        };
        let purposes: Vec<String> = purposes.iter().map(|&it| it.to_owned()).collect();
        assert_eq!(read(&source, &purposes), expected, "{description}");
    }

    #[test]
    fn requests_are_words_of_the_plugin() {
        check(
            "泡茶。\n触发词：泡一壶茶、烧水、“查询茶叶库存”",
            &["查询茶叶的价格"],
            &["泡一壶茶", "查询茶叶库存", "查询茶叶的价格"],
        );
        check(
            "## When to use\n- brew tea\n- tea\n",
            &["Brew tea", "list the teas"],
            &["brew tea", "list the teas"],
        );
    }

    #[test]
    fn single_words_and_words_about_the_plugin_are_no_requests() {
        check("", &["泡茶", "brew", "该插件用于泡茶", "茶壶管理插件"], &[]);
        check("", &[], &[]);
    }
}
