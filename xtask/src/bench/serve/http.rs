//! Many agents over HTTP in one thread, so that the server is what is measured: non-blocking
//! sockets, requests formatted by hand, answers checked only as much as needed.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::buffer::spare_capacity;
use rustix::event::{Timespec, epoll};

use super::agent::{Agent, PATIENCE};

/// The result of a load.
#[derive(Default)]
pub(super) struct Load {
    /// The sorted latencies.
    pub(super) times: Vec<Duration>,
    pub(super) n_errors: usize,
    /// Number of reads that were never answered.
    pub(super) n_lost: usize,
    took: Duration,
}

impl Load {
    pub(super) fn rate(&self) -> f64 {
        let n = u32::try_from(self.times.len()).unwrap_or(u32::MAX);
        f64::from(n) / self.took.as_secs_f64()
    }

    pub(super) fn p99(&self) -> Duration {
        super::percentile(&self.times, 99).unwrap_or(Duration::MAX)
    }

    pub(super) fn max(&self) -> Duration {
        self.times.last().copied().unwrap_or(Duration::MAX)
    }
}

/// Runs at full speed: each agent sends its next read after the last answer.
pub(super) fn load(port: u16, n_sessions: usize, n_reads: usize) -> Result<Load> {
    agents(port, n_sessions, n_reads, Duration::ZERO)
}

/// Runs with two reads per second and agent.
pub(super) fn paced(port: u16, n_sessions: usize, n_reads: usize) -> Result<Load> {
    agents(port, n_sessions, n_reads, Duration::from_millis(500))
}

fn agents(port: u16, n_sessions: usize, n_reads: usize, pause: Duration) -> Result<Load> {
    let agents: Result<Vec<Agent>> = (0..n_sessions).map(|_| Agent::connect(port)).collect();
    let agents = agents?;
    let epoll = epoll::create(epoll::CreateFlags::CLOEXEC)?;
    for (n, agent) in agents.iter().enumerate() {
        let data = epoll::EventData::new_u64(n as u64);
        epoll::add(&epoll, agent.fd(), data, epoll::EventFlags::IN)?;
    }
    let mut crowd = Crowd {
        n_sent: vec![0; agents.len()],
        due: BTreeSet::new(),
        is_gone: vec![false; agents.len()],
        agents,
        n_reads,
        pause,
        n_waiting: 0,
        res: Load::default(),
    };
    let begin = Instant::now();
    crowd.run(&epoll, begin)?;
    crowd.res.took = begin.elapsed();
    crowd.res.n_lost = n_sessions * n_reads - crowd.res.times.len() - crowd.res.n_errors;
    crowd.res.times.sort_unstable();
    for (agent, is_gone) in crowd.agents.into_iter().zip(crowd.is_gone) {
        if !is_gone {
            agent.leave();
        }
    }
    Ok(crowd.res)
}

/// The agents of a load.
struct Crowd {
    agents: Vec<Agent>,
    n_reads: usize,
    pause: Duration,
    /// Number of reads that each has sent.
    n_sent: Vec<usize>,
    /// The next send times with their agents.
    due: BTreeSet<(Instant, usize)>,
    /// True for agents whose connection, and its pending reads, are lost.
    is_gone: Vec<bool>,
    /// Number of pending reads.
    n_waiting: usize,
    res: Load,
}

impl Crowd {
    fn run(&mut self, epoll: &impl rustix::fd::AsFd, begin: Instant) -> Result<()> {
        let n_agents = u32::try_from(self.agents.len().max(1))?;
        for n in 0..self.agents.len() {
            let phase = self.pause * u32::try_from(n)? / n_agents;
            self.due.insert((begin + phase, n));
        }
        let mut events = Vec::with_capacity(256);
        loop {
            self.send_due();
            if self.n_waiting == 0 && self.due.is_empty() {
                return Ok(());
            }
            let patience = Timespec::try_from(self.patience())?;
            epoll::wait(epoll, spare_capacity(&mut events), Some(&patience))?;
            if events.is_empty() && self.due.is_empty() {
                // No data arrived for too long: the pending reads are lost.
                return Ok(());
            }
            for event in events.drain(..) {
                let data = event.data;
                self.hear(usize::try_from(data.u64())?);
            }
        }
    }

    fn patience(&self) -> Duration {
        let first = self.due.first();
        first.map_or(PATIENCE, |(at, _)| {
            at.saturating_duration_since(Instant::now())
        })
    }

    fn send_due(&mut self) {
        while let Some((at, n)) = self.due.first().copied()
            && (self.pause.is_zero() || at <= Instant::now())
        {
            self.due.pop_first();
            self.ask(n);
        }
    }

    fn ask(&mut self, n: usize) {
        self.n_sent[n] += 1;
        let id = n * self.n_reads + self.n_sent[n];
        match self.agents[n].ask(id) {
            Ok(()) => self.n_waiting += 1,
            Err(_) => self.is_gone[n] = true,
        }
    }

    fn hear(&mut self, n: usize) {
        if self.is_gone[n] {
            return;
        }
        let agent = &mut self.agents[n];
        match agent.hear() {
            Ok(false) => return,
            Ok(true) => {}
            Err(_) => {
                self.is_gone[n] = true;
                self.n_waiting -= usize::from(agent.asked.take().is_some());
                return;
            }
        }
        let Some((id, sent)) = agent.asked.take() else {
            return;
        };
        let time = sent.elapsed();
        self.n_waiting -= 1;
        if agent.is_right(id) {
            self.res.times.push(time);
        } else {
            self.res.n_errors += 1;
        }
        if self.n_sent[n] == self.n_reads {
            return;
        }
        if self.pause.is_zero() {
            self.ask(n);
        } else {
            self.due.insert((sent + self.pause, n));
        }
    }
}
