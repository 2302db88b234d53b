//! Skills that are single files: `.hive/skills/*.md`.

use plugin_model::{Format, UnitKind};

use crate::{
    claude,
    files::is_text_file,
    hooks,
    host::{Host, PartPlace},
    host_files,
    parts::PartKind,
    reader::{OTHER_TEXT_KEYS, Part, Reader},
};

static FILE: PartKind = PartKind {
    word: "skill",
    unit: UnitKind::Instructions,
    keys: claude::TEXT_KEYS,
};

static HOST: Host = Host {
    format: Format::Hive,
    manifest: "",
    manifest_keys: &[],
    homes: &[".hive"],
    places: &[
        PartPlace::new("skills", "", &FILE),
        PartPlace::new("skills", ".md", &FILE),
    ],
    is_qualified: false,
    hooks: &hooks::NONE,
    servers: "",
    context: "",
    files: &host_files::NONE,
};

/// The reader of the format.
pub(crate) const READER: Reader = Reader {
    name: "hive",
    title: "skills that are single files",
    marks: "the directory `.hive`",
    homes: &[".hive"],
    claims: |directory| HOST.claim(directory),
    heads: |directory, claim| HOST.heads(directory, claim),
    is_enabled: |_| true,
    is_manifest: |_| false,
    wants_text: is_text_file,
    read: |sources| HOST.read(sources),
    remarks: |_| Vec::new(),
    parts: &[Part {
        title: "Skills `skills/*.md`, `skills/*/SKILL.md`",
        keys: claude::TEXT_KEYS,
        others: OTHER_TEXT_KEYS,
    }],
};
