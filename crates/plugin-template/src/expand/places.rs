//! The directories to which the paths of an expansion belong.

use super::values::Values;
use super::{ExpandError, Expanded, Invocation};
use crate::piece::PieceKind;
use crate::{Dialect, Template};

/// The paths of an expansion by the directory that its host begins at, in the order of the text.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PathPlaces {
    /// Paths in the package, which are those of the skill.
    pub package: Vec<String>,
    /// Paths in the user's project.
    pub project: Vec<String>,
    /// Paths that begin at the directory of the text in the user's project.
    pub beside: Vec<String>,
}

impl Template {
    /// Returns the relative paths of an expansion. They look alike, and a model cannot know where to look
    /// for them.
    ///
    /// ```
    /// use plugin_template::{Dialect, Invocation, Template};
    ///
    /// let text = "Run ${CLAUDE_PLUGIN_ROOT}/scripts/a.sh on @src/b.rs";
    /// let template = Template::parse(text, Dialect::Claude, &[]);
    /// let places = template.path_places(&Invocation::new("x", "")).unwrap();
    /// assert_eq!(places.package, ["scripts/a.sh"]);
    /// assert_eq!(places.project, ["src/b.rs"]);
    /// let bare = Template::parse("In ${CLAUDE_PLUGIN_ROOT}", Dialect::Claude, &[]);
    /// assert_eq!(bare.path_places(&Invocation::new("x", "")).unwrap().package, ["."]);
    /// ```
    ///
    /// # Errors
    ///
    /// The reason why the host refuses the invocation.
    pub fn path_places(&self, invocation: &Invocation<'_>) -> Result<PathPlaces, ExpandError> {
        let values = Values::new(self, invocation)?;
        let mut res = PathPlaces::default();
        for piece in self.placeholders().filter(|piece| piece.doubt.is_none()) {
            match &piece.kind {
                PieceKind::Variable {
                    name,
                    path: Some(path),
                } if !self.source(piece).starts_with("$CLAUDE_") => match name.as_str() {
                    "CLAUDE_PLUGIN_ROOT" | "CLAUDE_SKILL_DIR" => push(&mut res.package, path),
                    "CLAUDE_PROJECT_DIR" | "workspaceFolder" => push(&mut res.project, path),
                    _ => {}
                },
                // A directory without a path behind it is written as `.`.
                PieceKind::Variable { name, path: None }
                    if !self.source(piece).starts_with("$CLAUDE_") =>
                {
                    match name.as_str() {
                        "CLAUDE_PLUGIN_ROOT" | "CLAUDE_SKILL_DIR" => push(&mut res.package, "."),
                        "CLAUDE_PROJECT_DIR" | "workspaceFolder" => push(&mut res.project, "."),
                        _ => {}
                    }
                }
                PieceKind::File { path } => {
                    let is_own =
                        |inner: &crate::Piece| matches!(inner.kind, PieceKind::Variable { .. });
                    if let (false, Expanded::File { path, .. }) =
                        (path.iter().any(is_own), self.file(piece, path, &values))
                    {
                        // A link is relative to the prompt, `#file:a` to the project.
                        let is_of_project =
                            self.source(piece).starts_with("#file:") && !path.starts_with('.');
                        let is_beside = self.dialect() == Dialect::Copilot && !is_of_project;
                        push(
                            if is_beside {
                                &mut res.beside
                            } else {
                                &mut res.project
                            },
                            &path,
                        );
                    }
                }
                _ => {}
            }
        }
        Ok(res)
    }
}

/// Adds a path that says nothing about its beginning, once.
fn push(paths: &mut Vec<String>, path: &str) {
    let is_relative = !path.is_empty() && !path.starts_with(['/', '~']) && !path.contains(':');
    if is_relative && !paths.iter().any(|known| known == path) {
        paths.push(path.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_copilot_begin_at_the_project_and_links_at_the_prompt() {
        let check = |text: &str, project: &[&str], beside: &[&str]| {
            let template = Template::parse(text, Dialect::Copilot, &[]);
            let found = template.path_places(&Invocation::new("x", "")).unwrap();
            assert_eq!(
                (&found.project[..], &found.beside[..]),
                (
                    &project
                        .iter()
                        .map(|it| (*it).to_owned())
                        .collect::<Vec<_>>()[..],
                    &beside.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>()[..],
                )
            );
        };
        check("Read #file:src/a.ts.", &["src/a.ts"], &[]);
        check("Read #file:../../src/a.ts now", &[], &["../../src/a.ts"]);
    }
}
