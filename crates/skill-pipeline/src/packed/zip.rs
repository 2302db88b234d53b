//! Reads zip archives that nobody vouches for: every size is bounded, and an archive that two programs
//! could read in two ways is refused.
//!
//! Format: <https://pkware.cachefly.net/webdocs/APPNOTE/APPNOTE-6.3.10.TXT>, 4.3

use std::collections::{BTreeMap, BTreeSet};

use miniz_oxide::inflate::decompress_to_vec_with_limit;
use skill_model::is_portable_name;
use unicode_normalization::UnicodeNormalization as _;

/// The maximum number of entries.
const MAX_ENTRIES: usize = 20_000;
/// The maximum length of a path, in bytes.
const MAX_PATH: usize = 1_024;
/// The maximum size of one file, in bytes.
const MAX_FILE: u64 = 64 << 20;
/// The maximum size of all files, in bytes.
const MAX_TOTAL: u64 = 256 << 20;
/// The place at the end in which the record of the directory is searched: a comment, or the signature of
/// a bundle.
const MAX_TAIL: usize = 1 << 20;

const END: &[u8] = b"PK\x05\x06";
const END_SIZE: usize = 22;
const ENTRY: &[u8] = b"PK\x01\x02";
const ENTRY_SIZE: usize = 46;
const LOCAL: &[u8] = b"PK\x03\x04";
const LOCAL_SIZE: usize = 30;

/// The file is encrypted.
const ENCRYPTED: u16 = 1;
const STORED: u16 = 0;
const DEFLATED: u16 = 8;
/// The systems whose attributes are those of Unix: Unix and macOS.
const UNIX: [u8; 2] = [3, 19];

/// A file of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Member {
    pub(super) path: String,
    pub(super) is_executable: bool,
    method: u16,
    crc: u32,
    size: u64,
    /// The place of its bytes in the archive.
    range: (usize, usize),
}

/// The files of an archive, by path, and the directories that were not read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Members {
    pub(super) files: Vec<Member>,
    pub(super) skipped: BTreeSet<String>,
}

fn number(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let bytes = bytes.get(at..at.checked_add(width)?)?;
    Some(
        bytes
            .iter()
            .rev()
            .fold(0, |res, byte| res << 8 | u64::from(*byte)),
    )
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    number(bytes, at, 2).and_then(|it| u16::try_from(it).ok())
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    number(bytes, at, 4).and_then(|it| usize::try_from(it).ok())
}

/// Returns the files of an archive. Nothing in a directory for which `skips` is true is read.
///
/// # Errors
///
/// The reason why the archive is refused, with the name of the entry.
pub(super) fn members(archive: &[u8], skips: &dyn Fn(&str) -> bool) -> Result<Members, String> {
    let broken = || "the archive is broken: its directory cannot be read".to_owned();
    let (mut at, count) = directory(archive).ok_or_else(broken)?;
    if count > MAX_ENTRIES {
        return Err(format!(
            "the archive has {count} entries, expected at most {MAX_ENTRIES}"
        ));
    }
    let mut res = Members::default();
    let mut total = 0_u64;
    for _ in 0..count {
        let (member, next) = entry(archive, at, skips, &mut res.skipped)?;
        at = next;
        let Some(member) = member else { continue };
        total = total.saturating_add(member.size);
        if member.size > MAX_FILE || total > MAX_TOTAL {
            return Err(format!(
                "`{}` makes the archive too large: a file may have {MAX_FILE} bytes and all of them {MAX_TOTAL}",
                shown(&member.path)
            ));
        }
        res.files.push(member);
    }
    check_names(&res.files)?;
    check_ranges(&res.files)?;
    res.files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(res)
}

