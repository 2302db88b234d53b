//! Requests, by parameters, arguments and body.

use serde_json::{Value, json};

use crate::{
    Body, BodyKind, Credential, Encoding, Operation, Parameter, ParameterPlace, Style, build,
};

mod bodies;

/// Reads `name place [style] [explode|joined] [reserved] [json] [=argument]`.
fn parameter(text: &str) -> Parameter {
    let mut words = text.split(' ');
    let name = words.next().expect("a name");
    let place = words.next().expect("a place");
    let place = ParameterPlace::ALL
        .into_iter()
        .find(|it| it.word() == place);
    let mut res = Parameter::new(name, place.expect("a known place"));
    for word in words {
        match word {
            "explode" => res.explode = Some(true),
            "joined" => res.explode = Some(false),
            "reserved" => res.allow_reserved = true,
            "json" => res.content = Some("application/json".to_owned()),
            "required" => res.required = true,
            word => match word.strip_prefix('=') {
                Some(argument) => res.argument = Some(argument.to_owned()),
                None => res.style = Style::ALL.into_iter().find(|it| it.word() == word),
            },
        }
    }
    res
}

fn operation(path: &str, parameters: &[&str], body: Option<Body>) -> Operation {
    Operation {
        method: "POST".to_owned(),
        path: path.to_owned(),
        parameters: parameters.iter().map(|text| parameter(text)).collect(),
        body,
        ..Operation::default()
    }
}

fn body(kind: BodyKind, argument: Option<&str>) -> Body {
    Body {
        kind,
        media_type: "x/y".to_owned(),
        argument: argument.map(str::to_owned),
        required: false,
        encoding: [(
            "deep".to_owned(),
            Encoding {
                style: Some(Style::DeepObject),
                ..Encoding::default()
            },
        )]
        .into(),
        files: vec!["file".to_owned()],
    }
}

