//! The answer to a client that ends its session.
//!
//! The specification names no status for success, and 404 for a session that has ended
//! (<https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#session-management>). The SDK
//! answers both with 202, which means that the work is still to be done, and about which the client of the
//! Python SDK warns: it takes 200, 204 and 405.

use hyper::StatusCode;
use hyper::body::Bytes;

use super::answer::{Answer, plain, text};

/// Corrects the answer of the SDK to a DELETE; `is_known` says whether there was such a session.
pub(super) fn corrected(answer: Answer, is_known: bool) -> Answer {
    match (answer.status(), is_known) {
        (StatusCode::ACCEPTED, true) => {
            let mut res = plain(StatusCode::NO_CONTENT, "text/plain", Bytes::new());
            res.headers_mut().remove(hyper::header::CONTENT_TYPE);
            res
        }
        (StatusCode::ACCEPTED, false) => text(
            StatusCode::NOT_FOUND,
            "the session has ended, or there was none; begin with initialize\n",
        ),
        _ => answer,
    }
}
