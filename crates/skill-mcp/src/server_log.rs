//! The log of the MCP server behind a skill, for clients that want it.
//!
//! Source: <https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging>. Clients of
//! 2026-07-28 ask for it with each request.
#![expect(
    deprecated,
    reason = "the log is deprecated, and clients of all versions until 2026-07-28 use it"
)]

use rmcp::model::{
    LoggingLevel, LoggingMessageNotificationParam, ProtocolVersion, SetLevelRequestParams,
};
use rmcp::service::RequestContext;
use rmcp::{Peer, RoleServer};
use serde_json::Value;

/// A log message.
pub(crate) type Message = LoggingMessageNotificationParam;
/// The wish of a client for a level.
pub(crate) type LevelParams = SetLevelRequestParams;

/// The levels, the least severe first.
const LEVELS: [LoggingLevel; 8] = [
    LoggingLevel::Debug,
    LoggingLevel::Info,
    LoggingLevel::Notice,
    LoggingLevel::Warning,
    LoggingLevel::Error,
    LoggingLevel::Critical,
    LoggingLevel::Alert,
    LoggingLevel::Emergency,
];
/// The level of a message that names none.
const USUAL: LoggingLevel = LoggingLevel::Info;

/// The severity of a message: the position of its level.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct Severity(usize);

impl Severity {
    /// Returns the severity that a client chose for its connection.
    pub(crate) fn chosen(params: &LevelParams) -> Self {
        Self::of(params.level)
    }

    /// Returns the severity of a level.
    fn of(level: LoggingLevel) -> Self {
        let position = LEVELS.iter().position(|known| *known == level);
        Self(position.unwrap_or_default())
    }

    /// Returns the lowest severity that the client of a call wants: the one that it set for its connection,
    /// or all. `None` if it wants no log.
    pub(crate) fn wanted(
        context: &RequestContext<RoleServer>,
        of_session: Option<Self>,
    ) -> Option<Self> {
        let version = context.protocol_version();
        let is_new = version
            .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        if is_new {
            return context.meta.log_level().map(Self::of);
        }
        Some(of_session.unwrap_or_default())
    }
}

/// Returns a message of a server, if it is as severe as the client wants.
pub(crate) fn message(params: &Value, wanted: Severity) -> Option<Message> {
    let level = serde_json::from_value(params["level"].clone()).unwrap_or(USUAL);
    if Severity::of(level) < wanted {
        return None;
    }
    let res = Message::new(level, params["data"].clone());
    Some(match params["logger"].as_str() {
        Some(logger) => res.with_logger(logger),
        None => res,
    })
}

/// Returns the message that says how many messages of a server were dropped: a warning, or as severe as the
/// client wants.
pub(crate) fn dropped(n_dropped: usize, wanted: Severity) -> Message {
    let least = Severity::of(LoggingLevel::Warning).max(wanted);
    let level = LEVELS.get(least.0).copied().unwrap_or(USUAL);
    let text = format!(
        "{n_dropped} log messages of the server were dropped, because the client takes them more slowly than they come"
    );
    Message::new(level, text.into()).with_logger("skills-serve")
}

/// Sends a message to a client; returns false if the client is gone.
pub(crate) async fn send(peer: &Peer<RoleServer>, message: Message) -> bool {
    peer.notify_logging_message(message).await.is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn messages_below_the_level_of_the_client_are_left_out() {
        let check = |params: &Value, wanted: LoggingLevel, expected: &Value| {
            let found = message(params, Severity::of(wanted));
            assert_eq!(json!(found), *expected, "{params}");
        };
        let debug = json!({"level": "debug", "data": {"n": 1}});
        check(&debug, LoggingLevel::Debug, &debug);
        check(&debug, LoggingLevel::Info, &Value::Null);
        let alert = json!({"level": "alert", "logger": "x", "data": "fire"});
        check(&alert, LoggingLevel::Critical, &alert);
        check(&alert, LoggingLevel::Emergency, &Value::Null);
        let unknown = json!({"level": "loud", "data": "a"});
        let expected = json!({"level": "info", "data": "a"});
        check(&unknown, LoggingLevel::Info, &expected);
    }

    #[test]
    fn a_client_hears_how_many_messages_were_dropped() {
        let check = |wanted: LoggingLevel, expected: &str| {
            let found = json!(dropped(3, Severity::of(wanted)));
            assert_eq!(found["level"], expected);
            assert_eq!(found["logger"], "skills-serve");
            let text = found["data"].as_str().unwrap_or_default();
            assert!(text.starts_with("3 log messages"), "{text}");
        };
        check(LoggingLevel::Debug, "warning");
        check(LoggingLevel::Critical, "critical");
    }
}
