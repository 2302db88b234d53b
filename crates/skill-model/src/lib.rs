//! The skill: its name, its frontmatter, `METADATA.yml` and `skills.lock`, as types that are parsed
//! from text and emitted as text.
//!
//! The terms are those of the specification (<https://agentskills.io/specification>);
//! `METADATA.yml` is this project's own sidecar.
//!
//! **Invariant:** no IO, clock or environment; does not depend on plugins or MCP.

mod allowed_host;
pub mod base64;
mod chars;
pub mod conflict;
mod digest;
mod entry;
mod env_file;
mod frontmatter;
mod lock;
mod metadata;
mod metadata_read;
mod name;
mod packages;
mod portable;
mod private;
mod requirement;
mod sample;
pub mod schema;
mod secrets;
mod shared_file;
pub mod wildcard;
pub mod yaml;

pub use allowed_host::{AllowedHost, AllowedHostError, HostPattern};
pub use chars::is_inkless;
pub use digest::{Digest, Hasher};
pub use env_file::{EnvFile, EnvLine, env_keys, env_lines, read_env_file, write_env_file};
pub use frontmatter::{
    COMPATIBILITY_MAX, DESCRIPTION_MAX, Frontmatter, Skill, Split, SplitError, codes, decode,
    parse_skill, parse_skill_bytes, repair_frontmatter, split,
};
pub use lock::{
    HOST_DIRECTORY, HOST_SKILL_FILE, Lock, LockedSkill, LockedSource, UPSTREAM_SKILL, skill_file,
    skill_path,
};
pub use metadata::{
    APPROVAL_REASONS, Annotations, Async, Cache, Command, Config, Dispatch, Entry, ExecutorKind,
    FileRecord, FindingRecord, Guard, GuardKind, Legacy, Limits, METADATA_SCHEMA, McpServer,
    Metadata, Permissions, Placeholder, Program, Prompt, PromptArgument, PromptDialect, Push,
    Refresh, Requires, Routes, Runtime, SHARED_DIRECTORIES, Transport, Triggers, Unset,
    command_words, missing_program, own_path, program_directory, programs,
};
pub use metadata_read::{MetadataReading, metadata_codes, read_metadata, read_metadata_full};
pub use name::{NAME_MAX, NameError, SkillName, name_flaws, slug};
pub use packages::{
    INSTALLED, PackageNeed, PackageSource, Packages, is_of_package_manager, pip_key, pip_package,
};
pub use portable::{NameFlaw, is_portable_name, name_flaw, path_flaw, portable_name};
pub use private::{
    PRIVATE_HEAD, PrivateKind, PrivateName, is_withheld, private_cases, private_content,
    private_directory, private_examples, private_path,
};
pub use requirement::{
    Closure, RequirementCandidate, RequirementError, SkillRequirement, Unmet, choose, closure,
};
pub use sample::sample_arguments;
pub use secrets::{
    REDACTED, SecretHit, described_secret, is_ordinary, is_secret_name, is_secret_placeholder,
    is_session_name, named_secret, percent_encoded, scan_issuers, scan_secrets, secret_forms,
};
pub use shared_file::{SharedFile, SharedFileError};
