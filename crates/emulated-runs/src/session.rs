//! One call of a skill whose network is emulated, recorded or replayed.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use emulated_internet::{
    Cassette, Exchange, Internet, Mask, Recording, Source, StartError, Table, Upstream, Visit,
};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use skill_executor::approval;
use skill_executor::auth_code::AUTH_CODE;
use skill_executor::call::Host;
use skill_executor::envelope::{Envelope, Failure};
use skill_executor::package::SkillPackage;
use skill_executor::sandbox::{Emulation, Level, Server};
use skill_executor::state::State;
use skill_language::{Language, say};
use skill_loader::fs::{PathError, ReadError, Root, Scratch, WalkLimits, resolve};
use skill_model::read_env_file;
use skill_settings::{SkillId, Store, WantedKey, wanted};

use crate::answers::{AnswersError, table};
use crate::deck::{Deck, DeckError};
use crate::keep::{self, KeepError};
use crate::kind::{NetworkKind, Superfluous};
use crate::ports::ports;
use crate::settings::{self, Recorded};
use crate::variables::{CERTIFICATE, variables};

/// The largest source file that is searched for ports, in bytes.
const MAX_SOURCE: u64 = 1 << 20;

/// The reason why a recording is not whole.
const TOO_MANY: &str = "there were more than a recording holds";

/// The source of the answers.
#[derive(Debug)]
pub enum Network {
    /// They are made up, except for those of the table.
    Emulate(Table),
    /// Real services; the cassette is for this directory.
    Record(Deck),
    /// The cassettes of this directory.
    Replay(Deck),
}

