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

use crate::server_log::{Message, Severity, message, send};

/// The maximum number of notifications that wait; more are dropped.
const WAITING: usize = 256;

/// The maximum of their bytes; a longer one is dropped too.
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
}

impl Queue {
    /// Adds a notification of this size, if there is space for it.
    fn add(&self, n_bytes: usize, note: impl FnOnce() -> Option<Note>) {
        if !self.bytes.add(n_bytes) {
            return;
        }
        let note = note().map(|note| (n_bytes, note));
        let is_sent = note.is_some_and(|note| self.sender.try_send(note).is_ok());
        if !is_sent {
            self.bytes.remove(n_bytes);
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
        let queue = Queue {
            sender: sender.clone(),
            bytes: bytes.clone(),
        };
        let own = queue.clone();
        let progress = token.map(|token| {
            Progress::new(move |done, total, message| {
                own.add(message.map_or(0, str::len), || {
                    let mut params = ProgressNotificationParam::new(token.clone(), done);
                    params.total = total;
                    params.message = message.map(str::to_owned);
                    Some(Note::Progress(params))
                });
            })
        });
        let log = log.map(|wanted| {
            Log::new(move |params: &Value| {
                queue.add(params.to_string().len(), || {
                    message(params, wanted).map(|it| Note::Log(Box::new(it)))
                });
            })
        });
        let peer = context.peer.clone();
        let sending = tokio::spawn(async move {
            while let Some((n_bytes, note)) = receiver.recv().await {
                bytes.remove(n_bytes);
                let sent = match note {
                    Note::Progress(params) => peer.notify_progress(params).await.is_ok(),
                    Note::Log(params) => send(&peer, *params).await,
                    Note::End => break,
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
        let queue = Queue {
            sender,
            bytes: bytes.clone(),
        };
        let half = WAITING_BYTES / 2;
        let mut check = |sizes: &[usize], expected: &[usize]| {
            for size in sizes {
                queue.add(*size, || Some(Note::End));
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
}
