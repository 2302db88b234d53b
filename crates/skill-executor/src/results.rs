//! Results that asynchronous skills delivered after their call.
//!
//! A result is accepted only for the call that it belongs to: each call gets a secret ([`expect`])
//! that its callback must carry ([`accept`]). The results are in `results/` of the state directory,
//! where no skill can write. Files that a program itself writes to a directory `VCPAsyncResults` do
//! not count as results. The host leaves a copy in the shared directory of that name, for plugins
//! that look there.
//!
//! Source: `docs/design/legacy-host.md` §1.4: the host wrote `VCPAsyncResults/{plugin}-{taskId}.json` and
//! filled `{{VCP_ASYNC_RESULT::plugin::taskId}}` in later messages.

use std::fmt;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Value, json};
use skill_loader::Digest;
use skill_loader::fs::WalkLimits;

use crate::clock;
use crate::envelope::{ErrorCode, Failure};
use crate::json;
use crate::state::State;
use crate::view::LEGACY;

/// The text for a result that has not arrived: "result to be updated".
const PENDING: &str = "\u{7ed3}\u{679c}\u{5f85}\u{66f4}\u{65b0}...";

static PLACEHOLDER: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"\{{2,4}VCP_ASYNC_RESULT::([^:{}\r\n]+)::([^:{}\r\n]+)\}{2,4}";
    Regex::new(pattern).expect("a constant pattern")
});

/// Directory of the results, beneath the state directory.
const RESULTS: &str = "results";
/// Directory of the calls that may still deliver, beneath the state directory: each has the digest
/// of its secret as its name.
const CALLS: &str = "calls";
/// Directory of the copies, below the legacy directory.
const COPIES: &str = "VCPAsyncResults";
/// Longest name of a plugin or task, in bytes.
const MAX_NAME: usize = 200;
/// Random bytes of a secret.
const N_RANDOM: usize = 16;
/// The time for which a call may deliver: 30 days, in milliseconds. The old host set no limit.
const LIFETIME_MS: i64 = 30 * 24 * 3_600 * 1_000;

/// The file with the time of the last removal of old calls, among them; no digest has this name.
const REMOVED: &str = "removed.json";
/// The minimum interval of removing old calls: one hour, in milliseconds.
const REMOVE_EVERY_MS: i64 = 3_600 * 1_000;

/// The proof that a result belongs to one call: 32 hex digits that nobody can guess.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// The digits, as a part of the address that the program is given.
    pub fn text(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}

/// Prepares for results of a call of `plugin` that is about to begin.
pub fn expect(state: &State, plugin: &str) -> Result<Secret, Failure> {
    is_plain(plugin)?;
    let secret = Secret(random()?);
    forget_old(state);
    let record = json!({"plugin": plugin, "at_ms": clock::now_ms()});
    let name = call_file(secret.text());
    state.write(CALLS, &name, &json::stringify(&record))?;
    Ok(secret)
}

/// Keeps a result for the call that `secret` belongs to. `plugin` and `task` come from a URL and
/// must be plain names; a call delivers for its own plugin, and never over the result of another
/// call.
pub fn accept(
    state: &State,
    secret: &str,
    plugin: &str,
    task: &str,
    body: &Value,
) -> Result<(), Failure> {
    let denied = |why: String| Failure::new(ErrorCode::Denied, why);
    let call = call_file(secret);
    let known = state.read(&format!("{CALLS}/{call}"));
    let known = known.filter(|known| !is_old(known));
    let Some(known) = known else {
        let message = format!(
            "no call of `{}` waits for this result",
            plugin.escape_debug()
        );
        return Err(denied(message));
    };
    if known["plugin"] != plugin {
        let plugin = plugin.escape_debug();
        return Err(denied(format!(
            "a call of another plugin delivers no result of `{plugin}`"
        )));
    }
    let name = file_name(plugin, task)?;
    let earlier = state.read(&format!("{RESULTS}/{name}"));
    if earlier.is_some_and(|earlier| earlier["call"] != call.as_str()) {
        let task = task.escape_debug();
        return Err(denied(format!(
            "task `{task}` of `{plugin}` belongs to another call"
        )));
    }
    keep(state, &name, &call, (plugin, task), body)
}

fn keep(
    state: &State,
    name: &str,
    call: &str,
    (plugin, task): (&str, &str),
    body: &Value,
) -> Result<(), Failure> {
    let record = json!({"call": call, "plugin": plugin, "task": task, "body": body});
    state.write(RESULTS, name, &json::stringify(&record))?;
    // Only plugins that were granted the directory read the copy; nobody here does.
    let copies = format!("{LEGACY}/{COPIES}");
    let _ = state.write(
        &copies,
        &format!("{plugin}-{task}.json"),
        &json::stringify(body),
    );
    Ok(())
}

