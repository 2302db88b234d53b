//! The links of a plugin's readme, which lead to the plugin's files where they are in the skill.

use std::borrow::Cow;

use crate::{
    entry::SCRIPTS,
    package::is_readme,
    plan::{CopiedFile, GeneratedFile},
    plugin::Plugin,
};

/// Replaces the copies of readmes whose links would lead elsewhere by texts.
pub(crate) fn follow(
    plugin: &Plugin<'_>,
    copies: &mut Vec<CopiedFile>,
    generated: &mut Vec<GeneratedFile>,
) {
    copies.retain(|copy| {
        let is_reference = copy.to.starts_with("references/") && is_readme(&copy.from);
        let text = plugin.texts.get(&copy.from).filter(|_| is_reference);
        let Some(text) = text.filter(|text| text.len() as u64 == copy.bytes) else {
            return true;
        };
        let new = rewritten(text, &|path| place(plugin, path));
        if let Cow::Owned(text) = new {
            let path = copy.to.clone();
            generated.push(GeneratedFile { path, text });
            return false;
        }
        true
    });
}

/// Returns the place of a file of the plugin relative to the references of the skill: `a.py`,
/// `Plugin/X/a.py`, `a.py:12`.
fn place(plugin: &Plugin<'_>, path: &str) -> Option<String> {
    let name = path.trim_start_matches("./");
    let name = match name.rsplit_once(':') {
        Some((name, line)) if line.bytes().all(|c| c.is_ascii_digit()) => name,
        _ => name,
    };
    let own = format!("Plugin/{}/", plugin.directory_name());
    let own = name.find(&own).map(|at| &name[at + own.len()..]);
    let name = own.unwrap_or(name);
    if is_readme(name) && plugin.has_file(name) {
        Some(name.to_owned())
    } else if plugin.has_file(name) {
        Some(format!("../{SCRIPTS}/{name}"))
    } else if name.starts_with("plugin-manifest.json") {
        Some("legacy-manifest.json".to_owned())
    } else {
        None
    }
}

/// Returns a text in which each relative link leads to its place; a link without one is its text. Code
/// is unchanged.
fn rewritten<'a>(text: &'a str, place: &dyn Fn(&str) -> Option<String>) -> Cow<'a, str> {
    let mut res = String::with_capacity(text.len());
    let mut fence: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|it| start.starts_with(it));
        match (fence, mark) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if open == mark => fence = None,
            (None, None) if line.contains("](") => {
                with_links(line, place, &mut res);
                continue;
            }
            _ => {}
        }
        res.push_str(line);
    }
    if res == text {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(res)
    }
}

/// Adds a line with its links rewritten.
fn with_links(line: &str, place: &dyn Fn(&str) -> Option<String>, res: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at + 2);
        let is_in_code = before.matches('`').count() % 2 == 1;
        let end = link.find([')', '\n']).filter(|_| !is_in_code);
        let open = before.rfind('[');
        let (Some(end), Some(open)) = (end, open) else {
            res.push_str(before);
            rest = link;
            continue;
        };
        let (target, after) = (&link[..end], &link[end..]);
        let path = target.split(['#', ' ']).next().unwrap_or_default();
        rest = after;
        if !is_relative(path) {
            res.push_str(before);
            res.push_str(target);
        } else if let Some(new) = place(path) {
            res.push_str(before);
            res.push_str(&new);
            let anchor = &target[path.len()..];
            res.push_str(if new.ends_with(".md") { anchor } else { "" });
        } else if !before[..open].ends_with('!') && after.starts_with(')') {
            res.push_str(&before[..open]);
            res.push_str(&before[open + 1..at]);
            rest = &after[1..];
        } else {
            res.push_str(before);
            res.push_str(target);
        }
    }
    res.push_str(rest);
}

fn is_relative(path: &str) -> bool {
    let is_address =
        path.contains("://") || path.starts_with("mailto:") || path.starts_with("data:");
    !path.is_empty() && !path.starts_with(['/', '#', '<']) && !is_address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let place = |path: &str| (path == "a.py").then(|| "../scripts/a.py".to_owned());
        assert_eq!(rewritten(text, &place), expected);
    }

    #[test]
    fn links_lead_to_files_of_the_skill() {
        check("See [a](a.py).", "See [a](../scripts/a.py).");
        check(
            "See [b](../b.js:1) and [a](a.py#L3)",
            "See b and [a](../scripts/a.py)",
        );
        check(
            "[x](https://x.org/a.py) [y](#top)",
            "[x](https://x.org/a.py) [y](#top)",
        );
        check(
            "```\n[a](b.py)\n```\n`[a](b.py)`",
            "```\n[a](b.py)\n```\n`[a](b.py)`",
        );
        check("[a](b", "[a](b");
    }
}
