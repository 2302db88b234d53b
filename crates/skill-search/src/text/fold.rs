//! Maps characters with the same meaning to one character.

use unicode_normalization::UnicodeNormalization as _;

/// Pairs of a traditional character and its simplified form in one line, sorted.
const SIMPLIFIED: &str = include_str!("../../data/simplified.txt");

/// Calls `each` with the folded form of a character: lower case, without width, compatibility
/// forms, Latin accents and the difference between traditional and simplified characters.
pub(crate) fn fold(c: char, mut each: impl FnMut(char)) {
    match c {
        '\0'..='\x7f' => each(c.to_ascii_lowercase()),
        '\u{4e00}'..='\u{9fff}' => each(simplified(c)),
        '\u{ac00}'..='\u{d7a3}' | '\u{3041}'..='\u{30ff}' => each(c),
        '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}' => {
            let bare = std::iter::once(c).nfkd().filter(|c| !is_accent(*c));
            bare.flat_map(char::to_lowercase).for_each(each);
        }
        '\u{2e80}'..='\u{2fdf}' | '\u{f900}'..='\u{faff}' => {
            std::iter::once(c).nfkc().map(simplified).for_each(each);
        }
        '\u{fb00}'..='\u{fb06}' | '\u{ff01}'..='\u{ffee}' | '\u{2100}'..='\u{24ff}' => {
            std::iter::once(c)
                .nfkc()
                .flat_map(char::to_lowercase)
                .for_each(each);
        }
        _ => c.to_lowercase().for_each(each),
    }
}

fn is_accent(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

fn simplified(c: char) -> char {
    let table = table();
    match table.binary_search_by_key(&c, |pair| pair.0) {
        Ok(at) => table[at].1,
        Err(_) => c,
    }
}

fn table() -> &'static [(char, char)] {
    static TABLE: std::sync::OnceLock<Vec<(char, char)>> = std::sync::OnceLock::new();
    TABLE.get_or_init(|| {
        let mut chars = SIMPLIFIED.trim_end().chars();
        let mut res = Vec::with_capacity(SIMPLIFIED.len() / 6);
        while let (Some(from), Some(to)) = (chars.next(), chars.next()) {
            res.push((from, to));
        }
        res
    })
}
