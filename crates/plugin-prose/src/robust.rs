//! Property tests: no text causes a panic, and every result keeps the promises of the crate.

use proptest::prelude::*;
use serde_json::Value;

use crate::{CommandReading, CommandSource, NoCode, PluginSource, read_blurb, read_command};

/// Pieces for generating texts that resemble descriptions.
const PIECES: [&str; 74] = [
    "- ",
    "* ",
    "1. ",
    "  - ",
    "\n",
    "\n",
    "\n\n",
    "\\n",
    "\t",
    " ",
    "参数:",
    "**参数说明：**",
    "返回：",
    "可选参数:",
    "必需参数: ",
    "Args:\n",
    "Parameters\n---\n",
    "name",
    "`url`",
    "a / b",
    "q1..q5",
    "image_N",
    "（必需）",
    "(字符串, 可选, 默认'x')",
    "(number, optional)",
    "：",
    ": ",
    "「始」",
    "「末」",
    "「始ESCAPE」",
    "「末ESCAPE」",
    "<<<[TOOL_REQUEST]>>>",
    "<<<[END_TOOL_REQUEST]>>>",
    "tool_name:「始」T「末」,",
    "command1:「始」x「末」,",
    "key:「始」(必需) 值「末」",
    "默认 10",
    "defaults to `x`",
    "'a'、'b'",
    "a/b/c",
    "例如 ",
    "等",
    "| 参数 | 类型 |",
    "| a | b |",
    "|---|",
    "```json",
    "{\"a\": 1}",
    "@param {string} [x=1] y",
    ":param int a: b",
    "固定为 X",
    "二选一",
    "也兼容 z",
    "如果 mode 是 x：",
    "必须提供 k",
    "可加 m 参数",
    "(",
    ")",
    "（",
    "'",
    "\"",
    "“",
    "=",
    "🎨",
    "é",
    "-t, --flag <x>  text",
    "f(a: string, b?: int = 1)",
    "k:\n  type: string\n  required: true\n",
    "`a` is required. ",
    "需要传入 a（x）和 b（y）两个参数，均为必填；",
    "### `k` (string, required)\n",
    "・",
    "(1) ",
    "<<<[TOOL_RESULT]>>>",
    "，不填则为 x",
];

fn text() -> impl Strategy<Value = String> {
    let made = prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60)
        .prop_map(|pieces| pieces.concat());
    prop_oneof![4 => made, 1 => any::<String>()]
}

fn read(description: &str, example: &str, structured: Option<&Value>) -> CommandReading {
    read_command(&CommandSource {
        plugin: "P",
        id: "Go",
        other_ids: &["go"],
        n_commands: 2,
        description,
        examples: &[example],
        structured,
        in_code: &NoCode,
    })
}

fn keeps_its_promises(reading: &CommandReading) -> Result<(), TestCaseError> {
    let schema = &reading.input_schema;
    let properties = schema["properties"]
        .as_object()
        .expect("an object schema has properties");
    prop_assert_eq!(&schema["additionalProperties"], &Value::Bool(true));
    for name in schema["required"].as_array().expect("a list of names") {
        let property = &properties[name.as_str().expect("a name")];
        prop_assert!(property.get("x-required-when").is_none());
    }
    for (name, property) in properties {
        prop_assert!(!name.is_empty() && name != "tool_name");
        prop_assert!(property.get("x-source").is_some());
        prop_assert!(
            property
                .get("enum")
                .is_none_or(|list| list.as_array().is_some_and(|list| !list.is_empty()))
        );
    }
    if let Some(dispatch) = &reading.dispatch {
        prop_assert!(!properties.contains_key(&dispatch.key));
    }
    Ok(())
}

proptest! {
    #[test]
    fn no_text_breaks_a_promise(description in text(), example in text()) {
        let reading = read(&description, &example, None);
        keeps_its_promises(&reading)?;
        prop_assert_eq!(&reading, &read(&description, &example, None));
    }

    #[test]
    fn no_structured_form_breaks_a_promise(description in text(), name in "[a-z]{0,4}", word in text()) {
        let forms = [
            serde_json::json!([{ "name": name, "type": word, "required": true, "description": description }]),
            serde_json::json!({ name.clone(): word.clone() }),
            serde_json::json!([word]),
            serde_json::json!({ "type": "object", "properties": { name: { "type": ["string", 3] } }, "required": ["zz", 1] }),
        ];
        for form in &forms {
            keeps_its_promises(&read(&description, "", Some(form)))?;
        }
    }

    #[test]
    fn a_blurb_always_has_a_sentence(name in text(), display in text(), description in text(), summary in text()) {
        let blurb = read_blurb(&PluginSource {
            name: &name,
            display_name: Some(&display),
            description: &description,
            commands: &[(&name, &summary)],
            texts: &[],
            placeholders: &[(&display, &description)],
        });
        prop_assert!(!blurb.when.is_empty() && blurb.when.chars().count() <= 400);
        prop_assert!(!blurb.when.contains(['<', '>', '\n']));
        prop_assert!(blurb.keywords.len() <= 24);
    }
}

/// Checks that a hostile text takes a bounded number of lookups; without the bound this text took
/// minutes.
#[test]
fn hostile_texts_end() {
    for piece in [
        "(",
        "a(",
        "（",
        "「始」",
        "a:「始」1「末」,",
        "command=a,",
        "必须提供a，",
        "参数: ",
        "'a ",
        "- ab (字符串, 必需\n",
        "<<<[TOOL_REQUEST]>>>",
        "| a ",
    ] {
        let text = piece.repeat(20_000);
        keeps_its_promises(&read(&text, &text, None)).expect("the promises hold for every text");
    }
}
