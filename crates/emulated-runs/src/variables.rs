//! The variables by which programs find and trust the emulated internet.

use std::collections::BTreeMap;

/// The name of the file with the certificate of the internet's authority.
pub const CERTIFICATE: &str = "authority.pem";

/// Variables that name the file with trusted certificates: for Node.js; OpenSSL, and so Python's `ssl`, `httpx`
/// and `aiohttp`; `requests`; curl; Git; the AWS tools; Deno; pip; `httplib2`; gRPC.
const TRUST: [&str; 10] = [
    "NODE_EXTRA_CA_CERTS",
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "AWS_CA_BUNDLE",
    "DENO_CERT",
    "PIP_CERT",
    "HTTPLIB2_CA_CERTS",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH",
];
/// Variables that name a proxy: connections to any host are answered without one.
const PROXIES: [&str; 8] = [
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "all_proxy",
    "no_proxy",
];

/// Returns the variables for programs that use the emulated internet. `certificate` is the path of the file.
pub fn variables(certificate: &str) -> BTreeMap<String, String> {
    let trust = TRUST.map(|name| (name.to_owned(), certificate.to_owned()));
    let proxies = PROXIES.map(|name| (name.to_owned(), String::new()));
    trust.into_iter().chain(proxies).collect()
}
