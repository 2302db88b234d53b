//! A growing list of strings in one allocation.

/// Strings stored one after the other.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Strings {
    text: String,
    ends: Vec<u32>,
}

impl Strings {
    pub(super) fn into_parts(self) -> (String, Vec<u32>) {
        (self.text, self.ends)
    }

    pub(super) fn push(&mut self, string: &str) {
        self.text.push_str(string);
        self.ends.push(offset(self.text.len()));
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, at: usize) -> &str {
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        &self.text[start as usize..self.ends[at] as usize]
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|at| self.get(at))
    }
}

impl<'s> FromIterator<&'s str> for Strings {
    fn from_iter<I: IntoIterator<Item = &'s str>>(strings: I) -> Self {
        let mut res = Self::default();
        strings.into_iter().for_each(|string| res.push(string));
        res
    }
}

/// Converts a position in one of an index's sections.
///
/// # Panics
/// Beyond 4 GiB, which is more than the texts of a million skills.
pub(super) fn offset(len: usize) -> u32 {
    u32::try_from(len).expect("a section of an index has less than 4 GiB")
}
