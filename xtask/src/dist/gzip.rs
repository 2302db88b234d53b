//! Compression by `gzip`, without the name and the time of a file in the stream.

use anyhow::{Context as _, Result, ensure};

use crate::shell;

/// A compressed stream in its parts. A zip archive needs them one by one.
pub(super) struct Deflated {
    /// The stream of RFC 1951, without a header.
    pub(super) stream: Vec<u8>,
    /// The CRC-32 of the content.
    pub(super) crc: u32,
}

/// The length of the header of RFC 1952 when the stream has neither a name nor a comment.
const HEADER: usize = 10;
/// CRC-32 and length of the content.
const TRAILER: usize = 8;

/// Returns `bytes` as a `.gz` file.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut command = std::process::Command::new("gzip");
    command.args(["--best", "--no-name", "--stdout"]);
    shell::filter(&mut command, bytes)
}

pub(super) fn deflate(bytes: &[u8]) -> Result<Deflated> {
    let file = gzip(bytes)?;
    ensure!(
        file.len() >= HEADER + TRAILER && file[..4] == [0x1f, 0x8b, 8, 0],
        "`gzip --no-name` wrote a header with a name, expected none"
    );
    let (stream, trailer) = file[HEADER..].split_at(file.len() - HEADER - TRAILER);
    let crc = trailer.first_chunk().context("gzip wrote no CRC")?;
    Ok(Deflated {
        stream: stream.to_vec(),
        crc: u32::from_le_bytes(*crc),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_stream() {
        let one = deflate(b"123456789").unwrap();
        // The check value of CRC-32: https://reveng.sourceforge.io/crc-catalogue/all.htm
        assert_eq!(one.crc, 0xCBF4_3926);
        assert!(!one.stream.is_empty());
        assert_eq!(gzip(b"a").unwrap(), gzip(b"a").unwrap());
    }
}
