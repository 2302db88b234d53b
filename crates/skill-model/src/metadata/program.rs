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

/// Returns the files that a path of a command line may mean: itself, and what Node and Python look for.
pub fn program_files(path: &str) -> impl Iterator<Item = String> {
    let path = path.trim_end_matches('/');
    RESOLVED.iter().map(move |ending| format!("{path}{ending}"))
}

/// Returns the first program that a command line starts and that is not among the files below its
/// directory. What comes after the program are its own arguments, which may name files to be made.
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
    let words: Vec<&str> = command_words(command, args).collect();
    let first = *words.first()?;
    if first.contains('/') {
        let path = own_path(first).filter(|path| !has(path));
        return path.map(str::to_owned);
    }
    for (at, word) in words.iter().enumerate().skip(1) {
        let has_ending = ENDINGS.iter().any(|ending| word.ends_with(ending));
        let is_resolved = at == 1 && RESOLVERS.contains(&first) && !word.starts_with('-');
        let before = words[at - 1];
        let is_loaded = PRELOADS.contains(&before);
        let is_value = before.starts_with('-') && !is_loaded && !INTERPRETERS.contains(&first);
        if word.starts_with('-') || is_value || !(has_ending || is_resolved) {
            continue;
        }
        let missing = own_path(word).filter(|path| {
            let mut files = program_files(path);
            !(if is_resolved || is_loaded {
                files.any(|file| has(&file))
            } else {
                has(path)
            })
        });
        if missing.is_some() || !is_loaded {
            return missing.map(str::to_owned);
        }
    }
    None
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
    }
}
