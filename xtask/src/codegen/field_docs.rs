//! `docs/metadata.md` from the doc comments of the types that are written: one table per struct.

const HEAD: &str = "\
# METADATA.yml

<!-- written by `cargo xtask codegen` from crates/skill-model/src/metadata.rs and metadata/ -->

`SKILL.md` is for every agent and contains only what the specification allows. `METADATA.yml` is in \
the same directory and contains what an index, a describer and an executor need. Keys are written \
in this order. Empty ones are left out; unknown keys are kept and reported.
";

/// Returns the document for the source text of modules of plain structs and enums.
pub(super) fn render(source: &str) -> String {
    let mut res = HEAD.to_owned();
    let mut docs = Vec::new();
    let mut rename = None;
    let mut in_type = false;
    for line in source.lines() {
        let code = line.trim();
        if let Some(text) = code.strip_prefix("/// ") {
            docs.push(text);
        } else if let Some(name) = serde_rename(code) {
            rename = Some(name);
        } else if let Some((name, kind)) = type_opens(line) {
            res += &title(name, kind, &docs);
            in_type = true;
            docs.clear();
        } else if line == "}" {
            in_type = false;
        } else if !code.starts_with('#') && !code.is_empty() {
            if let Some(key) = in_type.then(|| key(code)).flatten() {
                res += &row(rename.take().unwrap_or(&key), code, &docs);
            }
            docs.clear();
            rename = None;
        }
    }
    res
}

fn serde_rename(code: &str) -> Option<&str> {
    let rest = code.strip_prefix("#[serde(")?.split_once("rename = \"")?.1;
    rest.split('"').next()
}

fn type_opens(line: &str) -> Option<(&str, &str)> {
    let kinds = ["struct", "enum"].into_iter();
    let mut found = kinds.filter_map(|kind| {
        let rest = line.strip_prefix("pub ")?.strip_prefix(kind)?;
        Some((rest.trim().strip_suffix(" {")?, kind))
    });
    found.next()
}

fn title(name: &str, kind: &str, docs: &[&str]) -> String {
    let head = if kind == "struct" { "Key" } else { "Word" };
    format!(
        "\n## {name}\n\n{}\n\n| {head} | Meaning |\n| --- | --- |\n",
        docs.join(" ")
    )
}

/// Returns the key of a field, or the word of a variant.
fn key(code: &str) -> Option<String> {
    if let Some(field) = code.strip_prefix("pub ") {
        return field.split_once(':').map(|(name, _)| name.to_owned());
    }
    let variant = code.strip_suffix(',')?;
    let is_word = variant.chars().all(char::is_alphanumeric);
    is_word.then(|| kebab(variant))
}

fn kebab(variant: &str) -> String {
    let mut res = String::new();
    for c in variant.chars() {
        if c.is_uppercase() && !res.is_empty() {
            res.push('-');
        }
        res.extend(c.to_lowercase());
    }
    res
}

fn row(key: &str, code: &str, docs: &[&str]) -> String {
    let of = code
        .split_once(": ")
        .map(|(_, kind)| inner(kind))
        .unwrap_or_default();
    let of = if of.is_empty() {
        of
    } else {
        format!(" ({of})")
    };
    format!("| `{key}` | {}{of} |\n", docs.join(" ").replace('|', "\\|"))
}

/// Returns the type inside `Option<Vec<Entry>>,`; `None` for plain values.
fn inner(kind: &str) -> String {
    let name = kind
        .trim_end_matches([',', '>'])
        .rsplit('<')
        .next()
        .unwrap_or_default();
    let plain = ["String", "bool", "u32", "u64", "f64", "Value"];
    if plain.contains(&name) || name.contains(' ') {
        String::new()
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_types_into_tables() {
        let source = "\
/// How.
/// It starts.
#[derive(Debug)]
pub struct Entry {
    /// What runs it.
    #[serde(rename = \"run\")]
    pub runtime: Option<Runtime>,
    /// Words.
    pub argv: Vec<String>,
}

/// What runs.
pub enum Runtime {
    /// Standard input.
    StdioJson,
}
";
        let expected = "
## Entry

How. It starts.

| Key | Meaning |
| --- | --- |
| `run` | What runs it. (Runtime) |
| `argv` | Words. |

## Runtime

What runs.

| Word | Meaning |
| --- | --- |
| `stdio-json` | Standard input. |
";
        assert_eq!(render(source).strip_prefix(HEAD), Some(expected));
    }
}
