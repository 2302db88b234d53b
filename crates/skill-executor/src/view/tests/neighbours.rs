//! The skills that a skill requires: their copies beside it, and their versions.

use super::*;

#[test]
fn neighbours_are_granted() {
    let world = World::new();
    world.skill("s/a", "A", "requires: {skills: [b, Third]}\n");
    world.skill("s/b", "B", "requires: {skills: [deep]}\n");
    world.skill("s/deep", "Deep", "");
    world.skill("s/third", "Third", "");
    world.skill("s/other", "Other", "");
    world.write("s/a/scripts/main", "../Other/main PROJECT_BASE_PATH");
    for name in ["config.env", "prod.env", "keys/server.pem"] {
        world.write(&format!("s/b/scripts/{name}"), "SECRET=1");
    }
    world.write("s/b/scripts/lib.js", "lib");
    let b = world.with("s/b", Some(""), StateFrom::Undecided);
    fs::write(b.plugin.join("private"), "b's").unwrap();
    let a = world.prepare("s/a");
    assert_eq!(world.notes("s/a"), Vec::<&str>::new());
    let beside = world.state("skills/a/beside");
    assert_eq!(a.beside.as_ref(), Some(&beside));
    assert!(!beside.starts_with(&a.base), "read apart from its base");
    // It gets nothing of the neighbour's place or package but its own copy.
    assert_eq!(a.neighbours, Vec::<PathBuf>::new());
    for place in [&b.base, &b.home, &world.dir.path().join("s/b")] {
        assert!(!beside.starts_with(place) && !place.starts_with(&beside));
    }
    let found = |path: &str| text(a.plugin.join(path));
    assert_eq!(found("../B/lib.js"), "lib");
    assert_eq!(found("../Third/main"), "1");
    assert_eq!(found("../B/../Deep/main"), "1", "what a neighbour needs");
    assert_eq!(
        found("../B/../A/main"),
        found("main"),
        "and this one beside it"
    );
    for path in [
        "../B/config.env",
        "../B/prod.env",
        "../B/keys/server.pem",
        "../B/private",
        "../Other/main",
    ] {
        assert_eq!(found(path), "entity not found", "{path}");
    }
    let c = world.prepare("s/third");
    assert_eq!((c.beside, c.neighbours), (None, Vec::new()));
}

#[test]
fn what_a_skill_writes_beside_it_is_its_own() {
    let world = World::new();
    world.skill("s/a", "A", "requires: {skills: [b]}\n");
    world.skill("s/b", "B", "");
    world.write("s/b/scripts/lib.js", "lib");
    let b = world.prepare("s/b");
    fs::write(b.plugin.join("groups.json"), "b's").unwrap();
    let others = [world.dir.path().join("s"), world.state("skills/b")];
    let of_others = || others.each_ref().map(|dir| files(dir));
    let before = of_others();
    let a = world.prepare("s/a");
    let at = |path: &str| a.plugin.join("../B").join(path);
    let own = world.state("skills/a/beside/Plugin/B");
    assert_eq!(resolve(&at("")).unwrap(), resolve(&own).unwrap());
    assert_eq!(text(at("groups.json")), "entity not found");
    fs::write(at("groups.json"), "new").unwrap();
    fs::write(at("lib.js"), "changed").unwrap();
    world.prepare("s/a");
    world.prepare("s/b");
    assert_eq!(of_others(), before, "nothing reaches the neighbour");
    assert_eq!(text(own.join("groups.json")), "new");
    assert_eq!(text(at("groups.json")), "new");
    assert_eq!(text(at("lib.js")), "changed");
    // Code that changed in both is that of the package.
    world.write("s/b/scripts/lib.js", "of the package");
    world.prepare("s/a");
    assert_eq!(text(at("lib.js")), "of the package");
    assert_eq!(text(at("lib.js.1.replaced")), "changed");
    assert_eq!(world.notes("s/a"), ["state-replaced"]);
}

/// Links in a copy lead the host nowhere: it writes neither into a neighbour's place nor outside.
#[test]
fn links_beside_a_skill_lead_nowhere() {
    for name in ["Plugin", "Plugin/B", "Plugin/B/sub", "Plugin/B/lib.js"] {
        let world = World::new();
        world.skill("s/a", "A", "requires: {skills: [b]}\n");
        world.skill("s/b", "B", "");
        world.write("s/b/scripts/lib.js", "lib");
        world.write("s/b/scripts/sub/deep.js", "deep");
        world.write("outside/B/sub/own", "outside");
        let b = world.prepare("s/b");
        fs::write(b.plugin.join("sub/own"), "b's").unwrap();
        let a = world.prepare("s/a");
        let others = ["s", "outside", "state/skills/b"].map(|dir| world.dir.path().join(dir));
        let at = a.beside.unwrap().join(name);
        for target in [world.dir.path().join("outside"), b.plugin] {
            let _ = fs::remove_dir_all(&at).or_else(|_| fs::remove_file(&at));
            symlink(&target, &at).unwrap();
            // There is something to write.
            let text = target.to_string_lossy();
            world.write("s/b/scripts/lib.js", &text);
            world.write("s/b/scripts/sub/deep.js", &text);
            world.write("s/b/scripts/sub/new.js", &text);
            let before = others.each_ref().map(|dir| files(dir));
            // It fails for this skill alone, or works in spite of the link.
            let _ = world.attempt("s/a", None, StateFrom::Undecided);
            let after = others.each_ref().map(|dir| files(dir));
            assert_eq!(after, before, "{name}: {}", target.display());
        }
        world.prepare("s/b");
        assert_eq!(world.notes("s/b"), Vec::<&str>::new());
    }
}

