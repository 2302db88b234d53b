//! The clients that send requests. Their connections stay open for later requests.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use ureq::Agent;
use ureq::http::{Request, Uri};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};

use super::policy::Hosts;

/// Addresses of one host that are tried: as many as the client holds.
const MAX_ADDRESSES: usize = 16;

/// The clients of an executor, each made when it is needed. Copies share them.
#[derive(Clone, Default, Debug)]
pub struct Clients(Arc<Both>);

#[derive(Default, Debug)]
struct Both {
    careful: OnceLock<Agent>,
    open: OnceLock<Agent>,
}

impl Clients {
    /// Returns the client for requests to these hosts: names of an allow-list are resolved as the relay
    /// of the sandbox does.
    pub(crate) fn of(&self, hosts: &Hosts) -> &Agent {
        match hosts {
            Hosts::Any => self.0.open.get_or_init(|| config().new_agent()),
            _ => self.careful(),
        }
    }

    /// Returns the client for an address that a stranger named: no name leads it to this machine.
    pub(super) fn careful(&self) -> &Agent {
        let make = || Agent::with_parts(config(), DefaultConnector::default(), SandboxResolver);
        self.0.careful.get_or_init(make)
    }
}

/// Proxies of our environment are not for skills; redirects are followed by us.
fn config() -> ureq::config::Config {
    Agent::config_builder()
        .http_status_as_error(false)
        .proxy(None)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .user_agent(concat!("skill-executor/", env!("CARGO_PKG_VERSION")))
        .build()
}

/// Sets the time limit of one request, or none.
pub(crate) fn limited<B: ureq::AsSendBody>(
    agent: &Agent,
    request: Request<B>,
    limit: Option<Duration>,
) -> Request<B> {
    let config = agent.configure_request(request);
    config.timeout_global(limit).build()
}

/// Resolves names of an allow-list as the relay of the sandbox does.
#[derive(Debug)]
struct SandboxResolver;

impl Resolver for SandboxResolver {
    fn resolve(
        &self,
        uri: &Uri,
        _: &ureq::config::Config,
        _: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let host = uri.host().unwrap_or_default();
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let is_tls = uri.scheme_str() == Some("https");
        let port = uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 });
        let found = skill_sandbox::addresses(host, port).unwrap_or_default();
        let mut res = self.empty();
        for address in found.into_iter().take(MAX_ADDRESSES) {
            res.push(address);
        }
        if res.is_empty() {
            return Err(ureq::Error::HostNotFound);
        }
        Ok(res)
    }
}
