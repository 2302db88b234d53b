//! Findings about values of an entry that are not carried.

use plugin_model::{Server, ServerSetting};
use skill_diagnostics::Diagnostic;

use crate::codes::{VALUE_NOT_CARRIED, VARIABLES_LEFT};

/// Returns a finding for each value of the entry that a setting replaces. `known` are the findings about
/// secrets, which name the values that look like one.
pub(super) fn findings(server: &Server, known: &[Diagnostic]) -> Vec<Diagnostic> {
    let is_known = |setting: &ServerSetting| {
        let pointers = known.iter().filter_map(|it| it.place.pointer.as_deref());
        pointers
            .filter_map(|pointer| pointer.strip_prefix(setting.place.pointer.as_str()))
            .any(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let literal = server.settings.iter();
    let literal = literal.filter(|it| server.replaced.contains(&it.key));
    let found = literal.filter(|it| !is_known(it)).map(|setting| {
        let key = &setting.key;
        let message =
            format!("a value of the entry is not carried: the setting `{key}` takes its place");
        let finding = Diagnostic::warning(VALUE_NOT_CARRIED, message).in_file(&*setting.place.file);
        finding
            .at_pointer(&setting.place.pointer)
            .with_help(format!("store it by `skills-run configure`, key `{key}`"))
    });
    found.chain(variable_files(server)).collect()
}

/// Returns findings about files with variables of the server, which hosts read at its start.
fn variable_files(server: &Server) -> impl Iterator<Item = Diagnostic> {
    server.variable_files.iter().map(|path| {
        let path = path.escape_debug();
        let message = format!("the old host gave the server the variables in `{path}`; the file is not carried");
        let help = "add each variable that it needs to `entry.mcp.env` as `KEY: ${KEY}` and to `config` of METADATA.yml; `skills-run configure` stores the values";
        let finding = Diagnostic::warning(VARIABLES_LEFT, message).with_help(help);
        finding
            .in_file(&*server.file)
            .at_pointer(format!("{}/envFile", server.pointer))
    })
}
