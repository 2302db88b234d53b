//! Facts on arguments, by the code that reads them.

mod needs;

use super::super::analysis::of_file;
use super::*;
use serde_json::json;

pub(super) fn facts(path: &str, code: &str) -> Facts {
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
fn text_or_json() {
    let check = |path: &str, code: &str, expected: &str| {
        let start = if path.ends_with(".js") {
            "async function processToolCall(args) { "
        } else {
            "import sys, json\nargs = json.loads(sys.stdin.read())\n"
        };
        let end = if path.ends_with(".js") { " }" } else { "\n" };
        let found = facts(path, &format!("{start}{code}{end}")).arguments;
        let found = found.get("x").cloned().unwrap_or_default();
        let kind = match (found.takes_text(), found.takes_boolean()) {
            (true, _) => "text",
            (_, true) => "boolean",
            _ => "",
        };
        assert_eq!(kind, expected, "{code}");
    };
    check("a.js", "const on = args.x === 'true';", "text");
    check(
        "a.js",
        "const on = args.x === 'true' || args.x === true;",
        "",
    );
    check(
        "a.js",
        "const on = args.x.toLowerCase() === 'true';",
        "text",
    );
    check("a.js", "const all = args.x?.split(',');", "text");
    check("a.js", "const on = String(args.x).trim() === 'true';", "");
    check(
        "a.js",
        "const n = typeof args.x === 'string' ? args.x.trim() : args.x;",
        "",
    );
    check("a.js", "if (args.x) { go(); }", "boolean");
    check("a.js", "const mode = args.x ? 'loud' : 'soft';", "boolean");
    check("a.js", "if (args.x) { go(args.x === 'true'); }", "text");
    check("a.js", "const n = parseInt(args.x, 10);", "");
    check("a.py", "on = bool(args.get('x', False))", "boolean");
    check("a.py", "if args.get('x'):\n    go()", "boolean");
    check("a.py", "on = args.get('x', '').lower() == 'true'", "text");
    check("a.py", "on = str(args.get('x', '')).lower() == 'true'", "");
    check("a.py", "on = args['x'] is True", "");
}

#[test]
fn texts_that_are_parsed() {
    let shape = |path: &str, code: &str| {
        let found = facts(path, code);
        found.arguments.get("cups").map(|it| it.shape)
    };
    let javascript = "async function processToolCall(args) { const cups = typeof args.cups === 'string' ? JSON.parse(args.cups) : args.cups; }";
    assert_eq!(shape("a.js", javascript), Some(Shape::JsonOrText));
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

#[test]
fn arguments_that_count_with_another() {
    let code = "async function processToolCall(args) {
        if (args.url) { return fromUrl(args); } else { return fromText(args); } }
        function fromUrl(args) { return send(args.url, args.sharp, args.tea); }
        function fromText(args) { return send(args.size, args.tea); }";
    let found = facts("a.js", code).arguments;
    let mode = |name: &str| found.get(name).and_then(|it| it.mode.clone());
    let with = |is_given| {
        Some(Mode {
            with: "url".to_owned(),
            is_given,
        })
    };
    assert_eq!(mode("sharp"), with(true));
    assert_eq!(mode("size"), with(false));
    assert_eq!((mode("tea"), mode("url")), (None, None));
    let whole = code.replace("send(args.size", "send(args, args.size");
    assert!(facts("a.js", &whole).arguments["size"].mode.is_none());
}

#[test]
fn objects_that_are_taken_apart() {
    let code = "async function processToolCall(args) { switch (args.command) { case 'brew': return brew(args.pot, args.options); } }
        function brew(pot, options = {}) { const { cups = 2, lid } = options; return pot + cups + lid; }";
    let found = of_file("a.js", code, |code| {
        argument_facts(code, &[vec!["brew".to_owned()]]).remove(0)
    });
    assert_eq!(found.arguments["options"].shape, Shape::Object);
    let members = [("cups", Some(json!(2))), ("lid", None)];
    let members = members.map(|(name, default)| (name.to_owned(), default));
    assert_eq!(found.members["options"], BTreeMap::from(members));
    assert_eq!(found.arguments["pot"].shape, Shape::Any);
}

#[test]
fn errors_that_name_arguments() {
    let code = "async function processToolCall(args) { const { leaf, bag, pot } = args;
        if (!leaf && !(bag && pot)) throw new Error('give \"leaf\", or both \"bag\" and \"pot\"');
        if (!pot) throw new Error('no pot or cup'); }";
    let said = facts("a.js", code).said;
    assert_eq!(said.keys().collect::<Vec<_>>(), ["bag", "leaf", "pot"]);
}

#[test]
fn replacements_are_not_aliases() {
    let code = "async function processToolCall(args) { const q = { limit: args.limit }; show({ rows: args.maxRows || args.max_rows || args.limit }); }";
    assert_eq!(facts("a.js", code).aliases, [["maxRows", "max_rows"]]);
}

#[test]
fn the_text_of_input_goes_through_functions() {
    let code = "function parseInput(raw) { if (!raw) return {}; return JSON.parse(raw); }
        async function main() { const chunks = []; for await (const chunk of process.stdin) { chunks.push(chunk); }
          const args = parseInput(chunks.join('')); show({ raw: args.raw !== false, all: args.all === true || String(args.all || '') === 'true' }); }";
    let found = facts("a.js", code).arguments;
    assert_eq!(found["raw"].flag, Some((true, true)));
    assert!(found["all"].is_text);
}

#[test]
fn the_lines_of_input_are_calls() {
    let code = "process.stdin.on('data', async data => { const lines = data.toString().trim().split('\\n');
        for (const line of lines) { const request = JSON.parse(line); await run(request); } });
        async function run(request) { const { command, ...rest } = request; brew(rest.cups || 2); }";
    assert_eq!(facts("a.js", code).arguments["cups"].defaults, [json!(2)]);
}