/// A result; `None` while there is none.
pub fn find(state: &State, plugin: &str, task: &str) -> Result<Option<Value>, Failure> {
    let name = file_name(plugin, task)?;
    let record = state.read(&format!("{RESULTS}/{name}"));
    Ok(record.map(|mut record| record["body"].take()))
}

/// A result by the id that was shown: `plugin-task` or `plugin::task`.
pub fn by_id(state: &State, id: &str) -> Result<Value, Failure> {
    is_plain(id)?;
    let splits = match id.split_once("::") {
        Some(split) => vec![split],
        None => id
            .match_indices('-')
            .map(|(at, _)| (&id[..at], &id[at + 1..]))
            .collect(),
    };
    let found = splits
        .iter()
        .filter_map(|(plugin, task)| find(state, plugin, task).ok()?);
    let mut found: Vec<Value> = found.collect();
    match (found.pop(), found.is_empty()) {
        (Some(result), true) => Ok(result),
        (Some(_), false) => {
            let message = format!("`{id}` means several results; write PLUGIN::TASK");
            Err(Failure::new(ErrorCode::Ambiguous, message))
        }
        (None, ..) => {
            let message = format!("there is no result `{id}` (yet)");
            Err(Failure::new(ErrorCode::NotFound, message))
        }
    }
}

/// Replaces every `{{VCP_ASYNC_RESULT::plugin::task}}` (two to four braces) in a text: by the
/// `message` of the result, by a sentence about its `status`, or by a text for a pending result.
pub fn fill(state: &State, text: &str) -> String {
    let filled = PLACEHOLDER.replace_all(text, |found: &Captures<'_>| {
        let result = find(state, &found[1], &found[2]);
        sentence(&found[1], &found[2], result.ok().flatten().as_ref())
    });
    filled.into_owned()
}

fn sentence(plugin: &str, task: &str, result: Option<&Value>) -> String {
    let Some(result) = result else {
        return PENDING.to_owned();
    };
    let text = |key: &str| result[key].as_str().filter(|text| !text.is_empty());
    match (text("message"), text("status")) {
        (Some(message), _) => message.to_owned(),
        (None, Some("Failed" | "failed" | "error")) => {
            let why = text("reason")
                .or_else(|| text("error"))
                .unwrap_or("no reason was given");
            format!("Task {task} of {plugin} failed: {why}")
        }
        _ => format!("Task {task} of {plugin} succeeded."),
    }
}

/// One name for each pair: with a plain dash, `a-b` of `c` and `b-c` of `a` would be one file.
fn file_name(plugin: &str, task: &str) -> Result<String, Failure> {
    is_plain(plugin)?;
    is_plain(task)?;
    let digest = Digest::from_content(format!("{plugin}\0{task}").as_bytes());
    Ok(format!("{}.json", digest.hex()))
}

/// Only the digest is kept: who reads the state directory learns no secret.
fn call_file(secret: &str) -> String {
    format!("{}.json", Digest::from_content(secret.as_bytes()).hex())
}

fn is_old(record: &Value) -> bool {
    let at_ms = record["at_ms"].as_i64().unwrap_or_default();
    clock::now_ms().saturating_sub(at_ms) > LIFETIME_MS
}

/// Removes the calls whose time to deliver is over, once in a while: it reads the records of all calls.
fn forget_old(state: &State) {
    if !is_due(state) {
        return;
    }
    let Ok(listing) = state.root().walk(CALLS, &WalkLimits::default(), &|_| true) else {
        return;
    };
    for entry in listing.entries {
        if state
            .read(&entry.path)
            .is_some_and(|record| is_old(&record))
        {
            // What cannot be removed now is tried at the next call.
            let _ = state.root().remove(&entry.path);
        }
    }
}

/// Returns true if old calls were last removed long ago; records that they are removed now.
fn is_due(state: &State) -> bool {
    let now = clock::now_ms();
    let last = state.read(&format!("{CALLS}/{REMOVED}"));
    let last = last.and_then(|record| record["at_ms"].as_i64());
    // A clock that was set back must not keep them indefinitely.
    if last.is_some_and(|last| (0..REMOVE_EVERY_MS).contains(&now.saturating_sub(last))) {
        return false;
    }
    let record = json!({"at_ms": now});
    // Without the note they are removed with the next call too.
    let _ = state.write(CALLS, REMOVED, &json::stringify(&record));
    true
}

