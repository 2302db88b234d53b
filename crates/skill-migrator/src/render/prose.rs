//! The text of a command as Markdown: its calls as JSON where they are, without what the body says
//! elsewhere.
//!
//! Whole lines and sentences are left out: the summary, the parameters of the table, the syntax of the
//! legacy host's calls, and labels without content. `references/legacy-manifest.json` has the text unchanged.

use std::collections::BTreeSet;

use plugin_prose::{Passage, ShownCall, passages};
use serde_json::{Map, Value};

use super::batch;
use super::display;
use super::first_call;
use super::items::{
    Item, fences, is_item, label_level, levelled, rendered, without_empty_labels,
    without_lone_modes, without_lost_numbers,
};
use super::lists::{
    counted, repeated, with_owners, without_praise, without_results, without_table_rows,
};
use super::parameter;
use super::parts;
use super::plain_items;
use super::protocol;
use super::result_blocks::without_told_results;
use super::shapes;
use super::signs;
use super::told::{Before, find};
use crate::json_types;
use crate::signatures::SIGNATURES;

/// Longer calls are in `METADATA.yml` only, in bytes.
const MAX_CALL: usize = 700;
/// Returns a text as Markdown without what `before` has. The text is added to it.
pub(super) fn markdown(text: &str, before: &mut Before<'_>) -> String {
    let mut items = Vec::new();
    for passage in passages(&protocol::without_mark_clauses(text)) {
        match passage {
            Passage::Line(line) => items.push(Item::Line(line)),
            Passage::Call(call) => items.push(before.news(&call).map_or(Item::Cut, Item::Call)),
        }
    }
    let items = uncommented(&items);
    let items = shapes::in_one_line(&display::without_html(without_fences(items)));
    let items = without_told_results(&items, before);
    let items = shapes::behind_labels(items);
    let items = without_praise(&without_results(items, before), before);
    let (items, is_partly) = repeated(items, before);
    let is_counted = counted(&items, before);
    let items = without_table_rows(items, before, &is_counted);
    let is_counted = is_counted.into_iter().zip(is_partly);
    let is_counted = is_counted.map(|(is_counted, is_partly)| is_counted || is_partly);
    let is_code = fences(&items).into_iter().zip(is_counted);
    let items: Vec<Item> = items
        .into_iter()
        .zip(is_code)
        .map(|(item, (is_code, is_counted))| match item {
            Item::Line(line) if !is_code => {
                without_repetitions(&line, before, is_counted).map_or(Item::Cut, Item::Line)
            }
            item => item,
        })
        .collect();
    let items = without_lone_modes(&without_empty_labels(items));
    let items = with_owners(&without_lost_numbers(items), before);
    rendered(&levelled(plain_items::paragraphs(&items)))
}

