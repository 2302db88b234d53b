//! Finds words that look alike: they share groups of three letters.

use super::query::Query;
use crate::index::as_f32;

/// The minimum length of a word that is compared, in bytes.
const MIN_WORD: usize = 4;
/// The minimum likeness that counts, in hundredths.
const MIN_LIKENESS: u64 = 45;
/// The number of terms whose likeness is cached: the same ones occur in many skills.
const CACHE_SIZE: usize = 1024;
/// The size of the table, far more than the groups of [`MAX_TERMS`](super::query::MAX_TERMS) words.
const N_SLOTS: usize = 1 << 13;

/// The groups of the words of a request.
pub(super) struct Grams {
    /// A hash table with open addressing: one more than the position in `groups`, 0 for a free
    /// slot.
    slots: Vec<u16>,
    /// The groups with the words that have them.
    groups: Vec<(u32, [u64; 2])>,
    /// The number of groups of each word; 0 for a word that is not compared.
    sizes: Vec<usize>,
    /// The number of groups of the shortest word; `None` if no word is compared.
    least: Option<usize>,
    /// The cached likenesses, by term.
    cache: Vec<CacheEntry>,
    /// Words of the request with their likeness to a compared term.
    alike: Vec<(usize, f32)>,
    /// For the word under comparison, the words that have each of its groups.
    masks: Vec<[u64; 2]>,
}

/// The cached likenesses of a term of the vocabulary.
#[derive(Clone, Copy)]
struct CacheEntry {
    term: u32,
    /// A range of `alike`.
    start: u32,
    end: u32,
}

const EMPTY_ENTRY: CacheEntry = CacheEntry {
    term: u32::MAX,
    start: 0,
    end: 0,
};

impl Grams {
    pub(super) fn new(query: &Query) -> Self {
        let mut res = Self {
            slots: vec![0; N_SLOTS],
            groups: Vec::new(),
            sizes: vec![0; query.terms.len()],
            least: None,
            cache: vec![EMPTY_ENTRY; CACHE_SIZE],
            alike: Vec::new(),
            masks: Vec::new(),
        };
        for (at, term) in query.terms.iter().enumerate() {
            let n_grams = term.text.len();
            if !term.is_word || n_grams < MIN_WORD {
                continue;
            }
            res.sizes[at] = n_grams;
            res.least = Some(res.least.map_or(n_grams, |least| least.min(n_grams)));
            for gram in grams(term.text.as_bytes()) {
                let group = res.group(gram);
                res.groups[group].1[at / 64] |= 1 << (at % 64);
            }
        }
        res
    }

    /// Returns the position of a group, which is added if it is new.
    fn group(&mut self, gram: u32) -> usize {
        let mut slot = first_slot(gram);
        loop {
            match usize::from(self.slots[slot]).checked_sub(1) {
                Some(group) if self.groups[group].0 == gram => return group,
                Some(_) => slot = (slot + 1) % N_SLOTS,
                None => break,
            }
        }
        self.groups.push((gram, [0; 2]));
        self.slots[slot] = u16::try_from(self.groups.len()).unwrap_or(0);
        self.groups.len() - 1
    }

    /// Returns the words that have a group, as bits.
    #[inline]
    fn mask(&self, gram: u32) -> [u64; 2] {
        let mut slot = first_slot(gram);
        while let Some(group) = usize::from(self.slots[slot]).checked_sub(1) {
            let (known, mask) = self.groups[group];
            if known == gram {
                return mask;
            }
            slot = (slot + 1) % N_SLOTS;
        }
        [0; 2]
    }

    /// Raises the likeness of each word of the request to its likeness to `word`, the UTF-8 text of
    /// the vocabulary's term number `term`.
    #[inline]
    pub(super) fn compare(&mut self, term: u32, word: &[u8], likeness: &mut [f32]) {
        let Some(least) = self.least else { return };
        if word.len() < MIN_WORD {
            return;
        }
        let slot = term as usize % CACHE_SIZE;
        if self.cache[slot].term != term {
            let start = offset(self.alike.len());
            self.seek(word, least);
            let end = offset(self.alike.len());
            self.cache[slot] = CacheEntry { term, start, end };
        }
        let CacheEntry { start, end, .. } = self.cache[slot];
        for (at, dice) in &self.alike[start as usize..end as usize] {
            let likeness = &mut likeness[*at];
            *likeness = likeness.max(*dice);
        }
    }

    /// Finds the words of the request that are like `word`.
    fn seek(&mut self, word: &[u8], least: usize) {
        let mut masks = std::mem::take(&mut self.masks);
        masks.clear();
        let all = grams(word).map(|gram| self.mask(gram));
        masks.extend(all.filter(|mask| *mask != [0; 2]));
        if is_alike(masks.len() as u64, least + word.len()) {
            self.count(&masks, word.len());
        }
        self.masks = masks;
    }

    fn count(&mut self, masks: &[[u64; 2]], n_grams: usize) {
        for half in 0..2 {
            let (mut touched, mut twice) = (0, 0);
            for mask in masks {
                twice |= touched & mask[half];
                touched |= mask[half];
            }
            while twice != 0 {
                let bit = twice.trailing_zeros();
                twice &= twice - 1;
                let has = masks.iter().map(|mask| mask[half] >> bit & 1);
                self.add(64 * half + bit as usize, has.sum(), n_grams);
            }
        }
    }

    /// Adds the word at `at` if it is similar enough: it shares `n_common` groups with a word of
    /// `n_grams` groups.
    fn add(&mut self, at: usize, n_common: u64, n_grams: usize) {
        let n_both = self.sizes[at] + n_grams;
        if is_alike(n_common, n_both) {
            let dice = 2.0 * as_f32(n_common) / as_f32(n_both as u64);
            self.alike.push((at, dice.min(1.0)));
        }
    }
}

fn first_slot(gram: u32) -> usize {
    (gram.wrapping_mul(0x9e37_79b1) >> 16) as usize % N_SLOTS
}

fn offset(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

/// Returns true if Dice's coefficient counts, for `n_common` common groups out of `n_both` groups
/// on both sides together.
fn is_alike(n_common: u64, n_both: usize) -> bool {
    200 * n_common >= MIN_LIKENESS * n_both as u64
}

/// Returns all groups of three bytes, with one blank before the word and one after it.
fn grams(word: &[u8]) -> impl Iterator<Item = u32> {
    let (first, rest) = word.split_first().unwrap_or((&b' ', b""));
    let mut gram = u32::from(b' ') << 8 | u32::from(*first);
    rest.iter().chain(b" ").map(move |byte| {
        gram = (gram << 8 | u32::from(*byte)) & 0xff_ffff;
        gram
    })
}
