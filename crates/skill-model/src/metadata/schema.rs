//! The JSON Schema of `METADATA.yml`, as a checked file.
//!
//! `schemars` derives it from the types in the tests only: nine crates that no tool needs at run
//! time. `cargo xtask codegen` writes the file, and a test compares it with the types.

use serde_json::Value;

const TEXT: &str = include_str!("../../../../docs/metadata.schema.json");

/// Returns the schema of the file.
pub(super) fn json() -> Value {
    serde_json::from_str(TEXT).expect("a test compares the file with the types")
}

#[cfg(test)]
mod tests {
    use schemars::generate::SchemaSettings;

    use super::*;
    use crate::Metadata;

    #[test]
    fn the_file_has_the_schema_of_the_types() {
        assert!(
            derived() == TEXT && format!("{:#}\n", json()) == TEXT,
            "docs/metadata.schema.json differs from the types; run `cargo xtask codegen`"
        );
    }

    /// `cargo xtask codegen` reads what this prints.
    #[test]
    #[expect(clippy::print_stdout, reason = "the schema for the file")]
    fn print_derived() {
        print!("{}", derived());
    }

    fn derived() -> String {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        let mut schema = settings.into_generator().into_root_schema_for::<Metadata>();
        schema.insert("title".to_owned(), "METADATA.yml".into());
        format!("{:#}\n", schema.as_value())
    }
}
