//! Python packages, of wheels in a directory and in an index.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use skill_environments::{Need, Needs};

use crate::setting::Setting;

/// Writes a wheel: a zip archive with a module, its description and other files.
const WHEEL: &str = "import base64, hashlib, sys, zipfile
name = sys.argv[1]
info = name + '-1.0.dist-info/'
more = dict(zip(sys.argv[3::2], sys.argv[4::2]))
files = {
    name + '.py': 'NAME = __name__',
    info + 'METADATA': 'Metadata-Version: 2.1\\nName: ' + name + '\\nVersion: 1.0\\n',
    info + 'WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n',
    **more,
}
def row(path):
    digest = base64.urlsafe_b64encode(hashlib.sha256(files[path].encode()).digest()).decode().rstrip('=')
    return path + ',sha256=' + digest + ',' + str(len(files[path].encode())) + '\\n'
files[info + 'RECORD'] = ''.join(map(row, list(files))) + info + 'RECORD,,\\n'
with zipfile.ZipFile(sys.argv[2], 'w') as wheel:
    for path, text in files.items():
        entry = zipfile.ZipInfo(path)
        entry.external_attr = 0o100755 << 16
        wheel.writestr(entry, text)
";

impl Setting {
    /// Writes the wheel of a package with more files.
    fn wheel(&self, path: &str, name: &str, more: &[(&str, &str)]) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let made = Command::new("python3")
            .args(["-c", WHEEL, name])
            .arg(&path)
            .args(more.iter().flat_map(|(path, text)| [path, text]))
            .status();
        assert!(made.unwrap().success());
    }

    /// Adds a package to the index.
    fn index(&self, name: &str, more: &[(&str, &str)]) {
        let file = format!("{name}-1.0-py3-none-any.whl");
        // pip asks for the name in this form (PEP 503).
        let dir = format!("registry/simple/{}", name.replace('_', "-"));
        self.wheel(&format!("{dir}/{file}"), name, more);
        self.write(
            &format!("{dir}/index.html"),
            &format!("<a href=\"{file}\">{file}</a>"),
        );
    }
}

fn pip(packages: &[(&str, &str)]) -> Needs {
    let need = |(name, range): &(&str, &str)| {
        let need = Need {
            range: (*range).to_owned(),
            ..Need::default()
        };
        ((*name).to_owned(), need)
    };
    Needs {
        pip: packages.iter().map(need).collect(),
        ..Needs::default()
    }
}

fn imported(python: &Path, module: &str) -> String {
    let code = format!("import {module}; print({module}.NAME)");
    let run = Command::new(python.join("bin/python"))
        .args(["-c", &code])
        .output();
    String::from_utf8_lossy(&run.unwrap().stdout)
        .trim()
        .to_owned()
}

#[test]
fn python_packages_are_in_an_environment_of_their_own() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let mut setting = Setting::new();
    let file = "local_one-1.0-py3-none-any.whl";
    setting.wheel(file, "local_one", &[]);
    let address = format!("file://{}", setting.path(file).display());
    let needs = pip(&[
        ("local_one", &format!("@ {address}")),
        ("gone-from-index", "==1.2.3"),
    ]);
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
    let python = setting.find(&needs).python.unwrap();
    assert_eq!(imported(&python, "local_one"), "local_one");
    // The pip of this machine filled it, unless it is too old for that.
    let code = "import pip; print(int(pip.__version__.split('.')[0]) > 22)";
    let is_new = Command::new("python3").args(["-c", code]).output().unwrap();
    if is_new.stdout.starts_with(b"True") {
        let has_pip = Command::new(python.join("bin/python"))
            .args(["-c", "import pip"])
            .output();
        assert!(!has_pip.unwrap().status.success());
    }
}

