//! Paths that code builds from constants: `path.join(__dirname, '..', 'x')`, `BASE + '/x'`.

use std::collections::{BTreeMap, BTreeSet};

use super::lexer::Token;
use super::places::is_base;

/// Maximum number of nested calls in an expression.
const MAX_NESTED: usize = 8;

/// A path that is known without running the code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ConstantPath {
    /// Relative to the directory of the file.
    FromFile(String),
    /// Relative to the directory of the old host.
    FromHost(String),
    /// A file in a directory, which is relative to that of the code: the name of the file is known only when the
    /// code runs.
    Within(String),
}

impl ConstantPath {
    fn join(self, part: &str) -> Self {
        match self {
            Self::FromFile(path) => Self::FromFile(format!("{path}/{part}")),
            Self::FromHost(path) => Self::FromHost(format!("{path}/{part}")),
            Self::Within(path) => Self::Within(path),
        }
    }

    /// Returns a file of unknown name in this directory. Only directories beneath that of the code count.
    fn within(self) -> Option<Self> {
        match self {
            Self::FromFile(path) => within(&path),
            Self::FromHost(_) | Self::Within(_) => None,
        }
    }
}

/// Returns a file of unknown name in a directory that is relative to that of the code, and not the same.
fn within(dir: &str) -> Option<ConstantPath> {
    let mut parts = dir.split('/').filter(|part| !["", "."].contains(part));
    parts
        .next()
        .map(|_| ConstantPath::Within(dir.trim_end_matches('/').to_owned()))
}

/// Returns the path that a template such as `./routes/${name}.js` gives.
pub(super) fn unknown_name(template: &str) -> Option<ConstantPath> {
    let (start, _) = template.split_once("${")?;
    let (dir, _) = start.rsplit_once('/')?;
    within(dir)
}

/// The paths that names are bound to in one file.
pub(super) type Bindings<'a> = BTreeMap<&'a str, ConstantPath>;

/// Returns the bindings of a file: `const ROOT = path.join(__dirname, '..')`. Of several bindings of
/// one name, the first counts.
pub(super) fn bindings<'a>(tokens: &[Token<'a>]) -> Bindings<'a> {
    let mut res = Bindings::new();
    for (at, window) in tokens.windows(3).enumerate() {
        let [
            Token::Word("const" | "let" | "var"),
            Token::Word(name),
            Token::Sign('='),
        ] = window
        else {
            continue;
        };
        let value = &tokens[at + 3..];
        if let Some((path, _)) = expression(value, &res, 0) {
            res.entry(name).or_insert(path);
        }
    }
    res
}

/// Returns the path in `(…` after `require` or `import`, if it is constant and not one literal.
pub(super) fn argument(after: &[Token<'_>], known: &Bindings<'_>) -> Option<ConstantPath> {
    let [Token::Sign('('), inside @ ..] = after else {
        return None;
    };
    if let [
        Token::Word("new"),
        Token::Word("URL"),
        Token::Sign('('),
        Token::Text(path),
        ..,
    ] = inside
    {
        let is_relative = path.starts_with('.');
        return is_relative.then(|| ConstantPath::FromFile((*path).to_owned()));
    }
    // `'./routes/' + name`
    if let [Token::Text(dir), Token::Sign('+'), ..] = inside {
        let is_directory = dir.starts_with('.') && dir.ends_with('/');
        return is_directory.then(|| within(dir)).flatten();
    }
    let (path, n_read) = expression(inside, known, 0)?;
    matches!(inside.get(n_read), Some(Token::Sign(')' | ','))).then_some(path)
}

/// Returns the places where code looks for a module before it loads it: the constant paths of
/// `for (const place of [join(__dirname, 'x.js'), …]) … require(place)`, where the list may have a
/// name.
pub(super) fn places(tokens: &[Token<'_>], known: &Bindings<'_>) -> Vec<ConstantPath> {
    let loaded = tokens.windows(4).filter_map(|call| match call {
        [
            Token::Word("require" | "import"),
            Token::Sign('('),
            Token::Word(name),
            Token::Sign(')' | ','),
        ] => Some(*name),
        _ => None,
    });
    let loaded: BTreeSet<&str> = loaded.collect();
    let mut res = Vec::new();
    for (at, window) in tokens.windows(2).enumerate() {
        let [Token::Word(name), Token::Word("of")] = window else {
            continue;
        };
        if !loaded.contains(name) {
            continue;
        }
        let list = match &tokens[at + 2..] {
            inline @ [Token::Sign('['), ..] => Some(inline),
            [Token::Word(list), ..] => list_of(tokens, list),
            _ => None,
        };
        if let Some([_, elements @ ..]) = list {
            res.extend(constants(elements, known));
        }
    }
    res
}

/// Returns the tokens from the `[` of a list on: `const LIST = [`.
fn list_of<'t, 'a>(tokens: &'t [Token<'a>], name: &str) -> Option<&'t [Token<'a>]> {
    let at = tokens.windows(3).position(|window| {
        matches!(window, [Token::Word(word), Token::Sign('='), Token::Sign('[')] if *word == name)
    })?;
    Some(&tokens[at + 2..])
}

