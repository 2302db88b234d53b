//! Accepts connections, limits their number and shuts them down.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::read_timeout::ReadTimeout;
use super::routes::State;

/// The pause of the listener after an error, such as a lack of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// The maximum size of the head of a request, in bytes.
const MAX_HEAD: usize = 16 * 1024;
/// The longest time in which a client may read nothing of an answer.
const MAX_READ_PAUSE: Duration = Duration::from_secs(30);

/// The number of open connections of each address.
type OpenConnections = Arc<Mutex<BTreeMap<IpAddr, usize>>>;

/// Accepts connections until `stop` completes.
pub(super) async fn accept(
    state: &Arc<State>,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) {
    let (ending, ended) = watch::channel(false);
    let open = OpenConnections::default();
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer)) => match ConnectionSlot::take(state, &open, peer.ip()) {
                Some(slot) => {
                    tokio::spawn(serve(state.clone(), stream, peer, ended.clone(), slot));
                }
                None => {
                    tracing::debug!(client = %peer.ip(), "connection refused: too many are open");
                }
            },
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    ending.send_replace(true);
}

/// Waits until all connections have ended, at most for `grace`.
pub(super) async fn drain(state: &State, grace: Duration) {
    let end = Instant::now() + grace;
    while state.n_open.load(Ordering::Acquire) > 0 && Instant::now() < end {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

async fn serve(
    state: Arc<State>,
    stream: TcpStream,
    peer: SocketAddr,
    mut ended: watch::Receiver<bool>,
    slot: ConnectionSlot,
) {
    // Without this, an answer in two pieces waits for the client's acknowledgement.
    let _ = stream.set_nodelay(true);
    let answering = state.clone();
    let service = service_fn(move |request| {
        let state = answering.clone();
        async move { Ok::<_, Infallible>(state.answer(request, peer).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(state.settings.limits.request_time)
        .max_buf_size(MAX_HEAD)
        .serve_connection(
            TokioIo::new(ReadTimeout::new(stream, MAX_READ_PAUSE)),
            service,
        );
    tokio::pin!(connection);
    let res = tokio::select! {
        res = &mut connection => res,
        () = async { let _ = ended.wait_for(|ended| *ended).await; } => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = res {
        tracing::debug!(%error, client = %peer.ip(), "connection ended");
    }
    drop(slot);
}

/// One of the connections that are allowed; released when it is dropped.
struct ConnectionSlot {
    state: Arc<State>,
    open: OpenConnections,
    address: IpAddr,
}

impl ConnectionSlot {
    fn take(state: &Arc<State>, open: &OpenConnections, address: IpAddr) -> Option<Self> {
        let limits = &state.settings.limits;
        let mut all = open.lock().unwrap_or_else(PoisonError::into_inner);
        let n_open = state.n_open.load(Ordering::Acquire);
        let n_each = all.entry(address).or_default();
        if n_open >= limits.connections || *n_each >= limits.connections_each {
            return None;
        }
        *n_each += 1;
        state.n_open.fetch_add(1, Ordering::AcqRel);
        state
            .shared
            .metrics
            .connections
            .fetch_add(1, Ordering::Relaxed);
        Some(Self {
            state: state.clone(),
            open: open.clone(),
            address,
        })
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut all = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(n_each) = all.get_mut(&self.address) {
            *n_each -= 1;
            if *n_each == 0 {
                all.remove(&self.address);
            }
        }
        self.state.n_open.fetch_sub(1, Ordering::AcqRel);
        self.state
            .shared
            .metrics
            .connections
            .fetch_sub(1, Ordering::Relaxed);
    }
}
