//! Detects renamed files.
//!
//! A removed file and an added file are the same if their bytes are equal, or if at least half of
//! their lines are: the threshold of `git diff -M`.

use similar::TextDiff;

use super::tree::{File, Tree};

/// The minimum share of equal lines.
const SIMILAR: f32 = 0.5;
/// The maximum number of pairs of texts that are compared line by line; beyond it, only equal bytes
/// count.
const MAX_PAIRS: usize = 400;
/// The size limit of a text that is compared by line, in bytes; longer texts are compared by their
/// bytes.
const MAX_BYTES: usize = 256 << 10;

/// Returns pairs of an old path in `base` and its new path in `side`. Each path is in at most one
/// pair.
pub(super) fn renames<'a>(base: &Tree<'a>, side: &Tree<'a>) -> Vec<(&'a str, &'a str)> {
    let mut gone: Vec<_> = only_in(base, side);
    let mut new: Vec<_> = only_in(side, base);
    let mut res = Vec::new();
    take_pairs(&mut gone, &mut new, &mut res, |a, b| {
        (a.digest == b.digest).then_some(1.0)
    });
    if gone.len() * new.len() <= MAX_PAIRS {
        take_pairs(&mut gone, &mut new, &mut res, similarity);
    }
    res.sort_unstable();
    res
}

fn only_in<'a>(tree: &Tree<'a>, other: &Tree<'a>) -> Vec<(&'a str, File<'a>)> {
    let files = tree.iter().filter(|(path, _)| !other.contains_key(*path));
    files.map(|(path, file)| (*path, *file)).collect()
}

/// Moves the best match of each old path, if it has one, to `acc`.
fn take_pairs<'a>(
    gone: &mut Vec<(&'a str, File<'a>)>,
    new: &mut Vec<(&'a str, File<'a>)>,
    acc: &mut Vec<(&'a str, &'a str)>,
    score: impl Fn(&File<'_>, &File<'_>) -> Option<f32>,
) {
    gone.retain(|(old, file)| {
        let scores = new
            .iter()
            .enumerate()
            .filter_map(|(at, (_, other))| Some((at, score(file, other)?)));
        let best = scores.fold(None, |best: Option<(usize, f32)>, next| match best {
            Some(best) if best.1 >= next.1 => Some(best),
            _ => Some(next),
        });
        if let Some((at, _)) = best {
            acc.push((old, new.remove(at).0));
        }
        best.is_none()
    });
}

fn similarity(a: &File<'_>, b: &File<'_>) -> Option<f32> {
    let (a, b) = (a.text?, b.text?);
    if a.is_empty() || b.is_empty() || a.len().max(b.len()) > MAX_BYTES {
        return None;
    }
    let ratio = TextDiff::from_lines(a, b).ratio();
    (ratio >= SIMILAR).then_some(ratio)
}
