//! Counters and their text format for Prometheus
//! (<https://prometheus.io/docs/instrumenting/exposition_formats/>).

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use skill_disclosure::CacheStatistics;

/// The upper bounds of the latency classes, in microseconds.
const CLASSES: [u64; 8] = [
    250, 1_000, 5_000, 20_000, 100_000, 500_000, 2_000_000, 10_000_000,
];

/// The counters of a server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Calls by method or tool, and outcome.
    calls: Mutex<BTreeMap<(String, &'static str), u64>>,
    /// HTTP responses by status.
    statuses: Mutex<BTreeMap<u16, u64>>,
    classes: [AtomicU64; CLASSES.len() + 1],
    micros: AtomicU64,
    /// The estimated tokens of all texts that were returned.
    pub(crate) tokens: AtomicU64,
    /// Open HTTP connections.
    pub(crate) connections: AtomicI64,
    /// Open sessions of agents.
    pub(crate) sessions: AtomicI64,
    /// The number of changes of the catalog.
    pub(crate) reloads: AtomicU64,
}

impl Metrics {
    /// Counts a call of a method, or of a tool of this server.
    pub(crate) fn call(&self, what: &str, is_error: bool, took: Duration) {
        let outcome = if is_error { "error" } else { "ok" };
        let calls = self.calls.lock();
        let mut calls = calls.unwrap_or_else(PoisonError::into_inner);
        match calls.get_mut(&(what.to_owned(), outcome)) {
            Some(n) => *n += 1,
            None => {
                calls.insert((what.to_owned(), outcome), 1);
            }
        }
        drop(calls);
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        let class = CLASSES.partition_point(|bound| *bound < micros);
        self.classes[class].fetch_add(1, Ordering::Relaxed);
        self.micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// Counts an HTTP response.
    pub(crate) fn status(&self, status: u16) {
        let statuses = self.statuses.lock();
        *statuses
            .unwrap_or_else(PoisonError::into_inner)
            .entry(status)
            .or_default() += 1;
    }

    /// Returns all counters, with the current numbers of skills and findings.
    pub(crate) fn render(&self, n_skills: usize, n_findings: usize) -> String {
        let mut res = String::new();
        self.render_calls(&mut res);
        head(
            &mut res,
            "http_responses_total",
            "counter",
            "HTTP responses by status.",
        );
        for (status, n) in &*self.statuses.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = writeln!(
                res,
                "skills_http_responses_total{{status=\"{status}\"}} {n}"
            );
        }
        self.render_classes(&mut res);
        let tokens = self.tokens.load(Ordering::Relaxed);
        one(
            &mut res,
            "tokens_total",
            "counter",
            "Estimated tokens of all returned texts.",
            tokens,
        );
        let reloads = self.reloads.load(Ordering::Relaxed);
        one(
            &mut res,
            "reloads_total",
            "counter",
            "Changes of the catalog.",
            reloads,
        );
        let connections = self.connections.load(Ordering::Relaxed);
        one(
            &mut res,
            "connections",
            "gauge",
            "Open HTTP connections.",
            connections,
        );
        let sessions = self.sessions.load(Ordering::Relaxed);
        one(
            &mut res,
            "sessions",
            "gauge",
            "Sessions of agents.",
            sessions,
        );
        one(
            &mut res,
            "catalog_skills",
            "gauge",
            "Skills in the catalog.",
            n_skills,
        );
        one(
            &mut res,
            "catalog_findings",
            "gauge",
            "Findings about skills that the catalog leaves out.",
            n_findings,
        );
        res
    }

    fn render_calls(&self, res: &mut String) {
        head(
            res,
            "calls_total",
            "counter",
            "Methods and tools by outcome.",
        );
        for ((what, outcome), n) in &*self.calls.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = writeln!(
                res,
                "skills_calls_total{{name=\"{what}\",outcome=\"{outcome}\"}} {n}"
            );
        }
    }

    fn render_classes(&self, res: &mut String) {
        head(res, "call_seconds", "histogram", "Duration of calls.");
        let mut n = 0;
        for (class, count) in self.classes.iter().enumerate() {
            n += count.load(Ordering::Relaxed);
            let bound = CLASSES
                .get(class)
                .map_or("+Inf".to_owned(), |micros| seconds(*micros));
            let _ = writeln!(res, "skills_call_seconds_bucket{{le=\"{bound}\"}} {n}");
        }
        let sum = seconds(self.micros.load(Ordering::Relaxed));
        let _ = writeln!(
            res,
            "skills_call_seconds_sum {sum}\nskills_call_seconds_count {n}"
        );
    }
}

/// Writes the hit and miss counters of descriptions, by phase.
pub(crate) fn render_descriptions(res: &mut String, statistics: &CacheStatistics) {
    head(
        res,
        "descriptions_total",
        "counter",
        "Descriptions that were cached (hit) or had to be made (miss), by phase; of the misses, \
        those that were too old or of a changed skill; and evicted ones.",
    );
    for (phase, one) in statistics {
        for (outcome, n) in [
            ("hit", one.hits),
            ("miss", one.misses),
            ("expired", one.expired),
            ("invalidated", one.invalidated),
            ("evicted", one.evicted),
        ] {
            let phase = phase.word();
            let _ = writeln!(
                res,
                "skills_descriptions_total{{phase=\"{phase}\",outcome=\"{outcome}\"}} {n}"
            );
        }
    }
    head(res, "descriptions", "gauge", "Cached descriptions.");
    for (phase, one) in statistics {
        let _ = writeln!(
            res,
            "skills_descriptions{{phase=\"{}\"}} {}",
            phase.word(),
            one.entries
        );
    }
}

fn seconds(micros: u64) -> String {
    format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000)
}

fn head(res: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(
        res,
        "# HELP skills_{name} {help}\n# TYPE skills_{name} {kind}"
    );
}

fn one(res: &mut String, name: &str, kind: &str, help: &str, value: impl std::fmt::Display) {
    head(res, name, kind, help);
    let _ = writeln!(res, "skills_{name} {value}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_holds_everything_below_its_bound() {
        let metrics = Metrics::default();
        for micros in [1, 250, 251, 60_000_000] {
            metrics.call("read_skill", false, Duration::from_micros(micros));
        }
        metrics.call("read_skill", true, Duration::ZERO);
        let mut text = metrics.render(3, 0);
        let brief = skill_disclosure::PhaseStatistics {
            hits: 5,
            entries: 2,
            ..Default::default()
        };
        let phase = skill_disclosure::Phase::Brief;
        render_descriptions(&mut text, &[(phase, brief)].into());
        for line in [
            "skills_descriptions_total{phase=\"brief\",outcome=\"hit\"} 5",
            "skills_descriptions{phase=\"brief\"} 2",
            "skills_calls_total{name=\"read_skill\",outcome=\"ok\"} 4",
            "skills_calls_total{name=\"read_skill\",outcome=\"error\"} 1",
            "skills_call_seconds_bucket{le=\"0.000250\"} 3",
            "skills_call_seconds_bucket{le=\"0.001000\"} 4",
            "skills_call_seconds_bucket{le=\"+Inf\"} 5",
            "skills_call_seconds_sum 60.000502",
            "skills_catalog_skills 3",
        ] {
            assert!(text.lines().any(|known| known == line), "{line}\n{text}");
        }
    }
}
