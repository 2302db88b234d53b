//! Tests of indexes as bytes, and after changes.

use proptest::prelude::*;

use super::{Change, Index, IndexError};
use crate::{CommandText, Document, Request, TriggerTexts};

/// Returns documents of every shape.
pub(crate) fn documents() -> Vec<Document> {
    let document = |name: &str, description: &str, body: &str| Document {
        name: name.to_owned(),
        description: description.to_owned(),
        body: body.to_owned(),
        ..Document::default()
    };
    let mut res = vec![
        document(
            "pdf-tools",
            "Merge and split PDF files. Not for images.",
            "## Merge\nqpdf",
        ),
        document(
            "image-resize",
            "Resize, crop and convert photos",
            "ImageMagick does it",
        ),
        document("weather", "天气预报：查询城市的天气", "和风天气"),
        document("git-notes", "Write release notes from a git log", ""),
        document("empty", "", ""),
    ];
    res[1].aliases = vec!["ImageMagician".to_owned()];
    res[1].keywords = vec!["Photo".to_owned()];
    res[1].domain = Some("Media".to_owned());
    res[1].priority = 0.5;
    res[2].display_name = "天气查询".to_owned();
    res[2].commands = vec![CommandText {
        id: "get_forecast".to_owned(),
        description: "未来七天".to_owned(),
    }];
    res[2].triggers = TriggerTexts {
        intents: vec!["明天会下雨吗".to_owned()],
        phrases: vec!["天气".to_owned()],
    };
    res
}

#[test]
fn bytes_give_the_same_index() {
    let index = Index::build(&documents());
    let bytes = index.to_bytes();
    let read = Index::from_bytes(&bytes).unwrap();
    assert_eq!(read.to_bytes(), bytes);
    let request = Request::new("merge pdf");
    assert_eq!(read.search(&request), index.search(&request));
}

#[test]
fn every_damaged_byte_and_every_cut_is_an_error() {
    let bytes = Index::build(&documents()).to_bytes();
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x41;
        assert!(Index::from_bytes(&damaged).is_err(), "byte {at}");
        assert!(Index::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
    }
    let longer = [&bytes[..], b"x"].concat();
    assert_eq!(Index::from_bytes(&longer).unwrap_err(), IndexError::Damaged);
    assert_eq!(Index::from_bytes(b"").unwrap_err(), IndexError::NotAnIndex);
}

#[test]
fn forged_bytes_do_not_panic() {
    let bytes = Index::build(&documents()).to_bytes();
    for at in super::bytes::HEAD..bytes.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut forged = bytes.clone();
            forged[at] = value;
            super::bytes::sign(&mut forged);
            if let Ok(index) = Index::from_bytes(&forged) {
                let _ = index.search(&Request::new("merge pdf 天气 /weather get_forecast"));
                let _ = index.update(&Change::default());
            }
        }
    }
}

#[test]
fn an_updated_index_equals_a_new_one() {
    let all = documents();
    let index = Index::build(&all[..4]);
    let mut other = all[0].clone();
    other.description = "Sign contracts".to_owned();
    let changed = index.update(&Change {
        put: &[other.clone(), all[4].clone()],
        removed: &["weather", "unheard-of"],
    });
    let expected = Index::build(&[other, all[1].clone(), all[3].clone(), all[4].clone()]);
    assert_eq!(changed.to_bytes(), expected.to_bytes());
    let same = index.update(&Change::default());
    assert_eq!(same.to_bytes(), index.to_bytes());
}

#[test]
fn the_first_of_a_name_counts_and_order_does_not() {
    let all = documents();
    let mut twice = all.clone();
    twice.push(Document {
        name: "weather".to_owned(),
        ..Document::default()
    });
    twice.rotate_left(0);
    let index = Index::build(&all);
    assert_eq!(Index::build(&twice).to_bytes(), index.to_bytes());
    let reversed: Vec<Document> = all.into_iter().rev().collect();
    assert_eq!(Index::build(&reversed).to_bytes(), index.to_bytes());
}

proptest! {
    #[test]
    fn any_texts_can_be_saved_updated_and_searched(
        texts in proptest::collection::vec("\\PC{0,60}", 1..6),
        request in "\\PC{0,80}",
    ) {
        let document = |(number, text): (usize, &String)| Document {
            name: format!("skill-{number}"),
            description: text.clone(),
            body: text.chars().rev().collect(),
            ..Document::default()
        };
        let all: Vec<Document> = texts.iter().enumerate().map(document).collect();
        let index = Index::build(&all);
        let again = Index::build(&all[1..]).update(&Change { put: &all[..1], removed: &[] });
        prop_assert_eq!(again.to_bytes(), index.to_bytes());
        let request = Request::new(request);
        let matches = index.search(&request);
        prop_assert_eq!(&again.search(&request), &matches);
        for one in matches {
            prop_assert!((0.0..=1.0).contains(&one.confidence));
        }
    }
}
