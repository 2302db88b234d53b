#!/usr/bin/env python3
"""Compare verdicts: differential.py SKILLS-VALIDATE [--cases N] [--seed N]

Random skills, made of pieces on which readers differ, are judged by the Python reference
(skills-ref 0.1.1) and by `skills-validate --profile skills-ref`. Both must refuse the same ones."""
import json, os, pathlib, random, subprocess, sys, tempfile

from skills_ref.validator import validate

option = lambda key, default: int(sys.argv[sys.argv.index(key) + 1]) if key in sys.argv else default
n_cases, seed = option("--cases", 3000), option("--seed", 1)

NAMES = ["my-skill", "My-Skill", "a--b", "-a", "技能", "перевод", "ｐｄｆ", "สติ", "café", "cafe\u0301", "123",
         "true", "null", "1e3", '"my-skill"', "'x y'", "~", "a" * 64, "a" * 65, "", "[a]", "{a: b}", "&x a", "*x",
         "!!str a", "|\n  a", ">\n  a", "a: b", "a #b", "-", "a_b", "Ⅷ", "ⅷ", "²", "ß", "ŉ", "ﬀ", "ǆ", "İ", "ı",
         "Ⓐ", "ⓐ", "a.b", "½", "x\u200b", "٣", "ʰ", "一"]
DESCRIPTIONS = ["Does it.", '"x"', "''", '"   "', "123", "null", "[a, b]", "Use: this", "a --- b", "x" * 1024,
                "x" * 1025, "技" * 1024, "技" * 1025, "|\n  one\n  two", ">-\n  one\n  ---\n  two", "- a", "\n  - a",
                "\n  a: b", '"a\\u0085b"', '"a\\nb"', "a\u0085b", "a\u2028b", "a\tb", '"\t"', '" ' + "x" * 1023 + '"',
                "@a", "`a`", "%a", "# c", "a # c", "*", "&", "!", "!a b", "? a", "a\u0000b", "a\u001bb", "a\ufeffb",
                "\ufffe", '"unclosed', "<b>", "=", "yes", "a\r\n", '"a\\ud800b"', "🙂"]
OTHERS = ["license: MIT", "license: [a]", "license:\n  - a", 'compatibility: ""', "compatibility: " + "c" * 501,
          "compatibility:", "compatibility:\n  - git", "compatibility: 12", "metadata:\n  a: b", "metadata:\n\ta: b",
          "metadata:\n  a:\n    b: c\n  c:\n      d: e", "metadata:\n  a:\n    b: c\nallowed-tools:\n    x: y",
          "metadata: []", "metadata:", "metadata:\n  - a", "metadata: x", "version: 1.0", "name: x", '"name": y',
          "allowed-tools: a b", "allowed-tools:\n  - a", "# comment", "<<: a", "<<:\n  license: x", "? a\n: b",
          "? [a]\n: b", "...", "%YAML 1.2", "a", "- a", "license: &l MIT\ncompatibility: *l", "license: !t MIT",
          'metadata:\n  1: 2\n  "1": 3', "1: 2", "null: x", ": x", "license:", 'license: "a\n\n  b"', "license: a\n  b",
          "license: |+\n  a\n\n", "metadata:\n  a: b\n   c: d", "metadata:\n   a: b\n  c: d", " license: x",
          "license : x", "license:x", 'license: "\\q"', "license: 'it''s'", "license: a: b", 'license: "a" b',
          "license: ]", "license: -", "license: - a", "license: ?", "license: a:", "license: {", "名: x"]
OPENINGS = ["---\n"] * 30 + ["---\r\n", "--- \n", "\ufeff---\n", "\n---\n", "----\n", "---x\n", "---name: q\n", "--\n", ""]
CLOSINGS = ["---\n"] * 30 + ["---", "--- \n", "---x\n", " ---\n", "...\n", "", "----\n", "--- a\n"]
BODIES = ["Body\n", "", "# T\n---\nx\n"]


def skill():
    """The text of a SKILL.md and the name of its directory."""
    name = random.choice(NAMES) if random.random() < 0.4 else "my-skill"
    lines = [f"name: {name}"] if random.random() < 0.95 else []
    if random.random() < 0.95:
        lines.append("description: " + (random.choice(DESCRIPTIONS) if random.random() < 0.5 else "Does it."))
    lines += random.sample(OTHERS, random.choice([0, 0, 1, 1, 2]))
    if random.random() < 0.1:
        random.shuffle(lines)
    end = random.choice(["\n"] * 9 + ["\r\n"])
    text = random.choice(OPENINGS) + end.join(lines) + end + random.choice(CLOSINGS) + random.choice(BODIES)
    directory = name.strip("\"' ") if random.random() < 0.8 else "my-skill"
    fits = directory and directory not in (".", "~") and not any(c in directory for c in "/\0\n")
    return text, directory if fits else "my-skill"


def refused(directory):
    """Whether the reference refuses a skill; its tracebacks count."""
    try:
        return bool(validate(directory))
    except Exception:
        return True


random.seed(seed)
with tempfile.TemporaryDirectory(prefix="differential-") as root:
    cases = {}
    for at in range(n_cases):
        text, name = skill()
        directory = pathlib.Path(root, f"{at:05}", name)
        directory.mkdir(parents=True)
        directory.joinpath(random.choice(["SKILL.md"] * 20 + ["skill.md"])).write_bytes(text.encode())
        cases[f"{at:05}"] = text, directory
    command = [sys.argv[1], root, "--profile", "skills-ref", "--format", "json"]
    report = json.loads(subprocess.run(command, capture_output=True, check=False).stdout)
    errors = {}
    for finding in report["findings"]:
        if finding["code"] == "skills-ref":
            errors.setdefault(os.path.relpath(finding["file"], root).split(os.sep)[0], finding["message"])
    differ = 0
    for at, (text, directory) in cases.items():
        theirs = refused(directory)
        if theirs != (at in errors):
            differ += 1
            print(f"{at}: the reference {'refuses' if theirs else 'accepts'} {text[:200]!r}; we say {errors.get(at)}")
print(f"   {n_cases} random skills, {n_cases - len(errors)} accepted, {differ} verdicts differ")
sys.exit(1 if differ else 0)
