//! Python packages, with uv, or with pip in a virtual environment.
//!
//! Only built packages (wheels) are installed: building one runs code of its author, which the user
//! must allow by name.

use std::collections::BTreeMap;

use skill_loader::fs::{Kind, Root};
use skill_model::pip_key;

use crate::error::Error;
use crate::needs::Need;
use crate::record::{MissingPackage, Record};
use crate::tool::{Tools, reason};

/// Prints the names of all installed packages, one in each line, and the version of Python.
const LIST: &str = "import sys\nfrom importlib.metadata import distributions\nprint(sys.version.split()[0])\nfor one in distributions():\n    print(one.metadata['Name'])";
/// Succeeds if pip can fill other environments (`--python`): since version 22.3.
const FILLS_OTHERS: &str =
    "import pip, sys\nsys.exit(tuple(map(int, pip.__version__.split('.')[:2])) < (22, 3))";
/// Writes byte code that depends neither on times nor on the place, so that it can be shared.
const COMPILE: &str = "import compileall, sys, sysconfig\nwhere = sysconfig.get_path('purelib')\nimport py_compile\ncompileall.compile_dir(where, quiet=2, stripdir=where, workers=0, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)";

/// Installs packages into the empty directory `dir`, which becomes a virtual environment. Returns
/// what is known about the result, except its directory.
pub(crate) fn install(
    tools: Tools<'_>,
    dir: &Root,
    needs: &BTreeMap<String, Need>,
    allowed: &[String],
) -> Result<Record, Error> {
    let installer = Installer::new(tools, dir, allowed)?;
    let lines: Vec<String> = needs
        .iter()
        .map(|(name, need)| requirement(name, need))
        .collect();
    let mut reasons: BTreeMap<&str, String> = BTreeMap::new();
    if !lines.is_empty()
        && let Some(together) = installer.install(&lines)?
    {
        // One that cannot be had fails all: each alone shows which.
        for ((name, _), line) in needs.iter().zip(&lines) {
            let alone = match lines.len() {
                1 => Some(together.clone()),
                _ => installer.install(std::slice::from_ref(line))?,
            };
            reasons.extend(alone.map(|reason| (name.as_str(), reason)));
        }
    }
    if !needs.is_empty()
        && reasons.len() == needs.len()
        && reasons.values().all(|reason| is_offline(reason))
    {
        return Err(Error::Failed {
            command: installer.name().to_owned(),
            reason: reasons.into_values().next().unwrap_or_default(),
        });
    }
    let python = installer.python();
    let listed = tools.check(&[&python, "-c", LIST], dir.path())?;
    let mut listed = listed.lines();
    let runtime = listed.next().unwrap_or_default().to_owned();
    let installed: Vec<String> = listed.map(pip_key).collect();
    let missing = needs.iter().filter_map(|(name, need)| {
        let has = installed.contains(&pip_key(name)) || is_excluded(need);
        (!has).then(|| MissingPackage {
            name: name.clone(),
            reason: reasons
                .get(name.as_str())
                .cloned()
                .unwrap_or_else(|| "it was not installed".to_owned()),
            is_optional: need.is_optional,
        })
    });
    let missing: Vec<MissingPackage> = missing.collect();
    // Without byte code, a program only starts more slowly.
    let _ = tools.run(&[&python, "-c", COMPILE], dir.path(), false);
    Ok(Record {
        ranges: Record::ranges(needs),
        missing,
        scripts_run: allowed
            .iter()
            .filter(|name| needs.contains_key(*name))
            .cloned()
            .collect(),
        runtime,
        ..Record::default()
    })
}

/// A condition (`; python_version < '3.8'`) may exclude a package from this machine.
fn is_excluded(need: &Need) -> bool {
    need.range.contains(';')
}

fn is_offline(reason: &str) -> bool {
    [
        "NewConnectionError",
        "name resolution",
        "Connection refused",
        "error sending request",
    ]
    .iter()
    .any(|text| reason.contains(text))
}

/// Returns the line of a `requirements.txt`.
fn requirement(name: &str, need: &Need) -> String {
    let space = if need.range.starts_with('@') { " " } else { "" };
    format!("{name}{space}{}", need.range)
}

/// A virtual environment, and the program that fills it.
struct Installer<'t> {
    tools: Tools<'t>,
    dir: &'t Root,
    allowed: &'t [String],
    has_uv: bool,
    /// True if the environment has a pip of its own, because that of the user cannot fill others.
    has_own_pip: bool,
}

impl<'t> Installer<'t> {
    /// Creates the virtual environment.
    fn new(tools: Tools<'t>, dir: &'t Root, allowed: &'t [String]) -> Result<Self, Error> {
        let has_uv = tools.first(&["uv"]).is_some();
        let mut res = Self {
            tools,
            dir,
            allowed,
            has_uv,
            has_own_pip: false,
        };
        let base = tools.first(&["python3", "python"]);
        if has_uv {
            let mut words = vec!["uv", "venv", "--quiet", "--allow-existing"];
            words.extend(base.iter().flat_map(|python| ["--python", python]));
            words.push(".");
            tools.check(&words, dir.path())?;
            return Ok(res);
        }
        let python = base.ok_or(Error::NoTool {
            wanted: "uv or python3",
            what: "Python packages",
        })?;
        let can_fill = tools.run(&[python, "-c", FILLS_OTHERS], dir.path(), false);
        res.has_own_pip = !can_fill.is_ok_and(|outcome| outcome.exit.success());
        let mut words = vec![python, "-m", "venv"];
        if !res.has_own_pip {
            words.push("--without-pip");
        }
        words.push(".");
        tools.check(&words, dir.path())?;
        Ok(res)
    }

    fn name(&self) -> &'static str {
        if self.has_uv {
            "uv pip install"
        } else {
            "pip install"
        }
    }

    /// Returns the interpreter of the environment.
    fn python(&self) -> String {
        self.dir.path().join("bin/python").display().to_string()
    }

    /// Installs requirements; returns why that failed, if it did.
    fn install(&self, lines: &[String]) -> Result<Option<String>, Error> {
        const LINES: &str = "requirements.txt";
        let text = lines.join("\n");
        self.dir.write_whole(".", LINES, text.as_bytes())?;
        let python = self.python();
        let mut words: Vec<&str> = if self.has_uv {
            vec!["uv", "pip", "install", "--quiet", "--python", &python]
        } else if self.has_own_pip {
            vec![&python, "-m", "pip", "install", "--quiet", "--no-compile"]
        } else {
            let base = self
                .tools
                .first(&["python3", "python"])
                .unwrap_or("python3");
            vec![
                base,
                "-m",
                "pip",
                "--python",
                &python,
                "install",
                "--quiet",
                "--no-compile",
            ]
        };
        if !self.has_uv {
            words.extend([
                "--no-input",
                "--disable-pip-version-check",
                "--no-warn-script-location",
            ]);
        }
        words.extend(["--only-binary", ":all:"]);
        // `NAME@ADDRESS` allows an address, not to build what the index has.
        for name in self.allowed.iter().filter(|name| !name.contains('@')) {
            words.extend(["--no-binary", name]);
        }
        words.extend(["-r", LINES]);
        let runs_code = !self.allowed.is_empty();
        let outcome = self.tools.run(&words, self.dir.path(), runs_code)?;
        Ok((!outcome.exit.success()).then(|| reason(&outcome)))
    }
}

/// Returns whether the environment in a directory can be used: its interpreter exists.
pub(crate) fn is_usable(dir: &Root) -> bool {
    matches!(
        dir.kind("bin/python"),
        Ok(Some(Kind::Symlink | Kind::File(_)))
    )
}
