//! The journals of `SQLite`, without what is random in them.
//!
//! A database in the mode WAL has two files beside it (<https://www.sqlite.org/walformat.html>). `-wal` has
//! the changed pages, each with two numbers that the last reset drew and with sums over them; `-shm` is an index
//! of it that programs share while they run. Each run draws other numbers, so equal databases have different
//! files.

use serde_json::{Value, json};
use skill_loader::Digest;

/// The beginnings of a journal: sums of big-endian or little-endian numbers.
const MAGIC: [[u8; 4]; 2] = [[0x37, 0x7f, 0x06, 0x82], [0x37, 0x7f, 0x06, 0x83]];
/// The size of the header, and of the header of each page, in bytes.
const HEADER: usize = 32;
const PAGE_HEADER: usize = 24;
/// The version of the index, at its beginning.
const INDEX_VERSION: u32 = 3_007_000;

/// Returns what is compared of a journal or of its index; `None` for other files.
pub(crate) fn content(path: &str, bytes: &[u8]) -> Option<Value> {
    if path.ends_with("-shm") {
        let version: [u8; 4] = bytes.first_chunk().copied()?;
        let is_index = [u32::from_le_bytes(version), u32::from_be_bytes(version)];
        return is_index
            .contains(&INDEX_VERSION)
            .then(|| json!("an index of SQLite"));
    }
    if !path.ends_with("-wal") || !MAGIC.contains(bytes.first_chunk()?) {
        return None;
    }
    let number = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
    let size = usize::try_from(number(8)?).ok().filter(|size| *size > 0)?;
    let numbers = bytes.get(16..24)?;
    let (mut pages, mut n_pages) = (Vec::new(), 0_u32);
    // What an earlier round of the journal left behind has other numbers.
    for frame in bytes.get(HEADER..)?.chunks_exact(PAGE_HEADER + size) {
        if &frame[8..16] != numbers {
            break;
        }
        pages.extend_from_slice(&frame[..8]);
        pages.extend_from_slice(&frame[PAGE_HEADER..]);
        n_pages += 1;
    }
    let sum = Digest::from_content(&pages).hex();
    Some(json!({"pages": n_pages, "sha256": sum}))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a journal with these numbers and pages, and with a page of an earlier round.
    fn journal(numbers: u8, pages: &[u8]) -> Vec<u8> {
        let mut res = MAGIC[0].to_vec();
        res.extend([0, 0x2d, 0xe2, 0x18, 0, 0, 0, 4, 0, 0, 0, 0]);
        res.extend([numbers; 8]);
        res.extend([numbers.wrapping_mul(3); 8]);
        for (page, numbers) in pages.iter().map(|page| (page, numbers)).chain([(&9, 77)]) {
            res.extend([0, 0, 0, *page, 0, 0, 0, 0]);
            res.extend([numbers; 8]);
            res.extend([page.wrapping_add(numbers); 8]);
            res.extend([*page; 4]);
        }
        res
    }

    #[test]
    fn journals_are_equal_if_their_pages_are() {
        let found = |bytes: &[u8]| content("a.db-wal", bytes);
        let one = found(&journal(1, &[5, 6]));
        assert_eq!(one.as_ref().unwrap()["pages"], 2);
        assert_eq!(one, found(&journal(2, &[5, 6])));
        assert_ne!(one, found(&journal(1, &[5, 7])));
        assert_ne!(one, found(&journal(1, &[5])));
        assert_eq!(content("a.db", &journal(1, &[5])), None);
        assert_eq!(found(b"a text"), None);
        let whole = journal(1, &[5]);
        for length in 0..HEADER {
            assert_eq!(found(&whole[..length]), None);
        }
    }

    #[test]
    fn an_index_has_no_content() {
        let index = INDEX_VERSION.to_le_bytes();
        assert!(content("a.db-shm", &[&index[..], &[7; 60]].concat()).is_some());
        assert_eq!(content("a.db-shm", b"something else"), None);
        assert_eq!(content("a.db-shm", b""), None);
    }
}
