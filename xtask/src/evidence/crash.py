"""What a migration survives, on its own data: kills, faults, a full disk, closed directories,
many writers, and readers that look while skills are replaced.

usage: crash.py TOOL FIXTURES WORK [--kills N] [--step N] [--rounds N]

Prints a line for each with its figures; exits 1 if anything was torn, lied about, lost or left.
`fault_sweep.py` of FIXTURES injects the faults; the rest is here."""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

KEPT = {".gitignore", "backup", "base", "lock", "previous", "stamps"}
FAULTS = ["KILL", "ENOSPC", "EIO", "EACCES", "EMFILE"]

args = argparse.ArgumentParser()
for name in ("tool", "fixtures", "work"):
    args.add_argument(name, type=Path)
args.add_argument("--kills", type=int, default=2000)
args.add_argument("--step", type=int, default=1)
args.add_argument("--rounds", type=int, default=40)
ARGS = args.parse_args()
TOOL, WORK = ARGS.tool.resolve(), ARGS.work.resolve()
N_PLUGINS, N_FILES = 12, 6
bad = False


def plugins(version):
    """A collection of which every file tells its version."""
    root = WORK / f"plugins-{version}"
    for n in range(N_PLUGINS):
        folder = root / f"Probe{n}"
        folder.mkdir(parents=True)
        manifest = {
            "name": f"Probe{n}", "pluginType": "synchronous", "version": f"{version}.0.0",
            "description": f"Probe {n} of version {version}.", "entryPoint": {"command": "node main.js"},
            "communication": {"protocol": "stdio"},
        }
        (folder / "plugin-manifest.json").write_text(json.dumps(manifest))
        for file in range(N_FILES):
            name = "main.js" if file == 0 else f"lib/{file}-{version if file % 2 else 0}.js"
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(f"// {n} {version} {file}\n" * (200 * file + 1))
    return root


def digest(folder):
    """One digest of a tree; its names and bytes."""
    res = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        res.update(str(path.relative_to(folder)).encode() + b"\0")
        if path.is_file():
            res.update(path.read_bytes())
    return res.hexdigest()


def skills(out):
    return {path.name: digest(path) for path in out.iterdir() if path.is_dir() and not path.name.startswith(".")} if out.exists() else {}


def run(source, out, *more, **kwargs):
    return subprocess.run([TOOL, source, "--out", out, "--quiet", *more], capture_output=True, **kwargs)


