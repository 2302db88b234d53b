//! The report as a page: its content, and its appearance in a browser.
//!
//! Chromium is not part of the project: the tests that need it are skipped without it. `cargo xtask ci`
//! installs it if it can.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::json;
use skill_testing::find;
use tempfile::TempDir;

use crate::{cases, tool};

/// Migrates to `out` and returns the page.
fn page(input: &Path, out: &Path) -> String {
    let file = out.with_file_name("report.html");
    let [input, out, report] = [input, out, &file].map(|path| path.to_str().unwrap());
    let run = tool::migrate(&[
        input,
        "--out",
        out,
        "--report",
        report,
        "--include-disabled",
    ]);
    assert!(run.status < 2, "{run:?}");
    fs::read_to_string(file).unwrap()
}

/// The project's own plugins, good and broken, and a skill that was merged.
fn sample(dir: &TempDir) -> String {
    let [input, out] = ["plugins", "skills"].map(|name| dir.path().join(name));
    for area in ["plugins", "broken"] {
        cases::copy(&cases::fixtures(area), &input);
    }
    page(&input, &out);
    let skill = out.join("tea-timer/SKILL.md");
    fs::write(&skill, fs::read_to_string(&skill).unwrap() + "\nmine\n").unwrap();
    let program = input.join("TeaTimer/tea.py");
    let text = fs::read_to_string(&program).unwrap();
    fs::write(&program, text.replace("unknown tea", "no such tea")).unwrap();
    page(&input, &out)
}

#[test]
fn the_page_is_complete_and_requests_nothing() {
    let dir = TempDir::new().unwrap();
    let html = sample(&dir);
    for part in [
        "<h2 id=\"summary-title\">",
        "Fates of all fields",
        "<svg ",
        ">merged<",
        "class=\"del\"><del>",
        "no such tea",
        "The fate of",
    ] {
        assert!(html.contains(part), "{part} is missing");
    }
    for outward in ["<script", "http://", "src=", "@import", "url(", "<link"] {
        let tags = html.split('<').filter(|tag| {
            let tag = tag.split('>').next().unwrap_or_default();
            format!("<{tag}").contains(outward)
        });
        assert_eq!(tags.count(), 0, "{outward}");
    }
    assert!(
        !html.contains(dir.path().to_str().unwrap()),
        "a path of this machine"
    );
}

#[test]
fn the_page_is_the_same_everywhere() {
    let [first, second] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    assert!(sample(&first) == sample(&second));
}

#[test]
fn what_needs_the_reader_comes_first() {
    let dir = TempDir::new().unwrap();
    let html = sample(&dir);
    let plugins = html.split_once("<section id=\"plugins\"").unwrap().1;
    let in_page = |page: &str, part: &str| {
        let place = page.find(part);
        place.unwrap_or_else(|| panic!("{part} is missing"))
    };
    let at = |part: &str| in_page(&html, part);
    let order = [
        "id=\"g-failed\"",
        "id=\"g-attention\"",
        ">host-modules<",
        "id=\"g-ready\"",
        ">ArtPalette<",
    ];
    let places = order.map(|part| in_page(plugins, part));
    assert!(places.is_sorted(), "{places:?}");
    // Every link leads to a part of the page.
    for link in html.split("href=\"#").skip(1) {
        let id = link.split('"').next().unwrap();
        assert!(html.contains(&format!("id=\"{id}\"")), "#{id}");
    }
    for filter in ["f-needy", "f-runs", "f-direct", "f-static"] {
        at(&format!("id=\"{filter}\""));
        at(&format!("main:has(#{filter}:checked)"));
    }
    assert!(!html.contains(" or references/commands.md"));
    assert!(!html.contains("SKILL.md or"));
    // A word between backticks is code, and a switched-off plugin has the words of the terminal.
    at("the entry file <code>dist/<wbr/>noop.js</code>");
    let table = plugins.split("</section>").next().unwrap();
    assert_eq!(table.find('`'), None);
}

