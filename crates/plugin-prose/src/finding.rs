//! Findings about doubtful texts, one code for each kind.

use skill_diagnostics::{Code, Diagnostic};

const UNDECLARED: Code = Code("parameters-undeclared");
const DEFAULT: Code = Code("default-not-literal");
const BLOCK: Code = Code("call-block-unclosed");
const VALUE: Code = Code("call-value-unclosed");
const TOOL: Code = Code("tool-name-mismatch");
const EXAMPLE: Code = Code("example-unreadable");
const DISPATCH: Code = Code("dispatch-assumed");
const TRUNCATED: Code = Code("parameters-truncated");
const STRUCTURED: Code = Code("parameters-unreadable");

/// Reports that the text does not say which arguments there are.
pub(crate) fn parameters_undeclared(command: &str) -> Diagnostic {
    Diagnostic::note(
        UNDECLARED,
        format!("command `{command}` does not say which arguments it takes"),
    )
    .with_help("the schema is open; declare the parameters in the description")
}

/// Reports a default that is described, but not as a literal.
pub(crate) fn default_not_literal(name: &str, words: &str) -> Diagnostic {
    Diagnostic::note(
        DEFAULT,
        format!("default of `{name}` is not a literal: `{words}`"),
    )
}

/// Reports a block without an end mark.
pub(crate) fn block_unclosed() -> Diagnostic {
    Diagnostic::warning(BLOCK, "call block has no end mark")
}

/// Reports a value without an end mark.
pub(crate) fn value_unclosed(key: &str) -> Diagnostic {
    Diagnostic::warning(VALUE, format!("value of `{key}` has no end mark"))
}

/// Reports a call that names another tool.
pub(crate) fn tool_name_mismatch(found: &str, plugin: &str) -> Diagnostic {
    Diagnostic::warning(
        TOOL,
        format!("call names tool `{found}`, the plugin is `{plugin}`"),
    )
}

/// Reports an example without a call.
pub(crate) fn example_unreadable() -> Diagnostic {
    Diagnostic::note(EXAMPLE, "the example has no readable call")
}

/// Reports a guessed selector.
pub(crate) fn dispatch_assumed(command: &str) -> Diagnostic {
    Diagnostic::note(
        DISPATCH,
        format!("nothing shows how `{command}` is selected; `command={command}` is assumed"),
    )
}

/// Reports a structured form with meaningless parts.
pub(crate) fn parameters_unreadable() -> Diagnostic {
    Diagnostic::warning(
        STRUCTURED,
        "structured parameters have parts without a name",
    )
}

/// Reports a list of values that was cut.
pub(crate) fn values_truncated(limit: usize) -> Diagnostic {
    Diagnostic::warning(
        TRUNCATED,
        format!("a list has more than {limit} values; the rest is ignored"),
    )
}

/// Reports more declarations than are read.
pub(crate) fn parameters_truncated(limit: usize) -> Diagnostic {
    Diagnostic::warning(
        TRUNCATED,
        format!("more than {limit} declarations of parameters; the rest is ignored"),
    )
}
