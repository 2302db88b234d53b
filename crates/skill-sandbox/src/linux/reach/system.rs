//! The paths of the programs of a system and of the files that they read.

/// Programs, libraries and public settings. `/etc` is not among them as a whole: it holds secrets.
pub(super) const SYSTEM: &[&str] = &[
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

/// Directories of the system that contain programs and their libraries.
pub(super) const PROGRAMS: &[&str] = &["/usr", "/bin", "/sbin", "/nix/store", "/gnu/store"];

/// The entries of the parent directory of `bin` that belong to a program; the parent may be a home
/// directory.
pub(super) const PARTS: &[&str] = &[
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

/// Names of program directories; their parent is the prefix of the programs.
pub(super) const PROGRAM_DIRECTORIES: &[&str] = &["bin", "shims", "sbin", "libexec"];
