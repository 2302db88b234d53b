//! The kinds of findings about a manifest.

/// The codes of the findings.
pub mod codes {
    use skill_diagnostics::Code;

    /// The file starts with U+FEFF.
    pub const BYTE_ORDER_MARK: Code = Code("byte-order-mark");
    /// The bytes are not UTF-8.
    pub const NOT_UTF8: Code = Code("not-utf8");
    /// A file of another system that has the same name.
    pub const FOREIGN_MANIFEST: Code = Code("foreign-manifest");
    /// A required value is missing or has the wrong type.
    pub const INCOMPLETE_MANIFEST: Code = Code("incomplete-manifest");
    /// A `pluginType` that is unknown to all hosts.
    pub const UNKNOWN_PLUGIN_TYPE: Code = Code("unknown-plugin-type");
    /// A value has a type that the host does not read.
    pub const UNEXPECTED_TYPE: Code = Code("unexpected-type");
    /// A value is missing that people would like to see.
    pub const MISSING_VALUE: Code = Code("missing-value");
    /// `configSchema` is a list, which the host ignores.
    pub const CONFIG_SCHEMA_LIST: Code = Code("config-schema-list");
    /// Two commands have one identifier.
    pub const DUPLICATE_COMMAND: Code = Code("duplicate-command");
}
