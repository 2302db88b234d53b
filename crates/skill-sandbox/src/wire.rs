//! What we and the launcher say to each other over its descriptor 0: frames of a length and JSON, and
//! once descriptors.

use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read as _, Write as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::io::retry_on_intr;
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::Pid;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// More than any environment the system would accept.
const LONGEST: usize = 64 << 20;

/// As many descriptors as one message can carry (`SCM_MAX_FD`, unix(7)).
const MOST_FDS: usize = 253;

/// Sends `value`, and with it descriptors, at most 253.
pub(crate) fn send<T: Serialize>(
    socket: &UnixStream,
    value: &T,
    fds: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let body = serde_json::to_vec(value)?;
    let length = u32::try_from(body.len()).map_err(|_| io::Error::from(ErrorKind::FileTooLarge))?;
    let mut frame = length.to_le_bytes().to_vec();
    frame.extend(body);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FDS))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    if !fds.is_empty() && !ancillary.push(SendAncillaryMessage::ScmRights(fds)) {
        let message = format!("{} descriptors at once; {MOST_FDS} are the most", fds.len());
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    }
    let parts = [IoSlice::new(&frame)];
    let sent = retry_on_intr(|| sendmsg(socket, &parts, &mut ancillary, SendFlags::NOSIGNAL))?;
    let mut socket = socket;
    socket.write_all(&frame[sent..])
}

/// What came with a value.
#[derive(Debug, Default)]
pub(crate) struct Enclosed {
    pub(crate) fds: Vec<OwnedFd>,
    /// The process that sent it, as we number it; where `SO_PASSCRED` is set.
    pub(crate) sender: Option<Pid>,
}

/// Receives a value and what came with it. `None` at the end of the conversation.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: &UnixStream,
) -> io::Result<Option<(T, Enclosed)>> {
    let mut length = [0; 4];
    let mut space =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FDS), ScmCredentials(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    // A socket with a time limit is interrupted by signals that others are not (signal(7)).
    let received = retry_on_intr(|| {
        let parts = &mut [IoSliceMut::new(&mut length)];
        recvmsg(
            socket.as_fd(),
            parts,
            &mut ancillary,
            RecvFlags::CMSG_CLOEXEC,
        )
    })?;
    if received.bytes == 0 {
        return Ok(None);
    }
    let mut enclosed = Enclosed::default();
    for message in ancillary.drain() {
        match message {
            RecvAncillaryMessage::ScmRights(fds) => enclosed.fds.extend(fds),
            RecvAncillaryMessage::ScmCredentials(sender) => enclosed.sender = Some(sender.pid),
            _ => {}
        }
    }
    let mut socket = socket;
    socket.read_exact(&mut length[received.bytes..])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(ErrorKind::InvalidData.into());
    }
    let mut body = vec![0; length];
    socket.read_exact(&mut body)?;
    Ok(Some((serde_json::from_slice(&body)?, enclosed)))
}
