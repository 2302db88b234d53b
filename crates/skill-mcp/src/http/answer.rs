//! Answers over HTTP.

use std::convert::Infallible;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER};
use hyper::{Response, StatusCode};
use skill_language::Language;

const TEXT: &str = "text/plain; charset=utf-8";

/// A response with any kind of body.
pub(super) type Answer = Response<BoxBody<Bytes, Infallible>>;

/// Answers a client that has reached a limit.
pub(super) fn too_many() -> Answer {
    wait(
        StatusCode::TOO_MANY_REQUESTS,
        "too many requests; wait a moment\n",
    )
}

/// Answers a request that may be repeated after a second.
pub(super) fn wait(status: StatusCode, why: &'static str) -> Answer {
    let mut res = text(status, why);
    res.headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from_static("1"));
    res
}

/// The text of an answer, for its translation.
#[derive(Clone, Copy)]
struct Text(&'static str);

/// Answers with a plain text.
pub(super) fn text(status: StatusCode, text: &'static str) -> Answer {
    let mut res = plain(status, TEXT, Bytes::from_static(text.as_bytes()));
    res.extensions_mut().insert(Text(text));
    res
}

/// Returns an answer in a language if it is one of [`text`]; others have their language already.
pub(super) fn in_language(mut answer: Answer, language: Language) -> Answer {
    if let Some(Text(text)) = answer.extensions().get() {
        let text = text.trim_end();
        let said = format!("{}\n", language.say(text));
        *answer.body_mut() = Full::new(said.into()).boxed();
    }
    answer
}

/// Answers with a body of a media type.
pub(super) fn plain(status: StatusCode, media: &'static str, body: Bytes) -> Answer {
    let mut res = Response::new(Full::new(body).boxed());
    *res.status_mut() = status;
    let headers = res.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
    headers.insert(
        "x-content-type-options",
        HeaderValue::from_static("nosniff"),
    );
    res
}
