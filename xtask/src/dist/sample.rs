//! The content of a tiny release, for tests.

use std::collections::BTreeMap;

use super::content::{Content, Extra, ExtraKind};
use super::elf::{Libc, Machine, Needs};

pub(super) fn content() -> Content {
    let tools = ["skills-migrate", "skills-read"].map(str::to_owned);
    let extra = |tool: &String, kind: &ExtraKind| Extra {
        kind: *kind,
        tool: tool.clone(),
        text: format!("{} of {tool}\n", kind.word()).into_bytes().into(),
    };
    let extras = tools
        .iter()
        .flat_map(|tool| ExtraKind::ALL.iter().map(move |kind| extra(tool, kind)));
    let documents = [
        ("CHANGELOG.md", "# Changelog\n"),
        ("LICENSE-APACHE", "Apache License\n"),
        (
            "LICENSE-MIT",
            "Copyright (c) 2026 The authors\n\nPermission\n",
        ),
        ("LICENSE-THIRD-PARTY", "Text 1\n"),
        ("README.md", "# skills\n"),
        ("sbom.cdx.json", "{}\n"),
    ];
    let documents = documents.map(|(name, text)| (name.to_owned(), text.as_bytes().into()));
    Content {
        version: "0.1.0".to_owned(),
        target: "x86_64-unknown-linux-gnu".to_owned(),
        needs: Needs {
            machine: Machine::X86_64,
            libc: Libc::Glibc {
                major: 2,
                minor: 34,
            },
            libraries: vec!["libgcc_s.so.1".to_owned()],
        },
        repository: "https://example.com/skills".to_owned(),
        maintainer: "The authors <a@example.com>".to_owned(),
        seconds: 1_000_000_000,
        program: b"#!/bin/sh\necho program\n".as_slice().into(),
        extras: extras.collect(),
        tools: tools.to_vec(),
        documents: BTreeMap::from(documents),
        about: "# skills-tools\n".to_owned(),
    }
}
