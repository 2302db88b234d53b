//! The table of rules, sorted by id.
//!
//! A rule with a check of its own is a file. Rules that report what another module found are the
//! tables [`frontmatter`], [`metadata`], [`signals`] and [`hidden_characters`].
//!
//! To add a rule: copy an existing one, add it to the list below, and run `cargo xtask codegen` for
//! `docs/rules.md`.

mod agent_settings;
mod allowed_tools_commas;
mod angle_brackets;
mod body_empty;
mod body_too_long;
mod broken_link;
mod byte_order_mark;
mod compatibility_length;
mod conflict_markers;
mod credential_file;
mod dead_placeholder;
mod description_missing;
mod description_too_long;
mod description_without_when;
mod escaping_link;
mod field_type;
mod file_not_utf8;
mod filler_phrase;
mod foreign_executable;
mod frontmatter;
mod hard_link;
mod hidden_characters;
mod host_residue;
mod hyphens_in_frontmatter;
mod implicit_type;
mod install_step_missing;
mod link_escapes;
mod link_inside;
mod listing_budget;
mod lock_drift;
mod lock_missing_skill;
mod metadata;
mod metadata_entry_missing;
mod metadata_fallback_missing;
mod metadata_fallback_unused;
mod metadata_files;
mod metadata_name_mismatch;
mod metadata_shape;
mod missing_file;
mod mixed_script;
mod name_directory_mismatch;
mod name_invalid;
mod name_missing;
mod names_collide;
mod nested_skill;
mod not_inspected;
mod opaque_file;
mod padded_delimiter;
mod padded_text;
mod private_file;
mod reference;
mod repeated_when;
mod required_skills;
mod reserved_word;
mod secret;
mod signals;
mod similar_skills;
mod skill_md_missing;
pub(crate) mod sources;
mod special_file;
mod unknown_field;
mod unlinked_reference;
mod unportable_name;
mod unreferenced_resource;
mod yaml_feature;

use skill_diagnostics::Code;

use crate::rule::Rule;

/// Every rule, sorted by id.
pub static RULES: [Rule; 91] = [
    agent_settings::RULE,
    allowed_tools_commas::RULE,
    angle_brackets::RULE,
    signals::ARCHIVE_PASSWORD,
    body_empty::RULE,
    body_too_long::RULE,
    broken_link::RULE,
    byte_order_mark::RULE,
    compatibility_length::RULE,
    conflict_markers::RULE,
    credential_file::RULE,
    signals::DATA_SENT_OUT,
    dead_placeholder::RULE,
    signals::DECODED_CODE,
    description_missing::RULE,
    description_too_long::RULE,
    description_without_when::RULE,
    signals::DESTRUCTIVE_COMMAND,
    frontmatter::DUPLICATE_KEY,
    escaping_link::RULE,
    field_type::RULE,
    file_not_utf8::RULE,
    filler_phrase::RULE,
    foreign_executable::RULE,
    frontmatter::FRONTMATTER_MISSING,
    frontmatter::FRONTMATTER_NOT_A_MAP,
    frontmatter::FRONTMATTER_UNCLOSED,
    hard_link::RULE,
    signals::HIDDEN_FROM_USER,
    signals::HIDDEN_HTML,
    host_residue::RULE,
    hyphens_in_frontmatter::RULE,
    implicit_type::RULE,
    install_step_missing::RULE,
    frontmatter::INVALID_UTF8,
    frontmatter::INVALID_YAML,
    link_escapes::RULE,
    link_inside::RULE,
    listing_budget::RULE,
    lock_drift::RULE,
    lock_missing_skill::RULE,
    metadata_entry_missing::RULE,
    metadata_fallback_missing::RULE,
    metadata_fallback_unused::RULE,
    metadata_files::RULE,
    metadata::METADATA_MISSING_KEY,
    metadata_name_mismatch::RULE,
    metadata_shape::RULE,
    metadata::METADATA_UNKNOWN_KEY,
    metadata::METADATA_UNREADABLE,
    metadata::METADATA_WRONG_VALUE,
    missing_file::RULE,
    mixed_script::RULE,
    name_directory_mismatch::RULE,
    name_invalid::RULE,
    name_missing::RULE,
    names_collide::RULE,
    nested_skill::RULE,
    not_inspected::RULE,
    opaque_file::RULE,
    padded_delimiter::RULE,
    padded_text::RULE,
    signals::PASTE_HOST,
    private_file::RULE,
    signals::PROMPT_INJECTION,
    signals::REMOTE_CODE,
    repeated_when::RULE,
    required_skills::CYCLE,
    required_skills::UNMET,
    reserved_word::RULE,
    signals::REVERSE_SHELL,
    secret::RULE,
    similar_skills::RULE,
    skill_md_missing::RULE,
    reference::RULE,
    special_file::RULE,
    hidden_characters::BIDI,
    hidden_characters::CONTROL,
    hidden_characters::FILLER,
    hidden_characters::NONCHARACTER,
    hidden_characters::PRIVATE_USE,
    hidden_characters::SELECTORS,
    hidden_characters::STRAY,
    hidden_characters::TAGS,
    hidden_characters::ZERO_WIDTH,
    unknown_field::RULE,
    unlinked_reference::RULE,
    unportable_name::RULE,
    unreferenced_resource::RULE,
    yaml_feature::RULE,
    frontmatter::YAML_REPAIRED,
];

/// Id of the rule that reports the repairs of a lenient client.
pub(crate) const YAML_REPAIRED: Code = frontmatter::YAML_REPAIRED.code;

/// Returns the rule with an id.
pub fn find_rule(code: &str) -> Option<&'static Rule> {
    let at = RULES.binary_search_by(|rule| rule.code.0.cmp(code));
    at.ok().map(|at| &RULES[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_documented() {
        assert!(RULES.is_sorted_by(|a, b| a.code < b.code));
        for rule in &RULES {
            for text in [rule.what, rule.why, rule.example, rule.source] {
                assert!(!text.is_empty(), "{}", rule.code);
            }
            assert!(
                rule.what.ends_with('.') && rule.why.ends_with('.'),
                "{}",
                rule.code
            );
            assert_eq!(
                find_rule(rule.code.0).map(|found| found.code),
                Some(rule.code)
            );
        }
    }
}
