//! The official MCP clients and two servers, for the tests of `skills-serve` and of MCP servers, and clients of
//! HTTP/2 and WebSocket for those of the emulated internet: installed from `PyPI` and npm into `target/clients`,
//! never anywhere else.
//!
//! Where a registry cannot be reached or a program is missing, the reason is written to
//! `target/clients/python.skipped`, `node.skipped` or `web.skipped`, and the tests say it when they skip.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::repo::Repo;
use crate::shell;

/// The directory of the clients, below the repository.
const PLACE: &str = "target/clients";
const PYTHON: [&str; 2] = ["mcp==2.3.0", "mcp-server-time==2026.10.19"];
/// The inspector needs Node 22, which is a package too. Newer inspectors have another command
/// line.
const NODE: [&str; 4] = [
    "@modelcontextprotocol/sdk@1.32.2",
    "@modelcontextprotocol/inspector@0.15.0",
    "node@22",
    "@modelcontextprotocol/server-everything@2026.8.31",
];

const WEB_PYTHON: [&str; 3] = [
    "httpx[http2]==0.28.1",
    "websockets==17.4",
    "aiohttp==3.14.5",
];
const WEB_NODE: [&str; 2] = ["undici@6.29.1", "ws@8.23.0"];

pub(crate) fn run(repo: &Repo, _args: &[String]) -> Result<()> {
    let place = repo.path(PLACE);
    fs::create_dir_all(&place).with_context(|| format!("cannot create {}", place.display()))?;
    for (name, wanted, install) in [
        (
            "python",
            PYTHON.join(" "),
            python as fn(&Repo, &Path) -> Result<()>,
        ),
        ("node", NODE.join(" "), node),
        (
            "web",
            [WEB_PYTHON.join(" "), WEB_NODE.join(" ")].join(" "),
            web,
        ),
    ] {
        let [installed, skipped] =
            ["installed", "skipped"].map(|word| place.join(format!("{name}.{word}")));
        if fs::read_to_string(&installed).is_ok_and(|known| known == wanted) {
            continue;
        }
        let _ = fs::remove_file(&installed);
        match install(repo, &place) {
            Ok(()) => {
                let _ = fs::remove_file(&skipped);
                fs::write(&installed, &wanted)?;
                println!("   {name}: {wanted}");
            }
            Err(error) => {
                fs::write(&skipped, format!("{error:#}\n"))?;
                println!("   {name}: not installed, its tests will be skipped: {error:#}");
            }
        }
    }
    Ok(())
}

fn python(repo: &Repo, place: &Path) -> Result<()> {
    let venv = place.join("py");
    shell::capture(
        shell::program(repo, "python3")
            .args(["-m", "venv"])
            .arg(&venv),
    )?;
    let mut pip = shell::program(repo, venv.join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]);
    shell::capture(pip.args(PYTHON)).map(drop)
}

/// Installs the clients of the web as files that a plugin can have beside its program.
fn web(repo: &Repo, place: &Path) -> Result<()> {
    let place = place.join("web");
    fs::create_dir_all(&place)?;
    let mut pip = shell::program(repo, "python3");
    pip.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--upgrade",
    ]);
    pip.arg("--target").arg(place.join("python"));
    shell::capture(pip.args(WEB_PYTHON))?;
    npm(repo, &place, &WEB_NODE)
}

fn node(repo: &Repo, place: &Path) -> Result<()> {
    npm(repo, place, &NODE)
}

fn npm(repo: &Repo, place: &Path, packages: &[&str]) -> Result<()> {
    fs::write(place.join("package.json"), "{\"private\": true}\n")?;
    let mut npm = shell::program(repo, "npm");
    npm.current_dir(place)
        .args(["install", "--no-audit", "--no-fund", "--loglevel", "error"]);
    shell::capture(npm.args(packages)).map(drop)
}
