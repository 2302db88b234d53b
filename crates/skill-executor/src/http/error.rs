//! Requests without a response.

/// Most redirects that are followed.
pub(super) const MAX_REDIRECTS: usize = 5;

/// The reason why there is no response.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HttpError {
    /// The policy of the skill does not name this host.
    #[error(
        "the skill may not reach {0}; `permissions.network_allowlist` of METADATA.yml lists the hosts that it may reach"
    )]
    Denied(String),
    /// A redirect leads to a host that the policy does not name.
    #[error(
        "{0} redirects the request to {1}, which the skill may not reach; if you trust it, add its host to `permissions.network_allowlist` of METADATA.yml"
    )]
    Elsewhere(String, String),
    /// The request cannot be made.
    #[error("{0}")]
    Invalid(String),
    /// The caller cancelled the request.
    #[error("the request was cancelled")]
    Cancelled,
    /// The time was over.
    #[error("no answer from {0} in time")]
    Timeout(String),
    /// Nobody answered.
    #[error("{0} cannot be reached: {1}")]
    Unreachable(String, String),
    /// The answer breaks off, or is not HTTP.
    #[error("the answer of {0} broke off: {1}; nothing of it is kept")]
    BrokenOff(String, String),
    /// The answer is longer than allowed.
    #[error("the answer of {0} is longer than {1} bytes")]
    TooLarge(String, usize),
    /// A redirect leads from a host elsewhere to this machine or its network.
    #[error(
        "{0} redirects the request to {1}, an address of this machine or its network, which is not asked"
    )]
    Inside(String, String),
    /// The answer is compressed.
    #[error(
        "{0} answers in the encoding `{1}`, which was not asked for and in which no secret can be masked; expected `identity`"
    )]
    Encoded(String, String),
    /// The answer is gzip with a secret in it, or too long to be searched for one.
    #[error(
        "the answer of {0} is gzip, and a secret of the skill is in it, or it unpacks to more than {1} bytes; nothing of it is kept"
    )]
    Packed(String, usize),
    /// A long answer cannot be written.
    #[error("the answer cannot be written: {0}")]
    Unwritable(String),
    /// A redirect would send the body to another host.
    #[error(
        "{0} redirects the request with its body to {1}, where it is not sent; if you trust it, make it the address: by the setting for the address, or as `entry.endpoint` of METADATA.yml"
    )]
    Moved(String, String),
    /// There are too many redirects.
    #[error("{0} redirects more than {MAX_REDIRECTS} times")]
    Redirects(String),
}
