//! Finding the things that tests need on this machine.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{Need, skip};

/// The paths of Chromium in the distributions.
pub const BROWSERS: [&str; 3] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
];

/// Finds a program on `PATH`, or skips the test.
pub fn program(need: Need, name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut candidates = env::split_paths(&path).map(|directory| directory.join(name));
    let found = candidates.find(|file| file.is_file());
    skip::unless(
        need,
        found.ok_or_else(|| format!("there is no `{name}` on PATH")),
    )
}

/// Finds Node.js, or skips the test.
pub fn node() -> Option<PathBuf> {
    program(Need::Node, "node")
}

/// Finds Python 3, or skips the test.
pub fn python() -> Option<PathBuf> {
    program(Need::Python, "python3")
}

/// Finds Chromium, or skips the test.
pub fn browser() -> Option<PathBuf> {
    let found = BROWSERS
        .iter()
        .map(PathBuf::from)
        .find(|path| path.exists());
    skip::unless(
        Need::Browser,
        found.ok_or_else(|| "there is no Chromium".to_owned()),
    )
}

/// Finds a file or directory of the `shared` directory beside the checkout or one above, or skips
/// the test.
pub fn shared(path: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2);
    let parents = root
        .into_iter()
        .flat_map(|root| root.ancestors().skip(1).take(2));
    let found = parents
        .map(|parent| parent.join("shared").join(path))
        .find(|path| path.exists());
    skip::unless(
        Need::Corpora,
        found.ok_or_else(|| format!("there is no ../shared/{path}")),
    )
}

/// Finds the directory in which `cargo xtask clients` installed clients of this kind, or skips the test.
pub fn clients(kind: &str) -> Option<PathBuf> {
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/clients");
    let found = if target.join(format!("{kind}.installed")).is_file() {
        target.canonicalize().map_err(|error| error.to_string())
    } else {
        let why = fs::read_to_string(target.join(format!("{kind}.skipped")));
        let why = why.unwrap_or_else(|_| "cargo xtask clients was not run".to_owned());
        Err(format!("there is no {kind} client: {}", why.trim()))
    };
    skip::unless(Need::Clients, found)
}
