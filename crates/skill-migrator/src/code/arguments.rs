//! The arguments of a call that the code reads: `args.x`, `request.get("x")`, `const { x } = args`.
//!
//! The objects of a call are followed from where the old host gives them: the JSON of standard input,
//! and the parameter of `processToolCall`; then through names and functions. A name that may be
//! anything else is not followed, so that what is found is certain and may be incomplete.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::Language;
use super::functions::{
    Function, Keys, Parameter, closing, functions, innermost, items, keys, owner,
};
use super::lexer::Token;
use super::source::Source;
use super::stdin;
use super::word_index::WordIndex;

/// Maximum number of rounds in which objects are followed from function to function.
const MAX_ROUNDS: usize = 8;

/// Returns the files with the objects in them that are the arguments of a call.
pub(super) fn readers<'t, 'a>(sources: &'t [Source<'a>]) -> Vec<Reader<'t, 'a>> {
    let mut readers: Vec<Reader<'t, 'a>> = sources.iter().map(Reader::new).collect();
    for _ in 0..MAX_ROUNDS {
        let before: usize = readers.iter().map(|reader| reader.objects.n).sum();
        for reader in &mut readers {
            reader.follow();
        }
        for from in 0..readers.len() {
            let is_by_name = readers[from].loads_by_name();
            for (name, at) in readers[from].passed() {
                let owners = match &owners(&readers, from, &name)[..] {
                    [owner] => vec![*owner],
                    // One of several files of the same form.
                    all if !all.is_empty() && is_by_name => all.to_vec(),
                    // A method of another object, or this file's own.
                    _ if readers[from].defines(&name) => vec![from],
                    _ => continue,
                };
                let is_one_of = owners.len() > 1;
                for owner in owners {
                    readers[owner].receive(&name, at);
                    readers[owner].is_chosen |= is_one_of;
                }
            }
        }
        if readers.iter().map(|reader| reader.objects.n).sum::<usize>() == before {
            break;
        }
    }
    for reader in &mut readers {
        reader.bind();
    }
    readers
}

/// Returns the other files that define a function.
pub(super) fn owners(readers: &[Reader<'_, '_>], from: usize, name: &str) -> Vec<usize> {
    let others = (0..readers.len()).filter(|it| *it != from);
    others.filter(|it| readers[*it].defines(name)).collect()
}

/// Returns true for the name of a method of another object at a position: `this.kettle.boil`, not
/// `this.boil`.
pub(super) fn is_of_other_object(tokens: &[Token<'_>], at: usize) -> bool {
    matches!(
        tokens[..at],
        [.., Token::Word(object), Token::Sign('.')]
            if !matches!(object, "this" | "self" | "cls" | "super")
    )
}

/// Returns true for a name that an argument may have.
pub(super) fn is_argument(name: &str) -> bool {
    const OF_OBJECTS: [&str; 16] = [
        "length",
        "toString",
        "hasOwnProperty",
        "constructor",
        "prototype",
        "then",
        "keys",
        "items",
        "values",
        "map",
        "forEach",
        "filter",
        "trim",
        "split",
        "slice",
        "includes",
    ];
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_word
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && (2..=40).contains(&name.len())
        && !OF_OBJECTS.contains(&name)
}

/// The names of objects, with the functions that declare them.
#[derive(Default)]
struct Objects<'a> {
    owners: BTreeMap<&'a str, BTreeSet<usize>>,
    /// The number of both together.
    n: usize,
}

impl<'a> Objects<'a> {
    fn insert(&mut self, owner: usize, name: &'a str) {
        self.n += usize::from(self.owners.entry(name).or_default().insert(owner));
    }
}

