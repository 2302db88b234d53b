//! Forms of results, by their code.

mod branches;

use std::collections::BTreeMap;

use super::super::analysis::{Analysis, of_file};
use super::form::{Member, Outcome, Part};
use super::{Answers, Results, outcomes};

#[track_caller]
fn check(path: &str, code: &str, expected: Option<&Outcome>) {
    let found = results(path, code, Answers::Program);
    assert_eq!(found.form.as_ref(), expected, "{code}");
}

fn results(path: &str, code: &str, answers: Answers) -> Results {
    of_file(path, code, |analysis: &Analysis<'_, '_>| {
        super::results(analysis, &[], answers)
    })
}

fn part(kind: &str) -> Part {
    Part::of_kind(kind)
}

fn member(name: &str, members: &[&str], parts: &[&str]) -> Member {
    let texts = |list: &[&str]| list.iter().map(|&it| it.to_owned()).collect();
    Member {
        name: name.to_owned(),
        members: texts(members),
        parts: parts.iter().map(|&kind| part(kind)).collect(),
        is_list: !parts.is_empty(),
        is_echo: false,
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
        Some(&Outcome::Text),
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
    let found = of_file("a.js", code, |analysis| {
        outcomes(analysis, &commands, Answers::Program)
    });
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
        "print({ status: 'error', error: 'x' })",
    ] {
        check("a.js", code, None);
    }
}

#[test]
fn computed_names() {
    let code = "function brew() { return find('teas'); } function pour() { return find('cups'); }
        function find(key) { return { total: 1, [key]: rows.map(it => ({ name: it })) }; }
        switch (args.command) {
          case 'brew': print({ status: 'success', result: brew() }); break;
          case 'pour': print({ status: 'success', result: pour() }); break;
        }";
    let code = format!("const args = JSON.parse(fs.readFileSync(0, 'utf8')); {code}");
    let commands = ["brew", "pour"].map(|it| vec![it.to_owned()]);
    let found = of_file("a.js", &code, |analysis| {
        outcomes(analysis, &commands, Answers::Program)
    });
    let names: Vec<Vec<&str>> = found.values().map(|it| it.members().collect()).collect();
    assert_eq!(
        names,
        [["total", "teas", "name"], ["total", "cups", "name"]]
    );
}

#[test]
fn members_that_are_not_all_known() {
    let code = "const made = { cups: 1, [key]: 2, ...other }; made.pot = 'x'; if (a) made.lid = 1; print({ status: 'success', result: made });";
    let names = ["…", "cups", "pot"].map(|it| member(it, &[], &[]));
    check("a.js", code, Some(&Outcome::Members(names.to_vec())));
}

#[test]
fn functions_that_make_the_answer_of_their_arguments() {
    let python = "def reply(status, result=None, error=None):\n    out = {\"status\": status}\n    if result is not None:\n        out[\"result\"] = result\n    print(json.dumps(out))\nclass Pot:\n    def brew(self, tea):\n        if not tea:\n            return {\"success\": False, \"error\": \"x\"}\n        return {\"success\": True, \"cups\": 1}\npot = Pot()\nmade = pot.brew(tea)\nif made[\"success\"]:\n    reply(\"success\", result=made)\nelse:\n    reply(\"error\", error=made[\"error\"])\n";
    let names = ["success", "cups"].map(|it| member(it, &[], &[]));
    check("a.py", python, Some(&Outcome::Members(names.to_vec())));
    let javascript = "function say(result) { print({ status: 'success', result }); } say({ tea: 1 }); say({ pot: 2 });";
    let names = ["tea", "pot"].map(|it| member(it, &[], &[]));
    check("a.js", javascript, Some(&Outcome::Members(names.to_vec())));
}

#[test]
fn a_text_that_is_json_is_its_value() {
    let code = "print({ status: 'success', result: JSON.stringify({ tea: 1 }) })";
    check(
        "a.js",
        code,
        Some(&Outcome::Members(vec![member("tea", &[], &[])])),
    );
    let unknown = "print({ status: 'success', result: JSON.stringify(answer) })";
    check("a.js", unknown, None);
    let text = "print({ status: 'success', result: 'tea: ' + JSON.stringify(answer) })";
    check("a.js", text, Some(&Outcome::Text));
}

