//! The notifications of a call for its client: the progress that it asked for, and the log of the MCP
//! server behind the skill.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use serde_json::Value;
use skill_executor::{Log, Progress};
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinHandle;

use crate::server_log::{Message, Severity, dropped, message, send};

/// The maximum number of notifications that wait; more are dropped. Source: `docs/running.md`.
const WAITING: usize = 256;

/// The maximum of their bytes, 4 MiB; a longer one is dropped too.
const WAITING_BYTES: usize = 4 << 20;

/// The bytes of the notifications that wait.
#[derive(Clone, Default)]
struct Bytes(Arc<AtomicUsize>);

impl Bytes {
    /// Counts a notification that is to wait; returns false if it would be too much.
    fn add(&self, n: usize) -> bool {
        let added = self.0.fetch_update(Relaxed, Relaxed, |waiting| {
            waiting.checked_add(n).filter(|sum| *sum <= WAITING_BYTES)
        });
        added.is_ok()
    }

    /// Takes a notification away that no longer waits.
    fn remove(&self, n: usize) {
        self.0.fetch_sub(n, Relaxed);
    }
}

/// The sender of the notifications, which loses what is too much and blocks nobody.
#[derive(Clone)]
struct Queue {
    sender: Sender<(usize, Note)>,
    bytes: Bytes,
    /// The number of log messages that found no space.
    n_dropped: Arc<AtomicUsize>,
}

impl Queue {
    fn new(sender: Sender<(usize, Note)>, bytes: Bytes) -> Self {
        Self {
            sender,
            bytes,
            n_dropped: Arc::default(),
        }
    }

    /// Adds a notification of this size, if there is space for it. A log message that is dropped is counted.
    fn add(&self, n_bytes: usize, note: impl FnOnce() -> Note) {
        let has_space = self.bytes.add(n_bytes);
        let note = note();
        let is_log = matches!(note, Note::Log(_));
        let is_sent = has_space && self.sender.try_send((n_bytes, note)).is_ok();
        if has_space && !is_sent {
            self.bytes.remove(n_bytes);
        }
        if is_log && !is_sent {
            self.n_dropped.fetch_add(1, Relaxed);
        }
    }
}

/// A notification.
enum Note {
    Progress(ProgressNotificationParam),
    Log(Box<Message>),
    /// The call has ended.
    End,
}

/// Sends the notifications of one call to its client.
pub(crate) struct Forward {
    sender: Sender<(usize, Note)>,
    sending: JoinHandle<()>,
    /// The receiver of progress for the executor, if the client gave a progress token.
    pub(crate) progress: Option<Progress>,
    /// The receiver of the log for the executor, if the client wants it.
    pub(crate) log: Option<Log>,
}

impl Forward {
    /// Returns the forwarder of a call; `log` is the lowest severity of log messages that the client wants.
    /// `None` if it wants no notifications.
    pub(crate) fn new(context: &RequestContext<RoleServer>, log: Option<Severity>) -> Option<Self> {
        let token = context.meta.get_progress_token();
        if token.is_none() && log.is_none() {
            return None;
        }
        let (sender, mut receiver) = channel(WAITING);
        // A server that is faster than its client loses notifications and blocks nobody.
        let bytes = Bytes::default();
        let queue = Queue::new(sender.clone(), bytes.clone());
        let n_dropped = Arc::clone(&queue.n_dropped);
        let own = queue.clone();
        let progress = token.map(|token| {
            Progress::new(move |done, total, message| {
                own.add(message.map_or(0, str::len), || {
                    let mut params = ProgressNotificationParam::new(token.clone(), done);
                    params.total = total;
                    params.message = message.map(str::to_owned);
                    Note::Progress(params)
                });
            })
        });
        let wanted = log;
        let log = wanted.map(|wanted| {
            Log::new(move |params: &Value| {
                if let Some(message) = message(params, wanted) {
                    queue.add(params.to_string().len(), || Note::Log(Box::new(message)));
                }
            })
        });
        let peer = context.peer.clone();
        let sending = tokio::spawn(async move {
            while let Some((n_bytes, note)) = receiver.recv().await {
                bytes.remove(n_bytes);
                let sent = match note {
                    Note::Progress(params) => peer.notify_progress(params).await.is_ok(),
                    Note::Log(params) => send(&peer, *params).await,
                    Note::End => {
                        let n_dropped = n_dropped.load(Relaxed);
                        if let Some(wanted) = wanted.filter(|_| n_dropped > 0) {
                            send(&peer, dropped(n_dropped, wanted)).await;
                        }
                        break;
                    }
                };
                if !sent {
                    break;
                }
            }
        });
        Some(Self {
            sender,
            sending,
            progress,
            log,
        })
    }

    /// Waits until the client got everything that was reported: a notification after the answer belongs to
    /// no request.
    pub(crate) async fn finish(self) {
        // Fails if the client is gone.
        let _ = self.sender.send((0, Note::End)).await;
        let _ = self.sending.await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notifications_that_wait_are_bounded() {
        let (sender, mut receiver) = channel(3);
        let bytes = Bytes::default();
        let queue = Queue::new(sender, bytes.clone());
        let half = WAITING_BYTES / 2;
        let mut check = |sizes: &[usize], expected: &[usize]| {
            for size in sizes {
                queue.add(*size, || Note::End);
            }
            let mut found = Vec::new();
            while let Ok((size, _)) = receiver.try_recv() {
                bytes.remove(size);
                found.push(size);
            }
            assert_eq!(found, expected, "{sizes:?}");
        };
        check(&[half, half, 1], &[half, half]);
        check(&[WAITING_BYTES + 1, 1], &[1]);
        // Those that find no place are not counted.
        check(&[1, 1, 1, half], &[1, 1, 1]);
        check(&[WAITING_BYTES], &[WAITING_BYTES]);
    }

    #[test]
    fn log_messages_without_space_are_counted() {
        let (sender, _receiver) = channel(2);
        let queue = Queue::new(sender, Bytes::default());
        let log = || {
            let info = serde_json::json!({"level": "info", "data": "x"});
            let message = message(&info, Severity::default());
            Note::Log(Box::new(message.expect("every level is wanted")))
        };
        for size in [1, WAITING_BYTES, 1, 1, 1] {
            queue.add(size, log);
        }
        queue.add(1, || Note::End);
        assert_eq!(queue.n_dropped.load(Relaxed), 3);
    }
}
