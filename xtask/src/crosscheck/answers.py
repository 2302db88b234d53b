"""answers.py SKILLS: starts every program that METADATA.yml calls runnable, with its own examples.

For our fixtures only: these programs are harmless and need nothing. A skill answers when it prints
one JSON object with a status, or, without commands, anything at all.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

TIMEOUT_S = 20


def requests(metadata):
    """The first example of each command; where there is none, only what selects the command."""
    for command in metadata.get("commands") or [{}]:
        dispatch = command.get("dispatch") or {}
        assumed = {dispatch["key"]: dispatch["value"]} if dispatch else {}
        yield (command.get("examples") or [assumed])[0]


def problem(skill, metadata, request):
    entry = metadata["entry"]
    text = json.dumps(request, ensure_ascii=False) if request else ""
    run = subprocess.run(
        entry["shell"], shell=True, cwd=skill / entry["dir"], input=text.encode(), capture_output=True, timeout=TIMEOUT_S
    )
    stdout = run.stdout.decode().strip()
    if metadata.get("transport") == "stdout":
        return None if stdout else f"printed nothing: {run.stderr.decode()[-200:]}"
    try:
        answer = json.loads(stdout)
    except ValueError:
        return f"no JSON: {stdout[-200:]} {run.stderr.decode()[-200:]}"
    return None if isinstance(answer, dict) and "status" in answer else f"no status: {stdout[-200:]}"


n_answers = n_problems = 0
skipped = set()
for path in sorted(Path(sys.argv[1]).glob("*/METADATA.yml")):
    metadata = yaml.safe_load(path.read_text(encoding="utf-8"))
    runtime = metadata["entry"].get("runtime")
    if not metadata.get("runnable") or metadata.get("transport") not in ("stdio-json", "stdout"):
        continue
    if runtime == "node" and not shutil.which("node"):
        skipped.add("node")
        continue
    for request in requests(metadata):
        found = problem(path.parent, metadata, request)
        n_answers += 1
        if found:
            n_problems += 1
            print(f"   {path.parent.name} {json.dumps(request, ensure_ascii=False)}: {found}")
for name in sorted(skipped):
    print(f"   skipped: {name} is not installed")
print(f"   answers: {n_answers} requests, {n_problems} without a good answer")
sys.exit(1 if n_problems else 0)
