//! HTML as text, and the only place where texts are escaped.

use std::fmt::{self, Display, Write as _};

use skill_language::Language;
use skill_model::is_inkless;
use skill_report::Paint;

/// The titles of columns with numbers.
const NUMBERS: [&str; 5] = ["Brief", "Fields", "Findings", "Full", "Metadata"];

/// Text as part of an element or of a quoted attribute. Invisible characters are written as `\u{…}`,
/// so that they have no effect and cannot be missed.
pub(super) struct Text<'a>(pub(super) &'a str);

impl Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| escape(c, f))
    }
}

fn escape(c: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match c {
        '&' => f.write_str("&amp;"),
        '<' => f.write_str("&lt;"),
        '>' => f.write_str("&gt;"),
        '"' => f.write_str("&quot;"),
        '\'' => f.write_str("&#39;"),
        ' ' | '\n' | '\t' => f.write_char(c),
        _ if is_inkless(c) => write!(f, "\\u{{{:X}}}", u32::from(c)),
        _ => f.write_char(c),
    }
}

/// A path or a pointer, as [`Text`] that may be broken after its separators.
pub(super) struct Breakable<'a>(pub(super) &'a str);

impl Display for Breakable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            escape(c, f)?;
            if matches!(c, '/' | '_' | '#') {
                f.write_str("<wbr/>")?;
            }
        }
        Ok(())
    }
}

/// A message, as [`Text`] in which words between backticks are code.
pub(super) struct Prose<'a>(pub(super) &'a str);

impl Display for Prose<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        while let Some((before, after)) = rest.split_once('`') {
            let Some((code, after)) = after.split_once('`') else {
                break;
            };
            write!(f, "{}<code>{}</code>", Text(before), Breakable(code))?;
            rest = after;
        }
        Text(rest).fmt(f)
    }
}

/// A page that is being written. Writing to a string cannot fail.
pub(super) struct Html {
    text: String,
    language: Language,
}

impl Html {
    /// Returns an empty page in a language.
    pub(super) fn new(language: Language) -> Self {
        Self {
            text: String::new(),
            language,
        }
    }

    /// Returns a text of the tools in the language of the page.
    pub(super) fn say(&self, text: &str) -> String {
        self.language.say(text).into_owned()
    }

    /// Returns the look of excerpts on the page.
    pub(super) fn paint(&self) -> Paint {
        Paint {
            language: self.language,
            ..Paint::NONE
        }
    }

    /// Returns `1 finding` or `2 findings`.
    pub(super) fn counted(&self, n: usize, one: &str, many: &str) -> String {
        self.say(&format!("{n} {}", if n == 1 { one } else { many }))
    }

    /// Adds markup of this crate; all other text must be wrapped in [`Text`].
    pub(super) fn add(&mut self, markup: fmt::Arguments<'_>) -> &mut Self {
        let _ = self.text.write_fmt(markup);
        self.text.push('\n');
        self
    }

    /// Adds a table with a caption for screen readers, in a region that scrolls by itself.
    pub(super) fn table(&mut self, caption: &str, heads: &[&str], rows: impl FnOnce(&mut Self)) {
        let caption = self.say(caption);
        let caption = Text(&caption);
        self.add(format_args!(
            r#"<div class="scroll" role="region" aria-label="{caption}" tabindex="0"><table><caption>{caption}</caption><thead><tr>"#
        ));
        for head in heads {
            let class = if NUMBERS.contains(head) {
                r#" class="number""#
            } else {
                ""
            };
            let head = self.say(head);
            self.add(format_args!(
                r#"<th scope="col"{class}>{}</th>"#,
                Text(&head)
            ));
        }
        self.add(format_args!("</tr></thead><tbody>"));
        rows(self);
        self.add(format_args!("</tbody></table></div>"));
    }

    /// Adds a row that names the rows below it.
    pub(super) fn group_row(&mut self, id: &str, title: &str, columns: usize) {
        self.add(format_args!(
            r#"<tr class="group" id="{id}"><th scope="rowgroup" colspan="{columns}">{}</th></tr>"#,
            Text(title)
        ));
    }

    /// Returns the whole text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let text = "<b a='x' b=\"y\">&amp;\u{202e}\u{1b}[0m\r\n\t参数</b>";
        assert_eq!(
            Text(text).to_string(),
            "&lt;b a=&#39;x&#39; b=&quot;y&quot;&gt;&amp;amp;\\u{202E}\\u{1B}[0m\\u{D}\n\t参数&lt;/b&gt;"
        );
    }

    #[test]
    fn a_table_has_its_titles_in_the_language_of_the_page() {
        for (language, caption, heads) in [
            (
                Language::English,
                "Fates of all fields",
                "<th scope=\"col\">Fate</th>\n<th scope=\"col\" class=\"number\">Fields</th>",
            ),
            (
                Language::Chinese,
                "所有字段的去向",
                "<th scope=\"col\">去向</th>\n<th scope=\"col\" class=\"number\">字段数</th>",
            ),
        ] {
            let mut html = Html::new(language);
            html.table("Fates of all fields", &["Fate", "Fields"], |_| {});
            let page = html.finish();
            assert!(page.contains(caption) && page.contains(heads), "{page}");
        }
    }

    #[test]
    fn words_between_backticks_are_code() {
        for (text, expected) in [
            (
                "`a/b.c` of `<b>`",
                "<code>a/<wbr/>b.c</code> of <code>&lt;b&gt;</code>",
            ),
            ("one ` <alone>", "one ` &lt;alone&gt;"),
            ("``", "<code></code>"),
        ] {
            assert_eq!(Prose(text).to_string(), expected);
        }
    }
}
