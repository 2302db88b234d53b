//! The network access of a child.

/// The network access that was set up, for the restrictions that follow.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NetworkAccess {
    /// No network. There is no namespace either, because creating and ending one costs as much as
    /// all other restrictions together, and seccomp refuses the sockets.
    None,
    /// A private network with a relay.
    Relay,
    /// The network of the machine, restricted by port.
    Ports {
        /// The ports to which TCP connections are allowed, on any host.
        tcp: Vec<u16>,
        /// UDP sockets are allowed too, to any port: names are looked up through them.
        udp: bool,
    },
    /// The network of the machine.
    Any,
}
