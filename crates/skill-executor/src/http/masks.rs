//! Secrets in answers that are written to a file as they come.

use std::fmt;
use std::sync::Arc;

/// The text in place of a secret.
const MASK: &[u8] = b"***";

/// The forms of the secrets of a call.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Masks {
    /// The longest first: one may contain another.
    forms: Arc<[Vec<u8>]>,
}

/// Without the secrets.
impl fmt::Debug for Masks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Masks")
            .field("n_forms", &self.forms.len())
            .finish()
    }
}

impl Masks {
    /// Takes the forms of secrets.
    pub(crate) fn new<'t>(forms: impl Iterator<Item = &'t str>) -> Self {
        let forms = forms.filter(|form| !form.is_empty());
        let mut forms: Vec<Vec<u8>> = forms.map(|form| form.as_bytes().to_vec()).collect();
        forms.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        forms.dedup();
        Self {
            forms: forms.into(),
        }
    }

    /// Returns a filter for the pieces of one answer.
    pub(super) fn filter(&self) -> Filter<'_> {
        let mut starts = [false; 256];
        for form in self.forms.iter() {
            starts[usize::from(form[0])] = true;
        }
        Filter {
            forms: &self.forms,
            starts,
            tail: Vec::new(),
        }
    }

    /// Returns bytes without the secrets.
    pub(super) fn masked(&self, bytes: &[u8]) -> Vec<u8> {
        let mut filter = self.filter();
        let mut res = filter.push(bytes);
        res.extend(filter.finish());
        res
    }
}

/// Masks secrets in bytes that come in pieces, also one that two pieces share.
pub(super) struct Filter<'m> {
    forms: &'m [Vec<u8>],
    starts: [bool; 256],
    /// The end of the last piece, in which a secret may begin.
    tail: Vec<u8>,
}

impl Filter<'_> {
    /// Takes a piece, and returns what can be written.
    pub(super) fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        let longest = self.forms.first().map_or(0, Vec::len);
        if longest == 0 {
            return piece.to_vec();
        }
        let mut data = std::mem::take(&mut self.tail);
        data.extend_from_slice(piece);
        // Where a secret of any length would still be whole.
        let end = (data.len() + 1).saturating_sub(longest);
        let (res, at) = self.replaced(&data, end);
        self.tail = data.split_off(at);
        res
    }

    /// Returns the rest.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        let data = std::mem::take(&mut self.tail);
        self.replaced(&data, data.len()).0
    }

    /// Returns the secret at the beginning of some bytes.
    fn form_at(&self, data: &[u8]) -> Option<&Vec<u8>> {
        let may_begin = self.starts[usize::from(*data.first()?)];
        let mut forms = self.forms.iter().filter(|_| may_begin);
        forms.find(|form| data.starts_with(form))
    }

    /// Returns the bytes before `end` without secrets that begin there, and the place after the last one.
    fn replaced(&self, data: &[u8], end: usize) -> (Vec<u8>, usize) {
        let mut res = Vec::with_capacity(data.len());
        let (mut at, mut from) = (0, 0);
        while at < end {
            match self.form_at(&data[at..]) {
                Some(form) => {
                    res.extend_from_slice(&data[from..at]);
                    res.extend_from_slice(MASK);
                    at += form.len();
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
        assert_eq!(format!("{masks:?}"), "Masks { n_forms: 3 }");
    }
}
