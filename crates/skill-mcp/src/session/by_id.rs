//! The sessions over HTTP by their id, for calls that are answered without the SDK.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use hyper::http::request::Parts;

use super::Session;

/// The header with the id of a session.
pub(crate) const SESSION: &str = "mcp-session-id";
/// The part of the idle time after which a request of a session goes to the SDK again, so that the
/// SDK does not take the session for idle.
const IDLE_PART: u32 = 4;
/// The sessions that have finished their handshake.
#[derive(Debug, Default)]
pub(crate) struct Sessions(RwLock<BTreeMap<Arc<str>, SessionEntry>>);

#[derive(Debug)]
struct SessionEntry {
    session: Arc<Mutex<Session>>,
    /// The time of the last request that went to the SDK.
    last_seen: Mutex<Instant>,
}

impl Sessions {
    /// Adds a session whose `notifications/initialized` came with this head, and returns its id.
    pub(crate) fn begin(&self, head: &Parts, session: &Arc<Mutex<Session>>) -> Option<Arc<str>> {
        let id: Arc<str> = head.headers.get(SESSION)?.to_str().ok()?.into();
        let entry = SessionEntry {
            session: session.clone(),
            last_seen: Mutex::new(Instant::now()),
        };
        let all = self.0.write();
        all.unwrap_or_else(PoisonError::into_inner)
            .insert(id.clone(), entry);
        Some(id)
    }

    /// Removes a session.
    pub(crate) fn end(&self, id: &str) {
        let all = self.0.write();
        all.unwrap_or_else(PoisonError::into_inner).remove(id);
    }

    /// Returns the number of sessions.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Returns the session, unless its next request has to go to the SDK.
    pub(crate) fn recent(&self, id: &str, idle: Duration) -> Option<Arc<Mutex<Session>>> {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let entry = all.get(id)?;
        let mut last_seen = entry
            .last_seen
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if now.saturating_duration_since(*last_seen) >= idle / IDLE_PART {
            *last_seen = now;
            return None;
        }
        Some(entry.session.clone())
    }
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::*;

    #[test]
    fn the_sdk_sees_a_session_now_and_then() {
        let sessions = Sessions::default();
        let request = Request::builder().header(SESSION, "one").body(()).unwrap();
        let (head, ()) = request.into_parts();
        let id = sessions.begin(&head, &Arc::default()).unwrap();
        assert!(sessions.recent("other", Duration::MAX).is_none());
        assert!(sessions.recent(&id, Duration::from_hours(1)).is_some());
        assert!(sessions.recent(&id, Duration::ZERO).is_none());
        sessions.end(&id);
        assert!(sessions.recent(&id, Duration::from_hours(1)).is_none());
    }
}
