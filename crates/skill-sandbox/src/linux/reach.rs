//! The files that a program must be able to read in order to start.
//!
//! A child may read what the policy allows and what belongs to installed programs; a file of a
//! skill adds nothing. A program counts as installed under two conditions. It is in a directory of
//! the system ([`system::PROGRAMS`]) or in a directory of the search path of the tool's user. And
//! neither a child nor every user of the machine may write there.

mod script;
mod system;
mod trail;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::{Mode, OFlags};

use self::script::FirstLine;
use self::system::{PARTS, PROGRAM_DIRECTORIES, PROGRAMS, SYSTEM};
use self::trail::{Trail, is_open_to_all, trail, unfit};
use crate::error::{Error, Result};
use crate::policy::Policy;
use crate::program::{Command, DEFAULT_PATH};
use crate::spec::{Program, Spec};

/// The maximum number of interpreters that are followed from one program.
const DEPTH: usize = 8;

/// Files and directories of the system and of installed programs.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// The paths that may be read, without links in them.
    pub(crate) places: BTreeSet<PathBuf>,
    /// The links on the way there: their paths and their targets.
    pub(crate) links: BTreeMap<PathBuf, PathBuf>,
}

/// Everything that determines a [`Reach`], besides the files on disk.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ReachQuery {
    /// Program names without a `/`.
    names: BTreeSet<OsString>,
    /// Absolute paths of programs.
    files: BTreeSet<PathBuf>,
    search: Vec<PathBuf>,
    distrusted: Vec<PathBuf>,
}

/// A result and the time at which it was computed.
type CachedReach = (Instant, Arc<Reach>);

/// Recent results. Computing one takes hundreds of system calls, and most calls need the same one.
/// A confined child cannot change the files that it depends on, because no child may write them.
static CACHE: Mutex<BTreeMap<ReachQuery, CachedReach>> = Mutex::new(BTreeMap::new());

/// The time for which a result is used. A program that is installed meanwhile is found that much later.
pub(crate) const CACHE_TIME: Duration = Duration::from_secs(2);

/// Returns what `found`, which is about to be started, and the programs of the policy need.
///
/// # Errors
///
/// The program, or the interpreter that its first line names, may not be used. The error says which
/// file names it.
pub(crate) fn reach(spec: &Spec, found: &Command, policy: &Policy) -> Result<Arc<Reach>> {
    let (mut names, files) = named(spec, policy);
    let line = FirstLine::read(&found.program);
    let asked = line.iter().flat_map(FirstLine::env_programs);
    names.extend(asked.filter(|word| is_name(word)).cloned());
    let reach = cached(ReachQuery {
        names,
        files: files.into_iter().chain([found.program.clone()]).collect(),
        search: search(policy),
        distrusted: distrusted(policy),
    });
    check_program(&reach, found, line.as_ref(), policy)?;
    Ok(reach)
}

/// Returns the programs that a child must find: names, and absolute paths.
fn named(spec: &Spec, policy: &Policy) -> (BTreeSet<OsString>, BTreeSet<PathBuf>) {
    let words = words(spec)
        .into_iter()
        .map(|word| OsStr::from_bytes(word).to_owned());
    let all = words.chain(policy.programs.iter().cloned());
    let (names, paths): (BTreeSet<_>, BTreeSet<_>) = all.partition(|word| is_name(word));
    let paths = paths.into_iter().map(PathBuf::from);
    (names, paths.filter(|path| path.is_absolute()).collect())
}

/// Returns what may be the name of a program: the words of a shell line, or the first word of an
/// argument list.
fn words(spec: &Spec) -> Vec<&[u8]> {
    match &spec.program {
        Program::Argv(argv) => argv
            .first()
            .map(|name| name.as_bytes())
            .into_iter()
            .collect(),
        Program::Shell(line) => line
            .as_bytes()
            .split(|byte| byte.is_ascii_whitespace() || b"'\"`$(){};&|<>=".contains(byte))
            .filter(|word| !word.is_empty())
            .collect(),
    }
}

fn is_name(word: &OsStr) -> bool {
    !word.as_encoded_bytes().contains(&b'/')
}

/// Returns the absolute directories of the search path.
fn search(policy: &Policy) -> Vec<PathBuf> {
    let path = policy.search.as_deref().unwrap_or(OsStr::new(DEFAULT_PATH));
    std::env::split_paths(path)
        .filter(|directory| directory.is_absolute())
        .collect()
}

