//! The lowest version of the interpreter that takes the code, by its syntax and its modules.

mod python;

use super::analysis::Analysis;
use super::facts::Language;
use super::lexer::Token;
use python::Version;

/// Versions of an interpreter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Lowest {
    /// The first version of Python that takes the code.
    pub(crate) python: Option<Version>,
    /// The first version of Python that lacks a module of the code.
    pub(crate) below: Option<Version>,
    /// The first version of Node.js that takes the code, if 20.0 does not.
    pub(crate) node: Option<Version>,
}

impl Lowest {
    /// Returns the versions of Python as a range: `>=3.10, <3.13`.
    pub(crate) fn python_range(&self) -> Option<String> {
        let at_least = self
            .python
            .map(|(major, minor)| format!(">={major}.{minor}"));
        let below = self.below.map(|(major, minor)| format!("<{major}.{minor}"));
        let both: Vec<String> = at_least.into_iter().chain(below).collect();
        (!both.is_empty()).then(|| both.join(", "))
    }

    /// Returns the versions of Node.js as a range, if 20.0 is not enough.
    pub(crate) fn node_range(&self) -> Option<String> {
        self.node.map(|(major, minor)| format!(">={major}.{minor}"))
    }
}

/// Returns the lowest versions for the reached code.
pub(crate) fn lowest(code: &Analysis<'_, '_>) -> Lowest {
    let mut res = Lowest::default();
    for reader in &code.readers {
        match reader.language {
            Language::Python => {
                let (needed, below) = python::versions(reader.tokens, reader.columns);
                res.python = res.python.max(needed);
                res.below = match (res.below, below) {
                    (Some(one), Some(other)) => Some(one.min(other)),
                    (one, other) => one.or(other),
                };
            }
            Language::JavaScript => res.node = res.node.max(node(reader.tokens)),
        }
    }
    res
}

/// Returns the first version of Node.js after 20.0 that has what the code uses.
fn node(tokens: &[Token<'_>]) -> Option<Version> {
    use Token::{Sign, Text, Word};
    let of = |at: usize| match tokens[at..] {
        [
            Word("Promise"),
            Sign('.'),
            Word("withResolvers"),
            Sign('('),
            ..,
        ] => Some((22, 0)),
        [Word("Promise"), Sign('.'), Word("try"), Sign('('), ..] => Some((24, 0)),
        [Word("Array"), Sign('.'), Word("fromAsync"), Sign('('), ..] => Some((22, 0)),
        [
            Word("Object" | "Map"),
            Sign('.'),
            Word("groupBy"),
            Sign('('),
            ..,
        ] => Some((21, 0)),
        [Word("Iterator"), Sign('.'), Word("from"), Sign('('), ..] => Some((22, 0)),
        [
            Word("import"),
            Sign('.'),
            Word("meta"),
            Sign('.'),
            Word("dirname" | "filename"),
            ..,
        ] => Some((20, 11)),
        [
            Word("process"),
            Sign('.'),
            Word("loadEnvFile"),
            Sign('('),
            ..,
        ] => Some((20, 12)),
        // `import data from './a.json' with { type: 'json' }`
        [
            Text(_),
            Word("with"),
            Sign('{'),
            Word("type"),
            Sign(':'),
            Text(_),
            Sign('}'),
            ..,
        ] => Some((20, 10)),
        [Word("from"), Text("node:sqlite"), ..]
        | [Word("require"), Sign('('), Text("node:sqlite"), ..] => Some((22, 5)),
        _ => None,
    };
    (0..tokens.len()).filter_map(of).max()
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    fn of(path: &str, code: &str) -> Lowest {
        of_file(path, code, |analysis: &Analysis<'_, '_>| lowest(analysis))
    }

    #[test]
    fn versions_of_python() {
        let check = |code: &str, expected: Option<&str>| {
            assert_eq!(
                of("a.py", code).python_range().as_deref(),
                expected,
                "{code}"
            );
        };
        check("x = f\"{a['b']}\\n\"\n", None);
        check("x = f\"{a + '\\n'}\"\n", Some(">=3.12"));
        check("x = f\"\"\"{a}\\n{b['c']}\"\"\"\n", None);
        check("x = rf\"{a}\\d\"\n", None);
        check("x = f\"{{\\n}}\"\n", None);
        check("x = f\"{a[\"b\"]}\"\n", Some(">=3.12"));
        check("match x:\n    case 1:\n        pass\n", Some(">=3.10"));
        check("match = 1\nmatch.case(1)\n", None);
        check(
            "def f(a: int | None = None):\n    return a | 1\n",
            Some(">=3.10"),
        );
        check("def f() -> int | None:\n    return None\n", Some(">=3.10"));
        check(
            "from __future__ import annotations\ndef f(a: int | None):\n    pass\n",
            None,
        );
        check("def f(a=re.I | re.M):\n    x: int | None = 1\n", None);
        check("class A:\n    tea: str | None = None\n", Some(">=3.10"));
        check("def f(a: list[str]):\n    pass\n", Some(">=3.9"));
        check(
            "try:\n    pass\nexcept* ValueError:\n    pass\n",
            Some(">=3.11"),
        );
        check(
            "with (open(a) as b, open(c) as d):\n    pass\n",
            Some(">=3.10"),
        );
        check("def f[T](a: T):\n    pass\n", Some(">=3.12"));
        check("type Tea = int\n", Some(">=3.12"));
        check("import tomllib\n", Some(">=3.11"));
        check(
            "try:\n    import tomllib\nexcept ImportError:\n    import tomli\n",
            None,
        );
        check(
            "import distutils.util\nfrom zoneinfo import ZoneInfo\n",
            Some(">=3.9, <3.12"),
        );
        check("from datetime import UTC, datetime\n", Some(">=3.11"));
        check("x = text.removeprefix('a')\n", Some(">=3.9"));
        check(
            "for a, b in zip(x, y, strict=True):\n    pass\n",
            Some(">=3.10"),
        );
    }

    #[test]
    fn versions_of_node() {
        let check = |code: &str, expected: Option<&str>| {
            assert_eq!(
                of("a.mjs", code).node_range().as_deref(),
                expected,
                "{code}"
            );
        };
        check(
            "const { promise } = Promise.withResolvers();",
            Some(">=22.0"),
        );
        check(
            "import tea from './tea.json' with { type: 'json' };",
            Some(">=20.10"),
        );
        check("rows.toSorted(); fetch(url);", None);
    }
}
