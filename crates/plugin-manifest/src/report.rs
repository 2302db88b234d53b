//! The kinds of finding that reading a manifest can have.

/// The ids, one constant each.
pub mod codes {
    use skill_diagnostics::Code;

    /// The file starts with U+FEFF.
    pub const BYTE_ORDER_MARK: Code = Code("byte-order-mark");
    /// The bytes are not UTF-8.
    pub const NOT_UTF8: Code = Code("not-utf8");
    /// The text is not JSON.
    pub const MALFORMED_JSON: Code = Code("malformed-json");
    /// A key stands twice in one object.
    pub const DUPLICATE_KEY: Code = Code("duplicate-key");
    /// A string holds half of a surrogate pair.
    pub const LONE_SURROGATE: Code = Code("lone-surrogate");
    /// A file of another system that happens to have the same name.
    pub const FOREIGN_MANIFEST: Code = Code("foreign-manifest");
    /// Something that every manifest needs is missing or of the wrong type.
    pub const INCOMPLETE_MANIFEST: Code = Code("incomplete-manifest");
    /// A `pluginType` that no host runs.
    pub const UNKNOWN_PLUGIN_TYPE: Code = Code("unknown-plugin-type");
    /// A value has another type than the host reads.
    pub const UNEXPECTED_TYPE: Code = Code("unexpected-type");
    /// A value is missing that a person would want.
    pub const MISSING_VALUE: Code = Code("missing-value");
    /// `configSchema` is a list, of which the host reads nothing.
    pub const CONFIG_SCHEMA_LIST: Code = Code("config-schema-list");
    /// Two commands have one identifier.
    pub const DUPLICATE_COMMAND: Code = Code("duplicate-command");
}
