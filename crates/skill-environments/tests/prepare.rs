//! Environments made by npm and pip of packages in local directories. The registry is a server of this
//! test that knows no package.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "files are laid out, and programs run, as a user would"
)]

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use skill_environments::{
    Installed, Need, Needs, Prepared, Request, Settings, Store, prepare, prune,
};
use skill_loader::fs::resolve;
use tempfile::TempDir;

/// Packages in a directory, a registry without any, and a store.
struct Setting {
    dir: TempDir,
    settings: Settings,
}

impl Setting {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let url = empty_registry();
        let mut environment: BTreeMap<String, String> = std::env::vars().collect();
        let home = dir.path().join("home");
        fs::create_dir(&home).unwrap();
        for (name, value) in [
            ("HOME", home.display().to_string()),
            ("npm_config_cache", home.join("npm").display().to_string()),
            ("npm_config_registry", url.clone()),
            ("npm_config_fetch_retries", "0".to_owned()),
            ("PIP_INDEX_URL", format!("{url}/simple")),
            ("PIP_RETRIES", "0".to_owned()),
        ] {
            environment.insert(name.to_owned(), value);
        }
        // Shims of pyenv need to find their versions.
        if let Ok(real) = std::env::var("HOME") {
            let root = format!("{real}/.pyenv");
            environment.entry("PYENV_ROOT".to_owned()).or_insert(root);
        }
        let settings = Settings {
            allow_scripts: Vec::new(),
            environment,
        };
        Self { dir, settings }
    }

    fn path(&self, inside: &str) -> PathBuf {
        resolve(self.dir.path()).unwrap().join(inside)
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Lays out an npm package, and returns its range.
    fn package(&self, name: &str, more: &str) -> String {
        let text = format!(
            "{{\"name\": \"{name}\", \"version\": \"1.0.0\", \"main\": \"main.js\"{more}}}"
        );
        self.write(&format!("packages/{name}/package.json"), &text);
        self.write(
            &format!("packages/{name}/main.js"),
            &format!("module.exports = '{name}';"),
        );
        format!("file:{}", self.path(&format!("packages/{name}")).display())
    }

    fn store(&self) -> Store {
        Store::in_state(&self.path("state"))
    }

    fn prepare(&self, skills: &[(&str, &Needs)]) -> Vec<Prepared> {
        let requests = skills.iter().map(|(name, needs)| Request {
            name: (*name).to_owned(),
            dir: self.path(name),
            needs: (*needs).clone(),
        });
        let requests: Vec<Request> = requests.collect();
        prepare(&self.store(), &requests, &self.settings, &mut |_| {}).unwrap()
    }

    fn find(&self, needs: &Needs) -> Installed {
        self.store().find(needs)
    }

    /// Runs a line of JavaScript beneath a link to an environment.
    fn node(&self, installed: &Installed, file: &str, code: &str) -> String {
        let place = self.path("run");
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(place.join("deep")).unwrap();
        let modules = installed.node_modules.as_ref().unwrap();
        std::os::unix::fs::symlink(modules, place.join("node_modules")).unwrap();
        fs::write(place.join("deep").join(file), code).unwrap();
        let run = Command::new("node")
            .arg(place.join("deep").join(file))
            .output()
            .unwrap();
        let text = [run.stdout, run.stderr].concat();
        String::from_utf8_lossy(&text).trim().to_owned()
    }
}

/// Starts a server on the loopback address that answers every request with 404.
fn empty_registry() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines();
            while lines
                .next()
                .is_some_and(|line| line.is_ok_and(|line| !line.is_empty()))
            {}
            let answer = "HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{}";
            let _ = (&stream).write_all(answer.as_bytes());
        }
    });
    url
}

fn needs(packages: &[(&str, &str)]) -> Needs {
    let need = |range: &str| Need {
        range: range.to_owned(),
        is_optional: false,
        owner: range
            .strip_prefix("file:")
            .and_then(|path| Some(Path::new(path).parent()?.to_owned())),
    };
    Needs {
        npm: packages
            .iter()
            .map(|(name, range)| ((*name).to_owned(), need(range)))
            .collect(),
        ..Needs::default()
    }
}

fn has_node() -> bool {
    skill_testing::find::node().is_some()
        && skill_testing::find::program(skill_testing::Need::Programs, "npm").is_some()
}