#[test]
fn modules() {
    #[track_caller]
    fn check(body: &str, form: Option<Outcome>, is_bare: bool) {
        let code = format!(
            "async function processToolCall(args) {{ {body} }} function text(it) {{ return {{ content: [{{ type: 'text', text: it }}] }}; }}"
        );
        let found = results("a.js", &code, Answers::Module);
        assert_eq!((found.form, found.is_bare), (form, is_bare), "{body}");
    }
    let members = |names: &[&str]| {
        let all = names.iter().map(|name| member(name, &[], &[]));
        Some(Outcome::Members(all.collect()))
    };
    let error = "if (!args.tea) return { status: 'error', error: 'x' };";
    check(
        &format!("{error} return 'x' + args.tea;"),
        Some(Outcome::Text),
        true,
    );
    check(
        &format!("{error} return {{ status: 'success', result: 'x' }};"),
        Some(Outcome::Text),
        false,
    );
    check(
        "return { status: 'success', result: 'x', tea };",
        members(&["result", "tea"]),
        false,
    );
    check(
        "return { status: 'success', result: { tea } };",
        members(&["tea"]),
        false,
    );
    check(
        "return { status: 'success', cups: 1 };",
        members(&["cups"]),
        false,
    );
    check("return { cups: 1 };", members(&["cups"]), true);
    check(
        "return text(args.tea);",
        Some(Outcome::Members(vec![member("content", &[], &["text"])])),
        true,
    );
    check("return await other.run(args);", None, false);
}

#[test]
fn printed_data() {
    let printed = |path: &str, code: &str| results(path, code, Answers::Printed).form;
    let code = "const write = process.stdout.write.bind(process.stdout); console.log = () => {}; console.log('x');
        async function main() { if (a) { write('none'); } else { write(JSON.stringify(rows.map(({ t }) => ({ title: t })))); } }";
    assert_eq!(
        printed("a.js", code),
        Some(Outcome::List(vec!["title".to_owned()]))
    );
    let python = "print('log', file=sys.stderr)\nprint(f'tea {n}')\n";
    assert_eq!(printed("a.py", python), Some(Outcome::Text));
}

#[test]
fn failures_in_answers_of_success() {
    let code = "function brew(a) { if (!a) { return '❌ no tea'; } return `tea ${a}`; }
        print({ status: 'success', result: brew(a) });";
    assert!(results("a.js", code, Answers::Program).has_cross);
    let code = "function brew(a) { if (!a) { return { error: 'x' }; } return { tea: 1 }; }
        print({ status: 'success', result: brew(a) });";
    let found = results("a.js", code, Answers::Program);
    assert!(found.has_error && !found.has_cross);
    assert_eq!(
        found.form,
        Some(Outcome::Members(vec![member("tea", &[], &[])]))
    );
}

#[test]
fn lists_of_the_same_name_in_other_functions() {
    let code = "def teas():\n    found = []\n    found.append({'leaf': 1})\n    return found\ndef pots():\n    found = []\n    found.append({'size': 1})\n    return found\nprint({'status': 'success', 'result': pots()})\n";
    check("a.py", code, Some(&Outcome::List(vec!["size".to_owned()])));
}

