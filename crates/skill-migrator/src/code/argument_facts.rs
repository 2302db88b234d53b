//! The replacement of an argument that is missing, or the error without it.
//!
//! Only literals count (`args.size || '1024x1024'`, `{ n = 3 } = args`, `args.get("n", 3)`), so that a fact
//! is certain; most arguments have none.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::analysis::Analysis;
use super::argument_checks::Check;
use super::arguments::Reader;
use super::branches::{Scope, Scopes};
use super::lexer::Token;
use super::values::{Member, literal};

/// The facts on one argument.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct ArgumentFacts {
    /// The values that replace it, as written at different places.
    pub(crate) defaults: Vec<Value>,
    /// The value that it gets where it is missing, before anything else: `args.size = args.size || '1x1'`.
    pub(crate) settled: Option<Value>,
    /// True if that happens in the object of the arguments itself, for all commands.
    pub(crate) is_normalised: bool,
    /// True if the program ends with an error without it.
    pub(crate) is_checked: bool,
    /// The type of JavaScript without which it is refused: `number`, `boolean`.
    pub(crate) strict: Option<&'static str>,
    /// The value of a switch without it, and whether every comparison wants a JSON boolean.
    pub(crate) flag: Option<(bool, bool)>,
    /// True if the program makes a value where it is missing.
    pub(crate) is_made: bool,
    /// The form that the program expects.
    pub(crate) shape: Shape,
    /// The least and the greatest value.
    pub(crate) bounds: (Option<Value>, Option<Value>),
    /// The only values.
    pub(crate) choices: Vec<String>,
}

/// The form of a value, from its use in the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Shape {
    /// It is not known.
    #[default]
    Any,
    /// Its members are copied.
    Object,
    /// It is text, which the program parses as JSON.
    JsonText,
}

/// The facts on the arguments of a command.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Those on each argument.
    pub(crate) arguments: BTreeMap<String, ArgumentFacts>,
    /// Groups of arguments that are read for one value.
    pub(crate) aliases: Vec<Vec<String>>,
    /// Groups of arguments of which one is needed.
    pub(crate) one_of: Vec<Vec<String>>,
    /// The arguments that the part of the code reads which only some commands run.
    pub(crate) own: BTreeSet<String>,
    /// The members of arguments that are objects, with the literals in place of missing ones.
    pub(crate) members: BTreeMap<String, BTreeMap<String, Option<Value>>>,
    /// True if the code shows which part of it the command runs.
    pub(crate) is_scoped: bool,
}

/// Returns the facts on the arguments that the reached files read, for each command, which has all values
/// that select it.
pub(crate) fn argument_facts(code: &Analysis<'_, '_>, commands: &[Vec<String>]) -> Vec<Facts> {
    let scopes = Scopes::new(&code.readers, commands);
    let known = scopes.known();
    let mut found = Found {
        commands: vec![Facts::default(); commands.len()],
    };
    for (at, facts) in found.commands.iter_mut().enumerate() {
        facts.is_scoped = commands.len() == 1 || known.contains(&at);
    }
    for (file, reader) in code.readers.iter().enumerate() {
        found.read(reader, |at| scopes.at(file, at));
    }
    found.commands
}

/// The facts so far.
struct Found {
    commands: Vec<Facts>,
}

