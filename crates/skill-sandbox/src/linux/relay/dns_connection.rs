//! DNS queries over TCP: each is preceded by its length (RFC 1035, 4.2.2).

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;

use super::pair::State;
use crate::dns;

/// A connection for DNS queries.
#[derive(Debug)]
pub(super) struct DnsConnection {
    pub(super) stream: TcpStream,
    heard: Vec<u8>,
}

impl DnsConnection {
    pub(super) fn new(stream: TcpStream) -> std::io::Result<Self> {
        stream.set_nonblocking(true)?;
        Ok(Self {
            stream,
            heard: Vec::new(),
        })
    }

    /// Reads what is available and answers every complete query. A client that does not read its
    /// answers, or sends a query that is too long, is disconnected.
    pub(super) fn serve(
        &mut self,
        space: &mut [u8],
        mut answer: impl FnMut(&[u8]) -> Option<Vec<u8>>,
    ) -> State {
        match self.stream.read(space) {
            Ok(0) => return State::Over,
            Ok(count) => self.heard.extend_from_slice(&space[..count]),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return State::Over,
        }
        let mut unanswered = self.heard.as_slice();
        while let Some((length, rest)) = unanswered.split_first_chunk::<2>() {
            let length = usize::from(u16::from_be_bytes(*length));
            if length > dns::LONGEST {
                return State::Over;
            }
            let Some((message, rest)) = rest.split_at_checked(length) else {
                break;
            };
            if let Some(answer) = answer(message)
                && self.stream.write_all(&framed(&answer)).is_err()
            {
                return State::Over;
            }
            unanswered = rest;
        }
        // Once, not for each query: a query may be as short as two bytes.
        let answered = self.heard.len() - unanswered.len();
        self.heard.drain(..answered);
        State::Open
    }
}

fn framed(answer: &[u8]) -> Vec<u8> {
    let length = u16::try_from(answer.len()).expect("an answer is little longer than its question");
    [&length.to_be_bytes(), answer].concat()
}
