//! The form of a result: what a program prints as `{"status": "success", "result": …}`.
//!
//! Literals are read, and names and functions of the same file that give one. A result of another form
//! makes the whole unknown, so that what is found is certain, except beside many texts.

mod expression;
mod form;
mod parts;
mod values;

use std::collections::BTreeMap;

use super::analysis::Analysis;
use super::branches::Scopes;
use super::lexer::Token;
pub(crate) use form::{Member, Outcome, Part};
use form::{Starts, merged};
use values::Code;

/// Maximum number of names, functions and operands that are followed, one after the other.
const MAX_DEPTH: usize = 8;
/// Maximum number of expressions that are read for one file.
const MAX_EXPRESSIONS: usize = 5_000;

/// Returns the form of all results of the reached files; `None` if it is not certain.
pub(crate) fn outcome(code: &Analysis<'_, '_>) -> Option<Outcome> {
    form_of(code, &|_, _| true)
}

/// Returns the form of the results of each command that has a branch of the code, by its number. Each
/// command has all values that select it.
pub(crate) fn outcomes(
    code: &Analysis<'_, '_>,
    commands: &[Vec<String>],
) -> BTreeMap<usize, Outcome> {
    let scopes = Scopes::new(&code.readers, commands);
    let known = scopes.known().into_iter();
    let forms = known.filter_map(|command| {
        let is_reached = |file: usize, at: usize| {
            let scope = scopes.at(file, at);
            scope.commands.is_none_or(|it| it.contains(&command))
        };
        form_of(code, &is_reached).map(|form| (command, form))
    });
    forms.collect()
}

/// Returns the form of the results at the positions of files that are reached.
fn form_of(code: &Analysis<'_, '_>, is_reached: &dyn Fn(usize, usize) -> bool) -> Option<Outcome> {
    let mut found = Found::default();
    // An answer may pass on the result of another object, `{ success: true, result }`.
    for starts in [STATUS, SUCCESS] {
        for (file, reader) in code.readers.iter().enumerate() {
            let code = Code {
                is_reached: &|at| is_reached(file, at),
                tokens: reader.tokens,
                functions: &reader.functions,
                budget: MAX_EXPRESSIONS.into(),
            };
            found.add(&code, starts);
        }
        if !found.forms.is_empty() || found.n_unknown > 0 {
            break;
        }
    }
    found.form()
}

/// The forms of answers.
#[derive(Default)]
struct Found {
    forms: Vec<Outcome>,
    n_unknown: usize,
}

impl Found {
    fn add(&mut self, code: &Code<'_, '_>, starts: Starts) {
        for at in code.results(starts) {
            if at.is_some_and(|at| code.is_passed_on(at)) {
                continue;
            }
            match at.and_then(|at| code.form(at, MAX_DEPTH)) {
                Some(form) => self.forms.push(form),
                None => self.n_unknown += 1,
            }
        }
    }

    fn form(self) -> Option<Outcome> {
        let n_known = self.forms.len();
        let mut all = self.forms.into_iter();
        let first = all.next()?;
        let form = without_error(all.try_fold(first, merged)?)?;
        // A few texts beside many are texts as well; an object may have other members.
        let is_certain = match form {
            Outcome::Text => self.n_unknown * 3 <= n_known,
            Outcome::Members(_) | Outcome::TextOrMembers(_) | Outcome::List(_) => {
                self.n_unknown == 0
            }
        };
        is_certain.then_some(form)
    }
}

/// Returns a form without the member for an error, which has its own place; `None` if nothing is left.
fn without_error(form: Outcome) -> Option<Outcome> {
    let others = |mut members: Vec<Member>| {
        members.retain(|it| it.name != "error");
        Some(members).filter(|it| !it.is_empty())
    };
    match form {
        Outcome::Members(members) => others(members).map(Outcome::Members),
        Outcome::TextOrMembers(members) => {
            Some(others(members).map_or(Outcome::Text, Outcome::TextOrMembers))
        }
        form => Some(form),
    }
}

const STATUS: Starts = |tokens| {
    matches!(
        tokens,
        [
            Token::Word("status") | Token::Text("status"),
            Token::Sign(':'),
            Token::Text("success"),
            ..
        ]
    )
};