impl Found {
    fn read(&mut self, reader: &Reader<'_, '_>, scope: impl Fn(usize) -> Scope) {
        for (function, name, tokens) in &reader.defaults {
            let scope = scope(reader.functions[*function].body.start + 1);
            self.each(&scope, name, |facts| {
                let value = literal(tokens);
                facts.settled.clone_from(&value);
                add(facts, value);
            });
        }
        for (at, names) in reader.helper_groups() {
            self.group(&scope(at), &names, |facts| &mut facts.aliases);
        }
        for at in 0..reader.tokens.len() {
            let Some((names, end)) = reader.whole(at) else {
                continue;
            };
            let scope = scope(at);
            let member = reader.member(at);
            self.own(&scope, names[0], member.as_ref());
            let Some(chain) = reader.chain(at).filter(|_| member.is_none()) else {
                continue;
            };
            self.group(&scope, &chain.names, |facts| &mut facts.aliases);
            let own = reader.is_assigned_to(names[0], at);
            let is_of_other = reader.is_of_other(&chain.names, at);
            for name in &names {
                self.each(&scope, name, |facts| {
                    if let Some(is_own) = own.filter(|_| chain.default.is_some()) {
                        facts.settled.clone_from(&chain.default);
                        facts.is_normalised |= is_own;
                    }
                    if !is_of_other {
                        add(facts, chain.default.clone());
                    }
                });
            }
            for check in reader.checks(at, end) {
                self.check(&scope, &names, &check);
            }
            if let Some(names) = reader.needed_of(at).filter(|_| !scope.is_conditional) {
                self.group(&scope, &names, |facts| &mut facts.one_of);
            }
        }
    }

    /// Notes that only some commands read an argument, and which member of it.
    fn own(&mut self, scope: &Scope, name: &str, member: Option<&Member<'_>>) {
        for facts in self.of(scope).filter(|_| scope.commands.is_some()) {
            facts.own.insert(name.to_owned());
            if let Some((argument, member, default)) = member {
                let all = facts.members.entry((*argument).to_owned()).or_default();
                let known = all.entry((*member).to_owned()).or_default();
                *known = known.take().or_else(|| default.clone());
            }
        }
    }

    fn check(&mut self, scope: &Scope, names: &[&str], check: &Check) {
        if *check == Check::Needed && names.len() > 1 {
            if !scope.is_conditional {
                self.group(scope, names, |facts| &mut facts.one_of);
            }
            return;
        }
        for name in names {
            self.each(scope, name, |facts| match check {
                Check::Needed => facts.is_checked |= !scope.is_conditional,
                Check::Strict(kind) => facts.strict = Some(kind),
                Check::Flag(value, is_strict) => {
                    let is_strict = *is_strict && facts.flag.is_none_or(|(_, strict)| strict);
                    facts.flag = Some((*value, is_strict));
                }
                Check::Object if facts.shape == Shape::Any => facts.shape = Shape::Object,
                Check::Object => {}
                Check::JsonText => facts.shape = Shape::JsonText,
                Check::Made => facts.is_made |= !scope.is_conditional,
                Check::AtLeast(value) => facts.bounds.0 = Some(value.clone()),
                Check::AtMost(value) => facts.bounds.1 = Some(value.clone()),
                Check::Choices(values) => facts.choices.clone_from(values),
                Check::Default(value) => {
                    facts.settled.get_or_insert_with(|| value.clone());
                    add(facts, Some(value.clone()));
                }
            });
        }
    }

    fn of(&mut self, scope: &Scope) -> impl Iterator<Item = &mut Facts> {
        let commands = scope.commands.clone();
        let is_of = move |at: usize| commands.as_ref().is_none_or(|it| it.contains(&at));
        let all = self.commands.iter_mut().enumerate();
        all.filter(move |(at, _)| is_of(*at))
            .map(|(_, facts)| facts)
    }

    fn each(&mut self, scope: &Scope, name: &str, mut change: impl FnMut(&mut ArgumentFacts)) {
        for facts in self.of(scope) {
            change(facts.arguments.entry(name.to_owned()).or_default());
        }
    }

    fn group(
        &mut self,
        scope: &Scope,
        names: &[&str],
        list: fn(&mut Facts) -> &mut Vec<Vec<String>>,
    ) {
        let mut group: Vec<String> = Vec::new();
        for name in names {
            if !group.iter().any(|it| it == name) {
                group.push((*name).to_owned());
            }
        }
        if group.len() < 2 {
            return;
        }
        for facts in self.of(scope) {
            let list = list(facts);
            if !list.contains(&group) {
                list.push(group.clone());
            }
        }
    }
}