impl Before<'_> {
    /// Returns an example that is an object of JSON, if it shows something new of the arguments.
    pub(super) fn of_object(&mut self, arguments: Map<String, Value>) -> String {
        let dispatch = self.command.and_then(|command| command.dispatch.as_ref());
        let properties = self
            .command
            .and_then(|command| command.input_schema["properties"].as_object());
        let is_argument = |key: &String| {
            properties.is_some_and(|all| all.contains_key(key)) || batch::selects(dispatch, key)
        };
        if !arguments.keys().all(is_argument) {
            return String::new();
        }
        let call = ShownCall {
            arguments,
            ..ShownCall::default()
        };
        let news = self.news(&call);
        news.map(|call| crate::markdown::fenced(&call, "json"))
            .unwrap_or_default()
    }

    /// Returns true for the first sentence of a text, of which the description says most.
    fn begins_as_described(&self, sentence: &str) -> bool {
        const MIN_SHARE: usize = 75;
        const MIN: usize = 12;
        !self.is_begun && sentence.chars().count() >= MIN && self.known.share(sentence) >= MIN_SHARE
    }

    /// Returns true for a sentence that is below the table of an earlier command, unless it is short.
    fn has_told(&self, sentence: &str) -> bool {
        // An item belongs to the list of its command.
        let min = if is_item(sentence) { 10 } else { 8 };
        sentence.chars().filter(|c| c.is_alphanumeric()).count() >= min
            && self.told.has_exactly(sentence)
    }

    /// Returns a call as JSON if it shows something that no other call and no row shows.
    fn news(&mut self, call: &ShownCall) -> Option<String> {
        let arguments = self.with_selector(call);
        let arguments = match self.command {
            Some(command) => {
                let dispatch = command.dispatch.as_ref().map(|it| &*it.key);
                json_types::of_call(arguments, &command.input_schema, dispatch)
            }
            None => arguments,
        };
        let is_short = |text: &String| text.len() <= MAX_CALL;
        let properties = self
            .command
            .map(|command| &command.input_schema["properties"]);
        let empty = Map::new();
        let all = properties.and_then(Value::as_object).unwrap_or(&empty);
        let is_declared = |key: &str| find(all, key).is_some();
        let dispatch = self.command.and_then(|command| command.dispatch.as_ref());
        let selects = |key: &str| batch::selects(dispatch, key);
        // An example for all commands shows how their arguments are numbered.
        let is_plain = |key: &String| is_declared(batch::unnumbered(key)) || selects(key);
        let is_batch = self.command.is_some_and(|command| command.batch.is_some());
        if is_batch && call.is_batch && arguments.keys().all(is_plain) {
            return None;
        }
        if call.is_template && arguments.keys().all(|key| is_declared(key) || selects(key)) {
            return None;
        }
        let names: BTreeSet<&String> = self.calls.iter().flat_map(Map::keys).collect();
        let is_known = |key: &str, value: &Value| {
            let is_choice = properties.is_some_and(|all| !all[key]["enum"].is_null());
            let is_shown = |shown: &Map<String, Value>| shown.get(key) == Some(value);
            !is_choice || self.calls.iter().any(is_shown)
        };
        let is_default = |key: &str, value: &Value| {
            let default = properties.and_then(|all| all[key].get("default"));
            default.is_some_and(|it| parameter::plain(it) == parameter::plain(value))
        };
        let is_news = arguments.iter().any(|(key, value)| {
            !names.contains(key) && !is_default(key, value) || !is_known(key, value)
        });
        if !is_news {
            return None;
        }
        self.calls.push(arguments.clone());
        Some(Value::Object(arguments).to_string()).filter(is_short)
    }

    /// Returns the arguments of a call, with the one that selects the command.
    fn with_selector(&self, call: &ShownCall) -> Map<String, Value> {
        let dispatch = self.command.and_then(|command| command.dispatch.as_ref());
        let mut res = Map::new();
        if let Some(dispatch) = dispatch.filter(|_| !call.is_batch) {
            res.insert(dispatch.key.clone(), Value::from(dispatch.value.as_str()));
        }
        res.extend(call.arguments.clone());
        let is_needless = |key: &str| {
            SIGNATURES.contains(&key)
                && self.command.is_some_and(|command| {
                    let first = command.examples.first();
                    let is_undeclared = command.input_schema["properties"][key].is_null()
                        && first.is_some_and(|first| first[key].is_null());
                    is_undeclared
                        || !parts::is_required(command, key)
                            && !command.input_schema["properties"][key]["default"].is_null()
                })
        };
        res.retain(|key, _| !is_needless(key));
        if let Some(command) = self.command {
            res = first_call::read_by_program(&command.input_schema, res);
        }
        first_call::shown(res)
    }
}

/// Takes the marks of comments from lines that only look like headings: `#   - "green tea": a phrase`.
fn uncommented(items: &[Item]) -> Vec<Item> {
    const MIN: usize = 3;
    let is_comment = |item: &Item| matches!(item, Item::Line(line) if line.starts_with('#') && !line.starts_with("##"));
    let is_list = |item: &Item| matches!(item, Item::Line(line) if is_item(line.trim_start_matches('#').trim_start()));
    let mut res: Vec<Item> = Vec::new();
    let mut at = 0;
    while at < items.len() {
        let n_lines = items[at..].iter().take_while(|it| is_comment(it)).count();
        let block = &items[at..at + n_lines.max(1)];
        if n_lines >= MIN && block.iter().any(is_list) {
            res.extend(block.iter().map(|item| match item {
                Item::Line(line) => Item::Line(line[1..].trim().to_owned()),
                item => item.clone(),
            }));
        } else {
            res.extend_from_slice(block);
        }
        at += block.len();
    }
    res
}

