//! The package that a program did not find, by what Node.js and Python print.

use skill_model::pip_package;

use crate::needs::Ecosystem;

/// A module that a program did not find.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingModule {
    /// npm or Python.
    pub ecosystem: Ecosystem,
    /// The module as the program asked for it: `axios/lib/x`, `PIL.Image`.
    pub module: String,
    /// The file that asked, if the message names it.
    pub file: Option<String>,
}

impl MissingModule {
    /// Returns the name of the package: the module without what is inside the package; for Python the
    /// name on `PyPI`, which may differ.
    pub fn package(&self) -> &str {
        match self.ecosystem {
            Ecosystem::Npm => {
                let n_parts = if self.module.starts_with('@') { 2 } else { 1 };
                let end = self.module.match_indices('/').nth(n_parts - 1);
                end.map_or(&self.module, |(at, _)| &self.module[..at])
            }
            Ecosystem::Pip => pip_package(self.module.split('.').next().unwrap_or_default()),
        }
    }
}

/// Finds the last message about a missing package. Missing files do not count.
pub fn missing_module(text: &str) -> Option<MissingModule> {
    const NODE: [&str; 2] = ["Cannot find module '", "Cannot find package '"];
    const PYTHON: &str = "No module named '";
    let lines: Vec<&str> = text.lines().collect();
    let found = lines.iter().enumerate().rev().find_map(|(at, line)| {
        let quoted = |begin: &str| {
            let start = line.find(begin)? + begin.len();
            line[start..].split('\'').next()
        };
        if let Some(module) = quoted(PYTHON).filter(|_| line.contains("Error")) {
            return Some((at, Ecosystem::Pip, module));
        }
        let module = NODE.into_iter().find_map(quoted)?;
        Some((at, Ecosystem::Npm, module))
    });
    let (at, ecosystem, module) = found?;
    let is_file = module.starts_with(['.', '/']) || module.contains('\\');
    if is_file || module.is_empty() || module.starts_with("node:") {
        return None;
    }
    let file = match ecosystem {
        Ecosystem::Npm => asked_by_node(&lines, at),
        Ecosystem::Pip => asked_by_python(&lines[..at]),
    };
    Some(MissingModule {
        ecosystem,
        module: module.to_owned(),
        file: file.map(str::to_owned),
    })
}

/// Reads `… imported from FILE`, or the first line of `Require stack:`.
fn asked_by_node<'l>(lines: &[&'l str], at: usize) -> Option<&'l str> {
    if let Some((_, file)) = lines[at].split_once(" imported from ") {
        return Some(file.trim());
    }
    let next = lines.get(at + 2)?;
    let is_stack = lines.get(at + 1)?.trim() == "Require stack:";
    next.trim().strip_prefix("- ").filter(|_| is_stack)
}

/// Reads the last `File "…"` of a traceback that is not Python's own.
fn asked_by_python<'l>(lines: &[&'l str]) -> Option<&'l str> {
    let files = lines.iter().rev().filter_map(|line| {
        let rest = line.trim().strip_prefix("File \"")?;
        rest.split('"').next()
    });
    let mut files = files.filter(|file| !file.starts_with('<'));
    files.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = missing_module(text);
        let shown = found
            .as_ref()
            .map(|found| (found.package(), found.file.as_deref().unwrap_or_default()));
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn reads_the_messages_of_both() {
        check(
            "node:internal/modules/cjs/loader:1210\n  throw err;\n\nError: Cannot find module 'axios/lib/x'\nRequire stack:\n- /p/lib/a.js\n- /p/b.js\n    at Module._resolveFilename",
            Some(("axios", "/p/lib/a.js")),
        );
        check(
            "Error [ERR_MODULE_NOT_FOUND]: Cannot find package '@s/pkg' imported from /p/a.mjs\n    at x",
            Some(("@s/pkg", "/p/a.mjs")),
        );
        check(
            "Traceback (most recent call last):\n  File \"/p/a.py\", line 1, in <module>\n    import PIL.Image\nModuleNotFoundError: No module named 'PIL'\n",
            Some(("Pillow", "/p/a.py")),
        );
        check(
            "Error: Cannot find module './own.js'\nRequire stack:\n- /p/a.js",
            None,
        );
        check("Error: Cannot find module '/p/a.js'", None);
        check("the user wrote: No module named 'x'", None);
        check("", None);
    }
}
