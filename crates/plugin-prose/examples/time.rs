//! temporary
#![expect(clippy::print_stdout, reason = "tmp")]
use plugin_prose::*;
use std::time::Instant;
fn main() {
    let corpus = std::env::args()
        .nth(1)
        .map(|p| std::fs::read_to_string(p).unwrap())
        .unwrap_or_default();
    let cases: Vec<(&str, Box<dyn Fn(usize) -> String>)> = vec![
        (
            "corpus",
            Box::new(move |n| {
                corpus.repeat(n / corpus.len().max(1) + 1)[..]
                    .chars()
                    .take(n / 2)
                    .collect()
            }),
        ),
        ("parens", Box::new(|n| "(".repeat(n))),
        ("ident parens", Box::new(|n| "a(".repeat(n / 2))),
        ("cjk parens", Box::new(|n| "（".repeat(n / 3))),
        (
            "name parens",
            Box::new(|n| "- ab (字符串, 必需".repeat(n / 24)),
        ),
        (
            "open parens lines",
            Box::new(|n| "- ab (字符串, 必需\n".repeat(n / 25)),
        ),
        ("quotes", Box::new(|n| "'".repeat(n))),
        ("quote a", Box::new(|n| "'a ".repeat(n / 3))),
        (
            "fields 1 line",
            Box::new(|n| "a:「始」1「末」,".repeat(n / 21)),
        ),
        ("fields open", Box::new(|n| "a:「始」1 ".repeat(n / 13))),
        (
            "fields open lines",
            Box::new(|n| "a:「始」1\n".repeat(n / 13)),
        ),
        ("marks", Box::new(|n| "「始」".repeat(n / 9))),
        (
            "starts",
            Box::new(|n| "<<<[TOOL_REQUEST]>>>".repeat(n / 20)),
        ),
        (
            "block fields",
            Box::new(|n| {
                format!(
                    "<<<[TOOL_REQUEST]>>>{}",
                    "a:「始」1「末」,\n".repeat(n / 22)
                )
            }),
        ),
        (
            "many names",
            Box::new(|n| {
                (0..n / 30)
                    .map(|i| format!("- name{i} (字符串, 必需): x\n"))
                    .collect()
            }),
        ),
        (
            "many names same line",
            Box::new(|n| {
                (0..n / 12)
                    .map(|i| format!("n{i}(必需), "))
                    .fold("必需参数: ".to_owned(), |a, b| a + &b)
            }),
        ),
        (
            "many block names",
            Box::new(|n| {
                format!(
                    "<<<[TOOL_REQUEST]>>>\n{}",
                    (0..n / 30)
                        .map(|i| format!("nm{i}:「始」1「末」,\n"))
                        .collect::<String>()
                )
            }),
        ),
        ("labels", Box::new(|n| "参数: ".repeat(n / 8))),
        ("labels a", Box::new(|n| "参数: a, ".repeat(n / 11))),
        (
            "table",
            Box::new(|n| format!("| 参数 | 类型 |\n{}", "| a | b |\n".repeat(n / 10))),
        ),
        ("table wide", Box::new(|n| "| a ".repeat(n / 4))),
        ("slashes", Box::new(|n| "a/".repeat(n / 2))),
        (
            "one line prose",
            Box::new(|n| "必须提供abc，".repeat(n / 18)),
        ),
        ("command", Box::new(|n| "command".repeat(n / 7))),
        ("command=", Box::new(|n| "command=a,".repeat(n / 10))),
        ("colons", Box::new(|n| ":".repeat(n))),
        (
            "default",
            Box::new(|n| format!("- a: {}", "默认".repeat(n / 6))),
        ),
        (
            "default en",
            Box::new(|n| format!("- a: {}", "default ".repeat(n / 8))),
        ),
        (
            "compat",
            Box::new(|n| format!("- a (字符串): {}", "兼容 x、".repeat(n / 11))),
        ),
        (
            "children",
            Box::new(|n| format!("参数:\n- a: x：\n{}", "  - `v`: y\n".repeat(n / 11))),
        ),
        ("conditions", Box::new(|n| "- 如果 x:\n".repeat(n / 12))),
        ("literal n", Box::new(|n| "\\n".repeat(n / 2))),
        ("spaces", Box::new(|n| " ".repeat(n))),
        ("stars", Box::new(|n| "*".repeat(n))),
        ("json", Box::new(|n| "{".repeat(n))),
        (
            "batch",
            Box::new(|n| {
                format!(
                    "<<<[TOOL_REQUEST]>>>\n{}",
                    (0..n / 40)
                        .map(|i| format!("command{}:「始」x「末」,\n", i % 999))
                        .collect::<String>()
                )
            }),
        ),
        (
            "calls",
            Box::new(|n| {
                "<<<[TOOL_REQUEST]>>>\ncommand:「始」x「末」\n<<<[END_TOOL_REQUEST]>>>\n"
                    .repeat(n / 75)
            }),
        ),
        (
            "calls distinct",
            Box::new(|n| {
                (0..n / 78).map(|i| format!("<<<[TOOL_REQUEST]>>>\ncommand:「始」x{i}「末」\n<<<[END_TOOL_REQUEST]>>>\n")).collect()
            }),
        ),
        (
            "calls keys",
            Box::new(|n| {
                (0..n / 78).map(|i| format!("<<<[TOOL_REQUEST]>>>\nk{i}:「始」x{i}「末」\n<<<[END_TOOL_REQUEST]>>>\n")).collect()
            }),
        ),
        (
            "values heading",
            Box::new(|n| {
                format!(
                    "支持的 abc 包括:\n{}- abc (字符串): x",
                    (0..n / 12)
                        .map(|i| format!("- v{i}: y\n"))
                        .collect::<String>()
                )
            }),
        ),
        (
            "aliases",
            Box::new(|n| {
                (0..n / 24)
                    .map(|i| format!("- a{i} / b{i} (必需): x\n"))
                    .collect()
            }),
        ),
    ];
    for (name, make) in cases {
        let mut times = Vec::new();
        for n in [250_000, 500_000, 1_000_000] {
            let text = make(n);
            let source = CommandSource {
                plugin: "p",
                id: "x",
                other_ids: &[],
                n_commands: 2,
                description: &text,
                examples: &[],
                structured: None,
                in_code: &NoCode,
            };
            let t = Instant::now();
            let r = read_command(&source);
            times.push(t.elapsed().as_millis());
            std::hint::black_box(r);
        }
        let ex = make(1_000_000);
        let source = CommandSource {
            plugin: "p",
            id: "x",
            other_ids: &[],
            n_commands: 1,
            description: "",
            examples: &[&ex],
            structured: None,
            in_code: &NoCode,
        };
        let t = Instant::now();
        std::hint::black_box(read_command(&source));
        let e = t.elapsed().as_millis();
        let t = Instant::now();
        std::hint::black_box(read_blurb(&PluginSource {
            name: &ex,
            display_name: Some(&ex),
            description: &ex,
            commands: &[(&ex, &ex)],
            placeholders: &[(&ex, &ex)],
        }));
        println!(
            "{name:22} {times:?} example {e} blurb {}",
            t.elapsed().as_millis()
        );
    }
}
