//! The files of a skill that the command line of an MCP server starts.

/// The directory of the files in a command line.
const OWN: &str = "${SKILL_DIR}/";
/// The endings of programs that an interpreter starts.
const ENDINGS: [&str; 9] = [
    ".js", ".mjs", ".cjs", ".ts", ".mts", ".py", ".sh", ".rb", ".php",
];
/// The interpreters whose options come before the program.
const INTERPRETERS: [&str; 13] = [
    "node", "python", "python3", "deno", "bun", "ruby", "php", "sh", "bash", "zsh", "tsx",
    "ts-node", "uv",
];
/// The interpreters that take a module or a directory as a program, and what they look for.
const RESOLVERS: [&str; 3] = ["node", "python", "python3"];
const RESOLVED: [&str; 6] = [
    "",
    ".js",
    ".json",
    "/index.js",
    "/package.json",
    "/__main__.py",
];
/// The options that name a file which is loaded before the program.
const PRELOADS: [&str; 5] = [
    "--import",
    "--require",
    "-r",
    "--loader",
    "--experimental-loader",
];

/// The options that name the directory in which a program is looked for. Bun, uv, npm and
/// others have them.
const DIRECTORY_OPTIONS: [&str; 5] = ["--directory", "--cwd", "--prefix", "-C", "--chdir"];
/// The programs that start others elsewhere: in a container or on another machine.
const ELSEWHERE: [&str; 9] = [
    "docker",
    "podman",
    "nerdctl",
    "docker-compose",
    "kubectl",
    "ssh",
    "wsl",
    "vagrant",
    "nsenter",
];

/// Returns a word of a command line as a path below the directory of the files; `None` for any other word.
pub fn own_path(word: &str) -> Option<&str> {
    let path = word.strip_prefix(OWN).unwrap_or(word);
    let path = path.trim_start_matches("./");
    let is_inner = !path.is_empty()
        && !path.starts_with(['/', '-', '~'])
        && !path.contains(['$', '\\', ':', '='])
        && !path.split('/').any(|part| part == "..");
    is_inner.then_some(path)
}

/// Returns the words of a command line, those inside of a line for a shell (`bash -c "node a.mjs"`) too.
pub fn command_words<'w>(
    command: Option<&'w str>,
    args: &'w [String],
) -> impl Iterator<Item = &'w str> {
    let words = command.into_iter().chain(args.iter().map(String::as_str));
    words.flat_map(str::split_whitespace)
}

/// A file that a command line starts or loads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Program<'w> {
    path: &'w str,
    /// Node or Python look for it with several endings.
    is_resolved: bool,
}

impl Program<'_> {
    /// Returns the files that the word may mean: itself, and what Node and Python look for.
    pub fn files(self) -> impl Iterator<Item = String> {
        let path = self.path.trim_end_matches('/');
        let endings = RESOLVED.iter().filter(move |ending| match path {
            "." => ending.starts_with('/'),
            _ => self.is_resolved || ending.is_empty(),
        });
        endings.map(move |ending| match path {
            "." => ending.trim_start_matches('/').to_owned(),
            path => format!("{path}{ending}"),
        })
    }
}

/// Returns a word as [`own_path`] does, and `.` for the directory itself.
fn program_path(word: &str) -> Option<&str> {
    let is_directory = ["", ".", "./"].contains(&word.strip_prefix(OWN).unwrap_or(word));
    if is_directory {
        return Some(".");
    }
    own_path(word)
}

/// Returns true for a word after which files are looked for in another directory: an option, or `cd` of a
/// line for a shell.
fn changes_directory(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'', '(']);
    let name = word.split_once('=').map_or(word, |(name, _)| name);
    matches!(word, "cd" | "pushd") || DIRECTORY_OPTIONS.contains(&name)
}

/// Returns the directory below that of the files in which a command line looks for its program: that of
/// `uv run --directory srv server.py` or `bash -c "cd srv && node a.js"`.
pub fn program_directory<'w>(command: Option<&'w str>, args: &'w [String]) -> Option<&'w str> {
    let words: Vec<&str> = command_words(command, args).collect();
    if words.iter().any(|word| starts_elsewhere(word)) {
        return None;
    }
    let at = words.iter().position(|word| changes_directory(word))?;
    let directory = match words[at].split_once('=') {
        Some((_, directory)) => directory,
        None => words.get(at + 1)?,
    };
    let directory = directory.trim_matches(['"', '\'', ';', ')']);
    let path = own_path(directory)?.trim_end_matches('/');
    (path != "." && !path.is_empty()).then_some(path)
}

/// Returns true for a program that starts others in a container or on another machine.
fn starts_elsewhere(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    ELSEWHERE.contains(&name.trim_end_matches(".exe"))
}