/// Returns a secret: random bytes of the system, in hexadecimal digits.
///
/// # Errors
///
/// If the system gives too few random bytes.
pub fn random() -> Result<String, Failure> {
    use std::fmt::Write as _;
    let mut bytes = [0; N_RANDOM];
    let n_got = random_bytes(&mut bytes).map_err(|error| Failure::io(&error))?;
    if n_got != N_RANDOM {
        let message = "the system gave too few random bytes".to_owned();
        return Err(Failure::new(ErrorCode::Io, message));
    }
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Fills a buffer with random bytes; returns their number.
#[cfg(target_os = "linux")]
fn random_bytes(bytes: &mut [u8]) -> std::io::Result<usize> {
    let flags = rustix::rand::GetRandomFlags::empty();
    Ok(rustix::rand::getrandom(bytes, flags)?)
}

#[cfg(not(target_os = "linux"))]
fn random_bytes(bytes: &mut [u8]) -> std::io::Result<usize> {
    getrandom::fill(bytes)?;
    Ok(bytes.len())
}

fn is_plain(name: &str) -> Result<(), Failure> {
    let is_fine = (1..=MAX_NAME).contains(&name.len())
        && !name.starts_with('.')
        && !name.contains(['/', '\\'])
        && !name.contains(char::is_control);
    if is_fine {
        return Ok(());
    }
    let message = format!("`{}` is not a name of a result", name.escape_debug());
    Err(Failure::new(ErrorCode::InvalidInput, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the handling of a result that comes with this secret for this plugin and task.
    #[track_caller]
    fn check(state: &State, secret: &Secret, (plugin, task): (&str, &str), want: &str) {
        let got = accept(state, secret.text(), plugin, task, &json!({"message": "m"}));
        let got = got.map_or_else(|failure| failure.message, |()| "taken".to_owned());
        assert_eq!(got, want, "{plugin} {task}");
    }

    #[test]
    fn results_of_others_are_refused() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::open(dir.path()).unwrap();
        let [own, again, other] = ["Mail", "Mail", "a"].map(|name| expect(&state, name).unwrap());
        assert_ne!(own, again);
        check(&state, &own, ("Mail", "1"), "taken");
        check(&state, &own, ("Mail", "1"), "taken");
        check(
            &state,
            &again,
            ("Mail", "1"),
            "task `1` of `Mail` belongs to another call",
        );
        check(
            &state,
            &other,
            ("Mail", "2"),
            "a call of another plugin delivers no result of `Mail`",
        );
        let guessed = Secret("0".repeat(32));
        check(
            &state,
            &guessed,
            ("Mail", "2"),
            "no call of `Mail` waits for this result",
        );
        assert_eq!(find(&state, "Mail", "2").unwrap(), None);
        // The dash in a name takes nobody's place.
        let longer = expect(&state, "a-b").unwrap();
        check(&state, &other, ("a", "b-c"), "taken");
        check(&state, &longer, ("a-b", "c"), "taken");
        let ambiguous = by_id(&state, "a-b-c").unwrap_err().message;
        assert_eq!(
            ambiguous,
            "`a-b-c` means several results; write PLUGIN::TASK"
        );
        assert_eq!(by_id(&state, "a-b::c").unwrap(), json!({"message": "m"}));
    }

    /// The records of all calls are read once in a while, not with each call.
    #[test]
    fn old_calls_are_removed_now_and_then() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::open(dir.path()).unwrap();
        let now = clock::now_ms();
        for (last, is_removed) in [
            (None, true),
            (Some(now), false),
            (Some(now - REMOVE_EVERY_MS - 1), true),
            // The clock was set back.
            (Some(now + LIFETIME_MS), true),
        ] {
            state
                .write(CALLS, "old.json", r#"{"plugin":"Mail","at_ms":1}"#)
                .unwrap();
            match last {
                Some(last) => {
                    let record = json::stringify(&json!({"at_ms": last}));
                    state.write(CALLS, REMOVED, &record).unwrap();
                }
                None => assert!(state.read(&format!("{CALLS}/{REMOVED}")).is_none()),
            }
            let own = expect(&state, "Mail").unwrap();
            check(&state, &own, ("Mail", &format!("{last:?}")), "taken");
            let old = state.read(&format!("{CALLS}/old.json"));
            assert_eq!(old.is_none(), is_removed, "{last:?}");
        }
    }

    /// Files that programs put where the old host kept results do not count as results.
    #[test]
    fn files_of_programs_are_no_results() {
        let dir = tempfile::tempdir().unwrap();
        let state = State::open(dir.path()).unwrap();
        let copies = format!("{LEGACY}/{COPIES}");
        state
            .write(&copies, "Mail-1.json", r#"{"message":"FORGED"}"#)
            .unwrap();
        let dir = state.root().open_dir(&copies).unwrap();
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mknodat(&dir, "Mail-2.json", rustix::fs::FileType::Fifo, mode, 0).unwrap();
        for task in ["1", "2"] {
            assert_eq!(find(&state, "Mail", task).unwrap(), None);
            let missing = by_id(&state, &format!("Mail-{task}")).unwrap_err();
            assert_eq!(missing.code, ErrorCode::NotFound);
        }
        let call = expect(&state, "Mail").unwrap();
        check(&state, &call, ("Mail", "1"), "taken");
        check(&state, &call, ("Mail", "2"), "taken");
    }
}
