//! The estimator against the tokenizer.
#![expect(clippy::unwrap_used, reason = "a failed step is a failed test")]

use skill_loader::fs::Root;

use skill_tokens::{Estimator, TokenCounter as _, pieces};
use skill_tokens_exact::ExactO200k;

/// One text of each kind.
const TEXTS: [&str; 22] = [
    "a",
    "Use when you need to create a weather card, e.g. for https://example.org/a?b=c&d=1#top.",
    "当需要查询天气、生成卡片时使用；也可以用于 weather-card 相关的任务（见 references/a.md）。",
    "這是繁體中文的說明文字，用於測試估算器的準確度。",
    "これは日本語の文章です。スキルの説明を読み込み、必要な情報だけを表示します。",
    "이것은 한국어 문장입니다. 스킬 설명을 읽고 필요한 정보만 표시합니다.",
    "Навык читает описание и показывает только нужные сведения.",
    "La compétence lit la description et n'affiche que l'information nécessaire.",
    "نقرأ الوصف ونعرض المعلومات المطلوبة فقط.",
    "यह कौशल विवरण पढ़ता है और केवल आवश्यक जानकारी दिखाता है।",
    "✅ 完成 🎉🚀 done 👩\u{200d}💻 👍🏽 ⭐\u{fe0f}",
    "3.14159, 2026-11-20T16:35:00Z, 1,234,567.89, 0xDEADBEEF, 192.168.0.1",
    "{\"name\": \"x\", \"items\": [1, 2, {\"deep\": null}], \"文字\": \"值\"}\n",
    "| 参数 | 类型 | 必需 |\n| --- | :---: | ---: |\n| `query` | string | 是 |\n",
    "fn main() {\n    let xs: Vec<u8> = Vec::new();\n    println!(\"{xs:?}\");\n}\n",
    "getHTTPResponseCode parse_json_value SCREAMING_SNAKE_CASE kebab-case-name",
    "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "--------------------------------------------------------------------------------\n",
    "                                        x\n\n\n\t\t\ty\r\n\r\n",
    "It's what they've said: \"don't\", I'll go; WE'RE HERE.",
    "────────────────────────────────\n│ box │\n════════\n",
];

fn error(found: usize, right: usize) -> f64 {
    let signed = |n: usize| f64::from(u32::try_from(n).unwrap());
    (signed(found) - signed(right)) / signed(right).max(1.0)
}

#[test]
fn texts_of_all_kinds_are_counted_closely() {
    let (estimator, exact) = (Estimator::default(), ExactO200k::new());
    assert_eq!((estimator.count(""), exact.count("")), (0, 0));
    let mut sum = 0.0;
    for text in TEXTS {
        let (found, right) = (estimator.count(text), exact.count(text));
        let error = error(found, right);
        assert!(
            (-0.15..=0.25).contains(&error),
            "{found} for {right}: {text}"
        );
        sum += error.abs();
    }
    assert!(sum / 22.0 <= 0.04, "{sum}");
}

#[test]
fn runs_of_one_sign_are_not_counted_low() {
    let (estimator, exact) = (Estimator::default(), ExactO200k::new());
    let signs = ["-", "=", ".", "*", "_", "#", "~", "+", "/", "█", "─", "═"];
    for sign in signs {
        for length in [40, 80, 120, 160, 200, 300, 400, 1_000, 5_000] {
            let text = sign.repeat(length);
            let (found, right) = (estimator.count(&text), exact.count(&text));
            assert!(
                error(found, right) >= -0.15,
                "{found} for {right}: {length} times {sign}"
            );
        }
    }
}

#[test]
fn pieces_are_the_text() {
    for text in TEXTS {
        assert_eq!(
            pieces(text).map(|(_, piece)| piece).collect::<String>(),
            text
        );
    }
}

#[test]
fn real_skills_are_counted_closely() {
    let Some(path) = skill_testing::find::shared("eval/routing") else {
        return;
    };
    let root = Root::open_following(&path).unwrap();
    let (estimator, exact) = (Estimator::default(), ExactO200k::new());
    let text = String::from_utf8(root.read("distractors.jsonl", 1 << 24).unwrap()).unwrap();
    let mut errors = Vec::new();
    for line in text.lines().step_by(4) {
        let skill: serde_json::Value = serde_json::from_str(line).unwrap();
        for text in ["description", "body"].map(|key| skill[key].as_str().unwrap()) {
            errors.push(error(estimator.count(text), exact.count(text)));
        }
    }
    let mean = errors.iter().map(|it| it.abs()).sum::<f64>() / error(errors.len() + 1, 1);
    let lowest = errors.iter().copied().fold(0.0, f64::min);
    assert!(
        mean <= 0.04 && lowest >= -0.15,
        "mean {mean}, lowest {lowest}"
    );
}
