//! Text in XML.

/// Escapes markup, and replaces characters that XML 1.0 cannot contain.
pub fn xml(text: &str) -> String {
    let mut res = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => res.push_str("&lt;"),
            '>' => res.push_str("&gt;"),
            '&' => res.push_str("&amp;"),
            '"' => res.push_str("&quot;"),
            '\n' | '\t' => res.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => res.push('\u{fffd}'),
            c => res.push(c),
        }
    }
    res
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_is_escaped() {
        assert_eq!(super::xml("<a>&\"\u{1b}"), "&lt;a&gt;&amp;&quot;\u{fffd}");
    }
}