/// Returns the directories whose programs do not count as installed: those that a child may access.
fn distrusted(policy: &Policy) -> Vec<PathBuf> {
    let given = policy.read.iter().chain(&policy.write);
    let given = given.map(|held| held.at().to_owned());
    given.chain(policy.distrusted.iter().cloned()).collect()
}

fn cached(query: ReachQuery) -> Arc<Reach> {
    let cache = || CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((since, reach)) = cache().get(&query)
        && since.elapsed() < CACHE_TIME
    {
        return Arc::clone(reach);
    }
    let reach = Arc::new(Search::new(&query).look(&query));
    let mut cache = cache();
    cache.retain(|_, (since, _)| since.elapsed() < CACHE_TIME);
    cache.insert(query, (Instant::now(), Arc::clone(&reach)));
    reach
}

impl Reach {
    /// Returns true if a path without links may be read.
    fn contains(&self, real: &Path) -> bool {
        real.ancestors().any(|path| self.places.contains(path))
    }

    fn add(&mut self, trail: Trail) {
        self.places.insert(trail.real);
        self.links.extend(trail.links);
    }

    /// Removes paths and links beneath another path that may be read.
    fn pruned(mut self) -> Self {
        let places = std::mem::take(&mut self.places);
        for place in places {
            // A directory sorts before what is in it.
            if !self.contains(&place) {
                self.places.insert(place);
            }
        }
        let links = std::mem::take(&mut self.links);
        let (_, outside) = links.into_iter().partition(|(at, _)| self.contains(at));
        self.links = outside;
        self
    }
}

/// A search for programs.
struct Search<'q> {
    /// The directories that are searched for programs, with their real paths.
    directories: Vec<(&'q Path, PathBuf)>,
    distrusted: &'q [PathBuf],
    reach: Reach,
    seen: BTreeSet<PathBuf>,
}

impl<'q> Search<'q> {
    fn new(query: &'q ReachQuery) -> Self {
        let mut res = Self {
            directories: Vec::new(),
            distrusted: &query.distrusted,
            reach: Reach::default(),
            seen: BTreeSet::new(),
        };
        for directory in &query.search {
            if let Some(Trail { real, .. }) = trail(directory)
                && res.is_trusted(&real.join("program"))
            {
                res.directories.push((directory, real));
            }
        }
        res
    }

    fn look(mut self, query: &ReachQuery) -> Reach {
        for path in SYSTEM {
            if let Some(trail) = trail(Path::new(path)) {
                self.reach.add(trail);
            }
        }
        for name in &query.names {
            self.add_name(name, DEPTH);
        }
        for file in &query.files {
            self.add_file(file, DEPTH);
        }
        self.reach.pruned()
    }

    /// Returns true if no confined child and not every user may write the directories of `real`.
    fn is_trusted(&self, real: &Path) -> bool {
        let is_given = |place: &PathBuf| place != Path::new("/") && real.starts_with(place);
        !self.distrusted.iter().any(is_given) && !is_open_to_all(real)
    }

    /// Adds the first program with that name.
    fn add_name(&mut self, name: &OsStr, depth: usize) {
        let found = self.directories.iter().find_map(|(directory, _)| {
            let program = directory.join(name);
            let trail = trail(&program)?;
            unfit(&trail.real).is_none().then_some(program)
        });
        if let Some(program) = found {
            self.add_program(&program, depth);
        }
    }

    /// Adds a program by its absolute path, if it is in a directory of installed programs.
    fn add_file(&mut self, file: &Path, depth: usize) {
        let Some(parent) = file.parent().and_then(trail) else {
            return;
        };
        let is_searched = self
            .directories
            .iter()
            .any(|(_, real)| *real == parent.real);
        let is_system = PROGRAMS.iter().any(|place| parent.real.starts_with(place));
        if is_searched || is_system {
            self.add_program(file, depth);
        }
    }

    fn add_program(&mut self, program: &Path, depth: usize) {
        let Some(found) = trail(program) else {
            return;
        };
        let fits = unfit(&found.real).is_none() && self.is_trusted(&found.real);
        if depth == 0 || !fits || !self.seen.insert(program.to_owned()) {
            return;
        }
        let real = found.real.clone();
        self.reach.add(found);
        if let Some(parent) = program.parent().and_then(trail) {
            self.add_prefix(&parent.real);
        }
        if let Some(parent) = real.parent() {
            self.add_prefix(parent);
        }
        self.add_interpreter(&real, depth - 1);
    }

