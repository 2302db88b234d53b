//! Connects to hosts, outside of the namespace.

use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::addresses::addresses;

/// Connects to a host (a name or an address) and a port. It may block: it is called by a separate
/// thread.
pub(crate) type Dial = Arc<dyn Fn(&str, u16) -> io::Result<TcpStream> + Send + Sync>;

/// The time for which all addresses of a host together are tried, after they are known.
const PATIENCE: Duration = Duration::from_secs(30);

/// The time for which one address is tried.
const PATIENCE_FOR_ONE: Duration = Duration::from_secs(10);

/// Connects as a program on this machine would.
pub(super) fn dialer() -> Dial {
    Arc::new(|host, port| connect(&addresses(host, port)?))
}

fn connect(addresses: &[SocketAddr]) -> io::Result<TcpStream> {
    let end = Instant::now() + PATIENCE;
    let mut last = io::Error::new(ErrorKind::NotFound, "the host has no address");
    for address in addresses {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        match TcpStream::connect_timeout(address, left.min(PATIENCE_FOR_ONE)) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}
