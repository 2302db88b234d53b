//! Encodes numbers in as few bytes as they need, seven bits per byte.

/// Appends `number`.
pub(super) fn put(mut number: u32, acc: &mut Vec<u8>) {
    while number >= 0x80 {
        acc.push(low_byte(number) | 0x80);
        number >>= 7;
    }
    acc.push(low_byte(number));
}

fn low_byte(number: u32) -> u8 {
    number.to_le_bytes()[0] & 0x7f
}

/// Takes a number from the front; returns `None` at the end or if the bytes are not a number.
#[inline]
pub(super) fn take(bytes: &mut &[u8]) -> Option<u32> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 {
        return Some(u32::from(first));
    }
    take_rest(first, bytes)
}

fn take_rest(first: u8, bytes: &mut &[u8]) -> Option<u32> {
    let mut res = u32::from(first & 0x7f);
    for shift in [7, 14, 21, 28] {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        res |= u32::from(byte & 0x7f).checked_shl(shift)?;
        if byte < 0x80 {
            return Some(res);
        }
    }
    None
}