def start(source, out, *more):
    return subprocess.Popen([TOOL, source, "--out", out, "--quiet", *more], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def litter(out):
    meta = out / ".skills-migrate"
    names = {path.name for path in meta.iterdir()} - KEPT if meta.exists() else set()
    above = {path.name for path in out.iterdir() if path.is_file() or path.name.startswith(".")}
    return sorted(names | (above - {"skills.lock", ".skills-migrate"}))


def tell(title, **figures):
    global bad
    wrong = any(figures.get(key) for key in ("torn", "lies", "lost", "litter", "hangs", "other"))
    bad |= wrong
    words = ", ".join(f"{value} {key}" for key, value in figures.items())
    print(f"{'FAIL' if wrong else 'ok':4} {title}: {words}", flush=True)


def fresh(name):
    path = WORK / name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir()
    return path


def edit(out):
    """A hand-written line, which no fault may lose."""
    file = out / "probe0" / "SKILL.md"
    file.write_text(file.read_text() + "\nmine\n")


def sweep(old, new, kind):
    """Every file call of an update of the whole collection, one job, fails once."""
    work = fresh("sweep")
    base = fresh("sweep-old")
    assert run(old, base, "--jobs", "1").returncode == 0
    if kind == "merge":
        edit(base)
    target = fresh("sweep-new")
    shutil.copytree(base, target, dirs_exist_ok=True, symlinks=True)
    run(new, target, "--jobs", "1")
    # One skill at a time is whole; the sweep looks at the one that is edited.
    for fault in FAULTS:
        command = [
            sys.executable, ARGS.fixtures / "fault_sweep.py", "--fault", fault, "--step", str(ARGS.step),
            "--setup", f"rm -rf {work}/out && cp -a {base} {work}/out",
            "--cmd", f"{TOOL} {new} --out {work}/out --quiet --jobs 1 --only Probe0",
            "--target", f"{work}/out/probe0", "--old", f"{base}/probe0", "--new", f"{target}/probe0",
            "--recover", f"{TOOL} {new} --out {work}/out --quiet --jobs 1 --only Probe0",
        ]
        output = subprocess.run(command, capture_output=True, text=True, cwd=work)
        if output.returncode:
            print(output.stderr[-400:], file=sys.stderr)
            tell(f"{fault} at every file call, {kind}", other=1)
            continue
        told = json.loads(output.stdout.splitlines()[-1])
        left = litter(work / "out")
        tell(
            f"{fault} at every file call, {kind}",
            calls=told["tried"], old=told.get("old", 0), new=told.get("new", 0), torn=told.get("TORN", 0) + told.get("after_recover_TORN", 0),
            lies=told.get("lie", 0), hangs=told.get("hang", 0), litter=told.get("litter", 0) + len(left),
            other=told.get("after_recover_old", 0),
        )


def kills(old, new):
    """Runs with all jobs that are killed at any moment, each skill old or new."""
    out = fresh("kills")
    run(old, out)
    states = {name: {value} for name, value in skills(out).items()}
    took = []
    for source in (new, old):
        begin = time.monotonic()
        run(source, out)
        took.append(time.monotonic() - begin)
        for name, value in skills(out).items():
            states[name].add(value)
    dice, torn, left, lost, killed, n = random.Random(7), 0, 0, 0, 0, 0
    # A run that ended before its kill does not count.
    while killed < ARGS.kills and n < 4 * ARGS.kills:
        child = start((new, old)[n % 2], out)
        time.sleep(dice.random() * min(took) * 1.2)
        child.send_signal(signal.SIGKILL)
        killed += child.wait() == -signal.SIGKILL
        now = skills(out)
        torn += sum(value not in states[name] for name, value in now.items())
        lost += len(states) - len(now)
        if n % 50 == 49:
            assert run(new, out).returncode == 0
            left += len(litter(out))
            torn += sum(value not in states[name] for name, value in skills(out).items())
        n += 1
    tell("random SIGKILL, all jobs", kills=killed, runs=n, torn=torn, lost=lost, litter=left)


def full_disk(old, new):
    """A small file system that runs full at another place in every round."""
    mount = fresh("full")
    torn = lies = lost = left = failed = 0
    for n in range(ARGS.rounds):
        size = 1000 + 2000 * n // ARGS.rounds
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", mount], check=True)
        try:
            out = mount / "out"
            if run(old, out).returncode:
                # Not even the first version fits; whatever is there is whole.
                torn += sum(value != reference(old)[name] for name, value in skills(out).items())
                failed += 1
                continue
            edit(out)
            before = skills(out)
            ended = run(new, out)
            now = skills(out)
            wanted = {name: value for name, value in reference(new).items() if name != "probe0"}
            is_new = all(now.get(name) == value for name, value in wanted.items())
            torn += sum(value not in (before[name], wanted.get(name, value)) for name, value in now.items())
            lost += "mine" not in (out / "probe0/SKILL.md").read_text() or len(now) != len(before)
            lies += ended.returncode == 0 and not is_new
            failed += ended.returncode != 0
            subprocess.run(["mount", "-o", "remount,size=64m", mount], check=True)
            lies += run(new, out).returncode != 0
            lost += "mine" not in (out / "probe0/SKILL.md").read_text()
            left += len(litter(out))
        finally:
            subprocess.run(["umount", mount], check=True)
    tell("a disk that is really full", rounds=ARGS.rounds, failed=failed, torn=torn, lies=lies, lost=lost, litter=left)


def reference(source, seen={}):
    if source not in seen:
        out = fresh(f"reference-{source.name}")
        run(source, out)
        seen[source] = skills(out)
    return seen[source]


def closed(old, new):
    """Directories that may not be written, met as a user who is not root."""
    out = fresh("closed")
    torn = lies = lost = left = tries = 0
    closable = [".", ".skills-migrate", ".skills-migrate/base", ".skills-migrate/previous", "probe0", "probe0/scripts"]
    for closed in closable:
        shutil.rmtree(out)
        out.mkdir()
        os.chown(out, 65534, 65534)
        nobody = {"user": 65534, "group": 65534, "extra_groups": []}
        assert run(old, out, **nobody).returncode == 0
        before = skills(out)
        os.chmod(out / closed, 0o555)
        ended = run(new, out, **nobody)
        os.chmod(out / closed, 0o755)
        now = skills(out)
        wanted = reference(new)
        torn += sum(value not in (before[name], wanted[name]) for name, value in now.items())
        lies += ended.returncode == 0 and now != wanted
        lost += len(before) - len(now)
        assert run(new, out, **nobody).returncode == 0
        torn += skills(out) != wanted
        left += len(litter(out))
        tries += 1
    tell("read-only directories", tries=tries, torn=torn, lies=lies, lost=lost, litter=left)


def writers(old, new):
    """Eight at once, of two versions: one of them is what is there in the end."""
    out = fresh("writers")
    torn = lies = left = 0
    for _ in range(ARGS.rounds):
        children = [start((old, new)[n % 2], out) for n in range(8)]
        lies += sum(child.wait() != 0 for child in children)
        torn += skills(out) not in (reference(old), reference(new))
        left += len(litter(out))
    tell("eight writers at once", rounds=ARGS.rounds, torn=torn, lies=lies, litter=left)


def readers(old, new):
    """A skill is exchanged as a whole: a reader that opened it goes on in the same version."""
    out = fresh("readers")
    run(old, out)
    versions = {**{value: 0 for value in reference(old).values()}, **{value: 0 for value in reference(new).values()}}
    stop = threading.Event()
    counts = {"reads": 0, "torn": 0}

    def read():
        while not stop.is_set():
            for n in range(N_PLUGINS):
                try:
                    found = held_digest(out / f"probe{n}")
                except FileNotFoundError:
                    # It was deleted meanwhile, after two more runs.
                    continue
                if found is not None:
                    counts["reads"] += 1
                    counts["torn"] += found not in versions

    thread = threading.Thread(target=read)
    thread.start()
    for n in range(ARGS.rounds):
        run((new, old)[n % 2], out)
    stop.set()
    thread.join()
    tell("readers during replacement", rounds=ARGS.rounds, **counts)


def held_digest(folder):
    """As `digest`, through a handle that was opened first; none for what is being deleted."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        held = f"/proc/self/fd/{handle}"
        res = digest(Path(f"{held}/"))
        place = os.readlink(held)
        return None if "/trash/" in place or place.endswith("(deleted)") else res
    finally:
        os.close(handle)


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    WORK.chmod(0o755)
    old, new = plugins(1), plugins(2)
    if shutil.which("strace"):
        sweep(old, new, "update")
        sweep(old, new, "merge")
    else:
        print("skip every file call: strace is not here")
    kills(old, new)
    if os.geteuid() == 0:
        full_disk(old, new)
        closed(old, new)
    else:
        print("skip a full disk and read-only directories: only root can mount and change users")
    writers(old, new)
    readers(old, new)
    sys.exit(bad)


main()
