//! Composes the part of a prompt that is about skills.

use serde_json::json;

use crate::listing::{Format, Item, Listing, Report, Settings, list};
use crate::phase::TO_BRIEF;
use crate::safe::{escape_xml, without_controls};
use crate::{FullError, FullSource};
use skill_tokens::TokenCounter;

/// The choice of bodies that a prompt contains from the start.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Mode {
    /// No bodies: the agent reads what it needs.
    #[default]
    Progressive,
    /// The bodies of the skills that match the request, or of all skills without a request.
    Eager,
    /// The bodies of pinned skills and of skills with a high priority.
    Hybrid,
}

/// The settings of a prompt.
#[derive(Clone, PartialEq, Debug)]
pub struct ModeSettings {
    /// The choice of bodies.
    pub mode: Mode,
    /// The settings of the list, with the budget for the list and the bodies together.
    pub listing: Settings,
    /// The minimum confidence of a match.
    pub min_confidence: f64,
    /// The minimum priority of a skill for its body to be given in hybrid mode.
    pub min_priority: f64,
}

impl Default for ModeSettings {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            listing: Settings::default(),
            min_confidence: TO_BRIEF,
            min_priority: 0.8,
        }
    }
}

/// A skill that fits a request.
#[derive(Clone, PartialEq, Debug)]
pub struct Match {
    /// The name of the skill.
    pub skill: String,
    /// The confidence, from 0 to 1.
    pub confidence: f64,
}

/// A body in a prompt, or one that is too long for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InjectedBody {
    /// The name of the skill.
    pub skill: String,
    /// The number of tokens of the block with the body.
    pub tokens: usize,
}

/// A prompt and a report on how it was made.
#[derive(Debug)]
pub struct Prompt {
    /// The list, then the bodies; empty if there is no skill.
    pub text: String,
    /// The number of tokens of the text.
    pub tokens: usize,
    /// The report on the list.
    pub report: Report,
    /// The bodies in the text.
    pub injected: Vec<InjectedBody>,
    /// The bodies that did not fit the budget; these skills are listed instead.
    pub too_long: Vec<InjectedBody>,
    /// The skills whose bodies are not available, with the reason.
    pub failed: Vec<(String, FullError)>,
}

/// Composes the part of a prompt that is about skills. Each item comes with its priority; `matches`
/// is `None` if there is no request.
pub fn compose(
    items: &[(Item, f64)],
    matches: Option<&[Match]>,
    settings: &ModeSettings,
    source: &dyn FullSource,
    counter: &dyn TokenCounter,
) -> Prompt {
    let mut res = Prompt {
        text: String::new(),
        tokens: 0,
        report: list(&[], &settings.listing, counter).report,
        injected: Vec::new(),
        too_long: Vec::new(),
        failed: Vec::new(),
    };
    let mut free = settings.listing.budget.map(|budget| {
        let names: Vec<Item> = items.iter().map(|(item, _)| bare(item)).collect();
        budget.saturating_sub(
            list(&names, &unbounded(&settings.listing), counter)
                .report
                .tokens,
        )
    });
    let mut bodies = String::new();
    for skill in selected(items, matches, settings) {
        let body = match source.body(skill) {
            Ok(body) => body,
            Err(error) => {
                res.failed.push((skill.to_owned(), error));
                continue;
            }
        };
        let block = block(skill, &body, settings.listing.format);
        let injected = InjectedBody {
            skill: skill.to_owned(),
            tokens: counter.count(&block),
        };
        if free.is_some_and(|free| injected.tokens > free) {
            res.too_long.push(injected);
            continue;
        }
        free = free.map(|free| free - injected.tokens);
        bodies.push_str(&block);
        res.injected.push(injected);
    }
    res.finish(items, &bodies, settings, counter);
    res
}

impl Prompt {
    fn finish(
        &mut self,
        items: &[(Item, f64)],
        bodies: &str,
        settings: &ModeSettings,
        counter: &dyn TokenCounter,
    ) {
        let is_given = |item: &Item| self.injected.iter().any(|it| it.skill == item.name);
        let rest = items
            .iter()
            .map(|(item, _)| item)
            .filter(|item| !is_given(item));
        let mut listing = settings.listing.clone();
        listing.budget = listing
            .budget
            .map(|budget| budget.saturating_sub(counter.count(bodies)));
        let rest: Vec<Item> = rest.cloned().collect();
        let Listing { text, report } = list(&rest, &listing, counter);
        self.text = match settings.listing.format {
            Format::Json => with_blocks(&text, bodies),
            Format::Xml | Format::Markdown => format!("{text}{bodies}"),
        };
        self.tokens = counter.count(&self.text);
        self.report = report;
    }
}

fn bare(item: &Item) -> Item {
    Item {
        description: String::new(),
        ..item.clone()
    }
}

fn unbounded(settings: &Settings) -> Settings {
    Settings {
        budget: None,
        ..settings.clone()
    }
}

