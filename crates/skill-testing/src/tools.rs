//! The tools under test: links to the program that has all of them.

use std::io::ErrorKind;
#[cfg(unix)]
use std::os::unix::fs::symlink;
#[cfg(windows)]
use std::os::windows::fs::symlink_file as symlink;
use std::path::Path;

/// The path of a tool that cargo built for this test: `tool!("skills-run")`.
#[macro_export]
macro_rules! tool {
    ($name:expr) => {
        $crate::tools::link(env!("CARGO_BIN_EXE_skills"), $name)
    };
}

/// The tools.
const TOOLS: [&str; 8] = [
    "skills-describe",
    "skills-migrate",
    "skills-nodes",
    "skills-parity",
    "skills-read",
    "skills-run",
    "skills-serve",
    "skills-validate",
];

/// Returns the path of a link named `tool` to the program that has all tools; the directory has a
/// link for each of them.
///
/// # Panics
///
/// There is no such tool, its path is not UTF-8, or a link cannot be made.
pub fn link(program: &str, tool: &str) -> String {
    let program = Path::new(program);
    let dir = program.with_file_name("tools");
    std::fs::create_dir_all(&dir).expect("the directory of builds can be written");
    // Relative, so that a directory of builds can be moved.
    let target = Path::new("..").join(program.file_name().unwrap_or_default());
    for tool in TOOLS {
        match symlink(&target, dir.join(tool)) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => panic!("{error}"),
            _ => {}
        }
    }
    assert!(TOOLS.contains(&tool), "no tool of this name: {tool}");
    let link = dir.join(tool).into_os_string();
    link.into_string()
        .expect("the path of the workspace is UTF-8")
}
