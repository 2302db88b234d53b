"""texts.py PLUGINS SKILLS: how much of the manifests' prose stands in the skills.

Counted are the characters of every `description` and `example`, without white space. A character
stands in a skill when it belongs to a stretch of at least eight that some file of the skill holds
too; the original manifest and the programs do not count.
"""

import json
import sys
from pathlib import Path

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
KEYS = {"description", "example", "examples"}
MIN_STRETCH = 8
MIN_SHARE = 0.99


def bare(text):
    return "".join(text.split()).replace("\\", "")


def texts(node, wanted=False):
    if isinstance(node, str):
        if wanted:
            yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from texts(value, wanted or key in KEYS)
    elif isinstance(node, list):
        for value in node:
            yield from texts(value, wanted)


def strings(node):
    """Every string of a YAML document, as a reader of METADATA.yml sees it."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key, value in node.items():
            yield from strings(key)
            yield from strings(value)
    elif isinstance(node, list):
        for value in node:
            yield from strings(value)


def package(skill, metadata):
    written = [path for path in skill.rglob("*.md") if "scripts" not in path.relative_to(skill).parts]
    parts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(written)]
    return bare("\n".join([*parts, *strings(metadata)]))


def covered(text, held):
    at = n = 0
    while at < len(text):
        least = min(MIN_STRETCH, len(text))
        end = at + least
        if text[at:end] not in held or end > len(text):
            at += 1
            continue
        while end < len(text) and text[at : end + 1] in held:
            end += 1
        n += end - at
        at = end
    return n


def manifests(plugins):
    for path in plugins.rglob("plugin-manifest.json*"):
        if path.suffix in (".json", ".block") and "node_modules" not in path.parts:
            # The directory tells two plugins of one name apart.
            yield path.parent.name, json.loads(path.read_text(encoding="utf-8-sig"))


plugins, skills = map(Path, sys.argv[1:])
sources = dict(manifests(plugins))
rows = []
for path in sorted(skills.glob("*/METADATA.yml")):
    metadata = yaml.load(path.read_text(encoding="utf-8"), LOADER)
    directory = metadata["legacy"]["directory"].split("/")[-1]
    held = package(path.parent, metadata)
    wanted = [bare(text) for text in texts(sources.pop(directory))]
    rows.append((sum(map(len, wanted)), sum(covered(text, held) for text in wanted), path.parent.name))
total, kept = sum(row[0] for row in rows), sum(row[1] for row in rows)
share = kept / max(total, 1)
for n, k, name in sorted(rows, key=lambda row: row[1] - row[0])[:5]:
    if k < n:
        print(f"   {name}: {k} of {n} characters")
for directory in sorted(sources):
    print(f"   {directory}: became no skill")
print(f"   texts: {kept} of {total} characters of {len(rows)} skills are kept, {share:.2%}")
sys.exit(0 if share >= MIN_SHARE and not sources else 1)
