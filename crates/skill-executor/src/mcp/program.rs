//! A server that is a program: messages are lines on its standard streams.

use std::io::{BufReader, ErrorKind, Write as _};
use std::net::Shutdown;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::Value;
use skill_sandbox::{Channel, Child, Error, Exit, Killer, Report, Spec, WaitEvent};

use super::inbox::Inbox;
use super::lines::{MAX_MESSAGE, line};
use super::session::{Connection, Wait};
use crate::envelope::{ErrorCode, Failure};
use crate::policy;

/// The time that a server has to end after its input is closed; then it is killed.
const ENDING: Duration = Duration::from_millis(500);
/// Bytes of diagnostics that a message quotes.
const QUOTED: usize = 2_000;

/// A running server. Dropping it closes its input, and kills it with its process group if it does not
/// end.
#[derive(Debug)]
pub(super) struct Program {
    writer: Mutex<Channel>,
    killer: Killer,
    report: Report,
    printed: Arc<Mutex<String>>,
    /// Closed when the process has ended.
    ended: Mutex<Receiver<()>>,
    inbox: Inbox,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Program {
    /// Starts a server whose standard streams are a channel.
    pub(super) fn start(spec: &Spec, inbox: &Inbox) -> Result<Self, Failure> {
        let mut child = skill_sandbox::spawn(spec).map_err(|error| not_started(&error))?;
        let io = |error: std::io::Error| {
            Failure::new(
                ErrorCode::SpawnFailed,
                format!("cannot connect to the MCP server: {error}"),
            )
        };
        let channel = child
            .take_channel()
            .ok_or_else(|| io(ErrorKind::NotConnected.into()))?;
        let reader = channel.try_clone().map_err(io)?;
        let answers = channel.try_clone().map_err(io)?;
        let (killer, report) = (child.killer(), child.confinement().clone());
        let printed = Arc::new(Mutex::new(String::new()));
        let (alive, ended) = std::sync::mpsc::channel();
        let (breathing, gone) = std::sync::mpsc::channel();
        {
            let (inbox, killer) = (inbox.clone(), killer.clone());
            thread::spawn(move || read(reader, answers, &inbox, (&killer, &gone)));
        }
        {
            let (inbox, printed) = (inbox.clone(), Arc::clone(&printed));
            thread::spawn(move || tend(child, &inbox, &printed, [alive, breathing]));
        }
        Ok(Self {
            writer: Mutex::new(channel),
            killer,
            report,
            printed,
            ended: Mutex::new(ended),
            inbox: inbox.clone(),
        })
    }
}

impl Connection for Program {
    fn send(&self, message: &Value, wait: &Wait<'_>) -> Result<(), Failure> {
        let mut text = message.to_string();
        text.push('\n');
        let mut writer = lock(&self.writer);
        // Refused only for a limit of zero.
        let _ = writer.set_write_timeout(Some(wait.left().max(Duration::from_millis(1))));
        writer
            .write_all(text.as_bytes())
            .map_err(|error| match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => {
                    // Half a message was sent: nothing after it would be understood.
                    self.killer.kill();
                    Failure::new(
                        ErrorCode::Timeout,
                        "the MCP server did not read its input in time",
                    )
                }
                _ => {
                    // The other thread says how the process ended, and what it printed.
                    let _ = lock(&self.ended).recv_timeout(ENDING);
                    let closed = "the MCP server has closed its input";
                    let ended = self.inbox.ended();
                    ended.unwrap_or_else(|| Failure::new(ErrorCode::Unavailable, closed))
                }
            })
    }

    fn diagnostics(&self) -> String {
        std::mem::take(&mut lock(&self.printed))
    }

    fn confinement(&self) -> Option<Report> {
        Some(self.report.clone())
    }

    fn killer(&self) -> Option<Killer> {
        Some(self.killer.clone())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // A process that has ended already has no channel.
        let _ = lock(&self.writer).shutdown(Shutdown::Write);
        if lock(&self.ended).recv_timeout(ENDING) == Err(RecvTimeoutError::Timeout) {
            self.killer.kill();
            let _ = lock(&self.ended).recv_timeout(ENDING);
        }
    }
}

/// Takes messages until the channel ends. What is not JSON was printed for people. A process that does not
/// end with its channel is killed.
fn read(
    reader: Channel,
    mut answers: Channel,
    inbox: &Inbox,
    (killer, gone): (&Killer, &Receiver<()>),
) {
    let mut reader = BufReader::with_capacity(64 << 10, reader);
    loop {
        match line(&mut reader, MAX_MESSAGE) {
            Ok(Some(bytes)) => {
                let Some(replies) = inbox.take_text(&bytes) else {
                    continue;
                };
                for answer in replies {
                    // A broken channel is found by the next read.
                    let _ = answers.write_all(format!("{answer}\n").as_bytes());
                }
                if !inbox.is_open() {
                    killer.kill();
                    return;
                }
            }
            Err(error) if error.kind() == ErrorKind::FileTooLarge => {
                let message = format!(
                    "the MCP server sent a line of more than {MAX_MESSAGE} bytes and was ended"
                );
                inbox.end(&Failure::new(ErrorCode::TooLarge, message));
                killer.kill();
                return;
            }
            Ok(None) | Err(_) => break,
        }
    }
    // Nothing can be asked without the channel. The other thread says how the process ended: by itself, if
    // it is about to.
    if gone.recv_timeout(ENDING) == Err(RecvTimeoutError::Timeout) {
        killer.kill();
    }
}

/// Reads what the process prints on standard error, and ends the session when it ends.
fn tend(mut child: Child, inbox: &Inbox, printed: &Mutex<String>, alive: [Sender<()>; 2]) {
    let mut seen = 0;
    loop {
        let event = child.wait(None);
        let stderr = child.stderr();
        lock(printed).push_str(&String::from_utf8_lossy(&stderr[seen..]));
        seen = stderr.len();
        if matches!(event, Ok(WaitEvent::Exited) | Err(_)) {
            break;
        }
    }
    let outcome = child.finish().ok();
    let how = match outcome.as_ref().map(|outcome| outcome.exit) {
        Some(Exit::Code(code)) => format!("code {code}"),
        Some(Exit::Signal(signal)) => format!("signal {signal}"),
        None => "not known how".to_owned(),
    };
    let stderr = outcome.map(|outcome| String::from_utf8_lossy(&outcome.stderr).trim().to_owned());
    let stderr = stderr.unwrap_or_default();
    let mut start = stderr.len().saturating_sub(QUOTED);
    while !stderr.is_char_boundary(start) {
        start += 1;
    }
    let said = if stderr.is_empty() {
        String::new()
    } else {
        format!(": {}", &stderr[start..])
    };
    let failure = Failure::new(
        ErrorCode::Unavailable,
        format!("the MCP server ended ({how}) before it answered{said}"),
    );
    inbox.end(&failure);
    drop(alive);
}

fn not_started(error: &Error) -> Failure {
    policy::too_low(error).unwrap_or_else(|| {
        Failure::new(
            ErrorCode::SpawnFailed,
            format!("cannot start the MCP server: {error}"),
        )
    })
}
