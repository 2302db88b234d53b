//! The notifications of a call for its client: the progress that it asked for, and the log of the MCP
//! server behind the skill.

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

/// A notification.
enum Note {
    Progress(ProgressNotificationParam),
    Log(Box<Message>),
    /// The call has ended.
    End,
}

/// Sends the notifications of one call to its client.
pub(crate) struct Forward {
    sender: Sender<Note>,
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
        let queue = sender.clone();
        let progress = token.map(|token| {
            Progress::new(move |done, total, message| {
                let mut params = ProgressNotificationParam::new(token.clone(), done);
                params.total = total;
                params.message = message.map(str::to_owned);
                let _ = queue.try_send(Note::Progress(params));
            })
        });
        let queue = sender.clone();
        let log = log.map(|wanted| {
            Log::new(move |params: &Value| {
                if let Some(params) = message(params, wanted) {
                    let _ = queue.try_send(Note::Log(Box::new(params)));
                }
            })
        });
        let peer = context.peer.clone();
        let sending = tokio::spawn(async move {
            while let Some(note) = receiver.recv().await {
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
        let _ = self.sender.send(Note::End).await;
        let _ = self.sending.await;
    }
}
