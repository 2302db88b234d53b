//! Environment variables that code reads through a function of its own: `readBooleanEnv('USE_CACHE')`.

use super::lexer::Token;

/// Shortest name of a variable that a call is believed to name.
const MIN_NAME: usize = 3;

/// Returns the variable that a call reads: a word of the function's name is `env`, and its first argument
/// is a text in the form of a variable's name. `token` is the name of the function.
pub(super) fn read<'a>(token: &Token<'a>, after: &[Token<'a>]) -> Option<&'a str> {
    let Token::Word(function) = token else {
        return None;
    };
    match after {
        [
            Token::Sign('('),
            Token::Text(name),
            Token::Sign(')' | ','),
            ..,
        ] if is_reader(function) && is_variable(name) => Some(name),
        _ => None,
    }
}

/// Returns true for `getEnv`, `env_int`, `ENV`, `readEnvVar`, and not for `event`.
fn is_reader(function: &str) -> bool {
    let mut is_found = false;
    for (at, _) in function.to_ascii_lowercase().match_indices("env") {
        let (before, after) = (&function[..at], &function[at + 3..]);
        let is_start = before.is_empty()
            || before.ends_with(['_', '$'])
            || function[at..].starts_with('E') && before.ends_with(|c: char| c.is_lowercase());
        let is_end = after.is_empty() || after.starts_with(|c: char| c == '_' || c.is_uppercase());
        is_found |= is_start && is_end;
    }
    is_found
}

fn is_variable(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.len() >= MIN_NAME
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(is_part)
}

#[cfg(test)]
mod tests {
    use super::super::lexer;
    use super::*;

    #[test]
    fn a_function_reads_variables() {
        for (code, expected) in [
            ("readBooleanEnv('USE_CACHE', false)", Some("USE_CACHE")),
            ("env_int(\"PAGE_SIZE\")", Some("PAGE_SIZE")),
            ("env('HOME_DIR')", Some("HOME_DIR")),
            ("this.getEnv('A1B')", Some("A1B")),
            ("getEnv('name')", None),
            ("getEnv(`A_${b}`)", None),
            ("emitEvent('STARTED')", None),
            ("environ('X_Y')", None),
            ("environment('PRODUCTION')", None),
            ("prevent('DEFAULT')", None),
        ] {
            let tokens = lexer::javascript(code);
            let found = (0..tokens.len()).find_map(|at| read(&tokens[at], &tokens[at + 1..]));
            assert_eq!(found, expected, "{code}");
        }
    }
}
