//! Form T: Markdown tables whose header names a column of parameters, and tables of values.

use crate::fact::{self, Facts, need, types};
use crate::form::entry::Entry;
use crate::lex::names::{self, Joint};
use crate::param::{Form, Need};

/// The declarations of a table.
#[derive(Clone, Default, Debug)]
pub(crate) struct Table {
    /// Parameters, one row each.
    pub(crate) entries: Vec<Entry>,
    /// Values of the parameter that the first header names.
    pub(crate) values: Option<(String, Vec<String>)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Name,
    Type,
    Need,
    Default,
    Values,
    Aliases,
    /// `是否可选`: yes and no mean the opposite.
    Optional,
    /// Samples, which state no facts.
    Example,
    Text,
    RequiredNames,
    OptionalNames,
}

/// Splits a row into cells; a backslash escapes a bar.
pub(crate) fn cells(row: &str) -> Option<Vec<&str>> {
    let body = row.trim().strip_prefix('|')?;
    let body = body.strip_suffix('|').unwrap_or(body);
    let mut res = Vec::new();
    let mut start = 0;
    let mut ticked = false;
    for (at, c) in body.char_indices() {
        match c {
            '`' => ticked = !ticked,
            '|' if !ticked && !body[..at].ends_with('\\') => {
                res.push(body[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    res.push(body[start..].trim());
    Some(res)
}

/// Reads a table: header, separator, rows.
pub(crate) fn read(rows: &[Vec<&str>]) -> Table {
    let [header, rest @ ..] = rows else {
        return Table::default();
    };
    let columns: Vec<Column> = header.iter().map(|cell| column(cell)).collect();
    let rows = rest.iter().filter(|row| !is_rule(row));
    if columns.contains(&Column::Name) && columns.len() > 1 {
        let entries = rows.filter_map(|row| parameter(&columns, row)).collect();
        return Table {
            entries,
            values: None,
        };
    }
    values_table(header, &columns, &rows.collect::<Vec<_>>())
}

fn is_rule(row: &[&str]) -> bool {
    row.iter()
        .all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' ' | '—')))
}

fn column(cell: &str) -> Column {
    let text = cell.trim_matches(['*', '`', ' ']).to_lowercase();
    match text.as_str() {
        "参数" | "参数名" | "参数名称" | "字段" | "字段名" | "名称" | "parameter" | "param"
        | "parameters" | "field" | "argument" | "arg" | "name" | "key" | "option" | "属性"
        | "键" | "入参" | "变量" | "parameter name" | "property" => Column::Name,
        "类型" | "数据类型" | "type" | "参数类型" => Column::Type,
        "必填" | "必需" | "必选" | "是否必填" | "是否必需" | "是否必须" | "必须" | "required"
        | "required?" | "必填?" | "必填？" | "要求" | "必要性" | "req." | "req" | "req?"
        | "mandatory" | "mandatory?" | "必須" | "必传" | "是否必传" | "是否必选" => {
            Column::Need
        }
        "是否可选" | "可选" | "可选?" | "可选？" | "optional" | "optional?" | "opt." | "opt" => {
            Column::Optional
        }
        "别名" | "alias" | "aliases" | "also" | "同义" | "同义名" | "兼容名" => {
            Column::Aliases
        }
        "示例" | "例子" | "样例" | "示例值" | "举例" | "example" | "examples" | "sample"
        | "example value" | "e.g." => Column::Example,
        "默认" | "默认值" | "default" | "缺省值" | "default value" => Column::Default,
        "可选值" | "取值" | "枚举" | "values" | "enum" | "options" | "allowed"
        | "allowed values" | "取值范围" => Column::Values,
        _ if text.starts_with("必填参")
            || text.starts_with("必需参")
            || text.starts_with("required p")
            || text.starts_with("required a") =>
        {
            Column::RequiredNames
        }
        _ if text.starts_with("可选参")
            || text.starts_with("optional p")
            || text.starts_with("optional a") =>
        {
            Column::OptionalNames
        }
        _ => Column::Text,
    }
}

/// Reads one row as a parameter.
fn parameter(columns: &[Column], row: &[&str]) -> Option<Entry> {
    let cell = |wanted| {
        columns
            .iter()
            .zip(row)
            .filter(move |(column, _)| **column == wanted)
            .map(|(_, cell)| *cell)
    };
    let (mut names, rest) = names::take(cell(Column::Name).next()?)?;
    if let Some((aliases, _)) = cell(Column::Aliases).next().and_then(names::take)
        && names.joint == Joint::Single
    {
        names.list.extend(aliases.list);
        names.joint = Joint::Alias;
    }
    let mut attrs = Facts::default();
    if fact::are_attrs(rest) {
        attrs = fact::read_attrs(rest.trim_matches([' ', '(', ')', '（', '）']));
    }
    if let Some(found) = cell(Column::Type).next().and_then(types::read) {
        attrs.types = found;
    }
    attrs.need = cell(Column::Need).next().and_then(need_cell).or(attrs.need);
    if let Some(text) = cell(Column::Optional).next() {
        attrs.need = optional_cell(text).or(attrs.need);
    }
    if let Some(text) = cell(Column::Default).next().filter(|text| !is_empty(text)) {
        attrs.default = fact::default::read(&format!("默认: {text}"));
    }
    if let Some(text) = cell(Column::Values).next() {
        attrs.choices = fact::choice::read(&format!("可选值: {text}"));
    }
    let text: Vec<&str> = cell(Column::Text).filter(|text| !is_empty(text)).collect();
    Some(Entry::new(names, attrs, &text.join("；"), Form::T))
}

fn is_empty(cell: &str) -> bool {
    matches!(
        cell.trim_matches(['`', ' ']),
        "" | "-" | "—" | "–" | "无" | "/" | "N/A" | "n/a" | "none" | "None" | "--"
    )
}

/// Reads a cell of need: `是`, `✓`, `否*`, `preset 时必填`.
fn need_cell(cell: &str) -> Option<Need> {
    let text = cell.trim_matches(['*', '`', ' ']);
    match text.to_lowercase().as_str() {
        "是" | "✓" | "✔" | "✅" | "yes" | "y" | "true" | "√" | "必" => {
            return Some(Need::Required);
        }
        "否" | "✗" | "✘" | "❌" | "no" | "n" | "false" | "×" | "-" | "—" | "" => {
            return Some(Need::Optional);
        }
        _ => {}
    }
    need::read(text)
        .or_else(|| {
            text.starts_with(['否', 'N', 'n', '❌'])
                .then_some(Need::Optional)
        })
        .or_else(|| {
            text.starts_with(['是', '✅', 'Y', 'y'])
                .then(|| Need::When(text.to_owned()))
        })
}

/// Reads a cell in a column for optional parameters, such as `optional?`.
fn optional_cell(cell: &str) -> Option<Need> {
    match need_cell(cell)? {
        Need::Required => Some(Need::Optional),
        // A word of need keeps its own meaning: `可选`, `required`.
        Need::Optional if need::read(cell.trim_matches(['*', '`', ' '])).is_some() => {
            Some(Need::Optional)
        }
        Need::Optional => Some(Need::Required),
        condition @ Need::When(_) => Some(condition),
    }
}

/// Reads a table whose first header is the name of a parameter. Its rows are values, and columns of
/// names list the arguments that a value needs.
fn values_table(header: &[&str], columns: &[Column], rows: &[&Vec<&str>]) -> Table {
    let Some((first, rest)) = header.first().and_then(|cell| names::take(cell)) else {
        return Table::default();
    };
    if !rest.trim().is_empty() || first.list.len() != 1 {
        return Table::default();
    }
    let values: Vec<String> = rows
        .iter()
        .filter_map(|row| row.first())
        .filter_map(|cell| value(cell))
        .collect();
    if values.len() != rows.len() || values.len() < 2 {
        return Table::default();
    }
    let mut entries = Vec::new();
    for row in rows {
        for (column, cell) in columns.iter().zip(row.iter()) {
            let when = format!("{} = {}", first.list[0], row[0].trim_matches(['`', ' ']));
            match column {
                Column::RequiredNames => entries.extend(listed(cell, &Need::When(when))),
                Column::OptionalNames => entries.extend(listed(cell, &Need::Optional)),
                _ => {}
            }
        }
    }
    Table {
        entries,
        values: first.list.into_iter().next().map(|name| (name, values)),
    }
}

/// Returns the value at the start of a cell; a marked default keeps its mark.
fn value(cell: &str) -> Option<String> {
    let text = cell.trim().trim_matches(['`', '*', '"', '\'']);
    let end = text.find(['(', '（', '`', ' ']).unwrap_or(text.len());
    let head = text[..end].trim();
    let plain = !head.is_empty()
        && head
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':'));
    plain.then(|| {
        if text[end..].contains("默认") || text[end..].contains("default") {
            format!("{head}（默认）")
        } else {
            head.to_owned()
        }
    })
}