/// A file and the objects in it that are the arguments of a call.
pub(super) struct Reader<'t, 'a> {
    /// The name of the file without its ending.
    stem: &'t str,
    pub(super) tokens: &'t [Token<'a>],
    pub(super) language: Language,
    pub(super) columns: &'t [Option<usize>],
    pub(super) functions: Vec<Function<'a>>,
    /// The numbers of the functions of each name.
    pub(super) named: BTreeMap<&'a str, Vec<usize>>,
    /// The places of its words.
    pub(super) index: WordIndex<'a>,
    /// The names of the arguments, with the functions that declare them.
    objects: Objects<'a>,
    /// True for one of several files of which the program loads the one that a name in the call selects.
    pub(super) is_chosen: bool,
    /// Keys that patterns take.
    keys: BTreeSet<&'a str>,
    /// Keys of patterns with the tokens of their replacements, and their functions.
    pub(super) defaults: Vec<(usize, &'a str, Vec<Token<'a>>)>,
    /// Names that hold the value of arguments, with the functions that declare them.
    pub(super) bound: BTreeMap<(usize, &'a str), Vec<&'a str>>,
}

impl<'t, 'a> Reader<'t, 'a> {
    fn new(source: &'t Source<'a>) -> Self {
        let (tokens, language) = (&source.tokens[..], source.language);
        let functions = functions(source);
        let mut named: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (number, function) in functions.iter().enumerate() {
            named.entry(function.name).or_default().push(number);
        }
        named.remove("");
        let mut res = Self {
            stem: &source.stem,
            tokens,
            language,
            columns: &source.columns,
            functions,
            named,
            index: WordIndex::new(tokens),
            objects: Objects::default(),
            is_chosen: false,
            keys: BTreeSet::new(),
            defaults: Vec::new(),
            bound: BTreeMap::new(),
        };
        for (at, name) in stdin::parsed(tokens, language, &res.functions) {
            let owner = owner(&res.functions, name, at);
            res.objects.insert(owner, name);
        }
        res.receive("processToolCall", 0);
        for (start, end) in stdin::patterns(tokens, language, &res.functions) {
            res.take(innermost(&res.functions, start), keys(&tokens[start..end]));
        }
        res
    }

