//! Checks which requests are accepted: Host, Origin, Sec-Fetch-Site, token.
//!
//! A web page can make a browser send requests to a server on the same machine. It cannot choose
//! its Origin, and after DNS rebinding it cannot choose the Host. So both are checked, for every
//! path (<https://modelcontextprotocol.io/specification/2025-11-25/basic/transports>, security
//! warning). A request for an image or a script has no Origin, but browsers name the site of the
//! requesting page in Sec-Fetch-Site
//! (<https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header>).

use std::net::SocketAddr;

use hyper::header::{AUTHORIZATION, HOST, HeaderMap, HeaderValue, ORIGIN};
use hyper::http::uri::Authority;
use hyper::{Method, StatusCode, Uri};

use super::settings::HttpSettings;

/// The header that names the relation of the requesting page to this server. Only browsers send it,
/// and pages cannot set it.
const SEC_FETCH_SITE: &str = "sec-fetch-site";
/// The reason for a missing, repeated or malformed Host.
const ONE_HOST: &str = "expected exactly one Host header";
/// The reason for a missing or wrong token.
const TOKEN: &str = "expected the token of this server, in an Authorization: Bearer header or, for the page, as the password";
/// The loopback names of this machine.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "::1"];

/// The status and the reason with which a request is denied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Denial {
    pub(super) status: StatusCode,
    pub(super) why: &'static str,
}

const fn denial(status: StatusCode, why: &'static str) -> Denial {
    Denial { status, why }
}

/// Checks the head of a request from `peer` for the server at `address`.
pub(super) fn check(
    (method, uri): (&Method, &Uri),
    headers: &HeaderMap,
    [address, peer]: [SocketAddr; 2],
    settings: &HttpSettings,
) -> Result<(), Denial> {
    let host = host(uri, headers)?;
    if !knows_host(host.host(), address, settings) {
        return Err(denial(
            StatusCode::FORBIDDEN,
            "this Host is not one of the allowed hosts",
        ));
    }
    if !knows_origin(headers, &host, settings) {
        return Err(denial(
            StatusCode::FORBIDDEN,
            "this Origin is not one of the allowed origins",
        ));
    }
    if !knows_site(headers, &host, settings) {
        let why = "requests from pages of other sites are not allowed";
        return Err(denial(StatusCode::FORBIDDEN, why));
    }
    match &settings.token {
        Some(token) if !needs_none(method, uri.path(), peer) => {
            let of_page = || basic(headers).filter(|_| is_of_page(uri.path()));
            let token_sent = bearer(headers).map(str::to_owned).or_else(of_page);
            if token.matches(&token_sent.unwrap_or_default()) {
                Ok(())
            } else {
                Err(denial(StatusCode::UNAUTHORIZED, TOKEN))
            }
        }
        _ => Ok(()),
    }
}

/// Returns true if a request needs no server token. The plugins that this server runs do not have
/// the token; their results carry the secret of their call instead.
fn needs_none(method: &Method, path: &str, peer: SocketAddr) -> bool {
    let is_callback = method == Method::POST && path.starts_with("/plugin-callback/");
    path == "/healthz" || (is_callback && peer.ip().is_loopback())
}

/// Returns the host that a request is for: its only Host, which HTTP/1.1 requires. A request line
/// with a whole URL names the host as well; both must agree (RFC 9112 §3.2).
fn host(uri: &Uri, headers: &HeaderMap) -> Result<Authority, Denial> {
    let bad = |why| denial(StatusCode::BAD_REQUEST, why);
    let mut all = headers.get_all(HOST).iter();
    let (host, None) = (all.next(), all.next()) else {
        return Err(bad(ONE_HOST));
    };
    let host = host.map(|host| Authority::try_from(host.as_bytes()));
    let host = host.transpose().map_err(|_| bad(ONE_HOST))?;
    match (uri.authority(), host) {
        (Some(of_url), Some(host)) if *of_url != host => Err(bad(
            "expected the same host in the URL and in the Host header",
        )),
        (of_url, host) => host.or_else(|| of_url.cloned()).ok_or(bad(ONE_HOST)),
    }
}

fn knows_host(host: &str, address: SocketAddr, settings: &HttpSettings) -> bool {
    let bare = host
        .trim_start_matches('[')
        .trim_end_matches(']')
        .to_ascii_lowercase();
    let is_own = !address.ip().is_unspecified() && bare == address.ip().to_string();
    let mut allowed = settings.hosts.iter();
    is_own || LOOPBACK.contains(&&*bare) || allowed.any(|known| known.eq_ignore_ascii_case(&bare))
}