fn listed(cell: &str, need: &Need) -> Vec<Entry> {
    let mut res = Vec::new();
    for piece in
        crate::lex::group::split(cell, |c| matches!(c, ',' | '，' | '、' | '+' | ';' | '；'))
    {
        if let Some((names, rest)) = names::take(piece) {
            let text = rest.trim().trim_matches(['(', ')', '（', '）']);
            let mut entry = Entry::new(names, Facts::default(), text, Form::T);
            entry.section_need = Some(need.clone());
            res.push(entry);
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn table(text: &str) -> Table {
        let rows: Vec<_> = text.lines().filter_map(cells).collect();
        read(&rows)
    }

    #[test]
    fn rows_are_parameters() {
        let found = table(
            "| 参数 | 类型 | 必填 | 默认值 | 说明 |\n|---|---|---|---|---|\n| `city` | 字符串 | 是 | - | 城市 |\n| n | 整数 | 否 | 5 | 条数 |",
        );
        assert_eq!(found.entries[0].attrs.need, Some(Need::Required));
        assert_eq!(found.entries[1].attrs.need, Some(Need::Optional));
        assert_eq!(
            found.entries[1].attrs.default,
            Some(crate::param::Default::Bare("5".to_owned()))
        );
        assert_eq!(found.entries[1].text, "条数");
    }

    #[test]
    fn english_headers_and_conditions() {
        let found = table(
            "| Name | Type | Required | Description |\n|---|---|---|---|\n| mode | string | required if x | How |",
        );
        assert!(matches!(found.entries[0].attrs.need, Some(Need::When(_))));
    }

    #[test]
    fn columns_of_every_kind() {
        let found = table(
            "| Field | Req. | Aliases | Example | Notes |\n|---|---|---|---|---|\n| pot | ✓ | kettle, jug | a,b | which |",
        );
        let entry = &found.entries[0];
        assert_eq!(
            (
                entry.names.list.join(" "),
                entry.attrs.need.clone(),
                entry.text.as_str()
            ),
            ("pot kettle jug".to_owned(), Some(Need::Required), "which")
        );
        let found = table("| param | optional? |\n|---|---|\n| pot | no |\n| cup | yes |");
        let needs: Vec<_> = found
            .entries
            .into_iter()
            .map(|entry| entry.attrs.need)
            .collect();
        assert_eq!(needs, [Some(Need::Required), Some(Need::Optional)]);
    }

    #[test]
    fn a_table_of_values() {
        let found = table(
            "| kind | 说明 | 必填参数 | 可选参数 |\n|---|---|---|---|\n| copy | 复制 | src, dst | — |\n| drop | 删除 | src | force（强制） |",
        );
        assert_eq!(
            found.values,
            Some((
                "kind".to_owned(),
                vec!["copy".to_owned(), "drop".to_owned()]
            ))
        );
        let names: Vec<_> = found
            .entries
            .iter()
            .map(|entry| entry.names.list[0].as_str())
            .collect();
        assert_eq!(names, ["src", "dst", "src", "force"]);
    }

    #[test]
    fn other_tables_declare_nothing() {
        let found = table("| 用户说的话 | 说明 |\n|---|---|\n| 你好 | 问候 |");
        assert!(found.entries.is_empty() && found.values.is_none());
    }
}
