//! Results of JavaScript, by rule.

use super::{number_text, parse, parse_exact, parse_int, stringify, trim, utf16_prefix};

/// `text` parsed and printed again.
#[track_caller]
fn check(text: &str, printed: &str) {
    let res = parse(text).map_or_else(|error| error.to_string(), |value| stringify(&value));
    assert_eq!(res, printed, "{text}");
}

#[test]
fn values_survive() {
    for (text, printed) in [
        // `docs/design/legacy-host.md` §1.9: doubles, 2^53, overflow.
        ("1.50", "1.5"),
        ("1E5", "100000"),
        ("-0", "0"),
        ("1e-400", "0"),
        ("1e400", "null"),
        ("0.1000000000000000055511151231257827", "0.1"),
        ("9007199254740993", "9007199254740992"),
        ("12345678901234567890", "12345678901234567000"),
        ("1e21", "1e+21"),
        ("1e-7", "1e-7"),
        ("0.000001", "0.000001"),
        ("-1.5e300", "-1.5e+300"),
        // Keys: the last of equal ones at the place of the first, indices before names.
        (r#"{"v":1,"w":2,"v":3}"#, r#"{"v":3,"w":2}"#),
        (
            r#"{"b":1,"10":2,"2":3,"01":4}"#,
            r#"{"2":3,"10":2,"b":1,"01":4}"#,
        ),
        // Strings.
        ("\"\\ud83c\\udf0a\"", "\"🌊\""),
        ("\"a\\ud83cb\"", "\"a\u{fffd}b\""),
        ("\"\\ud83c\\ud83c\\udf0a\"", "\"\u{fffd}🌊\""),
        ("\"\\u0001\\u007f\\u2028\"", "\"\\u0001\u{7f}\u{2028}\""),
        ("\"\\/\"", "\"/\""),
        (" [ 1 , \"2\" , null ] ", r#"[1,"2",null]"#),
    ] {
        check(text, printed);
    }
}

#[test]
fn what_is_no_json() {
    for (text, why) in [
        ("", "expected a value at byte 0"),
        ("007", "more after the value at byte 1"),
        ("0x10", "more after the value at byte 1"),
        ("NaN", "expected a value at byte 0"),
        ("{\"a\":1} // note", "more after the value at byte 8"),
        ("{\"a\":1", "expected `,` or `}` at byte 6"),
        ("[1,]", "expected a value at byte 3"),
        ("\"a\nb\"", "control character in a string at byte 3"),
        ("\"\\u12\"", "expected four hex digits at byte 3"),
        ("\u{a0}1", "expected a value at byte 0"),
        ("+1", "expected a value at byte 0"),
        (".5", "expected a value at byte 0"),
        ("1.", "expected a digit at byte 2"),
    ] {
        check(text, why);
    }
}

#[test]
fn depth_is_bounded() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(parse(&nested(500)).is_ok());
    assert!(parse(&nested(100_000)).is_err());
}

#[test]
fn integers_of_config() {
    // §1.2 and the recorded `parseInt`.
    for (text, printed) in [
        ("7.9", Some("7")),
        ("12abc", Some("12")),
        ("-3.9", Some("-3")),
        ("0x1f", Some("0")),
        ("1e3", Some("1")),
        ("  42", Some("42")),
        ("\u{a0}+5", Some("5")),
        (
            "123456789012345678901234567890",
            Some("1.2345678901234568e+29"),
        ),
        ("-0", Some("0")),
        ("seven", None),
        ("", None),
        ("-", None),
    ] {
        let res = parse_int(text).map(number_text);
        assert_eq!(res.as_deref(), printed, "{text}");
    }
}

#[test]
fn trimming_is_javascripts() {
    for (text, trimmed) in [
        ("\u{feff}\u{a0} x \u{2028}\n", "x"),
        ("\u{85}x\u{200b}", "\u{85}x\u{200b}"),
        ("x\0", "x\0"),
    ] {
        assert_eq!(trim(text), trimmed);
    }
}

#[test]
fn excerpts_count_utf16() {
    assert_eq!(utf16_prefix("a🌊b", 3), "a🌊");
    assert_eq!(utf16_prefix("a🌊b", 2), "a");
    assert_eq!(utf16_prefix("ab", 9), "ab");
}

#[test]
fn numbers_are_kept_as_they_are_written() {
    for (text, printed, changed) in [
        ("9007199254740993", "9007199254740993", None),
        ("-9223372036854775808", "-9223372036854775808", None),
        ("18446744073709551615", "18446744073709551615", None),
        ("[1.0, -0.5]", "[1.0,-0.5]", None),
        ("1.10", "1.1", None),
        ("1E5", "100000", None),
        ("0.00", "0.0", None),
        ("1e-7", "1e-7", None),
        ("0.10000000000000001", "0.1", None),
        (
            "9007199254740993.0",
            "9007199254740992",
            Some("9007199254740993.0"),
        ),
        ("1e400", "null", Some("1e400")),
        ("1e-400", "0", Some("1e-400")),
        (
            "18446744073709551616",
            "1.8446744073709552e+19",
            Some("18446744073709551616"),
        ),
        (
            r#"{"a": [0.10000000000000000001]}"#,
            r#"{"a":[0.1]}"#,
            Some("0.10000000000000000001"),
        ),
    ] {
        let exact = parse_exact(text).expect("valid JSON");
        assert_eq!(exact.value.to_string(), printed, "{text}");
        let changed: Vec<&str> = changed.into_iter().collect();
        assert_eq!(exact.changed, changed, "{text}");
    }
}

#[test]
fn numbers_of_javascript_are_doubles() {
    let text = r#"{"a":[9007199254740993,1.0,18446744073709551615],"b":"9007199254740993"}"#;
    let mut value = parse_exact(text).expect("valid JSON").value;
    super::make_doubles(&mut value);
    assert_eq!(value, parse(text).expect("valid JSON"));
}
