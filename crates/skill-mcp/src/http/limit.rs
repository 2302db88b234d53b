//! Rate limits by client: a token bucket of requests, and a limit of requests in progress.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::settings::HttpLimits;

/// The minimum number of buckets before full ones are removed.
const MIN_CLEANUP: usize = 64;

/// The client that a limit applies to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Client {
    /// A session that the server knows.
    Session(Arc<str>),
    /// All requests of an address that have no session.
    Address(IpAddr),
}

/// The buckets of all clients.
#[derive(Debug, Default)]
pub(super) struct Clients {
    buckets: Mutex<Buckets>,
}

/// Buckets by client. A full bucket holds no information, so full ones are removed whenever the
/// number has doubled since the last time. The map never holds more than twice the clients that
/// were active within the time in which a bucket fills.
#[derive(Debug, Default)]
struct Buckets {
    all: BTreeMap<Client, Bucket>,
    /// The number of buckets after the last removal.
    n_after_cleanup: usize,
}

#[derive(Debug)]
struct Bucket {
    left: f64,
    at: Instant,
    in_flight: usize,
}

/// A request in progress; it is counted until this is dropped.
#[derive(Debug)]
pub(super) struct Permit {
    clients: Arc<Clients>,
    client: Client,
}

impl Clients {
    /// Counts a request of a client; returns `None` if the client has reached a limit.
    pub(super) fn enter(
        self: &Arc<Self>,
        client: Client,
        limits: &HttpLimits,
        now: Instant,
    ) -> Option<Permit> {
        let mut buckets = self.buckets();
        buckets.remove_full(limits, now);
        let bucket = buckets.all.entry(client.clone()).or_insert(Bucket {
            left: limits.burst,
            at: now,
            in_flight: 0,
        });
        bucket.left = bucket.filled(limits, now);
        bucket.at = now;
        if bucket.left < 1.0 || bucket.in_flight >= limits.in_flight {
            return None;
        }
        bucket.left -= 1.0;
        bucket.in_flight += 1;
        drop(buckets);
        Some(Permit {
            clients: self.clone(),
            client,
        })
    }

    fn buckets(&self) -> MutexGuard<'_, Buckets> {
        self.buckets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Buckets {
    fn remove_full(&mut self, limits: &HttpLimits, now: Instant) {
        if self.all.len() <= MIN_CLEANUP.max(2 * self.n_after_cleanup) {
            return;
        }
        let is_in_use =
            |bucket: &Bucket| bucket.in_flight > 0 || bucket.filled(limits, now) < limits.burst;
        self.all.retain(|_, bucket| is_in_use(bucket));
        self.n_after_cleanup = self.all.len();
    }
}

impl Bucket {
    fn filled(&self, limits: &HttpLimits, now: Instant) -> f64 {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        passed.mul_add(limits.rate, self.left).min(limits.burst)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(bucket) = self.clients.buckets().all.get_mut(&self.client) {
            bucket.in_flight = bucket.in_flight.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn limits() -> HttpLimits {
        HttpLimits {
            rate: 2.0,
            burst: 3.0,
            in_flight: 2,
            ..HttpLimits::default()
        }
    }

    #[test]
    fn a_bucket_runs_dry_and_fills_again() {
        let (clients, limits, start) = (Arc::new(Clients::default()), limits(), Instant::now());
        let one = Client::Address("127.0.0.1".parse().unwrap());
        let enter = |client: &Client, millis| {
            let now = start + Duration::from_millis(millis);
            clients.enter(client.clone(), &limits, now).is_some()
        };
        assert_eq!(
            [0, 0, 0, 0, 400].map(|millis| enter(&one, millis)),
            [true, true, true, false, false]
        );
        assert_eq!(
            [500, 500, 5_000].map(|millis| enter(&one, millis)),
            [true, false, true]
        );
        assert!(enter(&Client::Session("s".into()), 0));
    }

    #[test]
    fn what_is_in_flight_is_bounded() {
        let (clients, limits, now) = (Arc::new(Clients::default()), limits(), Instant::now());
        let client = Client::Session("s".into());
        let first = clients.enter(client.clone(), &limits, now);
        let second = clients.enter(client.clone(), &limits, now);
        assert!(first.is_some() && second.is_some());
        assert!(clients.enter(client.clone(), &limits, now).is_none());
        drop(second);
        assert!(clients.enter(client, &limits, now).is_some());
    }

    #[test]
    fn clients_that_have_gone_are_forgotten() {
        let (clients, limits, start) = (Arc::new(Clients::default()), limits(), Instant::now());
        let mut most = 0;
        for n in 0..20_000_u32 {
            // Ten clients come each second, and a bucket is full again after half a second.
            let now = start + Duration::from_millis(u64::from(n) * 100);
            let client = Client::Session(n.to_string().into());
            assert!(clients.enter(client, &limits, now).is_some());
            most = most.max(clients.buckets().all.len());
        }
        assert!(most <= MIN_CLEANUP + 1, "{most} are kept");
    }

    #[test]
    fn a_crowd_that_is_here_is_not_forgotten() {
        let (clients, limits, now) = (Arc::new(Clients::default()), limits(), Instant::now());
        for _ in 0..3 {
            for n in 0..1_000_u32 {
                let client = Client::Session(n.to_string().into());
                assert!(clients.enter(client, &limits, now).is_some());
            }
        }
        let client = Client::Session("7".into());
        assert!(clients.enter(client, &limits, now).is_none());
        assert_eq!(clients.buckets().all.len(), 1_000);
    }
}
