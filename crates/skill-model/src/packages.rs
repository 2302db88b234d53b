//! Versions and properties of the packages that a skill requires.

use std::collections::BTreeMap;

use serde::Serialize;

/// Details of the packages in `npm` and `pip`, by name.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Packages {
    /// npm packages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub npm: BTreeMap<String, PackageNeed>,
    /// Python packages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub pip: BTreeMap<String, PackageNeed>,
}

impl Packages {
    /// Returns true if no details are known.
    pub fn is_empty(&self) -> bool {
        self == &Self::default()
    }
}

/// The details of one required package.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PackageNeed {
    /// The versions that fit: a range of npm, or for Python what follows the name in
    /// requirements.txt (`>=2.0`, `[socks]==2.31.0`). Absent if no file names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub range: Option<String>,
    /// The file that names the package and its version.
    pub source: PackageSource,
    /// True if it contains or builds a native library, which fits one platform only.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub native: bool,
    /// True if it has an install script, which runs only if the user allows it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub install_script: bool,
    /// True if the program handles its absence.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
}

/// The file that names a package and its version.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PackageSource {
    /// An import in the code; no file names a version.
    #[default]
    Code,
    /// The manifest of the plugin.
    Manifest,
    /// The plugin's own `package.json`.
    PackageJson,
    /// The plugin's own `package-lock.json`.
    PackageLock,
    /// The plugin's own `requirements.txt`.
    Requirements,
    /// The `package-lock.json` of the old host, also for packages that only its other dependencies
    /// need.
    HostLock,
    /// The `package.json` of the old host.
    HostPackageJson,
    /// The `requirements.txt` of the old host.
    HostRequirements,
}

impl PackageSource {
    /// All sources.
    pub const ALL: [Self; 8] = [
        Self::Code,
        Self::Manifest,
        Self::PackageJson,
        Self::PackageLock,
        Self::Requirements,
        Self::HostLock,
        Self::HostPackageJson,
        Self::HostRequirements,
    ];

    /// Returns the word in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Manifest => "manifest",
            Self::PackageJson => "package-json",
            Self::PackageLock => "package-lock",
            Self::Requirements => "requirements",
            Self::HostLock => "host-lock",
            Self::HostPackageJson => "host-package-json",
            Self::HostRequirements => "host-requirements",
        }
    }
}

/// Python packages whose import name differs from their name on `PyPI`.
const PIP_NAMES: [(&str, &str); 68] = [
    ("Bio", "biopython"),
    ("Crypto", "pycryptodome"),
    ("Cryptodome", "pycryptodomex"),
    ("Levenshtein", "python-Levenshtein"),
    ("MySQLdb", "mysqlclient"),
    ("OpenGL", "PyOpenGL"),
    ("OpenSSL", "pyOpenSSL"),
    ("PIL", "Pillow"),
    ("Xlib", "python-xlib"),
    ("attr", "attrs"),
    ("barcode", "python-barcode"),
    ("bs4", "beautifulsoup4"),
    ("cv2", "opencv-python"),
    ("dateutil", "python-dateutil"),
    ("decouple", "python-decouple"),
    ("discord", "discord.py"),
    ("dns", "dnspython"),
    ("docx", "python-docx"),
    ("dotenv", "python-dotenv"),
    ("engineio", "python-engineio"),
    ("faiss", "faiss-cpu"),
    ("ffmpeg", "ffmpeg-python"),
    ("fitz", "PyMuPDF"),
    ("gi", "PyGObject"),
    ("git", "GitPython"),
    ("googleapiclient", "google-api-python-client"),
    ("jose", "python-jose"),
    ("jwt", "PyJWT"),
    ("ldap", "python-ldap"),
    ("magic", "python-magic"),
    ("mpl_toolkits", "matplotlib"),
    ("multipart", "python-multipart"),
    ("mysql", "mysql-connector-python"),
    ("nacl", "PyNaCl"),
    ("newspaper", "newspaper3k"),
    ("paho", "paho-mqtt"),
    ("pkg_resources", "setuptools"),
    ("pptx", "python-pptx"),
    ("psycopg2", "psycopg2-binary"),
    ("pylab", "matplotlib"),
    ("pynvml", "nvidia-ml-py"),
    ("pythoncom", "pywin32"),
    ("pywintypes", "pywin32"),
    ("qcloud_cos", "cos-python-sdk-v5"),
    ("ruamel", "ruamel.yaml"),
    ("serial", "pyserial"),
    ("shapefile", "pyshp"),
    ("skimage", "scikit-image"),
    ("sklearn", "scikit-learn"),
    ("slugify", "python-slugify"),
    ("socketio", "python-socketio"),
    ("socks", "PySocks"),
    ("speech_recognition", "SpeechRecognition"),
    ("telebot", "pyTelegramBotAPI"),
    ("telegram", "python-telegram-bot"),
    ("umap", "umap-learn"),
    ("usb", "pyusb"),
    ("vlc", "python-vlc"),
    ("websocket", "websocket-client"),
    ("whois", "python-whois"),
    ("win32api", "pywin32"),
    ("win32clipboard", "pywin32"),
    ("win32com", "pywin32"),
    ("win32con", "pywin32"),
    ("win32gui", "pywin32"),
    ("wx", "wxPython"),
    ("yaml", "PyYAML"),
    ("zmq", "pyzmq"),
];

/// Returns the name for `pip install` of the package that contains a module.
///
/// ```
/// assert_eq!(skill_model::pip_package("PIL"), "Pillow");
/// assert_eq!(skill_model::pip_package("requests"), "requests");
/// ```
pub fn pip_package(module: &str) -> &str {
    let found = PIP_NAMES.iter().find(|(known, _)| *known == module);
    found.map_or(module, |(_, package)| package)
}

/// Returns the name of a Python package in the form that identifies it: lower case, with single
/// hyphens ([PEP 503](https://peps.python.org/pep-0503/#normalized-names)).
pub fn pip_key(name: &str) -> String {
    let mut res = String::new();
    for c in name.chars() {
        match c {
            '-' | '_' | '.' if res.ends_with('-') => {}
            '-' | '_' | '.' => res.push('-'),
            _ => res.extend(c.to_lowercase()),
        }
    }
    res
}

/// Files that package managers write beside the list of packages.
const LOCKS: [&str; 7] = [
    "bun.lock",
    "bun.lockb",
    "npm-shrinkwrap.json",
    "package-lock.json",
    "pnpm-lock.yaml",
    "uv.lock",
    "yarn.lock",
];
/// Directories into which they install.
pub const INSTALLED: [&str; 3] = ["node_modules", ".venv", "venv"];

/// Returns true if a path of a skill is what a package manager leaves there (`npm install` in
/// `scripts/`): an installed file, or a lock.
pub fn is_of_package_manager(path: &str) -> bool {
    let mut parts = path.trim_end_matches('/').rsplit('/');
    let name = parts.next().unwrap_or_default();
    LOCKS.contains(&name)
        || INSTALLED.contains(&name)
        || parts.any(|part| INSTALLED.contains(&part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_what_an_installation_leaves() {
        for path in [
            "scripts/package-lock.json",
            "scripts/node_modules/",
            "venv/bin/python",
        ] {
            assert!(is_of_package_manager(path), "{path}");
        }
        for path in ["scripts/package.json", "scripts/venv.py", "uv.lock.md"] {
            assert!(!is_of_package_manager(path), "{path}");
        }
    }

    #[test]
    fn names_of_python_packages_have_one_form() {
        for name in ["python-dotenv", "Python_Dotenv", "python.-dotenv"] {
            assert_eq!(pip_key(name), "python-dotenv");
        }
    }
}
