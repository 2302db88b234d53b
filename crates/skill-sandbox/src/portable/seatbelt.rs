//! The sandbox of macOS: `sandbox-exec` with a profile that refuses everything by default.
//!
//! **Experimental:** the profile has never been run on macOS. It is after the one of Chromium
//! (`sandbox/policy/mac/common.sb`): paths are parameters, never a part of the text, so no path can
//! change the rules. Of the rules that match, the last one applies.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::refusal::NOT_TESTED;
use crate::addresses::LOCALHOST;
use crate::hosts::{Host, HostPort};
use crate::policy::{Network, Policy};
use crate::program::{Command, DEFAULT_PATH};
use crate::report::{Level, Report};
use crate::system::OpenPath;

/// The program of the system, by its path, so that no other one is found.
const SANDBOX_EXEC: &str = "/usr/bin/sandbox-exec";

/// The rules that every child has: its own processes, harmless devices, the system and the places
/// of installed programs.
const BASE: &str = r#"(version 1)
(deny default)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow ipc-posix-sem)
(allow mach-lookup
    (global-name "com.apple.system.logger")
    (global-name "com.apple.system.notification_center")
    (global-name "com.apple.system.opendirectoryd.libinfo"))
(allow file-read* file-write-data file-ioctl
    (literal "/dev/null")
    (literal "/dev/zero"))
(allow file-read*
    (literal "/")
    (literal "/dev/random")
    (literal "/dev/urandom")
    (literal "/etc")
    (literal "/tmp")
    (literal "/var")
    (literal "/private/etc/hosts")
    (literal "/private/etc/localtime")
    (literal "/private/etc/protocols")
    (literal "/private/etc/resolv.conf")
    (literal "/private/etc/services")
    (subpath "/private/etc/ssl")
    (subpath "/private/var/db/timezone"))
(allow file-read* file-map-executable process-exec*
    (subpath "/System")
    (subpath "/Library/Apple")
    (subpath "/Library/Developer/CommandLineTools")
    (subpath "/Library/Frameworks")
    (subpath "/bin")
    (subpath "/opt/homebrew")
    (subpath "/private/var/db/dyld")
    (subpath "/sbin")
    (subpath "/usr/bin")
    (subpath "/usr/lib")
    (subpath "/usr/libexec")
    (subpath "/usr/local")
    (subpath "/usr/sbin")
    (subpath "/usr/share"))
"#;

/// The operations on what may be read: it may also be executed.
const RUN: &str = "file-read* file-map-executable process-exec*";

/// The rules of every child that may connect to anything.
const NAMES: &str = r#"(allow network-outbound (literal "/private/var/run/mDNSResponder"))
(allow mach-lookup
    (global-name "com.apple.SecurityServer")
    (global-name "com.apple.SystemConfiguration.configd")
    (global-name "com.apple.trustd.agent"))
(allow system-socket)
"#;

/// A profile, and the values of its parameters.
#[derive(Debug, PartialEq, Eq)]
struct Profile {
    text: String,
    parameters: Vec<(String, PathBuf)>,
}

/// Returns the program that starts `found` with the restrictions of `policy`.
pub(super) fn confine(policy: &Policy, cwd: &Path, found: Command) -> (Command, Report) {
    let mut programs = search(policy);
    programs.push(found.program.clone());
    let programs: Vec<PathBuf> = programs.iter().map(|path| real(path)).collect();
    let command = command(&profile(policy, &programs, cwd), found);
    (command, report(policy))
}

/// Returns the path without links, which is the one that the rules are about.
#[expect(
    clippy::disallowed_methods,
    reason = "looks at paths for the policy of a child; opens nothing"
)]
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Returns the directories of the user's `PATH` in which programs of a child may be.
fn search(policy: &Policy) -> Vec<PathBuf> {
    let path = policy.search.clone();
    let path = path.unwrap_or_else(|| DEFAULT_PATH.into());
    let is_fit = |dir: &PathBuf| {
        let is_theirs = policy.distrusted.iter().any(|other| dir.starts_with(other));
        dir.is_absolute() && dir.parent().is_some() && !is_theirs
    };
    std::env::split_paths(&path).filter(is_fit).collect()
}

