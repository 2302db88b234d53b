//! Authentication of clients and of the server: TLS, certificates, credentials.

use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer};
use serde_json::{Value, json};
use skill_nats::call::Caller;
use skill_nats::testing::TestServer;
use skill_nats::{Error, Server};

use crate::skills::{call, node_at, patience, request};

/// Calls a skill through a server with these credentials.
async fn try_out(server: &Server, dir: &Path) -> Result<(), Error> {
    let _node = node_at(&server.connect("one").await?, "one", dir).await;
    let caller = Caller::new(&server.connect("caller").await?, patience());
    let answer = call(&caller, &request("echo", json!({"n": 1}))).await;
    assert_eq!(answer["value"]["input"]["n"], 1, "{answer}");
    Ok(())
}

/// Returns the error for a server that cannot be reached with these credentials.
async fn refusal(server: &Server) -> String {
    server.connect("one").await.unwrap_err().to_string()
}

/// Authorities, each with a certificate for this machine.
struct Authority {
    issuer: Issuer<'static, rcgen::KeyPair>,
    dir: PathBuf,
}

impl Authority {
    fn new(dir: &Path) -> Self {
        fs::create_dir_all(dir).unwrap();
        let key = rcgen::KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let itself = params.self_signed(&key).unwrap();
        fs::write(dir.join("ca.pem"), itself.pem()).unwrap();
        Self {
            issuer: Issuer::new(params, key),
            dir: dir.to_owned(),
        }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.dir.join(name)
    }

    /// Writes a certificate and its key, and gives their paths.
    fn certify(&self, name: &str) -> (PathBuf, PathBuf) {
        let key = rcgen::KeyPair::generate().unwrap();
        let params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let files = (
            self.file(&format!("{name}.pem")),
            self.file(&format!("{name}.key")),
        );
        fs::write(&files.0, certificate.pem()).unwrap();
        fs::write(&files.1, key.serialize_pem()).unwrap();
        files
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_sides_show_a_certificate_of_an_authority_that_is_trusted() {
    let dir = tempfile::tempdir().unwrap();
    let authority = Authority::new(&dir.path().join("ours"));
    let (certificate, key) = authority.certify("server");
    let config = format!(
        "tls {{ cert_file: {certificate:?}, key_file: {key:?}, ca_file: {:?}, verify: true }}",
        authority.file("ca.pem")
    );
    let Some(server) = TestServer::start_with(&config) else {
        return;
    };
    let good = Server {
        url: server.url(),
        ca: Some(authority.file("ca.pem")),
        identity: Some(authority.certify("client")),
        ..Server::default()
    };
    try_out(&good, dir.path()).await.unwrap();

    let other = Authority::new(&dir.path().join("others"));
    let (nobody, stranger, not_there) = (
        Server {
            identity: None,
            ..good.clone()
        },
        Server {
            identity: Some(other.certify("client")),
            ..good.clone()
        },
        Server {
            ca: Some(dir.path().join("missing.pem")),
            ..good.clone()
        },
    );
    for server in [nobody, stranger, not_there] {
        let refusal = refusal(&server).await;
        assert!(refusal.starts_with("cannot connect to"), "{refusal}");
    }
    // Somebody else in the place of the server is found out before anything is said to them.
    let deceived = Server {
        ca: Some(other.file("ca.pem")),
        ..good
    };
    let refusal = refusal(&deceived).await;
    assert!(refusal.contains("certificate"), "{refusal}");
}

/// A signed statement, as `nsc` makes them: `issuer` says this of `subject`.
fn statement(issuer: &KeyPair, subject: &KeyPair, name: &str, nats: &Value) -> String {
    let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let head = encode(&json!({ "typ": "JWT", "alg": "ed25519-nkey" }));
    let claims = encode(&json!({
        "jti": name,
        "iat": 1_600_000_000,
        "iss": issuer.public_key(),
        "sub": subject.public_key(),
        "name": name,
        "nats": nats,
    }));
    let text = format!("{head}.{claims}");
    let signature = issuer.sign(text.as_bytes()).unwrap();
    format!("{text}.{}", BASE64URL_NOPAD.encode(&signature))
}

/// An account without limits, as its operator states it.
fn account(operator: &KeyPair, account: &KeyPair, name: &str, may_store: bool) -> String {
    let mut limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1,
        "wildcards": true, "conn": -1, "leaf": -1,
    });
    if may_store {
        for kind in ["mem_storage", "disk_storage", "streams", "consumer"] {
            limits[kind] = json!(-1);
        }
    }
    let nats = json!({ "limits": limits, "type": "account", "version": 2 });
    statement(operator, account, name, &nats)
}

fn credentials(path: &Path, statement: &str, seed: &str) {
    let text = format!(
        "-----BEGIN NATS USER JWT-----\n{statement}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    );
    fs::write(path, text).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn credentials_of_a_file_open_the_account_and_no_others_do() {
    let dir = tempfile::tempdir().unwrap();
    let [operator, ours, system] = [
        KeyPair::new_operator(),
        KeyPair::new_account(),
        KeyPair::new_account(),
    ];
    let of_operator = json!({ "type": "operator", "version": 2 });
    let config = format!(
        "operator: {}\nsystem_account: {system}\nresolver: MEMORY\nresolver_preload: {{ {ours}: {}, {system}: {} }}",
        statement(&operator, &operator, "operator", &of_operator),
        account(&operator, &ours, "ours", true),
        account(&operator, &system, "system", false),
        ours = ours.public_key(),
        system = system.public_key(),
    );
    let Some(server) = TestServer::start_with(&config) else {
        return;
    };
    let with = |name: &str| Server {
        url: server.url(),
        credentials: Some(dir.path().join(name)),
        ..Server::default()
    };
    let user = KeyPair::new_user();
    let of_user = json!({
        "pub": {}, "sub": {}, "subs": -1, "data": -1, "payload": -1,
        "type": "user", "version": 2,
    });
    let of_user = |by: &KeyPair| statement(by, &user, "user", &of_user);
    let seed = user.seed().unwrap();
    credentials(&dir.path().join("good"), &of_user(&ours), &seed);
    try_out(&with("good"), dir.path()).await.unwrap();

    // The key of another, and the word of another.
    let stranger = KeyPair::new_user().seed().unwrap();
    credentials(&dir.path().join("stolen"), &of_user(&ours), &stranger);
    let forger = KeyPair::new_account();
    credentials(&dir.path().join("forged"), &of_user(&forger), &seed);
    fs::write(dir.path().join("nonsense"), "no credentials").unwrap();
    for (name, expected) in [
        ("stolen", "cannot connect to"),
        ("forged", "cannot connect to"),
        ("missing", "cannot use"),
        ("nonsense", "cannot use"),
    ] {
        let refusal = refusal(&with(name)).await;
        assert!(refusal.starts_with(expected), "{name}: {refusal}");
        assert!(!refusal.contains(&seed), "{refusal}");
    }
}
