//! The property that every leaf and every placeholder has a fate that is true.

use proptest::prelude::*;
use serde_json::Map;
use skill_model::Frontmatter;

use super::*;
use crate::Fate;

/// A planned skill, in which fates are looked up.
struct Planned {
    body: String,
    frontmatter: Frontmatter,
    metadata: Value,
}

impl Planned {
    fn new(migration: &Migration) -> Self {
        let text = skill(migration);
        let (skill, findings) = parse_skill(text);
        assert_eq!(findings, []);
        let skill = skill.expect("a skill");
        Self {
            body: skill.body(text).to_owned(),
            frontmatter: skill.frontmatter(),
            metadata: serde_json::to_value(&migration.metadata).expect("a sidecar is JSON"),
        }
    }

    /// Returns what is at the destination of a fate; `None` if it does not exist.
    fn at(&self, to: &str) -> Option<Value> {
        if let Some(pointer) = to.strip_prefix("METADATA.yml#") {
            return self.metadata.pointer(pointer).cloned();
        }
        let place = to.strip_prefix("SKILL.md").expect("a file of the skill");
        let header = &self.frontmatter;
        let text = match place.trim_start_matches('#') {
            "" => Some(&self.body),
            "Input" => return self.input().map(Value::from),
            "name" => Some(&header.name),
            "description" => Some(&header.description),
            "license" => header.license.as_ref(),
            "compatibility" => header.compatibility.as_ref(),
            "allowed-tools" => header.allowed_tools.as_ref(),
            key => header.metadata.get(key.strip_prefix("metadata.")?),
        };
        text.cloned().map(Value::from)
    }

    /// Returns the section *Input*.
    fn input(&self) -> Option<&str> {
        let titles = ["## Input\n", "## 输入\n"];
        titles.iter().find_map(|title| {
            let (_, section) = self.body.rsplit_once(title)?;
            section.split("\n## ").next()
        })
    }
}

/// Checks that every leaf has a fate, and that what is carried, kept or transformed is where the fate
/// says.
pub(super) fn check_fates(header: &Value, body: &str) -> Result<(), TestCaseError> {
    for kind in [UnitKind::Prompt, UnitKind::Instructions, UnitKind::Agent] {
        let (migration, leaves) = migrate_text(kind, header, body, &[]);
        let planned = Planned::new(&migration);
        let fates: Vec<&String> = migration.fates.keys().map(|place| &place.pointer).collect();
        let mut expected: Vec<&String> = leaves.iter().map(|(leaf, _)| leaf).collect();
        expected.sort();
        expected.dedup();
        prop_assert_eq!(fates, expected);
        for (leaf, value) in &leaves {
            let place = Place::new(&"skills/brew/SKILL.md".into(), leaf.clone());
            let value: Value = serde_json::from_str(value).expect("a leaf is JSON");
            check_fate(leaf, &value, &migration.fates[&place], &planned)?;
        }
    }
    Ok(())
}

fn check_fate(
    leaf: &str,
    value: &Value,
    fate: &Fate,
    planned: &Planned,
) -> Result<(), TestCaseError> {
    let (Fate::Carried { to } | Fate::Kept { to } | Fate::Transformed { to, .. }) = fate else {
        let is_said = matches!(fate, Fate::Dropped { why } if !why.is_empty());
        prop_assert!(is_said, "{}", leaf);
        return Ok(());
    };
    let Some(there) = planned.at(to) else {
        return Err(TestCaseError::fail(format!("{leaf}: {to} does not exist")));
    };
    match fate {
        Fate::Transformed { .. } => {
            let (told, text) = (there.to_string(), text_of(value));
            for word in told_words(leaf, &text) {
                prop_assert!(
                    told.contains(word),
                    "{}: `{}` of {} in {}",
                    leaf,
                    word,
                    to,
                    told
                );
            }
        }
        _ if leaf.starts_with("/body/") => {
            let text = text_of(value).replace("!`", "! `").replace("```!", "``` !");
            prop_assert!(planned.body.contains(&text), "{}", text);
        }
        _ => prop_assert_eq!(&there, value, "{} to {}", leaf, to),
    }
    Ok(())
}

/// Returns a leaf as text; empty if it is a list, a map or nothing.
fn text_of(leaf: &Value) -> String {
    match leaf {
        Value::String(text) => text.clone(),
        Value::Number(_) | Value::Bool(_) => leaf.to_string(),
        _ => String::new(),
    }
}

/// Returns the words of a leaf that its destination must have: not the names of placeholders, nor the
/// value of a switch.
fn told_words<'t>(leaf: &str, text: &'t str) -> impl Iterator<Item = &'t str> {
    let is_body = leaf.starts_with("/body/");
    let is_switch = ["/disable-model-invocation", "/infer", "/disable"].contains(&leaf);
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(move |word| {
        let is_name = word.chars().all(|c| c.is_uppercase() || c.is_numeric())
            || word.starts_with("ARGUMENTS")
            || ["user", "config", "x", "tea"].contains(word);
        !word.is_empty() && !is_switch && (!is_body || !is_name)
    })
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-zA-Z参 :,()\\[\\]<>|`-]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            prop::collection::btree_map("[a-z/~]{1,4}", inner, 0..3)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

fn header() -> impl Strategy<Value = Value> {
    let known: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
    let key = prop_oneof![
        4 => prop::sample::select(known).prop_map(str::to_owned),
        1 => "[a-z-]{1,6}",
    ];
    prop::collection::btree_map(key, value(), 0..6)
        .prop_map(|map| Value::Object(map.into_iter().collect::<Map<_, _>>()))
}

fn body() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "$ARGUMENTS",
        "$1",
        "$0",
        "$x",
        "!`git log`",
        "!`echo $1`",
        "@src/a.md",
        "\\$1",
        "$5,000",
        "${CLAUDE_PLUGIN_ROOT}/a.md",
        "${CLAUDE_SKILL_DIR}",
        "${user_config.k}",
        "\n",
        " ",
        "word",
        "```\n",
        "`",
        "!",
        "```!\nls\n```\n",
        "/tea:brew",
        "](../a.md)",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_leaf_and_placeholder_has_a_fate_that_is_true(header in header(), body in body()) {
        check_fates(&header, &body)?;
    }
}
