//! Computes the measures of `score.py` in process.

use std::fmt::Write as _;

use skill_search::calibrate::{ListedSkill, curve, error};
use skill_search::{Features, Model};

use crate::train::{Sample, Source, compared};

/// The thresholds that the search is fitted for. `skill_disclosure` defines them; it uses this crate, so
/// a test of `skills-tools` compares them.
pub(crate) const TO_BRIEF: f32 = 0.15;
pub(crate) const TO_FULL: f32 = 0.7;

/// A request and its best match.
pub(crate) struct Judgement {
    pub(crate) kind: &'static str,
    pub(crate) lang: String,
    pub(crate) source: Source,
    /// True if the best match is right.
    pub(crate) is_right: bool,
    pub(crate) is_mentioned: bool,
    /// True if the second match fits equally well, and the first is capped for it.
    pub(crate) is_undecided: bool,
    /// The logits of the two factors of the best match; `near_logits` has those of the near miss.
    pub(crate) first: [f32; 2],
    pub(crate) near_logits: [f32; 2],
    /// The confidence of the best match; `near` is that of the near miss.
    pub(crate) confidence: f32,
    pub(crate) near: f32,
    /// The best confidence of a right skill.
    pub(crate) gold: f32,
    /// The number of wrong skills at or above the lower threshold, and of all wrong skills.
    pub(crate) n_others_shown: usize,
    pub(crate) n_others: usize,
    /// The number of terms of the request, and of skills of the catalog.
    pub(crate) n_terms: usize,
    pub(crate) n_skills: usize,
    /// The part of the request's repository.
    pub(crate) fold: usize,
}

impl Judgement {
    fn is_positive(&self) -> bool {
        self.kind == "positive"
    }

    /// Returns a confidence of the first match as a search caps it.
    pub(crate) fn capped(&self, confidence: f32) -> f32 {
        let cap = if self.is_undecided { UNDECIDED } else { 1.0 };
        confidence.min(cap)
    }

    /// Returns the confidence of these logits after a shift of the biases.
    pub(crate) fn moved(&self, [related, choice]: [f32; 2], by: f32, by_choice: f32) -> f32 {
        let sigmoid = |x: f32| 1.0 / (1.0 + (-x).exp());
        if self.is_mentioned {
            self.confidence
        } else {
            sigmoid(related + by) * sigmoid(choice + by_choice)
        }
    }
}

/// The maximum confidence of two skills that fit equally well, and the distance of their scores,
/// as in a search.
const UNDECIDED: f32 = 0.69;
const EQUAL_SCORES: f32 = 0.1;

/// Returns true if the first two fit equally well.
fn are_equal(model: &Model, rows: &[Features]) -> bool {
    let score = crate::train::place("score");
    let mut scores: Vec<(f32, f32)> = rows
        .iter()
        .map(|row| (row[score], model.judge(row)[2]))
        .collect();
    scores.sort_by(|a, b| b.0.total_cmp(&a.0));
    matches!(scores[..], [first, second, ..]
        if first.0 - second.0 < EQUAL_SCORES && second.1 >= TO_BRIEF)
}

/// Returns the candidates in the order of a search.
fn order(seen: &Sample, rows: &[Features]) -> Vec<usize> {
    let score = crate::train::place("score");
    let by_name = |at: usize| (seen.limits[at] < 1.0, !seen.mentioned[at]);
    let mut places: Vec<usize> = (0..rows.len()).collect();
    places.sort_by(|a, b| {
        let by_names = by_name(*a).cmp(&by_name(*b));
        by_names.then(rows[*b][score].total_cmp(&rows[*a][score]))
    });
    places
}

