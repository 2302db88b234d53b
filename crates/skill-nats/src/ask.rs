//! Requests to the server that may be repeated.
//!
//! A server that is creating a stream may never answer a request about it (nats-server issue 6421).
//! A request that changes nothing, or nothing more the second time, is therefore repeated long
//! before the time limit of the client library.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use crate::Error;

/// The time limit of one attempt.
const PATIENCE: Duration = Duration::from_secs(2);
/// The maximum number of attempts: ten seconds in all, the time limit of the client library.
const TIMES: u32 = 5;

/// Repeats a request until there is an answer, which may be an error.
///
/// # Errors
///
/// The error of the server or the client library, or that there was no answer.
pub(crate) async fn ask<T, E: Display, F: Future<Output = Result<T, E>>>(
    action: &'static str,
    question: impl Fn() -> F,
) -> Result<T, Error> {
    ask_within(PATIENCE, action, question).await
}

async fn ask_within<T, E: Display, F: Future<Output = Result<T, E>>>(
    patience: Duration,
    action: &'static str,
    question: impl Fn() -> F,
) -> Result<T, Error> {
    for _ in 0..TIMES {
        if let Ok(answer) = tokio::time::timeout(patience, question()).await {
            return answer.map_err(Error::refused(action));
        }
    }
    Err(Error::refused(action)("the server does not answer"))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Checks a server that gives no answer `silent` times, and then `answer`.
    #[track_caller]
    fn check(silent: u32, answer: Result<u32, &str>, expected: Result<u32, &str>) {
        let asked = Cell::new(0);
        let question = || async {
            asked.set(asked.get() + 1);
            if asked.get() <= silent {
                std::future::pending::<()>().await;
            }
            answer
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let found = runtime.block_on(ask_within(Duration::from_millis(1), "try", question));
        let found = found.map_err(|error| error.to_string());
        assert_eq!(found, expected.map_err(str::to_owned));
        assert_eq!(asked.get(), (silent + 1).min(TIMES));
    }

    #[test]
    fn an_answer_ends_the_asking() {
        check(0, Ok(7), Ok(7));
        check(0, Err("no"), Err("cannot try: no"));
    }

    #[test]
    fn silence_is_asked_again() {
        check(1, Ok(7), Ok(7));
        check(TIMES - 1, Err("no"), Err("cannot try: no"));
    }

    #[test]
    fn silence_without_end_is_an_error() {
        check(TIMES, Ok(7), Err("cannot try: the server does not answer"));
    }
}
