//! The progress of a running call.

use std::fmt;
use std::sync::Arc;

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

/// The same receiver.
impl PartialEq for Progress {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
