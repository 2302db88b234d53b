//! The tokens of each dialect.

use super::scan::{Depth, Scan};
use crate::Dialect;
use crate::piece::{Piece, PieceKind};

impl Scan<'_> {
    /// Returns the token at a mark.
    pub(super) fn token(&mut self, at: usize, end: usize, depth: Depth) -> Option<Piece> {
        match self.dialect {
            Dialect::Claude => self.claude(at, end, depth),
            Dialect::Codex => self.codex(at, end),
            Dialect::OpenCode => self.opencode(at, end, depth),
            Dialect::Gemini => self.gemini(at, end, depth),
            Dialect::Copilot => self.copilot(at, end),
            Dialect::Cursor => self.cursor(at, end, depth),
            Dialect::Mcpb => self.mcpb(at, end),
        }
    }

    /// Source: the documentation of Claude Code, "Available string substitutions" and "Inject
    /// dynamic context".
    fn claude(&mut self, at: usize, end: usize, depth: Depth) -> Option<Piece> {
        match self.text.as_bytes()[at] {
            b'\\' => self.escaped(at, end),
            b'$' => self
                .host_value(at, end)
                .or_else(|| self.bare_value(at, end))
                .or_else(|| self.claude_argument(at, end)),
            b'!' if depth == Depth::Body && self.is_after_blank(at) => {
                self.inline_shell(at, end, true)
            }
            b'`' | b'~' if depth == Depth::Body => self.shell_block(at),
            b'@' if depth == Depth::Body => self.at_path(at, end),
            _ => None,
        }
    }

    /// Source: `codex-rs/tui/src/bottom_pane/prompt_args.rs`, and recordings of Codex 0.105.
    fn codex(&self, at: usize, end: usize) -> Option<Piece> {
        (self.text.as_bytes()[at] == b'$').then(|| self.codex_argument(at, end))?
    }

    /// Source: `packages/opencode/src/session/prompt.ts`, and recordings of OpenCode 1.18.
    fn opencode(&mut self, at: usize, end: usize, depth: Depth) -> Option<Piece> {
        match self.text.as_bytes()[at] {
            b'$' => self.opencode_argument(at, end),
            b'!' if depth == Depth::Body => self.inline_shell(at, end, false),
            b'@' if depth == Depth::Body => self.at_path(at, end),
            _ => None,
        }
    }

    /// Source: `packages/cli/src/services/prompt-processors`, and recordings of Gemini CLI 0.61.
    fn gemini(&mut self, at: usize, end: usize, depth: Depth) -> Option<Piece> {
        match self.text.as_bytes()[at] {
            b'{' => self.double_brace(at, end),
            b'$' => self.gemini_value(at, end),
            b'!' if depth == Depth::Body => self.braced(at, end, Depth::Command),
            b'@' if depth != Depth::Path => self.braced(at, end, Depth::Path),
            _ => None,
        }
    }

    /// Source: the documentation of VS Code, "Use prompt files".
    fn copilot(&mut self, at: usize, end: usize) -> Option<Piece> {
        match self.text.as_bytes()[at] {
            b'$' => self.copilot_value(at, end),
            b'#' => self.hash_reference(at, end),
            _ => None,
        }
    }

    /// Source: <https://cursor.com/docs/context/rules>, "@filename".
    fn cursor(&mut self, at: usize, end: usize, depth: Depth) -> Option<Piece> {
        let is_path = self.text.as_bytes()[at] == b'@' && depth == Depth::Body;
        is_path.then(|| self.at_path(at, end))?
    }

    /// Source: `MANIFEST.md` of `modelcontextprotocol/mcpb`.
    fn mcpb(&self, at: usize, end: usize) -> Option<Piece> {
        let (inner, range) = self.dollar_brace(at, end)?;
        let name = inner.strip_prefix("arguments.")?;
        Some(Piece::name(range, name))
    }

    /// Reads `` !`cmd` ``. In Claude Code it stays on one line.
    fn inline_shell(&mut self, at: usize, end: usize, one_line: bool) -> Option<Piece> {
        let rest = self.rest(at, end).strip_prefix("!`")?;
        let length = rest.find('`').filter(|length| *length > 0)?;
        if one_line && rest[..length].contains('\n') {
            return None;
        }
        let inner = at + 2..at + 2 + length;
        let range = at..inner.end + 1;
        let command = self.pieces(inner, Depth::Command);
        let is_block = false;
        Some(Piece::new(range, PieceKind::Shell { command, is_block }))
    }

    /// Reads a block that opens with ` ```! `.
    fn shell_block(&mut self, at: usize) -> Option<Piece> {
        let fence = self.code.fence_at(at)?;
        let is_shell =
            fence.range.start == at && fence.is_closed && &self.text[fence.info.clone()] == "!";
        let (range, content) = (fence.range.clone(), fence.content.clone());
        if !is_shell || self.text[content.clone()].trim().is_empty() {
            return None;
        }
        let command = self.pieces(content, Depth::Command);
        let is_block = true;
        Some(Piece::new(range, PieceKind::Shell { command, is_block }))
    }

    /// Returns whether the text before a position is a blank or the start of a line.
    fn is_after_blank(&self, at: usize) -> bool {
        self.text[..at]
            .chars()
            .next_back()
            .is_none_or(char::is_whitespace)
    }
}
