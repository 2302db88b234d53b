//! What a program needs to read to start at all.
//!
//! Readable is what the policy says and what belongs to installed programs; a file of a skill adds
//! nothing. A program counts as installed when it lies in a directory of the system
//! ([`system::PROGRAMS`]) or in a directory of the search path of the tool's user, and when neither a
//! child nor every user of the machine may write there.

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

/// How many interpreters are followed from one program.
const DEPTH: usize = 8;

/// Files and directories of the system and of installed programs.
#[derive(Debug, Default)]
pub(crate) struct Reach {
    /// What may be read, by paths without links.
    pub(crate) places: BTreeSet<PathBuf>,
    /// The links on the way there: where they lie, and what they say.
    pub(crate) links: BTreeMap<PathBuf, PathBuf>,
}

/// What decides over a [`Reach`], besides the files that are there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Question {
    /// Names without a `/`.
    names: BTreeSet<OsString>,
    /// Absolute paths.
    files: BTreeSet<PathBuf>,
    search: Vec<PathBuf>,
    distrusted: Vec<PathBuf>,
}

/// A reach, and when it was found.
type Known = (Instant, Arc<Reach>);

/// What was found a moment ago: finding it takes hundreds of looks at files, which are the same for
/// each call. Nobody who is confined can change them: they lie where no child may write.
static KNOWN: Mutex<BTreeMap<Question, Known>> = Mutex::new(BTreeMap::new());

/// How long that holds. A program that is installed meanwhile is found so much later.
pub(crate) const HOLDS: Duration = Duration::from_secs(2);

/// What `found`, which is about to be started, and the programs of the policy need.
///
/// Where the program, or the interpreter that its first line names, is none that may be used, the
/// error says which file names what.
pub(crate) fn reach(spec: &Spec, found: &Command, policy: &Policy) -> Result<Arc<Reach>> {
    let (mut names, files) = named(spec, policy);
    let line = FirstLine::of(&found.program);
    let asked = line.iter().flat_map(FirstLine::asked_of_env);
    names.extend(asked.filter(|word| is_name(word)).cloned());
    let reach = known(Question {
        names,
        files: files.into_iter().chain([found.program.clone()]).collect(),
        search: search(policy),
        distrusted: distrusted(policy),
    });
    check_program(&reach, found, line.as_ref(), policy)?;
    Ok(reach)
}

/// The programs that a child is to find: names, and absolute paths.
fn named(spec: &Spec, policy: &Policy) -> (BTreeSet<OsString>, BTreeSet<PathBuf>) {
    let words = words(spec)
        .into_iter()
        .map(|word| OsStr::from_bytes(word).to_owned());
    let all = words.chain(policy.programs.iter().cloned());
    let (names, paths): (BTreeSet<_>, BTreeSet<_>) = all.partition(|word| is_name(word));
    let paths = paths.into_iter().map(PathBuf::from);
    (names, paths.filter(|path| path.is_absolute()).collect())
}

/// What may be the name of a program: the words of a shell line, the first of an argument list.
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

/// The directories of the search path that are absolute.
fn search(policy: &Policy) -> Vec<PathBuf> {
    let path = policy.search.as_deref().unwrap_or(OsStr::new(DEFAULT_PATH));
    std::env::split_paths(path)
        .filter(|directory| directory.is_absolute())
        .collect()
}

/// Directories whose programs bring nothing: what the child may reach is no place of programs.
fn distrusted(policy: &Policy) -> Vec<PathBuf> {
    let given = policy.read.iter().chain(&policy.write);
    let given = given.map(|held| held.at().to_owned());
    given.chain(policy.distrusted.iter().cloned()).collect()
}

fn known(question: Question) -> Arc<Reach> {
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((since, reach)) = known().get(&question)
        && since.elapsed() < HOLDS
    {
        return Arc::clone(reach);
    }
    let reach = Arc::new(Search::new(&question).look(&question));
    let mut known = known();
    known.retain(|_, (since, _)| since.elapsed() < HOLDS);
    known.insert(question, (Instant::now(), Arc::clone(&reach)));
    reach
}

