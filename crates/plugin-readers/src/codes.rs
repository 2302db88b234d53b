//! The codes of the findings of readers.

use skill_diagnostics::Code;

/// The file of a unit cannot be read.
pub const UNREADABLE_PART: Code = Code("unreadable-part");
/// The frontmatter of a text is not valid YAML.
pub const LOOSE_FRONTMATTER: Code = Code("loose-frontmatter");
/// An entry in a list of servers is not a server.
pub const BROKEN_ENTRY: Code = Code("broken-entry");
/// A package has no part that can become a skill.
pub const NOTHING_TO_MIGRATE: Code = Code("nothing-to-migrate");
/// A path of a manifest leads nowhere, or out of the package.
pub const MISSING_PART: Code = Code("missing-part");
/// A plugin of a marketplace is not in the input.
pub const PLUGIN_ELSEWHERE: Code = Code("plugin-elsewhere");
/// The list of a marketplace cannot be read.
pub const MARKETPLACE_UNREADABLE: Code = Code("marketplace-unreadable");
/// The hooks of a package are not carried.
pub const HOOKS_LEFT: Code = Code("hooks-not-carried");
/// Settings of a host are not carried.
pub const SETTINGS_LEFT: Code = Code("settings-not-migrated");
/// Instructions for every conversation are not a skill.
pub const INSTRUCTIONS_LEFT: Code = Code("instructions-not-migrated");
/// Parts of a package do not become skills.
pub const PARTS_LEFT: Code = Code("parts-not-migrated");
/// A text includes a file that its package does not have.
pub const FILE_LOST: Code = Code("file-missing");
/// An entry of a server has a secret that no setting has.
pub const SECRET_FOUND: Code = Code("secret-found");
