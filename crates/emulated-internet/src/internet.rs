//! The server, and visits to it.

use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;

use data_encoding::HEXLOWER;
use tokio::runtime::Runtime;

use crate::authority::Authority;
use crate::server;
use crate::shapes::Variant;
use crate::source::Source;
use crate::table::Table;
use crate::visits::{Log, Requests, Shared};

/// A server on loopback that is every host.
pub struct Internet {
    shared: Arc<Shared>,
    port: u16,
    /// Ends the server when it is dropped.
    _runtime: Runtime,
}

/// The server could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no socket or no thread for it.
    #[error("the server of the emulated internet cannot be started: {0}")]
    Io(#[from] io::Error),
    /// There are no certificates.
    #[error("the certificates of the emulated internet cannot be made: {0}")]
    Certificates(String),
}

/// The requests of one program, from the beginning of the visit to its end.
pub struct Visit {
    shared: Arc<Shared>,
    mark: String,
    log: Arc<Log>,
}

impl Internet {
    /// The number of shapes that the answers of unknown services have.
    pub const VARIANTS: u8 = Variant::COUNT;

    /// Starts the server. It answers with the rows of `table` first.
    ///
    /// # Errors
    ///
    /// There is no socket, no thread or no certificate for it.
    pub fn start(table: Table) -> Result<Self, StartError> {
        let authority =
            Authority::new().map_err(|why| StartError::Certificates(why.to_string()))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Shared::new(authority, table));
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        runtime.spawn(server::serve(listener, Arc::clone(&shared)));
        Ok(Self {
            shared,
            port,
            _runtime: runtime,
        })
    }

    /// Returns the TCP port at 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Returns the certificate of its authority in PEM, which programs have to trust.
    pub fn certificate(&self) -> &str {
        self.shared.authority.certificate()
    }

    /// Begins a visit whose answers come from `source`.
    ///
    /// # Errors
    ///
    /// The system has no random numbers.
    pub fn visit(&self, source: Source) -> io::Result<Visit> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let mark = HEXLOWER.encode(&bytes);
        let log = Arc::new(Log::new(source.into()));
        self.shared.begin(mark.clone(), Arc::clone(&log));
        Ok(Visit {
            shared: Arc::clone(&self.shared),
            mark,
            log,
        })
    }
}

impl std::fmt::Debug for Internet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Internet")
            .field("port", &self.port)
            .finish_non_exhaustive()
    }
}

impl Visit {
    /// Returns the mark by which the server recognizes the program's connections.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// Ends the visit, and returns its requests. Waits for connections that are being closed.
    pub fn finish(self) -> Requests {
        self.log.wait();
        self.log.take()
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.shared.end(&self.mark);
    }
}

impl std::fmt::Debug for Visit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visit").finish_non_exhaustive()
    }
}
