//! The static files of the web page. They are embedded in the program, so nothing is read at run
//! time, and the page contacts only this server.

use hyper::header::{CONTENT_SECURITY_POLICY, HeaderValue};

use super::answer::Answer;

/// A file that is part of the program.
pub(super) struct Page {
    /// The path of its URL.
    pub(super) path: &'static str,
    pub(super) media: &'static str,
    pub(super) bytes: &'static [u8],
}

/// All files of the page.
const PAGES: [Page; 5] = [
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
    Page {
        path: "/web/markdown.js",
        media: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../web/markdown.js"),
    },
    Page {
        path: "/web/run.js",
        media: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../../web/run.js"),
    },
];

/// Scripts, styles and answers come only from this server. Markup in a description stays text.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Returns the file at a path.
pub(super) fn at(path: &str) -> Option<&'static Page> {
    const { &PAGES }.iter().find(|page| page.path == path)
}

/// Adds the content security policy to an answer that a browser shows.
pub(super) fn with_policy(mut answer: Answer) -> Answer {
    let policy = HeaderValue::from_static(POLICY);
    answer.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    answer
}
