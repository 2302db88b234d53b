//! Tests of requests and their matches.

mod shapes;

use super::Request;
use crate::index::tests::documents;
use crate::{BrokenLine, Document, Index, MentionKind, Model};

fn found(documents: &[Document], request: &Request) -> Vec<(String, f32)> {
    let matches = Index::build(documents).search(request).into_iter();
    matches.map(|one| (one.skill, one.confidence)).collect()
}

/// Checks the first match of a request.
#[track_caller]
fn check(text: &str, expected: Option<&str>) {
    let found = found(&documents(), &Request::new(text));
    assert_eq!(
        found.first().map(|(name, _)| &name[..]),
        expected,
        "{text}: {found:?}"
    );
}

#[test]
fn fields_are_searched() {
    check("how do I merge PDFs", Some("pdf-tools"));
    check("qpdf", Some("pdf-tools"));
    check("crop a photo", Some("image-resize"));
    check("photo", Some("image-resize"));
    check("明天上海的天气怎么样", Some("weather"));
    check("天氣查詢", Some("weather"));
    check("未来七天", Some("weather"));
    check("notes of the release", Some("git-notes"));
}

#[test]
fn a_similar_meaning_counts_beside_a_common_word() {
    let document = |name: &str, description: &str| Document {
        name: name.to_owned(),
        description: description.to_owned(),
        ..Document::default()
    };
    let documents = [
        document("one", "Plans an evening of concerts and orchestras"),
        document("two", "Plans an evening of soups and desserts"),
        document("three", "安排晚上的烹饪"),
        document("four", "安排晚上的歌唱"),
    ];
    let index = Index::build(&documents);
    let rows = [
        ("an evening with violins", "one"),
        ("an evening with noodles", "two"),
        ("晚上的面条", "three"),
        ("晚上的钢琴", "four"),
    ];
    for (text, expected) in rows {
        let matches = index.search(&Request::new(text));
        let found: Vec<&str> = matches.iter().map(|one| &one.skill[..]).collect();
        assert_eq!(found.first(), Some(&expected), "{text}: {found:?}");
        let second = matches.iter().find(|one| one.skill != expected);
        let likeness = |one: &crate::Match| {
            let mut features = one.explanation.features.iter();
            features
                .find(|(name, _)| *name == "likeness")
                .map_or(0.0, |(_, value)| *value)
        };
        let second = second.map_or(0.0, likeness);
        assert!(likeness(&matches[0]) > second, "{text}");
    }
}

#[test]
fn other_words_of_one_meaning_count() {
    let document = |name: &str, description: &str| Document {
        name: name.to_owned(),
        description: description.to_owned(),
        ..Document::default()
    };
    let documents = [
        document("one", "Send mails at night"),
        document("two", "Send photographs at night"),
    ];
    let index = Index::build(&documents);
    for (text, expected) in [("send the pictures", "two"), ("send to the inbox", "one")] {
        let matches = index.search(&Request::new(text));
        let has = |at: usize| {
            let features = &matches[at].explanation.features;
            features.iter().any(|(name, _)| *name == "concept")
        };
        assert_eq!(matches[0].skill, expected, "{text}");
        assert!(has(0) && !has(1), "{text}");
    }
}

#[test]
fn a_request_in_another_script_finds() {
    let document = |name: &str, description: &str| Document {
        name: name.to_owned(),
        description: description.to_owned(),
        ..Document::default()
    };
    let index = Index::build(&[
        document("contracts", "Reviews legal contracts"),
        document("photos", "Compress and resize photographs"),
        document("calendar", "管理日程与提醒"),
    ]);
    for (text, expected) in [
        ("帮我压缩图片", "photos"),
        ("审查这份合同", "contracts"),
        ("remind me of my appointment", "calendar"),
    ] {
        let matches = index.search(&Request::new(text));
        assert_eq!(matches[0].skill, expected, "{text}");
        assert_eq!(matches.len(), 1, "{text}");
        assert!(!matches[0].explanation.terms.is_empty(), "{text}");
    }
}

#[test]
fn skills_that_fit_equally_are_both_offered() {
    let document = |name: &str| Document {
        name: name.to_owned(),
        description: "Merges PDF files".to_owned(),
        ..Document::default()
    };
    let matches =
        Index::build(&[document("one"), document("two")]).search(&Request::new("merge pdf files"));
    assert!(
        matches
            .iter()
            .all(|one| one.is_ambiguous && one.confidence < 0.7)
    );
    let matches = Index::build(&documents()).search(&Request::new("merge pdf"));
    assert!(!matches[0].is_ambiguous);
}

