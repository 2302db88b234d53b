//! The program that fills a virtual environment: uv, or pip.
//!
//! Both start the interpreter of the environment. So packages are installed only into one without
//! any: an installed package can bring code that every start of its interpreter runs.

use skill_loader::fs::{Root, empty_tree};

use super::site::Site;
use crate::error::Error;
use crate::record::PIP;
use crate::tool::{Tools, Variables, reason};

/// Succeeds if pip can fill other environments (`--python`): since version 22.3.
const FILLS_OTHERS: &str =
    "import pip, sys\nsys.exit(tuple(map(int, pip.__version__.split('.')[:2])) < (22, 3))";
/// Writes byte code that depends neither on times nor on the place, so that it can be shared. Tests
/// of packages, half of the byte code of some, get none: programs do not load them.
const COMPILE: &str = r"import compileall, py_compile, re, sys
where = sys.argv[1]
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
tests = re.compile(re.escape(where) + r'.*[/\\]tests[/\\]')
compileall.compile_dir(where, quiet=2, stripdir=where, workers=0, rx=tests, invalidation_mode=mode)";
/// The names of the user's Python.
const PYTHON: [&str; 2] = ["python3", "python"];
/// The file with the requirements, in the environment.
const LINES: &str = "requirements.txt";

/// The program that fills an environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Program {
    Uv,
    /// The user's pip.
    Pip,
    /// A pip in the environment, because that of the user cannot fill others.
    OwnPip,
}

/// The packages that may be installed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sources<'a> {
    /// Built packages only: no code of theirs runs.
    Wheels,
    /// These are built from their sources.
    Build(&'a [&'a str]),
}

/// A virtual environment, and the program that fills it.
pub(super) struct Installer<'t> {
    tools: Tools<'t>,
    dir: &'t Root,
    /// The user's Python.
    base: Option<&'static str>,
    program: Program,
    /// The environment without packages.
    site: Site,
    is_empty: bool,
}

impl<'t> Installer<'t> {
    /// Creates the virtual environment in an empty directory.
    pub(super) fn new(tools: Tools<'t>, dir: &'t Root) -> Result<Self, Error> {
        let base = tools.first(&PYTHON);
        let program = if tools.first(&["uv"]).is_some() {
            Program::Uv
        } else {
            let python = base.ok_or(Error::NoTool {
                wanted: "uv or python3",
                what: "Python packages",
            })?;
            let can_fill = tools.run(&[python, "-c", FILLS_OTHERS], dir.path(), Variables::All);
            match can_fill {
                Ok(outcome) if outcome.exit.success() => Program::Pip,
                _ => Program::OwnPip,
            }
        };
        create(tools, dir, program, base)?;
        Ok(Self {
            tools,
            dir,
            base,
            program,
            site: Site::read(dir)?,
            is_empty: true,
        })
    }

    pub(super) fn site(&self) -> &Site {
        &self.site
    }

    pub(super) fn name(&self) -> &'static str {
        match self.program {
            Program::Uv => "uv pip install",
            Program::Pip | Program::OwnPip => "pip install",
        }
    }

    /// Returns the word for the program in a record.
    pub(super) fn word(&self) -> &'static str {
        match self.program {
            Program::Uv => "uv",
            Program::Pip | Program::OwnPip => PIP,
        }
    }

    /// Makes the environment one without packages again.
    pub(super) fn reset(&mut self) -> Result<(), Error> {
        if !self.is_empty {
            empty_tree(self.dir.path())?;
            create(self.tools, self.dir, self.program, self.base)?;
            self.is_empty = true;
        }
        Ok(())
    }

    /// Installs requirements into the environment, from which all others are removed first.
    /// Returns why that failed, if it did.
    pub(super) fn install(
        &mut self,
        lines: &[&str],
        sources: Sources<'_>,
    ) -> Result<Option<String>, Error> {
        self.reset()?;
        self.is_empty = false;
        self.run(lines, sources, &[])
    }

    /// Returns why requirements cannot be installed, if they cannot.
    pub(super) fn try_out(
        &mut self,
        lines: &[&str],
        sources: Sources<'_>,
    ) -> Result<Option<String>, Error> {
        if self.program == Program::OwnPip {
            return self.install(lines, sources);
        }
        self.reset()?;
        self.run(lines, sources, &["--dry-run"])
    }

    fn run(
        &self,
        lines: &[&str],
        sources: Sources<'_>,
        more: &[&str],
    ) -> Result<Option<String>, Error> {
        let text = lines.join("\n");
        self.dir.write_whole(".", LINES, text.as_bytes())?;
        let python = self.dir.path().join("bin/python").display().to_string();
        let base = self.base.unwrap_or(PYTHON[0]);
        let mut words: Vec<&str> = match self.program {
            Program::Uv => vec!["uv", "pip", "install", "--quiet", "--python", &python],
            Program::Pip => vec![base, "-m", "pip", "--python", &python, "install"],
            Program::OwnPip => vec![&python, "-m", "pip", "install"],
        };
        if self.program != Program::Uv {
            words.extend([
                "--quiet",
                "--no-compile",
                "--no-input",
                "--disable-pip-version-check",
                "--no-warn-script-location",
            ]);
        }
        words.extend(more);
        words.extend(["--only-binary", ":all:"]);
        let variables = match sources {
            Sources::Wheels => Variables::All,
            Sources::Build(names) => {
                words.extend(names.iter().flat_map(|name| ["--no-binary", name]));
                Variables::Harmless
            }
        };
        words.extend(["-r", LINES]);
        if self.program == Program::Uv {
            // What its cache has needs no network.
            let offline: Vec<&str> = words.iter().copied().chain(["--offline"]).collect();
            let outcome = self.tools.run(&offline, self.dir.path(), variables)?;
            if outcome.exit.success() {
                return Ok(None);
            }
        }
        let outcome = self.tools.run(&words, self.dir.path(), variables)?;
        Ok((!outcome.exit.success()).then(|| reason(&outcome)))
    }

    /// Writes the byte code of all packages, with the user's Python: without byte code, a program
    /// only starts more slowly.
    pub(super) fn compile(&self) {
        let Some(base) = self.base else { return };
        let packages = self.dir.path().join(&self.site.packages);
        let packages = packages.display().to_string();
        // `-I`: no module of the working directory or of a variable; `-S`: no packages.
        let words = [base, "-I", "-S", "-c", COMPILE, &packages];
        let elsewhere = self.dir.path().parent().unwrap_or(self.dir.path());
        let _ = self.tools.run(&words, elsewhere, Variables::Harmless);
    }
}

fn create(tools: Tools<'_>, dir: &Root, program: Program, base: Option<&str>) -> Result<(), Error> {
    let mut words = match program {
        Program::Uv => vec!["uv", "venv", "--quiet", "--allow-existing"],
        Program::Pip => vec![base.unwrap_or(PYTHON[0]), "-m", "venv", "--without-pip"],
        Program::OwnPip => vec![base.unwrap_or(PYTHON[0]), "-m", "venv"],
    };
    if program == Program::Uv {
        words.extend(base.iter().flat_map(|python| ["--python", python]));
    }
    words.push(".");
    tools.check(&words, dir.path()).map(drop)
}

/// Returns whether an installation failed because the index cannot be reached.
pub(super) fn is_offline(reason: &str) -> bool {
    [
        "NewConnectionError",
        "name resolution",
        "Connection refused",
        "error sending request",
    ]
    .iter()
    .any(|text| reason.contains(text))
}
