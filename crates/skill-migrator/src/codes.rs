//! Codes of the findings of a migration.

use skill_diagnostics::Code;

/// The entry file is not in the plugin directory.
pub const ENTRY_MISSING: Code = Code("entry-missing");
/// The entry is outside the plugin directory.
pub const ENTRY_OUTSIDE: Code = Code("entry-outside");
/// There is neither a command nor a script.
pub const ENTRY_UNDECLARED: Code = Code("entry-undeclared");
/// The command contains the program's text itself.
pub const ENTRY_INLINE: Code = Code("entry-inline");
/// The command runs on one operating system only.
pub const ENTRY_PLATFORM: Code = Code("entry-platform");
/// The command is a program that does not come with the plugin.
pub const ENTRY_PROGRAM: Code = Code("entry-program");
/// The command is a line for a shell.
pub const SHELL_SYNTAX: Code = Code("shell-syntax");
/// Both a command and a script are given; the host uses only one of them.
pub const ENTRY_UNUSED: Code = Code("entry-unused");
/// The type of the plugin and its protocol exclude each other.
pub const PROTOCOL_MISMATCH: Code = Code("protocol-mismatch");
/// The code loads modules of the old host.
pub const HOST_MODULE: Code = Code("host-module");
/// Modules of the old host were copied into the skill.
pub const HOST_CARRIED: Code = Code("host-modules-carried");
/// An agent cannot use the plugin as a skill.
pub const PART_OF_HOST: Code = Code("part-of-host");
/// The text has an unresolved conflict of a merge.
pub const CONFLICT_MARKERS: Code = Code("conflict-markers");
/// The plugin requests a part of the old host.
pub const HOST_FEATURE: Code = Code("host-feature");
/// The code loads one of its own files, which does not exist.
pub const MODULE_MISSING: Code = Code("module-missing");
/// The program reads no call.
pub const CALLS_UNREAD: Code = Code("calls-unread");
/// The program only gives its arguments back.
pub const CALLS_REPEATED: Code = Code("calls-repeated");
/// The code builds paths that leave the plugin directory.
pub const LEAVES_DIRECTORY: Code = Code("leaves-directory");
/// The code names places of the machine outside the old host's directory.
pub const LEAVES_HOST: Code = Code("leaves-host");
/// A time limit was out of range.
pub const TIMEOUT_CLAMPED: Code = Code("timeout-clamped");
/// A time limit that the host never read.
pub const TIMEOUT_UNREAD: Code = Code("timeout-unread");
/// The name was taken.
pub const NAME_TAKEN: Code = Code("name-taken");
/// The name could not be converted to a skill name.
pub const NAME_REPLACED: Code = Code("name-replaced");
/// A file was not copied.
pub const FILE_LEFT_OUT: Code = Code("file-left-out");
/// Settings of one installation were not copied.
pub const SETTINGS_LEFT_OUT: Code = Code("settings-left-out");
/// Databases, diaries, state and similar files were not copied.
pub const USER_DATA_LEFT_OUT: Code = Code("user-data-left-out");
/// A private file was copied because the user named it.
pub const PRIVATE_CARRIED: Code = Code("private-carried");
/// A default that no host applied.
pub const CONFIG_DEFAULT: Code = Code("config-default-unread");
/// Keys that are used and not declared.
pub const CONFIG_UNDECLARED: Code = Code("config-undeclared");
/// A setting that restricts the program has no value.
pub const GUARD_OPEN: Code = Code("guard-open");
/// The description was cut.
pub const DESCRIPTION_CUT: Code = Code("description-cut");
/// Invisible characters were made visible.
pub const HIDDEN_CHARACTERS: Code = Code("hidden-characters");
/// Text that an agent would run was made harmless.
pub const COMMAND_TEXT: Code = Code("command-text-defused");
/// The plugin pushes messages to clients that do not exist.
pub const PUSH_NEEDS_CLIENT: Code = Code("push-needs-client");
/// The plugin pushes results of later to clients that do not exist.
pub const RESULT_UNSHOWN: Code = Code("result-unshown");
/// The plugin sends messages to clients that do not exist.
pub const MESSAGE_UNSHOWN: Code = Code("message-unshown");
/// The administrator's code of the old host is replaced by an approval.
pub const ADMIN_REPLACED: Code = Code("admin-replaced");
/// A file of the plugin is a skill.
pub const NESTED_SKILL: Code = Code("nested-skill");
/// Installed packages are left out, and no file lists them.
pub const PACKAGES_UNKNOWN: Code = Code("packages-unknown");
/// A server starts a program that is not in its skill.
pub const PROGRAM_ELSEWHERE: Code = Code("program-elsewhere");
/// A callable plugin without commands.
pub const NO_COMMANDS: Code = Code("no-commands");
/// A static plugin without placeholders.
pub const NO_PLACEHOLDERS: Code = Code("no-placeholders");
/// A file that would be copied contains a likely secret.
pub const SECRET_FOUND: Code = Code("secret-found");
/// A value of an entry is not carried, and a setting takes its place.
pub const VALUE_NOT_CARRIED: Code = Code("value-not-carried");
/// Variables of a server are in a file that is not carried.
pub const VARIABLES_LEFT: Code = Code("variables-not-carried");
/// The old host had a unit switched off.
pub const SWITCHED_OFF: Code = Code("switched-off");
/// A text without a description.
pub const NO_DESCRIPTION: Code = Code("no-description");
/// A text without instructions.
pub const EMPTY_TEXT: Code = Code("empty-text");
/// The hooks of a text are not carried.
pub const TEXT_HOOKS: Code = Code("hooks-not-carried");
/// The old host refuses a text, because a brace is not closed.
pub const UNCLOSED: Code = Code("unclosed-placeholder");
/// A package without a license.
pub const NO_LICENSE: Code = Code("no-license");
/// Names of other parts were written as the names of their skills.
pub const REFERENCES_REWRITTEN: Code = Code("references-rewritten");
/// Links out of the skill were written as paths of its copies, or as names of other skills.
pub const LINKS_REWRITTEN: Code = Code("links-rewritten");
/// A command of a text works in the directory of its package, which the skill does not have.
pub const WHOLE_PACKAGE: Code = Code("whole-package");
/// Links of a text or of copied files lead to nothing in the package.
pub const LINKS_BROKEN: Code = Code("links-broken");
/// A text names paths outside of its package.
pub const PATHS_OUTSIDE: Code = Code("paths-outside");
/// Files that many skills of a package name are not copied into each of them.
pub const SHARED_FILES: Code = Code("shared-files");
/// It is not known whether the first argument is `$0` or `$1`.
pub const ARGUMENT_BASE_UNSURE: Code = Code("argument-base-unsure");
/// A number stays in code that gives it a value of its own.
pub const NUMBER_OF_CODE: Code = Code("number-of-code");
/// A text has placeholders of an old host that nothing replaces.
pub const DEAD_PLACEHOLDER: Code = Code("dead-placeholder");
/// A text names a file that its package does not have.
pub const FILE_MISSING: Code = Code("file-missing");