#[test]
fn parts_of_a_host_are_neighbours() {
    let world = World::new();
    world.skill("s/a", "A", "requires: {skills: [b, Third]}\n");
    world.skill("s/.host/b", "B", "requires: {skills: [deep]}\n");
    world.skill("s/deep", "Deep", "");
    world.skill("s/.host/third", "Third", "");
    let a = world.prepare("s/a");
    assert_eq!(world.notes("s/a"), Vec::<&str>::new());
    assert_eq!(text(a.plugin.join("../Third/main")), "1");
    assert_eq!(text(a.plugin.join("../B/../Deep/main")), "1");
    let b = world.prepare("s/.host/b");
    assert_eq!(text(b.plugin.join("../Deep/main")), "1");
}

#[test]
fn a_range_of_versions_has_to_be_met() {
    let world = World::new();
    world.skill("s/one", "One", "");
    world.skill("s/fine", "Fine", "requires: {skills: ['one@^1']}\n");
    assert_eq!(
        text(world.prepare("s/fine").plugin.join("../One/main")),
        "1"
    );
    for (name, requires, why) in [
        (
            "newer",
            "one@^2",
            "requires the skill `one@^2`: no version of `one` is in the range ^2; found 1",
        ),
        (
            "gone",
            "lost@1",
            "requires the skill `lost@1`: there is none in",
        ),
        (
            "odd",
            "one@banana",
            "requires the skill `one@banana`: `one@banana` is not a required skill",
        ),
    ] {
        let requires = format!("requires: {{skills: ['{requires}']}}\n");
        world.skill(&format!("s/{name}"), name, &requires);
        let refused = world.attempt(&format!("s/{name}"), None, StateFrom::Undecided);
        let refused = refused.map(drop).unwrap_err();
        assert!(refused.message.contains(why), "{}", refused.message);
    }
}

#[test]
fn versions_side_by_side_meet_ranges() {
    let world = World::new();
    for (path, version) in [
        ("s/tea", "1.4.0"),
        ("s/tea-2", "2.1.0"),
        ("s/.host/tea@3.0.0", "3.0.0"),
    ] {
        world.skill(path, "tea", "");
        let file = world.dir.path().join(path).join("METADATA.yml");
        let text = fs::read_to_string(&file).unwrap();
        let name = path.rsplit('/').next().unwrap();
        let text = text.replace(&format!("name: {name}\n"), "name: tea\n");
        let text = text.replace("version: '1'", &format!("version: '{version}'"));
        fs::write(file, text).unwrap();
        world.write(&format!("{path}/scripts/main"), version);
    }
    for (n, (range, expected)) in [("^1", "1.4.0"), ("^2", "2.1.0"), (">=1, <4", "3.0.0")]
        .into_iter()
        .enumerate()
    {
        let skill = format!("s/shop{n}");
        world.skill(
            &skill,
            &skill[2..],
            &format!("requires: {{skills: ['tea@{range}']}}\n"),
        );
        let view = world.prepare(&skill);
        assert_eq!(text(view.plugin.join("../tea/main")), expected, "{range}");
    }
}

#[test]
fn each_requirement_gets_its_version() {
    let world = World::new();
    world.version("s/one", "one", "One", "1.4.0", "");
    world.version("s/one-2", "one", "Two", "2.1.0", "");
    world.version("s/.host/one@3.0.0", "one", "Three", "3.0.0", "");
    for (name, requires, plugin) in [
        ("a", "one@^1", "One"),
        ("b", "one@^2", "Two"),
        ("c", "one@^3", "Three"),
        ("d", "one@>1", "Three"),
        ("e", "one", "One"),
    ] {
        world.version(&format!("s/{name}"), name, name, "1", requires);
        let view = world.prepare(&format!("s/{name}"));
        let plugins = ["One", "Two", "Three"];
        let found = plugins.map(|plugin| view.plugin.join("..").join(plugin).exists());
        assert_eq!(found, plugins.map(|it| it == plugin), "{name}");
    }
}

/// Two versions of one plugin have one place there: the skill's own requirement gets it.
#[test]
fn the_place_of_a_plugin_is_that_of_the_own_requirement() {
    let world = World::new();
    world.version("s/one", "one", "One", "1.4.0", "");
    world.version("s/one-2", "one", "One", "2.1.0", "");
    world.version("s/pot", "pot", "Pot", "1", "one@^1");
    world.version("s/shop", "shop", "Shop", "1", "pot', 'one@^2");
    let view = world.prepare("s/shop");
    assert_eq!(text(view.plugin.join("../One/main")), "2.1.0");
    assert_eq!(world.notes("s/shop"), ["neighbour-missing"]);
    let pot = world.prepare("s/pot");
    assert_eq!(text(pot.plugin.join("../One/main")), "1.4.0");
}

#[test]
fn neighbours_that_are_missing_or_not_clear() {
    let world = World::new();
    world.skill("s/a", "A", "requires: {skills: [gone, Twice, A]}\n");
    world.skill("s/one", "Twice", "");
    world.skill("s/two", "Twice", "");
    let view = world.prepare("s/a");
    assert_eq!(world.notes("s/a"), ["neighbour-missing"; 2]);
    assert!(!view.base.join("Plugin/Twice").exists());
}