/// Returns the place of the directory, and the number of its entries.
fn directory(archive: &[u8]) -> Option<(usize, usize)> {
    let tail = archive.len().saturating_sub(MAX_TAIL);
    let ends = (tail..=archive.len().checked_sub(END_SIZE)?).rev();
    let mut found = ends.filter(|at| archive[*at..].starts_with(END));
    found.find_map(|end| {
        let end_of = |at: usize| archive.get(at..end);
        let disks = [short(archive, end + 4)?, short(archive, end + 6)?];
        let counts = [short(archive, end + 8)?, short(archive, end + 10)?];
        let (size, start) = (long(archive, end + 12)?, long(archive, end + 16)?);
        let is_whole = disks == [0, 0] && counts[0] == counts[1] && counts[0] != u16::MAX;
        let fits = end_of(start)?.len() == size;
        (is_whole && fits).then_some((start, usize::from(counts[0])))
    })
}

/// Reads an entry of the directory; also returns the place of the next one.
fn entry(
    archive: &[u8],
    at: usize,
    skips: &dyn Fn(&str) -> bool,
    skipped: &mut BTreeSet<String>,
) -> Result<(Option<Member>, usize), String> {
    let broken = || "the archive is broken: an entry of its directory cannot be read".to_owned();
    let fields = || {
        let is_entry = archive.get(at..)?.starts_with(ENTRY);
        let lengths = [
            usize::from(short(archive, at + 28)?),
            usize::from(short(archive, at + 30)?),
            usize::from(short(archive, at + 32)?),
        ];
        let name = archive.get(at + ENTRY_SIZE..at + ENTRY_SIZE + lengths[0])?;
        let next = at + ENTRY_SIZE + lengths.iter().sum::<usize>();
        is_entry.then_some((name, next))
    };
    let (name, next) = fields().ok_or_else(broken)?;
    let path = std::str::from_utf8(name).map_err(|_| {
        let name = String::from_utf8_lossy(name);
        format!("the name of `{}` is not UTF-8", shown(&name))
    })?;
    let is_directory = path.ends_with('/');
    let components = checked(path.trim_end_matches('/'))?;
    let outer = if is_directory {
        components.len()
    } else {
        components.len() - 1
    };
    if let Some(at) = components[..outer].iter().position(|name| skips(name)) {
        skipped.insert(components[..=at].join("/"));
        return Ok((None, next));
    }
    if let Some(name) = components.iter().find(|name| !is_portable_name(name)) {
        return Err(format!(
            "`{}` has the name `{}`, which not every system can hold",
            shown(path),
            shown(name)
        ));
    }
    if is_directory {
        return Ok((None, next));
    }
    let member = member(archive, at, name, path)?;
    Ok((Some(member), next))
}

/// Returns the components of a path that stays inside.
fn checked(path: &str) -> Result<Vec<&str>, String> {
    let components: Vec<&str> = path.split('/').collect();
    let is_inside = |name: &&str| !matches!(*name, "" | "." | "..");
    let is_plain = !path.contains(['\\', ':', '\0']) && path.len() <= MAX_PATH;
    if is_plain && components.iter().all(is_inside) {
        return Ok(components);
    }
    Err(format!(
        "`{}` is not a path inside of the archive",
        shown(path)
    ))
}

fn member(archive: &[u8], at: usize, name: &[u8], path: &str) -> Result<Member, String> {
    let shown = shown(path);
    let broken = || format!("the archive is broken at `{shown}`");
    let fields = || {
        Some((
            archive.get(at + 5)?,
            short(archive, at + 8)?,
            short(archive, at + 10)?,
            u32::try_from(number(archive, at + 16, 4)?).ok()?,
            long(archive, at + 20)?,
            number(archive, at + 24, 4)?,
            number(archive, at + 38, 4)?,
            long(archive, at + 42)?,
        ))
    };
    let (system, flags, method, crc, packed, size, attributes, start) =
        fields().ok_or_else(broken)?;
    if flags & ENCRYPTED != 0 {
        return Err(format!("`{shown}` is encrypted"));
    }
    if ![STORED, DEFLATED].contains(&method) {
        return Err(format!(
            "`{shown}` is compressed by method {method}, expected 0 (stored) or 8 (deflated)"
        ));
    }
    let mode = if UNIX.contains(system) {
        attributes >> 16
    } else {
        0
    };
    if !matches!(mode & 0o170_000, 0 | 0o100_000) {
        return Err(format!(
            "`{shown}` is a link or a device, expected regular files only"
        ));
    }
    let bytes = || {
        let is_local = archive.get(start..)?.starts_with(LOCAL);
        let names = usize::from(short(archive, start + 26)?);
        let extra = usize::from(short(archive, start + 28)?);
        let own = archive.get(start + LOCAL_SIZE..start + LOCAL_SIZE + names)?;
        let from = start + LOCAL_SIZE + names + extra;
        let to = from.checked_add(packed)?;
        let is_same = is_local && own == name && to <= archive.len();
        is_same.then_some((from, to))
    };
    Ok(Member {
        path: path.to_owned(),
        is_executable: mode & 0o100 != 0,
        method,
        crc,
        size,
        range: bytes().ok_or_else(broken)?,
    })
}

