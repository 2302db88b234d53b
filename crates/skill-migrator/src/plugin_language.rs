//! The language of a plugin, in which its skill is written.

use crate::{Options, plugin::Plugin, render::Language};

/// Returns the language of the texts of a plugin.
pub(crate) fn language(plugin: &Plugin<'_>, options: Options) -> Language {
    let identity = &plugin.package.identity;
    let own = identity.display_name.iter().chain(&identity.description);
    let own: Vec<&str> = own.map(|field| field.value.as_str()).collect();
    // Examples may be in the language that a plugin teaches.
    match options.language.language_of(&own.join(" ")) {
        Language::Chinese => Language::Chinese,
        Language::English => options.language.language_of(&all_text(plugin)),
    }
}

/// Returns the texts that show the language of a plugin.
fn all_text(plugin: &Plugin<'_>) -> String {
    let commands = plugin
        .program
        .commands
        .iter()
        .filter_map(|command| command.description.as_ref());
    let texts = plugin
        .package
        .identity
        .display_name
        .iter()
        .chain(plugin.package.identity.description.as_ref())
        .chain(commands);
    texts
        .map(|field| prose(&field.value))
        .collect::<Vec<_>>()
        .join(" ")
}

/// Returns a text without its calls, whose names are in no language.
fn prose(text: &str) -> String {
    let lines = plugin_prose::passages(text).into_iter();
    let lines = lines.filter_map(|passage| match passage {
        plugin_prose::Passage::Line(line) => Some(line),
        plugin_prose::Passage::Call(_) => None,
    });
    lines.collect::<Vec<_>>().join(" ")
}
