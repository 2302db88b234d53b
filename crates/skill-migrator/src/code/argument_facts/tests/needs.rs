//! Switches, numbers and needs, by the code that shows them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use super::super::super::analysis::Analysis;
use super::super::super::facts::CodeFacts;
use super::super::super::source::sources;
use super::super::{Shape, argument_facts};
use super::facts;

#[test]
fn switches_and_numbers() {
    let flag = |path: &str, code: &str| {
        let start = if path.ends_with(".js") {
            "async function processToolCall(args) { "
        } else {
            "import sys, json\nargs = json.loads(sys.stdin.read())\n"
        };
        let end = if path.ends_with(".js") { " }" } else { "\n" };
        let found = facts(path, &format!("{start}{code}{end}")).arguments;
        let found = found.get("x").cloned().unwrap_or_default();
        (found.flag.map(|(value, _)| value), found.number)
    };
    for (path, code, expected) in [
        (
            "a.js",
            "go(String(args.x).toLowerCase() === 'true');",
            (Some(false), None),
        ),
        (
            "a.js",
            "go(String(args.x || '').trim() === 'true');",
            (Some(false), None),
        ),
        (
            "a.js",
            "go(String(args.x).toLowerCase() !== 'false');",
            (Some(true), None),
        ),
        (
            "a.js",
            "go(['true', '1'].includes(String(args.x)));",
            (Some(false), None),
        ),
        (
            "a.js",
            "go(!['false', '0'].includes(args.x));",
            (Some(true), None),
        ),
        (
            "a.js",
            "go(String(args.x).toLowerCase() === 'json');",
            (None, None),
        ),
        ("a.js", "go(['a', 'b'].includes(args.x));", (None, None)),
        ("a.js", "go(parseInt(args.x, 10));", (None, Some("integer"))),
        (
            "a.js",
            "go(parseInt(args.x), Number(args.x));",
            (None, Some("number")),
        ),
        (
            "a.py",
            "on = str(args.get('x', '')).lower() in ('true', 'yes')",
            (Some(false), None),
        ),
        ("a.py", "n = int(args.get('x', 3))", (None, Some("integer"))),
    ] {
        assert_eq!(flag(path, code), expected, "{code}");
    }
}

#[test]
fn what_is_not_needed_beside_another_argument() {
    let unless = |path: &str, code: &str| {
        let found = facts(path, code).arguments;
        let found = found.get("leaf").cloned().unwrap_or_default();
        let names: Vec<String> = found.unless.into_iter().collect();
        (found.is_checked, names.join(" "))
    };
    let code = |block: &str| {
        format!(
            "function fail(text) {{ throw new Error(text); }}
             async function processToolCall(args) {{ const {{ leaf, order, stop }} = args;
               if (order) {{ {block} }} if (!leaf) fail('no leaf'); return brew(leaf); }}"
        )
    };
    let both = "if (orders.has(order)) { return orders.get(order); } else { fail('unknown'); }";
    let needed = |names: &str| (true, names.to_owned());
    assert_eq!(unless("a.js", &code(both)), needed("order"));
    assert_eq!(
        unless("a.js", &code("return look(order);")),
        needed("order")
    );
    assert_eq!(
        unless("a.js", &code("if (stop) return look(order);")),
        needed("")
    );
    assert_eq!(unless("a.js", &code("log(order);")), needed(""));
    let python = "import sys, json\ndef main():\n    args = json.loads(sys.stdin.read())\n    if args.get('order'):\n        show(args['order'])\n        return\n    if not args.get('leaf'):\n        raise ValueError('no leaf')\n    brew()\nmain()\n";
    assert_eq!(unless("a.py", python), needed("order"));
}

#[test]
fn what_is_looked_up_is_needed() {
    let check = |finder: &str, expected: bool| {
        let code = format!(
            "const pots = []; {finder}
             function boil(id) {{ const pot = getPot(id); if (!pot) {{ throw new Error('none'); }} }}
             async function processToolCall(args) {{ return boil(args.potId); }}"
        );
        let found = facts("a.js", &code).arguments;
        assert_eq!(found["potId"].is_checked, expected, "{finder}");
    };
    check(
        "function getPot(id) { return pots.find(it => it.id === id) || null; }",
        true,
    );
    check("function getPot(id) { return make(id); }", false);
}

