//! The data that is needed to start a module.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use serde_json::{Map, Value, json};
use skill_sandbox::{AtExit, ChannelPlace, Limits, Program, Spec};
use skill_settings::Values;

use super::bundle::BOOT;
use super::wire::MAX_FRAME;

/// The descriptor that [`Spec::channel`] gives to the child.
const CHANNEL: &str = "3";

/// The output of a module that is kept for diagnostics, in bytes per stream.
const DIAGNOSTICS: usize = 256 << 10;

/// A module and the environment in which it is loaded.
#[derive(Clone, PartialEq, Debug)]
pub struct Launch {
    /// Its name in the old host.
    pub name: String,
    /// The module file: an absolute path whose parent becomes `__dirname`.
    pub file: PathBuf,
    /// Working directory: the project directory of the old host.
    pub cwd: PathBuf,
    /// The whole environment of the process.
    pub environment: BTreeMap<OsString, OsString>,
    /// Its configuration, coerced.
    pub configuration: Map<String, Value>,
    /// The stored values of other keys, which are in its environment.
    pub stored: Values,
    /// The old host, as a module sees it.
    pub host: HostView,
    /// Keep links in the path of the module, which a legacy view made of links needs.
    pub preserve_symlinks: bool,
    /// Memory of the JavaScript heap, in mebibytes.
    pub memory_mb: u64,
}

/// The parts of the old host that a module sees.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct HostView {
    /// `PROJECT_BASE_PATH`.
    pub project_base: String,
    /// `PORT` of the old host's environment.
    pub port: Option<String>,
    /// `Key` of the old host's environment.
    pub key: Option<String>,
    /// `DebugMode`.
    pub debug: bool,
    /// Parts of the host that it asks for: `host_requires` and `host_answered` of METADATA.yml.
    pub needs: Vec<String>,
    /// The skills that the plugin manager lists.
    pub skills: Vec<Value>,
    /// Configuration values of other plugins that the host gave to all: plugin, key, value.
    pub settings: Map<String, Value>,
}

impl Launch {
    /// Returns the child to start; a policy may be added to it.
    pub fn spec(&self) -> Spec {
        let mut argv: Vec<OsString> = vec!["node".into()];
        argv.push(format!("--max-old-space-size={}", self.memory_mb).into());
        if self.preserve_symlinks {
            argv.extend([
                "--preserve-symlinks".into(),
                "--preserve-symlinks-main".into(),
            ]);
        }
        argv.extend([
            "-e".into(),
            BOOT.into(),
            CHANNEL.into(),
            MAX_FRAME.to_string().into(),
        ]);
        Spec {
            env: self.environment.clone(),
            channel: Some(ChannelPlace::Descriptor3),
            limits: Limits {
                timeout: None,
                stdout: DIAGNOSTICS,
                stderr: DIAGNOSTICS,
            },
            at_exit: AtExit::Leave,
            ..Spec::new(Program::Argv(argv), &self.cwd)
        }
    }

    /// The request that loads and initialises it. Absent keys are `undefined` there.
    pub(super) fn request(&self) -> Map<String, Value> {
        let mut host = json!({
            "projectBase": self.host.project_base,
            "debug": self.host.debug,
            "needs": self.host.needs,
            "skills": self.host.skills,
            "settings": self.host.settings,
        });
        for (key, value) in [("port", &self.host.port), ("key", &self.host.key)] {
            if let Some(value) = value {
                host[key] = value.as_str().into();
            }
        }
        let mut res = Map::new();
        res.insert("op".to_owned(), "load".into());
        res.insert("name".to_owned(), self.name.as_str().into());
        res.insert("file".to_owned(), self.file.to_string_lossy().into());
        res.insert(
            "configuration".to_owned(),
            self.configuration.clone().into(),
        );
        res.insert("host".to_owned(), host);
        res
    }
}
