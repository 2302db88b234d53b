//! Files and terminals outside that a skill must not reach.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::process::{Command, Stdio};

use serde_json::json;
use skill_testing::Need;

use super::place::{CANARY, OWN, Place, answer, has, said, skip};

const READS_THE_KEY: &str = "out = (read('own.txt'), attempt(lambda: os.listdir('$OUT/home/.ssh')), read('$OUT/home/.ssh/id_rsa'))";

/// The skill reads its own file, so the probe works, and nothing of the home outside.
#[track_caller]
fn check_reads_only_its_own(answer: &serde_json::Value) {
    let said = said(answer);
    assert!(said.contains("mine"), "the probe does not work: {answer}");
    assert!(
        !said.contains(CANARY) && !said.contains("id_rsa'"),
        "{answer}"
    );
}

#[test]
fn row_01_a_first_line_adds_nothing_readable() {
    let Some(place) = Place::confined(1) else {
        return;
    };
    let body = place.read("skills/probe/scripts/main.py");
    place.write("skills/probe/scripts/own.txt", "mine");
    place.change(
        "skills/probe/METADATA.yml",
        "[python3, main.py]",
        "[./run.py]",
    );
    let run = |first: &str| {
        place.write_program("skills/probe/scripts/run.py", &format!("#!{first}\n{body}"));
        place.run("probe", READS_THE_KEY, &[])
    };
    check_reads_only_its_own(&run("/usr/bin/env python3"));
    let home = place.text("outside/home/.ssh");
    place.write_program("skills/probe/scripts/fake", &format!("#!{home}\n"));
    let answer = run("/usr/bin/env -S -u ./fake python3");
    // A first line that cannot be trusted may be an error, and then it names the file.
    match answer["ok"].as_bool() {
        Some(true) => check_reads_only_its_own(&answer),
        _ => assert!(answer["error"].to_string().contains("fake"), "{answer}"),
    }
    assert!(!answer.to_string().contains(CANARY), "{answer}");
}

#[test]
fn row_02_a_link_beside_a_program_adds_nothing_readable() {
    let Some(place) = Place::confined(2) else {
        return;
    };
    let body = place.read("skills/probe/scripts/main.py");
    let python = "#!/usr/bin/env python3";
    place.write_program(
        "skills/probe/scripts/bin/tool",
        &format!("{python}\n{body}"),
    );
    place.write("skills/probe/scripts/own.txt", "mine");
    place.change(
        "skills/probe/METADATA.yml",
        "[python3, main.py]",
        "[./bin/tool]",
    );
    let link = "os.symlink('$OUT/home', 'share'); out = os.readlink('share')";
    assert!(place.says("probe", link).ends_with("outside/home"));
    // More than once: what is ready for the next call may have been made before the link.
    for _ in 0..3 {
        check_reads_only_its_own(&place.run("probe", READS_THE_KEY, &[]));
    }
}

/// Exchanges a shared directory and a link to a directory outside for as long as the calls may
/// take: when the host opens the neighbour's copy, which is after it looked at what is shared, or,
/// where no neighbour is to be seen, all the time.
const FLIPS: &str = r"
import ctypes, itertools, select, time
base = os.environ['PROJECT_BASE_PATH']
if os.fork():
    time.sleep(0.2)
    out = read('flips')
else:
    for fd in (0, 1, 2):
        os.close(fd)
    attempt(lambda: os.symlink('$OUT/victim', base + '/link'))
    libc = ctypes.CDLL(None)
    def flip():
        libc.renameat2(-100, (base + '/link').encode(), -100, (base + '/dailynote').encode(), 2)
        append('flips', 'x')
    events = libc.inotify_init()
    IN_OPEN = 0x20
    sees = libc.inotify_add_watch(events, (base + '/Plugin/writer').encode(), IN_OPEN) >= 0
    pauses = itertools.cycle([0.12, 0.05, 0.3])
    end = time.time() + 18
    flip(), flip()
    while time.time() < end:
        if not sees:
            flip()
            time.sleep(0.002)
        elif select.select([events], [], [], 0.5)[0]:
            flip()
            time.sleep(next(pauses))
            flip()
            time.sleep(0.3)
            while select.select([events], [], [], 0)[0]:
                os.read(events, 65536)
    os._exit(0)
