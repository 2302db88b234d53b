//! A process group. A process that leaves it is not found any more.

use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::outcome::Exit;
use crate::spec::AtExit;

#[derive(Debug)]
pub(in crate::portable) struct Group {
    leader: Child,
}

impl Group {
    pub(in crate::portable) fn start(mut command: Command, _at_exit: AtExit) -> io::Result<Self> {
        let leader = command.process_group(0).spawn()?;
        Ok(Self { leader })
    }

    pub(in crate::portable) fn id(&self) -> u32 {
        self.leader.id()
    }

    /// Returns true if the first process has ended. It is not reaped: until then its process id
    /// cannot belong to another group.
    pub(in crate::portable) fn has_ended(&mut self) -> io::Result<bool> {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        let ended = waitid(WaitId::Pid(Pid::from_child(&self.leader)), options)?;
        Ok(ended.is_some())
    }

    pub(in crate::portable) fn kill(&mut self) {
        // Failure means that it has ended already.
        let _ = kill_process_group(Pid::from_child(&self.leader), Signal::KILL);
    }

    /// Returns how the first process ended, and reaps it.
    pub(in crate::portable) fn exit(&mut self) -> io::Result<Option<Exit>> {
        let status = self.leader.try_wait()?;
        Ok(status.map(|status| match (status.code(), status.signal()) {
            (Some(code), _) => Exit::Code(code),
            (None, signal) => Exit::Signal(signal.unwrap_or_default()),
        }))
    }

    /// Lets it continue; a thread reaps the first process when it ends.
    pub(in crate::portable) fn leave(mut self) {
        // Without that thread it stays a zombie until this program ends.
        let _ = std::thread::Builder::new().spawn(move || self.leader.wait());
    }
}
