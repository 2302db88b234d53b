"""validate.py SKILLS...: every skill in the directories given, a line for each error, the counts.

skills-ref says whether SKILL.md follows the specification; PyYAML, whether another parser than
ours reads METADATA.yml.
"""

import sys
from pathlib import Path

import yaml
from skills_ref.validator import validate

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MAX_BODY_LINES = 500


def metadata_errors(skill):
    path = skill / "METADATA.yml"
    if not path.exists():
        return []
    try:
        metadata = yaml.load(path.read_text(encoding="utf-8"), LOADER)
    except yaml.YAMLError as error:
        return [f"METADATA.yml: {error}"]
    if not isinstance(metadata, dict):
        return ["METADATA.yml is no mapping"]
    expected = {"schema": 1, "name": skill.name}
    return [
        f"METADATA.yml: {key} is {metadata.get(key)!r}, not {value!r}"
        for key, value in expected.items()
        if metadata.get(key) != value
    ]


def body_errors(skill):
    n_lines = (skill / "SKILL.md").read_text(encoding="utf-8").count("\n")
    return [f"SKILL.md has {n_lines} lines"] if n_lines >= MAX_BODY_LINES else []


n_all = n_errors = 0
for root in map(Path, sys.argv[1:]):
    skills = sorted(path.parent for path in root.glob("*/SKILL.md"))
    for skill in skills:
        for error in [*validate(skill), *metadata_errors(skill), *body_errors(skill)]:
            print(f"   {skill.name}: {error}")
            n_errors += 1
    print(f"   {root.name}: {len(skills)} skills")
    n_all += len(skills)
print(f"   validate: {n_all} skills, {n_errors} errors")
sys.exit(1 if n_errors or not n_all else 0)
