//! Parsing text into a tree, within bounds.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use granit_parser::{
    Event, Options, Parser, ScalarStyle, ScanError, Span, StrInput, StructureStyle, Tag, options,
};

use super::simple;
use super::{
    Content, MAX_BYTES, MAX_DEPTH, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_NODES, MAX_NODES,
    MAX_SOURCE_BYTES, MAX_SOURCE_DEPTH, MAX_SOURCE_NODES, Node, Style, YamlError,
};

/// Reads one document of at most [`MAX_BYTES`]; `None` if there is none.
pub fn parse(text: &str) -> Result<Option<Node>, YamlError> {
    if text.len() <= MAX_BYTES
        && let Some(node) = simple::parse(text)
    {
        return Ok(Some(node));
    }
    parse_fully(text)
}

/// Does the same without the fast path.
pub(super) fn parse_fully(text: &str) -> Result<Option<Node>, YamlError> {
    parse_bounded(text, MAX_BYTES, MAX_NODES, MAX_DEPTH)
}

/// Reads one document of at most [`MAX_DOCUMENT_BYTES`]; `None` if there is none.
pub fn parse_document(text: &str) -> Result<Option<Node>, YamlError> {
    parse_bounded(text, MAX_DOCUMENT_BYTES, MAX_DOCUMENT_NODES, MAX_DEPTH)
}

/// Reads one document of a plugin, of at most [`MAX_SOURCE_BYTES`]; `None` if there is none.
///
/// # Errors
///
/// [`YamlError`] for invalid YAML, a second document, duplicate keys, and exceeded bounds.
pub fn parse_source(text: &str) -> Result<Option<Node>, YamlError> {
    parse_bounded(text, MAX_SOURCE_BYTES, MAX_SOURCE_NODES, MAX_SOURCE_DEPTH)
}

fn parse_bounded(
    text: &str,
    max_bytes: usize,
    max_nodes: usize,
    max_depth: usize,
) -> Result<Option<Node>, YamlError> {
    if text.len() > max_bytes {
        let message = format!("{} bytes of YAML, expected at most {max_bytes}", text.len());
        return Err(YamlError::new(message, 0));
    }
    let mut reader = Reader {
        parser: Parser::new_from_str_with_options(text, parser_options(max_depth)),
        anchors: BTreeMap::new(),
        nodes: 0,
        aliased: 0,
        max_nodes,
        max_depth,
        end: text.len(),
    };
    reader.document()
}

fn parser_options(max_depth: usize) -> Options {
    options! { emit_comments: false, flow_nesting_limit: max_depth, block_nesting_limit: max_depth }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    anchors: BTreeMap<usize, Node>,
    nodes: usize,
    aliased: usize,
    max_nodes: usize,
    max_depth: usize,
    end: usize,
}

type Next<'a> = (Event<'a>, Range<usize>);

