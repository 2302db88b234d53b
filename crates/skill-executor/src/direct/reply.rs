//! Reads the output of a process as a reply.
//!
//! Source: `docs/design/legacy-host.md` §1.3 (stdout, exit code) and §1.9 (signals).

use serde_json::{Map, Value};

use crate::envelope::{ErrorCode, Failure};
use crate::json::{self, trim, utf16_prefix};

/// Characters of standard output and of standard error that a failure quotes.
const QUOTED: usize = 200;

/// The end of a program, as the old host saw it: through a shell, or by replacing the shell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It returned this; below a shell that waits, signals appear as 128 + n.
    Code(i32),
    /// The process that the host started died of this signal: a line that begins with `exec`.
    Signal(i32),
}

/// The reply in the whole standard output, or why there is none. `name` is what the old host
/// called the plugin.
pub fn reply(
    name: &str,
    ending: Ending,
    stdout: &str,
    stderr: &str,
) -> Result<Map<String, Value>, Failure> {
    // SIGKILL and SIGTERM of the process itself: taken for a kill, whatever was printed.
    if let Ending::Signal(9 | 15) = ending {
        let message = format!("Plugin \"{name}\" execution timed out or was killed.");
        return Err(Failure::new(ErrorCode::ExitCode, message));
    }
    let (stdout, stderr) = (trim(stdout), trim(stderr));
    if let Some(reply) = as_reply(stdout) {
        return Ok(reply);
    }
    Err(no_reply(name, ending, stdout, stderr))
}

/// A JSON object with `status` success or error.
pub fn as_reply(text: &str) -> Option<Map<String, Value>> {
    let Ok(Value::Object(map)) = json::parse(text) else {
        return None;
    };
    let status = map.get("status").and_then(Value::as_str);
    matches!(status, Some("success" | "error")).then_some(map)
}

fn no_reply(name: &str, ending: Ending, stdout: &str, stderr: &str) -> Failure {
    let quoted = utf16_prefix(stdout, QUOTED);
    let code = match ending {
        Ending::Code(0) => {
            let message = format!(
                "Plugin \"{name}\" exited successfully but did not provide a valid initial JSON response. Stdout: {quoted}"
            );
            return Failure::new(ErrorCode::Protocol, message);
        }
        Ending::Code(code) => code.to_string(),
        Ending::Signal(_) => "null".to_owned(),
    };
    let mut message = format!("Plugin \"{name}\" exited with code {code}.");
    if !stdout.is_empty() {
        message.push_str(" Stdout: ");
        message.push_str(quoted);
    }
    if !stderr.is_empty() {
        message.push_str(" Stderr: ");
        message.push_str(utf16_prefix(stderr, QUOTED));
    }
    Failure::new(ErrorCode::ExitCode, message)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Ending, reply};

    /// The reply as JSON, or the message.
    #[track_caller]
    fn check(ending: Ending, stdout: &str, stderr: &str, expected: &str) {
        let res = match reply("X", ending, stdout, stderr) {
            Ok(map) => crate::json::stringify(&Value::Object(map)),
            Err(failure) => failure.message,
        };
        assert_eq!(res, expected, "{stdout}");
    }

    const FINE: &str = "exited successfully but did not provide a valid initial JSON response.";

    #[test]
    fn exit_codes_do_not_count_beside_a_reply() {
        let ok = r#"{"status":"success","result":1}"#;
        for ending in [0, 1, 3, 143, 255].map(Ending::Code) {
            check(ending, ok, "noise", ok);
        }
        // §1.9: with exec, SIGABRT succeeds; SIGTERM and SIGKILL fail after a valid reply.
        check(Ending::Signal(6), ok, "", ok);
        for signal in [9, 15] {
            let killed = "Plugin \"X\" execution timed out or was killed.";
            check(Ending::Signal(signal), ok, "", killed);
        }
    }

    #[test]
    fn the_whole_output_is_one_object_with_a_status() {
        let ok = r#"{"status":"error"}"#;
        check(Ending::Code(0), &format!("\u{feff} {ok}\u{2028}\n"), "", ok);
        for stdout in [
            "log\n{\"status\":\"success\"}",
            "{\"status\":\"success\"};",
            "{\"status\":\"success\"}\0",
            "{\"status\":\"success\"}\u{85}",
            "{\"ok\":true}",
            "{\"status\":\"Success\"}",
            "{\"status\":true}",
            "[{\"status\":\"success\"}]",
            "plain text",
            "null",
        ] {
            check(
                Ending::Code(0),
                stdout,
                "",
                &format!("Plugin \"X\" {FINE} Stdout: {stdout}"),
            );
        }
    }

    #[test]
    fn failures_quote_what_was_printed() {
        check(
            Ending::Code(1),
            " \n",
            "\t",
            "Plugin \"X\" exited with code 1.",
        );
        check(
            Ending::Code(42),
            "half a thought\n",
            "and a complaint\n",
            "Plugin \"X\" exited with code 42. Stdout: half a thought Stderr: and a complaint",
        );
        let long = "x".repeat(300);
        let cut = &long[..200];
        let message = format!("Plugin \"X\" exited with code 6. Stdout: {cut} Stderr: {cut}");
        check(Ending::Code(6), &long, &long, &message);
        check(
            Ending::Signal(11),
            "",
            "",
            "Plugin \"X\" exited with code null.",
        );
    }
}
