//! Tests of requests that are not sentences: one word, a product, the name of a file, an address, a
//! pasted error, several wishes.

use crate::{Document, Index, Request};

/// A catalog of skills: name and description.
const SKILLS: [(&str, &str); 24] = [
    ("pdf-tools", "Merge, split, rotate and fill in PDF files"),
    (
        "spreadsheets",
        "Read, clean and edit Excel workbooks and CSV tables",
    ),
    ("photo-lab", "Resize, crop and convert images and photos"),
    (
        "transcriber",
        "Transcribe audio and speech recordings to text",
    ),
    (
        "video-fetch",
        "Download videos and clips from YouTube and other sites",
    ),
    (
        "translator",
        "Translate texts and documents between languages",
    ),
    ("mailer", "Write and send emails, search the inbox"),
    (
        "weather",
        "Weather forecasts and current conditions for a city",
    ),
    (
        "github-issues",
        "Create, label and close GitHub issues and pull requests",
    ),
    (
        "paper-reader",
        "Find and summarize research papers from arXiv",
    ),
    (
        "python-debugger",
        "Debug Python programs: tracebacks, exceptions, failing code",
    ),
    (
        "rust-doctor",
        "Explain errors of the Rust compiler and fix borrow checker problems",
    ),
    (
        "docker-build",
        "Build and run Docker containers and images of services",
    ),
    (
        "page-reader",
        "Read a web page from its URL and extract the main text",
    ),
    ("slide-maker", "Make PowerPoint slides and presentations"),
    ("figma-import", "Import designs and components from Figma"),
    ("jira-tickets", "Create and update Jira tickets"),
    ("日程管家", "管理日历与日程，设置会议提醒"),
    ("表格处理", "读取和整理表格数据，生成统计"),
    ("天气查询", "查询城市的天气预报"),
    ("公众号文章", "抓取微信公众号文章并保存正文"),
    ("错误排查", "分析程序报错和异常堆栈，定位问题"),
    ("calculator", "Evaluate mathematical expressions"),
    ("科学计算器", "执行数学表达式计算"),
];

fn index() -> Index {
    let document = |(name, description): &(&str, &str)| Document {
        name: (*name).to_owned(),
        description: (*description).to_owned(),
        ..Document::default()
    };
    Index::build(&SKILLS.iter().map(document).collect::<Vec<_>>())
}