impl<'a> Reader<'a> {
    fn next(&mut self) -> Result<Next<'a>, YamlError> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, byte_range(&span, self.end))),
            Some(Err(error)) => Err(scan_error(&error, self.end)),
            None => Ok((Event::StreamEnd, self.end..self.end)),
        }
    }

    /// Reads one document and expects nothing after it.
    fn document(&mut self) -> Result<Option<Node>, YamlError> {
        let mut root = None;
        loop {
            let (event, range) = self.next()?;
            match event {
                Event::StreamStart | Event::DocumentEnd => {}
                Event::StreamEnd => return Ok(root),
                Event::DocumentStart(..) if root.is_some() => {
                    let message = "a second YAML document, expected one";
                    return Err(YamlError::new(message, range.start));
                }
                Event::DocumentStart(..) => {
                    let next = self.next()?;
                    root = Some(self.node(next, 0)?);
                }
                _ => return Err(YamlError::new("unexpected YAML", range.start)),
            }
        }
    }

    fn node(&mut self, (event, range): Next<'a>, depth: usize) -> Result<Node, YamlError> {
        self.count(range.start)?;
        if depth > self.max_depth {
            let max = self.max_depth;
            let message = format!("YAML nested more than {max} levels deep");
            return Err(YamlError::new(message, range.start));
        }
        let start = range.start;
        let (content, anchor, tag, end) = match event {
            Event::Alias(id) => return self.alias(id, range),
            Event::Scalar(text, style, anchor, tag) => {
                // The library reports `~` for a missing value.
                let is_absent = range.is_empty() && style == ScalarStyle::Plain;
                let content = Content::Scalar {
                    text: if is_absent {
                        String::new()
                    } else {
                        text.into_owned()
                    },
                    style: style_of(style),
                };
                (content, anchor, tag, range.end)
            }
            Event::SequenceStart(style, anchor, tag) => {
                let (items, end) = self.items(depth)?;
                let flow = style == StructureStyle::Flow;
                (Content::Sequence { items, flow }, anchor, tag, end)
            }
            Event::MappingStart(style, anchor, tag) => {
                let (entries, end) = self.entries(depth)?;
                let flow = style == StructureStyle::Flow;
                (Content::Mapping { entries, flow }, anchor, tag, end)
            }
            _ => return Err(YamlError::new("a value is missing", start)),
        };
        let node = Node {
            content,
            range: start..end.max(start),
            tag: tag.map(|tag| tag_text(&tag)),
            anchored: anchor != 0,
        };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn items(&mut self, depth: usize) -> Result<(Vec<Node>, usize), YamlError> {
        let mut items = Vec::new();
        loop {
            let next = self.next()?;
            if next.0 == Event::SequenceEnd {
                return Ok((items, next.1.end));
            }
            items.push(self.node(next, depth + 1)?);
        }
    }

    fn entries(&mut self, depth: usize) -> Result<(Vec<(Node, Node)>, usize), YamlError> {
        let mut entries = Vec::new();
        let mut seen = BTreeSet::new();
        loop {
            let next = self.next()?;
            if next.0 == Event::MappingEnd {
                return Ok((entries, next.1.end));
            }
            let key = self.node(next, depth + 1)?;
            if !seen.insert(key.to_value().to_string()) {
                return Err(duplicate(&key));
            }
            let next = self.next()?;
            entries.push((key, self.node(next, depth + 1)?));
        }
    }

    /// Returns a copy of the anchored node; its nodes count again, which stops a "billion laughs"
    /// attack.
    fn alias(&mut self, id: usize, range: Range<usize>) -> Result<Node, YamlError> {
        let Some(node) = self.anchors.get(&id) else {
            let message = "an alias inside the value that it stands for";
            return Err(YamlError::new(message, range.start));
        };
        let size = count_nodes(node);
        self.aliased += size;
        if self.aliased > MAX_NODES {
            return Err(too_many(range.start));
        }
        let mut node = node.clone();
        node.range = range;
        node.anchored = true;
        Ok(node)
    }

    fn count(&mut self, at: usize) -> Result<(), YamlError> {
        self.nodes += 1;
        if self.nodes > self.max_nodes {
            return Err(too_many(at));
        }
        Ok(())
    }
}

fn too_many(at: usize) -> YamlError {
    YamlError::new("too many YAML values, aliases expanded", at)
}

fn duplicate(key: &Node) -> YamlError {
    let shown = key.text().unwrap_or("a key");
    YamlError {
        message: format!("`{}` occurs twice, expected once", shown.escape_debug()),
        offset: key.range.start,
        duplicate_key: true,
    }
}

fn count_nodes(node: &Node) -> usize {
    1 + match &node.content {
        Content::Scalar { .. } => 0,
        Content::Sequence { items, .. } => items.iter().map(count_nodes).sum(),
        Content::Mapping { entries, .. } => entries
            .iter()
            .map(|(key, value)| count_nodes(key) + count_nodes(value))
            .sum(),
    }
}

fn style_of(style: ScalarStyle) -> Style {
    match style {
        ScalarStyle::Plain => Style::Plain,
        ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => Style::Quoted,
        ScalarStyle::Literal | ScalarStyle::Folded => Style::Block,
    }
}

fn tag_text(tag: &Tag) -> String {
    match tag.core_suffix() {
        Some(suffix) => format!("!!{suffix}"),
        None => tag.original(),
    }
}

fn byte_range(span: &Span, end: usize) -> Range<usize> {
    span.byte_range().unwrap_or(end..end)
}

fn scan_error(error: &ScanError, end: usize) -> YamlError {
    let offset = error.marker().byte_offset().unwrap_or(end).min(end);
    let message = error.info().to_lowercase();
    YamlError::new(message.trim_end_matches('.'), offset)
}
