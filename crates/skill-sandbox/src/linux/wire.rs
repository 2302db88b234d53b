//! The messages between the caller and the launcher over its descriptor 0: each is a length and
//! JSON, and may carry descriptors.

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

/// The longest message: more than any environment that the system accepts.
const LONGEST: usize = 64 << 20;

/// The maximum number of descriptors of one message (`SCM_MAX_FD`, unix(7)).
const MOST_FDS: usize = 253;

/// Sends `value` with at most 253 descriptors.
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
        let message = format!(
            "{} descriptors in one message; the maximum is {MOST_FDS}",
            fds.len()
        );
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    }
    let parts = [IoSlice::new(&frame)];
    let sent = retry_on_intr(|| sendmsg(socket, &parts, &mut ancillary, SendFlags::NOSIGNAL))?;
    let mut socket = socket;
    socket.write_all(&frame[sent..])
}

/// The attachments of a message.
#[derive(Debug, Default)]
pub(crate) struct Attachments {
    pub(crate) fds: Vec<OwnedFd>,
    /// The process that sent it, by its id in our namespace; only if `SO_PASSCRED` is set.
    pub(crate) sender: Option<Pid>,
}

/// Receives a value and its attachments. `None` at the end of the connection.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: &UnixStream,
) -> io::Result<Option<(T, Attachments)>> {
    let mut length = [0; 4];
    let mut space =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_FDS), ScmCredentials(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    // Signals interrupt a socket with a timeout even where other calls are restarted (signal(7)).
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
    let mut attachments = Attachments::default();
    for message in ancillary.drain() {
        match message {
            RecvAncillaryMessage::ScmRights(fds) => attachments.fds.extend(fds),
            RecvAncillaryMessage::ScmCredentials(sender) => attachments.sender = Some(sender.pid),
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
    Ok(Some((serde_json::from_slice(&body)?, attachments)))
}