/// Judges a request as a search does.
pub(crate) fn judge(model: &Model, seen: &Sample) -> Judgement {
    let rows = compared(model, seen);
    let any_mentioned = seen.mentioned.contains(&true);
    let (mut near, mut gold) = (0.0_f32, 0.0_f32);
    let mut n_others_shown = 0;
    let places = order(seen, &rows);
    let mut confidence = 1.0_f32;
    let mut of_first = 0.0;
    for at in &places {
        let [_, _, mut own] = model.judge(&rows[*at]);
        if seen.mentioned[*at] {
            own = 0.98;
        } else if any_mentioned {
            own = own.min(0.5);
        }
        // A skill is not surer than a better one.
        confidence = confidence.min(own).min(seen.limits[*at]);
        if Some(at) == places.first() {
            of_first = confidence;
        }
        if seen.near[*at] {
            near = confidence;
        }
        if seen.right[*at] {
            gold = gold.max(confidence);
        } else {
            n_others_shown += usize::from(confidence >= TO_BRIEF);
        }
    }
    let best = places.first().copied();
    let mut confidence = of_first;
    let is_undecided = !any_mentioned && are_equal(model, &rows);
    if is_undecided {
        (confidence, near) = (confidence.min(UNDECIDED), near.min(UNDECIDED));
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
        source: seen.source,
        is_right: best.is_some_and(|at| seen.right[at]),
        is_mentioned: any_mentioned,
        is_undecided,
        first: best.map_or([-9.0; 2], logits),
        near_logits: near_at.map_or([-9.0; 2], logits),
        confidence,
        near,
        gold,
        n_others_shown,
        n_others: seen.n_skills - seen.n_right,
        fold: seen.fold,
        n_terms: skill_search::terms(&seen.text).len(),
        n_skills: seen.n_skills,
    }
}

/// A measure of the table: its title, the requests that it counts, and those that are good.
struct Measure {
    title: &'static str,
    of: fn(&Judgement) -> bool,
    is_good: fn(&Judgement) -> bool,
}

const MEASURES: [Measure; 18] = [
    Measure {
        title: "first",
        of: Judgement::is_positive,
        is_good: |one| one.is_right,
    },
    Measure {
        title: "sure",
        of: Judgement::is_positive,
        is_good: |one| one.is_right && one.confidence >= TO_FULL,
    },
    Measure {
        title: "precise",
        of: |one| one.is_positive() && one.confidence >= TO_FULL,
        is_good: |one| one.is_right,
    },
    Measure {
        title: "zh",
        of: |one| one.is_positive() && one.lang == "zh",
        is_good: |one| one.is_right,
    },
    Measure {
        title: "near",
        of: |one| one.kind == "near",
        is_good: |one| one.near >= TO_FULL,
    },
    Measure {
        title: "lost",
        of: Judgement::is_positive,
        is_good: |one| one.gold < TO_BRIEF,
    },
    Measure {
        title: "unrel",
        of: |one| one.kind == "unrelated",
        is_good: |one| one.confidence < TO_BRIEF,
    },
    Measure {
        title: "none",
        of: |one| one.kind == "none",
        is_good: |one| one.confidence < TO_FULL,
    },
    Measure {
        title: "short",
        of: |one| one.kind == "short",
        is_good: |one| one.is_right && one.confidence >= TO_BRIEF,
    },
    Measure {
        title: "short7",
        of: |one| one.kind == "short",
        is_good: |one| one.is_right && one.confidence >= TO_FULL,
    },
    Measure {
        title: "across",
        of: |one| one.kind == "across",
        is_good: |one| one.is_right,
    },
    Measure {
        title: "acr15",
        of: |one| one.kind == "across",
        is_good: |one| one.is_right && one.confidence >= TO_BRIEF,
    },
    Measure {
        title: "stray",
        of: |one| one.kind == "stray",
        is_good: |one| one.confidence < TO_BRIEF,
    },
    Measure {
        title: "word",
        of: |one| one.kind == "word",
        is_good: |one| one.is_right && one.confidence >= TO_BRIEF,
    },
    Measure {
        title: "word7",
        of: |one| one.kind == "word",
        is_good: |one| one.is_right && one.confidence >= TO_FULL,
    },
    Measure {
        title: "shape",
        of: |one| one.kind == "shape",
        is_good: |one| one.is_right && one.confidence >= TO_BRIEF,
    },
    Measure {
        title: "shape7",
        of: |one| one.kind == "shape",
        is_good: |one| one.is_right && one.confidence >= TO_FULL,
    },
    Measure {
        title: "unword",
        of: |one| one.kind == "unword",
        is_good: |one| one.confidence < TO_BRIEF,
    },
];

