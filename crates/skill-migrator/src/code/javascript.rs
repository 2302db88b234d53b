//! Facts about JavaScript code.

use super::{
    constant::{self, ConstantPath},
    env_reader, external,
    facts::{CodeFacts, Import},
    host_path::PLUGINS,
    lexer::{self, Token},
    names::is_node_builtin,
    network::{is_client_command, is_node_client},
    places, setting_objects,
    uses::setting_read,
    writes::writes,
};

/// Functions that a host calls on a module (`docs/design/legacy-host.md` §1.6).
const HOST_FUNCTIONS: [&str; 7] = [
    "initialize",
    "processToolCall",
    "processMessages",
    "registerApiRoutes",
    "registerRoutes",
    "getStaticPlaceholderValues",
    "shutdown",
];

/// Adds the facts of one file to `acc` and returns the modules that it imports. `depth` is the
/// number of directories between the plugin and the file.
pub(super) fn read(code: &str, depth: isize, acc: &mut CodeFacts) -> Vec<Import> {
    let tokens: Vec<Token<'_>> = lexer::javascript(code)
        .into_iter()
        .filter(|token| *token != Token::Newline)
        .collect();
    let starts_programs = code.contains("child_process");
    places::read(&tokens, depth, acc);
    setting_objects::read(code, &tokens, acc);
    let paths = constant::bindings(&tokens);
    let constants = external::constants(&tokens);
    for path in paths.values() {
        files_of_others(path, depth, acc);
    }
    let mut modules: Vec<String> = Vec::new();
    let mut built = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let after = &tokens[at + 1..];
        if let Some(key) = setting_read(&tokens, at) {
            acc.settings.insert(key.to_owned());
        }
        if let Some(key) = env_reader::read(token, after) {
            acc.variable(key);
        }
        acc.writes |= writes(&tokens, at);
        let named = external::named(&tokens, at, &constants).filter(|_| starts_programs);
        acc.programs.extend(named.map(str::to_owned));
        match token {
            Token::Word("require" | "import") => {
                modules.extend(called_with(after));
                built.extend(constant::argument(after, &paths));
            }
            Token::Word("from") => modules.extend(text(after.first())),
            Token::Word("resolve") => {
                modules.extend(called_with(after).filter(|module| module.starts_with('.')));
            }
            Token::Word("env") if precedes(&tokens[..at], "process") => {
                environment(after, &tokens[..at - 2], acc);
            }
            Token::Word("fetch") if after.first() == Some(&Token::Sign('(')) => acc.network = true,
            Token::Word(HOST_KEY) if is_of_settings(&tokens[..at]) => acc.variable(HOST_KEY),
            Token::Word(word) => host_word(word, &tokens[..at], after, acc),
            Token::Text(text) => {
                acc.network |= starts_programs && is_client_command(text);
                let program = external::program(&tokens, at).filter(|_| starts_programs);
                acc.programs.extend(program.map(str::to_owned));
                acc.literal(text);
            }
            Token::Sign(_) | Token::Newline => {}
        }
    }
    let places = constant::places(&tokens, &paths).into_iter();
    let places = places.map(|path| Import::Optional(Box::new(import_of(path))));
    let built = built.into_iter().map(import_of).chain(places);
    modules.into_iter().map(module_of).chain(built).collect()
}

fn import_of(path: ConstantPath) -> Import {
    match path {
        ConstantPath::FromFile(path) => Import::Module(path),
        ConstantPath::FromHost(path) => Import::FromHost(path),
        ConstantPath::Within(path) => Import::Within(path),
    }
}

/// Returns the module of a text: a template such as `./routes/${name}.js` names any file of a directory.
fn module_of(text: String) -> Import {
    match constant::unknown_name(&text) {
        Some(ConstantPath::Within(dir)) if text.starts_with('.') => Import::Within(dir),
        _ => Import::Module(text),
    }
}

/// Adds the file of another plugin that a path leads to.
fn files_of_others(path: &ConstantPath, depth: isize, acc: &mut CodeFacts) {
    let (path, depth) = match path {
        ConstantPath::FromFile(path) => (path, depth),
        // The path begins in the directory of the host, two directories above the plugin.
        ConstantPath::FromHost(path) => (path, -2),
        ConstantPath::Within(_) => return,
    };
    let mut names: Vec<&str> = Vec::new();
    let mut n_up = 0;
    for part in path.split('/').filter(|part| !["", "."].contains(part)) {
        match part {
            ".." if names.pop().is_none() => n_up += 1,
            ".." => {}
            part => names.push(part),
        }
    }
    match (n_up - depth, &names[..]) {
        (1, names) => places::neighbour(names, acc),
        (2, [PLUGINS, names @ ..]) => places::neighbour(names, acc),
        _ => {}
    }
}

