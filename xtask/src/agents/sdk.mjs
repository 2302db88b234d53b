// Lists the skills of a server with the official TypeScript SDK, and prints their names, one on each line.
//
// usage: sdk.mjs MODULES URL | sdk.mjs MODULES COMMAND ARG…
//
// Each SKILL.md is read as a resource, and a session is ended with a DELETE.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [modules, ...target] = process.argv.slice(2);
const require = createRequire(modules + "/");
const sdk = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + name)));
const { Client } = await sdk("client/index.js");
const { StdioClientTransport } = await sdk("client/stdio.js");
const { StreamableHTTPClientTransport } = await sdk("client/streamableHttp.js");

const isUrl = target[0].startsWith("http");
const transport = isUrl
  ? new StreamableHTTPClientTransport(new URL(target[0]))
  : new StdioClientTransport({ command: target[0], args: target.slice(1), stderr: "ignore" });
const client = new Client({ name: "xtask", version: "1" });
await client.connect(transport);
const names = [];
let cursor = null;
do {
  const result = await client.callTool({ name: "list_skills", arguments: cursor ? { cursor } : {} });
  const data = result._meta["skills-serve/data"];
  names.push(...data.skills.map((skill) => skill.name));
  cursor = data.next_cursor;
} while (cursor);
for (const name of names) {
  const { contents } = await client.readResource({ uri: `skill://${name}/SKILL.md` });
  if (!contents[0].text.startsWith("---")) throw new Error(`${name}: no SKILL.md`);
}
if ((await client.listTools()).tools.length === 0) throw new Error("no tools");
if (isUrl) await transport.terminateSession();
await client.close();
console.log(names.join("\n"));
