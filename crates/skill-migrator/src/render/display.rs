//! HTML that the window of the old host rendered: in the answer of an agent it is text.

use super::items::Item;

/// Drops fences of HTML that show a picture, a sound, a video or a link in the window of the old host: of
/// such tags and placeholders alone. Code of a page stays.
pub(super) fn without_html(items: Vec<Item>) -> Vec<Item> {
    let mut res: Vec<Item> = Vec::new();
    let mut fence: Option<Vec<Item>> = None;
    for item in items {
        let is_mark = matches!(&item, Item::Line(line) if line.trim_start().starts_with("```"));
        match (&mut fence, is_mark) {
            (None, true) => fence = Some(vec![item]),
            (None, false) => res.push(item),
            (Some(open), is_end) => {
                open.push(item);
                if is_end {
                    let whole = fence.take().unwrap_or_default();
                    if is_display(&whole) {
                        res.push(Item::Cut);
                    } else {
                        res.extend(whole);
                    }
                }
            }
        }
    }
    res.extend(fence.into_iter().flatten());
    res
}

/// Returns true for a fence with tags of media, and nothing else of a page.
fn is_display(fence: &[Item]) -> bool {
    const MAX: usize = 12;
    const MEDIA: [&str; 5] = ["<img", "<audio", "<video", "<a ", "</audio>"];
    const PAGE: [&str; 6] = ["<script", "<style", "<html", "<body", "<div", "<svg"];
    let mut lines = fence.iter().filter_map(|item| match item {
        Item::Line(line) => Some(line.trim()),
        _ => None,
    });
    let is_html = lines
        .next()
        .is_some_and(|mark| matches!(mark.trim_start_matches('`'), "html" | "HTML" | ""));
    let text: Vec<&str> = lines.filter(|line| !line.starts_with("```")).collect();
    let has = |words: &[&str]| {
        text.iter()
            .any(|line| words.iter().any(|word| line.contains(word)))
    };
    is_html && text.len() <= MAX && has(&MEDIA) && !has(&PAGE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_that_a_window_rendered() {
        let check = |text: &str, expected: &[&str]| {
            let items = text.lines().map(|line| Item::Line(line.to_owned()));
            let found = without_html(items.collect());
            let found: Vec<&str> = found
                .iter()
                .map(|item| match item {
                    Item::Line(line) => line.as_str(),
                    _ => "-",
                })
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check(
            "a\n```html\n<audio controls>\n  无法播放\n</audio>\n```\nb",
            &["a", "-", "b"],
        );
        let page = "```html\n<div><img src=\"x\"></div>\n```";
        check(page, &page.lines().collect::<Vec<_>>());
        let code = "```js\nconst a = '<img>';\n```";
        check(code, &code.lines().collect::<Vec<_>>());
        check("```html\n<img", &["```html", "<img"]);
    }
}
