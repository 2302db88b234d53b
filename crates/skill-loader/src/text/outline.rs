//! The headings of a text and their ranges.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::heading::{HeadingQuery, plain};

/// Titles of overview sections.
const OVERVIEWS: [&str; 11] = [
    "contents",
    "table of contents",
    "toc",
    "overview",
    "summary",
    "index",
    "目录",
    "目錄",
    "概述",
    "概览",
    "总览",
];

/// A heading with its section.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// Level of the heading, 1 to 6.
    pub level: usize,
    /// The text of the heading, without marks.
    pub title: String,
    /// Byte range of the heading itself, up to the end of its last line.
    pub heading: Range<usize>,
    /// Byte range from the heading to the next one of the same or a higher level.
    pub range: Range<usize>,
}

impl Section {
    /// Returns the heading as it can be requested: `## Usage`.
    pub fn name(&self) -> String {
        format!("{} {}", "#".repeat(self.level), self.title)
    }
}

/// The sections of a Markdown text in document order.
///
/// Only top-level headings count: ATX and Setext, but not in code, lists or quotes.
///
/// ```
/// use skill_loader::text::Outline;
///
/// let outline = Outline::new("# Report\n\n## Usage\n\nRun it.\n");
/// assert_eq!(outline.names(), ["# Report", "## Usage"]);
/// assert_eq!(outline.find("report/usage").unwrap().title, "Usage");
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Outline {
    /// The sections; ranges of inner sections are within those of outer ones.
    pub sections: Vec<Section>,
    /// The commands in tables, with the positions of their rows.
    rows: Vec<(String, usize)>,
}

impl Outline {
    /// Reads a text without frontmatter.
    pub fn new(text: &str) -> Self {
        let mut sections = headings(text);
        for at in 0..sections.len() {
            let level = sections[at].level;
            let next = sections[at + 1..].iter().find(|next| next.level <= level);
            let end = next.map_or(text.len(), |next| next.range.start);
            // A heading with a lone carriage return may reach into the next one.
            sections[at].range.end = end.max(sections[at].heading.end);
        }
        Self {
            sections,
            rows: rows(text),
        }
    }

    /// Returns the first section that matches `wanted`: `## Usage`, `Usage`, or `Usage/Options` for
    /// a section inside another. A command without a heading is in the section with its table.
    pub fn find(&self, wanted: &str) -> Option<&Section> {
        self.headed(wanted).or_else(|| {
            let whole = HeadingQuery::parse(wanted);
            let is_it = |(name, _): &&(String, usize)| whole.names(name);
            let (_, at) = self.rows.iter().find(is_it)?;
            let mut around = self.sections.iter().filter(|it| it.range.contains(at));
            around.next_back()
        })
    }

    fn headed(&self, wanted: &str) -> Option<&Section> {
        let whole = HeadingQuery::parse(wanted);
        let is_whole = |section: &&Section| whole.fits(section.level, &section.title);
        if let Some(section) = self.sections.iter().find(is_whole) {
            return Some(section);
        }
        let parts: Vec<HeadingQuery> = wanted.split('/').map(HeadingQuery::parse).collect();
        if parts.len() < 2 {
            return None;
        }
        self.find_inside(&parts, None)
    }

    fn find_inside(&self, parts: &[HeadingQuery], outer: Option<&Section>) -> Option<&Section> {
        let (first, rest) = parts.split_first()?;
        let is_inside = |section: &&Section| {
            outer.is_none_or(|outer| {
                section.range.start > outer.range.start && section.range.end <= outer.range.end
            })
        };
        let fits = |section: &&Section| first.fits(section.level, &section.title);
        let mut fitting = self.sections.iter().filter(is_inside).filter(fits);
        if rest.is_empty() {
            return fitting.next();
        }
        fitting.find_map(|section| self.find_inside(rest, Some(section)))
    }

    /// Returns the overview section, if there is one.
    pub fn overview(&self) -> Option<&Section> {
        let is_overview = |section: &&Section| OVERVIEWS.contains(&&*plain(&section.title));
        self.sections.iter().find(is_overview)
    }

    /// Returns the names of all sections in document order.
    pub fn names(&self) -> Vec<String> {
        self.sections.iter().map(Section::name).collect()
    }
}

/// Returns all headings; the ends of their sections are not set yet.
fn headings(text: &str) -> Vec<Section> {
    let mut res: Vec<Section> = Vec::new();
    let (mut depth, mut is_open) = (0_usize, false);
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Heading { level, .. }) if depth == 0 => {
                is_open = true;
                res.push(section(level as usize, text, range));
            }
            Event::End(TagEnd::Heading(_)) if depth == 0 => is_open = false,
            Event::Text(words) | Event::Code(words) if is_open => add(&mut res, &words),
            Event::SoftBreak | Event::HardBreak if is_open => add(&mut res, " "),
            Event::Start(tag) if is_container(&tag) => depth += 1,
            Event::End(TagEnd::BlockQuote(_) | TagEnd::List(_)) => depth -= 1,
            _ => {}
        }
    }
    res
}