/// Returns every word and text of the reached files that may name an argument, in lower case and without
/// the signs between its words.
pub(crate) fn spelled(code: &Analysis<'_, '_>) -> BTreeSet<String> {
    let tokens = code.readers.iter().flat_map(|reader| reader.tokens);
    let mut res = BTreeSet::new();
    for token in tokens {
        if let Token::Word(text) | Token::Text(text) = token {
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '-');
            res.extend(words.map(spelling));
        }
    }
    res
}

/// Returns a name in lower case without the signs between its words.
pub(crate) fn spelling(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.map(|c| c.to_ascii_lowercase()).collect()
}

fn add(facts: &mut ArgumentFacts, value: Option<Value>) {
    if let Some(value) = value.filter(|value| !facts.defaults.contains(value)) {
        facts.defaults.push(value);
    }
}

impl Reader<'_, '_> {
    /// Returns whether the value of a chain that begins at a position goes to the argument itself
    /// (`args.n = args.n || 3`) or to a name like it; `None` for neither.
    fn is_assigned_to(&self, name: &str, at: usize) -> Option<bool> {
        let (target, is_member) = self.target(at)?;
        let (target, name) = (spelling(target), spelling(name));
        let is_like = target.len() > 3 && (name.ends_with(&target) || target.ends_with(&name));
        (target == name || is_like).then_some(is_member && target == name)
    }

    /// Returns true if the value goes to a name that has nothing in common with the arguments: it is only
    /// a part of something else, `database = args.organism || 'genes'`.
    fn is_of_other(&self, names: &[&str], at: usize) -> bool {
        let Some((target, _)) = self.target(at) else {
            return false;
        };
        let target = spelling(target);
        !names.iter().any(|name| {
            let name = spelling(name);
            name.contains(&target)
                || target.contains(&name)
                || name.chars().next() == target.chars().next()
        })
    }

