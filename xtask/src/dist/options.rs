//! The arguments of `cargo xtask dist`.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

pub(super) const USAGE: &str = "[--target TRIPLE | --program PATH] [--check]";

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// The target to build for.
    pub(super) target: Option<String>,
    /// A built program that is packed instead of a new one.
    pub(super) program: Option<PathBuf>,
    /// True if each package is installed and run.
    pub(super) check: bool,
}

impl Options {
    pub(super) fn from_args(args: &[String]) -> Result<Self> {
        let mut res = Self::default();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            let mut value = || {
                let next = args.next().cloned();
                next.with_context(|| format!("found {arg} at the end, expected a value after it"))
            };
            match arg.as_str() {
                "--target" => res.target = Some(value()?),
                "--program" => res.program = Some(value()?.into()),
                "--check" => res.check = true,
                other => bail!("found `{other}`; usage: cargo xtask dist {USAGE}"),
            }
        }
        if res.target.is_some() && res.program.is_some() {
            bail!(
                "found --target and --program, expected one of them: a built program has a target"
            );
        }
        Ok(res)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(args: &str, expected: Result<Options, &str>) {
        let args: Vec<String> = args.split_whitespace().map(str::to_owned).collect();
        let found = Options::from_args(&args).map_err(|err| err.to_string());
        assert_eq!(found, expected.map_err(str::to_owned));
    }

    #[test]
    fn arguments() {
        check("", Ok(Options::default()));
        check(
            "--program a --check",
            Ok(Options {
                program: Some("a".into()),
                check: true,
                target: None,
            }),
        );
        check(
            "--target",
            Err("found --target at the end, expected a value after it"),
        );
        check(
            "--target a --program b",
            Err("found --target and --program, expected one of them: a built program has a target"),
        );
        check(
            "--all",
            Err(
                "found `--all`; usage: cargo xtask dist [--target TRIPLE | --program PATH] [--check]",
            ),
        );
    }
}