#[test]
fn the_first_match_says_why_it_is_before_the_second() {
    let matches = Index::build(&documents()).search(&Request::new("split a pdf with photos"));
    let before = matches[0].explanation.before.as_ref().unwrap();
    assert_eq!(before.skill, matches[1].skill);
    assert!(before.terms.contains(&"pdf".to_owned()), "{before:?}");
    assert!(
        !before.reasons.is_empty() && before.reasons.len() <= 3,
        "{before:?}"
    );
    assert!(matches[1].explanation.before.is_none());
}

#[test]
fn a_search_returns_up_to_its_limit() {
    let documents: Vec<Document> = (0..200)
        .map(|n| Document {
            name: format!("tea-{n:03}"),
            description: "Brews tea".to_owned(),
            ..Document::default()
        })
        .collect();
    for (limit, expected) in [(0, 0), (1, 1), (32, 32), (33, 33), (150, 150), (1_000, 200)] {
        let request = Request {
            limit,
            ..Request::new("brew tea")
        };
        assert_eq!(found(&documents, &request).len(), expected);
    }
}

#[test]
fn nothing_matched_is_nothing() {
    for text in [
        "",
        "the of and",
        "bananas",
        "😀",
        "$unheard-of",
        "/etc/passwd",
    ] {
        check(text, None);
    }
}

/// Checks the skill that a request mentions.
#[track_caller]
fn check_mention(text: &str, expected: Option<(&str, MentionKind)>) {
    let matches = Index::build(&documents()).search(&Request::new(text));
    let won: Vec<_> = matches
        .iter()
        .filter(|one| one.explanation.mention.is_some())
        .collect();
    let kind = |at: usize| won[at].explanation.mention.as_ref().unwrap().kind;
    let names: Vec<_> = (0..won.len())
        .map(|at| (&won[at].skill[..], kind(at)))
        .collect();
    assert_eq!(names, Vec::from_iter(expected), "{text}");
    if expected.is_some() {
        assert!(matches[0].confidence >= 0.9, "{text}");
        assert!(
            matches.iter().skip(1).all(|one| one.confidence <= 0.5),
            "{text}"
        );
    }
}

#[test]
fn a_name_that_is_said_wins() {
    check_mention("$weather crop photos", Some(("weather", MentionKind::Name)));
    check_mention("/pdf-tools", Some(("pdf-tools", MentionKind::Name)));
    check_mention(
        "please use the pdf-tools skill",
        Some(("pdf-tools", MentionKind::Name)),
    );
    check_mention(
        "use the PDF tools skill on it",
        Some(("pdf-tools", MentionKind::Name)),
    );
    check_mention(
        "run ImageMagician now",
        Some(("image-resize", MentionKind::Alias)),
    );
    check_mention("call get_forecast", Some(("weather", MentionKind::Command)));
    check_mention("用weather技能", Some(("weather", MentionKind::Name)));
    check_mention("weather", Some(("weather", MentionKind::Name)));
}

#[test]
fn common_words_are_not_mentions() {
    check_mention("nice weather today", None);
    check_mention("look into /usr/weather/x", None);
    check_mention("do not use the weather skill", None);
    check_mention("不要用weather技能", None);
    check_mention("compare pdf-tools with git-notes", None);
}

#[test]
fn a_skill_that_a_request_is_about_is_not_asked_for() {
    let index = Index::build(&documents());
    for (text, limit) in [
        ("Disable the weather plugin", 0.5),
        ("给我看看 ImageMagician 这个插件的源代码", 0.5),
        ("why did the ImageMagician tool calls fail", 0.5),
        ("do not use the weather skill", 0.1),
        ("Tell me about clouds, but do not invoke weather", 0.1),
        ("不要用weather技能", 0.1),
    ] {
        let matches = index.search(&Request::new(text));
        let named = ["weather", "image-resize"];
        let mut named = matches.iter().filter(|one| named.contains(&&one.skill[..]));
        assert!(
            named.all(|one| one.confidence <= limit),
            "{text}: {matches:?}"
        );
    }
}