fn command(profile: &Profile, found: Command) -> Command {
    let mut args: Vec<OsString> = vec!["-p".into(), profile.text.clone().into()];
    for (name, path) in &profile.parameters {
        let mut value = OsString::from(name);
        value.push("=");
        value.push(path);
        args.extend(["-D".into(), value]);
    }
    args.extend(["--".into(), found.program.into()]);
    args.extend(found.args);
    Command {
        program: SANDBOX_EXEC.into(),
        name: "sandbox-exec".into(),
        args,
    }
}

/// Returns what is missing, so that nobody takes this for the sandbox of Linux.
fn report(policy: &Policy) -> Report {
    let mut missing = vec![
        NOT_TESTED.to_owned(),
        "memory, processes, open files and sizes of files are not limited".to_owned(),
        "processes that leave the process group, or remain after the answer, are not ended"
            .to_owned(),
        "files are named by path, and may be replaced before the program opens them".to_owned(),
        "descriptors that the caller left open are inherited".to_owned(),
    ];
    if matches!(policy.network, Network::Hosts(_)) {
        missing.push("the network is restricted to ports, not to hosts".to_owned());
    }
    if matches!(policy.network, Network::Emulated(_)) {
        missing.push("the internet is not emulated: no host can be reached".to_owned());
    }
    Report {
        level: Level::Partial,
        missing,
    }
}

/// Returns the profile of a policy. `programs` are files and directories of programs without links.
fn profile(policy: &Policy, programs: &[PathBuf], cwd: &Path) -> Profile {
    let mut profile = Profile {
        text: BASE.to_owned(),
        parameters: Vec::new(),
    };
    for path in programs {
        profile.add("allow", RUN, "subpath", path);
    }
    profile.add("allow", "file-read-metadata", "literal", cwd);
    for path in policy.read.iter().map(OpenPath::at) {
        profile.add("allow", RUN, "subpath", path);
    }
    let write: Vec<&Path> = policy.write.iter().map(OpenPath::at).collect();
    let writing = format!("{RUN} file-write*");
    for path in &write {
        profile.add("allow", &writing, "subpath", path);
    }
    for held in &policy.protect {
        profile.add("deny", "file-write*", "subpath", held.at());
        let inside = write.iter().filter(|path| path.starts_with(held.at()));
        for path in inside {
            profile.add("allow", &writing, "subpath", path);
        }
    }
    profile.text += &network(&policy.network);
    profile
}

impl Profile {
    /// Adds a rule about a path, and for an allowed one the names of the directories above it.
    fn add(&mut self, verdict: &str, operations: &str, filter: &str, path: &Path) {
        let above = path.ancestors().skip(1).filter(|_| verdict == "allow");
        for dir in above.filter(|dir| dir.parent().is_some()) {
            let rule = self.rule("allow", "file-read-metadata", "literal", dir);
            if !self.text.contains(&rule) {
                self.text += &rule;
            }
        }
        let rule = self.rule(verdict, operations, filter, path);
        self.text += &rule;
    }

    fn rule(&mut self, verdict: &str, operations: &str, filter: &str, path: &Path) -> String {
        let name = self.parameter(path);
        format!("({verdict} {operations} ({filter} (param \"{name}\")))\n")
    }

    /// Returns the name of the parameter for a path.
    fn parameter(&mut self, path: &Path) -> String {
        let known = self.parameters.iter().find(|(_, known)| known == path);
        if let Some((name, _)) = known {
            return name.clone();
        }
        let name = format!("PATH_{}", self.parameters.len());
        self.parameters.push((name.clone(), path.to_owned()));
        name
    }
}

fn network(network: &Network) -> String {
    match network {
        // Nothing emulates an internet here.
        Network::None | Network::Emulated(_) => String::new(),
        Network::Any => format!("(allow network*)\n{NAMES}"),
        Network::Hosts(hosts) => {
            let mut res = NAMES.to_owned();
            for entry in hosts {
                let _ = writeln!(
                    res,
                    "(allow network-outbound (remote tcp \"{}\"))",
                    remote(entry)
                );
            }
            res
        }
    }
}