#[test]
fn replacements_behind_constants() {
    check(
        "a.js",
        "const CUPS = 1_000; const KINDS = { leaf: 'green', n: 2 }; const ENV = process.env.X || 5; let HEAT = 90;
         async function processToolCall(raw) { const args = { ...(raw || {}) };
           const { pots = KINDS['n'] } = args; const cups = args.cups || CUPS; const leaf = args.leaf ?? KINDS.leaf;
           const env = args.env || ENV; const heat = args.heat || HEAT; const least = Math.min(args.least, CUPS); }",
        &[
            ("cups", &[json!(1000)], false),
            ("leaf", &[json!("green")], false),
            ("pots", &[json!(2)], false),
            ("env", &[], false),
            ("heat", &[], false),
        ],
    );
    check(
        "a.py",
        "import sys, json\nCUPS = 3\nargs = json.loads(sys.stdin.read())\ncups = args.get('cups', CUPS)\n",
        &[("cups", &[json!(3)], false)],
    );
    let code = "const MOST = 9; async function processToolCall(args) { const n = Math.min(args.n, MOST); }";
    assert_eq!(facts("a.js", code).arguments["n"].bounds.1, Some(json!(9)));
}

#[test]
fn arguments_that_are_only_given_back() {
    let check = |body: &str, expected: bool| {
        let code = format!("async function processToolCall(args) {{ {body} }}");
        let found = facts("a.js", &code).arguments["tea"].is_echoed;
        assert_eq!(found, expected, "{code}");
    };
    check(
        "const output = {}; if (args.tea) output.tea = args.tea;",
        true,
    );
    check("if (args.tea) { output.tea = args.tea; }", true);
    check(
        "if (args.tea) output.tea = args.tea; brew(args.tea);",
        false,
    );
    check("brew(args.tea); output.tea = args.tea;", false);
    check("query.tea = args.tea;", false);
    check("output.leaf = args.tea;", false);
}

#[test]
fn families_and_lists() {
    let found = facts(
        "a.js",
        "async function processToolCall(args) { const all = [];
           if (typeof args.pot === 'string') { all.push(args.pot); }
           for (let i = 1; i <= 3; i++) { const name = `pot_${i}`; if (args[name]) { all.push(args[name]); } }
           if (all.length === 0) { throw new Error('no pot'); }
           let n = 0; while (args[`cup${n}`]) n++; }",
    );
    let families = found.families.iter();
    let families: Vec<_> = families.map(|it| (&*it.base, it.first, it.last)).collect();
    assert_eq!(families, [("pot_", 1, Some(3)), ("cup", 0, None)]);
    assert_eq!(found.one_of, [["pot", "pot_1"]]);
    let found = facts(
        "a.py",
        "args = json.loads(sys.stdin.read())\ndef run(args):\n    for i in range(1, 5):\n        pots.append(args.get(f'pot_{i}'))\nrun(args)\n",
    );
    let families = found.families.iter();
    let families: Vec<_> = families.map(|it| (&*it.base, it.first, it.last)).collect();
    assert_eq!(families, [("pot_", 1, Some(4))]);
}

#[test]
fn chains_of_conditions() {
    let js = "async function processToolCall(args) { const { leaf, bag } = args;
        if (leaf) { a(); } else if (bag) { b(); } else { return { status: 'error', error: 'no' }; } }";
    assert_eq!(facts("a.js", js).one_of, [["leaf", "bag"]]);
    let python = "args = json.loads(sys.stdin.read())\nleaf = args.get('leaf')\nbag = args.get('bag')\nif leaf:\n    a()\nelif bag:\n    b()\nelse:\n    raise ValueError('no')\n";
    assert_eq!(facts("a.py", python).one_of, [["leaf", "bag"]]);
    let some = "async function processToolCall(args) { const { leaf, bag } = args;
        if (args.kind === 'hot') { if (!leaf && !bag) { throw new Error('no'); } } }";
    let found = facts("a.js", some);
    assert_eq!(
        (found.one_of.len(), found.one_of_some),
        (0, vec![vec!["leaf".to_owned(), "bag".to_owned()]])
    );
    let either = "async function processToolCall(args) { const tea = args.leaf || (args.bag ? args.bag.toString() : null);
        if (!tea) { throw new Error('no'); } }";
    assert_eq!(facts("a.js", either).one_of, [["leaf", "bag"]]);
}

#[test]
fn helpers_give_defaults_and_bounds() {
    let code = "function toNumber(value, fallback, min, max) { return value; }
        function find(text, max) { return text; }
        async function processToolCall(args) { brew(toNumber(args.cups ?? args.count, 2, 1, 9)); find(args.leaf, 5); }";
    let found = facts("a.js", code).arguments;
    assert_eq!(found["cups"].defaults, [json!(2)]);
    assert_eq!(found["cups"].bounds, (Some(json!(1)), Some(json!(9))));
    assert_eq!(found["leaf"].bounds, (None, None));
}

#[test]
fn arguments_that_go_elsewhere() {
    let check = |body: &str, expected: bool| {
        let code = format!(
            "async function processToolCall(args) {{ {body} }} function brew(tea) {{ return tea.pot; }}"
        );
        assert_eq!(facts("a.js", &code).is_passed_on, expected, "{body}");
    };
    check("return brew(args || {});", false);
    check("console.log(JSON.stringify(args)); return args.pot;", false);
    check("return other(args);", true);
    check("return { ...args };", true);
    check("return args[name];", true);
    check("for (const key in args) {}", true);
}
