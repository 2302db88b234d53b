// The official TypeScript SDK against the server slow.mjs, directly or behind skills-serve: prints what it
// got, without the prefix of the names.
//
// Usage: direct.mjs PREFIX COMMAND ARG…

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(process.env.CLIENTS + "/");
const sdk = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + name)));
const { Client } = await sdk("client/index.js");
const { StdioClientTransport } = await sdk("client/stdio.js");

const [prefix, command, ...args] = process.argv.slice(2);
const client = new Client({ name: "test", version: "1" });
await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }));

const call = async (name, options = {}) => {
  try {
    return await client.callTool({ name: prefix + name, arguments: {} }, undefined, options);
  } catch ({ code, message, data }) {
    return { code, message, data };
  }
};
const print = (what, value) => console.log(`${what}: ${JSON.stringify(value)}`);

const { tools } = await client.listTools();
// A hint that is not given has a value in the specification.
const usual = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
const about = ({ name, title, inputSchema, outputSchema, annotations }) => {
  const { title: _, ...hints } = annotations ?? {};
  return [name.replace(prefix, ""), title, inputSchema, outputSchema, { ...usual, ...hints }];
};
print("tools", tools.map(about).sort());
const steps = [];
const onprogress = (step) => {
  steps.push(step);
  if (step.progress === 3) call("finish");
};
print("count", await call("count", { onprogress }));
print("progress", steps);
for (const name of ["parts", "fail", "refuse"]) print(name, await call(name));
const controller = new AbortController();
const aborted = call("count", { onprogress: () => controller.abort("enough"), signal: controller.signal });
print("aborted", (await aborted).message);
for (let round = 0; round < 100; round += 1) {
  const { content } = await call("cancelled");
  if (content[0].text === "1 cancelled" || round === 99) {
    print("cancelled", content);
    break;
  }
  await new Promise((resolve) => setTimeout(resolve, 50));
}
await client.close();
