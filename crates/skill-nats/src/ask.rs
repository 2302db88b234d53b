//! Questions to the server that may be asked twice.
//!
//! A server that is making a stream at this moment may never answer what it is asked about it
//! (nats-server issue 6421). A question that changes nothing, or nothing more the second time, is
//! therefore asked again long before the client library loses patience.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use crate::Error;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the same is asked: ten seconds in all, as long as the client library waits once.
const TIMES: u32 = 5;

/// Asks until there is an answer, be it an error.
///
/// # Errors
/// What the server or the client library says, or that there was no answer.
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

    /// Asks a server that gives no answer so many times, and then this one.
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
    fn silence_for_ever_is_an_error() {
        check(TIMES, Ok(7), Err("cannot try: the server does not answer"));
    }
}
