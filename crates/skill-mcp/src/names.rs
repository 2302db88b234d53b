//! The names of the tools: agents that were made for other servers expect other names.

use std::collections::BTreeMap;
use std::str::FromStr;

use thiserror::Error;

/// The maximum length of a tool's name
/// (<https://modelcontextprotocol.io/specification/2025-11-25/server/tools> allows 128; several
/// hosts add a prefix and cut at 64).
const MAX_NAME: usize = 48;

/// The kinds of tools of this server.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ToolKind {
    /// Lists all skills with their descriptions.
    ListSkills,
    /// Finds the skills that match a request.
    SearchSkills,
    /// Describes a skill, in the detail that a confidence calls for.
    DescribeSkill,
    /// Returns the instructions of a skill.
    ReadSkill,
    /// Returns a file of a skill.
    ReadSkillResource,
    /// Marks a skill as no longer active.
    UnloadSkill,
    /// Runs a skill.
    RunSkill,
}

impl ToolKind {
    /// All kinds, in the order of the listing.
    pub const ALL: [Self; 7] = [
        Self::ListSkills,
        Self::SearchSkills,
        Self::DescribeSkill,
        Self::ReadSkill,
        Self::ReadSkillResource,
        Self::UnloadSkill,
        Self::RunSkill,
    ];

    /// Returns the default name.
    pub fn word(self) -> &'static str {
        match self {
            Self::ListSkills => "list_skills",
            Self::SearchSkills => "search_skills",
            Self::DescribeSkill => "describe_skill",
            Self::ReadSkill => "read_skill",
            Self::ReadSkillResource => "read_skill_resource",
            Self::UnloadSkill => "unload_skill",
            Self::RunSkill => "run_skill",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }
}

/// The tools that a client lists. A tool that is not listed can be called nevertheless.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum ToolSet {
    /// The tools of this server. The commands of a skill are listed in a session once it was read there.
    #[default]
    Meta,
    /// A tool for each command of a skill that may be run.
    Commands,
    /// All of them.
    Both,
}

/// A text is not the name of a set of tools.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("`{0}` is not a set of tools; expected meta, commands or both")]
pub struct ToolSetError(String);

impl FromStr for ToolSet {
    type Err = ToolSetError;

    fn from_str(text: &str) -> Result<Self, ToolSetError> {
        match text {
            "meta" => Ok(Self::Meta),
            "commands" => Ok(Self::Commands),
            "both" => Ok(Self::Both),
            other => Err(ToolSetError(other.to_owned())),
        }
    }
}

/// A name for each tool; all names differ.
///
/// ```
/// use skill_mcp::{ToolKind, ToolNames};
///
/// let names = ToolNames::parse("pascal,read_skill=load_skill")?;
/// assert_eq!(names.name(ToolKind::ListSkills), "ListSkills");
/// assert_eq!(names.name(ToolKind::ReadSkill), "load_skill");
/// assert_eq!(names.kind("load_skill"), Some(ToolKind::ReadSkill));
/// # Ok::<(), skill_mcp::NamesError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolNames(BTreeMap<ToolKind, String>);

impl Default for ToolNames {
    fn default() -> Self {
        let names = ToolKind::ALL.map(|kind| (kind, kind.word().to_owned()));
        Self(names.into())
    }
}

/// An error in a list of names.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NamesError {
    /// An item is neither `pascal` nor `TOOL=NAME`.
    #[error("`{0}` is neither `pascal` nor TOOL=NAME")]
    Shape(String),
    /// The tool of an item does not exist.
    #[error("no tool is called `{0}`, there are {known}", known = known())]
    Unknown(String),
    /// The name has characters that not all clients accept, or is too long.
    #[error(
        "`{0}` is not a valid name of a tool; expected letters, digits, `_` and `-`, at most {MAX_NAME}"
    )]
    Name(String),
    /// Two tools would have the same name.
    #[error("two tools would be called `{0}`")]
    Twice(String),
}

