//! A stream into memory.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A buffer that a tool writes to and a test reads; clones share it.
#[derive(Clone, Debug, Default)]
pub struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Buffer {
    /// Returns the bytes that were written so far.
    pub fn bytes(&self) -> Vec<u8> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.clone()
    }

    /// Returns the text that was written so far.
    ///
    /// # Panics
    ///
    /// It is not UTF-8.
    pub fn text(&self) -> String {
        String::from_utf8(self.bytes()).expect("the tools write UTF-8")
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
