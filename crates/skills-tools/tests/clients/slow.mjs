// An MCP server that takes its time: progress, cancellation, every kind of content, both kinds of errors.

import { createInterface } from "node:readline";

const send = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }));
const tools = ["count", "finish", "parts", "fail", "refuse", "cancelled"].map((name) => ({ name, inputSchema: { type: "object" } }));
Object.assign(tools[2], {
  title: "All parts",
  annotations: { readOnlyHint: true, openWorldHint: false },
  outputSchema: { type: "object", properties: { two: { type: "number" } }, required: ["two"] },
});
tools[5].annotations = { destructiveHint: false, idempotentHint: true };
const running = new Set();
let cancelled = 0;

function call(id, { name, _meta }) {
  switch (name) {
    case "count":
      // Answered by the call of `finish`: clients lose progress that comes together with the answer.
      running.add(id);
      for (const progress of [1, 2, 3]) {
        const params = { progressToken: _meta?.progressToken, progress, total: 3, message: `step ${progress}` };
        send({ method: "notifications/progress", params });
      }
      return;
    case "finish":
      for (const one of running) send({ id: one, result: { content: [{ type: "text", text: "counted" }] } });
      running.clear();
      return send({ id, result: { content: [] } });
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
    running.delete(params.requestId);
  }
}
