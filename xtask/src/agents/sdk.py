"""Lists the skills of a server with the official Python SDK, and prints their names, one on each line.

usage: sdk.py MODE URL | sdk.py MODE COMMAND ARG…

Each SKILL.md is read as a resource. A warning of the SDK, such as one about the end of the session, is an
error.
"""

import asyncio
import logging
import sys

from mcp import Client, StdioServerParameters


async def main(mode, target):
    is_url = target[0].startswith("http")
    server = target[0] if is_url else StdioServerParameters(command=target[0], args=target[1:])
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        names, cursor = [], None
        while cursor is not None or not names:
            result = await client.call_tool("list_skills", {"cursor": cursor} if cursor else {})
            data = result.meta["skills-serve/data"]
            names += [skill["name"] for skill in data["skills"]]
            cursor = data["next_cursor"]
            if cursor is None:
                break
        for name in names:
            read = await client.read_resource(f"skill://{name}/SKILL.md")
            assert read.contents[0].text.startswith("---"), name
        assert (await client.list_tools()).tools
    return names


class Complaint(logging.Handler):
    """Counts warnings."""

    found = 0

    def emit(self, record):
        Complaint.found += 1
        print(record.getMessage(), file=sys.stderr)


logging.getLogger("mcp").addHandler(Complaint(level=logging.WARNING))
print("\n".join(asyncio.run(main(sys.argv[1], sys.argv[2:]))))
sys.exit(1 if Complaint.found else 0)