/// Returns the string in `("…"` or, for `import "…"`, the string itself.
pub(super) fn called_with(after: &[Token<'_>]) -> Option<String> {
    match after {
        [
            Token::Sign('('),
            Token::Text(module),
            Token::Sign(')' | ','),
            ..,
        ] => Some((*module).to_owned()),
        [Token::Text(module), ..] => Some((*module).to_owned()),
        _ => None,
    }
}

pub(super) fn text(token: Option<&Token<'_>>) -> Option<String> {
    match token {
        Some(Token::Text(text)) => Some((*text).to_owned()),
        _ => None,
    }
}

/// The key of the old host's own API, which modules get with their settings
/// (`docs/design/legacy-host.md` §1.1.6).
const HOST_KEY: &str = "Key";

/// Returns whether the tokens end with the name of settings and a dot (`config.`).
fn is_of_settings(before: &[Token<'_>]) -> bool {
    let [.., Token::Word(object), Token::Sign('.')] = before else {
        return false;
    };
    object.to_ascii_lowercase().ends_with("config")
}

/// Returns whether the tokens end with `word .`.
fn precedes(before: &[Token<'_>], word: &str) -> bool {
    matches!(before, [.., Token::Word(found), Token::Sign('.')] if *found == word)
}

/// Reads `process.env.KEY`, `process.env["KEY"]`, `const { KEY } = process.env`.
fn environment(after: &[Token<'_>], before: &[Token<'_>], acc: &mut CodeFacts) {
    match after {
        [Token::Sign('.'), Token::Word(key), ..]
        | [Token::Sign('['), Token::Text(key), Token::Sign(']'), ..] => acc.variable(key),
        _ => destructured(before, acc),
    }
}

fn destructured(before: &[Token<'_>], acc: &mut CodeFacts) {
    let [rest @ .., Token::Sign('}'), Token::Sign('=')] = before else {
        return;
    };
    let Some(open) = rest.iter().rposition(|token| *token == Token::Sign('{')) else {
        return;
    };
    let mut starts = true;
    for token in &rest[open + 1..] {
        match token {
            Token::Word(key) if starts => {
                acc.variable(key);
                starts = false;
            }
            Token::Sign(',') => starts = true,
            _ => {}
        }
    }
}

/// Parts that a host passes to `initialize` (`docs/design/legacy-host.md` §1.1.6), with the names in this project.
const HOST_PARTS: [(&str, &str); 6] = [
    ("contextBridge", "context-bridge"),
    ("knowledgeBaseManager", "knowledge-base"),
    ("vectorDBManager", "knowledge-base"),
    ("pluginManager", "plugin-manager"),
    ("vcpLogFunctions", "vcp-log"),
    ("aiMemoBridge", "ai-memo-bridge"),
];

fn host_word(word: &str, before: &[Token<'_>], after: &[Token<'_>], acc: &mut CodeFacts) {
    if let Some((_, part)) = HOST_PARTS.iter().find(|(known, _)| *known == word) {
        acc.host_parts.insert(part);
    }
    host_function(word, before, after, acc);
}

/// Recognizes the definition of a host function; a call on another object does not count.
fn host_function(word: &str, before: &[Token<'_>], after: &[Token<'_>], acc: &mut CodeFacts) {
    let Some(name) = HOST_FUNCTIONS.iter().find(|name| **name == word) else {
        return;
    };
    let is_member = before.last() == Some(&Token::Sign('.'));
    let is_assigned = after.first() == Some(&Token::Sign('='));
    let is_called =
        after.first() == Some(&Token::Sign('(')) && before.last() == Some(&Token::Word("await"));
    if (!is_member || is_assigned) && !is_called {
        acc.exports.insert((*name).to_owned());
    }
}

/// Adds the package of a module that is neither relative nor part of Node.js, and whether it uses
/// the network.
pub(super) fn package(module: &str, acc: &mut CodeFacts) {
    acc.network |= is_node_client(module);
    if is_node_builtin(module) || module.contains(':') || module.contains("${") || module.is_empty()
    {
        return;
    }
    let n_parts = if module.starts_with('@') { 2 } else { 1 };
    let name: Vec<&str> = module.split('/').take(n_parts).collect();
    // It starts a browser, which the user may have elsewhere than it looks.
    if name
        .first()
        .is_some_and(|name| name.starts_with("puppeteer"))
    {
        acc.variable("PUPPETEER_EXECUTABLE_PATH");
    }
    acc.packages.insert(name.join("/"));
}