fn known() -> String {
    ToolKind::ALL.map(ToolKind::word).join(", ")
}

impl ToolNames {
    /// Parses a list such as `pascal` or `read_skill=ReadSkill,list_skills=skills`; later items
    /// win.
    ///
    /// # Errors
    ///
    /// [`NamesError`] says which item is wrong.
    pub fn parse(text: &str) -> Result<Self, NamesError> {
        let mut res = Self::default();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            if part == "pascal" {
                for (kind, name) in &mut res.0 {
                    *name = pascal(kind.word());
                }
                continue;
            }
            let pair = part.split_once('=');
            let (word, name) = pair.ok_or_else(|| NamesError::Shape(part.to_owned()))?;
            let kind = ToolKind::from_word(word.trim())
                .ok_or_else(|| NamesError::Unknown(word.to_owned()))?;
            res.0.insert(kind, checked(name.trim())?);
        }
        res.all_differ()?;
        Ok(res)
    }

    fn all_differ(&self) -> Result<(), NamesError> {
        for (kind, name) in &self.0 {
            let is_other = |(other, taken): (&ToolKind, &String)| other != kind && taken == name;
            if self.0.iter().any(is_other) {
                return Err(NamesError::Twice(name.clone()));
            }
        }
        Ok(())
    }

    /// Returns the name of a tool.
    pub fn name(&self, kind: ToolKind) -> &str {
        self.0.get(&kind).map_or(kind.word(), String::as_str)
    }

    /// Returns the tool called `name`.
    pub fn kind(&self, name: &str) -> Option<ToolKind> {
        let mut all = self.0.iter();
        all.find(|(_, known)| *known == name).map(|(kind, _)| *kind)
    }

    /// Returns all names, in the order of the listing.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.0.values().map(String::as_str)
    }
}

fn checked(name: &str) -> Result<String, NamesError> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    let fits = (1..=MAX_NAME).contains(&name.len()) && name.chars().all(is_fine);
    if fits {
        Ok(name.to_owned())
    } else {
        Err(NamesError::Name(name.escape_debug().to_string()))
    }
}

fn pascal(word: &str) -> String {
    let parts = word.split('_').filter_map(|part| part.split_at_checked(1));
    parts
        .map(|(head, tail)| head.to_uppercase() + tail)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &Result<[&str; 3], NamesError>) {
        use ToolKind::{ListSkills, ReadSkill, ReadSkillResource};
        let names = ToolNames::parse(text);
        let shown = names
            .as_ref()
            .map(|names| [ListSkills, ReadSkill, ReadSkillResource].map(|kind| names.name(kind)));
        assert_eq!(shown.map_err(Clone::clone), *expected, "{text}");
    }

    #[test]
    fn names_are_given_one_by_one_or_all() {
        check(
            "",
            &Ok(["list_skills", "read_skill", "read_skill_resource"]),
        );
        check(
            "pascal",
            &Ok(["ListSkills", "ReadSkill", "ReadSkillResource"]),
        );
        check(
            "pascal, read_skill=load_skill",
            &Ok(["ListSkills", "load_skill", "ReadSkillResource"]),
        );
    }

    #[test]
    fn invalid_and_equal_names_are_refused() {
        check("kebab", &Err(NamesError::Shape("kebab".to_owned())));
        check("reed=x", &Err(NamesError::Unknown("reed".to_owned())));
        check("read_skill=a b", &Err(NamesError::Name("a b".to_owned())));
        check("read_skill=", &Err(NamesError::Name(String::new())));
        let twice = "read_skill=x,list_skills=x";
        check(twice, &Err(NamesError::Twice("x".to_owned())));
    }

    #[test]
    fn a_name_leads_back_to_its_tool() {
        let names = ToolNames::parse("read_skill=load_skill").unwrap();
        assert_eq!(names.kind("load_skill"), Some(ToolKind::ReadSkill));
        assert_eq!(names.kind("read_skill"), None);
    }
}
