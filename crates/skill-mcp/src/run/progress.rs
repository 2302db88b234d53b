//! The progress of a call, for a client that asked for it.

use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use skill_executor::Progress;
use tokio::sync::mpsc::{Sender, channel};
use tokio::task::JoinHandle;

/// The maximum number of notifications that wait; more are dropped, because the next one replaces them.
const WAITING: usize = 64;

/// Sends the progress of one call to its client.
pub(crate) struct Forward {
    sender: Sender<Option<ProgressNotificationParam>>,
    sending: JoinHandle<()>,
    /// The receiver for the executor.
    pub(crate) progress: Progress,
}

impl Forward {
    /// Returns the forwarder of a call whose client gave a progress token.
    pub(crate) fn new(context: &RequestContext<RoleServer>) -> Option<Self> {
        let token = context.meta.get_progress_token()?;
        let (sender, mut receiver) = channel(WAITING);
        let queue = sender.clone();
        let progress = Progress::new(move |done, total, message| {
            let mut params = ProgressNotificationParam::new(token.clone(), done);
            params.total = total;
            params.message = message.map(str::to_owned);
            // A server that is faster than its client loses steps and blocks nobody.
            let _ = queue.try_send(Some(params));
        });
        let peer = context.peer.clone();
        let sending = tokio::spawn(async move {
            while let Some(Some(params)) = receiver.recv().await {
                if peer.notify_progress(params).await.is_err() {
                    break;
                }
            }
        });
        Some(Self {
            sender,
            sending,
            progress,
        })
    }

    /// Waits until the client got everything that was reported: progress after the answer belongs to
    /// no request.
    pub(crate) async fn finish(self) {
        // Fails if the client is gone.
        let _ = self.sender.send(None).await;
        let _ = self.sending.await;
    }
}