/// One package that the registry does not have costs only itself; a package that is there only
/// because another one depends on it is found as well.
#[test]
fn what_can_be_had_is_installed_and_the_rest_is_named() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    let inner = setting.package("inner", "");
    let outer = setting.package(
        "outer",
        &format!(", \"dependencies\": {{\"inner\": \"{inner}\"}}"),
    );
    let both = needs(&[("outer", &outer), ("gone-from-registry", "1.2.3")]);
    assert!(!setting.find(&both).missing.is_empty());
    let prepared = setting.prepare(&[("skill", &both)]);
    let missing = &prepared[0].missing;
    assert_eq!(missing.len(), 1);
    assert_eq!(missing[0].name, "gone-from-registry");
    assert!(
        missing[0].reason.contains("not in the registry"),
        "{missing:?}"
    );
    let installed = setting.find(&both);
    assert_eq!(&installed.missing, missing);
    let esm = "import outer from 'outer'; import inner from 'inner'; console.log(outer, inner);";
    assert_eq!(setting.node(&installed, "a.mjs", esm), "outer inner");
    let cjs = "console.log(require('outer'), require('inner'));";
    assert_eq!(setting.node(&installed, "a.cjs", cjs), "outer inner");
    assert!(!setting.path("skill").exists(), "the skill is not touched");
}

/// Skills whose packages are in the store need neither registry nor package manager.
#[test]
fn environments_share_what_they_have_in_common() {
    if !has_node() {
        return;
    }
    let mut setting = Setting::new();
    let a = setting.package("a", "");
    let b = setting.package("b", "");
    let both = needs(&[("a", &a), ("b", &b)]);
    let one = needs(&[("a", &a)]);
    setting.prepare(&[("both", &both)]);
    fs::remove_dir_all(setting.path("packages")).unwrap();
    // A package manager would fail now.
    setting.settings.environment.insert(
        "npm_config_registry".to_owned(),
        "http://127.0.0.1:1".to_owned(),
    );
    let prepared = setting.prepare(&[("one", &one), ("same", &both)]);
    assert!(prepared.iter().all(|prepared| prepared.missing.is_empty()));
    let (first, second) = (setting.find(&both), setting.find(&one));
    let file = |installed: &Installed, name: &str| {
        installed
            .node_modules
            .as_ref()
            .unwrap()
            .join(name)
            .join("main.js")
    };
    let inode = |path: &Path| fs::metadata(path).unwrap().ino();
    assert_eq!(inode(&file(&first, "a")), inode(&file(&second, "a")));
    assert!(!file(&second, "b").exists());
    // What no skill uses goes; what one uses stays.
    let keep = |dir: &Path| dir.ends_with("one").then(|| one.clone());
    let pruned = prune(&setting.store(), &keep).unwrap();
    assert_eq!((pruned.n_removed, pruned.n_kept), (1, 1));
    assert!(pruned.freed > 0);
    assert!(setting.find(&both).node_modules.is_none());
    assert_eq!(
        setting.node(&setting.find(&one), "a.cjs", "console.log(require('a'))"),
        "a"
    );
    prune(&setting.store(), &|_| None).unwrap();
    assert!(setting.find(&one).node_modules.is_none());
}

/// A native build would run here: the script writes a file that the module loads.
#[test]
fn install_scripts_run_only_if_the_user_names_the_package() {
    if !has_node() {
        return;
    }
    let mut setting = Setting::new();
    let script =
        r#", "scripts": {"install": "node -e \"require('fs').writeFileSync('built.js', '')\""}"#;
    let native = setting.package("native", script);
    let needs = needs(&[("native", &native)]);
    let built = |setting: &Setting| {
        let modules = setting.find(&needs).node_modules.unwrap();
        modules.join("native/built.js").exists()
    };
    let prepared = setting.prepare(&[("skill", &needs)]);
    // The name alone is that of the package in the registry.
    let exact = format!("native@{native}");
    assert_eq!(prepared[0].scripts_off, [exact.as_str()]);
    assert!(!built(&setting));
    setting.settings.allow_scripts = vec!["native".to_owned()];
    let prepared = setting.prepare(&[("skill", &needs)]);
    assert_eq!(prepared[0].scripts_off, [exact.as_str()]);
    assert!(!built(&setting));
    setting.settings.allow_scripts = vec![exact];
    let prepared = setting.prepare(&[("skill", &needs)]);
    assert_eq!(prepared[0].scripts_off, [""; 0]);
    assert!(built(&setting));
}

