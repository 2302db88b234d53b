//! Waiting for clients, for their requests, and for a cancellation at once.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(super) use other::{Wake, pair};
#[cfg(unix)]
pub(super) use unix::{Wake, pair};

/// The events of one wait.
pub(super) struct Ready {
    /// The waker was dropped.
    pub(super) is_woken: bool,
    /// A client may be connecting.
    pub(super) may_accept: bool,
    /// The streams that may be readable, in the order in which they were given.
    pub(super) streams: Vec<bool>,
}
