//! The administrator's code, as the old host kept it: `Plugin/UserAuth/code.bin`.
//!
//! Source: `docs/design/legacy-host.md` §1.8. The file is base64 of brackets in UTF-8. The brackets
//! of each of six kinds are counted, opening and closing alike; the six counts in a row are the
//! code.

use skill_model::base64;

/// The variable in which programs find the code, and its key in [`Host::environment`].
///
/// [`Host::environment`]: crate::call::Host::environment
pub const AUTH_CODE: &str = "DECRYPTED_AUTH_CODE";

/// The kinds of brackets, in the order of their numbers.
const KINDS: [[char; 2]; 6] = [
    ['[', ']'],
    ['{', '}'],
    ['<', '>'],
    ['（', '）'],
    ['《', '》'],
    ['【', '】'],
];

/// Returns the code that a file contains. Returns `None` if the file is not base64 or not UTF-8.
/// Unlike the old host, which used six zeros, it also returns `None` without any bracket: everybody
/// can guess that code.
pub fn decoded(file: &str) -> Option<String> {
    let text = String::from_utf8(decode_lines(file.trim())?).ok()?;
    let count = |kind: &[char; 2]| text.chars().filter(|char| kind.contains(char)).count();
    let counts = KINDS.each_ref().map(count);
    let code = counts.map(|count| count.to_string()).concat();
    (counts.iter().sum::<usize>() > 0).then_some(code)
}

/// Decodes base64 with line breaks in it.
fn decode_lines(text: &str) -> Option<Vec<u8>> {
    let bytes = text.trim_end_matches('=').bytes();
    let digits: Vec<u8> = bytes.filter(|byte| !byte.is_ascii_whitespace()).collect();
    // `=` within the text is not a digit.
    (!digits.contains(&b'=')).then(|| base64::decode(&digits))?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(file: &str, expected: Option<&str>) {
        assert_eq!(decoded(file).as_deref(), expected, "{file}");
    }

    // The files were made with base64(1), independently of the decoder here.
    #[test]
    fn brackets_are_counted_by_kind() {
        // []{}<>（）《》【】
        check("W117fTw+77yI77yJ44CK44CL44CQ44CR", Some("222222"));
        // [[[x{<
        check("W1tbeHs8\n", Some("311000"));
        // 》】】
        check("  44CL44CR44CR  ", Some("000012"));
        // Twelve of the first kind, in any order with another: two digits, as they come.
        check("W11bXVtdW11bXVtdPg==", Some("1201000"));
        check("W11bXVtdW11b\nXVtdPg", Some("1201000"));
    }

    #[test]
    fn what_is_no_such_file_gives_no_code() {
        for file in ["", "   ", "no base64!", "aGVsbG8=", "//79", "W117fTw+é"] {
            check(file, None);
        }
    }
}
