//! The part of DNS (RFC 1035) that a child needs: one question per query, and one answer for an
//! IPv4 address. It is public because a child writes the queries: a fuzzer does, too.

use std::net::Ipv4Addr;

/// The longest message that is read. A question takes at most 271 bytes, and what libraries append
/// (EDNS, RFC 6891) a few tens of bytes more.
pub const LONGEST: usize = 2048;

const HEADER: usize = 12;

/// The type and the class of questions that are answered.
const ADDRESS: u16 = 1;
const INTERNET: u16 = 1;

/// Flags: response; recursion desired; recursion available; and the operation, 0 for a query.
const ANSWER: u8 = 0x80;
const OPERATION: u8 = 0x78;
const WANTS_RECURSION: u8 = 0x01;
const HAS_RECURSION: u8 = 0x80;

/// The time to live of an answer, in seconds. The address of a name does not change while the child
/// runs.
const TTL_SECONDS: u32 = 60;

/// The result codes that are used.
#[derive(Clone, Copy)]
enum Code {
    Fine = 0,
    NotUnderstood = 1,
    NoSuchName = 3,
    NotImplemented = 4,
}

struct Question<'a> {
    name: String,
    kind: u16,
    class: u16,
    bytes: &'a [u8],
}

/// Returns the answer to `message`; `None` if it is not a query. `address` returns the address of a
/// name that exists; it gets the name in lower case, without a dot at the end.
pub fn answer(
    message: &[u8],
    mut address: impl FnMut(&str) -> Option<Ipv4Addr>,
) -> Option<Vec<u8>> {
    let header = message.get(..HEADER)?;
    if header[2] & ANSWER != 0 {
        return None;
    }
    if header[2] & OPERATION != 0 {
        return Some(reply(header, Code::NotImplemented, None, None));
    }
    let count = u16::from_be_bytes([header[4], header[5]]);
    let question = question(&message[HEADER..]).filter(|_| count == 1);
    let Some(question) = question else {
        return Some(reply(header, Code::NotUnderstood, None, None));
    };
    let found = address(&question.name);
    let code = if found.is_some() {
        Code::Fine
    } else {
        Code::NoSuchName
    };
    let is_asked = question.kind == ADDRESS && question.class == INTERNET;
    let found = found.filter(|_| is_asked);
    Some(reply(header, code, Some(&question), found))
}

/// Reads the question at the beginning of `bytes`. Names are not compressed there, because there is
/// nothing before it to refer to.
fn question(bytes: &[u8]) -> Option<Question<'_>> {
    let mut labels: Vec<String> = Vec::new();
    let mut at = 0;
    loop {
        let length = usize::from(*bytes.get(at)?);
        at += 1;
        match length {
            0 => break,
            1..=63 => labels.push(label(bytes.get(at..at + length)?)),
            _ => return None,
        }
        at += length;
        if at > 255 {
            return None;
        }
    }
    let rest = bytes.get(at..at + 4)?;
    Some(Question {
        name: labels.join("."),
        kind: u16::from_be_bytes([rest[0], rest[1]]),
        class: u16::from_be_bytes([rest[2], rest[3]]),
        bytes: &bytes[..at + 4],
    })
}

/// Returns a label in lower case. Bytes that never occur in our names, such as a dot, are replaced
/// by one that matches none.
fn label(bytes: &[u8]) -> String {
    let known = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    bytes
        .iter()
        .map(|byte| if known(byte) { char::from(*byte) } else { '?' })
        .map(|char| char.to_ascii_lowercase())
        .collect()
}

fn reply(
    header: &[u8],
    code: Code,
    question: Option<&Question<'_>>,
    address: Option<Ipv4Addr>,
) -> Vec<u8> {
    let flags = ANSWER | (header[2] & (OPERATION | WANTS_RECURSION));
    let mut res = vec![header[0], header[1], flags, HAS_RECURSION | code as u8];
    let counts = [u8::from(question.is_some()), u8::from(address.is_some())];
    res.extend([0, counts[0], 0, counts[1], 0, 0, 0, 0]);
    res.extend(question.map_or(&[][..], |question| question.bytes));
    if let Some(address) = address {
        // A reference to the name at the beginning of the question.
        res.extend([0xc0, 0x0c, 0, 1, 0, 1]);
        res.extend(TTL_SECONDS.to_be_bytes());
        res.extend([0, 4]);
        res.extend(address.octets());
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a query as libraries send it: number 0x1234, recursion desired.
    fn asked(name: &str, kind: u16) -> Vec<u8> {
        let mut res = vec![0x12, 0x34, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        for label in name.split('.').filter(|label| !label.is_empty()) {
            res.push(u8::try_from(label.len()).unwrap());
            res.extend(label.as_bytes());
        }
        res.push(0);
        res.extend(kind.to_be_bytes());
        res.extend([0, 1]);
        res
    }

    fn known(name: &str) -> Option<Ipv4Addr> {
        (name == "a.example").then_some(Ipv4Addr::new(198, 18, 0, 1))
    }

    /// Checks the code, the number of answers and the last four bytes.
    #[track_caller]
    fn check(message: &[u8], expected: Option<(u8, u8, [u8; 4])>) {
        let found = answer(message, known);
        let found = found.map(|found| {
            assert_eq!(found[..2], message[..2], "the number of the question");
            assert_eq!(found[2] & 0x80, 0x80, "it is an answer");
            (found[3] & 0xf, found[7], *found.last_chunk().unwrap())
        });
        assert_eq!(found, expected);
    }

    const AAAA: u16 = 28;

    #[test]
    fn names() {
        check(&asked("a.example", 1), Some((0, 1, [198, 18, 0, 1])));
        check(&asked("A.eXample", 1), Some((0, 1, [198, 18, 0, 1])));
        // The name exists, but has no address of that type.
        check(&asked("a.example", AAAA), Some((0, 0, [0, 28, 0, 1])));
        check(&asked("b.example", 1), Some((3, 0, [0, 1, 0, 1])));
        check(&asked("", 2), Some((3, 0, [0, 2, 0, 1])));
        check(&asked("a.exampl\u{e9}", 1), Some((3, 0, [0, 1, 0, 1])));
        let mut dotted = asked("a-example", 1);
        dotted[14] = b'.';
        check(&dotted, Some((3, 0, [0, 1, 0, 1])));
    }

    /// A query with EDNS data is answered without it.
    #[test]
    fn what_follows_the_question_is_not_looked_at() {
        let mut message = asked("a.example", 1);
        message[11] = 1;
        message.extend([0, 0, 41, 4, 208, 0, 0, 0, 0, 0, 0]);
        check(&message, Some((0, 1, [198, 18, 0, 1])));
    }

    #[test]
    fn what_is_no_question() {
        let whole = asked("a.example", 1);
        for length in 0..HEADER {
            assert_eq!(answer(&whole[..length], known), None);
        }
        for length in HEADER..whole.len() {
            check(&whole[..length], Some((1, 0, [0; 4])));
        }
        let mut response = whole.clone();
        response[2] |= 0x80;
        check(&response, None);
        let mut update = whole.clone();
        update[2] = 5 << 3;
        check(&update, Some((4, 0, [0; 4])));
        let mut two = whole.clone();
        two[5] = 2;
        check(&two, Some((1, 0, [0; 4])));
        let mut pointer = whole.clone();
        pointer[12] = 0xc0;
        check(&pointer, Some((1, 0, [0; 4])));
        let long = asked(&["abcdefgh"; 40].join("."), 1);
        check(&long, Some((1, 0, [0; 4])));
    }
}
