//! A directory as one text for reviews: the list of files, then the content of some of them.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// Lists every file of `root`, and the content of those that `shown` selects, each after a line
/// `=== path`.
pub(crate) fn render(root: &Path, shown: impl Fn(&str) -> bool) -> String {
    let files = files(root);
    let mut res = String::new();
    for path in &files {
        writeln!(res, "{}", listing(root, path)).unwrap();
    }
    for path in files.iter().filter(|path| shown(path)) {
        let bytes = fs::read(root.join(path)).unwrap();
        write!(res, "\n=== {path}\n{}", content(&bytes)).unwrap();
    }
    res
}

/// Returns the paths of all files below `root`, sorted.
pub(crate) fn files(root: &Path) -> Vec<String> {
    let mut acc = Vec::new();
    collect(root, root, &mut acc);
    acc.sort();
    acc
}

fn collect(root: &Path, directory: &Path, acc: &mut Vec<String>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, acc);
        } else {
            acc.push(
                path.strip_prefix(root)
                    .unwrap()
                    .to_str()
                    .unwrap()
                    .to_owned(),
            );
        }
    }
}

/// Returns the path and the size, with a star if the file is executable.
fn listing(root: &Path, path: &str) -> String {
    let metadata = fs::symlink_metadata(root.join(path)).unwrap();
    let star = if metadata.permissions().mode() & 0o111 == 0 {
        ""
    } else {
        " *"
    };
    format!("{path} {}{star}", metadata.len())
}

/// Returns text with invisible characters escaped, or the size of any other content.
fn content(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            let mut res = text.replace('\u{feff}', "<BOM>").replace('\r', "<CR>");
            if !res.ends_with('\n') {
                res.push_str("<no newline at the end>\n");
            }
            res
        }
        Err(_) => format!("<{} bytes that are no text>\n", bytes.len()),
    }
}

#[test]
fn shows_list_and_chosen_files() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("b")).unwrap();
    fs::write(directory.path().join("b/c.md"), "one\r\n").unwrap();
    fs::write(directory.path().join("a.bin"), [0xff]).unwrap();
    let text = render(directory.path(), |path| path.starts_with("b/"));
    assert_eq!(text, "a.bin 1\nb/c.md 5\n\n=== b/c.md\none<CR>\n");
}