/// Returns the names of the commands in tables whose first column is that of commands.
fn rows(text: &str) -> Vec<(String, usize)> {
    let (mut res, mut is_code, mut is_table, mut at) = (Vec::new(), false, false, 0);
    for line in text.split_inclusive('\n') {
        is_code ^= line.trim_start().starts_with("```");
        let cell = line.strip_prefix("| ").filter(|_| !is_code);
        let cell = cell.and_then(|it| it.split_once(" |")).map(|it| it.0);
        match cell {
            Some("Command" | "命令") => is_table = true,
            Some(name) if is_table => res.push((name.trim_matches('`').to_owned(), at)),
            _ => is_table &= line.starts_with('|'),
        }
        at += line.len();
    }
    res
}

fn is_container(tag: &Tag<'_>) -> bool {
    matches!(tag, Tag::BlockQuote(_) | Tag::List(_))
}

fn add(sections: &mut [Section], words: &str) {
    if let Some(section) = sections.last_mut() {
        section.title.push_str(words);
    }
}

/// Creates the section of a heading, widened to whole lines.
fn section(level: usize, text: &str, range: Range<usize>) -> Section {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = if text[..range.end].ends_with('\n') {
        range.end
    } else {
        let rest = text[range.end..].find('\n');
        rest.map_or(text.len(), |at| range.end + at + 1)
    };
    Section {
        level,
        title: String::new(),
        heading: start..end,
        range: start..text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "intro\n\n# 指标\n\na\n\n## 指标定义\n\n口径\n\n```sh\n# no heading\n## 指标定义\n```\n\n### 细则\n\nb\n\n## 用法/示例 ##\r\n\r\nc\r\n\r\nUsage\n-----\n\nd\n\n### `Options` and *more*\n\ne\n\n> ## quoted\n\n- ## listed\n\nTop\n===\n\n### Options\n\nf\n";

    #[track_caller]
    fn check(wanted: &str, expected: Option<(&str, &str)>) {
        let outline = Outline::new(TEXT);
        let found = outline.find(wanted).map(|section| {
            let text = &TEXT[section.range.clone()];
            (
                text.lines().next().unwrap(),
                text.trim_end().lines().last().unwrap(),
            )
        });
        assert_eq!(found, expected, "{wanted}");
    }

    #[test]
    fn lists_the_headings_of_the_text_itself() {
        assert_eq!(
            Outline::new(TEXT).names(),
            [
                "# 指标",
                "## 指标定义",
                "### 细则",
                "## 用法/示例",
                "## Usage",
                "### Options and more",
                "# Top",
                "### Options",
            ]
        );
    }

    #[test]
    fn a_section_ends_at_the_next_of_its_level_or_above() {
        check("## 指标定义", Some(("## 指标定义", "b")));
        check("指标", Some(("# 指标", "- ## listed")));
        check("细则", Some(("### 细则", "b")));
        check("Usage", Some(("Usage", "- ## listed")));
        check("top", Some(("Top", "f")));
    }

    #[test]
    fn a_path_leads_inside() {
        check(
            "Usage/Options and more",
            Some(("### `Options` and *more*", "- ## listed")),
        );
        check("指标/指标定义/细则", Some(("### 细则", "b")));
        check("Top/Options", Some(("### Options", "f")));
        check("# Top / ### Options", Some(("### Options", "f")));
        check("用法/示例", Some(("## 用法/示例 ##", "c")));
        check("Usage/Options", None);
        check("Options/Top", None);
        check("Usage/", None);
    }

    #[test]
    fn nothing_else_is_found() {
        for wanted in [
            "",
            "#",
            "quoted",
            "listed",
            "no heading",
            "### Usage",
            "/",
            "用法",
        ] {
            check(wanted, None);
        }
    }

    #[test]
    fn commands_in_tables_are_in_their_section() {
        let text = "# A\n\n## 命令\n\n| 命令 | 作用 |\n|-|-|\n| `brew_tea` | 泡茶 |\n\n### pour\n\n| 参数 | 说明 |\n|-|-|\n| `cup` | 杯 |\n";
        let outline = Outline::new(text);
        let found = |wanted: &str| outline.find(wanted).map(Section::name);
        assert_eq!(found("brew_tea").as_deref(), Some("## 命令"));
        assert_eq!(found("pour").as_deref(), Some("### pour"));
        assert_eq!(found("cup"), None);
        assert_eq!(found("命令").as_deref(), Some("## 命令"));
        assert_eq!(found("### brew_tea"), None);
    }

    #[test]
    fn finds_the_part_that_says_what_there_is() {
        let overview = |text: &str| Outline::new(text).overview().map(Section::name);
        assert_eq!(
            overview("# A\n## Overview\nx\n").as_deref(),
            Some("## Overview")
        );
        assert_eq!(overview("# 目录\nx\n").as_deref(), Some("# 目录"));
        assert_eq!(overview("# A\n"), None);
    }
}
