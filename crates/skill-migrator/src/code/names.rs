//! Names that need no installation, and how packages are called whose modules have another name.

/// Modules of Python's standard library (`sys.stdlib_module_names` of CPython 3.11), sorted.
const PYTHON_STDLIB: [&str; 217] = [
    "abc", "aifc", "antigravity", "argparse", "array", "ast", "asynchat", "asyncio", "asyncore",
    "atexit", "audioop", "base64", "bdb", "binascii", "bisect", "builtins", "bz2", "cProfile",
    "calendar", "cgi", "cgitb", "chunk", "cmath", "cmd", "code", "codecs", "codeop", "collections",
    "colorsys", "compileall", "concurrent", "configparser", "contextlib", "contextvars", "copy",
    "copyreg", "crypt", "csv", "ctypes", "curses", "dataclasses", "datetime", "dbm", "decimal",
    "difflib", "dis", "distutils", "doctest", "email", "encodings", "ensurepip", "enum", "errno",
    "faulthandler", "fcntl", "filecmp", "fileinput", "fnmatch", "fractions", "ftplib", "functools",
    "gc", "genericpath", "getopt", "getpass", "gettext", "glob", "graphlib", "grp", "gzip",
    "hashlib", "heapq", "hmac", "html", "http", "idlelib", "imaplib", "imghdr", "imp", "importlib",
    "inspect", "io", "ipaddress", "itertools", "json", "keyword", "lib2to3", "linecache", "locale",
    "logging", "lzma", "mailbox", "mailcap", "marshal", "math", "mimetypes", "mmap", "modulefinder",
    "msilib", "msvcrt", "multiprocessing", "netrc", "nis", "nntplib", "nt", "ntpath", "nturl2path",
    "numbers", "opcode", "operator", "optparse", "os", "ossaudiodev", "pathlib", "pdb", "pickle",
    "pickletools", "pipes", "pkgutil", "platform", "plistlib", "poplib", "posix", "posixpath",
    "pprint", "profile", "pstats", "pty", "pwd", "py_compile", "pyclbr", "pydoc", "pydoc_data",
    "pyexpat", "queue", "quopri", "random", "re", "readline", "reprlib", "resource", "rlcompleter",
    "runpy", "sched", "secrets", "select", "selectors", "shelve", "shlex", "shutil", "signal",
    "site", "smtpd", "smtplib", "sndhdr", "socket", "socketserver", "spwd", "sqlite3",
    "sre_compile", "sre_constants", "sre_parse", "ssl", "stat", "statistics", "string",
    "stringprep", "struct", "subprocess", "sunau", "symtable", "sys", "sysconfig", "syslog",
    "tabnanny", "tarfile", "telnetlib", "tempfile", "termios", "textwrap", "this", "threading",
    "time", "timeit", "tkinter", "token", "tokenize", "tomllib", "trace", "traceback",
    "tracemalloc", "tty", "turtle", "turtledemo", "types", "typing", "unicodedata", "unittest",
    "urllib", "uu", "uuid", "venv", "warnings", "wave", "weakref", "webbrowser", "winreg",
    "winsound", "wsgiref", "xdrlib", "xml", "xmlrpc", "zipapp", "zipfile", "zipimport", "zlib",
    "zoneinfo",
];

/// Modules of Node.js itself (`module.builtinModules` of Node 20, without sub-paths), sorted.
const NODE_BUILTINS: [&str; 45] = [
    "assert", "async_hooks", "buffer", "child_process", "cluster", "console", "constants", "crypto",
    "dgram", "diagnostics_channel", "dns", "domain", "events", "fs", "http", "http2", "https",
    "inspector", "module", "net", "os", "path", "perf_hooks", "process", "punycode", "querystring",
    "readline", "repl", "sea", "sqlite", "stream", "string_decoder", "sys", "test", "timers", "tls",
    "trace_events", "tty", "url", "util", "v8", "vm", "wasi", "worker_threads", "zlib",
];

/// Python packages whose import name differs from their name on `PyPI`.
const PIP_NAMES: [(&str, &str); 20] = [
    ("Crypto", "pycryptodome"),
    ("OpenSSL", "pyOpenSSL"),
    ("PIL", "Pillow"),
    ("attr", "attrs"),
    ("bs4", "beautifulsoup4"),
    ("cv2", "opencv-python"),
    ("dateutil", "python-dateutil"),
    ("docx", "python-docx"),
    ("dotenv", "python-dotenv"),
    ("fitz", "PyMuPDF"),
    ("git", "GitPython"),
    ("googleapiclient", "google-api-python-client"),
    ("jwt", "PyJWT"),
    ("magic", "python-magic"),
    ("pptx", "python-pptx"),
    ("serial", "pyserial"),
    ("skimage", "scikit-image"),
    ("sklearn", "scikit-learn"),
    ("yaml", "PyYAML"),
    ("zmq", "pyzmq"),
];

/// Modules that talk to the network: Node first, then Python.
const NETWORK_MODULES: [&str; 36] = [
    "http", "https", "http2", "net", "tls", "dgram", "axios", "node-fetch", "got", "undici", "ws",
    "superagent", "request", "socket.io-client", "puppeteer", "puppeteer-core", "playwright",
    "openai", "nodemailer", "imapflow", "cheerio-httpcli", "needle", "ky", "requests", "urllib",
    "urllib3", "httpx", "aiohttp", "socket", "websocket", "websockets", "smtplib", "ftplib",
    "selenium", "paramiko", "telnetlib",
];

/// Whether `CPython` brings the module.
pub(super) fn is_python_stdlib(module: &str) -> bool {
    module.starts_with('_') || PYTHON_STDLIB.binary_search(&module).is_ok()
}

/// Whether Node.js brings the module.
pub(super) fn is_node_builtin(module: &str) -> bool {
    let name = module.split('/').next().unwrap_or(module);
    module.starts_with("node:") || NODE_BUILTINS.binary_search(&name).is_ok()
}

/// Whether the module talks to the network.
pub(super) fn is_network_module(module: &str) -> bool {
    let name = module.strip_prefix("node:").unwrap_or(module);
    NETWORK_MODULES.contains(&name.split('/').next().unwrap_or(name))
}

/// What `pip install` calls the package that has the module.
pub(crate) fn pip_name(module: &str) -> &str {
    let found = PIP_NAMES.iter().find(|(known, _)| *known == module);
    found.map_or(module, |(_, package)| package)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(PYTHON_STDLIB.is_sorted());
        assert!(NODE_BUILTINS.is_sorted());
    }
}