";

#[test]
fn row_03_a_directory_exchanged_for_a_link_is_not_followed() {
    let Some(place) = Place::confined_in_tmp(3) else {
        return;
    };
    let shared = format!("{OWN}, shared: [dailynote]");
    place.skill("flipper", &shared);
    place.skill("writer", &shared);
    // What made a skill reach the base of all others once.
    let program = "skills/flipper/scripts/main.py";
    place.write(program, &format!("# ../README\n{}", place.read(program)));
    place.write("outside/victim/authorized_keys", "old");
    let writes = "base = os.environ['PROJECT_BASE_PATH']\n\
                  out = [append(dir + '/authorized_keys', 'new') for dir in ('$OUT/victim', base + '/dailynote')]";
    assert!(place.says("writer", writes).ends_with(", None]"));
    place.says(
        "writer",
        "os.remove(os.environ['PROJECT_BASE_PATH'] + '/dailynote/authorized_keys')",
    );
    let flips = place.says("flipper", FLIPS);
    assert!(flips.starts_with("xx"), "the probe does not work: {flips}");
    for _ in 0..20 {
        let answer = place.run("writer", writes, &[]);
        let victim = place.read("outside/victim/authorized_keys");
        assert_eq!(victim, "old", "written by a skill: {answer}");
    }
}

/// A terminal of somebody else: says its name, gets a line typed, and shows at the end what was
/// written onto it.
const TERMINAL: &str = r"
import os, pty, select, sys
main, other = pty.openpty()
print(os.ttyname(other), flush=True)
os.write(main, b'typed-by-a-user\n')
sys.stdin.read()
seen = b''
while select.select([main], [], [], 0.2)[0]:
    seen += os.read(main, 4096)
sys.stdout.buffer.write(seen)
";

