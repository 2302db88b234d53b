// The official TypeScript SDK against a server: runs the steps, prints what came of each.
//
// Usage: client.mjs STEPS URL | client.mjs STEPS COMMAND ARG…

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(process.env.CLIENTS + "/");
const sdk = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/" + name)));
const { Client } = await sdk("client/index.js");
const { StdioClientTransport } = await sdk("client/stdio.js");
const { StreamableHTTPClientTransport } = await sdk("client/streamableHttp.js");
const { ElicitRequestSchema, ResultSchema } = await sdk("types.js");

const first = (text) => JSON.stringify([...text.split("\n")[0]].slice(0, 45).join(""));

const told = (result) => {
  const text = result.content.filter((part) => part.type === "text").map((part) => part.text);
  return `${result.isError ? "error" : "ok"} ${first(text.join(""))}`;
};

async function step(client, [kind, name, params]) {
  switch (kind) {
    case "tools":
      return (await client.listTools()).tools.map((tool) => tool.name).join(" ");
    case "tool":
      return told(await client.callTool({ name, arguments: params }));
    case "pages": {
      let [text, pages, cursor, data] = ["", 0];
      while (pages === 0 || cursor) {
        const more = cursor ? { cursor } : {};
        const result = await client.callTool({ name, arguments: { ...params, ...more } });
        data = result._meta["skills-serve/data"];
        const all = result.content[0].text;
        const page = all.slice(all.indexOf(">\n") + 2, all.lastIndexOf("</skill_resource>"));
        text = data.strategy === "page" ? text + page : page;
        [pages, cursor] = [pages + 1, data.next_cursor];
      }
      return `${pages} pages, ${Buffer.byteLength(text)} of ${data.total_bytes} bytes`;
    }
    case "resources":
      return (await client.listResources()).resources.map((one) => one.uri).join(" ");
    case "read": {
      const part = (await client.readResource({ uri: name })).contents[0];
      return `${part.mimeType} ${part.text === undefined ? part.blob : first(part.text)}`;
    }
    case "prompts":
      return (await client.listPrompts()).prompts.map((prompt) => prompt.name).join(" ");
    case "prompt":
      return first((await client.getPrompt({ name, arguments: params })).messages[0].content.text);
    case "request": {
      const result = await client.request({ method: name, params }, ResultSchema);
      if (result.skills) return result.skills.map((skill) => skill.uri).join(" ");
      if (result.skill) {
        return result.skill.resources.map((file) => `${file.digest.slice(0, 15)}:${file.size}`).join(" ");
      }
      return result.resources.map((one) => `${one.name}=${one.mimeType}`).join(" ");
    }
  }
}

const [steps, ...target] = process.argv.slice(2);
const transport = target[0].startsWith("http")
  ? new StreamableHTTPClientTransport(new URL(target[0]))
  : new StdioClientTransport({ command: target[0], args: target.slice(1), stderr: "ignore" });
const info = { name: "test", version: "1" };
const client = new Client(info, { capabilities: { elicitation: {} } });
client.setRequestHandler(ElicitRequestSchema, async (request) => {
  console.log("  asked:", first(request.params.message));
  return { action: "accept", content: {} };
});
await client.connect(transport);
for (const words of JSON.parse(readFileSync(steps, "utf8"))) {
  let result;
  try {
    result = await step(client, words);
  } catch (error) {
    const message = String(error.message).replace(/^MCP error -?\d+: /, "");
    result = `protocol error ${error.code} ${first(message)}`;
  }
  console.log(`${words.filter((word) => typeof word === "string").join(" ")}: ${result}`);
}
await client.close();