#[test]
fn members_of_values() {
    let text = |path: &str, code: &str| check(path, code, Some(&Outcome::Text));
    let none = |path: &str, code: &str| check(path, code, None);
    text(
        "a.js",
        "async function brew() { if (x) return { ok: false, error: 'x' }; return { ok: true, message: `tea` }; }
         async function main() { let made; made = await brew(); print({ status: made.ok ? 'success' : 'error', result: made.message || made.error }); }",
    );
    text(
        "a.js",
        "function brew() { return new Promise((done, no) => { if (x) done({ success: false, error: e }); done({ success: true, data: `tea` }); }); }
         const made = brew(); print({ status: 'success', result: made.data });",
    );
    text(
        "a.js",
        "const answer = await post(); function ask() { return answer.data.choices[0].message.content; } print({ status: 'success', result: ask() });",
    );
    text(
        "a.js",
        "print({ status: ok ? 'success' : 'error', result: ok ? `tea` : undefined });",
    );
    text(
        "a.py",
        "def brew(args) -> str:\n    return pots.brew(args)\nprint({'status': 'success', 'result': brew(args)})\n",
    );
    text(
        "a.py",
        "def brew():\n    return {'text': f'tea'}\nmade = brew()\nprint({'status': 'success', 'result': made.get('text')})\n",
    );
    none(
        "a.js",
        "function brew() { return { ...other(), ok: true }; } const made = brew(); print({ status: 'success', result: made.text });",
    );
    none(
        "a.js",
        "const made = await other(); print({ status: 'success', result: made.text });",
    );
    check(
        "a.js",
        "function queue(task) { return line.then(task); } async function brew() { return { tea: 1 }; }
         const made = await queue(() => brew()); const { cups, ...rest } = { cups: 1, leaf: 2 };
         print({ status: 'success', result: made }); print({ status, result: rest });",
        Some(&Outcome::Members(vec![
            member("tea", &[], &[]),
            member("leaf", &[], &[]),
        ])),
    );
}

#[test]
fn members_of_one_branch_are_not_told() {
    check(
        "a.js",
        "print({ status: 'success', result: { details: { url, size } } }); print({ status: 'success', result: { details: { url, name } } });",
        Some(&Outcome::Members(vec![member("details", &["url"], &[])])),
    );
}

/// Returns the members of each command's result.
fn of_commands(path: &str, code: &str, commands: &[&str]) -> Vec<Vec<String>> {
    let values: Vec<Vec<String>> = commands.iter().map(|it| vec![(*it).to_owned()]).collect();
    let found = of_file(path, code, |analysis: &Analysis<'_, '_>| {
        outcomes(analysis, &values, Answers::Program)
    });
    let names = |at: usize| {
        let members = found.get(&at).into_iter().flat_map(Outcome::members);
        members.map(str::to_owned).collect()
    };
    (0..commands.len()).map(names).collect()
}

#[test]
fn functions_in_tables() {
    let check = |path: &str, code: &str| {
        let found = of_commands(path, code, &["green", "black"]);
        assert_eq!(found, [["cups"], ["potsOut"]], "{code}");
    };
    check(
        "a.js",
        "function green(a) { return { cups: 1 }; } function black(a) { return { potsOut: 1 }; }
         const BREWERS = { green: green, black: black, };
         const made = BREWERS[command](args); print({ status: 'success', result: made });",
    );
    check(
        "a.py",
        "def green(a):\n    return {'cups': 1}\ndef black(a):\n    return {'pots_out': 1}\nbrewers = {'green': green, 'black': black}\nmade = brewers[command](args)\nprint(json.dumps(to_camel_case({'status': 'success', 'result': made})))\n",
    );
}

#[test]
fn commands_that_end_before() {
    let check = |code: &str, expected: [&[&str]; 2]| {
        assert_eq!(
            of_commands("a.js", code, &["list", "brew"]),
            expected,
            "{code}"
        );
    };
    let list = "if (command === 'list') { return { status: 'success', result: { teas: 1 } }; }";
    let brew = "return { status: 'success', result: { cups: 1 } };";
    check(
        &format!("function run(command) {{ {list} {brew} }}"),
        [&["teas"], &["cups"]],
    );
    let refused = "if (command !== 'brew') { throw new Error('x'); }";
    check(
        &format!("function run(command) {{ {list} {refused} {brew} }}"),
        [&["teas"], &["cups"]],
    );
    // A condition decides whether it ends.
    check(
        &format!(
            "function run(command) {{ if (command === 'list') {{ if (x) return 1; }} {brew} }}"
        ),
        [&["cups"], &[]],
    );
}