impl Measure {
    fn value(&self, judged: &[&Judgement]) -> Option<f64> {
        let counted: Vec<&&Judgement> = judged.iter().filter(|one| (self.of)(one)).collect();
        let n_good = counted.iter().filter(|one| (self.is_good)(one)).count();
        (!counted.is_empty()).then(|| n_good as f64 / counted.len() as f64)
    }
}

/// Returns the share of the other skills that stay below the lower threshold.
fn others(judged: &[&Judgement]) -> f64 {
    let positives = judged.iter().filter(|one| one.is_positive());
    let (n_shown, n_all) = positives.fold((0, 0), |(n_shown, n_all), one| {
        (n_shown + one.n_others_shown, n_all + one.n_others)
    });
    1.0 - n_shown as f64 / n_all.max(1) as f64
}

/// Returns one line of the table.
pub(crate) fn line(name: &str, judged: &[&Judgement]) -> String {
    let values = MEASURES
        .iter()
        .map(|measure| measure.value(judged).unwrap_or(f64::NAN));
    let values = values.chain([others(judged)]);
    let cells: Vec<String> = values.map(|value| format!("{value:7.3}")).collect();
    format!("{name:<18}{}", cells.join(""))
}

/// Returns the header of the table.
pub(crate) fn head() -> String {
    let titles = MEASURES.iter().map(|measure| measure.title);
    let cells: Vec<String> = titles
        .chain(["others"])
        .map(|title| format!("{title:>7}"))
        .collect();
    format!("{:<18}{}", "", cells.join(""))
}

/// Returns the calibration error of first matches by group, and the curve of all of them.
pub(crate) fn reliability(judged: &[Judgement]) -> String {
    type Group = (&'static str, fn(&Judgement) -> bool);
    let groups: [Group; 10] = [
        ("all", |_| true),
        ("Chinese, Korean", |one| one.lang != "en"),
        ("English", |one| one.lang == "en"),
        ("up to 3 terms", |one| one.n_terms <= 3),
        ("4 to 12 terms", |one| (4..=12).contains(&one.n_terms)),
        ("more than 12 terms", |one| one.n_terms > 12),
        ("up to 12 skills", |one| one.n_skills <= 12),
        ("13 to 99 skills", |one| (13..100).contains(&one.n_skills)),
        ("100 to 999 skills", |one| {
            (100..1000).contains(&one.n_skills)
        }),
        ("1,000 skills or more", |one| one.n_skills >= 1000),
    ];
    let mut res = String::new();
    for (title, is_in) in groups {
        let counted = judged.iter().filter(|one| is_in(one));
        let counted = counted.filter(|one| matches!(one.kind, "positive" | "short" | "unrelated"));
        let listings: Vec<Vec<ListedSkill>> = counted
            .map(|one| {
                vec![ListedSkill {
                    confidence: one.confidence,
                    relatedness: one.confidence,
                    choice: one.confidence,
                    is_used: one.is_right,
                }]
            })
            .collect();
        let bins = curve(&listings);
        let (n, error) = (listings.len(), error(&bins));
        writeln!(res, "{n:>6}  {error:.3}  {title}").expect("a string takes everything");
        for bin in bins.iter().filter(|_| title == "all") {
            let (from, n, mean, right) = (bin.from, bin.n, bin.mean, bin.used);
            writeln!(res, "    {from:.1} {n:>6} {mean:.2} {right:.2}").expect("as above");
        }
    }
    res
}

/// Prints a request whose right skill is not first with a confidence of at least [`TO_FULL`], and its first
/// matches.
pub(crate) fn print_miss(model: &Model, seen: &Sample, judged: &Judgement) {
    if seen.kind != "positive"
        || seen.source == Source::Global
        || judged.is_right && judged.confidence >= TO_FULL
    {
        return;
    }
    let rows = compared(model, seen);
    let places = order(seen, &rows);
    let judge = |at: usize| model.judge(&rows[at]);
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
