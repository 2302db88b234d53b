//! Secrets in texts and in answers that are written to a file as they come: the one place that finds the
//! forms in which a program or a service may repeat a secret.
//!
//! - [`skill_model::secret_forms`] derives the values: as it is, in capitals, in hex, in base64 and others;
//! - `escapes`: each character of a form in any escape, across the ends of lines, and in UTF-16;
//! - `packed`: secrets in gzip.

mod escapes;
mod packed;

use std::fmt;
use std::sync::Arc;

pub(crate) use packed::{MAX_UNPACKED, Packed};

use escapes::{Width, firsts, length};

/// The text in place of a secret.
const MASK: &str = "***";

/// A form of a secret, and the text in its place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Form {
    bytes: Vec<u8>,
    mark: String,
}

/// The forms of the secrets of a call.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Masks {
    /// The longest first: one may contain another.
    forms: Arc<[Form]>,
    /// The positions of those that begin with each byte.
    by_first: Arc<[Vec<usize>]>,
    begins: Begins,
}

/// The bytes that forms begin with.
#[derive(Clone, PartialEq, Eq)]
struct Begins {
    /// Every form begins with a character of ASCII.
    is_ascii: bool,
    /// The bytes that a form may begin with, as it is or escaped.
    may_begin: Arc<[bool; 256]>,
}

impl Default for Begins {
    fn default() -> Self {
        Self::of(&[])
    }
}

impl Begins {
    fn of(by_first: &[Vec<usize>]) -> Self {
        let mut may_begin = [false; 256];
        for (known, forms) in may_begin.iter_mut().zip(by_first) {
            *known = !forms.is_empty();
        }
        let is_ascii = may_begin[128..].iter().all(|known| !known);
        for byte in escapes::BEGINS {
            may_begin[usize::from(byte)] = true;
        }
        Self {
            is_ascii,
            may_begin: Arc::new(may_begin),
        }
    }
}

/// Without the secrets.
impl fmt::Debug for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Masks")
            .field("n_forms", &self.forms.len())
            .finish_non_exhaustive()
    }
}

impl Masks {
    /// Takes the forms of secrets.
    pub(crate) fn new<'t>(forms: impl Iterator<Item = &'t str>) -> Self {
        Self::marked(forms.map(|form| (form, MASK.to_owned())))
    }

    /// Takes the forms of secrets, each with the text in its place. Of equal forms, the first counts.
    pub(crate) fn marked<'t>(forms: impl Iterator<Item = (&'t str, String)>) -> Self {
        let forms = forms.filter(|(form, _)| !form.is_empty());
        let mut forms: Vec<Form> = forms
            .map(|(form, mark)| Form {
                bytes: form.as_bytes().to_vec(),
                mark,
            })
            .collect();
        forms.sort_by(|a, b| {
            let size = b.bytes.len().cmp(&a.bytes.len());
            size.then_with(|| a.bytes.cmp(&b.bytes))
        });
        forms.dedup_by(|a, b| a.bytes == b.bytes);
        let mut by_first: Vec<Vec<usize>> = vec![Vec::new(); 256];
        for (at, form) in forms.iter().enumerate() {
            by_first[usize::from(form.bytes[0])].push(at);
        }
        Self {
            forms: forms.into(),
            begins: Begins::of(&by_first),
            by_first: by_first.into(),
        }
    }

    /// Returns a filter for the pieces of one answer.
    pub(crate) fn filter(&self) -> Filter<'_> {
        let longest = self.forms.first().map_or(0, |it| it.bytes.len());
        Filter {
            masks: self,
            longest: escapes::longest(longest),
            tail: Vec::new(),
            n_masked: 0,
        }
    }

    /// Returns bytes without the secrets.
    pub(crate) fn masked(&self, bytes: &[u8]) -> Vec<u8> {
        let mut filter = self.filter();
        let mut res = filter.push(bytes);
        res.extend(filter.finish());
        res
    }

    /// Returns a text without the secrets.
    pub(crate) fn masked_text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.masked(text.as_bytes())).into_owned()
    }

    /// Returns the text in place of a value that is a secret as a whole.
    pub(crate) fn mark_of(&self, value: &str) -> Option<&str> {
        let mut forms = self.forms.iter();
        let form = forms.find(|form| form.bytes == value.as_bytes());
        form.map(|form| form.mark.as_str())
    }
}

