//! Computes the measures of `score.py` in process.

use skill_search::Model;

use crate::train::{Sample, compared};

/// The thresholds that the search is fitted for. `skill_disclosure` defines them; it uses this crate, so
/// a test of `skills-tools` compares them.
pub(crate) const TO_BRIEF: f32 = 0.15;
pub(crate) const TO_FULL: f32 = 0.7;

/// A request and its best match.
pub(crate) struct Judgement {
    pub(crate) kind: &'static str,
    pub(crate) lang: String,
    pub(crate) weight: f64,
    /// True if the best match is right.
    pub(crate) is_right: bool,
    pub(crate) is_mentioned: bool,
    /// The logits of the two factors of the best match; `near_logits` has those of the near miss.
    pub(crate) first: [f32; 2],
    pub(crate) near_logits: [f32; 2],
    /// The confidence of the best match; `near` is that of the near miss.
    pub(crate) confidence: f32,
    pub(crate) near: f32,
    /// The best confidence of a right skill.
    pub(crate) gold: f32,
}

impl Judgement {
    /// Returns the confidence of these logits after a shift of the biases.
    pub(crate) fn moved(&self, [related, choice]: [f32; 2], by: f32, by_choice: f32) -> f32 {
        let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
        if self.is_mentioned {
            self.confidence
        } else {
            sigmoid(related + by) * (0.4 + 0.6 * sigmoid(choice + by_choice))
        }
    }
}

/// Judges a request as a search does.
pub(crate) fn judge(model: &Model, seen: &Sample) -> Judgement {
    let rows = compared(model, seen);
    let any_mentioned = seen.mentioned.contains(&true);
    let mut best: Option<(f32, usize)> = None;
    let (mut near, mut gold) = (0.0_f32, 0.0_f32);
    for (at, row) in rows.iter().enumerate() {
        let [_, _, mut confidence] = model.judge(row);
        if seen.mentioned[at] {
            confidence = 0.98;
        } else if any_mentioned {
            confidence = confidence.min(0.5);
        }
        if seen.near[at] {
            near = confidence;
        }
        if seen.right[at] {
            gold = gold.max(confidence);
        }
        if best.is_none_or(|(known, _)| confidence > known) {
            best = Some((confidence, at));
        }
    }
    let logit = |p: f32| (p.clamp(1e-6, 1.0 - 1e-6) / (1.0 - p.clamp(1e-6, 1.0 - 1e-6))).ln();
    let logits = |at: usize| {
        let [related, choice, _] = model.judge(&rows[at]);
        if seen.mentioned[at] {
            [9.0, 9.0]
        } else {
            [logit(related), logit(choice)]
        }
    };
    let near_at = seen.near.iter().position(|is_near| *is_near);
    Judgement {
        kind: seen.kind,
        lang: seen.lang.clone(),
        weight: seen.weight,
        is_right: best.is_some_and(|(_, at)| seen.right[at]),
        is_mentioned: any_mentioned,
        first: best.map_or([-9.0; 2], |(_, at)| logits(at)),
        near_logits: near_at.map_or([-9.0; 2], logits),
        confidence: best.map_or(0.0, |(confidence, _)| confidence),
        near,
        gold,
    }
}

/// Returns one line of the table.
pub(crate) fn line(name: &str, judged: &[&Judgement]) -> String {
    let share = |part: usize, whole: usize| part as f64 / whole.max(1) as f64;
    let count = |test: &dyn Fn(&Judgement) -> bool| judged.iter().filter(|one| test(one)).count();
    let n_positive = count(&|one| one.kind == "positive");
    let right = |one: &Judgement| one.kind == "positive" && one.is_right;
    let high = |one: &Judgement| one.kind == "positive" && one.confidence >= TO_FULL;
    let zh = |one: &Judgement| one.lang == "zh";
    format!(
        "{name:<18} {:.3}  {:.3}  {:.3}  {:.3}  {:.3}  {:.3}  {:.3}  {:.3}  {:.3}  {:.3}  {:.3}",
        share(count(&right), n_positive),
        share(count(&|one| right(one) && high(one)), n_positive),
        share(count(&|one| right(one) && high(one)), count(&high)),
        share(
            count(&|one| one.kind == "unrelated" && one.confidence < TO_BRIEF),
            count(&|one| one.kind == "unrelated")
        ),
        share(
            count(&|one| one.kind == "near" && one.near >= TO_FULL),
            count(&|one| one.kind == "near")
        ),
        share(
            count(&|one| right(one) && zh(one)),
            count(&|one| one.kind == "positive" && zh(one))
        ),
        share(
            count(&|one| one.kind == "positive" && one.gold < TO_BRIEF),
            n_positive
        ),
        share(
            count(&|one| one.kind == "none" && one.confidence < TO_FULL),
            count(&|one| one.kind == "none")
        ),
        share(
            count(&|one| one.kind == "short" && one.is_right && one.confidence >= TO_BRIEF),
            count(&|one| one.kind == "short")
        ),
        share(
            count(&|one| one.kind == "short" && one.is_right && one.confidence >= TO_FULL),
            count(&|one| one.kind == "short")
        ),
        share(
            count(&|one| one.kind == "stray" && one.confidence < TO_BRIEF),
            count(&|one| one.kind == "stray")
        ),
    )
}

/// The header of the table.
pub(crate) const HEAD: &str = "                   H@1    gold7  prec7  unrel  near7  zhH@1  gold<  none<7 short> short7 stray<";

/// Prints a request whose right skill is not first with a confidence of at least [`TO_FULL`], and its first
/// matches.
pub(crate) fn print_miss(model: &Model, seen: &Sample, judged: &Judgement) {
    if seen.kind != "positive"
        || seen.weight < 1.0
        || judged.is_right && judged.confidence >= TO_FULL
    {
        return;
    }
    let rows = compared(model, seen);
    let mut places: Vec<usize> = (0..rows.len()).collect();
    let judge = |at: usize| model.judge(&rows[at]);
    places.sort_by(|a, b| judge(*b)[2].total_cmp(&judge(*a)[2]));
    let word = if judged.is_right { "LOW  " } else { "WRONG" };
    println!("{word} {} [{}]", seen.text, seen.lang);
    for (place, at) in places.iter().enumerate() {
        if place < 3 || seen.right[*at] {
            let [related, choice, confidence] = judge(*at);
            let mark = if seen.right[*at] { '*' } else { ' ' };
            println!(
                "   {mark}{:>2} {confidence:.2} = {related:.2}, {choice:.2}  {}",
                place + 1,
                seen.skills[*at]
            );
        }
    }
}
