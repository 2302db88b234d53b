//! Sets the addresses of the interface of a network namespace over netlink (rtnetlink(7)).

use std::net::IpAddr;

use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send, socket_with,
};

/// The first interface of every namespace is `lo`.
const LOOPBACK: u32 = 1;

/// Message types and flags (`linux/netlink.h`, `linux/rtnetlink.h`).
const ERROR: u16 = 2;
const NEW_LINK: u16 = 16;
const NEW_ADDRESS: u16 = 20;
const REQUEST: u16 = 0x1;
const ACKNOWLEDGE: u16 = 0x4;
const EXCLUSIVE: u16 = 0x200;
const CREATE: u16 = 0x400;

/// Attributes of an address (`linux/if_addr.h`).
const ADDRESS: u16 = 1;
const LOCAL: u16 = 2;

/// The flag of an interface that is up (`linux/if.h`).
const UP: u32 = 1;

const INET: u8 = 2;
const INET6: u8 = 10;

/// A socket to the kernel for settings of interfaces.
pub(super) struct Netlink(OwnedFd);

impl Netlink {
    pub(super) fn open() -> Result<Self, Errno> {
        let flags = SocketFlags::CLOEXEC;
        socket_with(AddressFamily::NETLINK, SocketType::RAW, flags, None).map(Self)
    }

    /// Brings `lo` up; it then gets its own addresses.
    pub(super) fn bring_up(&self) -> Result<(), Errno> {
        // struct ifinfomsg: family and kind are 0; then index, flags, and the mask of flags to
        // change.
        let mut body = vec![0; 4];
        for number in [LOOPBACK, UP, UP] {
            body.extend(number.to_ne_bytes());
        }
        self.ask(NEW_LINK, 0, &body)
    }

    /// Assigns the network of `address` with a prefix of `bits` bits to `lo`.
    pub(super) fn add(&self, address: IpAddr, bits: u8) -> Result<(), Errno> {
        let (family, octets) = match address {
            IpAddr::V4(address) => (INET, address.octets().to_vec()),
            IpAddr::V6(address) => (INET6, address.octets().to_vec()),
        };
        // struct ifaddrmsg: family, bits, flags, scope (all), index.
        let mut body = vec![family, bits, 0, 0];
        body.extend(LOOPBACK.to_ne_bytes());
        for attribute in [LOCAL, ADDRESS] {
            let length = u16::try_from(4 + octets.len()).expect("an address is short");
            body.extend(length.to_ne_bytes());
            body.extend(attribute.to_ne_bytes());
            body.extend(&octets);
        }
        self.ask(NEW_ADDRESS, CREATE | EXCLUSIVE, &body)
    }

    /// Sends a request and waits for its result.
    fn ask(&self, kind: u16, flags: u16, body: &[u8]) -> Result<(), Errno> {
        let length = u32::try_from(16 + body.len()).expect("a request is short");
        let mut message = length.to_ne_bytes().to_vec();
        message.extend(kind.to_ne_bytes());
        message.extend((REQUEST | ACKNOWLEDGE | flags).to_ne_bytes());
        // Number and sender are 0: there is one request at a time, and the kernel knows us.
        message.extend([0; 8]);
        message.extend(body);
        send(&self.0, &message, SendFlags::empty())?;
        let mut answer = [0; 1024];
        let (_, length) = recv(&self.0, &mut answer, RecvFlags::empty())?;
        result(&answer[..length.min(1024)])
    }
}

/// Returns the result in an answer: after the header, a negative error number, or 0 for success.
fn result(answer: &[u8]) -> Result<(), Errno> {
    let kind = answer.get(4..6).map(|bytes| [bytes[0], bytes[1]]);
    let number = answer.get(16..20).and_then(<[u8]>::first_chunk);
    match (kind.map(u16::from_ne_bytes), number) {
        (Some(ERROR), Some(number)) => match i32::from_ne_bytes(*number) {
            0 => Ok(()),
            number => Err(Errno::from_raw_os_error(-number)),
        },
        _ => Err(Errno::PROTO),
    }
}
