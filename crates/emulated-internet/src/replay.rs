//! Answers from a recording.

use std::sync::{Mutex, PoisonError};

use crate::cassette::Take;
use crate::exchange::Exchange;
use crate::question::Answer;

/// A recording that answers the requests of one program.
#[derive(Debug)]
pub(crate) struct Player {
    takes: Vec<Take>,
    is_used: Mutex<Vec<bool>>,
}

/// Returns true if a recorded request counts as the same as another one.
type Same = fn(&Exchange, &Exchange) -> bool;

/// The parts that have to be equal, the strictest rule first: a time in a header or in a query is another one in every run.
const LEVELS: [Same; 4] = [
    |a, b| is_at(a, b) && a.body == b.body && a.headers == b.headers,
    |a, b| is_at(a, b) && a.body == b.body,
    is_at,
    |a, b| a.method == b.method && without_query(&a.url) == without_query(&b.url),
];

fn is_at(a: &Exchange, b: &Exchange) -> bool {
    a.method == b.method && a.url == b.url
}

fn without_query(url: &str) -> &str {
    url.split('?').next().unwrap_or_default()
}

impl Player {
    pub(crate) fn new(takes: Vec<Take>) -> Self {
        Self {
            is_used: Mutex::new(vec![false; takes.len()]),
            takes,
        }
    }

    /// Returns the answer to a request without secrets.
    pub(crate) fn answer(&self, request: &Exchange) -> Option<Answer> {
        self.take(request).map(Take::answer)
    }

    /// Returns the recorded request that is most like one without secrets, of equal ones the first that was not
    /// used yet, else the last.
    pub(crate) fn take(&self, request: &Exchange) -> Option<&Take> {
        let mut is_used = self.is_used.lock().unwrap_or_else(PoisonError::into_inner);
        let found = LEVELS.iter().find_map(|is_same| {
            let all = self.takes.iter().enumerate();
            let mut same = all.filter(|(_, take)| is_same(&take.request, request));
            let fresh = same.clone().find(|(at, _)| !is_used[*at]);
            fresh.or_else(|| same.next_back())
        });
        let (at, take) = found?;
        is_used[at] = true;
        Some(take)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A request to `METHOD URL BODY`.
    fn request(line: &str) -> Exchange {
        let mut words = line.split(' ');
        let method = words.next().unwrap();
        let mut res = Exchange::of_message(words.next().unwrap(), Ok(words.next().unwrap()));
        method.clone_into(&mut res.method);
        res
    }

    /// Checks the answers, each the number of a recorded request, to some requests one after the other.
    #[track_caller]
    fn check(recorded: &[&str], asked: &[(&str, Option<usize>)]) {
        let takes = recorded.iter().enumerate();
        let takes = takes
            .map(|(n, line)| Take::new(request(line), Answer::new("text/plain", n.to_string())));
        let player = Player::new(takes.collect());
        for (line, expected) in asked {
            let answer = player.answer(&request(line));
            let expected = expected.map(|n| n.to_string().into_bytes());
            assert_eq!(answer.map(|answer| answer.body), expected, "{line}");
        }
    }

    #[test]
    fn equal_requests_are_answered_in_order() {
        check(
            &["GET a/x -", "GET a/x -", "GET a/y -"],
            &[
                ("GET a/x -", Some(0)),
                ("GET a/y -", Some(2)),
                ("GET a/x -", Some(1)),
                ("GET a/x -", Some(1)),
            ],
        );
    }

    #[test]
    fn the_most_similar_one_answers() {
        check(
            &["POST a/x?t=1 one", "POST a/x?t=1 two", "POST a/x?t=2 one"],
            &[
                ("POST a/x?t=1 two", Some(1)),
                ("POST a/x?t=2 three", Some(2)),
                ("POST a/x?t=9 one", Some(0)),
                ("GET a/x?t=1 one", None),
                ("POST b/x?t=1 one", None),
            ],
        );
    }
}
