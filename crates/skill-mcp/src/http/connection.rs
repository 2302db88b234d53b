//! Connections: accepted, bounded, and ended in order.

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

use super::routes::State;
use super::stall::Stall;

/// How long the listener rests when the system has no more descriptors.
const REST: Duration = Duration::from_millis(50);
/// Bytes of a request's head.
const MAX_HEAD: usize = 16 * 1024;
/// How long a client may take nothing of an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// How many connections each address has.
type Open = Arc<Mutex<BTreeMap<IpAddr, usize>>>;

/// Takes connections until `stop` comes true.
pub(super) async fn accept(
    state: &Arc<State>,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) {
    let (ending, ended) = watch::channel(false);
    let open = Open::default();
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        match accepted {
            Ok((stream, peer)) => match Place::take(state, &open, peer.ip()) {
                Some(place) => {
                    tokio::spawn(serve(state.clone(), stream, peer, ended.clone(), place));
                }
                None => tracing::debug!(client = %peer.ip(), "too many connections"),
            },
            Err(error) => {
                tracing::warn!(%error, "cannot take a connection");
                tokio::time::sleep(REST).await;
            }
        }
    }
    ending.send_replace(true);
}

/// Waits until all connections have ended, for a while.
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
    place: Place,
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
        .serve_connection(TokioIo::new(Stall::new(stream, PATIENCE)), service);
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
    drop(place);
}

/// A place for one connection, free again when it is dropped.
struct Place {
    state: Arc<State>,
    open: Open,
    address: IpAddr,
}

impl Place {
    fn take(state: &Arc<State>, open: &Open, address: IpAddr) -> Option<Self> {
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

impl Drop for Place {
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
