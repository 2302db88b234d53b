//! The paths in the state of one skill's files, for code outside of a call.

use std::collections::BTreeMap;

use skill_loader::fs::Kind;

use super::layout::LEGACY;
use super::place::Place;
use super::{copy, host_part, neighbours, required};
use crate::package::SkillPackage;
use crate::state::State;

/// The directories in which a skill may write, as paths beneath the state directory.
#[derive(Debug)]
pub(crate) struct OwnPaths {
    /// The directories that are there, none inside another.
    pub(crate) dirs: Vec<String>,
    /// The directory that replaces the plugin's, with the copy of its program.
    pub(crate) plugin: String,
    /// Its home directory.
    pub(crate) home: String,
    /// Links that the host makes there, to shared directories and to neighbours, and their targets.
    pub(crate) made: BTreeMap<String, String>,
    /// The files that the host put there outside of `plugin`: digests of 64 hex digits by path beneath
    /// the state directory.
    pub(crate) laid: BTreeMap<String, String>,
    /// The files that the host copied, by the path in `plugin`: digests of 64 hex digits.
    pub(crate) copied: BTreeMap<String, String>,
}

impl OwnPaths {
    /// Returns the directories of this skill; nothing for one that was never called.
    pub(crate) fn find(skill: &SkillPackage, state: &State) -> Option<Self> {
        let place = Place::find(skill, state)?;
        let is_there = |dir: &String| matches!(state.root().kind(dir), Ok(Some(Kind::Dir)));
        let base = place.base();
        let shared = skill_model::SHARED_DIRECTORIES.iter();
        let shared =
            shared.map(|dir| (format!("{base}/{dir}"), format!("../../../{LEGACY}/{dir}")));
        let beside = neighbours::laid(skill, state, &place);
        Some(Self {
            dirs: [base.clone(), place.home(), place.beside()]
                .into_iter()
                .filter(is_there)
                .collect(),
            plugin: place.plugin(skill),
            home: place.home(),
            laid: host_part::laid_for(skill, skill, state, (&place, &base))
                .into_iter()
                .chain(beside.files)
                .collect(),
            made: shared
                .chain(beside.links)
                .chain([host_part::packages_link(skill, &base)])
                .collect(),
            copied: copy::digests(&place, state, copy::OWN),
        })
    }

    /// The skills whose files this one reads, and those that they read.
    pub(crate) fn neighbours(skill: &SkillPackage) -> Vec<SkillPackage> {
        required::required(skill, &mut Vec::new())
    }
}
