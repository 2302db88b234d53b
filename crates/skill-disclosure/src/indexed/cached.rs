//! The index of an earlier run: a file with the index and the stamps of everything it was made from.
//!
//! **Invariant:** an index is used only where every file and every searched directory is as it was;
//! a file that is damaged, foreign or of another version counts as none.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use skill_loader::Digest;
use skill_loader::catalog::Catalog;
use skill_loader::fs::{Root, Stamp};
use skill_search::{Index, checksum};

/// The mark of such a file, with the version of its form.
const MAGIC: &[u8; 8] = b"skilldx3";
/// A file that was touched so shortly before the index was written may have been touched again
/// within the same tick of the clock, in nanoseconds.
const TICK: i128 = 20_000_000;

/// A file or directory as it was when the index was made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FileStamp<'k> {
    /// The number of the directory of skills that it is in.
    root: u32,
    path: Cow<'k, str>,
    /// The skill whose file with the frontmatter this is; empty for everything else.
    skill: Cow<'k, str>,
    /// Nothing for a file that was not there.
    stamp: Option<Stamp>,
}

/// An index that was kept. Its traces are read on demand.
pub(super) struct CachedIndex {
    head: Head,
    pub(super) index: Index,
}

/// The part of the file before the index.
struct Head {
    bytes: Vec<u8>,
    /// Traces without their texts, [`TRACE`] bytes each.
    traces: Range<usize>,
    /// The texts of the traces.
    texts: Range<usize>,
    /// Digests of the documents, in the order of the index, [`DIGEST`] bytes each.
    digests: Range<usize>,
    /// True if the catalog had no findings.
    is_clean: bool,
}

/// The traces of a catalog, directories first.
pub(super) fn traces(catalog: &Catalog, roots: &[Root]) -> Vec<FileStamp<'static>> {
    let number = |root: &Root| {
        let found = roots.iter().position(|known| known.path() == root.path());
        u32::try_from(found.unwrap_or(0)).unwrap_or(0)
    };
    let directories = catalog.searched.iter().map(|directory| FileStamp {
        root: number(&directory.root),
        path: directory.path.clone().into(),
        skill: "".into(),
        stamp: directory.stamp,
    });
    let mut res: Vec<FileStamp<'static>> = directories.collect();
    for skill in catalog.skills.values() {
        let [file, metadata] = skill.stamps();
        let root = number(&skill.place.root);
        let beside = match skill.place.dir.as_deref() {
            None => None,
            Some("") => Some("METADATA.yml".to_owned()),
            Some(dir) => Some(format!("{dir}/METADATA.yml")),
        };
        let path = skill.place.file.clone();
        res.push(FileStamp {
            root,
            path: path.into(),
            skill: skill.name.clone().into(),
            stamp: file,
        });
        res.extend(beside.map(|path| FileStamp {
            root,
            path: path.into(),
            skill: "".into(),
            stamp: metadata,
        }));
    }
    res
}

impl CachedIndex {
    /// Reads the result of [`to_bytes`], and returns true with it if no skill has changed since; `None`
    /// for other bytes. The skills are checked while the index is read. `take` returns the next bytes,
    /// at most as many as requested; `written` is the time at which the file was written.
    pub(super) fn read(
        mut take: impl FnMut(usize) -> Option<Vec<u8>> + Send,
        roots: &[Root],
        written: i128,
    ) -> Option<(Self, bool)> {
        let head = head(&mut take)?;
        let (index, is_fresh) = rayon::join(
            || Index::from_shared(Arc::new(take(usize::MAX)?), 0).ok(),
            || head.is_fresh(roots, written),
        );
        let index = index?;
        let fits = head.digests.len() / DIGEST == index.len();
        fits.then_some((Self { head, index }, is_fresh))
    }

    /// Digests of the documents, in the order of the index.
    pub(super) fn digests(&self) -> impl Iterator<Item = Option<Digest>> {
        let (digests, _) = self.head.bytes[self.head.digests.clone()].as_chunks::<DIGEST>();
        let texts = digests.iter().map(|bytes| std::str::from_utf8(bytes));
        texts.map(|text| Digest::parse(text.ok()?))
    }