    /// Returns the name of the file without its ending.
    pub(super) fn stem(&self) -> &'t str {
        self.stem
    }

    /// Returns the names that hold the arguments, with the functions that declare them.
    pub(super) fn objects(&self) -> BTreeSet<(usize, &'a str)> {
        let all = self.objects.owners.iter();
        all.flat_map(|(name, owners)| owners.iter().map(|owner| (*owner, *name)))
            .collect()
    }

    pub(super) fn defines(&self, name: &str) -> bool {
        self.named.contains_key(name)
    }

    /// Returns the numbers of the functions with a name, in order.
    pub(super) fn named(&self, name: &str) -> &[usize] {
        self.named.get(name).map_or(&[], Vec::as_slice)
    }

    /// Marks a parameter of the functions with a name as the arguments.
    fn receive(&mut self, name: &str, at: usize) {
        for number in self.named(name).to_vec() {
            match self.functions[number].parameters.get(at).cloned() {
                Some(Parameter::Name(name)) if !name.is_empty() => {
                    self.objects.insert(number, name);
                }
                Some(Parameter::Keys(keys)) => self.take(number, keys),
                _ => {}
            }
        }
    }

    fn take(&mut self, function: usize, keys: Keys<'a>) {
        self.keys.extend(keys.names);
        let defaults = keys.defaults.into_iter();
        self.defaults
            .extend(defaults.map(|(key, value)| (function, key, value)));
        for (key, local) in keys.locals {
            self.bound.insert((function, local), vec![key]);
        }
        if let Some(rest) = keys.rest {
            self.functions[function].locals.insert(rest);
            self.objects.insert(function, rest);
        }
    }

    /// Returns true if the word at a position is the arguments.
    pub(super) fn is_object(&self, at: usize) -> bool {
        let Some(Token::Word(name)) = self.tokens.get(at) else {
            return false;
        };
        let is_member = at > 0
            && self.tokens[at - 1] == Token::Sign('.')
            && !(at > 2 && self.tokens[at - 2] == Token::Sign('.'));
        !is_member && self.holds_arguments(name, at)
    }

    /// Returns true if a name at a position is that of the arguments.
    pub(super) fn holds_arguments(&self, name: &str, at: usize) -> bool {
        // Few words have such a name at all.
        let owners = self.objects.owners.get(name);
        owners.is_some_and(|all| all.contains(&owner(&self.functions, name, at)))
    }

    /// Follows `x = args`, `x = { ...args }` and `{ a, ...rest } = args`.
    fn follow(&mut self) {
        for at in 0..self.tokens.len() {
            if !self.is_object(at) {
                continue;
            }
            if let Some(name) = self.options(at) {
                let owner = owner(&self.functions, name, at);
                self.objects.insert(owner, name);
            }
            if !self.ends_statement(at + 1) {
                continue;
            }
            match self.tokens[..at] {
                [.., Token::Word(name), Token::Sign('=')] => {
                    let owner = owner(&self.functions, name, at);
                    self.objects.insert(owner, name);
                }
                // `input = args.params || args.arguments || args`
                [.., Token::Sign('|'), Token::Sign('|')]
                | [.., Token::Sign('?'), Token::Sign('?')] => {
                    if let Some(name) = self.whole_or_member(at) {
                        let owner = owner(&self.functions, name, at);
                        self.objects.insert(owner, name);
                    }
                }
                [.., Token::Sign('}'), Token::Sign('=')] => {
                    if let Some(open) = self.opening(at - 2) {
                        let function = innermost(&self.functions, at);
                        self.take(function, keys(&self.tokens[open + 1..at - 2]));
                    }
                }
                // `input = { ...args }`, `input = { ...(args || {}) }`
                [
                    ..,
                    Token::Word(name),
                    Token::Sign('='),
                    Token::Sign('{'),
                    Token::Sign('.'),
                    Token::Sign('.'),
                    Token::Sign('.'),
                ]
                | [
                    ..,
                    Token::Word(name),
                    Token::Sign('='),
                    Token::Sign('{'),
                    Token::Sign('.'),
                    Token::Sign('.'),
                    Token::Sign('.'),
                    Token::Sign('('),
                ] => {
                    let owner = owner(&self.functions, name, at);
                    self.objects.insert(owner, name);
                }
                _ => {}
            }
        }
    }

    /// Returns the name that gets a member of the object at a position, or without one the object itself.
    fn whole_or_member(&self, at: usize) -> Option<&'a str> {
        let mut start = at;
        loop {
            match self.tokens[..start] {
                [
                    ..,
                    Token::Word(before),
                    Token::Sign('.'),
                    Token::Word(_),
                    Token::Sign('|' | '?'),
                    Token::Sign('|' | '?'),
                ] if self.tokens[at] == Token::Word(before) => start -= 5,
                [.., Token::Word(name), Token::Sign('=')] if start < at => return Some(name),
                _ => return None,
            }
        }
    }

    fn ends_statement(&self, at: usize) -> bool {
        match self.tokens.get(at) {
            None | Some(Token::Sign(';' | '}' | ',')) => true,
            Some(Token::Sign('|' | '?')) => true,
            // The next statement of a language without signs between them.
            Some(Token::Word(_)) => true,
            _ => false,
        }
    }

    /// Returns the position of the brace that opens the one at `at`.
    fn opening(&self, at: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for position in (0..=at).rev() {
            match self.tokens[position] {
                Token::Sign('}' | ')' | ']') => depth += 1,
                Token::Sign('{' | '(' | '[') => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(position);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Follows calls that pass the arguments on; returns those of functions of other files, with the
    /// position of the parameter.
    fn passed(&mut self) -> Vec<(String, usize)> {
        let mut res = Vec::new();
        for open in 1..self.tokens.len() {
            let name = match (self.tokens[open - 1], self.tokens[open]) {
                (Token::Word(name), Token::Sign('(')) => name,
                // `BREWERS[kind](args)`
                (Token::Sign(']'), Token::Sign('(')) => "",
                _ => continue,
            };
            let Some(end) = closing(self.tokens, open) else {
                continue;
            };
            let mut start = open + 1;
            let mut numbers = Vec::new();
            for (number, item) in items(&self.tokens[start..end]).iter().enumerate() {
                if item.is_empty() {
                    start += 1;
                    continue;
                }
                // `brew(args)`, `brew(args || {})`
                let is_alone = matches!(
                    item[1..],
                    [] | [
                        Token::Sign('|' | '?'),
                        Token::Sign('|' | '?'),
                        Token::Sign('{'),
                        Token::Sign('}')
                    ]
                );
                let is_whole = is_alone && self.is_object(start);
                let is_options = matches!(
                    item,
                    [Token::Word(maker), Token::Sign('('), _, Token::Sign(')')]
                        if self.is_object(start + 2) && self.is_maker(maker)
                );
                let is_copy = item.len() == 6 && item[..2] == [Token::Sign('{'), Token::Sign('.')];
                if is_whole || is_options || is_copy && self.is_object(start + 4) {
                    numbers.push(number);
                }
                start += item.len() + 1;
            }
            for number in numbers {
                let of_table = if self.defines(name) {
                    Vec::new()
                } else {
                    self.of_table(open)
                };
                for function in &of_table {
                    self.receive(function, number);
                }
                if !of_table.is_empty() {
                    continue;
                }
                let is_other = is_of_other_object(self.tokens, open - 1);
                if self.defines(name) && !is_other {
                    self.receive(name, number);
                } else if !name.is_empty() {
                    res.push((name.to_owned(), number));
                }
            }
        }
        res
    }

    /// Returns the names of the arguments that the file reads.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let names = self.reads().into_iter().filter(|name| is_argument(name));
        names.map(str::to_owned).collect()
    }

    pub(super) fn reads(&self) -> BTreeSet<&'a str> {
        let mut res = self.keys.clone();
        for at in 0..self.tokens.len() {
            if self.is_object(at) {
                res.extend(self.read_after(at + 1));
                res.extend(self.read_before(at));
            }
            res.extend(self.in_template(at));
        }
        res
    }

    /// Reads `.key`, `?.key`, `["key"]` and `.get("key"` after an object.
    pub(super) fn read_after(&self, at: usize) -> Option<&'a str> {
        let at = match self.tokens.get(at..at + 2) {
            Some([Token::Sign('?'), Token::Sign('.')]) => at + 1,
            _ => at,
        };
        match self.tokens.get(at..)? {
            [
                Token::Sign('['),
                Token::Text(key),
                Token::Sign(']'),
                after @ ..,
            ] => (!is_set(after)).then_some(key),
            [
                Token::Sign('.'),
                Token::Word("get" | "pop"),
                Token::Sign('('),
                Token::Text(key),
                ..,
            ] if self.language == Language::Python => Some(key),
            [Token::Sign('.'), Token::Word(_), Token::Sign('('), ..] => None,
            [Token::Sign('.'), Token::Word(key), after @ ..]
                if self.language == Language::JavaScript =>
            {
                (!is_set(after)).then_some(key)
            }
            _ => None,
        }
    }

    /// Reads `"key" in args`, and helpers: `getText(args, "key")`.
    pub(super) fn read_before(&self, at: usize) -> Vec<&'a str> {
        if let [.., Token::Text(key), Token::Word("in")] = self.tokens[..at] {
            return vec![key];
        }
        let [.., Token::Word(helper), Token::Sign('(')] = self.tokens[..at] else {
            return Vec::new();
        };
        let rest = &self.tokens[at + 1..];
        let texts = match rest {
            [Token::Sign(','), Token::Sign('['), ..] => &rest[2..],
            [Token::Sign(','), ..] => &rest[1..2.min(rest.len())],
            _ => return Vec::new(),
        };
        let mut res = Vec::new();
        for token in texts {
            match token {
                Token::Text(key) => res.push(*key),
                Token::Sign(',') => {}
                _ => break,
            }
        }
        if takes_key(helper) { res } else { Vec::new() }
    }
}

