//! A job object. The system ends all its processes when the last handle of it closes, also when
//! this program crashes, unless they may outlive the call.

use std::io;
use std::process::Command;

use process_wrap::tokio::{ChildWrapper, CommandWrap, JobObject, KillOnDrop};

use crate::outcome::Exit;
use crate::spec::AtExit;

#[derive(Debug)]
pub(in crate::portable) struct Group {
    leader: Box<dyn ChildWrapper>,
}

impl Group {
    pub(in crate::portable) fn start(command: Command, at_exit: AtExit) -> io::Result<Self> {
        // Only the variant for tokio makes jobs that end with their handle; no runtime is needed to
        // start a process and to look whether it has ended.
        let mut command = CommandWrap::from(tokio::process::Command::from(command));
        if at_exit == AtExit::Kill {
            command.wrap(KillOnDrop);
        }
        let leader = command.wrap(JobObject).spawn()?;
        Ok(Self { leader })
    }

    /// Returns the process id; 0 after the end.
    pub(in crate::portable) fn id(&self) -> u32 {
        self.leader.id().unwrap_or_default()
    }

    pub(in crate::portable) fn has_ended(&mut self) -> io::Result<bool> {
        Ok(self.leader.try_wait()?.is_some())
    }

    pub(in crate::portable) fn kill(&mut self) {
        // Failure means that it has ended already.
        let _ = self.leader.start_kill();
    }

    pub(in crate::portable) fn exit(&mut self) -> io::Result<Option<Exit>> {
        let status = self.leader.try_wait()?;
        Ok(status.map(|status| Exit::Code(status.code().unwrap_or_default())))
    }

    /// Lets it continue if it was started so that it may outlive the call.
    pub(in crate::portable) fn leave(self) {
        drop(self);
    }
}
