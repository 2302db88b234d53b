"""The official Python SDK against a server: runs the steps, prints what came of each.

Usage: client.py STEPS MODE URL | client.py STEPS MODE COMMAND ARG…
"""

import asyncio
import json
import sys
from typing import Any

import mcp.types as types
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import ElicitResult
from pydantic import TypeAdapter


def first(text):
    return json.dumps(text.split("\n")[0][:45], ensure_ascii=False)


def told(result):
    word = "error" if result.is_error else "ok"
    text = "".join(part.text for part in result.content if part.type == "text")
    return f"{word} {first(text)}"


async def step(client, words):
    match words:
        case ["tools"]:
            return " ".join(tool.name for tool in (await client.list_tools()).tools)
        case ["tool", name, arguments]:
            return told(await client.call_tool(name, arguments))
        case ["pages", name, arguments]:
            text, pages, cursor = "", 0, None
            while pages == 0 or cursor:
                more = {"cursor": cursor} if cursor else {}
                result = await client.call_tool(name, {**arguments, **more})
                data = result.meta["skills-serve/data"]
                page = result.content[0].text.split(">\n", 1)[1].rsplit("</skill_resource>", 1)[0]
                # The beginning is given again by the first page that a cursor names.
                text = text + page if data["strategy"] == "page" else page
                pages, cursor = pages + 1, data["next_cursor"]
            return f"{pages} pages, {len(text.encode())} of {data['total_bytes']} bytes"
        case ["resources"]:
            return " ".join(str(one.uri) for one in (await client.list_resources()).resources)
        case ["read", uri]:
            part = (await client.read_resource(uri)).contents[0]
            body = getattr(part, "text", None)
            return f"{part.mime_type} {first(body) if body is not None else part.blob}"
        case ["prompts"]:
            return " ".join(prompt.name for prompt in (await client.list_prompts()).prompts)
        case ["prompt", name, arguments]:
            prompt = await client.get_prompt(name, arguments)
            return first(prompt.messages[0].content.text)
        case ["request", method, params]:
            request = types.Request[dict[str, Any], str](method=method, params=params)
            result = await client.session.send_request(request, TypeAdapter(dict[str, Any]))
            if "skills" in result:
                return " ".join(skill["uri"] for skill in result["skills"])
            if "skill" in result:
                return " ".join(f"{f['digest'][:15]}:{f['size']}" for f in result["skill"]["resources"])
            return " ".join(f"{one['name']}={one['mimeType']}" for one in result["resources"])


async def approve(_context, params):
    print("  asked:", first(params.message))
    return ElicitResult(action="accept", content={})


async def main(steps, mode, target):
    is_url = target[0].startswith("http")
    server = target[0] if is_url else StdioServerParameters(command=target[0], args=target[1:])
    async with Client(server, mode=mode, elicitation_callback=approve, read_timeout_seconds=60) as client:
        print("protocol:", client.protocol_version)
        for words in json.load(open(steps)):
            try:
                res = await step(client, words)
            except MCPError as error:
                res = f"protocol error {error.error.code} {first(error.error.message)}"
            print(f"{' '.join(w for w in words if isinstance(w, str))}: {res}")


asyncio.run(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
