"""Client of `heapwright mcp`: makes the calls of a plan, and prints what it sees as JSON.

usage: client.py PROGRAM MODE PLAN

MODE is the negotiation of the protocol's version, as in `mcp.Client`. PLAN is a JSON list of calls,
each an object with `tool`, `arguments` and sometimes `end`: `cancel` cancels the call at its first
progress, `leave` ends this process then, without a word to the server.
"""

import asyncio
import json
import os
import sys

from mcp import Client, StdioServerParameters


async def call(client, tool, arguments, end=None):
    """Result of a call, and the number of notifications of its progress."""
    started = asyncio.Event()
    progress = []

    async def note(seconds, total, message):
        progress.append(seconds)
        started.set()

    calling = asyncio.create_task(
        client.call_tool(tool, arguments, progress_callback=note)
    )
    if end is not None:
        await started.wait()
        # The run itself starts right after the first notification.
        await asyncio.sleep(1)
    if end == "leave":
        os._exit(0)
    if end == "cancel":
        calling.cancel()
        await asyncio.wait([calling])
        return {"cancelled": calling.cancelled()}
    result = await calling
    return {
        "is_error": result.is_error,
        "text": [block.text for block in result.content],
        "structured": result.structured_content,
        "progress": len(progress),
    }


async def main(program, mode, plan):
    server = StdioServerParameters(command=program, args=["mcp"], env=dict(os.environ))
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        calls = [await call(client, **planned) for planned in plan]
        seen = {
            "server": client.session.server_info.name,
            "instructions": client.session.instructions,
            "tools": [tool.model_dump(by_alias=True, exclude_none=True) for tool in tools],
            "calls": calls,
        }
        print(json.dumps(seen))


asyncio.run(main(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])))
