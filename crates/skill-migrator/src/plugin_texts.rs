//! The texts of a program from which others, usually a model, write the texts of its skill.

use plugin_model::UnitKind;

use crate::{entry, package, plugin::Plugin, plugin::Source};

/// The texts of a program from which others write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PluginTexts<'a> {
    /// The document that declares the program.
    pub manifest: &'a str,
    /// The first readme.
    pub readme: Option<&'a str>,
    /// The file that is started.
    pub program: Option<&'a str>,
}

/// Returns the texts of a unit that is a program; the texts of other units are by their authors and
/// stay as they are.
pub fn plugin_texts<'a>(source: &Source<'a>) -> Option<PluginTexts<'a>> {
    let UnitKind::Program(program) = &source.unit.kind else {
        return None;
    };
    let plugin = Plugin::new(source, program);
    let text = |path: &str| plugin.texts.get(path).map(String::as_str);
    let entry = entry::read(&plugin);
    Some(PluginTexts {
        manifest: plugin.document().text,
        readme: package::readme(&plugin).and_then(text),
        program: entry.file.as_deref().and_then(text),
    })
}
