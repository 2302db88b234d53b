//! The forms in which programs send and print a secret.

use data_encoding::{
    BASE32, BASE32_NOPAD, BASE64, BASE64_NOPAD, BASE64URL, BASE64URL_NOPAD, HEXLOWER, HEXUPPER,
};
use serde_json::Value;

/// The shortest value that is looked for in other cases, in bytes: a shorter one is a part of other words.
const MIN_OTHER_CASE: usize = 8;
/// The shortest run of digits of base64 that counts as a secret inside a longer one.
const MIN_INSIDE: usize = 8;

/// Returns the forms in which programs send and print a value: as it is, in capitals and in small letters,
/// percent-encoded, as JSON and HTML escape it, in hex and in base64, also inside a longer text. Those of
/// `rare` are found as a whole.
pub fn secret_forms(value: &str) -> Vec<String> {
    let bytes = value.as_bytes();
    let json = Value::from(value).to_string();
    let json = &json[1..json.len() - 1];
    let percent = percent_encoded(value);
    let mut res = vec![
        value.to_owned(),
        // In a path; and as PHP escapes JSON.
        percent.replace("%2F", "/"),
        json.replace('/', "\\/"),
        percent.to_ascii_lowercase(),
        percent.replace("%20", "+"),
        percent,
        json.to_owned(),
        HEXLOWER.encode(bytes),
        HEXUPPER.encode(bytes),
    ];
    // Every byte, as only who wants to hide it writes it.
    let each = bytes.iter().map(|byte| format!("%{byte:02X}"));
    let all = each.collect::<Vec<_>>().concat();
    res.extend([all.to_ascii_lowercase(), all]);
    res.extend(in_escapes(value));
    res.extend(in_html(value));
    res.extend(in_base64(bytes));
    res.extend(rare(bytes));
    if value.len() >= MIN_OTHER_CASE {
        res.extend([value.to_uppercase(), value.to_lowercase()]);
    }
    res.sort();
    res.dedup();
    res
}

/// Returns the forms of languages: Python writes a text in either quotes, and a `\u` escape is written for
/// what is not ASCII, for signs of HTML, or for every character.
fn in_escapes(value: &str) -> Vec<String> {
    type Is = fn(char) -> bool;
    let is_html: Is = |c| "<>&'\"+".contains(c);
    let is_wide: Is = |c| !c.is_ascii();
    let with = |is_escaped: &dyn Fn(char) -> bool, is_upper: bool| {
        let escape = |c: char| -> String {
            let mut units = [0; 2];
            let units = c.encode_utf16(&mut units).iter();
            let written = |unit: &u16| {
                if is_upper {
                    format!("\\u{unit:04X}")
                } else {
                    format!("\\u{unit:04x}")
                }
            };
            units.map(written).collect()
        };
        let one = |c: char| match c {
            c if is_escaped(c) => escape(c),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            '"' | '\\' => format!("\\{c}"),
            c => c.to_string(),
        };
        value.chars().map(one).collect::<String>()
    };
    let mut res = Vec::new();
    for is_upper in [true, false] {
        res.push(with(&is_wide, is_upper));
        res.push(with(&|c| is_wide(c) || is_html(c), is_upper));
        res.push(with(
            &|c| is_wide(c) || !c.is_ascii_alphanumeric(),
            is_upper,
        ));
        res.push(with(&|_| true, is_upper));
    }
    // `repr` of Python, with the quotes that the text does not have, and of its bytes.
    let plain = value.replace('\\', "\\\\").replace('\n', "\\n");
    res.push(plain.replace('\'', "\\'"));
    res.push(plain.replace('"', "\\\""));
    res.push(plain);
    let bytes = value.bytes().map(|byte| match byte {
        b'\\' => "\\\\".to_owned(),
        0x20..=0x7e => char::from(byte).to_string(),
        byte => format!("\\x{byte:02x}"),
    });
    res.push(bytes.collect());
    res.extend(
        value
            .bytes()
            .map(|byte| format!("\\x{byte:02x}"))
            .reduce(|all, one| all + &one),
    );
    res
}

/// Returns the forms of HTML: programs escape both quotes or one, and name the apostrophe in three ways.
fn in_html(value: &str) -> Vec<String> {
    let basic = value.replace('&', "&amp;");
    let tags = basic.replace('<', "&lt;").replace('>', "&gt;");
    let quoted = tags.replace('"', "&quot;");
    let apostrophes = ["&#x27;", "&#39;", "&apos;"];
    let all = apostrophes.map(|apostrophe| quoted.replace('\'', apostrophe));
    let numbers = [numeric(value, true), numeric(value, false)];
    let mut res: Vec<String> = [basic, tags, quoted].into_iter().chain(all).collect();
    for number in numbers {
        res.push(number.to_lowercase());
        res.push(number);
    }
    res
}

/// Returns a value whose characters are all numbers: `&#97;` or `&#x61;`.
fn numeric(value: &str, is_hex: bool) -> String {
    let number = |c: char| match (u32::from(c), is_hex) {
        (code, true) => format!("&#x{code:X};"),
        (code, false) => format!("&#{code};"),
    };
    value.chars().map(number).collect()
}

