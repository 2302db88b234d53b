//! Findings about values of an entry that are not carried.

use plugin_model::{Server, ServerSetting};
use skill_diagnostics::Diagnostic;

use crate::codes::VALUE_NOT_CARRIED;

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
    found.collect()
}
