//! The surroundings of a program, and what it gives back, as its code shows it.

use skill_model::{Command, Config};

use crate::{
    code::{self, Analysis},
    env_example, host_values, needed, platforms,
    plugin::Plugin,
    render::Around,
};

/// Returns the surroundings of a program with these settings.
pub(crate) fn read(
    plugin: &Plugin<'_>,
    analysis: &Analysis<'_, '_>,
    config: &Config,
    commands: &[Command],
) -> Around {
    let code = analysis.facts;
    let needed = needed::needed(plugin, analysis, config, commands);
    Around {
        host_values: host_values::read(plugin, code),
        keys: needed::keys(plugin, code, config, &needed),
        needed: needed.always,
        modes: needed.modes,
        explained: env_example::explained(plugin),
        outcome: code::outcome(analysis),
        writes: code.writes,
        compiled: platforms::compiled(plugin),
    }
}
