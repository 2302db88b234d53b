//! Equal strings get equal numbers, in the order of their first appearance.

use super::strings::{Strings, offset};

const EMPTY: u32 = u32::MAX;

/// A place of the table: the string's hash and number.
#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    number: u32,
}

const FREE: Slot = Slot {
    hash: 0,
    number: EMPTY,
};

/// A table of strings that grows.
pub(super) struct Interner {
    strings: Strings,
    /// By hash; a power of two, never full.
    slots: Vec<Slot>,
}

impl Interner {
    pub(super) fn new() -> Self {
        Self {
            strings: Strings::default(),
            slots: vec![FREE; 1 << 12],
        }
    }

    pub(super) fn into_strings(self) -> Strings {
        self.strings
    }

    /// The number of a string, and whether it is new.
    pub(super) fn intern(&mut self, string: &str) -> (u32, bool) {
        let hash = hash(string);
        let mask = self.slots.len() - 1;
        let mut at = hash as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.number == EMPTY {
                break;
            }
            if slot.hash == hash && self.strings.get(slot.number as usize) == string {
                return (slot.number, false);
            }
            at = (at + 1) & mask;
        }
        let number = offset(self.strings.len());
        self.slots[at] = Slot { hash, number };
        self.strings.push(string);
        if self.strings.len() * 2 > self.slots.len() {
            self.grow();
        }
        (number, true)
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

/// A hash that is good enough for words.
fn hash(string: &str) -> u32 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut res = string.len() as u64;
    for piece in string.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..piece.len()].copy_from_slice(piece);
        res = (res.rotate_left(23) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    // The last bytes of a word reach only the upper half of the product.
    let res = (res ^ res >> 32).wrapping_mul(FACTOR);
    u32::try_from(res >> 32).unwrap_or(0)
}
