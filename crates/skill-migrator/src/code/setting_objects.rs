//! Objects with settings: the environment, and what code makes of the lines of a `config.env`.
//!
//! Source: `docs/design/legacy-host.md` §1.1.4. Programs read settings as `env.TEA_HOST`,
//! `serverConfig.API_URL` or `cfg.get("TEA_HOST")`, where the object is another name of the environment, the
//! result of a parser, or a parameter.

use std::collections::BTreeSet;

use super::facts::CodeFacts;
use super::lexer::Token;
use super::uses::is_settings;

/// Shortest name of a setting, and shortest beginning of a family.
const MIN_NAME: usize = 3;
/// Number of tokens between the keys of an object and the beginning that they are compared with.
const NEAR: usize = 48;

/// Adds the settings that a file reads from objects with settings, and the families of names.
pub(super) fn read(code: &str, tokens: &[Token<'_>], acc: &mut CodeFacts) {
    let has_file = code.contains(".env");
    acc.reads_settings |= has_file;
    let objects = objects(tokens, has_file);
    let mut renamed = BTreeSet::new();
    for at in 1..tokens.len() {
        if let Token::Text(text) = tokens[at] {
            acc.families.extend(family(tokens, at, text, &objects));
            in_template(text, &objects, acc);
        }
        match tokens[at] {
            Token::Word(key) | Token::Text(key) if is_key(key) => {
                if object_of(tokens, at).is_some_and(|object| objects.contains(object)) {
                    acc.loaded.insert(key.to_owned());
                }
                if is_renamed(tokens, at) {
                    renamed.insert(key);
                }
                if is_defined(tokens, at) {
                    acc.defined.insert(key.to_owned());
                }
            }
            Token::Word(object)
                if tokens[at - 1] == Token::Sign('=') && objects.contains(object) =>
            {
                destructured(&tokens[..at], acc);
            }
            _ => {}
        }
    }
    acc.loaded.retain(|key| !renamed.contains(&**key));
    acc.defined.extend(renamed.into_iter().map(str::to_owned));
}

/// Returns the names of the objects with settings of a file.
fn objects<'t>(tokens: &[Token<'t>], has_file: bool) -> BTreeSet<&'t str> {
    let mut res = BTreeSet::from(["env"]);
    // Twice, because an object may be made of a later one.
    for round in 0..2 {
        if round == 1 && res.len() == 1 {
            break;
        }
        for at in 0..tokens.len() {
            let Token::Word(name) = tokens[at] else {
                continue;
            };
            let is_made = match tokens[at + 1..] {
                [Token::Sign('='), ref value @ ..] => is_source(value, &res, has_file),
                // `raw[key] = value`, in a file that names such a file.
                [
                    Token::Sign('['),
                    Token::Word(_),
                    Token::Sign(']'),
                    Token::Sign('='),
                    next,
                    ..,
                ] => has_file && next != Token::Sign('=') && is_own(name),
                _ => false,
            };
            if is_made && name.len() > 1 {
                res.insert(name);
            }
        }
    }
    res
}

