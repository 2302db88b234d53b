//! Changes documents of an index without reading the others again.

use super::analyse::{Batch, DocumentTerms, Hit, analyse};
use super::assemble::assemble;
use super::mention_kind::MentionKind;
use super::{Index, varint};
use crate::Document;

/// The difference between two sets of documents.
#[derive(Clone, Copy, Default, Debug)]
pub struct Change<'c> {
    /// The documents that are new or different.
    pub put: &'c [Document],
    /// The names of the documents that were removed.
    pub removed: &'c [&'c str],
}

impl Index {
    /// Returns the index of the changed documents, equal to the result of [`Index::build`] for all
    /// of them. Only the texts of [`Change::put`] are read.
    ///
    /// ```
    /// use skill_search::{Change, Document, Index};
    ///
    /// let document = |name: &str| Document { name: name.to_owned(), ..Document::default() };
    /// let index = Index::build(&[document("tea"), document("coffee")]);
    /// let changed = index.update(&Change { put: &[document("milk")], removed: &["tea"] });
    /// assert!(changed.names().eq(["coffee", "milk"]));
    /// ```
    #[must_use]
    pub fn update(&self, change: &Change<'_>) -> Self {
        let mut gone: Vec<&str> = change
            .put
            .iter()
            .map(|document| &document.name[..])
            .collect();
        gone.extend(change.removed);
        gone.sort_unstable();
        let mut batches = analyse(change.put);
        batches.push(self.batch(|name| gone.binary_search(&name).is_err()));
        let mut res = assemble(batches);
        res.set_model(self.model.clone());
        res
    }

    /// Returns the documents that stay, with the terms from when they were read.
    fn batch(&self, is_kept: impl Fn(&str) -> bool) -> Batch {
        let kept: Vec<bool> = self.names.iter().map(is_kept).collect();
        let mut documents: Vec<DocumentTerms> =
            (0..self.len()).map(|at| self.analysed(at)).collect();
        for term in 0..self.vocabulary.len() {
            let number = super::strings::offset(term);
            for (document, hit) in self.postings(term) {
                if kept.get(document as usize) == Some(&true) {
                    documents[document as usize].hits.push((number, hit));
                }
            }
        }
        for (key, owner) in self.keys.iter().zip(self.key_owners.iter()) {
            let (document, kind) = MentionKind::unpack(owner);
            if let Some(document) = documents.get_mut(document as usize) {
                document.keys.push((key.to_owned(), kind));
            }
        }
        let documents = documents.into_iter().zip(kept);
        Batch {
            vocabulary: self.vocabulary.iter().collect(),
            documents: documents
                .filter_map(|(document, is_kept)| is_kept.then_some(document))
                .collect(),
        }
    }

    fn analysed(&self, at: usize) -> DocumentTerms {
        let mut head = self.heads.get(at);
        DocumentTerms {
            name: self.names.get(at).to_owned(),
            record: self.records.get(at).to_vec(),
            keys: Vec::new(),
            lengths: self.lengths[at],
            priority: self.priorities[at],
            hits: Vec::<(u32, Hit)>::new(),
            head: std::iter::from_fn(|| varint::take(&mut head)).collect(),
        }
    }
}