#[test]
fn texts_that_tell_failures() {
    let check = |path: &str, code: &str, answers: Answers, expected: &[&str]| {
        assert_eq!(results(path, code, answers).failures, expected, "{code}");
    };
    let told = "async function brew(tea) {
          try { return await pot.boil(tea); }
          catch (e) { console.error(`注水失败: ${e}`); return `煮茶失败：${e.message}`; } }
        async function main() {
          try { const made = await brew(args.tea); out({ status: 'success', result: made }); }
          catch (e) { out({ status: 'error', error: `执行失败：${e}` }); } }";
    check("a.js", told, Answers::Program, &["煮茶失败："]);
    let list = "function format(all) {
          const lines = []; for (const it of all) { if (it.bad) lines.push(`${it.no}. 煮茶失败：${it.bad}`); }
          return lines.join(' '); }
        function reply(status, result) { print({ status, result }); }
        if (ok) reply('success', format(rows)); else reply('error', '执行失败: x');";
    check("a.js", list, Answers::Program, &["煮茶失败："]);
    let thrown = "function brew() { if (!tea) throw new Error('煮茶失败: 没有茶'); return `tea`; }
        out({ status: 'success', result: brew() });";
    check("a.js", thrown, Answers::Program, &[]);
    let tested = "function brew() { return 'Error: no tea'; } const made = brew();
        const isBad = ['Error:', 'Fault:'].some(it => made.startsWith(it)); out({ status: 'success', result: made });";
    check("a.js", tested, Answers::Program, &[]);
    let python = "def reply(status, result=None, error=None):\n    out = {\"status\": status}\n    if result is not None:\n        out[\"result\"] = result\n    elif error:\n        out[\"error\"] = error\n    print(json.dumps(out))\n\ndef brew(tea):\n    try:\n        return boil(tea)\n    except Exception as e:\n        return f\"Failed to boil: {e}\"\n\ndef main():\n    try:\n        reply(\"success\", result=brew(1))\n    except Exception as e:\n        reply(\"error\", error=f\"执行失败: {e}\")\n";
    check("a.py", python, Answers::Program, &["Failed to boil:"]);
    let module = "async function processToolCall(args) { try { return await go(args); } catch (e) { return `煮茶失败: ${e.message}`; } }";
    check("a.js", module, Answers::Module, &["煮茶失败:"]);
    let printed = "async function main() { let text; try { text = await ask(); } catch (e) { text = `[Failed to ask: ${e}]`; } console.log(text); }";
    check("a.js", printed, Answers::Printed, &["[Failed to ask:"]);
    let member = "function brew() { let error = null; try { boil(); } catch (e) { error = `煮茶失败: ${e.message}`; }
          return { tea: 1, error }; }
        out({ status: 'success', result: [brew(), { tea: 2, error: `倒茶失败: ${e}` }] });";
    check("a.js", member, Answers::Program, &[]);
    let sent = "async function ask() { let note = ''; try { note = read(); } catch (e) { note = '读取失败。'; }
          const res = await axios.post(url, { text: `${note}` }); return res.data.text; }
        out({ status: 'success', result: await ask() });";
    check("a.js", sent, Answers::Program, &[]);
    let chosen = "def brew():\n    return {'success': made, 'message': 'Done' if made else 'Failed to brew tea'}\n\ndef main():\n    print(json.dumps({'status': 'success', 'result': brew()}))\n";
    check("a.py", chosen, Answers::Program, &[]);
    let named = "def reply(status, result=None, error=None):\n    out = {\"status\": status}\n    if result is not None:\n        out[\"result\"] = result\n    else:\n        out[\"error\"] = error\n    print(json.dumps(out))\n\nif not tea:\n    reply(\"error\", error=\"煮茶失败\")\nreply(\"success\", result=f\"错误: {made['error']}\")\n";
    check("a.py", named, Answers::Program, &["错误:"]);
    let whole = "function brew() { let text = ''; for (const it of all) text += `倒茶失败：${it}`; if (!all) return '煮茶失败：没有茶'; return text; }
        out({ status: 'success', result: brew() });";
    check(
        "a.js",
        whole,
        Answers::Program,
        &["煮茶失败：", "倒茶失败："],
    );
}