/// Returns true for the beginning of an expression that gives settings: the environment, the result of a
/// parser of env files, or a copy of either.
fn is_source(value: &[Token<'_>], objects: &BTreeSet<&str>, has_file: bool) -> bool {
    const MAX: usize = 24;
    let value = match value {
        [Token::Word("await"), rest @ ..] => rest,
        value => value,
    };
    match value {
        [
            Token::Word("process"),
            Token::Sign('.'),
            Token::Word("env"),
            rest @ ..,
        ]
        | [
            Token::Word("os"),
            Token::Sign('.'),
            Token::Word("environ"),
            rest @ ..,
        ] => !matches!(rest, [Token::Sign('.' | '['), ..]),
        [
            Token::Word("dotenv"),
            Token::Sign('.'),
            Token::Word("parse"),
            ..,
        ]
        | [Token::Word("dotenv_values"), Token::Sign('('), ..] => true,
        [
            Token::Word("self" | "this"),
            Token::Sign('.'),
            Token::Word(function),
            Token::Sign('('),
            ..,
        ]
        | [Token::Word(function), Token::Sign('('), ..] => has_file && is_parser(function),
        [Token::Sign('{'), rest @ ..] => {
            let end = rest.iter().position(|it| *it == Token::Sign('}'));
            let inner = &rest[..end.unwrap_or(rest.len()).min(MAX)];
            inner.windows(4).any(|four| {
                let [
                    Token::Sign('.'),
                    Token::Sign('.'),
                    Token::Sign('.'),
                    Token::Word(name),
                ] = four
                else {
                    return false;
                };
                objects.contains(name)
            }) || inner.windows(6).any(|six| {
                matches!(
                    six,
                    [
                        Token::Sign('.'),
                        Token::Sign('.'),
                        Token::Sign('.'),
                        Token::Word("process"),
                        Token::Sign('.'),
                        Token::Word("env")
                    ]
                )
            })
        }
        _ => false,
    }
}

/// Returns true for `parseEnv`, `load_env_file`, `readConfig`.
fn is_parser(function: &str) -> bool {
    let name = function.trim_start_matches('_').to_ascii_lowercase();
    let starts = ["parse", "load", "read", "get"];
    let is_of = ["env", "config"].iter().any(|word| name.contains(word));
    is_of && starts.iter().any(|start| name.starts_with(start))
}

/// Returns true for a name of an object with settings of the code's own.
fn is_own(name: &str) -> bool {
    let is_other = matches!(name, "this" | "self" | "process" | "os" | "getenv");
    is_settings(name) && !is_other || name.to_ascii_lowercase().ends_with("env")
}

/// Returns the object whose member or entry is at a position: `env.KEY`, `env["KEY"]`, `env.get("KEY"`.
fn object_of<'t>(tokens: &[Token<'t>], at: usize) -> Option<&'t str> {
    match tokens[..at] {
        // The environment itself is read elsewhere.
        [
            ..,
            Token::Word("process"),
            Token::Sign('.'),
            Token::Word("env"),
            Token::Sign('.' | '['),
        ] => None,
        [.., Token::Word(object), Token::Sign('.')] if matches!(tokens[at], Token::Word(_)) => {
            Some(object)
        }
        [.., Token::Word(object), Token::Sign('[')]
        | [
            ..,
            Token::Word(object),
            Token::Sign('.'),
            Token::Word("get"),
            Token::Sign('('),
        ] if matches!(tokens[at], Token::Text(_)) => Some(object),
        _ => None,
    }
}

/// Returns true for a name in the form of a setting's: `TEA_HOST`, `TeaKey`.
fn is_key(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    (MIN_NAME..=64).contains(&name.len())
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(is_part)
}

