//! Facts about Python code.

use super::{
    env_reader, external,
    facts::{CodeFacts, Import},
    lexer::{self, Token},
    names::is_python_stdlib,
    network::{is_client_command, is_python_client},
    places, setting_objects,
    uses::setting_read,
    writes::writes,
};

/// Adds the facts of one file to `acc` and returns the modules that it imports, with dots. `depth`
/// is the number of directories between the plugin and the file.
pub(super) fn read(code: &str, depth: isize, acc: &mut CodeFacts) -> Vec<Import> {
    let tokens = lexer::python(code);
    let in_lines = tokens.iter().copied();
    let joined: Vec<Token<'_>> = in_lines.filter(|token| *token != Token::Newline).collect();
    let starts_programs =
        code.contains("subprocess") || code.contains("os.system") || code.contains("shutil.which");
    places::read(&joined, depth, acc);
    setting_objects::read(code, &joined, acc);
    let constants = external::constants(&joined);
    let mut modules = Vec::new();
    let mut line_starts = true;
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
            Token::Word("import") if line_starts => modules.extend(imported(after)),
            Token::Word("from") if line_starts => modules.extend(dotted(after)),
            Token::Word("environ" | "getenv") => {
                if let Some(key) = variable(after) {
                    acc.variable(key);
                }
            }
            Token::Word("path")
                if matches!(tokens[..at], [.., Token::Word("sys"), Token::Sign('.')]) =>
            {
                acc.extends_path = true;
            }
            Token::Text(text) => {
                acc.network |= starts_programs && is_client_command(text);
                let program = external::program(&tokens, at).filter(|_| starts_programs);
                acc.programs.extend(program.map(str::to_owned));
                acc.literal(text);
            }
            _ => {}
        }
        line_starts = matches!(token, Token::Newline | Token::Sign(';' | ':'));
    }
    modules.into_iter().map(Import::Module).collect()
}

/// Reads `import a.b as c, d` as `a.b` and `d`.
fn imported(after: &[Token<'_>]) -> Vec<String> {
    let end = after
        .iter()
        .position(|token| matches!(token, Token::Newline | Token::Sign(';')));
    let line = &after[..end.unwrap_or(after.len())];
    line.split(|token| *token == Token::Sign(','))
        .filter_map(dotted)
        .collect()
}

/// Reads a dotted name, including leading dots of relative imports.
fn dotted(tokens: &[Token<'_>]) -> Option<String> {
    let mut name = String::new();
    let mut wants_word = true;
    for token in tokens {
        match token {
            Token::Sign('.') => {
                name.push('.');
                wants_word = true;
            }
            Token::Word(word) if wants_word && *word != "import" => {
                name.push_str(word);
                wants_word = false;
            }
            _ => break,
        }
    }
    (!name.is_empty()).then_some(name)
}

/// Reads `environ["KEY"]`, `environ.get("KEY"`, `getenv("KEY"`.
fn variable<'a>(after: &[Token<'a>]) -> Option<&'a str> {
    match after {
        [Token::Sign('[' | '('), Token::Text(key), ..]
        | [
            Token::Sign('.'),
            Token::Word("get"),
            Token::Sign('('),
            Token::Text(key),
            ..,
        ] => Some(key),
        _ => None,
    }
}

/// Returns whether Python does not include a module.
pub(super) fn is_foreign(module: &str) -> bool {
    !is_python_stdlib(module.split('.').next().unwrap_or(module))
}

/// Adds the module of an absolute import that Python does not include, and whether it uses the
/// network.
pub(super) fn package(module: &str, acc: &mut CodeFacts) {
    acc.network |= is_python_client(module);
    let top = module.split('.').next().unwrap_or(module);
    if !top.is_empty() && !is_python_stdlib(top) {
        acc.packages.insert(top.to_owned());
    }
}
