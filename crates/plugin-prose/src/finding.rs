//! What is doubtful in a text, one code for each kind.

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

/// The text does not say which arguments there are.
pub(crate) fn parameters_undeclared(command: &str) -> Diagnostic {
    Diagnostic::note(
        UNDECLARED,
        format!("command `{command}` does not say which arguments it takes"),
    )
    .with_help("the schema is open; declare the parameters in the description")
}

/// A default is described, but not as a literal.
pub(crate) fn default_not_literal(name: &str, words: &str) -> Diagnostic {
    Diagnostic::note(
        DEFAULT,
        format!("default of `{name}` is no literal: `{words}`"),
    )
}

/// A block has no end mark.
pub(crate) fn block_unclosed() -> Diagnostic {
    Diagnostic::warning(BLOCK, "call block has no end mark")
}

/// A value has no end mark.
pub(crate) fn value_unclosed(key: &str) -> Diagnostic {
    Diagnostic::warning(VALUE, format!("value of `{key}` has no end mark"))
}

/// A call names another tool.
pub(crate) fn tool_name_mismatch(found: &str, plugin: &str) -> Diagnostic {
    Diagnostic::warning(
        TOOL,
        format!("call names tool `{found}`, the plugin is `{plugin}`"),
    )
}

/// An example holds no call.
pub(crate) fn example_unreadable() -> Diagnostic {
    Diagnostic::note(EXAMPLE, "example holds no call that can be read")
}

/// The selector is a guess.
pub(crate) fn dispatch_assumed(command: &str) -> Diagnostic {
    Diagnostic::note(
        DISPATCH,
        format!("nothing shows how `{command}` is selected; `command={command}` is assumed"),
    )
}

/// A structured form has parts that say nothing.
pub(crate) fn parameters_unreadable() -> Diagnostic {
    Diagnostic::warning(
        STRUCTURED,
        "structured parameters have parts without a name",
    )
}

/// A list of values is longer than what is kept of it.
pub(crate) fn values_truncated(limit: usize) -> Diagnostic {
    Diagnostic::warning(
        TRUNCATED,
        format!("a list has more than {limit} values; the rest is left out"),
    )
}

/// There are more declarations than are read.
pub(crate) fn parameters_truncated(limit: usize) -> Diagnostic {
    Diagnostic::warning(
        TRUNCATED,
        format!("more than {limit} declarations of parameters; the rest is left out"),
    )
}