    /// Returns the name that gets the value at a position, and whether it is a member of an object.
    fn target(&self, at: usize) -> Option<(&str, bool)> {
        let mut at = at;
        // `parseInt(args.n)`, `Number(args.n`, `int(args.get(`
        while let [
            ..,
            Token::Word("parseInt" | "parseFloat" | "Number" | "int" | "float" | "String" | "str"),
            Token::Sign('('),
        ] = self.tokens[..at]
        {
            at -= 2;
        }
        match &self.tokens[..at] {
            [
                before @ ..,
                Token::Word(target),
                Token::Sign(sign @ ('=' | ':')),
            ] => Some((
                target,
                *sign == '=' && before.last() == Some(&Token::Sign('.')),
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;
    use serde_json::json;

    fn facts(path: &str, code: &str) -> Facts {
        of_file(path, code, |code| {
            argument_facts(code, &[Vec::new()]).remove(0)
        })
    }

    #[track_caller]
    fn check(path: &str, code: &str, expected: &[(&str, &[Value], bool)]) {
        let found = facts(path, code).arguments;
        for (name, defaults, is_checked) in expected {
            let facts = found.get(*name).cloned().unwrap_or_default();
            assert_eq!(facts.defaults, *defaults, "{name} in {code}");
            assert_eq!(facts.is_checked, *is_checked, "{name} in {code}");
        }
    }

    #[test]
    fn replacements() {
        check(
            "a.js",
            "async function processToolCall(args) {
               const { pot, cups = 3, heat: h = 'hot' } = args;
               const n = parseInt(args.n, 10) || 5; const size = args.size || '1x1';
               const q = args.query || args.q || 'tea'; const herb = args.x || 'mint'; const empty = args.empty || '';
               const other = args.other || compute(); const flag = args.flag ?? false;
               const f = Number(args.f ?? 0.5);
             }",
            &[
                ("cups", &[json!(3)], false),
                ("heat", &[json!("hot")], false),
                ("n", &[json!(5)], false),
                ("size", &[json!("1x1")], false),
                ("query", &[json!("tea")], false),
                ("q", &[json!("tea")], false),
                ("empty", &[], false),
                ("other", &[], false),
                ("flag", &[json!(false)], false),
                ("f", &[json!(0.5)], false),
                ("pot", &[], false),
                ("x", &[], false),
            ],
        );
        check(
            "a.py",
            "import sys, json\nargs = json.loads(sys.stdin.read())\nn = args.get('n', 3)\nm = int(args.get('m') or 4)\nx = args.get('x')\n",
            &[
                ("n", &[json!(3)], false),
                ("m", &[json!(4)], false),
                ("x", &[], false),
            ],
        );
        check(
            "a.py",
            "import json, sys\ntext = sys.stdin.read().strip()\nargs = json.loads(text) if text else {}\nreply('ok', {\"n\": args.get(\"n\", \"x\"), \"m\": args.get('m', 4)})\n",
            &[("n", &[json!("x")], false), ("m", &[json!(4)], false)],
        );
        // The function ends where the indentation does.
        check(
            "a.py",
            "import json, sys\ndef reply(status, value):\n    print(json.dumps({'status': status, 'v': value}))\nargs = json.loads(sys.stdin.read())\nreply('ok', {'node': args.get('node', 'x')})\n",
            &[("node", &[json!("x")], false)],
        );
    }

    #[test]
    fn settled_and_strict() {
        let code = "async function processToolCall(args) {
            args.size = args.size || args.resolution || '2K'; log(args.other || 'none');
            if (args.seed !== undefined && (typeof args.seed !== 'number' || args.seed < 0)) return false;
            if (typeof args.loose !== 'number') args.loose = 1; }";
        let found = facts("a.js", code).arguments;
        assert_eq!(found["size"].settled, Some(json!("2K")));
        assert!(found["size"].is_normalised);
        assert_eq!(found["other"].settled, None);
        assert_eq!(found["seed"].strict, Some("number"));
        assert_eq!(found["loose"].strict, None);
        let code = "async function processToolCall(args) { if (!isValid(args)) throw new Error('x'); }
            const isValid = (args) => { return typeof args === 'object' &&
              (args.deep === undefined || typeof args.deep === 'boolean') &&
              (args.count === undefined || typeof args.count === 'number' || typeof args.count === 'string') &&
              (args.name === undefined || typeof args.name === 'string'); };";
        let found = facts("a.js", code).arguments;
        assert_eq!(found["deep"].strict, Some("boolean"));
        assert_eq!(found.get("count").and_then(|it| it.strict), None);
        assert_eq!(found.get("name").and_then(|it| it.strict), None);
    }

    #[test]
    fn texts_that_are_parsed() {
        let shape = |path: &str, code: &str| {
            let found = facts(path, code);
            found.arguments.get("cups").map(|it| it.shape)
        };
        let javascript = "async function processToolCall(args) { const cups = typeof args.cups === 'string' ? JSON.parse(args.cups) : args.cups; }";
        assert_eq!(shape("a.js", javascript), Some(Shape::JsonText));
        let python = "import sys, json\nargs = json.loads(sys.stdin.read())\ncups = json.loads(args.get('cups'))\n";
        assert_eq!(shape("a.py", python), Some(Shape::JsonText));
        let other = "async function processToolCall(args) { brew({ ...args.cups }); }";
        assert_eq!(shape("a.js", other), Some(Shape::Object));
    }

    #[test]
    fn ranges_choices_and_switches() {
        let code = "async function processToolCall({ broad, ...args }) {
            let cups = parseInt(broad, 10);
            if (isNaN(cups)) { log('x'); cups = 5; } else if (cups < 5 || cups > 20) { cups = Math.max(5, Math.min(20, cups)); }
            const fold = args.folder || args.fold;
            if (!['hot', 'cold'].includes(args.heat)) throw new Error('x');
            const shown = args.show === 'true'; const raw = args.raw !== false;
            const both = args.both !== false && args.both !== 'false'; send({ ...args.extra });
            let day = args.day; if (!day) { const d = new Date(); day = d.text(); }
            if (!args.leaf && !args.bag) throw new Error('y'); }";
        let facts = facts("a.js", code);
        let of = |name: &str| facts.arguments[name].clone();
        assert_eq!(of("broad").settled, Some(json!(5)));
        assert_eq!(of("broad").bounds, (Some(json!(5)), Some(json!(20))));
        assert_eq!(of("heat").choices, ["hot", "cold"]);
        assert_eq!(of("show").flag, Some((false, false)));
        assert_eq!(of("raw").flag, Some((true, true)));
        assert_eq!(of("both").flag, Some((true, false)));
        assert!(of("extra").shape == Shape::Object && of("day").is_made);
        assert_eq!(facts.aliases, [["folder", "fold"]]);
        assert_eq!(facts.one_of, [["leaf", "bag"]]);
    }

    #[test]
    fn each_command_has_its_own_facts() {
        let brew = ("a.js", "async function processToolCall(args) { switch (args.command) {
            case 'brew': return brew(args); case 'wash': if (!args.pot) throw new Error('x'); break;
            default: if (!args.any) throw new Error('z'); } }
            function brew(args) { if (!args.tea) throw new Error('y'); if (args.fast) { if (!args.heat) throw new Error('w'); } return args.cups || 2; }");
        let python = (
            "a.py",
            "import sys, json\nargs = json.loads(sys.stdin.read())\naction = args['action']\nif action == 'brew':\n    cups = args.get('cups', 2)\n    if not args.get('tea'):\n        raise ValueError('x')\nelif action == 'wash':\n    if not args.get('pot'):\n        raise ValueError('x')\n",
        );
        for (path, code) in [brew, python] {
            let values = ["brew", "wash"].map(|value| vec![value.to_owned()]);
            let found = of_file(path, code, |code| argument_facts(code, &values));
            let needed = |at: usize| -> Vec<&String> {
                let all = found[at].arguments.iter();
                all.filter(|(_, facts)| facts.is_checked)
                    .map(|(name, _)| name)
                    .collect()
            };
            assert_eq!(needed(0), ["tea"], "{path}");
            assert_eq!(needed(1), ["pot"], "{path}");
            assert_eq!(found[0].arguments["cups"].defaults, [json!(2)], "{path}");
            assert!(!found[1].arguments.contains_key("cups"), "{path}");
        }
    }