/// Checks that the skills are first, in any order, each with at least 0.15.
#[track_caller]
fn check(rows: &[(&str, &[&str])]) {
    let index = index();
    let mut wrong = Vec::new();
    for (text, expected) in rows {
        let matches = index.search(&Request::new(*text));
        let firsts = matches.iter().take(expected.len());
        let firsts: Vec<(&str, f32)> = firsts.map(|one| (&one.skill[..], one.confidence)).collect();
        let is_right = |name: &&str| {
            firsts
                .iter()
                .any(|(skill, confidence)| skill == name && *confidence >= 0.15)
        };
        if !expected.iter().all(is_right) {
            wrong.push(format!("{text}\n   {firsts:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_word_or_a_product_finds() {
    check(&[
        ("pdf", &["pdf-tools"]),
        ("excel", &["spreadsheets"]),
        ("translate", &["translator"]),
        ("weather", &["weather"]),
        ("Figma", &["figma-import"]),
        ("jira?", &["jira-tickets"]),
        ("PowerPoint", &["slide-maker"]),
        ("youtube", &["video-fetch"]),
        ("日程", &["日程管家"]),
        ("天气", &["天气查询"]),
        ("公众号", &["公众号文章"]),
        ("表格", &["表格处理"]),
    ]);
}

#[test]
fn the_name_of_a_file_finds_what_handles_it() {
    check(&[
        ("q3_final_v2.xlsx", &["spreadsheets"]),
        ("IMG_2041.HEIC", &["photo-lab"]),
        ("open /home/ann/docs/contract-2024.pdf", &["pdf-tools"]),
        ("what is in standup.m4a", &["transcriber"]),
        ("pitch.pptx", &["slide-maker"]),
        ("C:\\Users\\ann\\scan.tiff", &["photo-lab"]),
        ("Dockerfile", &["docker-build"]),
        ("main.rs:12:5", &["rust-doctor"]),
        ("处理一下report.csv", &["表格处理"]),
        ("整理 数据.xlsx", &["表格处理"]),
        ("这个 IMG_0001.jpg", &["photo-lab"]),
        ("team.ics", &["日程管家"]),
    ]);
}

#[test]
fn an_address_finds_its_service_or_what_reads_pages() {
    check(&[
        (
            "https://www.youtube.com/watch?v=dQw4w9WgXcQ",
            &["video-fetch"],
        ),
        ("https://youtu.be/dQw4w9WgXcQ?t=42", &["video-fetch"]),
        (
            "https://github.com/rust-lang/rust/issues/12345",
            &["github-issues"],
        ),
        ("https://arxiv.org/abs/1706.03762", &["paper-reader"]),
        (
            "https://blog.example.org/2024/05/some-post.html",
            &["page-reader"],
        ),
        (
            "https://www.figma.com/file/AbC123/Checkout",
            &["figma-import"],
        ),
        (
            "https://acme.atlassian.net/browse/OPS-17",
            &["jira-tickets"],
        ),
        (
            "merge https://example.com/a.pdf and https://example.com/b.pdf",
            &["pdf-tools"],
        ),
        ("https://mp.weixin.qq.com/s/abcdef", &["公众号文章"]),
        ("看看 https://youtu.be/abc 这个", &["video-fetch"]),
        (
            "保存 https://mp.weixin.qq.com/s/xyz 的正文",
            &["公众号文章"],
        ),
    ]);
}

#[test]
fn a_formula_finds_what_calculates() {
    check(&[
        ("what is (3.5^4 - 17)/ln(8)?", &["calculator"]),
        ("12*7", &["calculator"]),
        ("算一下 (3.5^4 - 17)/ln(8) 等于多少", &["科学计算器"]),
    ]);
}

#[test]
fn a_pasted_error_finds_what_explains_it() {
    let python = "Traceback (most recent call last):\n  File \"/srv/app/jobs/run.py\", line 31, in main\n    total = sum(row[\"price\"] for row in rows)\nKeyError: 'price'";
    let rust = "error[E0502]: cannot borrow `items` as mutable because it is also borrowed as immutable\n  --> src/main.rs:14:9";
    let java = "程序报错了：java.lang.NullPointerException\n\tat com.example.Main.run(Main.java:20)\n\tat com.example.Main.main(Main.java:5)";
    check(&[
        (python, &["python-debugger"]),
        (
            "ModuleNotFoundError: No module named 'requests'",
            &["python-debugger"],
        ),
        (rust, &["rust-doctor"]),
        (java, &["错误排查"]),
        ("报错：ValueError，怎么排查", &["错误排查"]),
    ]);
}

#[test]
fn several_wishes_are_answered_each() {
    check(&[
        (
            "Merge these two PDFs and then translate the document into French",
            &["pdf-tools", "translator"],
        ),
        (
            "Download the video from YouTube, then transcribe the audio recording",
            &["video-fetch", "transcriber"],
        ),
        (
            "1. resize the photos\n2. send an email to the team\n3. check the weather forecast in Oslo",
            &["photo-lab", "mailer", "weather"],
        ),
        (
            "- merge the pdf files\n- create a jira ticket",
            &["pdf-tools", "jira-tickets"],
        ),
        (
            "查询北京的天气，然后设置会议提醒",
            &["天气查询", "日程管家"],
        ),
        ("整理表格数据；抓取公众号文章", &["表格处理", "公众号文章"]),
    ]);
}

#[test]
fn each_match_says_which_wish_it_answers() {
    let matches = index().search(&Request::new(
        "Merge these two PDFs and then check the weather forecast",
    ));
    let wish = |skill: &str| {
        let found = matches.iter().find(|one| one.skill == skill);
        found.and_then(|one| one.wish.as_deref())
    };
    assert_eq!(wish("pdf-tools"), Some("Merge these two PDFs"));
    assert_eq!(wish("weather"), Some("check the weather forecast"));
}

#[test]
fn one_wish_in_several_parts_is_not_divided() {
    for text in [
        "Merge these PDFs and then rotate the pages of the PDF",
        "Resize the photo. Crop the photo, please.",
        "merge the pdf files and smile",
        "- merge the pdf files",
        "查询上海的天气，然后告诉我天气预报",
        "merge",
        "",
    ] {
        let matches = index().search(&Request::new(text));
        assert!(
            matches.iter().all(|one| one.wish.is_none()),
            "{text}: {matches:?}"
        );
    }
}

#[test]
fn limits_hold_for_several_wishes() {
    let request = Request {
        limit: 1,
        ..Request::new("Merge these two PDFs and then check the weather forecast")
    };
    assert_eq!(index().search(&request).len(), 1);
    let request = Request {
        min_confidence: 0.999,
        ..request
    };
    assert_eq!(index().search(&request), []);
}