/// Drops the fence around each call, also one that begins at the end of a sentence.
fn without_fences(items: Vec<Item>) -> Vec<Item> {
    let mut res: Vec<Item> = Vec::new();
    let mut is_open = false;
    for item in items {
        match &item {
            Item::Call(_) | Item::Cut => {
                while matches!(res.last(), Some(Item::Line(line)) if line.trim().is_empty()) {
                    res.pop();
                }
                if let Some(Item::Line(line)) = res.last_mut()
                    && let Some((head, word)) = line.rsplit_once("```")
                    && word.trim().chars().all(char::is_alphanumeric)
                {
                    let head = head.to_owned();
                    *line = head;
                    is_open = true;
                }
            }
            Item::Line(line) if is_open && line.trim() == "```" => {
                is_open = false;
                continue;
            }
            Item::Line(line) if line.trim().starts_with("```") => is_open = false,
            Item::Line(_) => {}
        }
        res.push(item);
    }
    res
}

/// Returns the places of marks of bold type. Between blanks, two stars are an operator.
fn marks(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices("**").map(|(at, _)| at).filter(|at| {
        let is_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
        let before = text[..*at].chars().next_back();
        !is_blank(before) || !is_blank(text[at + 2..].chars().next())
    })
}

/// Returns a line without the sentences that are known or explain the syntax of calls; `None` for a line
/// without any other. Items of a list that is counted may be known.
fn without_repetitions(line: &str, before: &mut Before<'_>, is_counted: bool) -> Option<String> {
    let line = &*signs::without_pictures(line);
    if before.command.is_some() && is_name_of_table(line) || says_nothing(line) {
        return None;
    }
    // A rule on marks of the protocol, which are gone: `- → `.
    if !line.chars().any(char::is_alphanumeric)
        && line.contains("->")
        && line.trim().starts_with('-')
    {
        return None;
    }
    if !line.chars().any(char::is_alphanumeric) || line.trim_start().starts_with(['|', '`']) {
        return Some(line.to_owned());
    }
    let indent = &line[..line.len() - line.trim_start().len()];
    let mut res = indent.to_owned();
    let is_label = label_level(line).is_some();
    let is_result = before.has_result && protocol::is_vague_result(line);
    if protocol::says_no_parameters(line) || protocol::is_version_label(line) || is_result {
        return None;
    }
    let (mut is_after_cut, mut was_told) = (false, false);
    for sentence in protocol::sentences(protocol::without_label(line.trim())) {
        let goes_on = ["其次", "再次", "然后是", "Then ", "Next, "]
            .iter()
            .any(|word| sentence.starts_with(word));
        is_after_cut = is_after_cut && goes_on || protocol::is_left_out(sentence);
        let said = protocol::without_agent(sentence);
        let is_repeated = if is_label || shapes::is_shape(&said) {
            before.known.has_exactly(&said)
        } else {
            before.known.has(&said) || before.has_told(&said)
        };
        let is_described = !is_label && before.begins_as_described(&said);
        before.is_begun = true;
        if is_described {
            before.known.add(&said);
            continue;
        }
        let is_envelope =
            protocol::is_envelope(sentence, before.has_result) || protocol::is_end(sentence);
        let is_told = before.tells(sentence);
        was_told |= is_told;
        if is_envelope || (is_repeated || is_told) && !is_counted || is_after_cut {
            continue;
        }
        if !is_label {
            before.known.add(&said);
            before.told.add(&said);
        }
        res.push_str(&said);
    }
    // One half of a pair may be in a sentence that is left out.
    let is_whole = |text: &str| marks(text).count().is_multiple_of(2);
    if is_whole(line) && !is_whole(&res) {
        let halves: Vec<usize> = marks(&res).collect();
        for at in halves.into_iter().rev() {
            res.replace_range(at..at + 2, "");
        }
    }
    // The end of a code may have no letter: `the pot.]` and a mark.
    let is_even = |text: &str| text.matches('`').count().is_multiple_of(2);
    if is_even(line) != is_even(&res) && line.trim_end().ends_with('`') {
        res = format!("{}`", res.trim_end());
    }
    let is_told = was_told && !is_counted && before.nearly_tells(&res);
    let has_words = res.chars().any(char::is_alphanumeric) && !is_told;
    has_words.then(|| res.trim_end().to_owned())
}

