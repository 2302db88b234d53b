//! Tests of the lines that declare parameters.

use super::*;
use crate::lex::pieces;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let found = read(&pieces::read(text));
    let names: Vec<_> = found
        .entries
        .iter()
        .flat_map(|entry| entry.names.list.clone())
        .collect();
    assert_eq!(names, expected);
}

#[test]
fn a_heading_switches_bare_lines_on_and_off() {
    check(
        "查询。\n- a: 不算\n参数:\n- b: 算\n返回:\n- c: 不算\n- d (字符串, 必需): 不算",
        &["b"],
    );
}

#[test]
fn lines_below_a_parameter_are_its_own() {
    check(
        "参数:\n- opt (JSON字符串, 可选): 选项：\n  - \"deep\" (布尔值, 默认false): 深\n- z: 尾",
        &["opt", "z"],
    );
    let found = read(&pieces::read(
        "参数:\n- kind: 可选值：\n  - `a`: 甲\n  - `b`: 乙\n  - 注意：无",
    ));
    assert_eq!(found.entries[0].values, ["a", "b"]);
}

#[test]
fn conditions_of_sub_headings() {
    let found = read(&pieces::read(
        "参数:\n* **如果 kind 是 'x'：**\n   4. p:「始」[甲]「末」 (必需)",
    ));
    assert_eq!(found.entries[0].when.as_deref(), Some("如果 kind 是 'x'"));
}

#[test]
fn values_below_a_heading() {
    let found = read(&pieces::read(
        "支持的 source 包括:\n- aa: 甲\n- bb: 乙\n参数:\n- source (字符串, 必需): 源",
    ));
    assert_eq!(found.values["source"], ["aa", "bb"]);
}

#[test]
fn a_docstring_with_underlines() {
    check(
        "Tool.\n\nParameters\n----------\npath : str\n    Path.\nn_lines : int, optional\n    How many.\n\nReturns\n-------\ntext : str",
        &["path", "n_lines"],
    );
}

#[test]
fn a_docstring() {
    check(
        "Search.\n\nArgs:\n    query (str): Text\n    limit (int, optional): Max. Defaults to 10.\n\nReturns:\n    items: list",
        &["query", "limit"],
    );
}

#[test]
fn modes_and_tools_are_not_parameters() {
    check(
        "两种模式：\n- auto(默认): 自动\n- manual: 手动\n**参数**:\n- leaf (字符串, 必需): 茶\n**可用工具**:\n- `kettle_boil`: 烧水\n  - degrees (必需): 温度\n**其他**:\n- cup (必需): 杯",
        &["leaf", "cup"],
    );
}
