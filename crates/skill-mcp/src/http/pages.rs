//! Static files: the page for people. It is embedded, so nothing is read at run time, and it asks
//! nobody but this server.

use hyper::header::{CONTENT_SECURITY_POLICY, HeaderValue};

use super::routes::Answer;

/// A file that is part of the program.
pub(super) struct Page {
    /// The path that it is asked for by.
    pub(super) path: &'static str,
    pub(super) media: &'static str,
    pub(super) bytes: &'static [u8],
}

/// All of them.
const PAGES: [Page; 3] = [
    Page {
        path: "/",
        media: "text/html; charset=utf-8",
        bytes: include_bytes!("../../web/index.html"),
    },
    Page {
        path: "/web/app.css",
        media: "text/css; charset=utf-8",
        bytes: include_bytes!("../../web/app.css"),
    },
    Page {
        path: "/web/app.js",
        media: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../web/app.js"),
    },
];

/// Scripts, styles and answers come from here; a description that holds markup stays text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The file at a path.
pub(super) fn at(path: &str) -> Option<&'static Page> {
    const { &PAGES }.iter().find(|page| page.path == path)
}

/// An answer that a browser shows, with what it may reach.
pub(super) fn guarded(mut answer: Answer) -> Answer {
    let policy = HeaderValue::from_static(POLICY);
    answer.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    answer
}