/// Returns true if there is no Origin, if it is the one of this server, or if it is in the list.
fn knows_origin(headers: &HeaderMap, host: &Authority, settings: &HttpSettings) -> bool {
    let mut all = headers.get_all(ORIGIN).iter();
    let Some(origin) = all.next() else {
        return true;
    };
    let Ok(origin) = origin.to_str() else {
        return false;
    };
    let is_own = origin
        .strip_prefix("http://")
        .is_some_and(|rest| rest == host.as_str());
    let mut allowed = settings.origins.iter();
    all.next().is_none() && (is_own || allowed.any(|known| known.eq_ignore_ascii_case(origin)))
}

/// Returns true if the request does not come from a page, or comes from a page of this server or of
/// a listed Origin. Unknown values of the header are refused.
fn knows_site(headers: &HeaderMap, host: &Authority, settings: &HttpSettings) -> bool {
    let is_own = |site: &HeaderValue| matches!(site.as_bytes(), b"same-origin" | b"none");
    let is_foreign = !headers.get_all(SEC_FETCH_SITE).iter().all(is_own);
    !is_foreign || (headers.contains_key(ORIGIN) && knows_origin(headers, host, settings))
}

/// Returns true if a request comes from a page of this server: a browser names its Origin, which
/// has the Host of the request. A reverse proxy may use TLS.
pub(super) fn is_of_own_page(headers: &HeaderMap) -> bool {
    let one = |name| {
        let mut all = headers.get_all(name).iter();
        let value = all.next()?.to_str().ok()?;
        all.next().is_none().then_some(value)
    };
    let (Some(origin), Some(host)) = (one(ORIGIN), one(HOST)) else {
        return false;
    };
    let origin = origin
        .strip_prefix("http://")
        .or_else(|| origin.strip_prefix("https://"));
    let mut sites = headers.get_all(SEC_FETCH_SITE).iter();
    origin == Some(host) && sites.all(|site| site.as_bytes() == b"same-origin")
}

/// Returns true for a path of the web page. A browser asks a person for the token as a password there,
/// and sends it with every request of the page. Clients of MCP send it themselves.
pub(super) fn is_of_page(path: &str) -> bool {
    path == "/" || path.starts_with("/web/") || path.starts_with("/api/")
}

/// Returns the password of an `Authorization: Basic` header (RFC 7617).
fn basic(headers: &HeaderMap) -> Option<String> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let decoded = data_encoding::BASE64.decode(encoded.trim().as_bytes());
    let text = String::from_utf8(decoded.ok()?).ok()?;
    let (_user, password) = text.split_once(':')?;
    Some(password.to_owned())
}