/// Masks secrets in bytes that come in pieces, also one that two pieces share.
pub(crate) struct Filter<'m> {
    masks: &'m Masks,
    /// The most bytes that a form takes.
    longest: usize,
    /// The end of the last piece, in which a secret may begin.
    tail: Vec<u8>,
    n_masked: usize,
}

impl<'m> Filter<'m> {
    /// Takes a piece, and returns what can be written.
    pub(crate) fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        if self.longest == 0 {
            return piece.to_vec();
        }
        let mut data = std::mem::take(&mut self.tail);
        data.extend_from_slice(piece);
        // Where a secret of any length would still be whole.
        let end = (data.len() + 1).saturating_sub(self.longest);
        let (res, at) = self.replaced(&data, end);
        self.tail = data.split_off(at);
        res
    }

    /// Returns the rest.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        let data = std::mem::take(&mut self.tail);
        self.replaced(&data, data.len()).0
    }

    /// Returns the number of secrets so far.
    pub(crate) fn n_masked(&self) -> usize {
        self.n_masked
    }

    /// Returns the secret at the beginning of some bytes, and the number of bytes that it takes.
    fn form_at(&self, data: &[u8]) -> Option<(&'m Form, usize)> {
        let Begins {
            is_ascii,
            may_begin,
        } = &self.masks.begins;
        let is_usual = *is_ascii && data.get(1) != Some(&0);
        if is_usual && !may_begin[usize::from(*data.first()?)] {
            return None;
        }
        let is_possible = |width: &Width| width.is_ascii(data) || !is_ascii;
        Width::ALL
            .into_iter()
            .filter(is_possible)
            .find_map(|width| {
                firsts(data, width).into_iter().flatten().find_map(|byte| {
                    let mut forms = self.masks.by_first[usize::from(byte)].iter();
                    forms.find_map(|at| {
                        let form = &self.masks.forms[*at];
                        Some((form, length(&form.bytes, data, width)?))
                    })
                })
            })
    }

    /// Returns the bytes before `end` without secrets that begin there, and the place after the last one.
    fn replaced(&mut self, data: &[u8], end: usize) -> (Vec<u8>, usize) {
        let mut res = Vec::with_capacity(data.len());
        let (mut at, mut from) = (0, 0);
        while at < end {
            match self.form_at(&data[at..]) {
                Some((form, length)) => {
                    res.extend_from_slice(&data[from..at]);
                    res.extend_from_slice(form.mark.as_bytes());
                    self.n_masked += 1;
                    at += length;
                    from = at;
                }
                None => at += 1,
            }
        }
        res.extend_from_slice(&data[from..at]);
        (res, at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_wherever_pieces_end() {
        let masks = Masks::new(["s3cret", "s3cret-and-more", "key1"].into_iter());
        let text = b"a s3cret, s3cret-and-more, key1key1 and s3cre";
        let expected = b"a ***, ***, ****** and s3cre";
        for size in 1..text.len() {
            let mut filter = masks.filter();
            let mut res: Vec<u8> = Vec::new();
            for piece in text.chunks(size) {
                res.extend(filter.push(piece));
            }
            res.extend(filter.finish());
            assert_eq!(res, expected, "{size}");
        }
        assert_eq!(masks.masked(text), expected);
        assert_eq!(Masks::default().masked(text), text);
        assert_eq!(format!("{masks:?}"), "Masks { n_forms: 3, .. }");
    }
}