    /// Returns the directories of the skills of these names: the number of a root, and a path beneath it.
    pub(super) fn directories(&self, names: &[&str]) -> impl Iterator<Item = (usize, String)> {
        let traces = (0..self.head.n_traces()).map(|at| self.head.trace(at));
        let wanted = traces.filter(|trace| names.contains(&&*trace.skill));
        wanted.map(|trace| {
            let directory = trace.path.rsplit_once('/').map_or("", |(it, _)| it);
            (trace.root as usize, directory.to_owned())
        })
    }
}

/// Length of a trace without its texts: root, ends of path and skill, whether it has a stamp, and
/// the stamp.
const TRACE: usize = 4 * 4 + 8 + 2 * 16;
/// Length of a digest as it is displayed.
const DIGEST: usize = 71;

impl Head {
    fn n_traces(&self) -> usize {
        self.traces.len() / TRACE
    }

    fn record(&self, at: usize) -> &[u8; TRACE] {
        &self.bytes[self.traces.clone()].as_chunks().0[at]
    }

    fn trace(&self, at: usize) -> FileStamp<'_> {
        let mut rest = &self.record(at)[..];
        let [root, path_end, skill_end, has_stamp] =
            [(); 4].map(|()| u32::from_le_bytes(take(&mut rest)));
        let start = at.checked_sub(1).map_or(0, |before| {
            let mut rest = &self.record(before)[8..];
            u32::from_le_bytes(take(&mut rest))
        });
        let texts = &self.bytes[self.texts.clone()];
        let text = |from: u32, to: u32| {
            let text = texts.get(from as usize..to as usize).unwrap_or_default();
            Cow::Borrowed(std::str::from_utf8(text).unwrap_or_default())
        };
        let stamp = Stamp {
            inode: u64::from_le_bytes(take(&mut rest)),
            modified: i128::from_le_bytes(take(&mut rest)),
            changed: i128::from_le_bytes(take(&mut rest)),
        };
        FileStamp {
            root,
            path: text(start, path_end),
            skill: text(path_end, skill_end),
            stamp: (has_stamp != 0).then_some(stamp),
        }
    }

    fn is_fresh(&self, roots: &[Root], written: i128) -> bool {
        let is_same = |at: usize| {
            let trace = self.trace(at);
            let Some(root) = roots.get(trace.root as usize) else {
                return false;
            };
            let is_settled = trace
                .stamp
                .is_none_or(|stamp| stamp.changed < written - TICK);
            is_settled
                && root
                    .stamp(&trace.path)
                    .is_ok_and(|stamp| stamp == trace.stamp)
        };
        let traces = (0..self.n_traces()).into_par_iter();
        self.is_clean && traces.with_min_len(512).all(is_same)
    }
}