const READS_A_TERMINAL: &str = r"
import pty, select
def use(path):
    fd = os.open(path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    found = os.read(fd, 100) if select.select([fd], [], [], 1)[0] else b''
    os.write(fd, b'written-by-a-skill')
    return found
out = [attempt(lambda: use('$TTY'))]
main, other = pty.openpty()
os.write(main, b'own-line\n')
out.append(os.read(other, 100))
";

#[test]
fn row_04_terminals_of_others_are_not_there() {
    let Some(place) = Place::confined(4) else {
        return;
    };
    let mut user = Command::new("python3")
        .args(["-c", TERMINAL])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut shown = BufReader::new(user.stdout.take().unwrap());
    let mut terminal = String::new();
    shown.read_line(&mut terminal).unwrap();
    let code = READS_A_TERMINAL.replace("$TTY", terminal.trim());
    let said = place.says("probe", &code);
    drop(user.stdin.take());
    let mut rest = String::new();
    shown.read_to_string(&mut rest).unwrap();
    user.wait().unwrap();
    assert!(said.contains("own-line"), "the probe does not work: {said}");
    assert!(rest.contains("typed-by-a-user"), "no terminal: {rest}");
    assert!(!said.contains("typed-by-a-user"), "{said}");
    assert!(!rest.contains("written-by-a-skill"), "{rest}");
}

#[test]
fn row_07_descriptors_of_the_caller_are_closed() {
    let Some(place) = Place::confined(7) else {
        return;
    };
    let module = "module.exports = {processToolCall() { const fs = require('fs'); \
                  try { return fs.readSync(7, Buffer.alloc(9)) + ' bytes of 7'; } catch (e) { return 'refused'; } }};";
    let with = |args: &[&str]| {
        let line = "exec 7<outside/home/.ssh/id_rsa 8>outside/written; exec \"$@\"";
        let runner = place.runner(args);
        let mut shell = Command::new("bash");
        shell.args(["-c", line, "bash"]).arg(runner.get_program());
        shell.args(runner.get_args()).current_dir(place.path(""));
        shell
    };
    let code = "out = (attempt(lambda: os.pread(7, 99, 0)), attempt(lambda: os.write(8, b'x')))";
    let input = place.input(code);
    let open = answer(Command::new("bash").current_dir(place.path("")).args([
        "-c",
        "exec 7<outside/home/.ssh/id_rsa; python3 -c 'import os; print(len(os.pread(7, 99, 0)))'",
    ]));
    assert_eq!(open, CANARY.len(), "descriptors are not inherited here");
    let found = answer(&mut with(&["probe", "--input", &input]));
    assert_eq!(said(&found).matches("refused").count(), 2, "{found}");
    assert!(!found.to_string().contains(CANARY), "{found}");
    assert_eq!(place.read("outside/written"), "");
    if !has("node") {
        return skip(Need::Node, 7, "no node; modules are not tried");
    }
    let entry = json!({"pluginType": "hybridservice", "entryPoint": {"type": "nodejs", "script": "mod.js"},
        "communication": {"protocol": "direct", "timeout": 15_000}});
    place.plugin("Module", "Module", &entry);
    place.write("plugins/Module/mod.js", module);
    place.migrate();
    let found = answer(&mut with(&["module", "--input", "{}"]));
    assert_eq!(found["ok"], true, "{found}");
    assert!(found["value"].to_string().contains("refused"), "{found}");
}

#[test]
fn row_08_nothing_is_removed_through_a_link() {
    let Some(place) = Place::confined(8) else {
        return;
    };
    place.write("outside/victim/keys", "precious");
    for file in ["linked/keys", "plain/keys"] {
        place.write(&format!("skills/probe/scripts/{file}"), "x");
    }
    let link = "os.rename('linked', 'old'); os.symlink('$OUT/victim', 'linked'); out = os.listdir('plain')";
    assert_eq!(place.says("probe", link), "['keys']");
    // The next version of the skill has neither of the two files.
    for file in ["linked", "plain"] {
        fs::remove_dir_all(place.path(&format!("skills/probe/scripts/{file}"))).unwrap();
    }
    let looks = "out = os.path.exists('plain/keys')";
    assert_eq!(
        place.says("probe", looks),
        "False",
        "nothing is removed at all"
    );
    let victim = fs::read_to_string(place.path("outside/victim/keys"));
    assert_eq!(victim.ok().as_deref(), Some("precious"), "removed outside");
}

#[test]
fn row_15_no_file_gets_the_set_user_id_bit() {
    let Some(place) = Place::confined(15) else {
        return;
    };
    let code = "import ctypes, platform\n\
        libc = ctypes.CDLL(None)\n\
        mknod = lambda name: os.mknod(name, 0o106755)\n\
        for name in ('by-fchmodat2', 'by-chmod'):\n    open(name, 'w').close()\n\
        libc.syscall(452, -100, b'by-fchmodat2', 0o4755, 0)\n\
        attempt(lambda: os.chmod('by-chmod', 0o4755))\n\
        attempt(lambda: os.close(os.open('by-open', os.O_CREAT | os.O_RDWR, 0o6755)))\n\
        attempt(lambda: mknod('by-mknod'))\n\
        open('plain', 'w').close()\n\
        os.chmod('plain', 0o755)\n\
        out = oct(os.stat('plain').st_mode)";
    assert_eq!(place.says("probe", code), "0o100755");
    let made = place.find("state", |path| path.ends_with("by-chmod"));
    assert_eq!(made.len(), 1, "the probe does not work");
    let mode = |path: &std::path::Path| fs::symlink_metadata(path).unwrap().mode();
    let found = place.find("state", |path| mode(path) & 0o6000 != 0);
    assert!(found.is_empty(), "{found:?}");
}
