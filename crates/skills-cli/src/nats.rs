//! The flags of every tool that uses a NATS server.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args as ClapArgs;

/// The login at a NATS server, and the authorities to trust.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Other machines")]
pub struct NatsArgs {
    /// Credentials (.creds) for the NATS server
    #[arg(long, value_name = "FILE", env = "SKILLS_NATS_CREDS")]
    pub nats_creds: Option<PathBuf>,
    /// Certificates (PEM) of authorities to trust for TLS; TLS is then required
    #[arg(long, value_name = "FILE", env = "SKILLS_NATS_CA")]
    pub nats_ca: Option<PathBuf>,
    /// Certificate (PEM) to show to the NATS server
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    pub nats_cert: Option<PathBuf>,
    /// Key (PEM) of that certificate
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    pub nats_key: Option<PathBuf>,
    /// Prefix of the subjects of answers, if the server gives each user one
    #[arg(long, value_name = "PREFIX", env = "SKILLS_NATS_INBOX")]
    pub nats_inbox: Option<String>,
}

impl NatsArgs {
    /// Returns the same flags for another tool.
    pub fn to_flags(&self) -> Vec<OsString> {
        let path = |flag: &str, value: &Option<PathBuf>| {
            let value = value.as_ref()?;
            Some([flag.into(), value.clone().into_os_string()])
        };
        let inbox = self.nats_inbox.as_ref();
        let inbox = inbox.map(|inbox| ["--nats-inbox".into(), inbox.into()]);
        let flags = [
            path("--nats-creds", &self.nats_creds),
            path("--nats-ca", &self.nats_ca),
            path("--nats-cert", &self.nats_cert),
            path("--nats-key", &self.nats_key),
            inbox,
        ];
        flags.into_iter().flatten().flatten().collect()
    }
}
