//! Reads the body of a request.

use data_encoding::HEXLOWER;
use http_body_util::BodyExt as _;
use hyper::body::Incoming;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The largest body that is kept, in bytes; of a longer one there is a digest.
const MAX_KEPT: usize = 16 << 20;
/// The largest body that is read, in bytes.
const MAX_READ: usize = 1 << 30;

/// A body that is not kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unread {
    /// The program ended it too early.
    BrokenOff,
    /// It is too long to be kept.
    TooLong {
        /// Its length.
        bytes: usize,
        /// Its SHA-256 digest in hex.
        digest: String,
    },
    /// It is too long to be read.
    Endless,
}

impl Unread {
    /// Returns the record in place of the body.
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::BrokenOff => json!({"unread": "broken off"}),
            Self::Endless => json!({"unread": "longer than 1 GiB"}),
            Self::TooLong { bytes, digest } => json!({"bytes": bytes, "sha256": digest}),
        }
    }
}

/// A body, and the headers that follow it.
#[derive(Default)]
pub(crate) struct Read {
    pub(crate) bytes: Vec<u8>,
    pub(crate) unread: Option<Unread>,
    pub(crate) trailers: Vec<(String, String)>,
}

/// Reads a body to its end.
pub(crate) async fn read(mut body: Incoming) -> Read {
    let mut res = Read::default();
    let (mut hasher, mut size) = (Sha256::new(), 0);
    while let Some(frame) = body.frame().await {
        let Ok(frame) = frame else {
            return not_whole(Unread::BrokenOff);
        };
        if let Some(bytes) = frame.data_ref() {
            size += bytes.len();
            hasher.update(bytes);
            if size > MAX_READ {
                return not_whole(Unread::Endless);
            }
            if size <= MAX_KEPT {
                res.bytes.extend_from_slice(bytes);
            } else {
                res.bytes = Vec::new();
            }
        } else if let Some(trailers) = frame.trailers_ref() {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let trailers = trailers.iter();
            res.trailers.extend(
                trailers.map(|(name, value)| (format!("trailer {name}"), text(value.as_bytes()))),
            );
        }
    }
    if size > MAX_KEPT {
        res.unread = Some(Unread::TooLong {
            bytes: size,
            digest: HEXLOWER.encode(&hasher.finalize()),
        });
    }
    res
}

fn not_whole(why: Unread) -> Read {
    Read {
        unread: Some(why),
        ..Read::default()
    }
}
