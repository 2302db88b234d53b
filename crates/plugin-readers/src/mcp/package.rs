//! Command lines that start the program of a package: `npx -y pkg@1 …`, `uvx pkg …`.

use plugin_model::ServerPackage;

/// The parts of a command line that starts a package.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Started {
    pub(super) package: ServerPackage,
    /// The program, if it is not that of the package's name.
    pub(super) command: Option<String>,
    pub(super) args: Vec<String>,
}

/// Reads a command line; `None` if it starts something else.
pub(super) fn started(command: &str, args: &[String]) -> Option<Started> {
    let words: Vec<&str> = std::iter::once(command)
        .chain(args.iter().map(String::as_str))
        .collect();
    let words = match words.as_slice() {
        [shell, "/c" | "/C", rest @ ..] if is_program(shell, "cmd") => rest,
        words => words,
    };
    let (first, rest) = words.split_first()?;
    match (rest, first) {
        (_, name) if is_program(name, "npx") => npm(rest, &["-p", "--package"]),
        (_, name) if is_program(name, "bunx") => npm(rest, &[]),
        (["x", rest @ ..], name) if is_program(name, "bun") => npm(rest, &[]),
        (["dlx" | "exec", rest @ ..], name) if is_program(name, "pnpm") => {
            npm(rest, &["--package"])
        }
        (["exec", rest @ ..], name) if is_program(name, "npm") => npm(rest, &["-p", "--package"]),
        (["dlx", rest @ ..], name) if is_program(name, "yarn") => npm(rest, &["-p", "--package"]),
        (_, name) if is_program(name, "uvx") => pypi(rest),
        (["tool", "run", rest @ ..], name) if is_program(name, "uv") => pypi(rest),
        (["run", rest @ ..], name) if is_program(name, "pipx") => pypi(rest),
        _ => None,
    }
}

fn is_program(word: &str, name: &str) -> bool {
    let last = word.rsplit(['/', '\\']).next().unwrap_or(word);
    let last = last
        .strip_suffix(".cmd")
        .or(last.strip_suffix(".exe"))
        .unwrap_or(last);
    last == name
}

fn npm(words: &[&str], package_flags: &[&str]) -> Option<Started> {
    let mut package = None;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let (flag, value) = word.split_once('=').unwrap_or((word, ""));
        if package_flags.contains(&flag) {
            let spec = if value.is_empty() {
                words.next()?
            } else {
                value
            };
            package = Some(spec);
        } else if word == "--" || word.starts_with('-') {
            // `-y`, `--yes`, `-q`, `--prefer-offline`: they have no values.
        } else {
            let args = words.map(str::to_owned).collect();
            let command = package.map(|_| word.to_owned());
            return Some(Started {
                package: npm_package(package.unwrap_or(word))?,
                command,
                args,
            });
        }
    }
    None
}

/// Reads `name@range`; `None` for addresses and directories.
pub(super) fn npm_package(spec: &str) -> Option<ServerPackage> {
    let at = spec
        .char_indices()
        .skip(1)
        .find(|(_, c)| *c == '@')
        .map(|(at, _)| at);
    let (name, range) = at.map_or((spec, None), |at| (&spec[..at], Some(&spec[at + 1..])));
    let n_slashes = usize::from(name.starts_with('@'));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "@/-_.~".contains(c);
    let is_name = !name.is_empty()
        && name.chars().all(is_plain)
        && name.matches('/').count() == n_slashes
        && !name.starts_with('.');
    let range = range.filter(|range| !range.is_empty() && *range != "latest");
    is_name.then(|| ServerPackage {
        registry: "npm",
        name: name.to_owned(),
        range: range.map(str::to_owned),
    })
}

fn pypi(words: &[&str]) -> Option<Started> {
    const WITH_VALUE: [&str; 6] = [
        "--python",
        "-p",
        "--with",
        "--index-url",
        "--index",
        "--extra-index-url",
    ];
    let mut package = None;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let (flag, value) = word.split_once('=').unwrap_or((word, ""));
        let is_flag = word.starts_with('-');
        if is_flag && matches!(flag, "--from" | "--spec") {
            package = Some(if value.is_empty() {
                words.next()?
            } else {
                value
            });
        } else if is_flag && WITH_VALUE.contains(&flag) {
            if value.is_empty() {
                words.next();
            }
        } else if !is_flag {
            let args = words.map(str::to_owned).collect();
            let package = pypi_package(package.unwrap_or(word))?;
            let (name, _) = word.split_once('@').unwrap_or((word, ""));
            let name = name.split(['=', '<', '>', '[', '~']).next().unwrap_or(name);
            let command = (name != package.name).then(|| name.to_owned());
            return Some(Started {
                package,
                command,
                args,
            });
        }
    }
    None
}

/// Reads `name`, `name@1.0`, `name==1.0` or `name[extra]>=1`; `None` for addresses and directories.
pub(super) fn pypi_package(spec: &str) -> Option<ServerPackage> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    let end = spec.find(|c: char| !is_name(c)).unwrap_or(spec.len());
    let (name, rest) = spec.split_at(end);
    let rest = rest.trim();
    if name.is_empty()
        || name.starts_with('.')
        || rest.contains("://")
        || rest.starts_with(['/', ':', '+'])
    {
        return None;
    }
    let range = match rest.strip_prefix('@').map(str::trim) {
        Some("latest" | "") => None,
        Some(version) => Some(format!("=={version}")),
        None if rest.is_empty() => None,
        None => Some(rest.to_owned()),
    };
    Some(ServerPackage {
        registry: "pypi",
        name: name.to_owned(),
        range,
    })
}
