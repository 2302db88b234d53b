//! The place of an attack: skills that run any Python code they are called with, their state,
//! and a home outside with a secret in it.

use skill_testing::tool;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use skill_testing::Need;
use tempfile::TempDir;

/// The secret that no skill may see.
pub(crate) const CANARY: &str = "feathers-of-a-canary";

/// Permissions of a skill that reaches nothing but its own.
pub(crate) const OWN: &str = "network: none, filesystem: skill";

/// Runs the Python code in the argument `code` and answers with what `out` is afterwards.
const PROBE: &str = r#"import json, os, sys

def attempt(action):
    try:
        return action()
    except BaseException as error:
        return "refused: " + repr(error)

def read(path):
    return attempt(lambda: open(path).read())

def append(path, text):
    def write():
        with open(path, "a") as file:
            file.write(text)
    return attempt(write)

exec(json.load(sys.stdin).get("code", ""), globals())
print(json.dumps({"status": "success", "result": str(globals().get("out"))}))
"#;

/// The tool `name` of this build, or of the directory that `SKILLS_TEST_BIN` names.
pub(crate) fn tool(name: &str) -> Command {
    let built = match name {
        "skills-describe" => tool!("skills-describe"),
        "skills-migrate" => tool!("skills-migrate"),
        "skills-run" => tool!("skills-run"),
        "skills-serve" => tool!("skills-serve"),
        _ => panic!("no tool of this name: {name}"),
    };
    let path = other_tools().map_or_else(|| built.into(), |dir| dir.join(name));
    let mut res = Command::new(path);
    res.env_remove("SKILLS_NATS_URL").stdin(Stdio::null());
    res
}

/// The directory of the tools that are tested instead of those that cargo built.
pub(crate) fn other_tools() -> Option<PathBuf> {
    std::env::var_os("SKILLS_TEST_BIN").map(PathBuf::from)
}

/// Records that this machine cannot run the test of a row; fails if the need is required.
pub(crate) fn skip(need: Need, row: usize, why: &str) {
    skill_testing::skip::unless_so(need, false, &format!("row {row}: {why}"));
}