#[test]
fn a_skill_that_a_request_is_about_has_its_place_by_its_confidence() {
    for (text, name) in [
        ("Disable the weather plugin", "weather"),
        (
            "why did the ImageMagician tool calls fail to resize pictures",
            "image-resize",
        ),
    ] {
        let found = found(&documents(), &Request::new(text));
        assert_eq!(found[0].0, name, "{found:?}");
        assert!(found[0].1 > 0.15, "{found:?}");
    }
}

#[test]
fn an_ambiguous_mention_wins_nothing() {
    let mut two = documents();
    for document in &mut two[..2] {
        document.aliases = vec!["DoIt".to_owned()];
    }
    let matches = Index::build(&two).search(&Request::new("/DoIt merge pdf"));
    assert!(matches.iter().all(|one| one.explanation.mention.is_none()));
}

#[test]
fn filters_leave_out() {
    let request = |domain: Option<&str>, keywords: &[&str]| Request {
        domain: domain.map(str::to_owned),
        required_keywords: keywords.iter().map(|&word| word.to_owned()).collect(),
        ..Request::new("photo pdf 天气 release")
    };
    let names = |request: &Request| {
        let found = found(&documents(), request).into_iter();
        found.map(|(name, _)| name).collect::<Vec<_>>()
    };
    assert_eq!(names(&request(Some("media"), &[])), ["image-resize"]);
    assert_eq!(names(&request(None, &["PHOTO"])), ["image-resize"]);
    assert_eq!(names(&request(None, &["get_forecast"])), ["weather"]);
    assert_eq!(names(&request(Some("other"), &[])), [""; 0]);
    assert_eq!(names(&request(None, &["photo", "pdf"])), [""; 0]);
    let best = Request {
        limit: 1,
        ..request(None, &[])
    };
    assert_eq!(names(&best).len(), 1);
}

#[test]
fn priority_is_bounded() {
    let mut all = documents();
    let confidence = |all: &[Document], name: &str| {
        let found = found(all, &Request::new("split a pdf with photos"));
        found
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, confidence)| *confidence)
    };
    let before = confidence(&all, "image-resize").unwrap();
    all[1].priority = 1e9;
    let after = confidence(&all, "image-resize").unwrap();
    all[1].priority = f32::NAN;
    let nan = confidence(&all, "image-resize").unwrap();
    assert!(before <= after && after < before + 0.1, "{before} {after}");
    assert!(nan <= before);
    let first = found(&all, &Request::new("split a pdf with photos")).remove(0);
    assert_eq!(first.0, "pdf-tools");
}

#[test]
fn explanations_name_terms_fields_and_triggers() {
    let matches = Index::build(&documents()).search(&Request::new("明天会下雨吗"));
    let explanation = &matches[0].explanation;
    assert_eq!(explanation.trigger.as_deref(), Some("明天会下雨吗"));
    assert!(
        explanation
            .terms
            .iter()
            .any(|hit| hit.term == "下雨" && hit.fields == ["triggers"])
    );
    let matches = Index::build(&documents()).search(&Request::new("merge"));
    assert_eq!(
        matches[0].explanation.terms[0].fields,
        ["description", "body"]
    );
}

#[test]
fn a_match_is_not_surer_than_the_one_before() {
    let index = Index::build(&documents());
    for request in [
        "merge pdf files",
        "resize the photo and write notes",
        "明天天气",
        "use pdf-tools, not weather, for the weather notes",
    ] {
        let matches = index.search(&Request::new(request));
        let sure: Vec<f32> = matches.iter().map(|one| one.confidence).collect();
        assert!(sure.is_sorted_by(|a, b| a >= b), "{request}: {sure:?}");
    }
}

#[test]
fn the_model_survives_its_file() {
    let model = Model::shipped();
    assert_eq!(&Model::parse(&model.to_json()).unwrap(), model);
    let unknown = model.to_json().replacen("\"bias\"", "\"luck\"", 1);
    assert!(
        Model::parse(&unknown)
            .unwrap_err()
            .to_string()
            .contains("luck")
    );
    let other = model
        .to_json()
        .replacen("\"version\": 4", "\"version\": 9", 1);
    assert!(Model::parse(&other).is_err());
    let bend = BrokenLine::new(vec![[0.0, 0.0], [1.0, 97.5]]).unwrap();
    let bent = model.with_bend(bend);
    assert_eq!(Model::parse(&bent.to_json()).unwrap(), bent);
    let fallen = bent.to_json().replace("97.5", "-97.5");
    let error = Model::parse(&fallen).unwrap_err().to_string();
    assert!(error.contains("`bend` do not rise"), "{error}");
}
