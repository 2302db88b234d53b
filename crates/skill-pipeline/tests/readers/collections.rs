//! Several packages in one tree: marketplaces, and manifests of several hosts.

use std::fs;

use skill_pipeline::Status;

use crate::Expected::{Has, NoFile, Says, Silent};
use crate::{PLUGIN, check, findings, lay_out, run};

const REVIEW: (&str, &str) = ("plugins/tea/commands/review.md", "Review $ARGUMENTS\n");
const MARKET: &str = ".claude-plugin/marketplace.json";
const TEA: &str = r#"{"name": "m", "plugins": [{"name": "tea", "source": "./plugins/tea"}]}"#;

#[test]
fn a_root_manifest_without_parts_hides_nothing() {
    let roots = [
        (".cursor-plugin/plugin.json", r#"{"name": "x"}"#),
        (".codex-plugin/plugin.json", r#"{"name": "x"}"#),
        ("gemini-extension.json", r#"{"name": "x", "version": "1"}"#),
        (PLUGIN, r#"{"name": "x"}"#),
    ];
    for root in roots {
        check(
            &[root, (MARKET, TEA), REVIEW],
            &[
                Has("review/METADATA.yml", "name: tea:review"),
                Silent("nothing-to-migrate"),
                Says("packages-below"),
            ],
        );
        // Without a list, the plugin below has a manifest of its own.
        let own = (
            "plugins/tea/.cursor-plugin/plugin.json",
            r#"{"name": "tea"}"#,
        );
        check(&[root, own, REVIEW], &[Has("review/SKILL.md", "Review")]);
    }
}

#[test]
fn an_empty_manifest_leaves_the_directory_to_another_host() {
    check(
        &[
            (".cursor-plugin/plugin.json", r#"{"name": "x"}"#),
            ("gemini-extension.json", r#"{"name": "x", "version": "1"}"#),
            ("commands/c.toml", "prompt = \"Do {{args}}.\"\n"),
        ],
        &[Has("c/METADATA.yml", "host: gemini")],
    );
    check(
        &[(".cursor-plugin/plugin.json", r#"{"name": "x"}"#)],
        &[Says("nothing-to-migrate")],
    );
    // A manifest that cannot be read is not passed over.
    check(
        &[
            (PLUGIN, "{"),
            ("gemini-extension.json", r#"{"name": "x", "version": "1"}"#),
            ("commands/c.toml", "prompt = \"Do {{args}}.\"\n"),
        ],
        &[NoFile("c")],
    );
}

#[test]
fn each_unit_of_several_marketplaces_is_one_skill() {
    let skill = "---\nname: brew\ndescription: Brews tea.\n---\nUse /tea:review.\n";
    check(
        &[
            (MARKET, TEA),
            (".cursor-plugin/marketplace.json", TEA),
            (
                ".agents/plugins/marketplace.json",
                r#"{"name": "m", "plugins": [{"name": "tea", "source": {"source": "local", "path": "./plugins/tea"}}]}"#,
            ),
            // A root that names the parts of the packages below.
            (
                ".codex-plugin/plugin.json",
                r#"{"name": "all", "skills": "./plugins/tea/skills"}"#,
            ),
            (
                "plugins/tea/.claude-plugin/plugin.json",
                r#"{"name": "tea"}"#,
            ),
            (
                "plugins/tea/.codex-plugin/plugin.json",
                r#"{"name": "tea"}"#,
            ),
            (
                "plugins/tea/.cursor-plugin/plugin.json",
                r#"{"name": "tea"}"#,
            ),
            REVIEW,
            ("plugins/tea/skills/brew/SKILL.md", skill),
        ],
        &[
            Has("brew/METADATA.yml", "directory: tea"),
            Has("brew/METADATA.yml", "host: claude"),
            Has("brew/SKILL.md", "Use /review."),
            Has("review/METADATA.yml", "host: claude"),
            NoFile("brew-2"),
            NoFile("all-brew"),
            NoFile("tea-brew"),
            Silent("name-taken"),
        ],
    );
}

#[test]
fn texts_are_read_behind_much_else() {
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    let skill = "---\nname: late\ndescription: Comes last.\n---\nBody.\n";
    lay_out(
        &input,
        &[
            (PLUGIN, r#"{"name": "big"}"#),
            ("skills/late/SKILL.md", skill),
        ],
    );
    fs::create_dir(input.join("assets")).unwrap();
    for at in 0..26 {
        fs::write(input.join(format!("assets/{at}.bin")), vec![at; 1 << 20]).unwrap();
    }
    let said = findings(&run(dir.path(), |_| ()));
    assert!(dir.path().join("out/late/SKILL.md").exists(), "{said}");
}

#[test]
fn bare_skills_are_packages_of_their_own() {
    let skill = "---\nname: brew\ndescription: Brews tea.\nversion: 2\n---\nBrew it. Run `s.sh`.\n";
    check(
        &[
            ("brew/SKILL.md", skill),
            ("brew/s.sh", "echo tea\n"),
            ("brew/sub/SKILL.md", skill),
            (
                "serve/SKILL.md",
                "---\nname: serve\ndescription: Serves it.\n---\nServe.\n",
            ),
            (
                "serve/agents/waiter.md",
                "---\nname: waiter\ndescription: Waits.\n---\nWait.\n",
            ),
            // What this project wrote is not migrated again.
            (
                "done/SKILL.md",
                "---\nname: done\ndescription: Done.\n---\nDone.\n",
            ),
            ("done/METADATA.yml", "schema: 1\n"),
        ],
        &[
            Has("brew/SKILL.md", "Brew it."),
            Has("brew/SKILL.md", "version: \"2\""),
            Has("brew/s.sh", "echo tea"),
            Has("serve/SKILL.md", "Serve."),
            Has("waiter/SKILL.md", "Wait."),
            NoFile("done"),
            NoFile("skill"),
        ],
    );
    check(&[("SKILL.md", skill)], &[Has("in/SKILL.md", "Brew it.")]);
}

#[test]
fn a_marketplace_that_is_no_list_is_said() {
    for (text, said) in [
        ("[1]", "has no list `plugins`"),
        (r#"{"plugins": {}}"#, "has no list `plugins`"),
        ("// none\n{}", "is not JSON"),
    ] {
        check(
            &[
                (MARKET, text),
                ("x/.cursor-plugin/plugin.json", "{}"),
                ("x/commands/a.md", "A.\n"),
            ],
            &[
                Has("a/SKILL.md", "A."),
                Says("marketplace-unreadable"),
                Says(said),
            ],
        );
    }
}

#[test]
fn files_of_a_marketplace_in_no_package_are_counted() {
    check(
        &[
            (MARKET, TEA),
            REVIEW,
            ("README.md", "x"),
            (".gitignore", "x"),
            ("pages/a.md", "x"),
            ("pages/more/b.md", "x"),
            (
                ".mcp.json",
                r#"{"mcpServers": {"pot": {"command": "npx", "args": ["pot"]}}}"#,
            ),
        ],
        &[Says(
            "files-outside-packages: 3 files are in no package of the marketplace: `README.md`, `pages/` (1 file), `pages/more/` (1 file)",
        )],
    );
    // A directory of plugins is not a marketplace.
    check(&[REVIEW, ("README.md", "x")], &[Silent("in no package")]);
}

#[cfg(target_os = "linux")]
#[test]
fn packages_that_differ_by_case_are_named() {
    let tea = r#"{"name": "tea"}"#;
    let go = ("plugins/Tea/commands/go.md", "Go.\n");
    check(
        &[
            ("plugins/Tea/.claude-plugin/plugin.json", tea),
            go,
            ("plugins/tea/.claude-plugin/plugin.json", tea),
            REVIEW,
        ],
        &[
            Has("go/SKILL.md", "Go."),
            Has("review/SKILL.md", "Review"),
            Says("name-clash: the directory differs from `plugins/Tea` by case"),
        ],
    );
}

/// Codex and OpenCode take skills inside of skills; for other hosts they are files.
#[test]
fn skills_inside_of_skills_are_those_of_their_host() {
    let outer = "---\nname: outer\ndescription: Brews tea.\n---\nSee [inner](inner/SKILL.md).\n";
    let inner = "---\nname: inner\ndescription: Warms the pot.\n---\nWarm it with `x.sh`.\n";
    let files = |home: &str| {
        [
            ("SKILL.md", outer),
            ("inner/SKILL.md", inner),
            ("inner/x.sh", "true\n"),
        ]
        .map(|(path, text)| (format!("{home}/skills/outer/{path}"), text))
    };
    for home in [".github", ".claude", ".agents"] {
        let files = files(home);
        let files = files.each_ref().map(|(path, text)| (path.as_str(), *text));
        check(
            &files,
            &[
                Has("outer/SKILL.md", "[inner](inner/instructions.md)"),
                Has("outer/inner/instructions.md", "Warm it"),
                Has("outer/inner/x.sh", "true"),
                NoFile("inner"),
                Says(
                    "skills inside of this one are files of it, as in its host: `skills/outer/inner/SKILL.md`",
                ),
            ],
        );
    }
    for home in [".codex", ".opencode"] {
        let files = files(home);
        let files = files.each_ref().map(|(path, text)| (path.as_str(), *text));
        check(
            &files,
            &[
                Has("outer/SKILL.md", "See the skill `inner`."),
                Has("inner/SKILL.md", "Warm it with `x.sh`."),
                Has("inner/x.sh", "true"),
                NoFile("outer/inner/instructions.md"),
                Silent("skills inside"),
            ],
        );
    }
}

#[test]
fn skills_of_a_package_around_them_are_not_unknown() {
    let skill = "---\nname: brew\ndescription: Brews tea.\n---\nBrew.\n";
    let market = r#"{"name": "m", "plugins": [{"name": "tea", "source": "./"}]}"#;
    check(
        &[
            (MARKET, market),
            (PLUGIN, r#"{"name": "tea"}"#),
            ("skills/brew/SKILL.md", skill),
            ("pages/ja/skills/brew/SKILL.md", skill),
        ],
        &[
            Has("brew/SKILL.md", "Brew."),
            Says("not-recognized: the directory has parts of the format claude"),
        ],
    );
    check(
        &[
            (MARKET, market),
            (PLUGIN, r#"{"name": "tea"}"#),
            ("skills/brew/SKILL.md", skill),
        ],
        &[Silent("not-recognized")],
    );
    // Several plugins of the marketplace are in its directory.
    check(
        &[
            (
                MARKET,
                r#"{"name": "m", "plugins": [{"name": "a", "source": "./", "strict": false, "skills": ["./skills/brew"]}, {"name": "b", "source": "./", "strict": false, "skills": ["./skills/pour"]}]}"#,
            ),
            ("skills/brew/SKILL.md", skill),
            ("skills/pour/SKILL.md", skill),
        ],
        &[Has("pour/SKILL.md", "Brew."), Silent("not-recognized")],
    );
}

/// A manifest with some files hides nothing if another package is beside it.
#[test]
fn a_manifest_with_some_files_beside_another_package_closes_nothing() {
    let manifest = r#"{"schema_version": "v1", "name_for_model": "pot", "name_for_human": "Pot", "description_for_model": "Boils.", "description_for_human": "Boils.", "auth": {"type": "none"}, "api": {"type": "openapi", "url": "https://pot.example/openapi.json"}}"#;
    let api = r#"{"openapi": "3.0.0", "info": {"title": "Pot", "version": "1"}, "servers": [{"url": "https://pot.example"}], "paths": {"/boil": {"get": {"operationId": "boil", "description": "Boils.", "responses": {"200": {"description": "OK"}}}}}}"#;
    let list = r#"{"mcpServers": {"kettle": {"command": "npx", "args": ["kettle"]}}}"#;
    let pot = [("ai-plugin.json", manifest), ("openapi.json", api)];
    let tea = (
        "plugins/tea/.claude-plugin/plugin.json",
        r#"{"name": "tea"}"#,
    );
    check(
        &[pot[0], pot[1], (".mcp.json", list), tea, REVIEW],
        &[
            Has("pot/SKILL.md", "Boils."),
            Has("kettle/METADATA.yml", "kettle"),
            Has("review/SKILL.md", "Review"),
        ],
    );
    check(
        &[pot[0], pot[1], tea, REVIEW],
        &[Has("pot/SKILL.md", "Boils."), NoFile("review")],
    );
}

/// A plugin whose manifest is the entry of a marketplace has the place of that entry.
#[test]
fn a_plugin_without_a_part_is_named_at_its_entry() {
    let market = r#"{"name": "m", "plugins": [
        {"name": "tea", "source": "./plugins/tea"},
        {"name": "clangd", "source": "./plugins/clangd", "strict": false, "lspServers": {"clangd": {"command": "clangd"}}},
        {"name": "bare", "source": "./plugins/bare"}]}"#;
    let dir = tempfile::tempdir().unwrap();
    let files = [
        (MARKET, market),
        REVIEW,
        ("plugins/clangd/README.md", "x"),
        ("plugins/bare/README.md", "x"),
    ];
    lay_out(&dir.path().join("in"), &files);
    let migrated = run(dir.path(), |_| ());
    let outcomes = migrated.outcomes.iter();
    let found: Vec<String> = outcomes
        .flat_map(|it| it.findings.iter().map(move |finding| (it, finding)))
        .filter(|(_, it)| it.code.0 == "nothing-to-migrate")
        .map(|(outcome, it)| {
            let (severity, file) = (it.severity.word(), it.place.file.as_deref());
            format!(
                "{}: {severity} {}",
                outcome.directory,
                file.unwrap_or_default()
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            format!("plugins/bare: error {MARKET}"),
            format!("plugins/clangd: note {MARKET}"),
        ]
    );
}

/// A package with hooks or language servers only is not a failure: its outcome is counted, and each of its
/// hooks has a finding at its place, relative to the input.
#[test]
fn a_package_without_anything_for_a_skill_is_no_failure() {
    let hooks = r#"{"hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.py"}]}],
        "Stop": [{"hooks": [{"type": "command", "command": "./a.py"}, {"type": "command", "command": "./b.py"}]}]}}"#;
    let lsp = r#"{"name": "clangd", "lspServers": {"clangd": {"command": "clangd"}}}"#;
    let files = [
        ("guard/.claude-plugin/plugin.json", r#"{"name": "guard"}"#),
        ("guard/hooks/hooks.json", hooks),
        (
            "guard/token.py",
            "key = 'ghp_aaaabbbbccccddddeeeeffff000011112222'\n",
        ),
        ("clangd/.claude-plugin/plugin.json", lsp),
        ("tea/.claude-plugin/plugin.json", r#"{"name": "tea"}"#),
        ("tea/commands/brew.md", "Brew.\n"),
    ];
    let dir = tempfile::tempdir().unwrap();
    lay_out(&dir.path().join("in"), &files);
    let migrated = run(dir.path(), |_| ());
    assert!(!migrated.totals.has_failures());
    assert_eq!(migrated.totals.count(Status::Nothing), 2);
    assert_eq!(migrated.totals.plugins, 3);
    let guard = migrated.outcomes.iter().find(|it| it.directory == "guard");
    let places = guard.unwrap().findings.iter().map(|it| {
        let pointer = it.place.pointer.as_deref().unwrap_or_default();
        format!(
            "{} {}{pointer}",
            it.code.0,
            it.place.file.as_deref().unwrap_or_default()
        )
    });
    assert_eq!(
        places.collect::<Vec<_>>(),
        [
            "nothing-to-migrate guard/.claude-plugin/plugin.json",
            "hooks-not-carried guard/hooks/hooks.json/hooks/PreToolUse/0/hooks/0",
            "hooks-not-carried guard/hooks/hooks.json/hooks/Stop/0/hooks/0",
            "hooks-not-carried guard/hooks/hooks.json/hooks/Stop/0/hooks/1",
        ]
    );
}

/// Findings about a text of a package name its place in the input, not in the package.
#[test]
fn the_places_of_findings_are_those_of_the_input() {
    let files = [
        (MARKET, TEA),
        (
            "plugins/tea/commands/brew.md",
            "See `~/.claude/tea.md` and `scripts/gone.py`.\n",
        ),
        (
            "plugins/tea/agents/a.md",
            "---\nname: a\ndescription: An agent.\n---\nRead ~/.claude/x.md\n",
        ),
        (
            ".cursor/rules/always.mdc",
            "---\nalwaysApply: true\n---\nBe kind.\n",
        ),
    ];
    let dir = tempfile::tempdir().unwrap();
    let input = dir.path().join("in");
    lay_out(&input, &files);
    let migrated = run(dir.path(), |_| ());
    let outcomes = migrated.outcomes.iter().flat_map(|it| &it.findings);
    let places = outcomes.chain(&migrated.not_searched);
    let places: Vec<&str> = places.filter_map(|it| it.place.file.as_deref()).collect();
    assert!(places.len() > 2, "{places:?}");
    for place in places {
        assert!(input.join(place).exists(), "{place}");
    }
}
