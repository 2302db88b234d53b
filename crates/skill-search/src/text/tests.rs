//! Tests of splitting texts into terms.

use super::{clauses, fold, pieces, terms, without_fillers};

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(terms(text), expected, "{text}");
}

#[test]
fn words_are_folded_stopped_and_stemmed() {
    check(
        "The Quick testing of databases",
        &["quick", "test", "databas"],
    );
    check("please help me to resize images", &["resiz", "imag"]);
    check(
        "PDFs CSVs https dns css",
        &["pdf", "csv", "http", "dns", "css"],
    );
    check("Café naïve", &["cafe", "naiv"]);
    check("it's Bob's; don't", &["bob"]);
    check("ＰＤＦ　１２", &["pdf", "12"]);
    check("", &[]);
    check("  \n\t ", &[]);
}

#[test]
fn short_names_of_languages_and_versions_stay_whole() {
    check("C++ and c# or r 3.11 v2", &["c++", "c#", "r", "3.11", "v2"]);
    check("node.js. End", &["node", "js", "end"]);
}

#[test]
fn runs_become_pairs_and_single_characters() {
    check("数据库", &["数据", "据库", "数", "据", "库"]);
    check("數據庫", &["数据", "据库", "数", "据", "库"]);
    check("查pdf表", &["查", "pdf", "表"]);
    check("かな", &["かな", "か", "な"]);
    check("이력서", &["이력", "력서", "이", "력", "서"]);
}

#[test]
fn other_scripts_are_words() {
    check("Погода в Москве", &["погод", "в", "москв"]);
    check("καιρός", &["καιρός"]);
    check("😀 weather 🌧️ today", &["weather", "today"]);
}

#[test]
fn fillers_of_chinese_requests_go() {
    assert_eq!(without_fillers("请帮我看看天气").trim(), "看看天气");
    assert_eq!(without_fillers("plain"), "plain");
}

#[test]
fn characters_that_mean_the_same_become_one() {
    for (from, to) in [
        ('A', 'a'),
        ('Ａ', 'a'),
        ('臺', '台'),
        ('É', 'e'),
        ('⽂', '文'),
    ] {
        let mut res = String::new();
        fold(from, |c| res.push(c));
        assert_eq!(res, to.to_string(), "{from}");
    }
}

#[test]
fn exclusions_are_separate_clauses() {
    assert_eq!(
        clauses("Makes tea. Do not use for coffee. Also cake."),
        [
            (false, "Makes tea. "),
            (true, "Do not use for coffee. "),
            (false, "Also cake.")
        ]
    );
    assert_eq!(
        clauses("翻译。不要用于诗歌。"),
        [(false, "翻译。"), (true, "不要用于诗歌。")]
    );
    assert_eq!(clauses("Plain"), [(false, "Plain")]);
}

#[test]
fn tables_are_sorted() {
    let words: Vec<&str> = include_str!("../../data/stop-words.txt")
        .split_whitespace()
        .collect();
    assert!(words.is_sorted());
    let chars: Vec<char> = include_str!("../../data/simplified.txt")
        .trim()
        .chars()
        .collect();
    let from: Vec<char> = chars.iter().copied().step_by(2).collect();
    assert!(from.is_sorted() && chars.len().is_multiple_of(2));
}

#[track_caller]
fn check_pieces(text: &str, expected: &[(f32, &str)]) {
    let found = pieces(text);
    let found: Vec<(f32, &str)> = found
        .into_iter()
        .map(|piece| ((piece.weight * 100.0).round() / 100.0, piece.text.trim()))
        .collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn what_a_request_asks_weighs_more_than_what_it_tells() {
    check_pieces(
        "We're a shoe shop. Write a mail.",
        &[(0.47, "We're a shoe shop."), (1.0, "Write a mail.")],
    );
    check_pieces(
        "Write a short mail for our shoe shop",
        &[(1.0, "Write a short mail"), (0.5, "for our shoe shop")],
    );
    check_pieces(
        "Review this: 'shoes that are the best there are'",
        &[
            (1.0, "Review this:"),
            (0.6, "shoes that are the best there are"),
            (1.0, "'"),
        ],
    );
    check_pieces("rename 'a b'", &[(1.0, "rename"), (1.0, "a b"), (1.0, "'")]);
    check_pieces("鞋店。怎么写邮件", &[(0.6, "鞋店。"), (1.0, "怎么写邮件")]);
    check_pieces("", &[]);
}

#[test]
fn where_nothing_asks_everything_counts() {
    check_pieces("the revenue of a day", &[(1.0, "the revenue of a day")]);
    check_pieces("don't it's", &[(1.0, "don't it's")]);
}

#[test]
fn referrals_are_separate_clauses() {
    let description = "Runs tests. For tracking, see analytics. For all to use";
    assert_eq!(
        clauses(description),
        [
            (false, "Runs tests. "),
            (true, "For tracking, see analytics. "),
            (false, "For all to use"),
        ]
    );
}
