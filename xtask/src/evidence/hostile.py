"""Migrates the hostile plugin directories of FIXTURES, as a user without privileges in a namespace of its own.

usage: hostile.py TOOL FIXTURES WORK

Exits 1 unless every case is clean."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

TOOL, FIXTURES, WORK = (Path(arg).resolve() for arg in sys.argv[1:4])
NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "unshare", "-Urm"]


def main():
    shutil.rmtree(WORK, ignore_errors=True)
    cases = WORK / "cases"
    cases.mkdir(parents=True)
    for folder in (WORK, cases):
        folder.chmod(0o755)
    # One path of the archive is longer than a system call takes; the rest of that case is there.
    subprocess.run(["tar", "-Sxzf", FIXTURES / "cases.tar.gz", "-C", cases], stderr=subprocess.DEVNULL)
    for name in ("cases.jsonl", "run_cases.py"):
        shutil.copy(FIXTURES / name, cases if name == "cases.jsonl" else WORK)
    tool = WORK / "skills-migrate"
    shutil.copy(TOOL, tool)
    prefix = []
    if os.geteuid() == 0:
        subprocess.run(["chown", "-R", "-h", "nobody:nogroup", cases], check=True)
        prefix = NOBODY
    rows = cases / "rows.json"
    command = ["/usr/bin/python3", WORK / "run_cases.py", cases, f"{tool} {{in}} --out {{out}}", "--timeout", "30", "--json", rows]
    ended = subprocess.run([*prefix, *command], capture_output=True, text=True)
    if ended.returncode:
        sys.exit(ended.stderr[-2000:])
    told = json.loads(ended.stdout.splitlines()[-1])
    is_clean = told["cases"] == told["clean"] > 0
    print(f"{'ok' if is_clean else 'FAIL':4} hostile plugins: {told['clean']} of {told['cases']} clean, {told['fails'] or 'no invariant broken'}")
    for row in json.loads(rows.read_text()):
        if row["fail"]:
            print(f"     {row['case']}: {', '.join(row['fail'])} (exit {row['rc']}, {row['sec']} s)")
    sys.exit(not is_clean)


main()