impl Reach {
    /// Whether a path without links may be read.
    fn contains(&self, real: &Path) -> bool {
        real.ancestors().any(|path| self.places.contains(path))
    }

    fn add(&mut self, trail: Trail) {
        self.places.insert(trail.real);
        self.links.extend(trail.links);
    }

    /// Leaves out what is seen anyway because it lies beneath something else.
    fn pruned(mut self) -> Self {
        let places = std::mem::take(&mut self.places);
        for place in places {
            // An outer directory comes before what lies in it.
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

/// A look for programs.
struct Search<'q> {
    /// Directories of programs that are looked through, with their real paths.
    directories: Vec<(&'q Path, PathBuf)>,
    distrusted: &'q [PathBuf],
    reach: Reach,
    seen: BTreeSet<PathBuf>,
}

impl<'q> Search<'q> {
    fn new(question: &'q Question) -> Self {
        let mut res = Self {
            directories: Vec::new(),
            distrusted: &question.distrusted,
            reach: Reach::default(),
            seen: BTreeSet::new(),
        };
        for directory in &question.search {
            if let Some(Trail { real, .. }) = trail(directory)
                && res.is_trusted(&real.join("program"))
            {
                res.directories.push((directory, real));
            }
        }
        res
    }

    fn look(mut self, question: &Question) -> Reach {
        for path in SYSTEM {
            if let Some(trail) = trail(Path::new(path)) {
                self.reach.add(trail);
            }
        }
        for name in &question.names {
            self.add_name(name, DEPTH);
        }
        for file in &question.files {
            self.add_file(file, DEPTH);
        }
        self.reach.pruned()
    }

    /// Whether nobody who is confined may write where `real` lies.
    fn is_trusted(&self, real: &Path) -> bool {
        let is_given = |place: &PathBuf| place != Path::new("/") && real.starts_with(place);
        !self.distrusted.iter().any(is_given) && !is_open_to_all(real)
    }

    /// Adds the first program of that name.
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

    /// Adds a program by its absolute path, when it lies where programs are installed.
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

    /// Adds the parts of the prefix of a directory of programs, by its real path.
    ///
    /// A prefix that is `.local` keeps more than programs in `share`.
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
            // A link that leads out of the prefix is not part of it.
            if let Some(part) = trail(&prefix.join(part))
                && part.real.starts_with(prefix)
            {
                self.reach.add(part);
            }
        }
    }

    /// Adds what the first line of an installed script names.
    fn add_interpreter(&mut self, script: &Path, depth: usize) {
        let Some(line) = FirstLine::of(script) else {
            return;
        };
        self.add_file(&line.interpreter, depth);
        for word in line.asked_of_env() {
            if is_name(word) {
                self.add_name(word, depth);
            } else {
                self.add_file(Path::new(word), depth);
            }
        }
    }
}

/// Whether a directory is somebody's home, in which `lib`, `etc` and `ssl` belong to a person and not to
/// a program: by the list of users, or by what shells, editors and keys leave there.
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

/// The homes of the users of this machine (passwd(5)).
fn homes() -> Vec<PathBuf> {
    let text = rustix::fs::open(
        "/etc/passwd",
        OFlags::RDONLY | OFlags::CLOEXEC,
        Mode::empty(),
    );
    let mut bytes = Vec::new();
    if let Ok(file) = text {
        // What cannot be read names nobody.
        let _ = std::fs::File::from(file).read_to_end(&mut bytes);
    }
    let lines = bytes.split(|byte| *byte == b'\n');
    let listed = lines.filter_map(|line| line.split(|byte| *byte == b':').nth(5));
    let listed = listed.map(|home| PathBuf::from(OsStr::from_bytes(home)));
    let system = |home: &PathBuf| home == Path::new("/usr") || home == Path::new("/");
    listed.filter(|home| !system(home)).collect()
}

/// Whether the program can be started with what may be read; of a script, also its interpreter.
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
        // What is not there is found out by the start.
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

/// Why a program is none that may be used, for a message.
const ELSEWHERE: &str = "which lies neither in a directory of the system nor on the PATH";
