//! Answers each wish of a request with several.

use super::rank;
use super::request::{Match, Request};
use crate::Index;
use crate::text::wishes;

/// The minimum confidence of the first match of a wish, from which the wish counts.
const ANSWERED: f32 = 0.7;
/// The minimum confidence of a skill for every wish, from which it is taken to answer all of them.
const COVERS: f32 = 0.3;

/// Returns the matches of all wishes, best first. Returns `None` for a request that one skill answers:
/// fewer than two of its parts have a sure match of their own, or one skill fits all of them.
pub(super) fn search(index: &Index, request: &Request) -> Option<Vec<Match>> {
    let answers: Vec<Vec<Match>> = wishes(&request.text)
        .into_iter()
        .map(|wish| answer(index, request, wish))
        .collect();
    let is_answered = |matches: &&Vec<Match>| {
        let first = matches.first();
        first.is_some_and(|first| first.confidence >= ANSWERED)
    };
    let answered: Vec<&Vec<Match>> = answers.iter().filter(is_answered).collect();
    let covers = |skill: &str| {
        answered.iter().all(|matches| {
            let mut own = matches.iter().filter(|one| one.confidence >= COVERS);
            own.any(|one| one.skill == skill)
        })
    };
    let firsts: Vec<&str> = answered.iter().map(|own| &own[0].skill[..]).collect();
    if firsts.len() < 2 || firsts.iter().any(|skill| covers(skill)) {
        return None;
    }
    let mut res: Vec<Match> = Vec::new();
    for one in answers.into_iter().flatten() {
        match res.iter_mut().find(|known| known.skill == one.skill) {
            Some(known) if known.confidence >= one.confidence => {}
            Some(known) => *known = one,
            None => res.push(one),
        }
    }
    // The sort is stable: of equal matches, that of the earlier wish is first.
    res.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    res.retain(|one| one.confidence >= request.min_confidence);
    res.truncate(request.limit);
    Some(res)
}

/// Answers one wish with the filters of the request.
fn answer(index: &Index, request: &Request, wish: &str) -> Vec<Match> {
    let own = Request {
        text: wish.to_owned(),
        min_confidence: 0.0,
        limit: request.limit.max(1),
        ..request.clone()
    };
    let mut res = rank::search(index, &own);
    for one in &mut res {
        one.wish = Some(wish.to_owned());
    }
    res
}