/// A wheel runs no code when it is installed. It brings code that every start of the interpreter of
/// its environment runs, modules for the working directory, and programs with the names of others.
#[test]
fn no_code_of_a_wheel_runs_outside_of_the_sandbox() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let setting = Setting::new();
    let marks = setting.path("marks");
    fs::create_dir(&marks).unwrap();
    let mark = |name: &str| {
        let path = marks.join(name);
        format!(
            "import os; open({:?}, 'a').close()\n",
            path.display().to_string()
        )
    };
    let script = format!("#!/bin/sh\ntouch {}/script\n", marks.display());
    setting.index("good", &[]);
    setting.index("pth", &[("evil.pth", &mark("pth"))]);
    setting.index("site_evil", &[("sitecustomize.py", &mark("sitecustomize"))]);
    setting.index(
        "data_evil",
        &[
            ("data_evil-1.0.data/data/compileall.py", &mark("compileall")),
            ("data_evil-1.0.data/data/csv.py", &mark("csv")),
            ("data_evil-1.0.data/data/pip/__init__.py", &mark("pip")),
        ],
    );
    setting.index("replaces", &[("replaces-1.0.data/scripts/python", &script)]);
    let check = |packages: &[&str], missing: &[&str]| {
        let packages: Vec<(&str, &str)> = packages.iter().map(|name| (*name, "")).collect();
        let needs = pip(&packages);
        let prepared = setting.prepare(&[("skill", &needs)]);
        let found = prepared[0].missing.iter().map(|one| one.name.as_str());
        let found: Vec<&str> = found.collect();
        assert_eq!(found, missing, "{prepared:?}");
        let left: Vec<_> = fs::read_dir(&marks).unwrap().collect();
        assert!(left.is_empty(), "{packages:?}: {left:?}");
        (needs, prepared)
    };
    check(&["pth", "site_evil", "data_evil"], &[]);
    // One that is missing makes each of the others be tried.
    check(&["data_evil", "gone", "pth", "site_evil"], &["gone"]);
    let (needs, prepared) = check(&["good", "replaces"], &["good", "replaces"]);
    let reason = &prepared[0].missing[0].reason;
    assert!(reason.contains("replaces bin/python"), "{reason}");
    let python = setting.find(&needs).python.unwrap().join("bin/python");
    assert!(fs::symlink_metadata(python).unwrap().is_symlink());
}

/// A package that the user allows to build comes from the user's index, and a password of the index does not
/// reach the program that builds it.
#[test]
fn the_index_of_the_user_holds_whatever_is_allowed() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let mut setting = Setting::new();
    setting.index("good", &[]);
    let needs = pip(&[("good", ""), ("gone", "")]);
    setting.settings.allow_scripts = vec!["gone".to_owned(), "other".to_owned()];
    let missing = |setting: &Setting| -> BTreeMap<String, String> {
        let prepared = setting.prepare(&[("skill", &needs)]);
        let missing = prepared[0].missing.iter();
        missing
            .map(|one| (one.name.clone(), one.reason.clone()))
            .collect()
    };
    let found = missing(&setting);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["gone"], "{found:?}");
    let address = setting.url.replace("://", "://me:secret@");
    let environment = &mut setting.settings.environment;
    environment.insert("PIP_INDEX_URL".to_owned(), format!("{address}/simple"));
    let found = missing(&setting);
    assert_eq!(found.keys().collect::<Vec<_>>(), ["gone"], "{found:?}");
    assert!(
        found["gone"].contains("password in PIP_INDEX_URL"),
        "{found:?}"
    );
    assert!(!found["gone"].contains("secret@"), "{found:?}");
}

/// The byte code of packages is written once, and not for their tests.
#[test]
fn byte_code_is_written_without_starting_the_environment() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let setting = Setting::new();
    setting.index(
        "coded",
        &[
            ("coded_more/tests/case.py", "X = 1"),
            ("coded_more/a.py", "X = 1"),
        ],
    );
    let needs = pip(&[("coded", "")]);
    setting.prepare(&[("skill", &needs)]);
    let lib = setting.find(&needs).python.unwrap().join("lib");
    let version = fs::read_dir(&lib).unwrap().next().unwrap().unwrap().path();
    let has_code = |dir: &str| {
        version
            .join("site-packages")
            .join(dir)
            .join("__pycache__")
            .exists()
    };
    assert!(has_code("."));
    assert!(has_code("coded_more"));
    assert!(!has_code("coded_more/tests"));
}

/// Tests of a package are left out, unless the package itself loads one. The package still serves others.
#[test]
fn tests_of_packages_are_left_out() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let setting = Setting::new();
    let tests = [
        ("{}_more/tests/test_a.py", "X = 1"),
        ("{}_more/tests/data.py", "X = 2"),
        ("{}_more/test_bench.py", "X = 3"),
    ];
    for (name, code) in [
        ("quiet", "X = 4"),
        ("loud", "from loud_more.tests.test_a import X"),
    ] {
        let tests = tests.map(|(path, text)| (path.replace("{}", name), text));
        let module = format!("{name}_more/a.py");
        let mut files: Vec<(&str, &str)> = vec![(&module, code)];
        files.extend(tests.iter().map(|(path, text)| (path.as_str(), *text)));
        setting.index(name, &files);
    }
    let all = pip(&[("quiet", ""), ("loud", "")]);
    setting.prepare(&[("skill", &all)]);
    let has = |needs: &Needs, path: &str| {
        let lib = setting.find(needs).python.unwrap().join("lib");
        let version = fs::read_dir(&lib).unwrap().next().unwrap().unwrap().path();
        version.join("site-packages").join(path).exists()
    };
    assert!(!has(&all, "quiet_more/tests/test_a.py"));
    assert!(has(&all, "quiet_more/tests/data.py"));
    assert!(has(&all, "quiet_more/test_bench.py"));
    assert!(has(&all, "loud_more/tests/test_a.py"));
    // Without the index: the list of files is right.
    fs::remove_dir_all(setting.path("registry")).unwrap();
    let part = pip(&[("quiet", "")]);
    let prepared = setting.prepare(&[("other", &part)]);
    assert_eq!(prepared[0].missing, [], "{prepared:?}");
    assert!(has(&part, "quiet_more/tests/data.py"));
}

