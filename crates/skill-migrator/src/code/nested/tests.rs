use serde_json::{Value, json};

use super::super::analysis::of_file;
use super::super::scopes::Scopes;
use super::*;

#[track_caller]
fn check(path: &str, code: &str, expected: &Value) {
    let found = of_file(path, code, |code| {
        let scopes = Scopes::new(&code.readers, &[Vec::new()]);
        let all = Nested::new(&code.readers).of(&scopes, 0);
        let all = all.into_iter().filter(|(_, it)| !it.members.is_empty());
        let all = all.map(|(name, it)| (name, it.schema(1)));
        json!(all.collect::<BTreeMap<String, Value>>())
    });
    assert_eq!(found, *expected, "{code}");
}

#[test]
fn members_through_functions() {
    check(
        "a.js",
        "async function processToolCall(args) { return brew(args.tea || {}); }
         function brew(given) { return steep({ ...given, id: 1 }); }
         function steep(input) { const tea = normalizeTea(input); if (!tea.name) throw new Error('no');
           if (tea.kind === 'cold' && !String(tea.pot.size || '').trim()) { throw new Error('no'); } return tea; }
         function normalizeTea(input) {
           const kind = ['hot', 'cold'].includes(input.kind) ? input.kind : 'hot';
           return { id: input.id, name: String(input.name || ''), kind, is: input.loud !== false,
             pot: pot(input.pot), cups: list(input.cups?.names || input.names || []) }; }
         function pot(given = {}) { return { size: given.size, minutes: Math.max(parseInt(given.minutes, 10) || 5, 1) }; }",
        &json!({ "tea": {
            "type": "object",
            "properties": {
                "kind": { "enum": ["hot", "cold"], "default": "hot" },
                "name": {},
                "loud": { "type": "boolean", "default": true },
                "pot": { "type": "object", "properties": {
                    "size": { "x-required-when": "kind = cold" },
                    "minutes": { "type": "integer", "default": 5, "minimum": 1 },
                } },
                "cups": { "type": "object", "properties": { "names": {} } },
            },
            "required": ["name"],
        } }),
    );
}

#[test]
fn items_of_lists() {
    let items = json!({ "teas": { "type": "array", "items": {
        "type": "object", "properties": { "name": {}, "cups": { "default": 2 } } } } });
    check(
        "a.js",
        "function processToolCall(args) { for (const tea of args.teas) { log(tea.name, tea.cups || 2); } }",
        &items,
    );
    check(
        "a.js",
        "function processToolCall(args) { return args.teas.map(one); }
         function one({ name, cups = 2 }) { return name + cups; }",
        &items,
    );
    check(
        "a.js",
        "function processToolCall(args) { return args.teas.map((tea) => tea.name + (tea.cups ?? 2)); }",
        &items,
    );
    check(
        "a.py",
        "args = json.loads(sys.stdin.read())\ndef run(args):\n    teas = args.get('teas', [])\n    for tea in teas:\n        print(tea['name'], tea.get('cups', 2))\nrun(args)\n",
        &items,
    );
}

#[test]
fn plain_arguments_have_no_members() {
    check(
        "a.js",
        "function processToolCall(args) { return args.name.trim() + args.list.length + go(args.cups); }
         function go(n) { return n + 1; }",
        &json!({}),
    );
}

#[test]
fn needs_of_a_command() {
    let code = "async function processToolCall(args) { const command = args.command; switch (command) {
            case 'brew': return { status: 'success', result: await brew(args.tea || {}) };
            case 'change': return { status: 'success', result: await change(args.id, args.tea || {}) };
            case 'all': await all(args.teas || []); return 1; } }
         async function all(given) { return given.map(checked); }
         async function brew(given) { const tea = checked({ ...given, id: 1 }); return tea; }
         async function change(id, given) { const at = teas.findIndex(tea => tea.id === id); if (at === -1) { throw new Error('no'); }
           return checked({ ...teas[at], ...given, id }); }
         function checked(input) { const tea = normalizeTea(input); if (!tea.name) { throw new Error('no'); } return tea; }
         function normalizeTea(input) { return { name: input.name, kind: input.kind || 'hot' }; }
         async function ask(pot) { if (pot) { await other.processToolCall({ pot }); } }";
    let values: Vec<Vec<String>> = ["brew", "change", "all"]
        .iter()
        .map(|it| vec![(*it).to_owned()])
        .collect();
    let found = of_file("a.js", code, |code| {
        let scopes = Scopes::new(&code.readers, &values);
        let nested = Nested::new(&code.readers);
        let of = |command| {
            let all = nested.of(&scopes, command).into_iter();
            let all = all.filter(|(name, _)| name != "command");
            all.map(|(name, it)| (name, it.schema(1), it.is_needed()))
                .collect::<Vec<_>>()
        };
        json!([of(0), of(1), of(2)])
    });
    let members = json!({ "name": {}, "kind": { "default": "hot" } });
    let tea = json!({ "type": "object", "properties": members, "required": ["name"] });
    let change =
        json!({ "type": "object", "properties": { "name": {}, "kind": {} }, "x-change": true });
    let expected = json!([
        [["tea", tea, true]],
        [["id", {}, true], ["tea", change, false]],
        [["teas", { "type": "array", "items": tea }, false]],
    ]);
    assert_eq!(found, expected);
}

#[test]
fn functions_that_call_one_another_end() {
    const N: usize = 24;
    let calls: Vec<String> = (0..N).map(|n| format!("f{n}(a.k{n});")).collect();
    let calls = calls.concat();
    let functions = (0..N).map(|n| format!("function f{n}(a) {{ {calls} return a.x{n}.y; }}\n"));
    let functions: Vec<String> = functions.collect();
    let code = functions.concat() + "function processToolCall(args) { return f0(args); }";
    of_file("a.js", &code, |code| {
        let scopes = Scopes::new(&code.readers, &[Vec::new()]);
        let all = Nested::new(&code.readers).of(&scopes, 0);
        assert!(
            all.contains_key("x0") && all.contains_key("k0"),
            "{:?}",
            all.keys()
        );
    });
}

#[test]
fn choices_of_tables() {
    check(
        "a.py",
        "import sys, json\ndef brew(kind='green', n=None):\n    kinds = {\n        'green': {'n': 1},\n        'black': {'n': 2},\n    }\n    if kind not in kinds and not n:\n        return {'error': f'unknown: {kind}'}\n    return kinds[kind]\ndef main():\n    cmd = json.loads(sys.stdin.read())\n    params = cmd.get('params', {})\n    p_kind = params.get('kind', 'green')\n    out = {'status': 'success', 'result': brew(p_kind, None)}\nmain()\n",
        &json!({ "params": { "type": "object", "properties": {
            "kind": { "enum": ["green", "black"], "default": "green" } } } }),
    );
}
