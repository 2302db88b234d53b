//! The skill carries a compiled program or library.

use skill_diagnostics::{Code, Diagnostic};

use crate::context::Context;
use crate::level::Levels;
use crate::rule::{Check, Group, Rule};

pub(crate) const RULE: Rule = Rule {
    code: Code("foreign-executable"),
    group: Group::Safety,
    levels: Levels::ADVICE,
    what: "The skill carries a compiled program or library.",
    why: "It runs on one platform only, and nobody can review it.",
    example: "bin/tool.exe",
    source: "docs/design/security.md, \"Files\"",
    check: Check::Skill(check),
};

fn check(cx: &Context<'_>) -> Vec<Diagnostic> {
    let programs = cx
        .files
        .entries
        .iter()
        .filter_map(|entry| Some((entry, platform(entry.head()?)?)));
    programs
        .map(|(entry, platform)| {
            let message = format!("a program for {platform}, expected source or text");
            cx.finding(RULE.code, message).in_file(entry.path.clone())
        })
        .collect()
}

fn platform(head: &[u8]) -> Option<&'static str> {
    match head {
        [0x7F, b'E', b'L', b'F', ..] => Some("Linux (ELF)"),
        [b'M', b'Z', ..] if is_pe(head) => Some("Windows (PE)"),
        [0xCF | 0xCE, 0xFA, 0xED, 0xFE, ..] => Some("macOS (Mach-O)"),
        [0xCA, 0xFE, 0xBA, 0xBE, 0, 0, 0, n, ..] if *n < 20 => Some("macOS (Mach-O)"),
        [0xCA, 0xFE, 0xBA, 0xBE, ..] => Some("Java (class file)"),
        [0, b'a', b's', b'm', ..] => Some("WebAssembly"),
        _ => None,
    }
}

/// Returns whether the DOS header leads to `PE`.
fn is_pe(head: &[u8]) -> bool {
    let offset = head
        .get(0x3C..0x40)
        .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
    let at = offset.and_then(|offset| usize::try_from(offset).ok());
    at.is_some_and(|at| {
        head.get(at..at.saturating_add(2))
            .is_none_or(|mark| mark == b"PE")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::*;

    #[test]
    fn goes_by_the_first_bytes() {
        let mut files = body("x");
        add(&mut files, "a", b"\x7FELF\x02");
        add(&mut files, "b.py", b"MZ is a text");
        add(&mut files, "c", b"\0asm");
        check_rule(
            &RULE,
            &files,
            &[
                "a a program for Linux (ELF), expected source or text",
                "c a program for WebAssembly, expected source or text",
            ],
        );
    }
}
