//! Facts about the code of a plugin: modules, variables, host functions, literals.
//!
//! The lexers only know comments and strings of the two languages. Their results are evidence for a
//! report, never a reason to rewrite anything.

mod alternatives;
mod analysis;
mod argument_checks;
mod argument_facts;
mod argument_types;
mod arguments;
mod aside;
mod branch;
mod branches;
mod choices;
mod client_actions;
mod closed;
mod conditions;
mod constant;
mod declarations;
mod dispatch;
mod env_reader;
mod external;
mod facts;
mod fallback;
mod functions;
mod helpers;
mod host_path;
mod imports;
mod javascript;
mod lacking;
mod lexer;
mod lifetimes;
mod list_check;
mod literals;
mod local_services;
mod lowest;
mod modes;
mod names;
mod nested;
mod network;
mod numbered;
mod outcome;
mod places;
mod posted;
mod python;
mod reach;
mod refusing;
mod replaced;
mod rust_settings;
mod rust_structs;
mod said;
mod scopes;
mod service_modules;
mod setting_modes;
mod setting_objects;
mod setting_use;
mod settings_files;
mod source;
mod spelling;
mod stdin;
mod tables;
mod tested;
mod uses;
mod values;
mod waits;
mod word_index;
mod writes;

pub(crate) use alternatives::alternatives;
pub(crate) use analysis::Analysis;
pub(crate) use argument_facts::{
    ArgumentFacts, Facts, Shape, argument_facts, nested_facts, spelled,
};
pub(crate) use aside::aside;
pub(crate) use choices::{DataValues, data_choices};
pub(crate) use client_actions::{asks_to_repeat, client_actions};
pub(crate) use declarations::lacking_methods;
pub(crate) use dispatch::{closed_switches, dispatch};
pub(crate) use facts::CodeFacts;
pub(crate) use imports::{Imports, is_npm_name, read_imports};
pub(crate) use lacking::{Lack, Mode, lacking, tolerated};
pub(crate) use lifetimes::{Ending, awaited_connection, endings, has_scheduler};
pub(crate) use local_services::{LocalServices, Port, local_services};
pub(crate) use lowest::{Lowest, lowest};
pub(crate) use modes::Mode as ArgumentMode;
pub(crate) use nested::{Member as NestedMember, Need as NestedNeed};
pub(crate) use network::is_client_script;
pub(crate) use outcome::{
    Answers, Json, Member, Outcome, Part, REST, Results, outcome_of_rust, outcomes, results,
};
pub(crate) use posted::posted;
pub(crate) use reach::{Reachable, read_code};
pub(crate) use refusing::refusing;
pub(crate) use replaced::{Replaced, replaced};
pub(crate) use rust_settings::rust_settings;
pub(crate) use rust_structs::{Field as RustField, fields as rust_fields, word as rust_word};
pub(crate) use service_modules::service_modules;
pub(crate) use setting_modes::setting_modes;
pub(crate) use setting_use::{Fallback, ListCheck, SettingUse};
pub(crate) use settings_files::settings_files;
pub(crate) use source::{sources, strings};
pub(crate) use spelling::spelling;
pub(crate) use tested::tested;
pub(crate) use uses::setting_uses;
pub(crate) use waits::longest_wait;