/// Returns the constant paths among the elements of a list, up to its end.
fn constants(mut elements: &[Token<'_>], known: &Bindings<'_>) -> Vec<ConstantPath> {
    let mut res = Vec::new();
    loop {
        if let Some((path, n_read)) = expression(elements, known, 0) {
            res.push(path);
            elements = &elements[n_read..];
        }
        let mut depth = 0_usize;
        let end = elements.iter().position(|token| {
            match token {
                Token::Sign('(' | '[' | '{') => depth += 1,
                Token::Sign(')' | ']' | '}') if depth > 0 => depth -= 1,
                Token::Sign(',' | ']') => return depth == 0,
                _ => {}
            }
            false
        });
        match end.map(|end| (elements[end], &elements[end + 1..])) {
            Some((Token::Sign(','), rest)) => elements = rest,
            _ => return res,
        }
    }
}

/// Reads an expression; returns its path and the number of its tokens. Of `a || b`, the first that
/// is constant counts.
fn expression(
    tokens: &[Token<'_>],
    known: &Bindings<'_>,
    depth: usize,
) -> Option<(ConstantPath, usize)> {
    if depth > MAX_NESTED {
        return None;
    }
    let (mut path, mut at) = operand(tokens, known, depth)?;
    loop {
        match tokens[at..] {
            [Token::Sign('+'), Token::Text(text), ..] => {
                path = path.join(text);
                at += 2;
            }
            [Token::Sign('|'), Token::Sign('|'), ..] | [Token::Sign('?'), Token::Sign('?'), ..] => {
                at += 2;
                at += expression(&tokens[at..], known, depth + 1).map_or(0, |(_, n_read)| n_read);
                return Some((path, at));
            }
            _ => return Some((path, at)),
        }
    }
}

fn operand(
    tokens: &[Token<'_>],
    known: &Bindings<'_>,
    depth: usize,
) -> Option<(ConstantPath, usize)> {
    let here = || ConstantPath::FromFile(".".to_owned());
    match tokens {
        [Token::Text(text), ..] => Some((template(text)?, 1)),
        [Token::Word("__dirname"), ..] => Some((here(), 1)),
        [Token::Word("path"), Token::Sign('.'), call @ ..] => {
            let (path, n_read) = call_of_path(call, known, depth)?;
            Some((path, n_read + 2))
        }
        [
            Token::Word("join" | "resolve" | "dirname"),
            Token::Sign('('),
            ..,
        ] => call_of_path(tokens, known, depth),
        [Token::Word(name), rest @ ..] => {
            // `process.env.PROJECT_BASE_PATH`, `this.config.projectBasePath`: the last name counts.
            let n_more = members(rest);
            let last = match &tokens[n_more] {
                Token::Word(last) => *last,
                _ => name,
            };
            let bound = known.get(last).filter(|_| n_more == 0).cloned();
            let base = || is_base(last).then(|| ConstantPath::FromHost(String::new()));
            Some((bound.or_else(base)?, n_more + 1))
        }
        _ => None,
    }
}

/// Returns the number of tokens in `.a.b` at the start.
fn members(tokens: &[Token<'_>]) -> usize {
    let pairs = tokens.chunks_exact(2);
    2 * pairs
        .take_while(|pair| matches!(pair, [Token::Sign('.'), Token::Word(_)]))
        .count()
}

/// Reads `` `${__dirname}/x` ``.
fn template(text: &str) -> Option<ConstantPath> {
    let rest = text.strip_prefix("${__dirname}")?;
    if rest.contains("${") {
        return unknown_name(&format!(".{rest}"));
    }
    Some(ConstantPath::FromFile(format!(".{rest}")))
}

/// Reads `join(base, 'a', 'b')`, `resolve(…)` and `dirname(…)`.
fn call_of_path(
    tokens: &[Token<'_>],
    known: &Bindings<'_>,
    depth: usize,
) -> Option<(ConstantPath, usize)> {
    let [Token::Word(function), Token::Sign('('), ..] = tokens else {
        return None;
    };
    let mut at = 2;
    let mut path = if let ("dirname", Some(Token::Word("__filename"))) = (*function, tokens.get(2))
    {
        return matches!(tokens.get(3), Some(Token::Sign(')')))
            .then(|| (ConstantPath::FromFile(".".to_owned()), 4));
    } else {
        let (path, n_read) = expression(&tokens[at..], known, depth + 1)?;
        at += n_read;
        path
    };
    match *function {
        "dirname" => path = path.join(".."),
        "join" | "resolve" => {
            while let [Token::Sign(','), Token::Text(part), ..] = tokens[at..] {
                if part.contains("${") {
                    break;
                }
                path = path.join(part);
                at += 2;
            }
            // `join('a', 'b',)`
            at += usize::from(matches!(
                tokens[at..],
                [Token::Sign(','), Token::Sign(')'), ..]
            ));
            if let [Token::Sign(','), last @ ..] = &tokens[at..] {
                let n_last = last_argument(last)?;
                return Some((path.within()?, at + 1 + n_last + 1));
            }
        }
        _ => return None,
    }
    matches!(tokens.get(at), Some(Token::Sign(')'))).then_some((path, at + 1))
}

/// Returns the number of tokens of an argument of a call that no other argument follows.
fn last_argument(tokens: &[Token<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')') if depth == 0 => return Some(at),
            Token::Sign(')' | ']' | '}') => depth = depth.checked_sub(1)?,
            Token::Sign(',') if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::lexer;
    use super::*;

    #[track_caller]
    fn check(code: &str, expected: Option<&str>) {
        let tokens: Vec<_> = lexer::javascript(code)
            .into_iter()
            .filter(|token| *token != Token::Newline)
            .collect();
        let known = bindings(&tokens);
        let at = tokens
            .iter()
            .position(|token| *token == Token::Word("require"));
        let found = argument(&tokens[at.unwrap() + 1..], &known).map(|path| match path {
            ConstantPath::FromFile(path) => path,
            ConstantPath::FromHost(path) => format!("host:{path}"),
            ConstantPath::Within(path) => format!("{path}/*"),
        });
        assert_eq!(found.as_deref(), expected, "{code}");
    }

    #[test]
    fn constant_paths() {
        check(
            "require(path.join(__dirname, '..', '..', 'm', 'x'))",
            Some("./../../m/x"),
        );
        check(
            "require(path.resolve(__dirname, '../../m/x'))",
            Some("./../../m/x"),
        );
        check(
            "require(join(__dirname, '../../m/x',))",
            Some("./../../m/x"),
        );
        check("require(__dirname + '/../m')", Some(".//../m"));
        check("require(`${__dirname}/../m`)", Some("./../m"));
        check(
            "require(path.join(path.dirname(__dirname), 'x'))",
            Some("./../x"),
        );
        check(
            "require(path.join(path.dirname(__filename), 'x'))",
            Some("./x"),
        );
        check(
            "const root = path.join(__dirname, '..', 'Other');\nrequire(path.join(root, 'm', 'x'))",
            Some("./../Other/m/x"),
        );
        check(
            "const { a } = require(path.join(process.env.PROJECT_BASE_PATH || x, 'm', 'x'))",
            None,
        );
        check(
            "require(path.join(process.env.PROJECT_BASE_PATH || path.join(__dirname, '..'), 'm'))",
            Some("host:/m"),
        );
        check(
            "require(path.join(this.projectBasePath, 'routes', 'x'))",
            Some("host:/routes/x"),
        );
        check(
            "new X(require(new URL('../../x.js', import.meta.url)))",
            Some("../../x.js"),
        );
        check("require(path.join(__dirname, name))", None);
        check("require(path.join(dir, 'x'))", None);
        check("require(name)", None);
        check("require(`${name}/x`)", None);
    }

    #[test]
    fn places_of_a_loop() {
        let check = |code: &str, expected: &[&str]| {
            let tokens: Vec<_> = lexer::javascript(code)
                .into_iter()
                .filter(|token| *token != Token::Newline)
                .collect();
            let found = places(&tokens, &bindings(&tokens));
            let found: Vec<String> = found
                .into_iter()
                .map(|path| match path {
                    ConstantPath::FromFile(path) => path,
                    other => format!("{other:?}"),
                })
                .collect();
            assert_eq!(found, expected, "{code}");
        };
        check(
            "const L = [\n path.join(__dirname, 'a.js'), // near\n f(x, [1]), path.join(__dirname, '..', 'b.js'),\n];\nfor (const p of L) { if (fs.existsSync(p)) m = require(p); }",
            &["./a.js", "./../b.js"],
        );
        check(
            "for (const p of [join(__dirname, 'a.js')]) require(p)",
            &["./a.js"],
        );
        check("for (const p of [join(__dirname, 'a.js')]) read(p)", &[]);
        check("for (const p of L) require(p)", &[]);
        check(
            "const L = [join(__dirname, 'a.js'); for (const p of L) require(p)",
            &["./a.js"],
        );
        check("for (const p of [", &[]);
    }

    #[test]
    fn files_of_unknown_names() {
        check(
            "require(path.join(__dirname, 'dist', 'routes', `${name}.js`))",
            Some("./dist/routes/*"),
        );
        check(
            "const file = path.join(__dirname, 'routes', name(a, [b]));\nrequire(file)",
            Some("./routes/*"),
        );
        check(
            "const dir = path.join(__dirname, 'routes');\nfor (const f of fs.readdirSync(dir)) require(path.join(dir, f))",
            Some("./routes/*"),
        );
        check("require(`${__dirname}/a/b-${name}.js`)", Some("./a/*"));
        check("require('./routes/' + name)", Some("./routes/*"));
        check("require(path.join(__dirname, '..', name))", Some("./../*"));
        check("require(path.join(__dirname, 'a', name, 'x'))", None);
        check("require('./' + name)", None);
        check("require('route' + name)", None);
    }
}