/// Returns true if `program` can be started here.
pub(crate) fn has(program: &str) -> bool {
    let mut command = Command::new(program);
    command.arg("--version").stdout(Stdio::null());
    let status = command.stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

#[derive(Debug)]
pub(crate) struct Place {
    dir: TempDir,
}

impl Place {
    /// A place with a secret outside and no skills. It is not in `/tmp`, of which a skill may have
    /// one of its own: then nothing here could be reached, whatever the sandbox is worth.
    pub(crate) fn new() -> Self {
        Self::new_in(Path::new(env!("CARGO_TARGET_TMPDIR")))
    }

    fn new_in(parent: &Path) -> Self {
        let res = Self {
            dir: tempfile::tempdir_in(parent).unwrap(),
        };
        res.write("outside/home/.ssh/id_rsa", CANARY);
        fs::create_dir(res.path("skills")).unwrap();
        let private = fs::Permissions::from_mode(0o700);
        fs::set_permissions(res.path("outside/home/.ssh"), private).unwrap();
        res
    }

    /// Returns a place with the skill `probe`, or prints a reason if this machine has no sandbox for it.
    pub(crate) fn confined(row: usize) -> Option<Self> {
        Self::new().check_confinement(row)
    }

    /// The same below `/tmp`, where the sandbox makes the places that it mounts things on.
    pub(crate) fn confined_in_tmp(row: usize) -> Option<Self> {
        Self::new_in(Path::new("/tmp")).check_confinement(row)
    }

    fn check_confinement(self, row: usize) -> Option<Self> {
        let res = self;
        if !has("python3") {
            skip(Need::Python, row, "no python3");
            return None;
        }
        res.skill("probe", OWN);
        let answer = res.run("probe", "out = 'it runs'", &[]);
        if answer["meta"]["sandbox"] == "full" {
            assert_eq!(said(&answer), "it runs", "{answer}");
            return Some(res);
        }
        skip(
            Need::Sandbox,
            row,
            &format!("walls are missing here: {answer}"),
        );
        None
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub(crate) fn text(&self, path: &str) -> String {
        self.path(path).display().to_string()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a file that can be started.
    pub(crate) fn write_program(&self, path: &str, text: &str) {
        self.write(path, text);
        let mode = fs::Permissions::from_mode(0o755);
        fs::set_permissions(self.path(path), mode).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Replaces a text that must be in a file.
    pub(crate) fn change(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no `{from}`: {text}");
        self.write(path, &text.replace(from, to));
    }

    /// Lays out a skill that runs the code of its calls.
    pub(crate) fn skill(&self, name: &str, permissions: &str) {
        let text = format!("---\nname: {name}\ndescription: Runs code.\n---\n\n# Code\n");
        self.write(&format!("skills/{name}/SKILL.md"), &text);
        let metadata = format!(
            "schema: 1\nname: {name}\ndescription: Runs code.\nversion: '1'\nenabled: true\nrunnable: true\n\
             type: direct\ntransport: stdio-json\nentry: {{runtime: python, argv: [python3, main.py], dir: scripts}}\n\
             permissions: {{{permissions}, approval: none, admin: false}}\n\
             limits: {{timeout_ms: 20000, memory_mb: 512}}\n"
        );
        self.write(&format!("skills/{name}/METADATA.yml"), &metadata);
        self.write(&format!("skills/{name}/scripts/main.py"), PROBE);
    }

    /// Lays out a plugin that runs the code of its calls, with `more` in its manifest.
    pub(crate) fn plugin(&self, directory: &str, name: &str, more: &Value) {
        let mut manifest = json!({
            "manifestVersion": "1.0.0", "name": name, "displayName": name, "version": "1.0.0",
            "description": "Runs code.", "author": "t", "pluginType": "synchronous",
            "entryPoint": {"type": "python", "command": "python3 main.py"},
            "communication": {"protocol": "stdio", "timeout": 20_000},
            "capabilities": {"invocationCommands": [
                {"command": name, "description": "Runs code.", "example": "x"}]},
        });
        let more = more.as_object().unwrap().clone();
        manifest.as_object_mut().unwrap().extend(more);
        let file = format!("plugins/{directory}/plugin-manifest.json");
        self.write(&file, &manifest.to_string());
        self.write(&format!("plugins/{directory}/main.py"), PROBE);
    }

    /// Makes skills of the plugins.
    pub(crate) fn migrate(&self) {
        let mut command = tool("skills-migrate");
        command.args([&self.text("plugins"), "--out", &self.text("skills")]);
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{stderr}");
    }

    /// `skills-run` about to be started with a skill of this place.
    pub(crate) fn runner(&self, args: &[&str]) -> Command {
        let mut res = tool("skills-run");
        res.args(args).current_dir(self.dir.path());
        res.args(["--skills", &self.text("skills")]);
        res.args(["--state", &self.text("state")]);
        res
    }

    /// The answer of a skill that is called with `code`, in which `$OUT` is the directory outside.
    pub(crate) fn run(&self, skill: &str, code: &str, more: &[&str]) -> Value {
        let mut runner = self.runner(&[skill, "--input", &self.input(code)]);
        answer(runner.args(more))
    }

    /// The input with which a skill runs `code`.
    pub(crate) fn input(&self, code: &str) -> String {
        let code = code.replace("$OUT", &self.text("outside"));
        json!({ "code": code }).to_string()
    }

    /// Returns the output of a skill that must succeed.
    #[track_caller]
    pub(crate) fn says(&self, skill: &str, code: &str) -> String {
        let answer = self.run(skill, code, &[]);
        assert_eq!(answer["ok"], true, "{answer}");
        said(&answer)
    }

    /// Every file below `path` of which `is_wanted` holds. Links are not followed.
    pub(crate) fn find(&self, path: &str, is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let mut res = Vec::new();
        let mut left = vec![self.path(path)];
        while let Some(dir) = left.pop() {
            for entry in fs::read_dir(&dir).into_iter().flatten() {
                let path = entry.unwrap().path();
                let kind = fs::symlink_metadata(&path).unwrap();
                if kind.is_dir() {
                    left.push(path);
                } else if is_wanted(&path) {
                    res.push(path);
                }
            }
        }
        res
    }
}

/// The answer of a tool that prints one JSON object.
#[track_caller]
pub(crate) fn answer(command: &mut Command) -> Value {
    let output = command.output().unwrap();
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

/// Returns the output of a skill.
pub(crate) fn said(answer: &Value) -> String {
    let value = &answer["value"]["original_plugin_output"];
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}
