//! Words for search and for the description of a skill.

use crate::reading::Blurb;
use crate::source::PluginSource;

/// Derives search words and the "use when" sentence.
pub fn read_blurb(source: &PluginSource<'_>) -> Blurb {
    Blurb {
        when: format!("Use when the task needs {}.", source.name),
        ..Blurb::default()
    }
}
