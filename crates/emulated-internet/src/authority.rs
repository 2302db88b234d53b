//! The certificates of a run: an authority, and a certificate for each host that is asked for.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use tokio_rustls::rustls::crypto::ring::{default_provider, sign};
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use tokio_rustls::rustls::server::{ClientHello, ResolvesServerCert};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{self, ServerConfig};

/// The most certificates that are made: the programs choose the names.
const MAX_CERTIFICATES: usize = 4096;

/// An authority that exists as long as its value. It is public because programs choose the names of its
/// certificates: a fuzzer does, too.
pub struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: String,
    /// One key for all hosts: nothing here is secret.
    key: KeyPair,
    made: Mutex<BTreeMap<String, Arc<CertifiedKey>>>,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Authority")
    }
}

impl Authority {
    /// Makes an authority with keys of its own.
    ///
    /// # Errors
    ///
    /// There are no random numbers.
    pub fn new() -> Result<Self, rcgen::Error> {
        let mut params = params(Vec::new())?;
        let name = DnType::CommonName;
        params
            .distinguished_name
            .push(name, "Emulated internet of one run");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let key = KeyPair::generate()?;
        let certificate = params.self_signed(&key)?.pem();
        Ok(Self {
            issuer: Issuer::new(params, key),
            certificate,
            key: KeyPair::generate()?,
            made: Mutex::default(),
        })
    }

    /// Returns the certificate of the authority in PEM.
    pub fn certificate(&self) -> &str {
        &self.certificate
    }

    /// Returns the certificate for a host in DER; `None` for a text that no certificate can name, and after
    /// thousands of hosts.
    pub fn certificate_of(&self, host: &str) -> Option<Vec<u8>> {
        let certified = self.of_host(host)?;
        Some(certified.cert.first()?.to_vec())
    }

    /// Returns the certificate for a host, a name or an address.
    fn of_host(&self, host: &str) -> Option<Arc<CertifiedKey>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = made.get(host) {
            return Some(Arc::clone(known));
        }
        if made.len() >= MAX_CERTIFICATES {
            return None;
        }
        let mut params = params(vec![host.to_owned()]).ok()?;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        let certificate = params.signed_by(&self.key, &self.issuer).ok()?;
        let der = PrivateKeyDer::try_from(self.key.serialize_der()).ok()?;
        let key = sign::any_supported_type(&der).ok()?;
        let certified = Arc::new(CertifiedKey::new(vec![certificate.der().clone()], key));
        made.insert(host.to_owned(), Arc::clone(&certified));
        Some(certified)
    }
}

/// Returns the parameters of a certificate that is valid whatever a fixed clock says.
fn params(hosts: Vec<String>) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new(hosts)?;
    params.not_before = date_time_ymd(1979, 1, 1);
    params.not_after = date_time_ymd(2101, 1, 1);
    params.distinguished_name = DistinguishedName::new();
    Ok(params)
}

/// Returns the settings of TLS for a connection to `host`: a client that names another host (SNI, RFC 6066)
/// gets the certificate of that one.
pub(crate) fn settings(
    authority: &Arc<Authority>,
    host: &str,
) -> Result<Arc<ServerConfig>, rustls::Error> {
    let config = ServerConfig::builder_with_provider(Arc::new(default_provider()));
    let certificates = OfHost {
        authority: Arc::clone(authority),
        host: host.to_owned(),
    };
    let mut config = config
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(certificates));
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

/// The certificates for a connection.
struct OfHost {
    authority: Arc<Authority>,
    /// The host of the connection.
    host: String,
}

impl std::fmt::Debug for OfHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OfHost").field(&self.host).finish()
    }
}

impl ResolvesServerCert for OfHost {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        // A client that connects to an address names none.
        let named = hello
            .server_name()
            .filter(|name| name.parse::<IpAddr>().is_err());
        self.authority.of_host(named.unwrap_or(&self.host))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio_rustls::rustls::RootCertStore;
    use tokio_rustls::rustls::client::WebPkiServerVerifier;
    use tokio_rustls::rustls::client::danger::ServerCertVerifier as _;
    use tokio_rustls::rustls::pki_types::pem::PemObject as _;
    use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};

    use super::*;

    #[test]
    fn each_host_has_one_certificate() {
        let authority = Authority::new().unwrap();
        assert!(
            authority
                .certificate()
                .starts_with("-----BEGIN CERTIFICATE")
        );
        let first = authority.of_host("a.example").unwrap();
        let again = authority.of_host("a.example").unwrap();
        assert!(Arc::ptr_eq(&first, &again));
        let other = authority.of_host("b.example").unwrap();
        assert_ne!(first.cert, other.cert);
    }

    /// Checks whether a client that trusts the authority accepts a certificate for `asked` as one of `host` at a
    /// time, in years since 1970.
    #[track_caller]
    fn check(asked: &str, host: &str, year: u64, expected: bool) {
        let authority = Authority::new().unwrap();
        let certificate = authority.of_host(asked).unwrap().cert[0].clone();
        let mut roots = RootCertStore::empty();
        let root = CertificateDer::from_pem_slice(authority.certificate().as_bytes()).unwrap();
        roots.add(root).unwrap();
        let provider = Arc::new(default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider);
        let verifier = verifier.build().unwrap();
        let now = UnixTime::since_unix_epoch(Duration::from_secs(year * 31_557_600));
        let name = ServerName::try_from(host.to_owned()).unwrap();
        let found = verifier.verify_server_cert(&certificate, &[], &name, &[], now);
        assert_eq!(found.is_ok(), expected, "{asked} as {host}: {found:?}");
    }

    #[test]
    fn clients_accept_the_certificates() {
        for host in [
            "a.example",
            "A.Example",
            "deep.er.a.example",
            "with_underscore.example",
            "xn--bcher-kva.example",
            "localhost",
            "192.0.2.7",
            "2001:db8::7",
        ] {
            check(host, host, 55, true);
        }
        // A clock that is fixed to another time.
        check("a.example", "a.example", 10, true);
        check("a.example", "a.example", 129, true);
        check("a.example", "a.example", 8, false);
        check("a.example", "b.example", 55, false);
        check("192.0.2.7", "192.0.2.8", 55, false);
    }

    #[test]
    fn a_name_that_is_none_has_no_certificate() {
        let authority = Authority::new().unwrap();
        assert!(authority.of_host("ü.example").is_none());
        assert!(
            authority
                .certificate_of("a\u{0}b")
                .is_none_or(|it| it[0] == 0x30)
        );
    }
}