/// Refuses names that some systems take for the same one, and a file that is a directory of others.
fn check_names(files: &[Member]) -> Result<(), String> {
    let folded = |path: &str| path.nfc().collect::<String>().to_lowercase();
    let mut seen: BTreeMap<String, &str> = BTreeMap::new();
    for file in files {
        if let Some(other) = seen.insert(folded(&file.path), &file.path) {
            return Err(format!(
                "`{}` and `{}` are the same name on some systems",
                shown(other),
                shown(&file.path)
            ));
        }
    }
    for file in files {
        let folded = folded(&file.path);
        let mut outer = folded.match_indices('/').map(|(at, _)| &folded[..at]);
        if let Some(other) = outer.find_map(|outer| seen.get(outer)) {
            return Err(format!(
                "`{}` is a file, and the directory of `{}`",
                shown(other),
                shown(&file.path)
            ));
        }
    }
    Ok(())
}

/// Refuses files that share bytes: so a small archive holds more than its size.
fn check_ranges(files: &[Member]) -> Result<(), String> {
    let mut ranges: Vec<(usize, usize, &str)> = files
        .iter()
        .map(|file| (file.range.0, file.range.1, file.path.as_str()))
        .collect();
    ranges.sort_unstable();
    let mut pairs = ranges.windows(2);
    match pairs.find(|pair| pair[0].1 > pair[1].0) {
        Some(pair) => Err(format!(
            "`{}` and `{}` share bytes of the archive",
            shown(pair[0].2),
            shown(pair[1].2)
        )),
        None => Ok(()),
    }
}

/// Returns the content of a file.
///
/// # Errors
///
/// It is not what the directory of the archive says.
pub(super) fn content(archive: &[u8], member: &Member) -> Result<Vec<u8>, String> {
    let differs = || {
        let path = shown(&member.path);
        format!("`{path}` is not what the directory of the archive says")
    };
    let packed = &archive[member.range.0..member.range.1];
    let size = usize::try_from(member.size).map_err(|_| differs())?;
    let bytes = match member.method {
        STORED => packed.to_vec(),
        _ => decompress_to_vec_with_limit(packed, size).map_err(|_| differs())?,
    };
    if bytes.len() != size || crc_32(&bytes) != member.crc {
        return Err(differs());
    }
    Ok(bytes)
}

/// The remainder that each byte adds to a CRC-32.
const CRC_OF_BYTES: [u32; 256] = {
    let mut res = [0; 256];
    let mut byte: u32 = 0;
    while byte < 256 {
        let mut crc = byte;
        let mut bit = 0;
        while bit < 8 {
            crc = (crc >> 1) ^ (0xEDB8_8320 & (crc & 1).wrapping_neg());
            bit += 1;
        }
        res[byte as usize] = crc;
        byte += 1;
    }
    res
};

/// Returns the CRC-32 of ISO 3309.
fn crc_32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc = (crc >> 8) ^ CRC_OF_BYTES[((crc ^ u32::from(*byte)) & 0xFF) as usize];
    }
    !crc
}

/// Returns a name for a message: an archive chose it.
fn shown(name: &str) -> String {
    name.chars()
        .take(200)
        .flat_map(char::escape_debug)
        .collect()
}
