// The official TypeScript SDK: prints the tools of a server and its answers to calls as one JSON object.
//
// Usage: ask.mjs PREFIX CALLS COMMAND ARG…   (names of tools are without PREFIX; CALLS is [[tool, arguments]…])

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(process.env.SDK + "/");
const sdk = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + name)));
const { Client } = await sdk("client/index.js");
const { StdioClientTransport } = await sdk("client/stdio.js");
const { ElicitRequestSchema } = await sdk("types.js");

const [prefix, calls, command, ...args] = process.argv.slice(2);
// Some servers offer more tools to clients that can ask a person. skills-serve asks one for itself, and does
// not pass on that its client can.
const capabilities = prefix ? { elicitation: {} } : {};
const client = new Client({ name: "servers", version: "1" }, { capabilities });
if (prefix) client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: {} }));
await client.connect(new StdioClientTransport({ command, args, env: process.env, stderr: "ignore" }));

// A hint that is not given has a value in the specification.
const usual = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const tools = {};
for (let cursor; ; ) {
  const page = await client.listTools({ cursor });
  for (const { name, title, description, inputSchema, outputSchema, annotations } of page.tools) {
    const { title: name2, ...hints } = annotations ?? {};
    const shown = title ?? (prefix ? undefined : name2);
    tools[name.replace(prefix, "")] = { title: shown, description, inputSchema, outputSchema, hints: { ...usual, ...hints } };
  }
  cursor = page.nextCursor;
  if (!cursor) break;
}
const answers = [];
for (const [name, input] of JSON.parse(calls)) {
  try {
    const { content, structuredContent, isError } = await client.callTool({ name: prefix + name, arguments: input });
    answers.push({ content, structuredContent, isError: isError ?? false });
  } catch ({ code, message }) {
    answers.push({ code, message });
  }
}
console.log(JSON.stringify({ tools, answers }));
await client.close();