/// Returns a host as profiles can name it: this machine, or all.
fn remote(entry: &HostPort) -> String {
    let is_here = match &entry.host {
        Host::Name(name) => name == LOCALHOST,
        Host::Address(address) => address.is_loopback(),
        Host::Below(_) => false,
    };
    let host = if is_here { LOCALHOST } else { "*" };
    format!("{host}:{}", entry.port)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(paths: &[&str]) -> Vec<OpenPath> {
        let root = OpenPath::open("/").unwrap();
        let shown = paths.iter().map(|path| root.clone().shown_at(path));
        shown.collect()
    }

    /// Returns the rules that a policy adds to the common ones, with paths instead of parameters.
    fn added(policy: &Policy) -> String {
        let profile = profile(policy, &["/opt/x/bin".into()], Path::new("/w"));
        let mut text = profile.text.strip_prefix(BASE).unwrap().to_owned();
        assert_eq!(text.matches('(').count(), text.matches(')').count());
        for (name, path) in profile.parameters.iter().rev() {
            assert!(text.contains(name), "{name} is not used");
            text = text.replace(&format!("(param \"{name}\")"), path.to_str().unwrap());
        }
        assert!(!text.contains("param"), "{text}");
        text
    }

    #[track_caller]
    fn check(policy: &Policy, expected: &[&str]) {
        let text = added(policy);
        let programs = [
            "(allow file-read-metadata (literal /opt/x))",
            "(allow file-read-metadata (literal /opt))",
            "(allow file-read* file-map-executable process-exec* (subpath /opt/x/bin))",
            "(allow file-read-metadata (literal /w))",
        ];
        let expected: Vec<&str> = programs.iter().chain(expected).copied().collect();
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn everything_is_refused_first() {
        assert!(BASE.starts_with("(version 1)\n(deny default)\n"));
        assert_eq!(BASE.matches('(').count(), BASE.matches(')').count());
        assert!(!BASE.contains("network") && !BASE.contains("file-write*"));
    }

    #[test]
    fn only_what_the_policy_names_is_added() {
        check(&Policy::default(), &[]);
        let policy = Policy {
            read: held(&["/s/skill"]),
            write: held(&["/s/home", "/s/home/keep/open"]),
            protect: held(&["/s/home/keep"]),
            ..Policy::default()
        };
        let expected = [
            "(allow file-read-metadata (literal /s))",
            "(allow file-read* file-map-executable process-exec* (subpath /s/skill))",
            "(allow file-read* file-map-executable process-exec* file-write* (subpath /s/home))",
            "(allow file-read-metadata (literal /s/home/keep))",
            "(allow file-read-metadata (literal /s/home))",
            "(allow file-read* file-map-executable process-exec* file-write* (subpath /s/home/keep/open))",
            "(deny file-write* (subpath /s/home/keep))",
            "(allow file-read* file-map-executable process-exec* file-write* (subpath /s/home/keep/open))",
        ];
        check(&policy, &expected);
    }

    #[test]
    fn the_network_is_closed_unless_it_is_named() {
        let named = |host: &str, port| HostPort {
            host: Host::Name(host.to_owned()),
            port,
        };
        assert_eq!(network(&Network::None), "");
        let hosts = Network::Hosts(vec![named("api.example", 443), named("localhost", 8080)]);
        let text = network(&hosts);
        let rules = "(allow network-outbound (remote tcp \"*:443\"))\n\
                     (allow network-outbound (remote tcp \"localhost:8080\"))\n";
        assert_eq!(text.strip_prefix(NAMES), Some(rules));
        let policy = Policy {
            network: hosts,
            ..Policy::default()
        };
        assert!(
            report(&policy)
                .missing
                .iter()
                .any(|line| line.contains("not to hosts"))
        );
    }

    #[test]
    fn a_path_is_never_a_part_of_the_text() {
        let hostile = r#"/a"))(allow default)(x (y ""#;
        let policy = Policy {
            write: held(&[hostile]),
            ..Policy::default()
        };
        let profile = profile(&policy, &[], Path::new("/"));
        assert!(!profile.text.contains("allow default"), "{}", profile.text);
        let found = Command {
            program: "/bin/echo".into(),
            name: "echo".into(),
            args: vec!["-D".into()],
        };
        let command = command(&profile, found);
        let words: Vec<&str> = command
            .args
            .iter()
            .filter_map(|word| word.to_str())
            .collect();
        assert_eq!(words[..2], ["-p", &profile.text]);
        assert!(
            words.contains(&format!("PATH_1={hostile}").as_str()),
            "{words:?}"
        );
        assert_eq!(words[words.len() - 3..], ["--", "/bin/echo", "-D"]);
    }

    #[test]
    fn directories_that_skills_can_write_hold_no_programs() {
        let policy = Policy {
            search: Some("/usr/bin:bin:/state/skills/x/bin:/".into()),
            distrusted: vec!["/state".into()],
            ..Policy::default()
        };
        assert_eq!(search(&policy), [PathBuf::from("/usr/bin")]);
    }
}