/// A skill chooses its requirements: none of them may be an option, or lead to files of the user.
#[test]
fn a_hostile_requirement_reaches_nothing() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    setting.write(
        "secret/package.json",
        r#"{"name": "secret", "version": "1.0.0"}"#,
    );
    setting.write("secret/key.js", "the key");
    let secret = format!("file:{}", setting.path("secret").display());
    let vendored = setting.package(
        "vendored",
        &format!(", \"dependencies\": {{\"inner-secret\": \"{secret}\"}}"),
    );
    let planted = setting.path("planted");
    let option = format!("--prefix={}", planted.display());
    let mut needs = needs(&[
        ("vendored", &vendored),
        ("secret", &secret),
        ("../../secret", ""),
        (&option, ""),
        ("gone", "git+file:///etc"),
    ]);
    needs.npm.get_mut("secret").unwrap().owner = None;
    let prepared = setting.prepare(&[("skill", &needs)]);
    let missing: Vec<&str> = prepared[0]
        .missing
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(
        missing,
        [
            "inner-secret",
            option.as_str(),
            "../../secret",
            "gone",
            "secret"
        ],
        "{prepared:?}"
    );
    assert!(!planted.exists());
    let modules = setting.find(&needs).node_modules.unwrap();
    let names: Vec<String> = fs::read_dir(modules)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.starts_with('.'))
        .collect();
    assert_eq!(names, ["vendored"]);
}

/// npm leaves out an optional dependency for another version of Node.js; the old host used it.
#[test]
fn a_package_for_another_node_is_installed_with_the_rest() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    let new = setting.package("new", ", \"engines\": {\"node\": \">=99\"}");
    let needs = needs(&[("new", &new), ("gone-from-registry", "")]);
    let prepared = setting.prepare(&[("skill", &needs)]);
    let missing: Vec<&str> = prepared[0]
        .missing
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(missing, ["gone-from-registry"]);
    assert_eq!(
        setting.node(
            &setting.find(&needs),
            "a.cjs",
            "console.log(require('new'))"
        ),
        "new"
    );
}

/// The store is complete or absent: a directory that a killed process left is not used.
#[test]
fn a_preparation_that_was_interrupted_is_made_again() {
    if !has_node() {
        return;
    }
    let setting = Setting::new();
    let needs = needs(&[("a", &setting.package("a", ""))]);
    let key = needs.key(skill_environments::Ecosystem::Npm).unwrap();
    setting.write(
        &format!("state/environments/npm/{key}-0/node_modules/a/main.js"),
        "half",
    );
    assert!(setting.find(&needs).node_modules.is_none());
    setting.prepare(&[("skill", &needs)]);
    assert_eq!(
        setting.node(&setting.find(&needs), "x.cjs", "console.log(require('a'))"),
        "a"
    );
}

/// Writes a wheel: a zip archive with a module and its description.
const WHEEL: &str = "import sys, zipfile
name = sys.argv[1]
info = name + '-1.0.dist-info/'
with zipfile.ZipFile(sys.argv[2], 'w') as wheel:
    wheel.writestr(name + '.py', 'NAME = __name__')
    wheel.writestr(info + 'METADATA', 'Metadata-Version: 2.1\\nName: ' + name + '\\nVersion: 1.0\\n')
    wheel.writestr(info + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + 'RECORD', '')
";

#[test]
fn python_packages_are_in_an_environment_of_their_own() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let mut setting = Setting::new();
    let wheel = setting.path("local_one-1.0-py3-none-any.whl");
    let made = Command::new("python3")
        .args(["-c", WHEEL, "local_one"])
        .arg(&wheel)
        .status();
    assert!(made.unwrap().success());
    let need = |name: &str, range: String| {
        let need = Need {
            range,
            ..Need::default()
        };
        (name.to_owned(), need)
    };
    let address = format!("file://{}", wheel.display());
    let needs = Needs {
        pip: [
            need("local_one", format!("@ {address}")),
            need("gone-from-index", "==1.2.3".to_owned()),
        ]
        .into(),
        ..Needs::default()
    };
    let refused = setting.prepare(&[("skill", &needs)]);
    assert_eq!(refused[0].missing.len(), 2, "{refused:?}");
    setting.settings.allow_scripts = vec![format!("local_one@{address}")];
    let prepared = setting.prepare(&[("skill", &needs)]);
    let names: Vec<&str> = prepared[0]
        .missing
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["gone-from-index"], "{prepared:?}");
    let python = setting.find(&needs).python.unwrap().join("bin/python");
    let run = Command::new(&python)
        .args(["-c", "import local_one; print(local_one.NAME)"])
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stdout).trim(), "local_one");
    // The pip of this machine filled it, unless it is too old for that.
    let code = "import pip; print(int(pip.__version__.split('.')[0]) > 22)";
    let is_new = Command::new("python3").args(["-c", code]).output().unwrap();
    if is_new.stdout.starts_with(b"True") {
        let has_pip = Command::new(&python).args(["-c", "import pip"]).output();
        assert!(!has_pip.unwrap().status.success());
    }
}