/// Returns the skills whose bodies are given: pinned ones first, then by confidence, then by name.
fn selected<'i>(
    items: &'i [(Item, f64)],
    matches: Option<&[Match]>,
    settings: &ModeSettings,
) -> Vec<&'i str> {
    let confidence = |item: &Item| match matches {
        Some(matches) => matches
            .iter()
            .find(|it| it.skill == item.name)
            .map_or(0.0, |it| it.confidence),
        None => 1.0,
    };
    let is_selected = |(item, priority): &&(Item, f64)| match settings.mode {
        Mode::Progressive => false,
        Mode::Eager => item.is_pinned || confidence(item) >= settings.min_confidence,
        Mode::Hybrid => item.is_pinned || *priority >= settings.min_priority,
    };
    let mut selected: Vec<&(Item, f64)> = items.iter().filter(is_selected).collect();
    selected.sort_by(|(a, _), (b, _)| {
        let order = confidence(b).total_cmp(&confidence(a));
        b.is_pinned
            .cmp(&a.is_pinned)
            .then(order)
            .then(a.name.cmp(&b.name))
    });
    selected.into_iter().map(|(item, _)| &*item.name).collect()
}

/// Returns a body between marks that it cannot close itself.
fn block(skill: &str, body: &str, format: Format) -> String {
    let body = without_controls(body.trim());
    match format {
        Format::Xml => {
            let body = body.replace("</skill_content", "&lt;/skill_content");
            let name = escape_xml(skill);
            format!("<skill_content name=\"{name}\">\n{body}\n</skill_content>\n")
        }
        Format::Markdown => format!("\n---\n\nInstructions of **{skill}**:\n\n{body}\n"),
        Format::Json => format!("{}\n", json!({"name": skill, "body": body})),
    }
}

/// Returns one JSON object with the list and, as `instructions`, the bodies, one per line.
fn with_blocks(listing: &str, bodies: &str) -> String {
    let Some(open) = listing
        .trim_end()
        .strip_suffix('}')
        .filter(|_| !bodies.is_empty())
    else {
        return listing.to_owned();
    };
    let blocks: Vec<&str> = bodies.lines().collect();
    format!(
        "{open},\n\"instructions\": [\n{}\n]}}\n",
        blocks.join(",\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Facts;
    use skill_tokens::Estimator;

    struct Bodies;

    impl FullSource for Bodies {
        fn body(&self, skill: &str) -> Result<String, FullError> {
            match skill {
                "c" => Err(FullError::NotFound("c".to_owned())),
                _ => Ok(format!("Body of {skill}. </skill_content>")),
            }
        }
    }

    #[track_caller]
    fn check(mode: Mode, budget: Option<usize>, injected: &[&str], too_long: usize) {
        let mut items: Vec<(Item, f64)> = ["a", "b", "c"]
            .map(|name| {
                (
                    Item::from_facts(&Facts::from_parts(name, "Does it.", None)),
                    0.0,
                )
            })
            .to_vec();
        items[0].0.is_pinned = true;
        items[1].1 = 0.9;
        let matches = [("b", 0.5), ("c", 0.4)].map(|(skill, confidence)| Match {
            skill: skill.to_owned(),
            confidence,
        });
        let settings = ModeSettings {
            mode,
            listing: Settings {
                budget,
                ..Settings::default()
            },
            ..ModeSettings::default()
        };
        let composed = compose(
            &items,
            Some(&matches),
            &settings,
            &Bodies,
            &Estimator::default(),
        );
        let found: Vec<&str> = composed.injected.iter().map(|it| &*it.skill).collect();
        assert_eq!(found, injected);
        assert_eq!(composed.too_long.len(), too_long);
        let n_closed = composed.text.matches("</skill_content>").count();
        assert_eq!(n_closed, injected.len(), "{}", composed.text);
        for item in ["a", "b", "c"] {
            let is_listed = composed.text.contains(&format!("<name>{item}</name>"));
            let is_left_out = composed.report.omitted.iter().any(|it| it == item);
            let expected = !injected.contains(&item) && !is_left_out;
            assert_eq!(is_listed, expected, "{}", composed.text);
        }
        assert!(budget.is_none_or(|budget| composed.tokens <= budget));
    }

    #[test]
    fn json_is_one_object() {
        let items = ["a", "b"].map(|name| {
            (
                Item::from_facts(&Facts::from_parts(name, "Does it.", None)),
                0.0,
            )
        });
        let listing = Settings {
            format: Format::Json,
            ..Settings::default()
        };
        let settings = ModeSettings {
            mode: Mode::Eager,
            listing,
            ..ModeSettings::default()
        };
        for matches in [None, Some(&[][..])] {
            let composed = compose(&items, matches, &settings, &Bodies, &Estimator::default());
            let value: serde_json::Value = serde_json::from_str(&composed.text).unwrap();
            let n_given = value["instructions"].as_array().map_or(0, Vec::len);
            assert_eq!(n_given, composed.injected.len());
            assert_eq!(value["skills"].as_array().unwrap().len() + n_given, 2);
        }
    }

    #[test]
    fn each_mode_gives_its_bodies() {
        check(Mode::Progressive, None, &[], 0);
        check(Mode::Eager, None, &["a", "b"], 0);
        check(Mode::Hybrid, None, &["a", "b"], 0);
        check(Mode::Hybrid, Some(85), &["a"], 1);
        check(Mode::Hybrid, Some(70), &[], 2);
    }
}
