//! One skill and the state of its host.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;
use skill_executor::call::{Approval, Call, Host, Options};
use skill_executor::config::{Given, resolve};
use skill_executor::envelope::Envelope;
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::Sandbox;
use skill_executor::standard;
use skill_executor::state::State;
use skill_executor::zone::Zone;
use skill_testing::{Need, find};
use tempfile::TempDir;

/// One skill and the state of its host.
pub(crate) struct World {
    pub(crate) dir: TempDir,
    pub(crate) host: Host,
    pub(crate) approval: Approval,
}

fn path() -> String {
    std::env::var("PATH").unwrap_or_default()
}

pub(crate) fn is_there(program: &str) -> bool {
    find::program(Need::Programs, program).is_some()
}

impl World {
    pub(crate) fn new(metadata: &str, files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let skill = dir.path().join("skill");
        std::fs::create_dir_all(skill.join("scripts")).unwrap();
        let head = "schema: 1\nname: child\nversion: '1'\nenabled: true\nrunnable: true\n";
        let legacy = "legacy: {host: vcp-main, name: Child, directory: ChildDir, plugin_type: synchronous}\n";
        std::fs::write(
            skill.join("METADATA.yml"),
            format!("{head}{legacy}{metadata}"),
        )
        .unwrap();
        for (name, text) in files {
            let file = skill.join("scripts").join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(&file, text).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        let environment = [("PATH", path()), ("SECRET", "not for you".to_owned())];
        let host = Host {
            environment: environment
                .map(|(name, value)| (name.to_owned(), value))
                .into(),
            state: State::open(&dir.path().join("state")).unwrap(),
            allow_shell: false,
            strict: false,
            sandbox: Sandbox::off(),
            zone: Zone::utc(),
            loaders: std::collections::BTreeMap::new(),
            fixed_ms: None,
        };
        Self {
            dir,
            host,
            approval: Approval::Missing,
        }
    }

    pub(crate) fn call(&self, input: &Value, config: &str, options: &Options) -> Envelope {
        let skill = SkillPackage::read(&self.dir.path().join("skill")).unwrap();
        let given = Given {
            file: Some(config),
            ..Given::default()
        };
        let (metadata, manifest) = (&skill.metadata, skill.manifest.as_ref());
        let config = resolve(metadata, manifest, given, &self.host.environment);
        let options = Options {
            approval: self.approval.clone(),
            ..options.clone()
        };
        standard().execute(&Call {
            skill: &skill,
            command: None,
            input,
            config: &config,
            options: &options,
            host: &self.host,
            others: None,
        })
    }

    /// The value without its time stamp, or `code: message`.
    pub(crate) fn answer(&self, input: &Value, config: &str) -> Value {
        shown(self.call(input, config, &Options::default()))
    }
}

pub(crate) fn shown(envelope: Envelope) -> Value {
    match envelope.outcome {
        Ok(success) => {
            let mut value = success.value;
            if let Some(map) = value.as_object_mut() {
                map.remove("timestamp");
            }
            value
        }
        Err(failure) => format!("{}: {}", failure.code.word(), failure.message).into(),
    }
}

/// A direct skill that runs these words on `main`.
pub(crate) fn direct(argv: &str, main: &str) -> World {
    let metadata = format!(
        "type: direct\ntransport: stdio-json\ntimeout_ms: 20000\nentry: {{runtime: native, shell: x, argv: {argv}, dir: scripts}}\n"
    );
    World::new(&metadata, &[("main", main)])
}
