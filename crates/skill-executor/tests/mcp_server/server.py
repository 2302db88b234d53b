"""An MCP server on standard streams. The first argument is a mode, or a file that has one."""
import json, os, sys, threading, time

mode = sys.argv[1] if len(sys.argv) > 1 else ""
if os.path.exists(mode):
    mode = open(mode).read()
cancelled = []
waiting = {}
leak = " " + os.environ.get("TOKEN", "") if mode == "leaky" else ""
lock = threading.Lock()


def send(message):
    with lock:
        sys.stdout.write(json.dumps(message) + "\n")
        sys.stdout.flush()


def text(text):
    return {"content": [{"type": "text", "text": text}]}


def tools(cursor):
    if mode == "pages":
        return {"tools": [], "nextCursor": "again"}
    if mode == "endless":
        n = int(cursor or 0)
        names = ["t%d" % i for i in range(n * 500, n * 500 + 500)]
        return {"tools": [{"name": name, "inputSchema": {}} for name in names], "nextCursor": str(n + 1)}
    if mode == "schemas":
        huge = {"p%05d" % n: {"type": "string", "description": "x" * 30} for n in range(10000)}
        cycle = {"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {"a": {"$ref": "#/$defs/a"}}}
        deep = {"type": "string"}
        for _ in range(40):
            deep = {"type": "object", "properties": {"a": deep}}
        return {"tools": [
            {"name": "deep", "inputSchema": deep},
            {"name": "answer", "inputSchema": {}, "outputSchema": {"type": "object", "properties": huge}},
            {"name": "huge", "inputSchema": {"type": "object", "properties": huge}},
            {"name": "cycle", "inputSchema": cycle},
            {"name": "two words", "inputSchema": {}},
        ]}
    names = ["echo", "sum", "parts", "pid", "crash", "env", "fail", "refuse", "steps", "wait", "cancelled", "long", "chatter", "wipe", "grow", "hang"]
    if mode == "changed":
        names[3] = "added"
    listed = []
    for name in names:
        tool = {"name": name, "description": "Does " + name + "." + leak, "inputSchema": {"type": "object"}}
        if leak:
            tool["inputSchema"]["properties"] = {"text": {"default": leak}}
        if name == "wipe":
            tool["annotations"] = {"destructiveHint": True}
        if name == "echo":
            tool["annotations"] = {"readOnlyHint": True, "destructiveHint": mode == "changed"}
        listed.append(tool)
    return {"tools": listed}


def call(id, params):
    global mode
    name, args = params["name"], params.get("arguments", {})
    token = params.get("_meta", {}).get("progressToken")
    if name == "echo":
        return text(args["text"])
    if name == "sum":
        return dict(text("3"), structuredContent={"sum": args["a"] + args["b"]})
    if name == "parts":
        return {"content": [{"type": "text", "text": "a"}, {"type": "image", "data": "AA==", "mimeType": "image/png"}]}
    if name == "pid":
        return text(str(os.getpid()))
    if name == "crash":
        sys.stderr.write("about to crash\n")
        sys.stderr.flush()
        os._exit(3)
    if name == "env":
        return dict(text(""), structuredContent={name: len(os.environ.get(name, "")) for name in args["names"]})
    if name == "fail":
        return dict(text("it did not work: " + os.environ.get("TOKEN", "")), isError=True)
    if name == "steps":
        for n in range(1, args["n"] + 1):
            progress = {"progressToken": token, "progress": n, "total": args["n"], "message": "step %d" % n}
            send({"jsonrpc": "2.0", "method": "notifications/progress", "params": progress})
        return text("done")
    if name == "wait":
        if token is not None:
            send({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 0}})
        return None
    if name == "hang":
        time.sleep(args["seconds"])
        return text("done")
    if name == "cancelled":
        return dict(text(""), structuredContent=len(cancelled))
    if name == "long":
        for _ in range(101):
            sys.stdout.write("x" * (1 << 20))
        return text("")
    if name == "grow":
        mode = "changed"
        send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        return text("done")
    if name == "chatter":
        while True:
            send({"jsonrpc": "2.0", "method": "notifications/message", "params": {"data": "x" * 1000}})
    raise ValueError("no such thing")


if mode == "silent":
    sys.exit(0)
print("a line for people", flush=True)
for line in sys.stdin:
    message = json.loads(line)
    id, method = message.get("id"), message.get("method")
    params = message.get("params", {})
    if method == "initialize":
        # The client answers what servers may ask.
        send({"jsonrpc": "2.0", "id": "p", "method": "ping"})
        version = "1999-01-01" if mode == "version" else params["protocolVersion"]
        info = {"name": "fake" + leak, "version": "1.0"}
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
        if leak:
            result["instructions"] = "Use" + leak + "."
        send({"jsonrpc": "2.0", "id": id, "result": result})
    elif method == "tools/list":
        send({"jsonrpc": "2.0", "id": id, "result": tools(params.get("cursor"))})
    elif method == "tools/call":
        try:
            result = call(id, params)
        except ValueError as error:
            send({"jsonrpc": "2.0", "id": id, "error": {"code": -32602, "message": str(error)}})
            continue
        if result is not None:
            send({"jsonrpc": "2.0", "id": id, "result": result})
    elif method == "notifications/cancelled":
        cancelled.append(params["requestId"])