#[test]
fn texts_are_not_markup() {
    let dir = TempDir::new().unwrap();
    let [input, out] = ["plugins", "skills"].map(|name| dir.path().join(name));
    for (n, text) in naughty().iter().enumerate() {
        let directory = input.join(format!("p{n}"));
        fs::create_dir_all(&directory).unwrap();
        let manifest = json!({
            "name": text, "displayName": text, "description": text, "author": text, text: text,
            "pluginType": "synchronous", "entryPoint": { "command": text },
            "capabilities": { "invocationCommands": [{ "commandIdentifier": text, "description": text }] },
        });
        fs::write(directory.join("plugin-manifest.json"), manifest.to_string()).unwrap();
        fs::write(directory.join(format!("{n}<b>.js")), "").unwrap();
    }
    let html = page(&input, &out);
    let hidden = |c: &char| c.is_control() && !matches!(c, '\n' | '\t');
    assert_eq!(html.chars().find(hidden), None);
    let body = html.split_once("<body>").unwrap().1;
    let mut open: Vec<&str> = Vec::new();
    for piece in body.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').unwrap_or_else(|| panic!("<{piece}"));
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap();
        assert!(ELEMENTS.contains(&name), "<{tag}>");
        let is_attack = tag
            .split(' ')
            .any(|word| word.starts_with("on") || word.contains("javascript:"));
        assert!(!is_attack || tag.contains("aria-label"), "<{tag}>");
        match tag {
            "br" => {}
            _ if tag.ends_with('/') => {}
            "/body" | "/html" => {}
            _ if tag.starts_with('/') => assert_eq!(open.pop(), Some(name), "</{name}>"),
            _ => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

/// Returns every element of the page.
const ELEMENTS: [&str; 47] = [
    "a",
    "article",
    "body",
    "br",
    "caption",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "h1",
    "h2",
    "h3",
    "header",
    "html",
    "input",
    "ins",
    "label",
    "legend",
    "li",
    "line",
    "main",
    "nav",
    "p",
    "pre",
    "rect",
    "section",
    "small",
    "span",
    "strong",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "text",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
    "wbr",
];

fn naughty() -> Vec<String> {
    let file = find::shared("torture/naughty-strings/blns.json");
    let mut res = vec![
        "<script>alert(1)</script>".to_owned(),
        "\"><img src=x onerror=alert(1)>".to_owned(),
        "</style></pre></details>&lt;\u{202e}\u{1b}[0m".to_owned(),
    ];
    if let Some(file) = file {
        let text = fs::read_to_string(file).unwrap();
        res.extend(serde_json::from_str::<Vec<String>>(&text).unwrap());
    }
    res
}

#[test]
fn a_browser_shows_it_without_scripts_at_every_width() {
    let Some(browser) = find::browser() else {
        return;
    };
    let dir = TempDir::new().unwrap();
    // Every part is open, so that a wide one is found.
    let html = sample(&dir).replace("<details>", "<details open>");
    let n_articles = html.matches("<article ").count();
    let quoted = html.replace('&', "&amp;").replace('"', "&quot;");
    let frames = WIDTHS.map(|width| {
        // A frame may be narrower than a window; this one runs no script.
        format!(
            r#"<iframe sandbox="allow-same-origin" style="width:{width}px;height:900px;border:0" srcdoc="{quoted}"></iframe>"#
        )
    });
    let outer = dir.path().join("outer.html");
    fs::write(&outer, format!("{}{TOO_WIDE}{PROBE}", frames.concat())).unwrap();
    let (dom, errors) = run(&browser, &outer, &["--dump-dom"]);
    let measured = dom
        .split("<output>")
        .nth(1)
        .and_then(|it| it.split('<').next());
    let expected = WIDTHS.map(|_| format!("{n_articles} articles, fits; "));
    let expected = expected.concat() + "0 articles, 3000 wide; ";
    assert_eq!(measured, Some(&*expected), "{errors}");
}

const WIDTHS: [u32; 2] = [400, 1280];

/// An element that the probe must find.
const TOO_WIDE: &str = r#"<iframe sandbox="allow-same-origin" style="width:400px" srcdoc="<body style='margin:0'><div style='width:3000px'>x</div>"></iframe>"#;

/// A script that reports the content of each frame, and whether it scrolls sideways.
const PROBE: &str = "<output></output><script>addEventListener('load', () => {
    for (const frame of document.querySelectorAll('iframe')) {
        const page = frame.contentDocument, root = page.documentElement;
        const n = page.querySelectorAll('article').length;
        const fits = root.scrollWidth <= root.clientWidth ? 'fits' : root.scrollWidth + ' wide';
        document.querySelector('output').append(n + ' articles, ' + fits + '; ');
    }
});</script>";

#[test]
fn a_browser_has_no_complaints() {
    let Some(browser) = find::browser() else {
        return;
    };
    let dir = TempDir::new().unwrap();
    sample(&dir);
    let file = dir.path().join("report.html");
    let (dom, errors) = run(&browser, &file, &["--dump-dom", "--enable-logging=stderr"]);
    assert!(
        dom.contains("Migration report") && dom.contains("</article>"),
        "{errors}"
    );
    let complaints: Vec<&str> = errors
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .collect();
    assert_eq!(complaints, Vec::<&str>::new());
}

/// Returns the standard output and the standard error of the browser.
fn run(browser: &Path, file: &Path, flags: &[&str]) -> (String, String) {
    let profile = TempDir::new().unwrap();
    let output = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--virtual-time-budget=5000",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(flags)
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}
