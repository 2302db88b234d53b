//! Env files as the host reads them: pairs, lines, and what is written.

use super::*;

#[track_caller]
fn check(text: &str, pairs: &[(&str, &str)]) {
    let res = read_env_file(text);
    let res: Vec<_> = res.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(res, pairs, "{text}");
}

#[test]
fn lines() {
    // `docs/design/legacy-host.md` §1.1.4: keys, both separators, quotes, comments, escapes.
    check(
        "A_STR=\"quoted v\" # c\nB=7.9\n",
        &[("A_STR", "quoted v"), ("B", "7.9")],
    );
    check(
        "# note\n\n  export K = v  \r\nL: w\n",
        &[("K", "v"), ("L", "w")],
    );
    check(
        "a.b=1\nat@key=2\nx%&^+-y=3",
        &[("a.b", "1"), ("at@key", "2"), ("x%&^+-y", "3")],
    );
    check(
        "D=\"a\\nb\"\nS='a\\nb'\nB=`a'b\"`",
        &[("D", "a\nb"), ("S", "a\\nb"), ("B", "a'b\"")],
    );
    check("M=\"one\ntwo\"\nN=1", &[("M", "one\ntwo"), ("N", "1")]);
    // §1.9: any unquoted `#` starts a comment.
    check(
        "C=#fff\nU=http://x/#top\nQ='#fff'",
        &[("C", ""), ("U", "http://x/"), ("Q", "#fff")],
    );
    check("E=\nF=x\nE=2", &[("E", "2"), ("F", "x")]);
    check(
        "V=a=b==\nJ={\"a\": 1}",
        &[("V", "a=b=="), ("J", "{\"a\": 1}")],
    );
    check("not a line\nK2:v\n", &[]);
}

/// Pairs that were read and written read the same again, alone and among others.
#[test]
fn written_files_read_the_same() {
    let values = [
        "",
        "plain",
        "with space",
        " edge ",
        "#fff",
        "a#b",
        "it's",
        "say \"x\"",
        "`tick`",
        "it's \"x\"",
        "it's `x`",
        "\"x\" `y`",
        "it's \"x\" `y`",
        "'x'",
        "\"x\"",
        "a\nb",
        "a\n#b",
        "a\\nb",
        "a\\n#b",
        "C:\\dir\\",
        "C:\\dir \\#",
        "=",
        "a=b",
        "${HOME}",
        "$(id)",
        "ends'",
        "'starts",
        "\u{3000}wide\u{3000}",
        "多行\n第二行",
        "export X=1",
        "a\nSECRET=1\n",
    ];
    let keys: Vec<String> = (0..values.len()).map(|n| format!("K_{n}")).collect();
    let pairs: Vec<_> = keys.iter().map(String::as_str).zip(values).collect();
    let written = write_env_file(pairs.iter().copied());
    assert_eq!(written.left_out, Vec::<String>::new());
    check(&written.text, &pairs);
    for pair in pairs {
        check(&write_env_file([pair]).text, &[pair]);
    }
    // No line can hold this one, and it is named.
    let impossible = write_env_file([("K", "'\n\"\n`#"), ("L", "1")]);
    assert_eq!(
        (impossible.text.as_str(), impossible.left_out),
        ("L=1\n", vec!["K".to_owned()])
    );
}

/// Compares the lines of an env file: comments, blank lines, keys, and keys in comments.
#[track_caller]
fn check_lines(text: &str, expected: &[&str]) {
    let found: Vec<String> = env_lines(text)
        .into_iter()
        .map(|line| match line {
            EnvLine::Comment(text) => format!("# {text}"),
            EnvLine::Blank => String::new(),
            EnvLine::Key(key) => key,
            EnvLine::Optional(key) => format!("({key})"),
        })
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn lines_have_keys_and_comments_but_no_value() {
    check_lines(
        "# 说明\n\nA=1\nexport B = 'x'\nC: y\n",
        &["# 说明", "", "A", "B", "C"],
    );
    check_lines("#KEY=sk-secret\n## Title ##", &["(KEY)", "# Title ##"]);
    check_lines("a.b@c=1\n1x=2\nno assignment\nhttp://x=1", &["a.b@c", "1x"]);
    check_lines("A=1 # why\n\n# next\nB=2", &["A", "", "# next", "B"]);
    // A comment is prose, so a key in it starts like a name.
    check_lines("# 80%: most of them", &["# 80%: most of them"]);
}

#[test]
fn values_over_several_lines_are_one_value() {
    check_lines("A=\"one\nB=2\nthree\"\nC=4", &["A", "C"]);
    check_lines("A=\"open\nB=2", &["A", "B"]);
    check_lines("A=\n'next line'\nB=2", &["A", "B"]);
}

#[test]
fn keys_are_those_of_the_host() {
    for (line, key) in [
        ("1KEY=x", Some("1KEY")),
        ("export\tA=1", Some("A")),
        ("A:\tx", Some("A")),
        ("@scope=1", Some("@scope")),
        ("-x=1", Some("-x")),
        ("%K=1", Some("%K")),
        ("A : x", None),
        ("\u{FEFF}A=1", Some("A")),
        ("A=1\rB=2", Some("A")),
    ] {
        let pairs = read_env_file(line);
        assert_eq!(pairs.first().map(|(key, _)| &**key), key, "{line:?}");
        let keys = env_lines(line);
        let keys: Vec<&str> = keys
            .iter()
            .filter_map(|line| match line {
                EnvLine::Key(key) => Some(&**key),
                _ => None,
            })
            .collect();
        assert_eq!(keys.first().copied(), key, "{line:?}");
    }
}
