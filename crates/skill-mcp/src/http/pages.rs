//! The files of the web page. They are embedded in the program, so nothing is read at run time, and
//! the page contacts only this server.
//!
//! `index.html` has its texts in `{{…}}`. The scripts have theirs in `say("…")`, and find the
//! translations in the page. Both are rows of the table in `skill-language`.

use std::sync::OnceLock;

use hyper::body::Bytes;
use hyper::header::{ACCEPT_LANGUAGE, CONTENT_SECURITY_POLICY, HeaderMap, HeaderValue, VARY};
use serde_json::{Map, Value};
use skill_language::{Language, rows};

use super::answer::Answer;

/// A file that is part of the program.
pub(super) struct Page {
    /// The path of its URL.
    pub(super) path: &'static str,
    pub(super) media: &'static str,
    text: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files of the page.
const PAGES: [Page; 7] = [
    page("/", HTML, include_str!("../../web/index.html")),
    page("/web/app.css", CSS, include_str!("../../web/app.css")),
    page("/web/app.js", SCRIPT, include_str!("../../web/app.js")),
    page("/web/ask.js", SCRIPT, include_str!("../../web/ask.js")),
    page(
        "/web/markdown.js",
        SCRIPT,
        include_str!("../../web/markdown.js"),
    ),
    page("/web/run.js", SCRIPT, include_str!("../../web/run.js")),
    page("/web/say.js", SCRIPT, include_str!("../../web/say.js")),
];

const fn page(path: &'static str, media: &'static str, text: &'static str) -> Page {
    Page { path, media, text }
}

impl Page {
    /// Returns the file in a language.
    pub(super) fn bytes(&self, language: Language) -> Bytes {
        static INDEX: [OnceLock<String>; Language::ALL.len()] = [OnceLock::new(), OnceLock::new()];
        if self.media != HTML {
            return Bytes::from_static(self.text.as_bytes());
        }
        let index = INDEX[language as usize].get_or_init(|| filled_in(self.text, language));
        Bytes::from_static(index.as_bytes())
    }
}

/// Returns the language of a request: that of the address (`?lang=zh`), or the one that the browser
/// prefers, or `default`.
pub(super) fn language(query: Option<&str>, headers: &HeaderMap, default: Language) -> Language {
    let mut parts = query.unwrap_or_default().split('&');
    let wanted = parts.find_map(|part| Language::from_word(part.strip_prefix("lang=")?));
    let accepted = || {
        let header = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
        Language::from_accepted(header)
    };
    wanted.or_else(accepted).unwrap_or(default)
}

/// Fills in the texts of `index.html`.
fn filled_in(html: &str, language: Language) -> String {
    let mut res = String::with_capacity(2 * html.len());
    let mut rest = html;
    while let Some((before, after)) = rest.split_once("{{") {
        let (text, next) = after
            .split_once("}}")
            .expect("the file is part of the program");
        res.push_str(before);
        match text {
            "lang" => res.push_str(language.tag()),
            // A text in a script ends the script only with `</`.
            "texts" => res.push_str(&texts(language).to_string().replace('<', "\\u003c")),
            text => res.push_str(&language.say(text)),
        }
        rest = next;
    }
    res.push_str(rest);
    res
}

/// Returns the translations of all texts of the scripts, with numbered slots.
fn texts(language: Language) -> Value {
    let mut res = Map::new();
    if language != Language::English {
        let rows: Vec<_> = rows().collect();
        let scripts = const { &PAGES }.iter().filter(|page| page.media == SCRIPT);
        for text in scripts.flat_map(|page| said(page.text)) {
            let row = rows.iter().find(|row| row.english == text);
            if let Some(chinese) = row.and_then(|row| row.chinese.clone()) {
                res.insert(text.to_owned(), chinese.into());
            }
        }
    }
    Value::Object(res)
}

/// Returns the texts in `say("…")`.
fn said(script: &str) -> impl Iterator<Item = &str> {
    let parts = script.split("say(\"").skip(1);
    parts.filter_map(|part| Some(part.split_once('"')?.0))
}

/// Scripts, styles and answers come only from this server. Markup in a description stays text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Returns the file at a path.
pub(super) fn at(path: &str) -> Option<&'static Page> {
    const { &PAGES }.iter().find(|page| page.path == path)
}

/// Adds the content security policy to an answer that a browser shows, and says that it depends on
/// the language.
pub(super) fn with_policy(mut answer: Answer) -> Answer {
    let policy = HeaderValue::from_static(POLICY);
    let headers = answer.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(VARY, HeaderValue::from_static("accept-language"));
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: Option<&str>, accepted: &str, default: Language, expected: Language) {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_LANGUAGE, accepted.parse().expect("a header"));
        assert_eq!(language(query, &headers, default), expected, "{accepted}");
    }

    #[test]
    fn the_reader_chooses_the_language() {
        use Language::{Chinese, English};
        check(None, "zh-CN,zh;q=0.9,en;q=0.8", English, Chinese);
        check(None, "en-US,en;q=0.9", Chinese, English);
        check(None, "fr", Chinese, Chinese);
        check(Some("q=x&lang=zh"), "en", English, Chinese);
        check(Some("lang=fr"), "en", Chinese, English);
    }

    #[test]
    fn each_text_has_its_place() {
        for language in Language::ALL {
            let page = at("/").expect("a page").bytes(language);
            let page = std::str::from_utf8(&page).expect("a text");
            assert!(!page.contains("{{") && !page.contains("}}"), "{page}");
            let (_, rest) = page.split_once("application/json\">").expect("the texts");
            let (json, _) = rest.split_once("</script>").expect("an end");
            let texts: Map<String, Value> = serde_json::from_str(json).expect("JSON");
            assert_eq!(texts.is_empty(), language == Language::English);
        }
        let chinese = texts(Language::Chinese);
        assert_eq!(chinese["{} skills fit"], "{1#} 个技能符合");
        assert_eq!(chinese["Run it"], "运行");
    }
}