    #[test]
    fn an_answer_with_an_error_is_an_error() {
        let code = "import sys, json\ndef main():\n    try:\n        cmd = json.loads(sys.stdin.read())\n        action = cmd.get('action', '')\n        leaf = cmd.get('leaf', '')\n        if action == 'brew':\n            cups = cmd.get('cups', 0)\n            if not leaf or not cups:\n                out = {'status': 'error', 'message': 'x'}\n            else:\n                out = {'status': 'success'}\n        elif action == 'wash':\n            out = 1\n    except Exception as e:\n        pass\nif __name__ == '__main__':\n    main()\n";
        let values = ["brew", "wash"].map(|value| vec![value.to_owned()]);
        let found = of_file("a.py", code, |code| argument_facts(code, &values));
        assert!(found[0].arguments["leaf"].is_checked);
        assert!(found[0].arguments["cups"].is_checked);
        let own = ["cups", "leaf"].map(str::to_owned);
        assert_eq!(found[0].own, BTreeSet::from(own));
        assert!(found[1].own.is_empty());
    }

    #[test]
    fn checks() {
        check(
            "a.js",
            "async function processToolCall(args) {
               if (!args.tea || !args.pot) { throw new Error('x'); }
               if (!args.milk && args.sugar) throw new Error('y');
               if (!args.cups) { cups = 1; }
               if (!args.leaf) return { status: 'error', error: 'leaf' };
             }",
            &[
                ("tea", &[], true),
                ("pot", &[], true),
                ("milk", &[], false),
                ("cups", &[], false),
                ("leaf", &[], true),
            ],
        );
        check(
            "a.py",
            "import sys, json\nargs = json.loads(sys.stdin.read())\nif not args.get('tea'):\n    raise ValueError('x')\n",
            &[("tea", &[], true)],
        );
    }
}
