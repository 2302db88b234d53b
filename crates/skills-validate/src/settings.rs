//! The settings of the flags and of `skills.toml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use serde::Deserialize;
use skill_checker::{CheckOptions, parse_levels};
use skill_validator::Profile;

use crate::args::{Args, Format, ProfileArg};
use skills_cli::output::ColorChoice;

/// The settings; every default is filled in.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent decisions of the user"
)]
pub struct Settings {
    /// The directory of skills, a skill, or its `SKILL.md`.
    pub path: PathBuf,
    /// The rules, and the paths that are skipped.
    pub check: CheckOptions,
    /// The file of known findings.
    pub baseline: Option<PathBuf>,
    /// True if the file of known findings is to be written.
    pub update_baseline: bool,
    /// The git revision to compare with.
    pub changed_since: Option<String>,
    /// True if files are to be repaired.
    pub fix: bool,
    /// True if repairs are only shown.
    pub dry_run: bool,
    /// The format of the report.
    pub format: Format,
    /// The file of the report, instead of standard output.
    pub output: Option<PathBuf>,
    /// True if warnings count as failures.
    pub strict: bool,
    /// −1 for errors only, 0 for normal output, 1 for notes too.
    pub verbosity: i8,
    /// The use of colour.
    pub color: ColorChoice,
}

/// The file `skills.toml`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct File {
    profile: Option<String>,
    exclude: Vec<String>,
    strict: bool,
    levels: BTreeMap<String, String>,
    thresholds: Thresholds,
    #[serde(rename = "override")]
    overrides: Vec<Override>,
    /// The section of `skills-describe`.
    #[serde(rename = "describe")]
    _describe: serde::de::IgnoredAny,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
struct Thresholds {
    max_lines: Option<usize>,
    max_tokens: Option<usize>,
    overlap: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Override {
    paths: Vec<String>,
    levels: BTreeMap<String, String>,
}

impl Settings {
    /// Returns the settings: flags take precedence over the file, and both over defaults.
    pub(super) fn resolve(args: Args) -> anyhow::Result<Self> {
        let file: File = skills_config::read(args.config.as_deref())?;
        let mut exclude = file.exclude.clone();
        exclude.extend(args.exclude.iter().cloned());
        let overrides = file.overrides.iter().map(|item| {
            Ok(skill_checker::Override {
                paths: item.paths.clone(),
                levels: parse_levels(&item.levels)?,
            })
        });
        Ok(Self {
            check: CheckOptions {
                overrides: overrides.collect::<anyhow::Result<_>>()?,
                rules: rules(&args, &file)?,
                exclude,
                jobs: args.jobs.unwrap_or(0),
            },
            strict: args.strict || file.strict,
            path: args.path,
            baseline: args.baseline,
            update_baseline: args.update_baseline,
            changed_since: args.changed_since,
            fix: args.fix,
            dry_run: args.dry_run,
            format: args.format,
            output: args.output,
            verbosity: i8::from(args.verbose) - i8::from(args.quiet),
            color: args.color,
        })
    }
}

fn rules(args: &Args, file: &File) -> anyhow::Result<skill_validator::Settings> {
    let mut rules = skill_validator::Settings {
        levels: parse_levels(&file.levels)?,
        profile: profile(args.profile, file.profile.as_deref())?,
        ..skill_validator::Settings::default()
    };
    for pair in &args.level {
        let (rule, level) = pair
            .split_once('=')
            .with_context(|| format!("`{pair}` is not RULE=LEVEL"))?;
        rules.levels.extend(parse_levels(&BTreeMap::from([(
            rule.to_owned(),
            level.to_owned(),
        )]))?);
    }
    let thresholds = &file.thresholds;
    rules.max_lines = thresholds.max_lines.unwrap_or(rules.max_lines);
    rules.max_tokens = thresholds.max_tokens.unwrap_or(rules.max_tokens);
    rules.overlap = thresholds.overlap.unwrap_or(rules.overlap);
    if !(0.1..=1.0).contains(&rules.overlap) {
        bail!(
            "the threshold `overlap` is {}, expected 0.1 to 1",
            rules.overlap
        );
    }
    Ok(rules)
}

fn profile(arg: Option<ProfileArg>, file: Option<&str>) -> anyhow::Result<Profile> {
    let arg = arg.map(|arg| match arg {
        ProfileArg::Spec => Profile::Spec,
        ProfileArg::SkillsRef => Profile::SkillsRef,
        ProfileArg::Lenient => Profile::Lenient,
        ProfileArg::ClaudeCode => Profile::ClaudeCode,
        ProfileArg::Codex => Profile::Codex,
    });
    match (arg, file) {
        (Some(profile), _) => Ok(profile),
        (None, None) => Ok(Profile::default()),
        (None, Some(name)) => Profile::ALL
            .into_iter()
            .find(|profile| profile.name() == name)
            .ok_or_else(|| {
                let known = Profile::ALL.map(Profile::name).join(", ");
                anyhow!("there is no profile `{name}`, expected one of {known}")
            }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_checked() {
        let file: File = toml::from_str(
            "profile = \"codex\"\n[levels]\nbody-empty = \"error\"\n[thresholds]\nmax-lines = 9\n\
             [[override]]\npaths = [\"a\"]\nlevels = { secret = \"off\" }\n",
        )
        .unwrap();
        assert_eq!(file.thresholds.max_lines, Some(9));
        assert_eq!(file.overrides[0].paths, ["a"]);
        assert!(toml::from_str::<File>("colour = 1").is_err());
    }
}
