//! A server on loopback that gives vectors, and searches with them.
#![expect(
    clippy::disallowed_methods,
    reason = "tests lay out files and serve on loopback"
)]

use std::cell::RefCell;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use serde_json::{Value, json};
use skill_loader::fs::Root;
use skill_search::{Document, Index, Request};

use crate::{Embedder, Embeddings, NoAnswer, SkillText, VectorFile, Vectors, search};

const KEY: &str = "canary-77d0";
const SKILLS: [(&str, &str); 6] = [
    ("pdf-tools", "Merge and split PDF files"),
    ("weather", "Forecasts for a city"),
    ("calendar", "Appointments and reminders"),
    ("photos", "Resize and crop pictures"),
    ("mailer", "Write and send letters"),
    ("archive", "Keep files of a project"),
];

/// Returns a vector by topics: a stand-in for a model, which knows that an umbrella is about weather.
fn vector(text: &str) -> Vec<f32> {
    let topics: [&[&str]; 6] = [
        &["PDF", "Merge"],
        &["city", "umbrella", "Forecast"],
        &["Appointment"],
        &["picture", "crop"],
        &["letter", "send"],
        &["files", "project"],
    ];
    let has = |words: &&[&str]| words.iter().any(|word| text.contains(word));
    let mut res: Vec<f32> = topics
        .iter()
        .map(|words| f32::from(u8::from(has(words))))
        .collect();
    res.push(0.2);
    res
}

/// The status and the body of an answer to a question.
type Reply = fn(&Value) -> (&'static str, String);

/// Answers `n` requests on loopback; returns the address, and the requests as text.
fn serve(n: usize, answer: Reply) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/v1", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let mut res = Vec::new();
        for _ in 0..n {
            let (mut stream, _) = listener.accept().unwrap();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).unwrap();
            }
            let lower = head.to_lowercase();
            let length = lower.split("content-length: ").nth(1).unwrap();
            let length: usize = length.lines().next().unwrap().parse().unwrap();
            let mut body = vec![0; length];
            reader.read_exact(&mut body).unwrap();
            let (status, answer) = answer(&serde_json::from_slice(&body).unwrap());
            write!(
                stream,
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
                answer.len()
            )
            .unwrap();
            res.push(head + &String::from_utf8(body).unwrap());
        }
        res
    });
    (address, served)
}

/// The answer of a server: the vectors in reverse order, with their indexes.
fn answer(question: &Value) -> (&'static str, String) {
    let texts = question["input"].as_array().unwrap().iter().enumerate();
    let data: Vec<Value> = texts
        .map(|(at, text)| json!({"index": at, "embedding": vector(text.as_str().unwrap())}))
        .rev()
        .collect();
    ("200 OK", json!({"data": data}).to_string())
}

fn index() -> Index {
    let document = |(name, description): &(&str, &str)| Document {
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        ..Document::default()
    };
    Index::build(&SKILLS.iter().map(document).collect::<Vec<_>>())
}

fn skills() -> Vec<SkillText> {
    let skill = |(name, description): &(&str, &str)| SkillText {
        name: (*name).to_owned(),
        text: format!("{name}: {description}"),
    };
    SKILLS.iter().map(skill).collect()
}

fn found(text: &str, embedder: &dyn Embedder, vectors: &mut Vectors) -> Vec<(String, f32)> {
    let matches = search(&index(), &Request::new(text), &skills(), embedder, vectors).unwrap();
    matches
        .into_iter()
        .map(|one| (one.skill, one.confidence))
        .collect()
}

/// A model in the process that counts the texts that it was asked about.
#[derive(Default)]
struct Local(RefCell<Vec<String>>);

