//! Names of models that texts still give, where the code has a newer one.

use std::collections::BTreeSet;

use serde_json::Value;
use skill_model::Command;

use crate::plugin::Plugin;

/// Maximum number of names that are looked for.
const MAX: usize = 32;

/// The old names in the texts of a plugin, with the only name of the same model in its code.
pub(crate) struct ModelNames(Vec<(String, String)>);

impl ModelNames {
    /// Finds the names with a date (`tea-leaf-1-250101`) that are in the declaration of a program and
    /// nowhere in its code or settings.
    pub(crate) fn new(plugin: &Plugin<'_>) -> Self {
        let commands = plugin.program.commands.iter();
        let texts = commands.flat_map(|command| {
            let description = command.description.iter();
            description.chain(&command.examples)
        });
        let told: BTreeSet<&str> = texts
            .flat_map(|text| names(&text.value))
            .take(MAX)
            .collect();
        if told.is_empty() {
            return Self(Vec::new());
        }
        let is_document = |path: &str| path.ends_with(".md") || path.contains("plugin-manifest");
        let others = plugin.texts.iter().filter(|(path, _)| !is_document(path));
        let known: BTreeSet<&str> = others.flat_map(|(_, text)| names(text)).collect();
        Self(replaced(&told, &known))
    }

    /// Returns a text with the names of the code.
    pub(crate) fn corrected(&self, text: &str) -> String {
        let all = self.0.iter();
        all.fold(text.to_owned(), |text, (old, new)| text.replace(old, new))
    }

    /// Corrects the texts of commands.
    pub(crate) fn apply(&self, commands: &mut [Command]) {
        if self.0.is_empty() {
            return;
        }
        for command in commands {
            command.description = self.corrected(&command.description);
            self.correct(&mut command.input_schema);
            command.examples.iter_mut().for_each(|it| self.correct(it));
        }
    }

    fn correct(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.corrected(text),
            Value::Array(items) => items.iter_mut().for_each(|it| self.correct(it)),
            Value::Object(map) => map.values_mut().for_each(|it| self.correct(it)),
            _ => {}
        }
    }
}

/// Returns the old names with the only known one of the same model.
fn replaced(told: &BTreeSet<&str>, known: &BTreeSet<&str>) -> Vec<(String, String)> {
    let old = told.iter().filter(|name| !known.contains(*name));
    let pairs = old.filter_map(|old| {
        let mut same = known.iter().filter(|name| model(name) == model(old));
        match (same.next(), same.next()) {
            (Some(new), None) => Some(((*old).to_owned(), (*new).to_owned())),
            _ => None,
        }
    });
    pairs.collect()
}

/// Returns the words of a name before its numbers: `tea-leaf` of `tea-leaf-1-250101`.
fn model(name: &str) -> &str {
    let digits = ('0'..='9').filter_map(|digit| name.find(&format!("-{digit}")));
    &name[..digits.min().unwrap_or(name.len())]
}

/// Returns the names of models with a date at their end.
fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_');
    let words = text.split(move |c| !is_part(c));
    words.filter(|word| {
        let last = word.rsplit('-').next().unwrap_or_default();
        let is_date = (6..=8).contains(&last.len()) && last.bytes().all(|it| it.is_ascii_digit());
        is_date && word.len() > last.len() + 3 && word.starts_with(|c: char| c.is_ascii_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_the_code_counts() {
        let check = |told: &str, code: &str, expected: &[(&str, &str)]| {
            let (told, known) = (names(told).collect(), names(code).collect());
            let found = replaced(&told, &known);
            let found: Vec<(&str, &str)> =
                found.iter().map(|(old, new)| (&**old, &**new)).collect();
            assert_eq!(found, expected);
        };
        let old = "用 tea-leaf-1-0-250101 模型";
        check(
            old,
            "'tea-leaf-2-5-251231'",
            &[("tea-leaf-1-0-250101", "tea-leaf-2-5-251231")],
        );
        check(old, "'tea-leaf-2-250101', 'tea-leaf-3-250101'", &[]);
        check(old, "'tea-leaf-1-0-250101', 'tea-leaf-2-250101'", &[]);
        check(old, "'tea-pot-2-250101'", &[]);
        check("tea-leaf", "'tea-leaf-2-250101'", &[]);
    }
}