#[test]
fn errors_that_want_one_of_several() {
    let check = |condition: &str, expected: &[&[&str]]| {
        let code = format!(
            "async function processToolCall(args) {{ const {{ tea, leaf, bag }} = args; const all = mix(leaf, bag);
               {condition} throw new Error('tea 是必需的，且必须提供 leaf 或 bag。'); }}"
        );
        assert_eq!(facts("a.js", &code).one_of_said, expected, "{condition}");
    };
    check("if (!tea || !all)", &[&["leaf", "bag"]]);
    check("while (tea) { if (!all) go(); }", &[]);
}

#[test]
fn values_of_settings_and_texts_of_json() {
    let code = "async function processToolCall(args) { const cups = args.cups || settings.defaultCups || 4;
        const pots = args.pots || other.pots || 2; if (args.mode === 'deep') go();
        let tea = args.tea; if (typeof tea === 'string') { tea = JSON.parse(tea); } const leaf = JSON.parse(args.leaf); }";
    let found = facts("a.js", code).arguments;
    assert_eq!(found["cups"].configured, Some(json!(4)));
    assert_eq!(found["pots"].configured, None);
    assert_eq!(found["mode"].compared, BTreeSet::from(["deep".to_owned()]));
    assert_eq!(found["tea"].shape, Shape::JsonOrText);
    assert_eq!(found["leaf"].shape, Shape::JsonText);
}

#[test]
fn numbers_of_items() {
    let check = |path: &str, code: &str, expected: (Option<u64>, Option<u64>)| {
        assert_eq!(
            facts(path, code).arguments["pots"].lengths,
            expected,
            "{code}"
        );
    };
    check(
        "a.js",
        "async function processToolCall(args) { const pots = args.pots; if (pots.length < 2) throw new Error('x');
           if (pots.length > 9) throw new Error('y'); if (pots.length > 3) log('many'); }",
        (Some(2), Some(9)),
    );
    let python = "import sys, json\nargs = json.loads(sys.stdin.read())\npots = args.get('pots')\nif len(pots) > 9:\n    raise ValueError('x')\n";
    check("a.py", python, (None, Some(9)));
}

#[test]
fn options_of_the_same_names() {
    let code = "const DEFAULTS = { cups: 4 };
        function read(args) { return { cups: args.cups || args.n, hot: args.hot !== false }; }
        function toInt(value, fallback, min) { return Math.max(min, value || fallback); }
        function brew(tea, options) { return toInt(options.cups, DEFAULTS.cups, 1); }
        async function processToolCall(args) { return brew(args.tea, read(args)); }";
    let found = facts("a.js", code).arguments;
    assert_eq!(found["cups"].defaults, [json!(4)]);
    assert_eq!(found["cups"].bounds.0, Some(json!(1)));
}

#[test]
fn input_that_a_promise_gives() {
    for resolved in [
        "resolve(JSON.parse(text))",
        "const read = JSON.parse(text); resolve(read)",
    ] {
        let code = format!(
            "function readInput() {{ return new Promise((resolve, reject) => {{ let text = '';
               process.stdin.on('data', chunk => {{ text += chunk; }}); process.stdin.on('end', () => {{ {resolved}; }}); }}); }}
             async function main() {{ const request = await readInput(); brew(request.cups || 2); }}"
        );
        assert_eq!(
            facts("a.js", &code).arguments["cups"].defaults,
            [json!(2)],
            "{resolved}"
        );
    }
}

#[test]
fn files_that_the_name_of_a_command_chooses() {
    let texts = [
        (
            "main.js",
            "async function processToolCall(args) { const { command, ...rest } = args; const place = find(command);
             if (exists(place)) { const engine = require(place); return await engine.brew(rest, 1); } }",
        ),
        (
            "teas/green.js",
            "async function brew(given) { const { leaf, bag } = given; if (!leaf && !bag) throw new Error('x'); }",
        ),
        (
            "teas/black.js",
            "async function brew(given) { if (!given.pot) throw new Error('x'); }",
        ),
    ];
    let texts: BTreeMap<String, String> = texts
        .iter()
        .map(|(path, code)| ((*path).to_owned(), (*code).to_owned()))
        .collect();
    let sources = sources(&texts.keys().cloned().collect(), &texts);
    let facts = CodeFacts::default();
    let analysis = Analysis::new(&facts, &sources);
    let commands = ["green_tea", "black_tea"].map(|it| vec![it.to_owned()]);
    let found = argument_facts(&analysis, &commands);
    assert_eq!(found[0].one_of, [["leaf", "bag"]]);
    assert!(found[1].one_of.is_empty() && found[1].arguments["pot"].is_checked);
    assert!(!found[0].arguments.contains_key("pot"));
}