/// The call cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The emulated internet cannot be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There are no random numbers.
    #[error("the visit to the emulated internet cannot begin: {0}")]
    Random(#[from] io::Error),
    /// The directory for the certificate cannot be used.
    #[error(transparent)]
    Directory(#[from] PathError),
    /// The certificate cannot be written, or a file of the skill cannot be read.
    #[error(transparent)]
    File(#[from] ReadError),
    /// The cassette cannot be read.
    #[error(transparent)]
    Deck(#[from] DeckError),
    /// The answers cannot be read.
    #[error(transparent)]
    Answers(#[from] AnswersError),
    /// A recording could not be kept.
    #[error(transparent)]
    Keep(#[from] KeepError),
    /// A directory is named that is not used.
    #[error(transparent)]
    Superfluous(#[from] Superfluous),
    /// The directory of recordings is not named.
    #[error("a directory for the recordings is missing: add it after the skill")]
    NoDirectory,
    /// The stored settings cannot be read.
    #[error(transparent)]
    Settings(#[from] skill_settings::Error),
    /// The state of the call cannot be made.
    #[error("{0}")]
    State(String),
    /// There is nothing to replay.
    #[error("there is no recording of {skill} in {dir}; make one with --network record")]
    NoCassette {
        /// The skill.
        skill: String,
        /// The directory.
        dir: PathBuf,
    },
}

/// A call in progress.
#[derive(Debug)]
pub struct Session {
    visit: Visit,
    _internet: Internet,
    _scratch: Scratch,
    /// The state of a call whose answers are not real.
    _state: Option<Scratch>,
    mode: Network,
    mask: Arc<Mask>,
    cassette: Cassette,
    case: String,
    name: String,
}

impl Network {
    /// Returns the mode for the words of a command line. `dir` is the directory of recordings, `answers` that of
    /// answers; `can_ask` says whether a person can see a recording before it is kept.
    ///
    /// # Errors
    ///
    /// A directory is missing, is not used or cannot be used, or nobody could agree to a recording.
    pub fn new(
        kind: NetworkKind,
        dir: Option<&Path>,
        answers: Option<&Path>,
        can_ask: bool,
    ) -> Result<Self, SessionError> {
        kind.check(dir, answers)?;
        Ok(match (kind, dir) {
            (NetworkKind::Emulate, _) => {
                Self::Emulate(answers.map(table).transpose()?.unwrap_or_default())
            }
            (_, None) => return Err(SessionError::NoDirectory),
            (NetworkKind::Record, Some(dir)) => {
                keep::check(can_ask)?;
                Self::Record(Deck::create(dir)?)
            }
            (NetworkKind::Replay, Some(dir)) => Self::Replay(Deck::open(dir)?),
        })
    }
}

impl Session {
    /// Prepares a call: the sandbox of `host` leads to the internet of this session, and `config`, the text of a
    /// `config.env`, gets the settings that the call needs.
    ///
    /// # Errors
    ///
    /// The internet cannot be started, or there is nothing to replay.
    pub fn begin(
        mode: Network,
        skill: &SkillPackage,
        call: (Option<&str>, &Value),
        (host, config): (&mut Host, &mut Option<String>),
    ) -> Result<Self, SessionError> {
        let wanted = wanted(&skill.metadata, skill.manifest.as_ref());
        let name = skill.metadata.name.clone();
        let text = config.clone().unwrap_or_default();
        let case = case(call);
        let (table, recorded, cassette) = match &mode {
            Network::Emulate(table) => (table.clone(), None, None),
            Network::Record(_) => {
                let recorded = present(skill, host, &text, &wanted)?;
                let cassette = recorded.cassette(&wanted);
                (Table::default(), Some(recorded), Some(cassette))
            }
            Network::Replay(deck) => {
                let cassette = deck.read(&name)?;
                let cassette = cassette.ok_or_else(|| SessionError::NoCassette {
                    skill: name.clone(),
                    dir: deck.path().to_owned(),
                })?;
                let recorded = settings::replayed(&cassette, &wanted);
                (Table::default(), Some(recorded), Some(cassette))
            }
        };
        let mask = Arc::new(recorded.as_ref().map(Recorded::mask).unwrap_or_default());
        let cassette = cassette.unwrap_or_else(|| Recorded::default().cassette(&[]));
        let source = match &mode {
            Network::Emulate(_) => {
                *config = Some(settings::with_settings(&text, &unset(skill, host, wanted)?));
                Source::Emulated(0)
            }
            Network::Record(_) => {
                let upstream = Upstream::new(skill_sandbox::addresses);
                Source::Real(Arc::new(upstream), Arc::clone(&mask))
            }
            Network::Replay(_) => {
                let recorded = recorded.unwrap_or_default();
                *config = Some(settings::with_recorded(&text, &recorded));
                let takes = takes(&cassette, &case);
                Source::Replayed(takes, Arc::clone(&mask))
            }
        };
        let internet = Internet::start(table)?;
        let visit = internet.visit(source)?;
        let texts: Vec<&str> = cassette.urls().chain(config.as_deref()).collect();
        let scratch = confine(skill, host, (&internet, &visit), &texts)?;
        let is_real = matches!(mode, Network::Record(_));
        let state = (!is_real).then(|| separate(skill, host)).transpose()?;
        Ok(Self {
            visit,
            _internet: internet,
            _scratch: scratch,
            _state: state,
            mode,
            mask,
            cassette,
            case,
            name,
        })
    }

    /// Ends the call: its answer gets an account of the requests, and what was recorded is kept, after a question
    /// on `out` unless the user has agreed.
    ///
    /// # Errors
    ///
    /// The recording cannot be kept.
    pub fn end(
        mut self,
        envelope: &mut Envelope,
        is_agreed: bool,
        (out, language): (&mut dyn Write, Language),
    ) -> Result<(), KeepError> {
        let requests = self.visit.finish();
        let line = |exchange: &Exchange| {
            let line = format!("{} {} {}", exchange.status, exchange.method, exchange.url);
            self.mask.text(&line)
        };
        let lines: Vec<String> = requests.exchanges.iter().map(line).collect();
        let word = match self.mode {
            Network::Emulate(_) => "emulated",
            Network::Record(_) => "recorded",
            Network::Replay(_) => "replayed",
        };
        let mut account = json!({"answers": word, "requests": lines});
        let gap = requests.gaps.first().cloned();
        if !requests.gaps.is_empty() {
            account["without_answer"] = requests.gaps.into();
        }
        if !requests.is_whole {
            account["is_whole"] = false.into();
        }
        let extra = &mut envelope.meta.extra;
        extra.insert("network".to_owned(), account);
        if let Network::Record(deck) = self.mode {
            let gap = gap.or_else(|| (!requests.is_whole).then(|| TOO_MANY.to_owned()));
            if let Some(gap) = gap {
                writeln!(
                    out,
                    "{}",
                    say!(
                        language,
                        "nothing is kept, because a request could not be recorded: {gap}"
                    )
                )?;
                return Ok(());
            }
            let recording = Recording {
                start_ms: 0,
                takes: requests.takes,
            };
            self.cassette.cases.insert(self.case, recording);
            self.mask.finish(&mut self.cassette);
            let cassettes = [(self.name, self.cassette)].into();
            keep::ask(&deck, cassettes, is_agreed, out, language)?;
        }
        Ok(())
    }
}

/// Returns the name of the case of a call: its command, and a digest of its input.
fn case((command, input): (Option<&str>, &Value)) -> String {
    let digest = Sha256::digest(input.to_string().as_bytes());
    let digest: String = digest[..8]
        .iter()
        .fold(String::new(), |text, byte| text + &format!("{byte:02x}"));
    format!("{} {digest}", command.unwrap_or("-"))
}

/// Returns the recorded requests of a case, or those of all cases if this one was not recorded.
fn takes(cassette: &Cassette, case: &str) -> Vec<emulated_internet::Take> {
    match cassette.cases.get(case) {
        Some(recording) => recording.takes.clone(),
        None => {
            let all = cassette.cases.values();
            all.flat_map(|recording| recording.takes.clone()).collect()
        }
    }
}

/// Returns the settings that a call has: those of the environment, the stored ones, and those of the file.
fn present(
    skill: &SkillPackage,
    host: &Host,
    config: &str,
    wanted: &[WantedKey],
) -> Result<Recorded, SessionError> {
    let environment = host.environment.clone().into_given().into_iter();
    let stored = stored(skill, host)?;
    let pairs = environment.chain(stored).chain(read_env_file(config));
    Ok(Recorded::new(pairs, wanted))
}

/// Returns the keys that a skill wants and that neither the environment nor the store has a value for.
fn unset(
    skill: &SkillPackage,
    host: &Host,
    wanted: Vec<WantedKey>,
) -> Result<Vec<WantedKey>, SessionError> {
    let stored = stored(skill, host)?;
    let has = |key: &String| {
        let is_code = key == AUTH_CODE && host.environment.code().is_some();
        stored.contains_key(key) || host.environment.contains_key(key) || is_code
    };
    let keys = wanted.into_iter();
    Ok(keys.filter(|wanted| !has(&wanted.key)).collect())
}

fn stored(skill: &SkillPackage, host: &Host) -> Result<BTreeMap<String, String>, SessionError> {
    let id = SkillId::new(&skill.dir, &skill.metadata);
    let stored = Store::new(host.state.root()).read(&id)?;
    let values = stored.values.iter();
    Ok(values
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect())
}

/// Leads the sandbox to the internet. Nothing less than all restrictions will do: a program that is not
/// confined would reach the real network.
fn confine(
    skill: &SkillPackage,
    host: &mut Host,
    (internet, visit): (&Internet, &Visit),
    texts: &[&str],
) -> Result<Scratch, SessionError> {
    let scratch = Scratch::make(&std::env::temp_dir(), "skills-internet-")?;
    let dir = resolve(scratch.path())?;
    let text = internet.certificate().as_bytes();
    Root::open_real(&dir)?.write_whole(".", CERTIFICATE, text)?;
    let certificate = dir.join(CERTIFICATE).display().to_string();
    host.loaders.extend(variables(&certificate));
    host.sandbox.also_read.push(dir);
    host.sandbox.at_least = Some(Level::Full);
    let sources = sources(&skill.root);
    let texts = sources
        .iter()
        .map(String::as_str)
        .chain(texts.iter().copied());
    host.sandbox.emulation = Some(Emulation {
        server: Server {
            port: internet.port(),
            mark: visit.mark().to_owned(),
        },
        ports: ports(texts),
    });
    Ok(scratch)
}

/// Gives the call a state of its own, which is removed with the result: answers and settings that are made up must
/// not stay. It has the packages, the settings and the approvals of the real one.
fn separate(skill: &SkillPackage, host: &mut Host) -> Result<Scratch, SessionError> {
    let scratch = Scratch::make(&std::env::temp_dir(), "skills-state-")?;
    let dir = resolve(scratch.path())?;
    let failed = |failure: Failure| SessionError::State(failure.message);
    let state = State::open(&dir).map_err(failed)?;
    let state = state.with_environments(host.state.environments().clone());
    let id = SkillId::new(&skill.dir, &skill.metadata);
    let stored = Store::new(host.state.root()).read(&id)?;
    Store::new(state.root()).update(&id, |own| own.clone_from(&stored))?;
    approval::copy(&host.state, &state).map_err(failed)?;
    host.state = state;
    Ok(scratch)
}

/// Returns the texts of the source files of a skill. What cannot be read names no port.
fn sources(root: &Root) -> Vec<String> {
    let is_left_out = |path: &str| path.ends_with("node_modules") || path.starts_with('.');
    let listing = root.walk("", &WalkLimits::default(), &is_left_out);
    let entries = listing.map(|listing| listing.entries).unwrap_or_default();
    let is_source = |path: &&str| {
        let ending = Path::new(path).extension();
        ending.is_some_and(|ending| ["js", "mjs", "cjs", "py"].iter().any(|it| ending == *it))
    };
    let paths = entries.iter().map(|entry| entry.path.as_str());
    let texts = paths.filter(is_source).filter_map(|path| {
        let bytes = root.read(path, MAX_SOURCE).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    });
    texts.collect()
}
