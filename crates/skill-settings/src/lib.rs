//! Settings: the values that a user gives to the keys of skills.
//!
//! - [`wanted()`]: the keys that a skill wants; `names`: names of variables that no skill can get.
//! - [`Values`], [`Store`]: the values of one skill, and the user's store of all values, in the state
//!   directory ([`directory`]).
//! - [`take`]: the values in a `config.env` that belong to a skill.
//! - [`import()`]: the values of an old host.
//! - [`SkillStatus`]: which keys have a value, and from where; [`text`]: for people.
//!
//! **Invariant:** a value is in files of mode 0600 and in [`Values`] only; nothing else contains one.
//! **Invariant:** the directory of a skill is never written to.

mod directory;
mod error;
mod id;
mod import;
pub mod names;
mod status;
mod store;
mod take;
pub mod text;
mod values;
mod wanted;

pub use directory::{NoHome, directory, process_directory, user_directory};
pub use error::Error;
pub use id::SkillId;
pub use import::{HostSettings, Import, SkillImport, import, of_skill, read_host};
pub use skill_model::read_env_file;
pub use status::{Configured, KeyStatus, SkillStatus, Source, Switch, report};
pub use store::{Store, Stored, StoredSkill};
pub use take::{GuardPolicy, MAX_FILE, Taken, pairs_in, take};
pub use values::Values;
pub use wanted::{KeyKind, WantedKey, find, wanted, with_named};
