"use strict";
// Adds the text beside this file to the last message of the user, as the old host did.
const fs = require("node:fs");
const path = require("node:path");

async function processMessages(messages) {
  const text = fs.readFileSync(path.join(__dirname, "context.md"), "utf8").trim();
  const at = messages.map((message) => message.role).lastIndexOf("user");
  const added = (content) =>
    Array.isArray(content)
      ? [...content, { type: "text", text }]
      : `${content ?? ""}\n\n${text}`.trimStart();
  return messages.map((message, n) =>
    n === at ? { ...message, content: added(message.content) } : message,
  );
}

module.exports = { processMessages };
