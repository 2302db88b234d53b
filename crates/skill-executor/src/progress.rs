//! The messages of a running call before its answer: its progress, and the log of the server behind it.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

type Receiver = dyn Fn(f64, Option<f64>, Option<&str>) + Send + Sync;

/// Receives the progress of a call; its clones are the same receiver.
#[derive(Clone)]
pub struct Progress(Arc<Receiver>);

impl Progress {
    /// Returns a receiver: `each` gets what is done, how much there is in total, and a message. It must
    /// not block.
    pub fn new(each: impl Fn(f64, Option<f64>, Option<&str>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(each))
    }

    /// Reports a progress.
    pub(crate) fn report(&self, done: f64, total: Option<f64>, message: Option<&str>) {
        (self.0)(done, total, message);
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}

/// Receives the log of the server behind a call; its clones are the same receiver.
#[derive(Clone)]
pub struct Log(Arc<dyn Fn(&Value) + Send + Sync>);

impl Log {
    /// Returns a receiver: `each` gets the parameters of a log message as MCP has them (`level`, `logger`,
    /// `data`), without secrets. It must not block.
    pub fn new(each: impl Fn(&Value) + Send + Sync + 'static) -> Self {
        Self(Arc::new(each))
    }

    /// Passes a message on.
    pub(crate) fn report(&self, params: &Value) {
        (self.0)(params);
    }
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Log")
    }
}

/// The same receiver.
impl PartialEq for Log {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The same receiver.
impl PartialEq for Progress {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
