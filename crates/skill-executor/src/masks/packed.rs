//! Secrets in gzip, where none can be masked.
//!
//! Source: RFC 1952.

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus, StreamResult};

use super::{Filter, Masks};

/// The most bytes that are unpacked.
pub(crate) const MAX_UNPACKED: usize = 256 << 20;
/// The longest header, in bytes: it may name a file and have a comment.
const MAX_HEADER: usize = 64 << 10;
/// The bytes that every gzip begins with; the third one says that it is deflated.
const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// The bytes after the content: its check sum and its size.
const TRAILER: usize = 8;
/// The number of bytes that are unpacked at once.
const PIECE: usize = 64 << 10;

/// Looks for secrets in bytes that come in pieces, if they are gzip.
pub(crate) struct Packed<'m> {
    filter: Filter<'m>,
    part: Part,
    n_unpacked: usize,
}

enum Part {
    Header(Vec<u8>),
    Content(Box<InflateState>),
    /// The number of bytes that are left.
    Trailer(usize),
    /// It is not gzip, or not any more.
    Other,
}

impl<'m> Packed<'m> {
    pub(crate) fn new(masks: &'m Masks) -> Self {
        Self {
            filter: masks.filter(),
            part: Part::Header(Vec::new()),
            n_unpacked: 0,
        }
    }

    /// Takes a piece. Returns true if the answer has to be refused: a secret is in it, or it is too long to
    /// be searched.
    pub(crate) fn push(&mut self, mut piece: &[u8]) -> bool {
        while !piece.is_empty() && !self.is_refused() {
            let n_taken = match &mut self.part {
                Part::Other => return false,
                Part::Header(header) => {
                    header.extend_from_slice(piece);
                    let before = header.len() - piece.len();
                    match header_end(header) {
                        Header::Ends(at) => {
                            self.part = Part::Content(InflateState::new_boxed(DataFormat::Raw));
                            at - before.min(at)
                        }
                        Header::GoesOn if header.len() <= MAX_HEADER => piece.len(),
                        _ => {
                            self.part = Part::Other;
                            piece.len()
                        }
                    }
                }
                Part::Trailer(left) => {
                    let n = piece.len().min(*left);
                    *left -= n;
                    if *left == 0 {
                        // Another member may follow.
                        self.part = Part::Header(Vec::new());
                    }
                    n
                }
                Part::Content(state) => {
                    let done = unpack(state, piece, (&mut self.filter, &mut self.n_unpacked));
                    let is_stuck = done.bytes_consumed == 0 && done.bytes_written == 0;
                    match done.status {
                        Ok(MZStatus::StreamEnd) => self.part = Part::Trailer(TRAILER),
                        Ok(_) | Err(MZError::Buf) if !is_stuck => {}
                        _ => self.part = Part::Other,
                    }
                    done.bytes_consumed
                }
            };
            piece = &piece[n_taken..];
        }
        self.is_refused()
    }

    /// Returns true if the answer has to be refused, at its end, also of one that was cut.
    pub(crate) fn finish(&mut self) -> bool {
        while !self.is_refused()
            && let Part::Content(state) = &mut self.part
        {
            let done = unpack(state, &[], (&mut self.filter, &mut self.n_unpacked));
            if done.bytes_written == 0 {
                break;
            }
        }
        self.filter.finish();
        self.is_refused()
    }

    fn is_refused(&self) -> bool {
        self.filter.n_masked() > 0 || self.n_unpacked > MAX_UNPACKED
    }
}

/// Unpacks some bytes, also what is left of those before, and searches and counts the result.
fn unpack(
    state: &mut InflateState,
    piece: &[u8],
    (filter, n_unpacked): (&mut Filter<'_>, &mut usize),
) -> StreamResult {
    let mut unpacked = vec![0; PIECE];
    let done = inflate(state, piece, &mut unpacked, MZFlush::None);
    *n_unpacked += done.bytes_written;
    filter.push(&unpacked[..done.bytes_written]);
    done
}

/// The reading of the bytes at the beginning.
enum Header {
    /// A header that ends here.
    Ends(usize),
    GoesOn,
    Other,
}

/// Returns where a header ends (RFC 1952 §2.3).
fn header_end(bytes: &[u8]) -> Header {
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    const CHECK: u8 = 2;
    let n = bytes.len().min(MAGIC.len());
    if bytes[..n] != MAGIC[..n] {
        return Header::Other;
    }
    let end = || {
        let flags = *bytes.get(3)?;
        let mut at = 10;
        if flags & EXTRA != 0 {
            let size = [*bytes.get(at)?, *bytes.get(at + 1)?];
            at += 2 + usize::from(u16::from_le_bytes(size));
        }
        for flag in [NAME, COMMENT] {
            if flags & flag != 0 {
                at += bytes.get(at..)?.iter().position(|it| *it == 0)? + 1;
            }
        }
        at += if flags & CHECK != 0 { 2 } else { 0 };
        (at <= bytes.len()).then_some(at)
    };
    end().map_or(Header::GoesOn, Header::Ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a text as gzip, with the name of a file in the header.
    fn gzip(text: &[u8], name: &[u8]) -> Vec<u8> {
        let mut res = MAGIC.to_vec();
        res.extend([8, 0, 0, 0, 0, 0, 3]);
        res.extend_from_slice(name);
        res.push(0);
        res.extend(miniz_oxide::deflate::compress_to_vec(text, 6));
        res.extend([0; TRAILER]);
        res
    }

    /// Compares whether bytes are refused, in pieces of any size.
    #[track_caller]
    fn check(bytes: &[u8], expected: bool) {
        let masks = Masks::new(["s3cret-key"].into_iter());
        for size in [1, 2, 7, bytes.len()] {
            let mut packed = Packed::new(&masks);
            let is_refused = bytes.chunks(size).any(|piece| packed.push(piece));
            assert_eq!(is_refused || packed.finish(), expected, "{size}");
        }
    }

    #[test]
    fn secrets_in_gzip_are_found() {
        let long = ["a".repeat(200_000), "s3cret-key".to_owned()].concat();
        check(&gzip(b"key=s3cret-key", b"a.txt"), true);
        check(&gzip(long.as_bytes(), b"a.txt"), true);
        check(
            &[gzip(b"one", b""), gzip(b"s3cret-key", b"")].concat(),
            true,
        );
        check(&gzip(b"key=s3cret", b"a.txt"), false);
        check(b"s3cret-key", false);
        check(b"\x1f\x8b\x08 is not gzip", false);
    }

    #[test]
    fn the_end_of_a_cut_answer_is_searched() {
        let text = [
            "a".repeat(300_000),
            "s3cret-key".to_owned(),
            "b".repeat(20_000),
        ]
        .concat();
        let whole = gzip(text.as_bytes(), b"");
        let start =
            whole.len() - miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6).len() - TRAILER;
        for end in start + 1..whole.len() {
            let unpacked = miniz_oxide::inflate::decompress_to_vec(&whole[start..end]);
            let unpacked = unpacked.unwrap_or_else(|error| error.output);
            let has_secret = unpacked.windows(10).any(|it| it == b"s3cret-key");
            check(&whole[..end], has_secret);
        }
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let zeros = miniz_oxide::deflate::compress_to_vec(&vec![0; 1 << 20], 6);
        let masks = Masks::new(["s3cret-key"].into_iter());
        let mut packed = Packed::new(&masks);
        packed.n_unpacked = MAX_UNPACKED - 1;
        let header = gzip(b"", b"");
        assert!(!packed.push(&header[..11]));
        assert!(packed.push(&zeros));
    }
}
