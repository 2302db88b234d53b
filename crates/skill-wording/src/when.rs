//! A sentence on the use that repeats what the skill does.

use std::ops::Range;

use crate::overlap;

/// Frames of a sentence on the use: its beginning, and what follows the need.
const FRAMES: [(&str, &str); 10] = [
    ("当用户需要", "时使用"),
    ("当用户要", "时使用"),
    ("当需要", "时使用"),
    ("需要", "时使用"),
    ("use when the user wants to ", ""),
    ("use when the user needs to ", ""),
    ("use when you need to ", ""),
    ("use this skill when you need to ", ""),
    ("use when the task involves ", ""),
    ("use when ", ""),
];

/// The share of words, in percent, from which a need repeats the rest.
const SAME: usize = 100;
/// The minimum number of words that a need must have to repeat anything.
const MIN_WORDS: usize = 4;

/// Returns the need in the sentence on the use, if the description says every word of it before.
/// Something that is said in other words, or with more words, is not a repetition.
pub fn repeated_when(description: &str) -> Option<Range<usize>> {
    let lower = description.to_ascii_lowercase();
    let (at, begin, end) = FRAMES.iter().find_map(|(begin, end)| {
        let at = lower.find(begin)?;
        Some((at, begin, end))
    })?;
    let from = at + begin.len();
    let rest = &lower[from..];
    let stop = rest.find(['。', '；']).into_iter().chain(rest.find(". "));
    let stop = stop.min().unwrap_or(rest.trim_end_matches('.').len());
    let need = &rest[..stop];
    let need = if end.is_empty() {
        need
    } else {
        &need[..need.find(end)?]
    };
    let (share, n_words) = overlap(need, &lower[..at]);
    (share >= SAME && n_words >= MIN_WORDS).then(|| from..from + need.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_it_twice() {
        let check = |text: &str, expected: &str| {
            let found = repeated_when(text).map_or("", |range| &text[range]);
            assert_eq!(found, expected, "{text}");
        };
        check(
            "查询城市的天气预报。当需要查询城市的天气预报时使用。",
            "查询城市的天气预报",
        );
        check("查询城市的天气预报。当用户问要不要带伞时使用。", "");
        check("查询城市的天气预报。当需要天气预报和空气质量时使用。", "");
        check(
            "Generates images from text prompts. Use when the user wants to generate images from text prompts.",
            "generate images from text prompts",
        );
        check(
            "Generates images from text prompts. Use when the user asks for a picture or a logo.",
            "",
        );
        check("Use when the user wants to roll four dice.", "");
        check("Rolls dice. Use when rolling dice.", "");
    }
}