    /// Adds the parts of the prefix of a program directory, by its real path.
    ///
    /// The `share` directory of a prefix named `.local` contains more than programs and is left
    /// out.
    fn add_prefix(&mut self, directory: &Path) {
        let name = directory.file_name().unwrap_or_default();
        let is_program_directory = PROGRAM_DIRECTORIES.iter().any(|known| name == *known);
        let above = directory.parent().filter(|_| is_program_directory);
        let Some(prefix) = above.filter(|prefix| *prefix != Path::new("/")) else {
            return;
        };
        if is_home(prefix) {
            return;
        }
        let is_personal = prefix.file_name().is_some_and(|name| name == ".local");
        let has = |name: &str| rustix::fs::lstat(prefix.join(name)).is_ok();
        let is_conda = has("conda-meta");
        // pyenv and asdf have shims; volta keeps what it manages in a hidden directory.
        let is_hidden = prefix
            .file_name()
            .is_some_and(|name| name.as_bytes().starts_with(b"."));
        let is_manager = has("shims") || is_hidden;
        let parts = PARTS.iter().filter(|part| match **part {
            "share" => !is_personal,
            "etc" | "ssl" => is_conda,
            "installs" | "plugins" | "tools" | "version" | "versions" => is_manager,
            _ => true,
        });
        for part in parts {
            // A link that leads out of the prefix is not a part of it.
            if let Some(part) = trail(&prefix.join(part))
                && part.real.starts_with(prefix)
            {
                self.reach.add(part);
            }
        }
    }

    /// Adds the programs that the first line of an installed script names.
    fn add_interpreter(&mut self, script: &Path, depth: usize) {
        let Some(line) = FirstLine::read(script) else {
            return;
        };
        self.add_file(&line.interpreter, depth);
        for word in line.env_programs() {
            if is_name(word) {
                self.add_name(word, depth);
            } else {
                self.add_file(Path::new(word), depth);
            }
        }
    }
}

/// Returns true if a directory is a home directory, in which `lib`, `etc` and `ssl` belong to a
/// person and not to a program. It is one if the list of users says so, or if it contains what
/// shells, editors and key stores leave there.
fn is_home(dir: &Path) -> bool {
    const LEFT: [&str; 8] = [
        ".ssh",
        ".gnupg",
        ".profile",
        ".bashrc",
        ".bash_history",
        ".zshrc",
        ".config",
        ".cache",
    ];
    let mut left = LEFT.iter().map(|name| dir.join(name));
    left.any(|path| rustix::fs::lstat(path).is_ok()) || homes().iter().any(|home| home == dir)
}

/// Returns the home directories of the users of this machine (passwd(5)).
fn homes() -> Vec<PathBuf> {
    let text = rustix::fs::open(
        "/etc/passwd",
        OFlags::RDONLY | OFlags::CLOEXEC,
        Mode::empty(),
    );
    let mut bytes = Vec::new();
    if let Ok(file) = text {
        // If the file cannot be read, there are no users.
        let _ = std::fs::File::from(file).read_to_end(&mut bytes);
    }
    let lines = bytes.split(|byte| *byte == b'\n');
    let listed = lines.filter_map(|line| line.split(|byte| *byte == b':').nth(5));
    let listed = listed.map(|home| PathBuf::from(OsStr::from_bytes(home)));
    let system = |home: &PathBuf| home == Path::new("/usr") || home == Path::new("/");
    listed.filter(|home| !system(home)).collect()
}

/// Checks that the program, and the interpreter of a script, may be read and executed.
fn check_program(
    reach: &Reach,
    found: &Command,
    line: Option<&FirstLine>,
    policy: &Policy,
) -> Result<()> {
    let is_given = |real: &Path| {
        let mut given = policy.read.iter().chain(&policy.write);
        given.any(|held| real.starts_with(held.at())) || reach.contains(real)
    };
    let check = |named: &Path, line: Option<&FirstLine>| {
        // If the file does not exist, the start reports it.
        let Some(Trail { real, .. }) = trail(named) else {
            return Ok(());
        };
        let why = unfit(&real).or_else(|| (!is_given(&real)).then_some(ELSEWHERE));
        why.map_or(Ok(()), |why| {
            Err(Error::NoProgram {
                file: found.program.clone(),
                line: line.map(|line| line.text.clone()),
                named: named.to_owned(),
                why,
            })
        })
    };
    check(&found.program, None)?;
    let Some(line) = line else { return Ok(()) };
    if line.interpreter.is_absolute() {
        check(&line.interpreter, Some(line))?;
    }
    Ok(())
}

/// The reason why a program may not be used, for a message.
const ELSEWHERE: &str = "which lies neither in a directory of the system nor on the PATH";
