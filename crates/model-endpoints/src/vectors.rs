//! Vectors of earlier runs, by the digest of their text.

use std::collections::BTreeMap;

use skill_loader::Digest;
use skill_loader::fs::{ReadError, Root};

use crate::embeddings::Embedder;
use crate::endpoint::NoAnswer;

/// The first bytes of a file: its kind and version.
const MAGIC: &[u8; 8] = b"skvecs01";
/// The maximum size of a file, in bytes.
const MAX_FILE: u64 = 4 << 30;
/// The length of a digest in the file, in bytes: a prefix of its hexadecimal digits.
const DIGEST: usize = 32;

/// The file of the vectors of one model.
#[derive(Debug)]
pub struct VectorFile {
    root: Root,
    dir: String,
    name: String,
}

impl VectorFile {
    /// Returns the file in `dir` beneath `root` for the vectors of `embedder`.
    pub fn from_cache(root: Root, dir: String, embedder: &dyn Embedder) -> Self {
        let digest = Digest::from_content(embedder.identity().as_bytes());
        let name = format!("embeddings-{}.bin", &digest.hex()[..DIGEST]);
        Self { root, dir, name }
    }

    /// Returns the vectors of earlier runs; none if the file does not exist or is damaged.
    pub fn read(&self) -> Vectors {
        let path = format!("{}/{}", self.dir, self.name);
        let bytes = self.root.read(&path, MAX_FILE).ok();
        let known = bytes.and_then(|bytes| parse(&bytes));
        Vectors {
            known: known.unwrap_or_default(),
            has_new: false,
        }
    }

    /// Writes the vectors if there are new ones.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, vectors: &Vectors) -> Result<(), ReadError> {
        if !vectors.has_new {
            return Ok(());
        }
        let mut bytes = MAGIC.to_vec();
        let length = vectors.known.values().next().map_or(0, Vec::len);
        bytes.extend(u32::try_from(length).unwrap_or(0).to_le_bytes());
        for (digest, vector) in &vectors.known {
            bytes.extend(digest.as_bytes());
            bytes.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
        }
        self.root.write_whole(&self.dir, &self.name, &bytes)
    }
}

/// The vectors of texts.
#[derive(Clone, Default, Debug)]
pub struct Vectors {
    /// By the prefix of the digest of the text.
    known: BTreeMap<String, Vec<f32>>,
    has_new: bool,
}

impl Vectors {
    /// Returns a vector for each text. Only unknown texts are asked for.
    ///
    /// # Errors
    ///
    /// The embedder has no vectors.
    pub fn of(
        &mut self,
        texts: &[&str],
        embedder: &dyn Embedder,
    ) -> Result<Vec<Vec<f32>>, NoAnswer> {
        let keys: Vec<String> = texts.iter().map(|text| key(text)).collect();
        let mut unknown: BTreeMap<&str, &str> = BTreeMap::new();
        for (key, text) in keys.iter().zip(texts) {
            if !self.known.contains_key(key) {
                unknown.insert(key, text);
            }
        }
        let asked: Vec<&str> = unknown.values().copied().collect();
        if !asked.is_empty() {
            let found = embedder.embed(&asked)?;
            let length = found.first().map_or(0, Vec::len);
            // A model that changed its vectors under its name makes the others worthless.
            if self.known.values().any(|vector| vector.len() != length) {
                self.known.clear();
                self.has_new = true;
                return self.of(texts, embedder);
            }
            let keys = unknown.into_keys().map(str::to_owned);
            self.known.extend(keys.zip(found));
            self.has_new = true;
        }
        let vectors = keys
            .iter()
            .map(|key| self.known.get(key).cloned().unwrap_or_default());
        Ok(vectors.collect())
    }
}

fn key(text: &str) -> String {
    Digest::from_content(text.as_bytes()).hex()[..DIGEST].to_owned()
}

fn parse(bytes: &[u8]) -> Option<BTreeMap<String, Vec<f32>>> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
    let size = DIGEST + 4 * length;
    if length == 0 || !rest.len().is_multiple_of(size) {
        return None;
    }
    let records = rest.chunks_exact(size).map(|record| {
        let (digest, numbers) = record.split_at(DIGEST);
        let (numbers, _) = numbers.as_chunks::<4>();
        let vector: Vec<f32> = numbers
            .iter()
            .map(|number| f32::from_le_bytes(*number))
            .collect();
        let is_sound = vector.iter().all(|number| number.is_finite());
        Some((String::from_utf8(digest.to_vec()).ok()?, vector)).filter(|_| is_sound)
    });
    records.collect()
}
