//! Turns features into confidences.

use super::explain::{explain, precedence};
use super::mention::{Mention, Mentions, mentions};
use super::query::Query;
use super::request::{Match, Request};
use super::scan::{Candidate, scan};
use super::weigh::{N_WITH_TRIGGERS, Weigher};
use crate::index::{as_f32, folded};
use crate::model::{Features, Model, at, dot, sigmoid};
use crate::{Explanation, Index, Vector};

/// The value of both factors for a skill that the request mentions.
const MENTIONED: f32 = 0.98;
/// The maximum confidence of a skill if the request mentions another one.
const BESIDE_MENTIONED: f32 = 0.5;
/// The maximum distance of the scores of two skills that fit equally well: the better one is then
/// right in 52 of 100 cases at most, by the order alone.
const EQUAL_SCORES: f32 = 0.1;
/// The minimum confidence of the second skill of such a pair, from which it is offered.
const LIKELY: f32 = 0.15;
/// The maximum confidence of both, below the 0.7 at which a skill is taken alone.
const UNDECIDED: f32 = 0.69;
/// The number of best skills that share the choice. If all skills shared it, it would shrink as
/// their number grows.
const N_SHARING: usize = 10;

/// A candidate with its features, for programs that fit coefficients.
#[derive(Clone, PartialEq, Debug)]
pub struct Observation {
    /// The name of the skill.
    pub skill: String,
    /// The values, in the order of [`FEATURES`](crate::FEATURES).
    pub features: Features,
    /// True if the request mentions the skill by name, in which case the coefficients do not
    /// matter.
    pub is_mentioned: bool,
    /// The maximum confidence of the skill, which is below 1 if the request names it without
    /// asking for it.
    pub limit: f32,
    /// The sums of the word vectors of its short fields and of its body, with length 1.
    pub vectors: [Vector; 2],
}

impl Index {
    /// Returns all candidates of a search with their features, before any judgement.
    pub fn observe(&self, request: &Request) -> Vec<Observation> {
        let query = Query::new(&request.text, self);
        let found = find(self, request, &query);
        let weighed = found.weighed.iter().zip(&found.candidates);
        let observed = weighed.map(|(features, candidate)| Observation {
            vectors: [
                self.meanings.head(candidate.document as usize),
                self.meanings.body(candidate.document as usize),
            ],
            skill: self.names.get(candidate.document as usize).to_owned(),
            features: *features,
            is_mentioned: found.mention(candidate.document).is_some(),
            limit: found.mentions.limit(candidate.document),
        });
        observed.collect()
    }
}

impl Index {
    /// Returns the sum of the word vectors of a request, with length 1.
    pub fn request_vector(&self, text: &str) -> Vector {
        Query::new(text, self).vector()
    }
}

impl Model {
    /// Fills in the features that compare the skills of one request with each other.
    pub fn compare(&self, all: &mut [Features]) {
        let scores: Vec<f32> = all.iter().map(|own| dot(own, &self.rank)).collect();
        let mut sorted = scores.clone();
        sorted.sort_by(|a, b| b.total_cmp(a));
        let first = sorted.first().copied().unwrap_or(0.0);
        let second = sorted.get(1).copied().unwrap_or(0.0);
        let share = |score: f32| (score - first).max(-50.0).exp();
        let total: f32 = sorted
            .iter()
            .take(N_SHARING)
            .map(|score| share(*score))
            .sum();
        for (own, score) in all.iter_mut().zip(&scores) {
            let is_first = *score >= first;
            own[at::SCORE] = *score;
            own[at::MARGIN] = score - if is_first { second } else { first };
            own[at::SHARE] = share(*score) / total;
            own[at::LOG_SHARE] = (own[at::SHARE] + 1e-4).ln();
        }
    }

    /// Returns relatedness, choice and confidence for features that [`Model::compare`] has
    /// completed.
    pub fn judge(&self, features: &Features) -> [f32; 3] {
        let relatedness = sigmoid(dot(features, &self.relatedness));
        let choice = sigmoid(self.bend.at(dot(features, &self.choice)));
        [relatedness, choice, relatedness * choice]
    }
}

/// The candidates of a request before they are judged.
struct CandidateSet<'s> {
    weigher: Weigher<'s>,
    mentions: Mentions,
    candidates: Vec<Candidate>,
    weighed: Vec<Features>,
}

impl CandidateSet<'_> {
    fn mention(&self, document: u32) -> Option<&Mention> {
        let mut mentions = self.mentions.wanted.iter();
        let found = mentions.find(|(mentioned, _)| *mentioned == document);
        found.map(|(_, mention)| mention)
    }
}

fn find<'s>(index: &'s Index, request: &Request, query: &'s Query) -> CandidateSet<'s> {
    let filter = Filter::new(request);
    let is_allowed = |document: u32| filter.allows(index, document);
    let mut mentions = mentions(index, &request.text);
    mentions
        .wanted
        .retain(|(document, _)| is_allowed(*document));
    let always: Vec<u32> = mentions
        .wanted
        .iter()
        .map(|(document, _)| *document)
        .collect();
    let candidates = scan(index, query, request.limit, &always, &is_allowed);
    let mut weigher = Weigher::new(index, query);
    let places = candidates.iter().enumerate();
    let mut weighed: Vec<Features> = places
        .map(|(place, candidate)| weigher.weigh(candidate, place < N_WITH_TRIGGERS))
        .collect();
    index.model().compare(&mut weighed);
    CandidateSet {
        weigher,
        mentions,
        candidates,
        weighed,
    }
}