/// Returns the files below its directory that a command line loads, and the first that it starts. What
/// comes after it are its own arguments, which may name files to be made. There are none if files are
/// looked for elsewhere.
pub fn programs<'w>(command: Option<&'w str>, args: &'w [String]) -> Vec<Program<'w>> {
    let words: Vec<&str> = command_words(command, args).collect();
    let mut res = Vec::new();
    let Some(first) = words.first().copied() else {
        return res;
    };
    let own = own_path(first).filter(|_| first.contains('/'));
    if first.contains('/') {
        let is_resolved = false;
        res.extend(own.map(|path| Program { path, is_resolved }));
        return res;
    }
    if starts_elsewhere(first) {
        return res;
    }
    for (at, word) in words.iter().enumerate().skip(1) {
        let has_ending = ENDINGS.iter().any(|ending| word.ends_with(ending));
        let is_argument = at == 1 && RESOLVERS.contains(&first) && !word.starts_with('-');
        if changes_directory(word) || starts_elsewhere(word) && !is_argument {
            return Vec::new();
        }
        let before = words[at - 1];
        let is_loaded = PRELOADS.contains(&before);
        let is_value = before.starts_with('-') && !is_loaded && !INTERPRETERS.contains(&first);
        if word.starts_with('-') || is_value || !(has_ending || is_argument) {
            continue;
        }
        let is_resolved = is_argument || is_loaded;
        res.extend(program_path(word).map(|path| Program { path, is_resolved }));
        if !is_loaded {
            break;
        }
    }
    res
}

/// Returns the first of the [`programs`] of a command line that is not among the files below its
/// directory.
///
/// ```
/// use skill_model::missing_program;
///
/// let args = ["server.js", "--out", "new.js"].map(str::to_owned);
/// let has = |path: &str| path == "server.js";
/// assert_eq!(missing_program(Some("node"), &args, &has), None);
/// assert_eq!(missing_program(Some("node"), &args, &|_| false).as_deref(), Some("server.js"));
/// ```
pub fn missing_program(
    command: Option<&str>,
    args: &[String],
    has: &dyn Fn(&str) -> bool,
) -> Option<String> {
    let all = programs(command, args).into_iter();
    let mut missing = all.filter(|program| !program.files().any(|file| has(&file)));
    missing.next().map(|program| program.path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, files: &[&str], expected: Option<&str>) {
        let mut words = line.split(' ').map(str::to_owned);
        let command = words.next();
        let args: Vec<String> = words.collect();
        let found = missing_program(command.as_deref(), &args, &|path| files.contains(&path));
        assert_eq!(found.as_deref(), expected, "{line}");
    }

    #[test]
    fn directories_of_programs() {
        for (line, expected) in [
            ("uv run --directory srv server.py", Some("srv")),
            ("uv --directory=./srv/ run server.py", Some("srv")),
            ("bash -c cd srv; node a.js", Some("srv")),
            ("uv run --directory /opt/srv server.py", None),
            ("docker run img bash -c cd srv", None),
            ("node a.js", None),
        ] {
            let args: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
            let command = line.split(' ').next();
            assert_eq!(program_directory(command, &args), expected, "{line}");
        }
    }

    #[test]
    fn programs_are_found_in_command_lines() {
        check("node weather.js", &[], Some("weather.js"));
        check("node weather.js", &["weather.js"], None);
        check("node ${SKILL_DIR}/dist/a.js", &[], Some("dist/a.js"));
        check("node build", &[], Some("build"));
        check("node build", &["build/index.js"], None);
        check("node dist/a", &["dist/a.js"], None);
        check("./bin/weather --all", &[], Some("bin/weather"));
        check("./bin/weather out.js", &["bin/weather"], None);
        check("${SKILL_DIR}/weather", &[], Some("weather"));
        check("python3 -u server.py data.py", &["server.py"], None);
        check("python3 -u server.py", &[], Some("server.py"));
        check("python -m weather", &[], None);
        check("node --import ./x.mjs a.js", &["a.js"], Some("x.mjs"));
        check("node --import ./x.mjs a.js", &["x.mjs"], Some("a.js"));
        check("uv run --with mcp server.py", &[], Some("server.py"));
        check("fastmcp run server.py", &[], Some("server.py"));
        check("weather --out new.js", &[], None);
        check("weather serve", &[], None);
        check("node /opt/a.js b.js", &[], None);
        check("node ${HOME}/a.js", &[], None);
        check("deno run --allow-net main.ts", &[], Some("main.ts"));
        check("node .", &["package.json"], None);
        check("node ./", &["index.js"], None);
        check("node ${SKILL_DIR}/", &["index.js"], None);
        check("python .", &["__main__.py"], None);
        check("node .", &["server.js"], Some("."));
        check("uv --directory ${HOME}/x run main.py", &[], None);
        check("uv --directory=x run main.py", &[], None);
        check("bun --cwd server run main.ts", &[], None);
        check("sh -c cd server && python main.py", &[], None);
        check("sh -c (cd server; python main.py)", &[], None);
        check("docker exec -i c node server.js", &[], None);
        check("/usr/bin/podman run -i image server.py", &[], None);
        check("sh -c docker exec -i c node server.js", &[], None);
        check("./bin/docker run", &[], Some("bin/docker"));
        check("node docker", &[], Some("docker"));
        check("node -r ./x .", &["x.js", "index.js"], None);
        check("ssh host node server.js", &[], None);
    }
}
