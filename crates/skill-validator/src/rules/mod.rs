//! The table of rules, sorted by id; one file each.
//!
//! To add a rule: copy an existing one, add it to the list below, and run `cargo xtask codegen` for
//! `docs/rules.md`.

mod agent_settings;
mod allowed_tools_commas;
mod angle_brackets;
mod archive_password;
mod body_empty;
mod body_too_long;
mod broken_link;
mod byte_order_mark;
mod compatibility_length;
mod conflict_markers;
mod credential_file;
mod data_sent_out;
mod decoded_code;
mod description_missing;
mod description_too_long;
mod description_without_when;
mod destructive_command;
mod duplicate_key;
mod escaping_link;
mod field_type;
mod file_not_utf8;
mod foreign_executable;
mod frontmatter_missing;
mod frontmatter_not_a_map;
mod frontmatter_unclosed;
mod hidden_from_user;
mod hidden_html;
mod hyphens_in_frontmatter;
mod implicit_type;
mod invalid_utf8;
mod invalid_yaml;
mod link_escapes;
mod link_inside;
mod lock_drift;
mod lock_missing_skill;
mod metadata_entry_missing;
mod metadata_fallback_missing;
mod metadata_fallback_unused;
mod metadata_files;
mod metadata_missing_key;
mod metadata_name_mismatch;
mod metadata_shape;
mod metadata_unknown_key;
mod metadata_unreadable;
mod metadata_wrong_value;
mod missing_file;
mod mixed_script;
mod name_directory_mismatch;
mod name_invalid;
mod name_missing;
mod names_collide;
mod not_inspected;
mod opaque_file;
mod padded_delimiter;
mod padded_text;
mod paste_host;
mod private_file;
mod prompt_injection;
mod reference;
mod remote_code;
mod reserved_word;
mod reverse_shell;
mod secret;
mod similar_skills;
mod skill_md_missing;
mod sources;
mod special_file;
mod unicode_bidi;
mod unicode_control;
mod unicode_filler;
mod unicode_noncharacter;
mod unicode_private_use;
mod unicode_selectors;
mod unicode_stray;
mod unicode_tags;
mod unicode_zero_width;
mod unknown_field;
mod unportable_name;
mod unreferenced_resource;
mod yaml_feature;
mod yaml_repaired;

use skill_diagnostics::Code;

use crate::rule::Rule;

/// Every rule, sorted by id.
pub static RULES: [Rule; 80] = [
    agent_settings::RULE,
    allowed_tools_commas::RULE,
    angle_brackets::RULE,
    archive_password::RULE,
    body_empty::RULE,
    body_too_long::RULE,
    broken_link::RULE,
    byte_order_mark::RULE,
    compatibility_length::RULE,
    conflict_markers::RULE,
    credential_file::RULE,
    data_sent_out::RULE,
    decoded_code::RULE,
    description_missing::RULE,
    description_too_long::RULE,
    description_without_when::RULE,
    destructive_command::RULE,
    duplicate_key::RULE,
    escaping_link::RULE,
    field_type::RULE,
    file_not_utf8::RULE,
    foreign_executable::RULE,
    frontmatter_missing::RULE,
    frontmatter_not_a_map::RULE,
    frontmatter_unclosed::RULE,
    hidden_from_user::RULE,
    hidden_html::RULE,
    hyphens_in_frontmatter::RULE,
    implicit_type::RULE,
    invalid_utf8::RULE,
    invalid_yaml::RULE,
    link_escapes::RULE,
    link_inside::RULE,
    lock_drift::RULE,
    lock_missing_skill::RULE,
    metadata_entry_missing::RULE,
    metadata_fallback_missing::RULE,
    metadata_fallback_unused::RULE,
    metadata_files::RULE,
    metadata_missing_key::RULE,
    metadata_name_mismatch::RULE,
    metadata_shape::RULE,
    metadata_unknown_key::RULE,
    metadata_unreadable::RULE,
    metadata_wrong_value::RULE,
    missing_file::RULE,
    mixed_script::RULE,
    name_directory_mismatch::RULE,
    name_invalid::RULE,
    name_missing::RULE,
    names_collide::RULE,
    not_inspected::RULE,
    opaque_file::RULE,
    padded_delimiter::RULE,
    padded_text::RULE,
    paste_host::RULE,
    private_file::RULE,
    prompt_injection::RULE,
    remote_code::RULE,
    reserved_word::RULE,
    reverse_shell::RULE,
    secret::RULE,
    similar_skills::RULE,
    skill_md_missing::RULE,
    reference::RULE,
    special_file::RULE,
    unicode_bidi::RULE,
    unicode_control::RULE,
    unicode_filler::RULE,
    unicode_noncharacter::RULE,
    unicode_private_use::RULE,
    unicode_selectors::RULE,
    unicode_stray::RULE,
    unicode_tags::RULE,
    unicode_zero_width::RULE,
    unknown_field::RULE,
    unportable_name::RULE,
    unreferenced_resource::RULE,
    yaml_feature::RULE,
    yaml_repaired::RULE,
];

/// Id of the rule that reports the repairs of a lenient client.
pub(crate) const YAML_REPAIRED: Code = yaml_repaired::RULE.code;

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
