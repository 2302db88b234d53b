//! The arguments of a command as a table: also the members of objects, and alternatives.
//!
//! - `flat`: a row for each argument and each member; `shape`: schemas as values and in one line.

mod flat;
mod shape;

use std::fmt::Write as _;

use serde_json::Value;

use crate::{
    markdown::{DefuseReport, cell, code, defuse},
    render::{Language, rows},
};

use flat::flat;
pub(crate) use shape::shape;

/// The arguments of a command, as its schema and its examples have them.
pub(crate) struct Arguments<'a> {
    pub(crate) schema: &'a Value,
    pub(crate) examples: &'a [Value],
}

impl Arguments<'_> {
    /// Returns a table with a row for each argument and member, and what the arguments are together if
    /// there are alternatives.
    pub(crate) fn table(&self, language: Language, seen: &mut DefuseReport) -> String {
        let flat = flat(self.schema, language);
        let rows = rows(&flat.schema, self.examples, language);
        if rows.is_empty() {
            let none = language.pick("It takes no arguments.", "没有参数。");
            return format!("\n{none}\n");
        }
        let head = language.pick(
            "| argument | type | required | meaning |",
            "| 参数 | 类型 | 必需 | 含义 |",
        );
        let mut res = format!("\n{head}\n|---|---|---|---|\n");
        for row in rows {
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            let description = meaning(&text("description"), &text("default"), language);
            let _ = writeln!(
                res,
                "| {} | {} | {} | {} |",
                cell(&code(&text("name"))),
                cell(&text("type")),
                cell(&text("required")),
                cell(&defuse(&description, seen))
            );
        }
        if flat.is_cut {
            let more = language.pick(
                "More members are in the schema of the command: `skills-describe . --phase full`.",
                "其余成员见命令的模式：`skills-describe . --phase full`。",
            );
            let _ = write!(res, "\n{more}\n");
        }
        let shapes = shape::alternatives(self.schema);
        if !shapes.is_empty() {
            let label = language.pick("Together they are one of:", "它们合起来是其中之一：");
            let _ = write!(res, "\n{label}\n\n");
            for shape in shapes {
                let _ = writeln!(res, "- {}", code(&shape));
            }
        }
        res
    }
}

/// Returns the text of a row, with the default.
fn meaning(text: &str, default: &str, language: Language) -> String {
    if default.is_empty() {
        return text.to_owned();
    }
    let default = code(default);
    let label = language.pick("Default", "默认");
    if text.is_empty() {
        return format!("{label} {default}");
    }
    let text = text.trim_end_matches(['.', '。']);
    let separator = language.pick(". ", "；");
    format!("{text}{separator}{label} {default}")
}
