//! The part of a native library that no loader reads: symbols and debug information after the last
//! segment ([the format](https://refspecs.linuxfoundation.org/elf/gabi4+/contents.html)).

/// The bytes of a 64-bit, little-endian file.
const IDENT: [u8; 6] = [0x7f, b'E', b'L', b'F', 2, 1];
/// Type of a shared object (`e_type`).
const SHARED: u64 = 3;
/// A section that is loaded (`sh_flags`).
const ALLOC: u64 = 2;
/// Types of sections (`sh_type`): contents, symbols, names, relocations.
const KINDS: [u64; 4] = [1, 2, 3, 4];
/// Type of a section without bytes.
const NOBITS: u64 = 8;
/// Largest gap between sections, for their alignment, in bytes.
const MAX_GAP: u64 = 64;

/// Returns a shared object without what follows its last segment, as `strip` does; `None` if that is not
/// only sections that are never loaded. Bytes that no section names may be data of the program.
pub(crate) fn stripped(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = File(bytes);
    if !bytes.starts_with(&IDENT) || file.number(0x10, 2)? != SHARED {
        return None;
    }
    let end = file.end_of_segments()?;
    let whole = u64::try_from(bytes.len()).ok()?;
    if end >= whole || !file.is_unloaded(end, whole)? {
        return None;
    }
    let mut res = bytes.get(..usize::try_from(end).ok()?)?.to_vec();
    // Place, number and names of the sections.
    for (at, length) in [(0x28, 8), (0x3c, 2), (0x3e, 2)] {
        res.get_mut(at..at + length)?.fill(0);
    }
    Some(res)
}

struct File<'b>(&'b [u8]);

impl File<'_> {
    fn number(&self, at: u64, length: usize) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.0.get(at..at.checked_add(length)?)?;
        let digits = bytes.iter().rev();
        Some(digits.fold(0, |acc, byte| acc << 8 | u64::from(*byte)))
    }

    /// Returns the places of the rows of a table whose place, row size and number are in the header.
    fn rows(&self, header: [u64; 3]) -> Option<Vec<u64>> {
        let [at, size, count] = header;
        let (start, size) = (self.number(at, 8)?, self.number(size, 2)?);
        let count = self.number(count, 2)?;
        (0..count)
            .map(|row| start.checked_add(row.checked_mul(size)?))
            .collect()
    }

    /// Returns where the last segment ends, or the table of segments.
    fn end_of_segments(&self) -> Option<u64> {
        let mut res = 0x40;
        for row in self.rows([0x20, 0x36, 0x38])? {
            let (offset, length) = (self.number(row + 8, 8)?, self.number(row + 32, 8)?);
            res = res.max(offset.checked_add(length)?).max(row + 56);
        }
        Some(res)
    }

    /// Returns whether the bytes between `end` and `whole` are sections that are never loaded, and the
    /// table of sections.
    fn is_unloaded(&self, end: u64, whole: u64) -> Option<bool> {
        let rows = self.rows([0x28, 0x3a, 0x3c])?;
        let table = *rows.first()?;
        let after = rows.last()?.checked_add(0x40)?;
        let mut parts = vec![(table, after)];
        for row in rows {
            let (kind, flags) = (self.number(row + 4, 4)?, self.number(row + 8, 8)?);
            let (offset, length) = (self.number(row + 24, 8)?, self.number(row + 32, 8)?);
            let last = offset.checked_add(length)?;
            if kind == 0 || kind == NOBITS || last <= end {
                continue;
            }
            if flags & ALLOC != 0 || !KINDS.contains(&kind) || offset < end {
                return Some(false);
            }
            parts.push((offset, last));
        }
        parts.sort_unstable();
        let mut reached = end;
        for (start, last) in parts {
            if start > reached.saturating_add(MAX_GAP) {
                return Some(false);
            }
            reached = reached.max(last);
        }
        Some(table >= end && reached == whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a shared object with one segment of 0x100 bytes, a section behind it of this kind and
    /// these flags, and the table of sections at the end.
    fn library(kind: u8, flags: u8) -> Vec<u8> {
        let mut res = vec![0; 0x100];
        res[..6].copy_from_slice(&IDENT);
        let numbers: [(usize, u16); 8] = [
            (0x10, 3),
            (0x20, 0x40),
            (0x28, 0x180),
            (0x36, 56),
            (0x38, 1),
            (0x3a, 0x40),
            (0x3c, 2),
            (0x3e, 1),
        ];
        for (at, number) in numbers {
            res[at..at + 2].copy_from_slice(&number.to_le_bytes());
        }
        // The segment: its length.
        res[0x40 + 32..0x40 + 34].copy_from_slice(&0x100_u16.to_le_bytes());
        // The section, and two rows.
        res.resize(0x180 + 0x80, 7);
        res[0x180..].fill(0);
        let row = 0x180 + 0x40;
        res[row + 4] = kind;
        res[row + 8] = flags;
        res[row + 24..row + 26].copy_from_slice(&0x100_u16.to_le_bytes());
        res[row + 32..row + 34].copy_from_slice(&0x80_u16.to_le_bytes());
        res
    }

    #[test]
    fn symbols_go_and_segments_stay() {
        let whole = library(2, 0);
        let found = stripped(&whole).unwrap();
        assert_eq!(found.len(), 0x100);
        assert_eq!(found[..0x28], whole[..0x28]);
        assert_eq!(found[0x40..], whole[0x40..0x100]);
        assert_eq!(stripped(&found), None);
    }

    #[test]
    fn everything_else_stays_whole() {
        let appended = [library(2, 0), b"data".to_vec()].concat();
        let mut program = library(2, 0);
        program[0x10] = 2;
        let mut hidden = library(2, 0);
        // The section begins far behind the segment.
        hidden[0x1c0 + 24] = 0x60;
        hidden[0x1c0 + 25] = 1;
        hidden[0x1c0 + 32] = 0x20;
        let cut = library(2, 0)[..0x190].to_vec();
        for bytes in [
            library(2, 2),
            library(9, 0),
            appended,
            program,
            hidden,
            cut,
            b"\x7fELF".to_vec(),
            Vec::new(),
        ] {
            assert_eq!(stripped(&bytes), None, "{}", bytes.len());
        }
    }
}