pub(super) fn search(index: &Index, request: &Request) -> Vec<Match> {
    let query = Query::new(&request.text, index);
    let found = find(index, request, &query);
    let mut judged = judge(index, &found);
    judged.retain(|one| one.confidence > 0.0);
    judged.sort_by(|a, b| {
        let document = |one: &Judgement| found.candidates[one.place].document;
        let by_names = a.order.cmp(&b.order);
        by_names
            .then(b.score.total_cmp(&a.score))
            .then_with(|| document(a).cmp(&document(b)))
    });
    fall(&mut judged);
    part(&mut judged);
    judged.retain(|one| one.confidence >= request.min_confidence);
    judged.truncate(request.limit);
    let matches = judged.iter().map(|one| to_match(index, &found, one));
    let mut matches: Vec<Match> = matches.collect();
    // Nothing decides between two that fit equally well.
    if let ([first, second, ..], [best, next, ..]) = (&judged[..], &mut matches[..])
        && !first.is_ambiguous
    {
        let both =
            [first, second].map(|one| (&found.candidates[one.place], &found.weighed[one.place]));
        best.explanation.before = Some(precedence(&found.weigher, &next.skill, both));
    }
    matches
}

/// Lowers each confidence to that of the match before: a skill is not surer than a better one. The score
/// decides the order, because it is fitted to tell the right skill from its rivals; the factors say how sure
/// it is. One that is named without being asked for has its place by its confidence, which its limit holds
/// down.
fn fall(judged: &mut [Judgement]) {
    let mut before = 1.0_f32;
    let unlimited = judged.iter_mut().filter(|one| one.order != Order::Limited);
    for one in unlimited {
        one.confidence = one.confidence.min(before);
        before = one.confidence;
    }
    judged.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
}

/// The place of a skill by what the request says of its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Order {
    /// It is asked for, as the skill with this number in the request.
    Named(usize),
    Unnamed,
    /// It is named, but not asked for.
    Limited,
}

/// Marks the first two if they fit equally well, and keeps all below the confidence at which one of
/// them would be taken alone.
fn part(judged: &mut [Judgement]) {
    let [first, second, ..] = judged else { return };
    let is_equal = (first.score - second.score).abs() < EQUAL_SCORES;
    if !is_equal || second.confidence < LIKELY || !first.is_unnamed() || !second.is_unnamed() {
        return;
    }
    (first.is_ambiguous, second.is_ambiguous) = (true, true);
    for one in judged {
        one.confidence = one.confidence.min(UNDECIDED);
    }
}

struct Judgement {
    order: Order,
    /// True if another skill fits equally well.
    is_ambiguous: bool,
    /// The position among the candidates.
    place: usize,
    score: f32,
    relatedness: f32,
    choice: f32,
    confidence: f32,
}

impl Judgement {
    fn is_unnamed(&self) -> bool {
        !matches!(self.order, Order::Named(_))
    }
}

fn judge(index: &Index, found: &CandidateSet<'_>) -> Vec<Judgement> {
    let is_any_mentioned = !found.mentions.wanted.is_empty();
    let weighed = found.weighed.iter().enumerate();
    let judged = weighed.map(|(place, features)| {
        let [mut relatedness, mut choice, mut confidence] = index.model().judge(features);
        if let Some(order) = found.order(place) {
            relatedness = relatedness.max(MENTIONED);
            choice = choice.max(MENTIONED);
            confidence = MENTIONED - 0.001 * as_f32(order.min(50) as u64);
        } else if is_any_mentioned {
            choice = choice.min(BESIDE_MENTIONED);
            confidence = confidence.min(BESIDE_MENTIONED);
        }
        let limit = found.mentions.limit(found.candidates[place].document);
        confidence = confidence.min(limit);
        let order = match found.order(place) {
            _ if limit < 1.0 => Order::Limited,
            Some(order) => Order::Named(order),
            None => Order::Unnamed,
        };
        Judgement {
            order,
            is_ambiguous: false,
            place,
            score: dot(features, &index.model().rank),
            relatedness,
            choice,
            confidence,
        }
    });
    judged.collect()
}

impl CandidateSet<'_> {
    /// Returns the position of a candidate among the mentioned skills.
    fn order(&self, place: usize) -> Option<usize> {
        let document = self.candidates[place].document;
        self.mentions
            .wanted
            .iter()
            .position(|(mentioned, _)| *mentioned == document)
    }
}

fn to_match(index: &Index, found: &CandidateSet<'_>, one: &Judgement) -> Match {
    let candidate = &found.candidates[one.place];
    let features = &found.weighed[one.place];
    let trigger = match features[at::TRIGGER] {
        share if share > 0.0 => found.weigher.trigger(candidate.document as usize).1,
        _ => None,
    };
    let mention = found.mention(candidate.document).cloned();
    let explanation: Explanation = explain(&found.weigher, candidate, features, trigger, mention);
    Match {
        skill: index.names.get(candidate.document as usize).to_owned(),
        confidence: one.confidence,
        relatedness: one.relatedness,
        choice: one.choice,
        is_ambiguous: one.is_ambiguous,
        wish: None,
        explanation,
    }
}

/// Conditions that a skill must meet regardless of its words.
struct Filter {
    domain: Option<String>,
    keywords: Vec<String>,
}

impl Filter {
    fn new(request: &Request) -> Self {
        let keywords = request.required_keywords.iter();
        Self {
            domain: request.domain.as_deref().map(folded),
            keywords: keywords.map(|keyword| folded(keyword)).collect(),
        }
    }

    fn allows(&self, index: &Index, document: u32) -> bool {
        if self.domain.is_none() && self.keywords.is_empty() {
            return true;
        }
        let record = index.record(document as usize);
        let is_domain = self.domain.is_none() || record.domain() == self.domain.as_deref();
        let has = |keyword: &String| record.keywords().any(|known| known == keyword);
        is_domain && self.keywords.iter().all(has)
    }
}