/// Returns true if a value is set here: `args.key = 1`.
fn is_set(after: &[Token<'_>]) -> bool {
    matches!(after, [Token::Sign('='), next, ..] if !matches!(next, Token::Sign('=' | '>')))
}

/// Returns true for the name of a function that returns one argument.
fn takes_key(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    [
        "get", "pick", "first", "read", "arg", "param", "opt", "require", "str", "num", "bool",
        "int",
    ]
    .iter()
    .any(|word| name.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::super::source::sources;
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: &[&str]) {
        let files = BTreeSet::from([path.to_owned()]);
        let texts = BTreeMap::from([(path.to_owned(), code.to_owned())]);
        let sources = sources(&files, &texts);
        let found: BTreeSet<String> = readers(&sources).iter().flat_map(Reader::names).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{code}");
    }

    #[test]
    fn the_parameter_of_a_tool() {
        check(
            "a.js",
            "async function processToolCall(args) { const { pot, cups: n = 1, ...rest } = args; return boil(rest, n); }
             function boil(options) { if (options.maid) log(options['heat']); options.done = 1; }",
            &["cups", "heat", "maid", "pot"],
        );
        check(
            "a.js",
            "const tea = { processToolCall: async ({ pot, heat = 3 }) => pot + heat };",
            &["heat", "pot"],
        );
        check(
            "a.js",
            "class Tea { async processToolCall(args = {}) { return this.run({ ...args }); } run(given) { return given?.maid; } }",
            &["maid"],
        );
    }

    #[test]
    fn the_json_of_standard_input() {
        check(
            "a.js",
            "let text = ''; process.stdin.on('data', (chunk) => { text += chunk; });
             process.stdin.on('end', () => { const request = JSON.parse(text); main(request); });
             function main(data) { return getText(data, 'leaf') + data.maid.length; }",
            &["leaf", "maid"],
        );
        check(
            "a.js",
            "function read() { return new Promise((resolve, reject) => { let text = ''; process.stdin.on('data', (part) => { text += part; });
             process.stdin.on('end', () => { if (!text) { resolve({}); return; } resolve(JSON.parse(text)); }); }); }
             async function main() { const request = await read(); return request.leaf; }",
            &["leaf"],
        );
        check(
            "a.js",
            "const { leaf, cups } = JSON.parse(fs.readFileSync(0, 'utf8'));",
            &["cups", "leaf"],
        );
        check(
            "a.py",
            "import sys, json\ndef main():\n    raw = sys.stdin.read()\n    args = json.loads(raw)\n    brew(args)\ndef brew(params):\n    if 'maid' in params: pass\n    return params.get('leaf', '') + params['cups']\n",
            &["cups", "leaf", "maid"],
        );
    }

    #[test]
    fn templates_and_methods_of_other_files() {
        check(
            "a.js",
            "async function processToolCall(args) { return ask(`${args.leaf || ''} in ${ args?.pot }, ${other.cup} ${args.trim()}`); }",
            &["leaf", "pot"],
        );
        let texts = BTreeMap::from([
            ("a.js".to_owned(), "class Tea { async processToolCall(args) { return this.brew(args); } brew(args) { return this.kettle.brew(args); } }".to_owned()),
            ("b.js".to_owned(), "class Kettle { brew(given) { return given.water; } }".to_owned()),
        ]);
        let sources = sources(&texts.keys().cloned().collect(), &texts);
        let found: BTreeSet<String> = readers(&sources).iter().flat_map(Reader::names).collect();
        assert_eq!(found.iter().collect::<Vec<_>>(), ["water"]);
    }

    #[test]
    fn other_objects_are_not_followed() {
        check(
            "a.js",
            "async function processToolCall(args) { const data = await ask(args.pot); return data.price + args.list.map(x => x.id); }
             function other(args) { return args.secret; }",
            &["list", "pot"],
        );
        check(
            "a.js",
            "process.stdin.on('data', d => { all += d; }); function load(file) { const data = JSON.parse(read(file)); return data.code; }",
            &[],
        );
        check(
            "a.js",
            "function processToolCall(args) { return [1].map((args) => args.inner); }",
            &[],
        );
    }
}
