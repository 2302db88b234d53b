//! Hooks in a document of their host: a frontmatter, a manifest, the settings of a project. A skill gets them
//! in the form of a file with hooks, and their programs.
//!
//! Source: <https://code.claude.com/docs/en/hooks>, "Configuration".

use plugin_model::{Format, Kind, Node, UnitKind, parse_jsonc};
use serde_json::{Map, Value, json};

use crate::plan::GeneratedFile;

use super::{TextUnit, copies};

/// The file with the hooks of the package.
const OF_PACKAGE: &str = "references/hooks.json";
/// The file with the hooks of the text itself.
const OF_TEXT: &str = "references/own-hooks.json";

/// The hooks that a skill gets.
#[derive(Default)]
pub(super) struct Hooks {
    pub(super) files: Vec<GeneratedFile>,
    /// The files of the package that they name.
    pub(super) named: Vec<String>,
}

/// Returns the hooks of the documents of a text.
pub(super) fn of_documents(unit: &TextUnit<'_>) -> Hooks {
    let mut res = Hooks::default();
    let own = unit.document.root.get("hooks");
    add(unit, &unit.document.file, own, OF_TEXT, &mut res);
    let is_attached = unit.package.attached.iter().any(|it| it.to == OF_PACKAGE);
    if is_attached {
        return res;
    }
    let sources = &unit.package.sources;
    if let Some(manifest) = unit.package.document(sources.manifest_file) {
        let hooks = manifest.root.get("hooks");
        add(unit, sources.manifest_file, hooks, OF_PACKAGE, &mut res);
    }
    if sources.manifest_file.is_empty() {
        let file = match unit.package.format {
            Format::Claude | Format::Gemini => "settings.json",
            Format::Cursor => "hooks.json",
            _ => return res,
        };
        let root = sources.texts.get(file);
        let root = root.and_then(|text| parse_jsonc(text).0);
        let hooks = root.as_ref().and_then(|root| root.get("hooks"));
        add(unit, file, hooks, OF_PACKAGE, &mut res);
    }
    res
}

/// Adds the hooks of a document, unless each of them only prints and is a skill.
fn add(unit: &TextUnit<'_>, file: &str, hooks: Option<&Node>, to: &str, res: &mut Hooks) {
    let Some(hooks) = hooks else {
        return;
    };
    let mut events: Map<String, Value> = Map::new();
    for table in std::iter::once(hooks).chain(hooks.items()) {
        let table = table.get("hooks").unwrap_or(table);
        if !matches!(table.kind, Kind::Object(_)) {
            continue;
        }
        for event in table.members() {
            let groups = event.value.items().iter().map(Node::to_value);
            let all = events.entry(event.key.clone()).or_insert_with(|| json!([]));
            all.as_array_mut()
                .into_iter()
                .for_each(|all| all.extend(groups.clone()));
        }
    }
    let handlers = |group: &Value| group["hooks"].as_array().map_or(1, Vec::len);
    let groups = events.values().filter_map(Value::as_array).flatten();
    let n_hooks: usize = groups.map(handlers).sum();
    let units = unit.package.units.iter();
    let n_skills = units
        .filter(|it| *it.file == *file && matches!(it.kind, UnitKind::Hook(_)))
        .count();
    if n_hooks <= n_skills {
        return;
    }
    let text = serde_json::to_string_pretty(&json!({ "hooks": events })).unwrap_or_default();
    // The directory of a host in a project is the package.
    let home = unit.source.directory.rsplit('/').next();
    let home = home.filter(|home| home.starts_with('.'));
    let known = home.map_or_else(
        || text.clone(),
        |home| text.replace(&format!("{home}/"), " ./"),
    );
    res.named.extend(copies::mentioned(unit, file, &known));
    res.files.push(GeneratedFile {
        path: to.to_owned(),
        text: text + "\n",
    });
}
