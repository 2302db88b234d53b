//! The NATS server, its credentials, and the connection to it.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectOptions, Event, ServerAddr};
use tokio::sync::watch;
use tokio::time::Instant;

use crate::Error;
use crate::error::check_name;

/// The shortest and the longest time between two attempts to reconnect.
const RECONNECT: (Duration, Duration) = (Duration::from_millis(50), Duration::from_secs(4));
/// The time limit of the first connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A NATS server, or several of one cluster.
#[derive(Clone, Default, Debug)]
pub struct Server {
    /// One or more URLs, separated by commas: `nats://host:4222`, `tls://host:4222`, with
    /// `user:password@` or `token@` before the host if the server needs them.
    pub url: String,
    /// The `.creds` file (JWT and nkey seed), as `nsc` writes it.
    pub credentials: Option<PathBuf>,
    /// Certificates (PEM) of authorities to trust besides those of the system. TLS is then required.
    pub ca: Option<PathBuf>,
    /// Certificate and key (PEM) to show to the server.
    pub identity: Option<(PathBuf, PathBuf)>,
    /// The prefix of the subjects of answers; `_INBOX` if absent. With a prefix for each user, no
    /// user can receive the answers of others.
    pub inbox: Option<String>,
}

/// A connection that reconnects by itself, with the time since when it has been up.
#[derive(Clone, Debug)]
pub struct Connection {
    pub(crate) client: Client,
    pub(crate) up_since: watch::Receiver<Option<Instant>>,
}

impl Server {
    /// Connects. A connection that is lost later is restored in the background, with growing
    /// pauses; messages that are published meanwhile are queued and sent.
    ///
    /// # Errors
    ///
    /// If the server does not accept the connection, or a file with credentials cannot be used.
    pub async fn connect(&self, name: &str) -> Result<Connection, Error> {
        let (state, up_since) = watch::channel(None);
        let seed = name.bytes().fold(7_u64, |acc, b| {
            acc.wrapping_mul(31).wrapping_add(u64::from(b))
        });
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(CONNECT_TIMEOUT)
            .ping_interval(Duration::from_secs(15))
            .reconnect_delay_callback(move |attempt| pause(seed, attempt))
            .event_callback(move |event| {
                match event {
                    Event::Connected => state.send_replace(Some(Instant::now())),
                    Event::Disconnected | Event::Closed => state.send_replace(None),
                    _ => None,
                };
                std::future::ready(())
            });
        if let Some(path) = &self.credentials {
            options = options
                .credentials_file(path)
                .await
                .map_err(|error| Error::Credentials {
                    path: path.display().to_string(),
                    problem: error.to_string(),
                })?;
        }
        if let Some(ca) = &self.ca {
            options = options.add_root_certificates(ca.clone()).require_tls(true);
        }
        if let Some((certificate, key)) = &self.identity {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        options = match self.login()? {
            Some((user, Some(password))) => options.user_and_password(user, password),
            Some((token, None)) => options.token(token),
            None => options,
        };
        if let Some(inbox) = &self.inbox {
            check_name("prefix of answers", inbox)?;
            options = options.custom_inbox_prefix(inbox);
        }
        let urls: Vec<&str> = self.url.split(',').map(str::trim).collect();
        let client = options
            .connect(urls)
            .await
            .map_err(|error| Error::Connect {
                server: self.shown(),
                problem: error.to_string(),
            })?;
        Ok(Connection { client, up_since })
    }

    /// Returns the login of the first URL that has one: user and password, or a token. The client
    /// library parses it but does not use it.
    fn login(&self) -> Result<Option<(String, Option<String>)>, Error> {
        for url in self.url.split(',') {
            let address: ServerAddr = url.trim().parse().map_err(|error| Error::Connect {
                server: self.shown(),
                problem: format!("{error}"),
            })?;
            if let Some(user) = address.username().filter(|user| !user.is_empty()) {
                let password = address.password().map(str::to_owned);
                return Ok(Some((user.to_owned(), password)));
            }
        }
        Ok(None)
    }

    /// Returns the hosts, without logins.
    fn shown(&self) -> String {
        let hosts = self.url.split(',').map(|url| {
            let rest = url.trim().rsplit('@').next().unwrap_or_default();
            rest.rsplit("://").next().unwrap_or_default()
        });
        hosts.collect::<Vec<_>>().join(",")
    }
}

/// Returns the pause before an attempt: doubled each time, and up to a quarter longer depending on
/// the name, so that a thousand nodes do not reconnect at the same moment.
fn pause(seed: u64, attempt: usize) -> Duration {
    let doubled = RECONNECT
        .0
        .saturating_mul(1 << attempt.saturating_sub(1).min(10));
    let base = doubled.min(RECONNECT.1);
    let share = u32::try_from(seed.wrapping_add(attempt as u64 * 7919) % 256).unwrap_or(0);
    base + base / 4 * share / 256
}

impl Connection {
    /// Returns the underlying client of the library.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Returns true if the connection has been up for this time, so that other machines had the
    /// time to reconnect.
    pub fn is_settled(&self, time: Duration) -> bool {
        self.up_since
            .borrow()
            .is_some_and(|since| since.elapsed() >= time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_not_shown() {
        let server = Server {
            url: "nats://me:secret@one:4222, tls://token@two".to_owned(),
            ..Server::default()
        };
        assert_eq!(server.shown(), "one:4222,two");
    }

    #[test]
    fn pauses_grow_and_stay_bounded() {
        let pauses: Vec<_> = (0..40).map(|attempt| pause(12345, attempt)).collect();
        assert!(pauses.iter().all(|pause| *pause >= RECONNECT.0));
        assert!(pauses.iter().all(|pause| *pause <= RECONNECT.1 * 5 / 4));
        assert!(pauses[1] < pauses[6]);
    }
}