/// Without its index, an environment is made of the packages of others: of one that has more, or of
/// several.
#[test]
fn packages_in_the_store_need_no_index() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let setting = Setting::new();
    let depends = "Metadata-Version: 2.1\nName: outer\nVersion: 1.0\nRequires-Dist: inner>=1\n\
        Requires-Dist: gone; extra == 'more'\n";
    setting.index("inner", &[]);
    let tool = "#!python\nimport outer; print('tool of', outer.NAME)\n";
    setting.index(
        "outer",
        &[
            ("outer-1.0.dist-info/METADATA", depends),
            ("outer-1.0.data/scripts/outer-tool", tool),
        ],
    );
    setting.index("third", &[]);
    setting.index("unused", &[]);
    setting.prepare(&[
        ("first", &pip(&[("outer", ">=1"), ("unused", "")])),
        ("second", &pip(&[("third", "")])),
    ]);
    fs::remove_dir_all(setting.path("registry/simple")).unwrap();
    let missing = |needs: &Needs| -> Vec<String> {
        let prepared = setting.prepare(&[("other", needs)]);
        let missing = prepared[0].missing.iter();
        missing.map(|one| one.name.clone()).collect()
    };
    for (packages, modules) in [
        (&[("outer", "==1.0")][..], &["outer", "inner"][..]),
        (
            &[("Outer", ">=1"), ("third", "")],
            &["outer", "inner", "third"],
        ),
        (&[("inner", "")], &["inner"]),
    ] {
        let needs = pip(packages);
        assert_eq!(missing(&needs), [""; 0], "{packages:?}");
        let python = setting.find(&needs).python.unwrap();
        for module in ["outer", "inner", "third", "unused"] {
            let expected = if modules.contains(&module) {
                module
            } else {
                ""
            };
            assert_eq!(imported(&python, module), expected, "{packages:?}");
        }
        let alone = setting.store().interpreter(&python).unwrap();
        let names = fs::read_dir(&alone).unwrap();
        let mut names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["python", "python3"]);
        let run = Command::new(alone.join("python3"))
            .args(["-c", "import inner; print(inner.NAME)"])
            .output();
        assert_eq!(run.unwrap().stdout, b"inner\n", "{packages:?}");
        let tool = python.join("bin/outer-tool");
        if tool.exists() {
            let run = Command::new(&tool).output().unwrap();
            assert_eq!(run.stdout, b"tool of outer\n");
            let text = fs::read_to_string(&tool).unwrap();
            assert!(text.contains(&python.display().to_string()), "{text}");
        }
    }
    // Ranges are only compared: another one may need another version.
    let other = pip(&[("third", "<3"), ("inner", "")]);
    assert_eq!(missing(&other), ["inner", "third"]);
}

/// A package that replaced a file of another one, or that came from elsewhere, serves no other skill.
#[test]
fn what_other_packages_could_have_changed_serves_nobody_else() {
    if skill_testing::find::python().is_none() {
        return;
    }
    let mut setting = Setting::new();
    setting.index("good", &[]);
    setting.index("replaces", &[("good.py", "NAME = 'replaced'")]);
    setting.index("near", &[]);
    let file = "local_one-1.0-py3-none-any.whl";
    setting.wheel(file, "local_one", &[]);
    let address = format!("file://{}", setting.path(file).display());
    setting.settings.allow_scripts = vec![format!("local_one@{address}")];
    setting.prepare(&[
        ("first", &pip(&[("good", ""), ("replaces", "")])),
        (
            "second",
            &pip(&[("near", ""), ("local_one", &format!("@ {address}"))]),
        ),
    ]);
    fs::remove_dir_all(setting.path("registry/simple")).unwrap();
    for name in ["good", "near"] {
        let needs = pip(&[(name, ""), ("gone", "")]);
        let prepared = setting.prepare(&[("other", &needs)]);
        let missing: Vec<&str> = prepared[0]
            .missing
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(missing, ["gone", name]);
    }
}