const SUCCESS: Starts = |tokens| {
    matches!(
        tokens,
        [
            Token::Word("success") | Token::Text("success"),
            Token::Sign(':'),
            Token::Word("true" | "True"),
            ..
        ]
    )
};

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: Option<&Outcome>) {
        assert_eq!(of_file(path, code, outcome).as_ref(), expected, "{code}");
    }

    fn part(kind: &str) -> Part {
        Part {
            kind: kind.to_owned(),
            guard: None,
        }
    }

    fn member(name: &str, members: &[&str], parts: &[&str]) -> Member {
        let texts = |list: &[&str]| list.iter().map(|&it| it.to_owned()).collect();
        Member {
            name: name.to_owned(),
            members: texts(members),
            parts: parts.iter().map(|&kind| part(kind)).collect(),
        }
    }

    #[test]
    fn texts() {
        check(
            "a.js",
            "print({ status: 'success', result: `tea ${n}` }); print({ status: 'success', result: say() });
             function say() { let text = 'x'; text += n; return text; }",
            Some(&Outcome::Text),
        );
        check(
            "a.js",
            "function f() { return { success: true, result: `x` }; } print({ status: 'success', result: f().result }); print({ status: 'success', result: r.result });",
            None,
        );
        check(
            "a.js",
            "function f() { return { success: true, result: `x` }; } const r = f(); print({ status: 'success', result: r.result });",
            Some(&Outcome::Text),
        );
        check(
            "a.py",
            "def go():\n    text = f\"tea {n}\"\n    return {\"status\": \"success\", \"result\": text}\n",
            Some(&Outcome::Text),
        );
    }

    #[test]
    fn members() {
        check(
            "a.js",
            "async function brew(args) {
               const content = [{ type: 'text', text: 'x' }]; content.push({ type: 'image_url', image_url: { url } });
               const result = { content, details: { path, name: 'x' } };
               return result; }
             async function main() { const made = await brew(a); out(JSON.stringify({ status: 'success', result: made })); }",
            Some(&Outcome::Members(vec![
                member("content", &[], &["text", "image_url"]),
                member("details", &["path", "name"], &[]),
            ])),
        );
    }

    #[test]
    fn helpers_and_spreads_are_followed() {
        check(
            "a.js",
            "const wrap = (text) => ({ content: [{ type: 'text', text }] });
             print({ status: 'success', result: wrap(made) });",
            Some(&Outcome::Members(vec![member("content", &[], &["text"])])),
        );
        check(
            "a.js",
            "async function save() { return { path, name }; }
             async function main() { const saved = await save(); print({ status: 'success', result: { ...saved, seed: 1 } }); }",
            Some(&Outcome::Members(vec![
                member("path", &[], &[]),
                member("name", &[], &[]),
                member("seed", &[], &[]),
            ])),
        );
    }

    #[test]
    fn expressions() {
        let text = Some(&Outcome::Text);
        for value in [
            "['a', b].join('\\n')",
            "'a' + n",
            "n + 'a'",
            "ok ? 'a' : `b`",
            "said || 'a'",
            "rows.map(it => it.name).join(' ')",
            "(await say())",
        ] {
            let code = format!(
                "const said = 'x'; async function say() {{ return 'y'; }}\nprint({{ status: 'success', result: {value} }})"
            );
            check("a.js", &code, text);
        }
        check(
            "a.py",
            "def go(a):\n    out = \"x\" if a else \"y\"\n    return {\"status\": \"success\", \"result\": out}\n",
            text,
        );
        check(
            "a.py",
            "def go(a):\n    if a:\n        out = {\"tea\": 1}\n    else:\n        out = f\"x\"\n    return {\"status\": \"success\", \"result\": out}\n",
            Some(&Outcome::TextOrMembers(vec![member("tea", &[], &[])])),
        );
    }

    #[test]
    fn lists() {
        let list = |names: &[&str]| Outcome::List(names.iter().map(|&it| it.to_owned()).collect());
        check(
            "a.js",
            "if (a) { print({ status: 'success', result: rows.map(row => ({ title: row.t, url: row.u })) }); } print({ status: 'success', result: [] });",
            Some(&list(&["title", "url"])),
        );
        check(
            "a.js",
            "const found = []; for (const it of all) { found.push({ name: it }); } print({ status: 'success', result: found });",
            Some(&list(&["name"])),
        );
        check(
            "a.js",
            "print({ status: 'success', result: ['a', 'b'].filter(Boolean) });",
            Some(&list(&[])),
        );
    }

    #[test]
    fn each_command_has_its_own() {
        let code = "async function run(args) {
            let made;
            switch (args.command) {
              case 'brew': made = { tea: 1 }; break;
              case 'list': made = await list(); break;
              case 'ask': made = await other.ask(); break;
            }
            print({ status: 'success', result: made }); }
          async function list() { return rows.map(row => ({ name: row.n })); }
          const args = JSON.parse(fs.readFileSync(0, 'utf8')); run(args);";
        let commands = ["brew", "list", "ask"].map(|it| vec![it.to_owned()]);
        let found = of_file("a.js", code, |analysis| outcomes(analysis, &commands));
        let expected = [
            (0, Outcome::Members(vec![member("tea", &[], &[])])),
            (1, Outcome::List(vec!["name".to_owned()])),
        ];
        assert_eq!(found, BTreeMap::from(expected));
        check("a.js", code, None);
    }

    #[test]
    fn other_results_are_unknown() {
        for code in [
            "print({ status: 'success', result: response.data })",
            "print({ status: 'success', result: 'x' }); print({ status: 'success', result: [1] })",
            "print({ status: 'success', result: answer.data }); ({ success: true, result: 'x' })",
            "print({ status: 'success', rows: 1 })",
            "let r; if (a) { r = { a: 1 }; } else { r = await ask(a); } print({ status: 'success', result: r });",
            "print({ status: 'success', result: { ...all, a: 1 } })",
            "print({ status: 'error', error: 'x' })",
        ] {
            check("a.js", code, None);
        }
    }
}