/// Compares the address after `https://a/v1`, and the message of an error.
#[track_caller]
fn check(path: &str, parameters: &[&str], arguments: &Value, expected: &str) {
    let operation = operation(path, parameters, None);
    let map = arguments.as_object().expect("an object");
    let found = match build(&operation, "https://a/v1/", map, &|_| true) {
        Ok(request) => {
            let headers = request.headers.iter();
            let headers = headers.map(|(name, value)| format!(" {name}: {value}"));
            let url = request.url.strip_prefix("https://a/v1");
            url.expect("the address of the server").to_owned() + &headers.collect::<String>()
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(found, expected, "{path} {parameters:?} {arguments}");
}

#[test]
fn paths() {
    let list = json!({"p": ["a", "b/c", 3]});
    let object = json!({"p": {"R": 100, "G": "ü"}});
    let one = json!({"p": "x y"});
    for (notation, expected) in [
        ("", ["/x%20y", "/a,b%2Fc,3", "/R,100,G,%C3%BC"]),
        ("explode", ["/x%20y", "/a,b%2Fc,3", "/R=100,G=%C3%BC"]),
        ("label", ["/.x%20y", "/.a,b%2Fc,3", "/.R,100,G,%C3%BC"]),
        (
            "label explode",
            ["/.x%20y", "/.a.b%2Fc.3", "/.R=100.G=%C3%BC"],
        ),
        (
            "dotted-label",
            ["/.x%20y", "/.a.b%2Fc.3", "/.R.100.G.%C3%BC"],
        ),
        (
            "matrix",
            ["/;p=x%20y", "/;p=a,b%2Fc,3", "/;p=R,100,G,%C3%BC"],
        ),
        (
            "matrix explode",
            ["/;p=x%20y", "/;p=a;p=b%2Fc;p=3", "/;R=100;G=%C3%BC"],
        ),
    ] {
        let parameter = format!("p path {notation}");
        for (arguments, expected) in [&one, &list, &object].into_iter().zip(expected) {
            check("/{p}", &[parameter.trim_end()], arguments, expected);
        }
    }
}

#[test]
fn paths_lead_to_the_resource_that_is_named() {
    for (value, expected) in [
        (
            json!(".."),
            "`p` is \"..\", which leads to another resource; give a value that is a name",
        ),
        (
            json!(""),
            "`p` is \"\", which leads to another resource; give a value that is a name",
        ),
        (json!("../x?y#z"), "/..%2Fx%3Fy%23z/e"),
        (json!(null), "`p` is missing, which is a part of the path"),
        (
            json!([]),
            "`p` is empty and is a part of the path; give at least one item",
        ),
    ] {
        check("/{p}/e", &["p path"], &json!({ "p": value }), expected);
    }
    check("/{p}", &["p path"], &json!({"p": "{q}"}), "/%7Bq%7D");
    check("/ä b", &[], &json!({}), "/%C3%A4%20b");
    check("a", &[], &json!({}), "/a");
}

#[test]
fn queries() {
    let all = json!({"q": {"a": "x&y", "b": [1, 2]}, "l": ["red", "dark blue"], "e": [], "n": null, "t": true});
    for (parameter, expected) in [
        ("l query", "?l=red&l=dark%20blue"),
        ("l query joined", "?l=red,dark%20blue"),
        ("l query space-delimited", "?l=red%20dark%20blue"),
        ("l query pipe-delimited joined", "?l=red%7Cdark%20blue"),
        ("l query pipe-delimited explode", "?l=red&l=dark%20blue"),
        ("q query", "?a=x%26y&b=%5B1%2C2%5D"),
        ("q query joined", "?q=a,x%26y,b,%5B1%2C2%5D"),
        (
            "q query deep-object",
            "?q%5Ba%5D=x%26y&q%5Bb%5D=1&q%5Bb%5D=2",
        ),
        (
            "q query json",
            "?q=%7B%22a%22%3A%22x%26y%22%2C%22b%22%3A%5B1%2C2%5D%7D",
        ),
        ("e query", ""),
        ("n query", ""),
        ("t query", "?t=true"),
        ("missing query", ""),
    ] {
        check("", &[parameter], &all, expected);
    }
    let text = json!({"u": "a/b?c=d&e#f%2G %20"});
    check(
        "",
        &["u query reserved"],
        &text,
        "?u=a/b?c=d%26e%23f%252G%20%20",
    );
    let reserved = json!({
        "r": "a&b=c+d e[1]", "l": ["a&b", "c=d"], "o": {"a=b&c[d]": "e=f"}, "x[y=z]": ":/?#@!$'()*,;=%20",
    });
    for (parameter, expected) in [
        ("r query", "?r=a%26b%3Dc%2Bd%20e%5B1%5D"),
        ("r query reserved", "?r=a%26b=c%2Bd%20e%5B1%5D"),
        ("l query reserved", "?l=a%26b&l=c=d"),
        ("l query joined reserved", "?l=a%26b,c=d"),
        ("o query reserved", "?a%3Db%26c%5Bd%5D=e=f"),
        (
            "o query deep-object reserved",
            "?o%5Ba%3Db%26c%5Bd%5D%5D=e=f",
        ),
        ("x[y=z] query reserved", "?x%5By%3Dz%5D=:/?%23@!$'()*,;=%20"),
    ] {
        check("", &[parameter], &reserved, expected);
    }
    check("/x?y=1", &["u query"], &json!({"u": ""}), "/x?y=1&u=");
}

#[test]
fn headers_and_cookies() {
    let all =
        json!({"h": ["a b&c", "d"], "o": {"R": 1}, "c": "a;b", "d": [1, 2], "bad": "a\r\nb: c"});
    for (parameters, expected) in [
        (&["h header"][..], " h: a b&c,d"),
        (&["o header explode"], " o: R=1"),
        (&["o header"], " o: R,1"),
        (&["c cookie", "d cookie"], " cookie: c=a%3Bb; d=1; d=2"),
        (&["d cookie joined"], " cookie: d=1,2"),
        (
            &["bad header"],
            "`bad` has a control character, which a header cannot have",
        ),
    ] {
        check("", parameters, &all, expected);
    }
}

#[test]
fn a_name_in_two_places() {
    let parameters = ["id path required =id_path", "id query =id_query"];
    check(
        "/{id}",
        &parameters,
        &json!({"id_path": 7, "id_query": "q"}),
        "/7?id=q",
    );
    check("/{id}", &parameters, &json!({"id": 7}), "/7");
}

#[test]
fn multipart_bodies_have_a_free_boundary() {
    let operation = operation("/", &[], Some(body(BodyKind::Multipart, None)));
    let arguments = json!({"a\"b": "skills-boundary-0", "file": {"file": "d/x.png"}});
    let map = arguments.as_object().expect("an object");
    let mut request = build(&operation, "https://a", map, &|_| true).expect("nothing is missing");
    let bytes = request.take_bytes(|path| Ok::<_, ()>(path.as_bytes().to_vec()));
    let bytes = bytes.expect("every file is read").expect("a body");
    assert_eq!(
        String::from_utf8(bytes).expect("a text"),
        "--skills-boundary-1\r\ncontent-disposition: form-data; name=\"a%22b\"\r\n\r\n\
         skills-boundary-0\r\n--skills-boundary-1\r\ncontent-disposition: form-data; \
         name=\"file\"; filename=\"x.png\"\r\ncontent-type: application/octet-stream\r\n\r\n\
         d/x.png\r\n--skills-boundary-1--\r\n"
    );
    let (name, value) = &request.headers[0];
    assert_eq!(
        (name.as_str(), value.as_str()),
        ("content-type", "x/y; boundary=skills-boundary-1")
    );
}

#[test]
fn credentials() {
    use ParameterPlace::{Cookie, Header, Query};
    let of = |place, name: &str, prefix: Option<&str>, user: Option<&str>| Credential {
        place,
        name: name.to_owned(),
        prefix: prefix.map(str::to_owned),
        setting: "KEY".to_owned(),
        user: user.map(str::to_owned),
    };
    for (credential, expected) in [
        (
            of(Header, "Authorization", Some("Bearer"), None),
            "https://a/?q=1 x=1 authorization=Bearer s p",
        ),
        (
            of(Header, "Authorization", Some("Basic"), Some("U")),
            "https://a/?q=1 x=1 authorization=Basic VTpzIHA=",
        ),
        (of(Header, "X", None, None), "https://a/?q=1 x=s p"),
        (of(Query, "k", None, None), "https://a/?q=1&k=s%20p x=1"),
        (of(Query, "q", None, None), "https://a/?q=s%20p x=1"),
        (
            of(Cookie, "k", None, None),
            "https://a/?q=1 x=1 cookie=k=s%20p",
        ),
    ] {
        let operation = operation("/", &["q query", "X header"], None);
        let arguments = json!({"q": 1, "X": 1});
        let map = arguments.as_object().expect("an object");
        let mut request = build(&operation, "https://a", map, &|_| true).expect("all is given");
        let value = |key: &str| Some(if key == "KEY" { "s p" } else { "U" }.to_owned());
        let text = credential.text(value).expect("a value for each setting");
        let had_one = request.add_credential(&credential, &text);
        assert_eq!(had_one, ["X", "q"].contains(&credential.name.as_str()));
        let headers = request.headers.iter();
        let headers = headers.map(|(name, value)| format!(" {name}={value}"));
        assert_eq!(request.url.clone() + &headers.collect::<String>(), expected);
        assert!(credential.text(|_| None).is_err());
    }
}

/// No argument takes the place of a credential, in whatever way it names it.
#[test]
fn credentials_cannot_be_displaced() {
    use ParameterPlace::{Cookie, Header, Query};
    for (parameters, arguments, place, expected) in [
        (
            &["api_key query"][..],
            json!({"api_key": "x"}),
            Query,
            "https://a/?api_key=s3",
        ),
        (
            &["o query"],
            json!({"o": {"api_key": "x", "c": 1}}),
            Query,
            "https://a/?c=1&api_key=s3",
        ),
        (
            &["o query reserved"],
            json!({"o": {"%61pi_key": "x", "c": "1&api_key=y"}}),
            Query,
            "https://a/?c=1%26api_key=y&api_key=s3",
        ),
        (
            &["Api_Key header"],
            json!({"Api_Key": "x"}),
            Header,
            "https://a/ api_key: s3",
        ),
        (
            &["api_key cookie", "b cookie"],
            json!({"api_key": "x", "b": 1}),
            Cookie,
            "https://a/ cookie: b=1; api_key=s3",
        ),
        (
            &["Cookie header"],
            json!({"Cookie": "b=1; api_key=x"}),
            Cookie,
            "https://a/ cookie: b=1; api_key=s3",
        ),
    ] {
        let operation = operation("/", parameters, None);
        let map = arguments.as_object().expect("an object");
        let mut request = build(&operation, "https://a", map, &|_| true).expect("all is given");
        let credential = Credential {
            place,
            name: "api_key".to_owned(),
            prefix: None,
            setting: "KEY".to_owned(),
            user: None,
        };
        assert!(request.add_credential(&credential, "s3"), "{arguments}");
        let headers = request.headers.iter();
        let headers = headers.map(|(name, value)| format!(" {name}: {value}"));
        assert_eq!(request.url.clone() + &headers.collect::<String>(), expected);
    }
}

#[test]
fn an_object_is_not_sent_as_xml() {
    let xml = Body {
        kind: BodyKind::Text,
        media_type: "application/xml".to_owned(),
        ..body(BodyKind::Text, Some("body"))
    };
    let operation = operation("/x", &[], Some(xml));
    let built = |value: Value| {
        let arguments = json!({ "body": value }).as_object().cloned().unwrap();
        build(&operation, "https://a.example", &arguments, &|_| true)
    };
    let error = built(json!({"a": 1})).unwrap_err().to_string();
    assert_eq!(
        error,
        "`body` is an object, and the body is a text of the media type `application/xml`; give the text"
    );
    for good in [json!("<a/>"), json!({"file": "a.xml"})] {
        assert!(built(good.clone()).is_ok(), "{good}");
    }
}

#[test]
fn addresses_of_servers_keep_their_query() {
    let url = |server: &str, path: &str| {
        let operation = operation(path, &["q query"], None);
        let arguments = json!({"q": "1"});
        let map = arguments.as_object().expect("an object");
        build(&operation, server, map, &|_| true)
            .expect("a request")
            .url
    };
    for (server, path, expected) in [
        ("https://a:443/v1/", "/x", "https://a/v1/x?q=1"),
        ("http://a:80", "/x", "http://a/x?q=1"),
        ("https://a:80/v1", "/x", "https://a:80/v1/x?q=1"),
        ("http://[::1]:80", "/x", "http://[::1]/x?q=1"),
        ("https://a/v1?k=2#top", "/x", "https://a/v1/x?k=2&q=1"),
        ("https://a?k=2", "/x?y=3#part", "https://a/x?y=3&k=2&q=1"),
        ("https://a", "/x#Action=Get", "https://a/x?q=1"),
    ] {
        assert_eq!(url(server, path), expected, "{server} {path}");
    }
}

#[test]
fn headers_are_no_members_of_the_body() {
    let body = body(BodyKind::Json, None);
    let operation = operation("/x", &["X-Trace header"], Some(body));
    let of = |arguments: &Value| {
        let arguments = arguments.as_object().unwrap();
        let request = build(&operation, "https://a.example", arguments, &|name| {
            matches!(name, "X-Trace" | "accept")
        });
        request.map(|it| it.to_value())
    };
    let sent = of(&json!({"x-trace": "t", "n": 1})).unwrap();
    assert_eq!(sent["headers"]["x-trace"], "t");
    assert_eq!(sent["body"], r#"{"n":1}"#);
    // A declared member of the body may have the name of a header.
    assert_eq!(
        of(&json!({"accept": true})).unwrap()["body"],
        r#"{"accept":true}"#
    );
    for name in ["Authorization", "content-type", "Accept"] {
        let error = of(&json!({ name: "x" })).unwrap_err();
        assert_eq!(error, crate::BuildError::OwnHeader(name.to_owned()));
    }
}
