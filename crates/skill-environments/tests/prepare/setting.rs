//! Packages in a directory, a registry and an index on the loopback address, and a store.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use serde_json::{Value, json};
use skill_environments::{
    Installed, Need, Needs, Prepared, Request, Settings, Source, Store, prepare,
};
use skill_loader::fs::resolve;
use tempfile::TempDir;

/// Packages in a directory, a registry and an index that have none at first, and a store.
pub(crate) struct Setting {
    dir: TempDir,
    pub(crate) settings: Settings,
    /// The address of the registry.
    pub(crate) url: String,
}

impl Setting {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let registry = resolve(dir.path()).unwrap().join("registry");
        fs::create_dir(&registry).unwrap();
        let url = serve(registry);
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
        Self { dir, settings, url }
    }

    pub(crate) fn path(&self, inside: &str) -> PathBuf {
        resolve(self.dir.path()).unwrap().join(inside)
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Lays out an npm package, and returns its range.
    pub(crate) fn package(&self, name: &str, more: &str) -> String {
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

    /// Adds a package to the npm registry; returns its directory.
    pub(crate) fn publish(&self, name: &str, version: &str, more: &str) -> PathBuf {
        let dir = format!("published/{name}/package");
        let text = format!(
            "{{\"name\": \"{name}\", \"version\": \"{version}\", \"main\": \"main.js\"{more}}}"
        );
        self.write(&format!("{dir}/package.json"), &text);
        let code = format!("module.exports = '{name} {version}';");
        self.write(&format!("{dir}/main.js"), &code);
        let archive = format!("{name}/-/{name}-{version}.tgz");
        let target = self.path(&format!("registry/{archive}"));
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        let packed = Command::new("tar")
            .arg("-czf")
            .arg(&target)
            .arg("-C")
            .arg(self.path(&format!("published/{name}")))
            .arg("package")
            .status();
        assert!(packed.unwrap().success());
        let mut entry: Value = serde_json::from_str(&text).unwrap();
        entry["dist"] = json!({"tarball": format!("{}/{archive}", self.url)});
        let document = json!({
            "name": name,
            "dist-tags": {"latest": version},
            "versions": {version: entry},
        });
        self.write(&format!("registry/{name}.json"), &document.to_string());
        self.path(&dir)
    }

    pub(crate) fn store(&self) -> Store {
        Store::in_state(&self.path("state"))
    }

    pub(crate) fn prepare(&self, skills: &[(&str, &Needs)]) -> Vec<Prepared> {
        let requests = skills.iter().map(|(name, needs)| Request {
            name: (*name).to_owned(),
            dir: self.path(name),
            needs: (*needs).clone(),
        });
        let requests: Vec<Request> = requests.collect();
        prepare(&self.store(), &requests, &self.settings, &mut |_| {}).unwrap()
    }

    pub(crate) fn find(&self, needs: &Needs) -> Installed {
        self.store().find(needs)
    }

    /// Runs a line of JavaScript beneath a link to an environment.
    pub(crate) fn node(&self, installed: &Installed, file: &str, code: &str) -> String {
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

/// Starts a server on the loopback address with the files in a directory: `a` is `a.json` there, and
/// `a/` is `a/index.html`. Everything else is 404.
fn serve(dir: PathBuf) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let first = lines.next().unwrap_or_default();
            while lines.next().is_some_and(|line| !line.is_empty()) {}
            let asked = first.split(' ').nth(1).unwrap_or_default();
            let asked = asked.trim_start_matches('/').to_lowercase();
            let names = [format!("{asked}index.html"), format!("{asked}.json"), asked];
            let found = names.iter().find_map(|name| fs::read(dir.join(name)).ok());
            let status = if found.is_some() {
                "200 OK"
            } else {
                "404 Not Found"
            };
            let kind = if names[2].ends_with('/') {
                "text/html"
            } else {
                "application/json"
            };
            let body = found.unwrap_or_else(|| b"{}".to_vec());
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nContent-Type: {kind}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = (&stream).write_all(head.as_bytes());
            let _ = (&stream).write_all(&body);
        }
    });
    url
}

pub(crate) fn needs(packages: &[(&str, &str)]) -> Needs {
    let need = |range: &str| Need {
        range: range.to_owned(),
        is_optional: false,
        source: match range.strip_prefix("file:") {
            Some(path) => Source::Skill(Path::new(path).parent().unwrap().to_owned()),
            None => Source::Registry,
        },
    };
    Needs {
        npm: packages
            .iter()
            .map(|(name, range)| ((*name).to_owned(), need(range)))
            .collect(),
        ..Needs::default()
    }
}

pub(crate) fn has_node() -> bool {
    skill_testing::find::node().is_some()
        && skill_testing::find::program(skill_testing::Need::Programs, "npm").is_some()
}