impl Embedder for Local {
    fn identity(&self) -> String {
        "local".to_owned()
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, NoAnswer> {
        self.0
            .borrow_mut()
            .extend(texts.iter().map(|&text| text.to_owned()));
        Ok(texts.iter().map(|text| vector(text)).collect())
    }
}

#[test]
fn a_server_gives_vectors_and_gets_the_key() {
    let (url, served) = serve(2, answer);
    let embedder = Embeddings::with_key(&url, "small", Some(KEY.to_owned())).unwrap();
    let found = found("do I need an umbrella", &embedder, &mut Vectors::default());
    assert_eq!(found[0].0, "weather");
    let requests = served.join().unwrap();
    for request in &requests {
        assert!(
            request.starts_with("POST /v1/embeddings HTTP/1.1\r\n"),
            "{request}"
        );
        assert!(request.contains(&format!("Bearer {KEY}")), "{request}");
        assert!(request.contains(r#""model":"small""#), "{request}");
    }
    assert!(requests[0].contains("Forecasts") && requests[1].contains("umbrella"));
}

#[test]
fn a_skill_without_a_common_word_is_worth_a_look_and_no_more() {
    let found = found(
        "do I need an umbrella",
        &Local::default(),
        &mut Vectors::default(),
    );
    let [(name, confidence), ..] = &found[..] else {
        panic!("{found:?}")
    };
    assert_eq!(name, "weather");
    assert!((0.15..=0.5).contains(confidence), "{found:?}");
}

#[test]
fn vectors_move_a_confidence_by_a_bounded_amount() {
    let text = "merge files";
    let words: Vec<(String, f32)> = index()
        .search(&Request::new(text))
        .into_iter()
        .map(|one| (one.skill, one.confidence))
        .collect();
    let both = found(text, &Local::default(), &mut Vectors::default());
    let logit = |p: f32| (p / (1.0 - p)).ln();
    for (name, before) in &words {
        let (_, after) = both.iter().find(|(known, _)| known == name).unwrap();
        assert!(
            (logit(*after) - logit(*before)).abs() < 1.51,
            "{words:?} {both:?}"
        );
    }
}

#[test]
fn a_skill_that_is_asked_for_by_name_keeps_its_confidence() {
    let found = found(
        "use the mailer skill for the umbrella",
        &Local::default(),
        &mut Vectors::default(),
    );
    assert_eq!(found[0], ("mailer".to_owned(), 0.98));
}

#[test]
fn only_unknown_texts_are_asked_for_again() {
    let dir = tempfile::tempdir().unwrap();
    let file = || {
        let root = Root::open(dir.path()).unwrap();
        VectorFile::from_cache(root, "caches".to_owned(), &Local::default())
    };
    let local = Local::default();
    let mut vectors = file().read();
    let first = found("umbrella", &local, &mut vectors);
    file().write(&vectors).unwrap();
    assert_eq!(local.0.borrow().len(), SKILLS.len() + 1);
    let later = Local::default();
    let mut vectors = file().read();
    assert_eq!(found("umbrella", &later, &mut vectors), first);
    assert_eq!(later.0.into_inner(), ["umbrella"]);
    // A damaged file is as none.
    let path = std::fs::read_dir(dir.path().join("caches"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
    let again = Local::default();
    assert_eq!(found("umbrella", &again, &mut file().read()), first);
    assert_eq!(again.0.into_inner().len(), SKILLS.len() + 1);
}

#[test]
fn answers_that_cannot_be_used_are_errors() {
    let cases: [(Reply, &str); 5] = [
        (
            |_| {
                (
                    "401 Unauthorized",
                    format!(r#"{{"error": "bad key {KEY}"}}"#),
                )
            },
            "answered 401",
        ),
        (|_| ("200 OK", "<html>".to_owned()), "not JSON"),
        (|_| ("200 OK", "{}".to_owned()), "no list at `data`"),
        (
            |_| ("200 OK", r#"{"data": [{"embedding": ["x"]}]}"#.to_owned()),
            "not a list of numbers",
        ),
        (
            |_| ("200 OK", r#"{"data": [{"embedding": [1.0]}]}"#.to_owned()),
            "expected 2",
        ),
    ];
    for (answer, expected) in cases {
        let (url, served) = serve(1, answer);
        let embedder = Embeddings::with_key(&url, "m", Some(KEY.to_owned())).unwrap();
        let error = embedder.embed(&["a", "b"]).unwrap_err().to_string();
        served.join().unwrap();
        assert!(error.contains(expected) && !error.contains(KEY), "{error}");
    }
}

#[test]
fn a_key_is_not_sent_without_encryption() {
    let error =
        Embeddings::with_key("http://example.org/v1", "m", Some(KEY.to_owned())).unwrap_err();
    assert!(
        error.contains("SKILLS_EMBEDDINGS_KEY") && !error.contains(KEY),
        "{error}"
    );
}