/// Returns the digits of base64 that a value has at each of the three places in a text.
fn in_base64(bytes: &[u8]) -> Vec<String> {
    // With the signs that fill it: a longer form is masked first, and nothing of it stays.
    let filled = [BASE64.encode(bytes), BASE64URL.encode(bytes)];
    let mut res = vec![BASE64_NOPAD.encode(bytes), BASE64URL_NOPAD.encode(bytes)];
    res.extend(filled);
    // Digits that share bits with what comes before, and with what comes after.
    for (before, n_shared) in [(0, 0), (1, 2), (2, 3)] {
        let mut text = vec![0; before];
        text.extend_from_slice(bytes);
        let n_after = usize::from(text.len() % 3 != 0);
        for encoding in [BASE64_NOPAD, BASE64URL_NOPAD] {
            let digits = encoding.encode(&text);
            let inside = digits.get(n_shared..digits.len().saturating_sub(n_after));
            let inside = inside.filter(|digits| digits.len() >= MIN_INSIDE);
            res.extend(inside.map(str::to_owned));
        }
    }
    res
}

/// Returns the forms that few programs write, of the value alone: octal escapes, hex with signs between the
/// bytes, base32, and base64 of base64.
fn rare(bytes: &[u8]) -> Vec<String> {
    let octal = bytes.iter().map(|byte| format!("\\{byte:03o}"));
    let mut res = vec![
        octal.collect(),
        BASE32.encode(bytes),
        BASE32_NOPAD.encode(bytes),
    ];
    for sign in [" ", ":", "-", ", "] {
        let each = |byte: &u8| format!("{byte:02x}");
        let digits = bytes.iter().map(each).collect::<Vec<_>>().join(sign);
        res.extend([digits.to_uppercase(), digits]);
    }
    let words = bytes.iter().map(|byte| format!("0x{byte:02x}"));
    res.push(words.collect::<Vec<_>>().join(", "));
    for once in [BASE64.encode(bytes), BASE64_NOPAD.encode(bytes)] {
        res.extend([
            BASE64.encode(once.as_bytes()),
            BASE64_NOPAD.encode(once.as_bytes()),
        ]);
    }
    if bytes.len() < MIN_OTHER_CASE {
        return res;
    }
    let lower: Vec<String> = res[1..=2].iter().map(|it| it.to_lowercase()).collect();
    res.extend(lower);
    res
}

/// Returns a text as `encodeURIComponent` encodes it, but with every sign escaped.
pub fn percent_encoded(text: &str) -> String {
    use std::fmt::Write as _;

    text.bytes().fold(String::new(), |mut res, byte| {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            res.push(char::from(byte));
        } else {
            let _ = write!(res, "%{byte:02X}");
        }
        res
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(value: &str, text: &str) {
        let forms = secret_forms(value);
        assert!(
            forms.iter().any(|form| text.contains(form)),
            "{text}: {forms:?}"
        );
    }

    #[test]
    fn the_signs_that_fill_base64_belong_to_it() {
        let forms = secret_forms("joe:pw123xy");
        let filled = BASE64.encode(b"joe:pw123xy");
        assert!(filled.ends_with('=') && forms.contains(&filled));
    }

    #[test]
    fn all_forms_are_found() {
        check("a b/c&d", "x=a%20b%2Fc%26d");
        check("a b/c&d", "x=a+b%2Fc%26d");
        check("ab-1", "%61%62%2D%31 %61%62%2d%31");
        check("aj-1", "%61%6a%2d%31");
        check("ab-1", r"\141\142\055\061");
        check("ab-1", "61 62 2d 31");
        check("ab-1", "61:62:2D:31");
        check("ab-1", "0x61, 0x62, 0x2d, 0x31");
        check("secret-key-1", "ONSWG4TFOQWWWZLZFUYQ====");
        check("secret-key-1", "onswg4tfoqwwwzlzfuyq");
        check("secret-key-1", "YzJWamNtVjBMV3RsZVMweA==");
        check("key/+x1", "http://x/key/%2Bx1");
        check("key/+x1", r#"{"k":"key\/+x1"}"#);
        check("O'Neil_pw77", "O&#x27;Neil_pw77");
        check("O'Neil_pw77", "O&#39;Neil_pw77");
        check("a+7k", "<b>&#97;&#43;&#55;&#107;</b>");
        check("a+7k", "<b>&#x61;&#x2b;&#x37;&#x6b;</b>");
        check("a+7k", "<b>&#x61;&#x2B;&#x37;&#x6B;</b>");
        check("R7&kq<Z2x>w9", "R7&amp;kq<Z2x>w9");
        check("k\"1\\2", r#"k\"1\\2"#);
        check("pä&s'w", r"{'k': 'pä&s\'w'}");
        check("pä&s'w", r"p\u00e4&s'w");
        check("pä&s'w", r"p\u00E4\u0026s\u0027w");
        check("a<b", r"\u0061\u003c\u0062");
        check("pä1", r"b'p\xc3\xa41'");
        check("a/b+c", r"a\u002fb\u002bc");
        check("secret-Key-1", "SECRET-KEY-1");
        check("secret-key-1", "7365637265742d6b65792d31");
        for text in [
            "secret-key-1",
            "xsecret-key-1",
            "user:secret-key-1",
            "xysecret-key-1yz",
        ] {
            check("secret-key-1", &BASE64_NOPAD.encode(text.as_bytes()));
        }
    }
}
