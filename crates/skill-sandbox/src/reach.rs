//! What a program needs to read to start at all.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::io::Read as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, open, statat};

use crate::program::{Command, find_program};
use crate::spec::{Program, Spec};

/// Programs, libraries and public settings. `/etc` is not among them as a whole: it holds secrets.
const SYSTEM: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
    "/proc",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/debian_version",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hostname",
    "/etc/hosts",
    "/etc/inputrc",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld-musl-x86_64.path",
    "/etc/locale.alias",
    "/etc/locale.conf",
    "/etc/localtime",
    "/etc/lsb-release",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/networks",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/pki/tls/certs",
    "/etc/pki/ca-trust",
    "/etc/profile",
    "/etc/profile.d",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/shells",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/terminfo",
    "/etc/timezone",
];

/// What of the directory above `bin` belongs to a program; the rest may be somebody's home.
const PARTS: &[&str] = &[
    "bin",
    "conda-meta",
    "etc",
    "include",
    "installs",
    "lib",
    "lib32",
    "lib64",
    "libexec",
    "node_modules",
    "plugins",
    "pyvenv.cfg",
    "share",
    "shims",
    "ssl",
    "tools",
    "version",
    "versions",
];

/// Directories of programs, whose parent is the program's prefix.
const PROGRAM_DIRECTORIES: &[&str] = &["bin", "shims", "sbin", "libexec"];

/// How many interpreters and links are followed from one program.
const DEPTH: usize = 8;

/// What decides the reach of a child, besides the files that are there.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Question {
    program: PathBuf,
    names: Vec<OsString>,
    path: Option<OsString>,
    cwd: PathBuf,
}

/// A set of paths, and when it was found.
type Known = (Instant, Arc<BTreeSet<PathBuf>>);

/// What was found a moment ago: finding it takes hundreds of looks at files, which are the same for
/// each call of a skill.
static KNOWN: Mutex<BTreeMap<Question, Known>> = Mutex::new(BTreeMap::new());

/// How long that holds. A program that is installed meanwhile is found so much later.
const HOLDS: Duration = Duration::from_secs(2);

/// The files that `found`, the words of its line, `others` by name and their interpreters need.
pub(crate) fn reach(spec: &Spec, found: &Command, others: &[OsString]) -> Arc<BTreeSet<PathBuf>> {
    let words = words(spec).into_iter();
    let names = words.map(|word| OsStr::from_bytes(word).to_owned());
    let question = Question {
        program: found.program.clone(),
        names: names.chain(others.iter().cloned()).collect(),
        path: spec.env.get(OsStr::new("PATH")).cloned(),
        cwd: spec.cwd.clone(),
    };
    let known = || KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((since, reach)) = known().get(&question)
        && since.elapsed() < HOLDS
    {
        return Arc::clone(reach);
    }
    let reach = Arc::new(look(&question));
    let mut known = known();
    known.retain(|_, (since, _)| since.elapsed() < HOLDS);
    known.insert(question, (Instant::now(), Arc::clone(&reach)));
    reach
}

fn look(question: &Question) -> BTreeSet<PathBuf> {
    let mut reach: BTreeSet<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
    let path = question.path.as_deref();
    let lookup = |name: &OsStr| find_program(name, path, &question.cwd);
    add_program(&mut reach, &question.program, &lookup, DEPTH);
    for name in &question.names {
        if let Some(program) = lookup(name) {
            add_program(&mut reach, &program, &lookup, DEPTH);
        }
    }
    reach
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

fn add_program(
    reach: &mut BTreeSet<PathBuf>,
    program: &Path,
    lookup: &dyn Fn(&OsStr) -> Option<PathBuf>,
    depth: usize,
) {
    let real = real_path(program);
    let known =
        !reach.insert(program.into()) && real.as_ref().is_none_or(|real| reach.contains(real));
    if known || depth == 0 {
        return;
    }
    add_prefix(reach, program);
    if let Some(real) = real {
        add_prefix(reach, &real);
        reach.insert(real);
    }
    if let Some(interpreter) = interpreter(program, lookup) {
        add_program(reach, &interpreter, lookup, depth - 1);
    }
}

/// The parts of a prefix. One that is `.local` keeps more than programs in `share`.
fn add_prefix(reach: &mut BTreeSet<PathBuf>, program: &Path) {
    let is_program_directory = |directory: &&Path| {
        let name = directory.file_name().unwrap_or_default();
        PROGRAM_DIRECTORIES.iter().any(|known| name == *known)
    };
    let Some(directory) = program.parent().filter(is_program_directory) else {
        return;
    };
    let Some(prefix) = directory
        .parent()
        .filter(|prefix| *prefix != Path::new("/"))
    else {
        return;
    };
    let personal = prefix.file_name().is_some_and(|name| name == ".local");
    for part in PARTS {
        if personal && *part == "share" {
            continue;
        }
        let part = prefix.join(part);
        if statat(CWD, &part, AtFlags::empty()).is_ok() {
            reach.insert(part);
        }
    }
}

/// The interpreter in the first line of a script; of `env`, the program it is asked for.
fn interpreter(program: &Path, lookup: &dyn Fn(&OsStr) -> Option<PathBuf>) -> Option<PathBuf> {
    let file = open(
        program,
        OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK,
        Mode::empty(),
    )
    .ok()?;
    let mut head = Vec::new();
    std::fs::File::from(file)
        .take(256)
        .read_to_end(&mut head)
        .ok()?;
    let line = head
        .strip_prefix(b"#!")?
        .split(|byte| *byte == b'\n')
        .next()?;
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let first = Path::new(OsStr::from_bytes(words.next()?));
    if first.file_name() != Some(OsStr::new("env")) {
        return Some(first.into());
    }
    let name = words.find(|word| !word.starts_with(b"-") && !word.contains(&b'='))?;
    lookup(OsStr::from_bytes(name))
}

fn real_path(path: &Path) -> Option<PathBuf> {
    let file = open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).ok()?;
    let link = format!("/proc/self/fd/{}", std::os::fd::AsRawFd::as_raw_fd(&file));
    let target = rustix::fs::readlink(link, Vec::new()).ok()?;
    Some(PathBuf::from(OsStr::from_bytes(target.as_bytes())))
}