/// Returns true where code defines a name itself: `{ MAX_CUPS: 4 }`, `MAX_CUPS = 4`.
fn is_defined(tokens: &[Token<'_>], at: usize) -> bool {
    let is_start = matches!(tokens[at - 1], Token::Sign('{' | ',' | ';' | '}'));
    match tokens[at + 1..] {
        [Token::Sign(':'), ..] => is_start,
        [Token::Sign('='), next, ..] => {
            next != Token::Sign('=') && tokens[at - 1] != Token::Sign('.')
        }
        _ => false,
    }
}

/// Returns true where code gives a setting a name of its own: `config.TEA_HOST = process.env.TeaHost`.
fn is_renamed(tokens: &[Token<'_>], at: usize) -> bool {
    let [
        Token::Word(key),
        Token::Sign('='),
        Token::Word("process"),
        Token::Sign('.'),
        Token::Word("env"),
        Token::Sign('.'),
        Token::Word(setting),
        ..,
    ] = tokens[at..]
    else {
        return false;
    };
    tokens[at - 1] == Token::Sign('.') && key != setting
}

/// Reads `const { KEY } = env`.
fn destructured(before: &[Token<'_>], acc: &mut CodeFacts) {
    let [rest @ .., Token::Sign('}'), Token::Sign('=')] = before else {
        return;
    };
    let Some(open) = rest.iter().rposition(|token| *token == Token::Sign('{')) else {
        return;
    };
    for at in open + 1..rest.len() {
        if let (Token::Word(key), Token::Sign('{' | ',')) = (rest[at], rest[at - 1])
            && is_key(key)
        {
            acc.loaded.insert(key.to_owned());
        }
    }
}

/// Reads the values of a template: `` `${server.API_URL}/v1` ``.
fn in_template(text: &str, objects: &BTreeSet<&str>, acc: &mut CodeFacts) {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    for part in text.split("${").skip(1) {
        let (inner, _) = part.split_once('}').unwrap_or((part, ""));
        let mut dots = inner.match_indices('.');
        for (at, _) in &mut dots {
            let object = inner[..at].rsplit(|c| !is_word(c)).next();
            let key = inner[at + 1..].split(|c| !is_word(c)).next();
            let (Some(object), Some(key)) = (object, key) else {
                continue;
            };
            if is_key(key) && inner[..at].ends_with("process.env") {
                acc.variable(key);
            } else if is_key(key) && objects.contains(object) {
                acc.loaded.insert(key.to_owned());
            }
        }
    }
}

/// Returns the family of names that code looks for among settings: `key.startsWith('TABLE_')`, `` env[`POT_${n}`] ``.
fn family(tokens: &[Token<'_>], at: usize, text: &str, objects: &BTreeSet<&str>) -> Option<String> {
    let is_object = |name: &str| objects.contains(name) || is_own(name) || name == "environ";
    match tokens[..at] {
        [
            ..,
            Token::Word("startsWith" | "startswith"),
            Token::Sign('('),
        ] => {
            let near = &tokens[at.saturating_sub(NEAR)..at];
            let is_listed = near.windows(3).any(|three| {
                matches!(three, [Token::Word("keys" | "entries"), Token::Sign('('), Token::Word(name)]
                    if *name == "process" || is_object(name))
                    || matches!(three, [Token::Word(name), Token::Sign('.'), Token::Word("items" | "keys")]
                        if is_object(name))
                    || matches!(three, [Token::Word("in"), Token::Word("process" | "os"), Token::Sign('.')])
            });
            let is_prefix = text.len() > MIN_NAME && text.ends_with('_') && is_key(text);
            (is_listed && is_prefix).then(|| format!("{text}*"))
        }
        [.., Token::Word(name), Token::Sign('[')] if is_object(name) => pattern(text),
        [
            ..,
            Token::Word("getenv" | "get"),
            Token::Sign('('),
            Token::Word("f"),
        ] if text.contains('{') => pattern(text),
        _ => None,
    }
}

/// Returns a template of a name with `*` for its values: `POT_${n}_SIZE`.
fn pattern(text: &str) -> Option<String> {
    let mut res = String::new();
    let mut rest = text.replace("${", "{");
    while let Some((head, tail)) = rest.split_once('{') {
        let (_, after) = tail.split_once('}')?;
        res.push_str(head);
        res.push('*');
        rest = after.to_owned();
    }
    res.push_str(&rest);
    let (first, _) = res.split_once('*')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '*');
    let is_family = first.len() >= MIN_NAME && is_key(first) && first.contains('_');
    (is_family && res.chars().all(is_part) && !res.contains("**")).then_some(res)
}

#[cfg(test)]
mod tests {
    use super::super::lexer;
    use super::*;

    #[track_caller]
    fn check(code: &str, expected: &[&str]) {
        let tokens = lexer::javascript(code);
        let tokens: Vec<Token<'_>> = tokens
            .into_iter()
            .filter(|it| *it != Token::Newline)
            .collect();
        let mut facts = CodeFacts::default();
        read(code, &tokens, &mut facts);
        let found: Vec<&String> = facts.loaded.iter().chain(&facts.families).collect();
        assert_eq!(found, expected, "{code}");
    }

    #[test]
    fn objects_with_settings() {
        check("const env = process.env; a(env.TEA_HOST)", &["TEA_HOST"]);
        check(
            "constructor(env) { this.host = env.TEA_HOST; }",
            &["TEA_HOST"],
        );
        check(
            "const root = dotenv.parse(text); server = { ...config, ...root }; a(server.Tea_Key)",
            &["Tea_Key"],
        );
        check(
            "raw = {}; read('config.env'); raw[k] = v; return { key: raw.TeaKey }",
            &["TeaKey"],
        );
        check("raw = {}; raw[k] = v; return raw.TeaKey", &[]);
        check(
            "const cfg = loadConfig('.env'); a(cfg.TEA_HOST)",
            &["TEA_HOST"],
        );
        check("const { TEA_HOST, Pot: pot } = env;", &["Pot", "TEA_HOST"]);
        check(
            "const config = loadConfig('.env'); config.TEA_HOST = process.env.TeaHost; a(config.TEA_HOST)",
            &[],
        );
        check("const tea = process.env.TEA; a(tea.POT_A)", &[]);
        check("cups[k] = v; '.env'; cups.Green", &[]);
        check(
            "cfg = dotenv_values('.env'); cfg.get('TEA_HOST')",
            &["TEA_HOST"],
        );
    }

    #[test]
    fn families_of_names() {
        check(
            "for (const [key] of Object.entries(config)) { if (!key.startsWith('TABLE_')) continue; }",
            &["TABLE_*"],
        );
        check(
            "Object.keys(process.env).filter(k => k.startsWith('POT_'))",
            &["POT_*"],
        );
        check(
            "for (k in os.environ) if k.startswith('POT_'): x",
            &["POT_*"],
        );
        check("env[`POT_${n}_SIZE`]", &["POT_*_SIZE"]);
        check("os.getenv(f\"POT_{n}\")", &["POT_*"]);
        check("names.filter(k => k.startsWith('POT_'))", &[]);
        check("env[`${name}_POT`]; cups[`POT_${n}`]", &[]);
    }
}
