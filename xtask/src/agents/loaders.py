"""Loads a directory of skills with one of four Python libraries, and prints their names, one on each line."""

import asyncio
import logging
import sys
from pathlib import Path

def adk(directory):
    from google.adk.skills import load_skill_from_dir

    places = sorted(path.parent for path in Path(directory).glob("*/SKILL.md"))
    return [load_skill_from_dir(place).name for place in places]

def pydantic_ai(directory):
    from pydantic_ai_harness.skills import Skills
    from pydantic_ai.workspaces import LocalWorkspaceBackend

    catalog = asyncio.run(Skills(".").load(LocalWorkspaceBackend(directory)))
    for skipped in catalog.skipped:
        print(f"skipped: {skipped}", file=sys.stderr)
    return [skill.name for skill in catalog.skills]

def deepagents(directory):
    from deepagents.backends.filesystem import FilesystemBackend
    from deepagents.middleware.skills import _list_skills

    backend = FilesystemBackend(root_dir=directory, virtual_mode=True)
    return [skill["name"] for skill in _list_skills(backend, "/")]

def agent_framework(directory):
    from agent_framework import FileSkillsSource, SkillsSourceContext

    source = FileSkillsSource(directory)
    skills = asyncio.run(source.get_skills(SkillsSourceContext(agent=None)))
    return [skill.frontmatter.name for skill in skills]

logging.disable(logging.CRITICAL)
LOADERS = {"adk": adk, "pydantic-ai": pydantic_ai, "deepagents": deepagents, "agent-framework": agent_framework}
print("\n".join(LOADERS[sys.argv[1]](sys.argv[2])))
