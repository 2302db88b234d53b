//! A process that was just started.

use std::os::unix::net::UnixStream;

use rustix::process::Pid;

use crate::linux::feed::Input;
use crate::report::Report;

/// A process that was just started and is not followed yet.
pub(crate) struct StartedProcess {
    pub(crate) leader: std::process::Child,
    /// The launcher inside the namespace, if it is not the leader.
    pub(crate) keeper: Option<Pid>,
    pub(crate) control: Option<UnixStream>,
    pub(crate) input: Input,
    pub(crate) report: Report,
}
