//! Descriptions of the skills of a catalog, by one set of settings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use skill_loader::catalog::{Catalog, CatalogSkill};
use skill_loader::load::{Limits, LoadError};

use crate::listing::{self, Item};
use crate::placeholders::{Descriptions, RenderedText, resolve};
use crate::{
    Budgets, Description, Disclosure, Facts, FullError, FullSource as _, LocalBodies, Match, Mode,
    ModeSettings, Phase, Prompt, Situation, compose, describe, facts_with_sections,
};
use skill_tokens::{Estimator, TokenCounter};

/// The settings of descriptions and prompts, which it makes.
pub struct Describer {
    /// The thresholds, and the preferences of some skills.
    pub disclosure: Disclosure,
    /// Tokens of a description in each phase.
    pub budgets: Budgets,
    /// The mode of prompts.
    pub mode: Mode,
    /// The least priority of a skill whose body a prompt has.
    pub min_priority: f64,
    /// The form and budget of lists.
    pub listing: listing::Settings,
    /// Skills that are listed first.
    pub pins: BTreeSet<String>,
    /// The number of times that each skill was used, if that was recorded.
    pub n_uses: BTreeMap<String, u64>,
    /// The counter of tokens.
    pub counter: Box<dyn TokenCounter>,
    /// The phase of every description, whatever the confidence.
    pub explicit: Option<Phase>,
}

impl fmt::Debug for Describer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Describer")
            .field("disclosure", &self.disclosure)
            .field("explicit", &self.explicit)
            .finish_non_exhaustive()
    }
}

impl Default for Describer {
    fn default() -> Self {
        Self {
            disclosure: Disclosure::default(),
            budgets: Budgets::default(),
            mode: Mode::Progressive,
            min_priority: 0.8,
            listing: listing::Settings::default(),
            pins: BTreeSet::new(),
            n_uses: BTreeMap::new(),
            counter: Box::new(Estimator::default()),
            explicit: None,
        }
    }
}

/// The reason why a skill cannot be described.
#[derive(Debug, thiserror::Error)]
pub enum DescribeError {
    /// No skill has this name.
    #[error("{error}{}", .error.help().map(|help| format!("; {help}")).unwrap_or_default())]
    Unknown {
        /// With the names that are nearest.
        error: LoadError,
    },
    /// Its instructions cannot be read.
    #[error(transparent)]
    Body(#[from] FullError),
}

impl Describer {
    /// Returns the phase of a skill.
    pub fn phase(&self, skill: &str, confidence: Option<f64>) -> Phase {
        let situation = Situation {
            confidence,
            explicit: self.explicit,
            ..Situation::default()
        };
        self.disclosure.phase(skill, &situation)
    }

    /// Describes one skill in the phase of its confidence.
    ///
    /// # Errors
    ///
    /// [`DescribeError`] if no skill has the name, or its instructions cannot be read.
    pub fn describe(
        &self,
        catalog: &Catalog,
        skill: &str,
        confidence: Option<f64>,
    ) -> Result<Description, DescribeError> {
        self.describe_in(catalog, skill, self.phase(skill, confidence))
    }

    /// Describes one skill in a phase. A brief description lists the sections if the instructions can
    /// be read.
    ///
    /// # Errors
    ///
    /// Those of [`Describer::describe`].
    pub fn describe_in(
        &self,
        catalog: &Catalog,
        skill: &str,
        phase: Phase,
    ) -> Result<Description, DescribeError> {
        let found = catalog
            .find(skill)
            .map_err(|error| DescribeError::Unknown { error })?;
        let bodies = LocalBodies::new(catalog, Limits::default());
        let facts = match phase {
            Phase::Brief => facts_with_sections(found, &bodies),
            _ => Facts::from_skill(found),
        };
        Ok(describe(
            &facts,
            phase,
            &self.budgets,
            &bodies,
            &*self.counter,
        )?)
    }

    /// Composes the part of a prompt that is about skills. `matches` are the skills that fit a
    /// request, if there is one.
    pub fn compose(&self, catalog: &Catalog, matches: Option<&[(String, f64)]>) -> Prompt {
        let mut ordered: Vec<&CatalogSkill> = catalog.skills.values().map(AsRef::as_ref).collect();
        ordered.sort_by(|a, b| (a.source, &a.name).cmp(&(b.source, &b.name)));
        let items = ordered.iter().enumerate().map(|(precedence, skill)| {
            let facts = Facts::from_skill(skill);
            let item = Item {
                precedence,
                is_pinned: self.pins.contains(&skill.name),
                n_uses: self.n_uses.get(&skill.name).copied().unwrap_or(0),
                ..Item::from_facts(&facts)
            };
            (item, facts.priority)
        });
        let items: Vec<(Item, f64)> = items.collect();
        let matches = matches.map(|matches| {
            let one = |(skill, confidence): &(String, f64)| Match {
                skill: skill.clone(),
                confidence: *confidence,
            };
            matches.iter().map(one).collect::<Vec<Match>>()
        });
        let how = ModeSettings {
            mode: self.mode,
            listing: self.listing.clone(),
            min_confidence: self.disclosure.thresholds.to_brief(),
            min_priority: self.min_priority,
        };
        let bodies = LocalBodies::new(catalog, Limits::default());
        compose(&items, matches.as_deref(), &how, &bodies, &*self.counter)
    }

    /// Resolves the placeholders of older hosts in a prompt: all skills are a list, and one skill is
    /// its description. `default` is the phase of a skill for which the user prefers none; without
    /// it, the thresholds choose.
    pub fn render(&self, text: &str, catalog: &Catalog, default: Option<Phase>) -> RenderedText {
        let skills = catalog.skills.values();
        let skills: Vec<Facts> = skills.map(|skill| Facts::from_skill(skill)).collect();
        let values = PlaceholderValues {
            describer: self,
            catalog,
            default,
        };
        resolve(text, &skills, &values)
    }
}

/// The descriptions that placeholders are replaced by.
struct PlaceholderValues<'a> {
    describer: &'a Describer,
    catalog: &'a Catalog,
    default: Option<Phase>,
}

impl Descriptions for PlaceholderValues<'_> {
    fn all(&self) -> String {
        self.describer.compose(self.catalog, None).text
    }

    fn one(&self, facts: &Facts) -> String {
        let describer = self.describer;
        let preference = describer.disclosure.preferences.get(&facts.name);
        let phase = match self.default {
            Some(default) => preference.copied().unwrap_or(default),
            None => describer.phase(&facts.name, None),
        };
        let bodies = LocalBodies::new(self.catalog, Limits::default());
        let body = bodies.body(&facts.name).unwrap_or_default();
        let facts = facts.clone().with_body(&body);
        let counter = &*describer.counter;
        let described = describe(&facts, phase, &describer.budgets, &bodies, counter);
        described.map_or_else(|_| facts.description.clone(), |described| described.text)
    }
}
