//! The shell that the old host used for commands: `/bin/sh`, or `cmd.exe` on Windows.

/// The shell of a system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shell {
    /// `/bin/sh -c`
    Posix,
    /// `cmd.exe /d /s /c`
    Cmd,
}

/// Words that only a POSIX shell knows, although they look like programs.
const POSIX: [&str; 16] = [
    ".", ":", "alias", "cd", "command", "eval", "exec", "export", "hash", "readonly", "set",
    "source", "trap", "ulimit", "umask", "unset",
];
/// Words that a POSIX shell answers itself, differently from the programs of that name or without
/// one. They run in a shell that sees their arguments as they are, and nothing else of the line.
const POSIX_ANSWERED: [&str; 12] = [
    "[", "echo", "exit", "false", "kill", "printf", "pwd", "read", "test", "true", "type", "wait",
];
/// Words that only `cmd.exe` knows
/// (<https://learn.microsoft.com/windows-server/administration/windows-commands/windows-commands>),
/// in any case. Their arguments cannot be passed as they are, so they are shell lines.
const CMD: [&str; 41] = [
    "assoc", "break", "call", "cd", "chdir", "cls", "color", "copy", "date", "del", "dir", "echo",
    "endlocal", "erase", "exit", "for", "ftype", "goto", "if", "md", "mkdir", "mklink", "move",
    "path", "pause", "popd", "prompt", "pushd", "rd", "rem", "ren", "rename", "rmdir", "set",
    "setlocal", "shift", "start", "time", "title", "type", "vol",
];

impl Shell {
    /// The shell of this system.
    pub(crate) const HERE: Self = if cfg!(windows) {
        Self::Cmd
    } else {
        Self::Posix
    };

    /// Returns true if no program has this name: the line needs the shell.
    pub(crate) fn alone_knows(self, word: &str) -> bool {
        match self {
            Self::Posix => POSIX.contains(&word),
            Self::Cmd => CMD.iter().any(|known| known.eq_ignore_ascii_case(word)),
        }
    }

    /// Returns true if the shell answers instead of a program, and can be given its arguments.
    pub(crate) fn answers(self, word: &str) -> bool {
        self == Self::Posix && POSIX_ANSWERED.contains(&word)
    }

    /// Returns the exit code and the message for a program that is not found.
    pub(crate) fn not_found(self, program: &str) -> (i32, String) {
        match self {
            Self::Posix => (127, format!("/bin/sh: 1: {program}: not found")),
            Self::Cmd => (1, not_recognized(program)),
        }
    }

    /// Returns the exit code and the message for a file that is not a program.
    pub(crate) fn not_executable(self, program: &str) -> (i32, String) {
        match self {
            Self::Posix => (126, format!("/bin/sh: 1: {program}: Permission denied")),
            Self::Cmd => (1, not_recognized(program)),
        }
    }
}

fn not_recognized(program: &str) -> String {
    format!(
        "'{program}' is not recognized as an internal or external command,\r\noperable program or batch file."
    )
}

#[cfg(test)]
mod tests {
    use super::Shell::{Cmd, Posix};

    #[test]
    fn each_shell_has_its_own_words() {
        assert!(Posix.alone_knows("cd") && Posix.answers("echo"));
        assert!(!Posix.alone_knows("CD") && !Posix.alone_knows("copy"));
        assert!(Cmd.alone_knows("CD") && Cmd.alone_knows("echo") && Cmd.alone_knows("copy"));
        assert!(!Cmd.answers("echo") && !Cmd.alone_knows("export"));
        for shell in [Posix, Cmd] {
            assert!(!shell.alone_knows("node") && !shell.answers("node"));
        }
    }

    #[test]
    fn each_shell_has_its_own_message() {
        assert_eq!(Posix.not_found("x").0, 127);
        assert_eq!(Posix.not_executable("x").0, 126);
        let (code, message) = Cmd.not_found("x");
        assert_eq!(code, 1);
        assert!(message.starts_with("'x' is not recognized"), "{message}");
    }
}