/// Returns true for a line that says that there is nothing: `(暂无)`.
fn says_nothing(line: &str) -> bool {
    let bare = line.trim_matches(|c: char| "()（）-。. ".contains(c));
    matches!(bare, "暂无" | "无" | "None" | "none")
}

/// Returns true for a label of the list that the table replaces.
fn is_name_of_table(line: &str) -> bool {
    const NAMES: [&str; 8] = [
        "参数",
        "参数说明",
        "参数列表",
        "参数如下",
        "命令参数",
        "Parameters",
        "Params",
        "Arguments",
    ];
    let marks = |c: char| "#*:：【】-` ".contains(c);
    NAMES.contains(&line.trim().trim_matches(marks))
}

#[cfg(test)]
mod tests {
    use super::super::known::Known;
    use super::*;
    use serde_json::json;
    use skill_model::Command;

    #[test]
    fn marks_of_bold_type_are_not_operators() {
        for (text, expected) in [
            ("2 ** (power), -x", vec![]),
            ("**a** b", vec![0, 3]),
            ("a **b", vec![2]),
            ("**", vec![]),
        ] {
            assert_eq!(marks(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }

    fn command() -> Command {
        Command {
            description: "泡一壶茶。".to_owned(),
            input_schema: json!({ "properties": {
                "tea": { "type": "string", "description": "green, black or oolong" },
                "cups": { "description": "杯数" },
                "mode": { "enum": ["hot", "cold"] },
            } }),
            ..Command::new("brew")
        }
    }

    /// Checks a text, in which `CALL(a=1,b=2)` is a call.
    #[track_caller]
    fn check(text: &str, expected: &str) {
        let mut source = String::new();
        let mut rest = text;
        while let Some((head, tail)) = rest.split_once("CALL(") {
            let (fields, next) = tail.split_once(')').expect("it is closed");
            source.push_str(head);
            source.push_str("<<<[TOOL_REQUEST]>>>\ntool_name:「始」T「末」,\n");
            for field in fields.split(',') {
                let (key, value) = field.split_once('=').expect("it has a value");
                source = format!("{source}{key}:「始」{value}「末」,\n");
            }
            source.push_str("<<<[END_TOOL_REQUEST]>>>");
            rest = next;
        }
        source.push_str(rest);
        let command = command();
        let mut known = Known::default();
        known.add(&command.description);
        let call = json!({ "tea": "green" });
        let calls = vec![call.as_object().cloned().unwrap_or_default()];
        let mut before = Before::of(&command, known, calls);
        assert_eq!(markdown(&source, &mut before), expected);
    }

    #[test]
    fn a_line_on_the_selector_goes() {
        let command = Command {
            dispatch: Some(skill_model::Dispatch {
                key: "command".to_owned(),
                value: "GetTeaString".to_owned(),
                source: "example".to_owned(),
            }),
            input_schema: json!({ "properties": {} }),
            ..Command::new("BrewTea")
        };
        let mut before = Before::of(&command, Known::default(), Vec::new());
        let text = "参数:\n- command (字符串, 必需): 固定为 'GetTeaString'。\n";
        assert_eq!(markdown(text, &mut before), "");
    }

    #[test]
    fn labels_after_sentences_go_with_their_calls() {
        check("水要软。示例：\nCALL(tea=green)", "水要软。");
        check(
            "水要软。示例：\nCALL(cups=2)",
            "水要软。示例：\n\n```json\n{\"cups\":\"2\"}\n```",
        );
        check("水要软。注意：水很烫。", "水要软。注意：水很烫。");
    }

    #[test]
    fn the_summary_and_repetitions_go() {
        check("泡一壶茶。注意水温。", "注意水温。");
        check(
            "水要烧开，再等两分钟。\n- 水要烧开，再等两分钟。",
            "水要烧开，再等两分钟。",
        );
    }

    #[test]
    fn parameters_of_the_table_go() {
        check(
            "参数:\n- tea (string, required): green, black or oolong\n水要热。",
            "水要热。",
        );
        check(
            "- cups（可选）：杯数\n- `tea`: never with milk in it",
            "- `tea`: never with milk in it",
        );
        check(
            "- tea: green, black\n  or oolong\n- sugar: lumps",
            "- sugar: lumps",
        );
        check(
            "| 参数 | 说明 |\n| --- | --- |\n| cups | 杯数 |\n水要热。",
            "水要热。",
        );
        check("tea is best when it is hot.", "tea is best when it is hot.");
    }

    #[test]
    fn calls_become_json_where_they_are() {
        check(
            "冷泡：\nCALL(tea=green,mode=cold)\n水要冷。",
            "冷泡： `{\"tea\":\"green\",\"mode\":\"cold\"}`\n\n水要冷。",
        );
        check(
            "调用格式:\n```tool\nCALL(tea=black)\n```\n水要热。",
            "水要热。",
        );
        check(
            "CALL(tea=green,ice=yes)",
            "```json\n{\"tea\":\"green\",\"ice\":\"yes\"}\n```",
        );
        check(
            "CALL(mode=hot)\nCALL(mode=hot)",
            "```json\n{\"mode\":\"hot\"}\n```",
        );
        check("CALL(tea=[茶名])", "");
    }

    #[test]
    fn a_first_mode_without_a_second_has_no_label() {
        check("**模式一：少放糖**\n- 多放奶", "多放奶");
        check(
            "模式一：少糖\n- 奶\n模式二：多糖\n- 茶",
            "模式一：少糖\n奶\n模式二：多糖\n茶",
        );
    }

    #[test]
    fn lists_of_praise_go() {
        check(
            "水要热。\n**功能特性**：\n- 泡得快\n- 不烫手\n\n水要软。",
            "水要热。\n\n水要软。",
        );
        check(
            "使用场景：\n1. 用 cups 泡几杯\n2. 待客",
            "使用场景：\n1. 用 cups 泡几杯\n2. 待客",
        );
    }

    #[test]
    fn values_without_a_label_are_those_of_a_parameter() {
        check(
            "水要热。\n\n- \"hot\"  加热到沸腾\n- \"cold\"  放在冰里",
            "水要热。\n\n`mode`：\n- \"hot\"  加热到沸腾\n- \"cold\"  放在冰里",
        );
        check(
            "- \"hot\"  加热\n- \"tepid\"  温",
            "- \"hot\"  加热\n- \"tepid\"  温",
        );
    }

    #[test]
    fn sentences_on_the_syntax_go() {
        check("请使用以下格式，用「始」和「末」包裹。水要热。", "水要热。");
        check("1. tool_name:「始」X「末」\n说明在此。", "说明在此。");
        check(
            "请在回复中，使用以下精确格式：```Tool\nCALL(tea=black)\n```\n水要热。",
            "水要热。",
        );
    }

    #[test]
    fn lists_of_which_a_part_is_left() {
        check(
            "两种方式:\n1. 用茶:\nCALL(tea=black)\n2. 加冰:\nCALL(tea=oolong,ice=yes)",
            "加冰: `{\"tea\":\"oolong\",\"ice\":\"yes\"}`",
        );
        check("参数:\n- sugar: lumps", "- sugar: lumps");
        check("green, black or oolong (tea). 水要热。", "水要热。");
    }

    #[test]
    fn comments_are_no_headings() {
        check(
            "语法:\n#   - 词: 绿茶\n#   - 组: {绿|红}\n#\n# 例: 绿",
            "语法:\n- 词: 绿茶\n- 组: {绿|红}\n\n例: 绿",
        );
        check("# 标题\n水要热。", "**标题**\n\n水要热。");
        check(
            "水要热，例如：`[壶] 没有水。`",
            "水要热，例如：`[壶] 没有水。`",
        );
    }

    #[test]
    fn labels_without_content_go() {
        check("a b c\n**示例：**\nCALL(tea=black)\n", "a b c");
        check("## 示例\nCALL(tea=black)\n## 说明\n多喝水。", "多喝水。");
        check(
            "两种方式:\n1. 用 tea:\nCALL(tea=black)\n2. 用 cups:\nCALL(tea=oolong)",
            "",
        );
        check("【参数说明】\n- cups: 杯数", "");
    }
}
