//! Gives equal strings equal numbers, in the order of their first appearance.

use super::strings::{Strings, offset};

const EMPTY: u32 = u32::MAX;

/// A slot of the table: the string's hash and number.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

const FREE: Slot = Slot {
    hash: 0,
    number: EMPTY,
};

/// The part of a string that is compared first: its first bytes, and its length in the last byte.
type Key = u128;

/// The number of bytes of a string in a [`Key`].
const IN_KEY: usize = 15;

/// A growing table of strings.
pub(super) struct Interner {
    strings: Strings,
    /// The keys by number. Frequent strings usually come early, so their keys are close together.
    keys: Vec<Key>,
    /// The slots by hash; their number is a power of two, and some are always free.
    slots: Vec<Slot>,
}

impl Interner {
    pub(super) fn new() -> Self {
        Self {
            strings: Strings::default(),
            keys: Vec::new(),
            slots: vec![FREE; 1 << 12],
        }
    }

    pub(super) fn into_strings(self) -> Strings {
        self.strings
    }

    /// Returns the number of a string, and true if it is new.
    pub(super) fn intern(&mut self, string: &str) -> (u32, bool) {
        let key = key(string);
        let hash = hash(key, string);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.number == EMPTY {
                break;
            }
            if slot.hash == hash && self.is_at(slot.number, key, string) {
                return (slot.number, false);
            }
            at = (at + 1) & mask;
        }
        let number = offset(self.strings.len());
        self.slots[at] = Slot { hash, number };
        self.strings.push(string);
        self.keys.push(key);
        if self.strings.len() * 2 > self.slots.len() {
            self.grow();
        }
        (number, true)
    }

    fn is_at(&self, number: u32, key: Key, string: &str) -> bool {
        let is_whole = string.len() <= IN_KEY;
        self.keys[number as usize] == key
            && (is_whole || self.strings.get(number as usize) == string)
    }

    fn grow(&mut self) {
        let mut slots = vec![FREE; self.slots.len() * 4];
        let mask = slots.len() - 1;
        for slot in self.slots.iter().filter(|slot| slot.number != EMPTY) {
            let mut at = slot.hash as usize & mask;
            while slots[at].number != EMPTY {
                at = (at + 1) & mask;
            }
            slots[at] = *slot;
        }
        self.slots = slots;
    }
}

/// Returns the key of a string. Strings that are too long for it may share a key with each other,
/// but not with shorter ones.
fn key(string: &str) -> Key {
    let mut res = [0; 16];
    let n = string.len().min(IN_KEY);
    res[..n].copy_from_slice(&string.as_bytes()[..n]);
    res[IN_KEY] = u8::try_from(string.len()).unwrap_or(u8::MAX);
    Key::from_le_bytes(res)
}

/// Returns a hash that is good enough for words.
fn hash(key: Key, string: &str) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |res: u64, word: u64| (res.rotate_left(23) ^ word).wrapping_mul(FACTOR);
    let half = |number: Key| u64::try_from(number & Key::from(u64::MAX)).unwrap_or(0);
    let mut res = mix(half(key), half(key >> 64));
    for piece in string
        .as_bytes()
        .get(IN_KEY..)
        .unwrap_or_default()
        .chunks(8)
    {
        let mut word = [0; 8];
        word[..piece.len()].copy_from_slice(piece);
        res = mix(res, u64::from_le_bytes(word));
    }
    // The last bytes of a word reach only the upper half of the product.
    let res = (res ^ res >> 32).wrapping_mul(FACTOR);
    u32::try_from(res >> 32).unwrap_or(0)
}