/// The bytes of a file.
pub(super) fn to_bytes(
    index: &Index,
    digests: &[Digest],
    traces: &[FileStamp<'_>],
    is_clean: bool,
) -> Vec<u8> {
    let mut head = Vec::new();
    head.push(u8::from(is_clean));
    put(traces.len() * TRACE, &mut head);
    let mut texts = Vec::new();
    for trace in traces {
        texts.extend_from_slice(trace.path.as_bytes());
        let path_end = texts.len();
        texts.extend_from_slice(trace.skill.as_bytes());
        let numbers = [path_end, texts.len()].map(offset);
        for number in [
            trace.root,
            numbers[0],
            numbers[1],
            u32::from(trace.stamp.is_some()),
        ] {
            head.extend_from_slice(&number.to_le_bytes());
        }
        let stamp = trace.stamp.unwrap_or(NO_STAMP);
        head.extend_from_slice(&stamp.inode.to_le_bytes());
        head.extend_from_slice(&stamp.modified.to_le_bytes());
        head.extend_from_slice(&stamp.changed.to_le_bytes());
    }
    put(texts.len(), &mut head);
    head.extend_from_slice(&texts);
    put(digests.len() * DIGEST, &mut head);
    for digest in digests {
        head.extend_from_slice(digest.to_string().as_bytes());
    }
    let mut res = MAGIC.to_vec();
    put(head.len(), &mut res);
    res.extend_from_slice(&checksum(&head).to_le_bytes());
    res.extend_from_slice(&head);
    res.extend_from_slice(&index.to_bytes());
    res
}

/// The stamp of a file that does not exist.
const NO_STAMP: Stamp = Stamp {
    inode: 0,
    modified: 0,
    changed: 0,
};

/// # Panics
/// Beyond 4 GiB, as the index does.
fn offset(len: usize) -> u32 {
    u32::try_from(len).expect("the texts of the traces have less than 4 GiB")
}

/// The head, up to where the index begins.
fn head(take: &mut impl FnMut(usize) -> Option<Vec<u8>>) -> Option<Head> {
    let start = take(MAGIC.len() + 16)?;
    let mut at = 0;
    let magic = section(&mut at, MAGIC.len(), &start)?;
    let length_of_head = length(&mut at, &start)?;
    let sum = section(&mut at, 8, &start)?;
    let bytes = take(length_of_head)?;
    let is_whole = start[magic] == *MAGIC && start[sum] == checksum(&bytes).to_le_bytes();
    if !is_whole {
        return None;
    }
    let is_clean = bytes.first()? == &1;
    let mut at = 1;
    let [traces, texts, digests] = [(); 3].map(|()| {
        let length = length(&mut at, &bytes)?;
        section(&mut at, length, &bytes)
    });
    let (traces, texts, digests) = (traces?, texts?, digests?);
    (at == length_of_head).then_some(Head {
        bytes,
        traces,
        texts,
        digests,
        is_clean,
    })
}

fn put(number: usize, acc: &mut Vec<u8>) {
    acc.extend_from_slice(&(number as u64).to_le_bytes());
}

fn length(at: &mut usize, all: &[u8]) -> Option<usize> {
    let number = section(at, 8, all)?;
    let number = u64::from_le_bytes(all[number].try_into().ok()?);
    usize::try_from(number).ok()
}

/// The next bytes, if there are so many.
fn section(at: &mut usize, length: usize, all: &[u8]) -> Option<Range<usize>> {
    let range = *at..at.checked_add(length)?;
    *at = range.end;
    (range.end <= all.len()).then_some(range)
}

/// The next bytes of a record, which are there by its type.
fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (number, after) = rest.split_first_chunk().unwrap_or((&[0; N], &[]));
    *rest = after;
    *number
}

#[cfg(test)]
mod tests {
    use skill_search::Document;

    use super::*;

    fn example() -> Vec<u8> {
        let document = Document {
            name: "tea".to_owned(),
            description: "Brews tea".to_owned(),
            ..Document::default()
        };
        let stamp = Stamp {
            inode: 7,
            modified: -1,
            changed: 1 << 80,
        };
        let traces = [Some(stamp), None].map(|stamp| FileStamp {
            root: 0,
            path: "tea/SKILL.md".into(),
            skill: "tea".into(),
            stamp,
        });
        to_bytes(
            &Index::build(&[document]),
            &[Digest::from_content(b"tea")],
            &traces,
            true,
        )
    }

    fn read(bytes: &[u8]) -> Option<CachedIndex> {
        let mut rest = bytes;
        let take = |n_bytes: usize| {
            let (next, after) = rest.split_at(n_bytes.min(rest.len()));
            rest = after;
            Some(next.to_vec())
        };
        CachedIndex::read(take, &[], 0).map(|(kept, _)| kept)
    }

    #[test]
    fn a_file_gives_back_what_was_kept() {
        let kept = read(&example()).unwrap();
        let traces: Vec<FileStamp<'_>> = (0..2).map(|at| kept.head.trace(at)).collect();
        let digests: Vec<Digest> = kept.digests().flatten().collect();
        let again = to_bytes(&kept.index, &digests, &traces, kept.head.is_clean);
        assert_eq!(again, example());
        let places: Vec<_> = kept.directories(&["tea"]).collect();
        assert_eq!(places, [(0, "tea".to_owned()), (0, "tea".to_owned())]);
    }

    #[test]
    fn every_damaged_byte_and_every_cut_counts_as_none() {
        let bytes = example();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x41;
            assert!(read(&damaged).is_none(), "byte {at}");
            assert!(read(&bytes[..at]).is_none(), "cut at {at}");
        }
    }
}
