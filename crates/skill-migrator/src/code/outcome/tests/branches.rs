//! Texts and parts of answers that only some calls or failures have.

use super::super::form::Outcome;
use super::{Answers, results};

#[test]
fn labels_of_the_answer() {
    let check = |code: &str, expected: &[&str], has_unlabelled: bool| {
        let found = results("a.js", code, Answers::Module);
        assert_eq!(found.labels, expected, "{code}");
        assert_eq!(found.has_unlabelled, has_unlabelled, "{code}");
    };
    let three = "茶名: ${tea} 产地: ${place} 年份: ${year}";
    check(
        &format!("async function processToolCall(args) {{ return `{three}`; }}"),
        &["茶名", "产地", "年份"],
        false,
    );
    check(
        &format!("async function processToolCall(args) {{ return `# ${{title}} {three}`; }}"),
        &["茶名", "产地", "年份"],
        true,
    );
    // One of the ways to call it.
    check(
        &format!(
            "async function processToolCall(args) {{ if (args.order) {{ return `{three}`; }} return brew(args); }}"
        ),
        &[],
        false,
    );
    // What a promise is rejected with is an error.
    check(
        &format!(
            "function boil() {{ return new Promise((resolve, reject) => {{ if (bad) reject(new Error(`{three}`)); resolve(out); }}); }}
             async function processToolCall(args) {{ return await boil(); }}"
        ),
        &[],
        false,
    );
}

#[test]
fn members_that_are_not_answered() {
    let check = |code: &str, expected: &[&str]| {
        let found = results("a.js", code, Answers::Module);
        assert_eq!(found.failures, expected, "{code}");
    };
    let of = |member: &str| {
        format!(
            "function short(text) {{ return text.slice(0, 9); }}
             async function processToolCall(args) {{ const state = states.get(args.id);
               brew().catch(e => {{ state.report = short(`煮茶失败: ${{e}}`); }});
               return `${{state.{member}}}`; }}"
        )
    };
    check(&of("report"), &["煮茶失败:"]);
    check(&of("rounds"), &[]);
}

#[test]
fn parts_with_a_switch() {
    let check = |code: &str, expected: Option<&str>| {
        let found = results("a.js", code, Answers::Program).form;
        let Some(Outcome::Members(members)) = found else {
            panic!("no members: {code}");
        };
        let mut guards = members.iter().flat_map(|it| &it.parts);
        let guard = guards.find_map(|it| it.guard.as_deref());
        assert_eq!(guard, expected, "{code}");
    };
    let of = |start: &str, push: &str| {
        format!(
            "{start} const content = [{{ type: 'text', text: 'tea' }}]; {push} out({{ status: 'success', result: {{ content, n }} }}); }}"
        )
    };
    let push = "content.push({ type: 'image_url', image_url: { url } });";
    let guarded = format!("if (shown) {{ {push} }}");
    check(
        &of(
            "async function main() { const shown = raw?.show === 'true';",
            &guarded,
        ),
        Some("show"),
    );
    let looped = format!("if (showPot) {{ for (const pot of pots) {{ {push} }} }}");
    let given = "function go(all) { main(all.showpot === 'true'); } async function main(showPot) {";
    check(&of(given, &looped), Some("showpot"));
    check(&of("async function main() {", push), None);
}
