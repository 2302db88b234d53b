"""Compares the figures of `skills-describe test` with those of an independent scorer.

usage: triggers.py TOOL FIXTURES WORK

The labelled requests are in ../shared/eval/routing, with the scorer `score.py`. Its catalogues and
requests are written as tests of triggers; the figures of both must be the same.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys

tool, _, work = sys.argv[1:4]
tool = pathlib.Path(tool).with_name("skills")
data = pathlib.Path("../shared/eval/routing")
work = pathlib.Path(work)
if not data.is_dir():
    print("skipped: ../shared/eval/routing is not here")
    sys.exit()
work.mkdir(parents=True, exist_ok=True)


def rows(name):
    return [json.loads(line) for line in (data / name).read_text(encoding="utf-8").splitlines()]


def slug(name):
    text = re.sub(r"[^\w]+", "-", name.lower()).replace("_", "-").strip("-")
    return re.sub(r"-+", "-", text)[:60].strip("-") or "skill"


scored = subprocess.run(
    [sys.executable, data / "score.py", data / "dev.jsonl", "--bin", f"{tool} describe", "--work", work],
    capture_output=True, text=True, check=True).stdout
catalog, unrelated = rows("catalog.jsonl"), rows("unrelated.jsonl")
repository = lambda skill: skill.split("#")[0]
size = collections.Counter(repository(skill["id"]) for skill in catalog)
groups = collections.defaultdict(list)
for skill in catalog:
    groups[repository(skill["id"]) if size[repository(skill["id"])] >= 7 else "pool"].append(skill)

tests = collections.defaultdict(list)
names, group_of, asked = {}, {}, set()
for group, skills in groups.items():
    taken = set()
    for skill in skills:
        base = name = slug(skill["name"])
        number = 2
        while name in taken:
            name, number = f"{base}-{number}", number + 1
        taken.add(name)
        names[skill["id"]], group_of[skill["id"]] = name, group
of_repository = {}
for group, skills in groups.items():
    for skill in skills:
        of_repository.setdefault(repository(skill["id"]), group)
for row in rows("dev.jsonl"):
    gold = row["skill_id"]
    if gold is None:
        starts = (f"https://github.com/{it}/" for it in of_repository)
        found = [it for it, start in zip(of_repository, starts) if row["source"].startswith(start)]
        asked.update(of_repository[it] for it in found[:1])
        continue
    if gold not in group_of:
        continue
    asked.add(group_of[gold])
    if row["label"]:
        group = group_of[gold]
        right = [it for it in [gold, *(row.get("acceptable") or [])] if group_of.get(it) == group]
        tests[group].append({"query": row["query"], "expect": "first", "skill": [names[it] for it in right]})
sums = collections.defaultdict(lambda: [0, 0])
for group in sorted(asked):
    of_group = tests[group] + [{"query": row["query"], "expect": "none"} for row in unrelated[:60]]
    path = work / f"{slug(group)}-tests.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in of_group), encoding="utf-8")
    run = subprocess.run(
        [tool, "describe", "test", path, "--skills", work / slug(group), "--format", "json"],
        capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{group}: {run.stderr}")
    for figure, value in json.loads(run.stdout)["measures"].items():
        sums[figure][0] += value["count"]
        sums[figure][1] += value["of"]

failed = False
for figure, label in [
    ("right_first", "H@1"),
    ("right_first_sure", "gold>=0.7"),
    ("sure_right", "precision>=0.7"),
    ("nothing", "unrelated<0.15"),
]:
    expected = re.search(re.escape(label) + r" ([0-9.]+)", scored.splitlines()[-1])[1]
    part, whole = sums[figure]
    actual = f"{part / whole:.3f}"
    print(f"{'same' if actual == expected else 'DIFFERENT'}: {label} {expected}, {figure} {part} of {whole} = {actual}")
    failed |= actual != expected
sys.exit(failed)
