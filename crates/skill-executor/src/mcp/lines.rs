//! Lines of bounded length, and the events of `text/event-stream`.

use std::io::{self, BufRead, ErrorKind};

/// The maximum length of a message of a server, in bytes.
pub(super) const MAX_MESSAGE: usize = 16 << 20;

/// Reads a line without its end; `None` at the end of the input. A line that is longer than `max` is an
/// error of the kind `FileTooLarge`.
pub(super) fn line(input: &mut dyn BufRead, max: usize) -> io::Result<Option<Vec<u8>>> {
    let mut res = Vec::new();
    loop {
        let buffer = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            buffer => buffer?,
        };
        if buffer.is_empty() {
            return Ok((!res.is_empty()).then_some(res));
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let taken = end.unwrap_or(buffer.len());
        if res.len() + taken > max {
            return Err(ErrorKind::FileTooLarge.into());
        }
        res.extend_from_slice(&buffer[..taken]);
        input.consume(taken + usize::from(end.is_some()));
        if end.is_some() {
            if res.last() == Some(&b'\r') {
                res.pop();
            }
            return Ok(Some(res));
        }
    }
}

/// An event of a stream.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Event {
    /// Its type; `message` if it has none.
    pub(super) name: String,
    /// Its lines of data.
    pub(super) data: String,
}

/// Reads the next event with data; `None` at the end of the stream.
///
/// Source: <https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation>.
pub(super) fn event(input: &mut dyn BufRead) -> io::Result<Option<Event>> {
    let (mut name, mut data) = (String::new(), Vec::<String>::new());
    let mut left = MAX_MESSAGE;
    while let Some(line) = line(input, left)? {
        left -= line.len();
        let line = String::from_utf8_lossy(&line);
        if line.is_empty() {
            if data.is_empty() {
                name.clear();
                left = MAX_MESSAGE;
                continue;
            }
            let name = if name.is_empty() {
                "message".to_owned()
            } else {
                name
            };
            let data = data.join("\n");
            return Ok(Some(Event { name, data }));
        }
        let (field, value) = line.split_once(':').unwrap_or((&line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut name),
            "data" => data.push(value.to_owned()),
            _ => {}
        }
    }
    Ok(None)
}
