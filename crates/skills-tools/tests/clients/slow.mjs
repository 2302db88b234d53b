// An MCP server that takes its time: progress, cancellation, every kind of content, both kinds of errors.

import { createInterface } from "node:readline";

const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tools = ["count", "parts", "fail", "refuse", "cancelled"].map((name) => ({ name, inputSchema: { type: "object" } }));
const running = new Map();
let cancelled = 0;

function call(id, { name, _meta }) {
  switch (name) {
    case "count": {
      const progressToken = _meta?.progressToken;
      let progress = 0;
      const timer = setInterval(() => {
        progress += 1;
        const params = { progressToken, progress, total: 3, message: `step ${progress}` };
        if (progressToken !== undefined) send({ method: "notifications/progress", params });
        if (progress < 3 || _meta?.forever) return;
        clearInterval(timer);
        running.delete(id);
        send({ id, result: { content: [{ type: "text", text: "counted" }] } });
      }, 30);
      return void running.set(id, timer);
    }
    case "parts":
      return send({
        id,
        result: {
          content: [
            { type: "text", text: "two", annotations: { priority: 0.5 } },
            { type: "image", data: "aGk=", mimeType: "image/png" },
            { type: "audio", data: "aGk=", mimeType: "audio/wav" },
            { type: "resource_link", uri: "file:///a.txt", name: "a.txt" },
            { type: "resource", resource: { uri: "file:///b.txt", mimeType: "text/plain", text: "b" } },
          ],
          structuredContent: { two: 2 },
        },
      });
    case "fail":
      return send({ id, result: { content: [{ type: "text", text: "one" }, { type: "text", text: "two" }], structuredContent: { why: 1 }, isError: true } });
    case "refuse":
      return send({ id, error: { code: -32042, message: "not today", data: { until: "tomorrow" } } });
    case "cancelled":
      return send({ id, result: { content: [{ type: "text", text: `${cancelled} cancelled` }] } });
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { protocolVersion } = params;
    send({ id, result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "slow", version: "1" } } });
  } else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call") call(id, params);
  else if (method === "notifications/cancelled") {
    cancelled += 1;
    clearInterval(running.get(params.requestId));
    running.delete(params.requestId);
  }
}