/// Returns the token of an `Authorization: Bearer` header.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Token;

    const SECRET: &str = "0123456789abcdef";

    /// Checks the status that a head with these lines gets.
    #[track_caller]
    fn check_head(path: &str, head: &[(&'static str, &str)], with_token: bool, expected: u16) {
        let mut headers = HeaderMap::new();
        for (name, value) in head {
            headers.append(*name, value.parse().unwrap());
        }
        let settings = HttpSettings {
            token: with_token.then(|| Token::new(SECRET).unwrap()),
            hosts: vec!["skills.example".to_owned()],
            origins: vec!["https://agent.example".to_owned()],
            ..HttpSettings::default()
        };
        let address = "127.0.0.2:80".parse().unwrap();
        let peer = "192.0.2.1:1".parse().unwrap();
        let target = (&Method::GET, &path.parse().unwrap());
        let res = check(target, &headers, [address, peer], &settings);
        let status = res.map_or_else(|denial| denial.status.as_u16(), |()| 200);
        assert_eq!(status, expected, "{path} {head:?}");
    }

    #[test]
    fn only_known_hosts_are_served() {
        for good in [
            "localhost",
            "localhost:8080",
            "127.0.0.1:1",
            "[::1]:1",
            "127.0.0.2",
            "SKILLS.example:443",
        ] {
            check_head("/mcp", &[("host", good)], false, 200);
        }
        for bad in [
            "evil.example",
            "localhost.evil.example",
            "0.0.0.0",
            "127.0.0.3",
            "169.254.169.254",
        ] {
            check_head("/mcp", &[("host", bad)], false, 403);
        }
        check_head("/mcp", &[], false, 400);
        check_head("/mcp", &[("host", "a b")], false, 400);
        check_head(
            "/mcp",
            &[("host", "localhost"), ("host", "evil.example")],
            false,
            400,
        );
    }

    /// A request line may have the whole URL (RFC 9112 §3.2.2).
    #[test]
    fn a_url_in_the_request_line_is_checked_like_the_host() {
        for (url, host, expected) in [
            ("http://localhost/mcp", Some("localhost"), 200),
            ("http://LOCALHOST:80/mcp", Some("localhost:80"), 200),
            ("http://localhost/mcp", None, 200),
            ("http://evil.example/mcp", Some("localhost"), 400),
            ("http://localhost/mcp", Some("evil.example"), 400),
            ("http://localhost:81/mcp", Some("localhost"), 400),
            ("http://me@localhost/mcp", Some("localhost"), 400),
            ("http://evil.example/mcp", Some("evil.example"), 403),
            ("http://evil.example/mcp", None, 403),
        ] {
            let head: Vec<_> = host.map(|host| ("host", host)).into_iter().collect();
            check_head(url, &head, false, expected);
        }
    }

    #[test]
    fn only_known_origins_are_served() {
        let with = |origin, expected| {
            check_head(
                "/healthz",
                &[("host", "localhost:80"), ("origin", origin)],
                false,
                expected,
            );
        };
        with("http://localhost:80", 200);
        with("https://agent.example", 200);
        for bad in [
            "null",
            "",
            "http://localhost",
            "http://localhost:81",
            "https://localhost:80",
            "https://agent.example.evil.example",
            "http://agent.example",
        ] {
            with(bad, 403);
        }
        let two = [
            ("host", "localhost:80"),
            ("origin", "http://localhost:80"),
            ("origin", "null"),
        ];
        check_head("/mcp", &two, false, 403);
    }

    /// A request for an image or a script of a foreign page has no Origin.
    #[test]
    fn pages_of_other_sites_are_refused_on_every_path() {
        let site = "sec-fetch-site";
        let origin = ("origin", "https://agent.example");
        for path in [
            "/placeholders/X",
            "/",
            "/healthz",
            "/metrics",
            "/api/skills",
            "/mcp",
        ] {
            for (headers, expected) in [
                (&[][..], 200),
                (&[(site, "same-origin")][..], 200),
                (&[(site, "none")][..], 200),
                (&[(site, "cross-site")][..], 403),
                (&[(site, "same-site")][..], 403),
                (&[(site, "Cross-Site")][..], 403),
                (&[(site, "")][..], 403),
                (&[(site, "none"), (site, "cross-site")][..], 403),
                (&[(site, "cross-site"), origin][..], 200),
                (
                    &[(site, "cross-site"), ("origin", "https://evil.example")][..],
                    403,
                ),
            ] {
                let head = [&[("host", "localhost:80")], headers].concat();
                check_head(path, &head, false, expected);
            }
        }
    }

    #[test]
    fn the_token_is_needed_where_there_is_one() {
        let with = |path, value, expected| {
            check_head(
                path,
                &[("host", "localhost"), ("authorization", value)],
                true,
                expected,
            );
        };
        with("/mcp", "Bearer 0123456789abcdef", 200);
        with("/mcp", "bearer  0123456789abcdef", 200);
        for bad in [
            "",
            "Bearer",
            "Bearer ",
            "Bearer 0123456789abcde",
            "Bearer 0123456789abcdeF",
            "Basic 0123456789abcdef",
            SECRET,
        ] {
            with("/mcp", bad, 401);
            with("/metrics", bad, 401);
            with("/healthz", bad, 200);
        }
        check_head("/mcp", &[("host", "localhost")], true, 401);
    }

    #[test]
    fn a_browser_sends_the_token_as_a_password() {
        let with = |path, value: &str, expected| {
            let value = format!("Basic {}", data_encoding::BASE64.encode(value.as_bytes()));
            let head = [("host", "localhost"), ("authorization", value.as_str())];
            check_head(path, &head, true, expected);
        };
        for path in ["/", "/web/app.js", "/api/catalog"] {
            with(path, ":0123456789abcdef", 200);
            with(path, "anybody:0123456789abcdef", 200);
            with(path, "0123456789abcdef", 401);
            with(path, "0123456789abcdef:", 401);
            with(path, ":0123456789abcdeF", 401);
            // Pages of other sites cannot use the password that the browser keeps.
            let value = data_encoding::BASE64.encode(b":0123456789abcdef");
            let value = format!("Basic {value}");
            let head = [("host", "localhost"), ("authorization", value.as_str())];
            let foreign = [&head[..], &[("sec-fetch-site", "cross-site")]].concat();
            check_head(path, &foreign, true, 403);
        }
        with("/mcp", ":0123456789abcdef", 401);
        with("/metrics", ":0123456789abcdef", 401);
    }

    #[test]
    fn only_the_own_page_starts_a_run() {
        let own = ("origin", "http://127.0.0.2");
        let host = ("host", "127.0.0.2");
        for (head, expected) in [
            (&[host, own][..], true),
            (&[host, own, ("sec-fetch-site", "same-origin")], true),
            (&[host, ("origin", "https://127.0.0.2")], true),
            (&[host], false),
            (&[own], false),
            (&[host, own, own], false),
            (&[host, own, ("sec-fetch-site", "cross-site")], false),
            (&[host, own, ("sec-fetch-site", "none")], false),
            (&[host, ("origin", "null")], false),
            (&[host, ("origin", "http://127.0.0.2:81")], false),
            (&[host, ("origin", "https://agent.example")], false),
        ] {
            let mut headers = HeaderMap::new();
            for (name, value) in head {
                headers.append(*name, value.parse().unwrap());
            }
            assert_eq!(is_of_own_page(&headers), expected, "{head:?}");
        }
    }
}
