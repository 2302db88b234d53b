//! A filter over the o200k vocabulary: the byte strings that are one token.

/// The numbers of bits that are set for a token, and for a long one. Long tokens are few, and a
/// string wrongly taken for one costs more.
const N_PROBES: [u64; 2] = [7, 12];
/// The length from which a token is long, in bytes.
const LONG: usize = 12;
/// The longest token of o200k, in bytes.
pub(super) const MAX_TOKEN: usize = 128;

/// A Bloom filter of byte strings. It recognizes every token, and takes about one in ten thousand
/// other strings for a token.
///
/// `data/o200k.bin` is written by `cargo xtask fit-tokens`.
#[derive(Clone, Debug)]
pub struct Vocabulary<'a> {
    /// The bits; the number of bytes is a power of two.
    bits: &'a [u8],
}

impl<'a> Vocabulary<'a> {
    /// Returns a filter that [`Vocabulary::build`] wrote.
    ///
    /// # Panics
    ///
    /// Panics if the length is not a power of two.
    pub fn new(bits: &'a [u8]) -> Self {
        assert!(bits.len().is_power_of_two(), "a damaged filter");
        Self { bits }
    }

    /// Returns the filter of some tokens, in `1 << log_bytes` bytes.
    pub fn build<'t>(tokens: impl Iterator<Item = &'t [u8]>, log_bytes: u32) -> Vec<u8> {
        let mut bits = vec![0_u8; 1 << log_bytes];
        for token in tokens.filter(|token| token.len() <= MAX_TOKEN) {
            let hash = token.iter().fold(START, |hash, byte| step(hash, *byte));
            for at in places(hash, token.len(), bits.len()) {
                bits[at / 8] |= 1 << (at % 8);
            }
        }
        bits
    }

    /// Returns true if the string with this hash and length is taken for a token.
    pub(super) fn has(&self, hash: u64, len: usize) -> bool {
        places(hash, len, self.bits.len()).all(|at| self.bits[at / 8] & (1 << (at % 8)) != 0)
    }
}

/// The hash of the empty string.
pub(super) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds one byte to a hash: FNV-1a with 64 bits, <http://www.isthe.com/chongo/tech/comp/fnv/>.
pub(super) fn step(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// Returns the bits of a string, by double hashing.
fn places(hash: u64, len: usize, n_bytes: usize) -> impl Iterator<Item = usize> {
    let mixed = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (first, second) = (mixed >> 32, (mixed & 0xffff_ffff) | 1);
    let mask = n_bytes as u64 * 8 - 1;
    (0..N_PROBES[usize::from(len >= LONG)]).map(move |n| {
        let at = first.wrapping_add(n.wrapping_mul(second)) & mask;
        usize::try_from(at).expect("the mask is the size of a slice")
    })
}
