// The form that runs a skill. It asks for approval like a client of MCP: the first request gets the
// question, and the run starts when the person confirms it.

import { ask } from "/web/ask.js";
import { say } from "/web/say.js";

function make(name, attributes = {}, ...children) {
  const res = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) if (value !== null) res.setAttribute(key, value);
  res.append(...children.filter((child) => child !== null));
  return res;
}

/** A control for one parameter, with a function that reads its value; undefined leaves it out. */
function control(name, schema, isNeeded) {
  const id = `run-${name}`;
  const label = make("label", { for: id }, name, isNeeded ? ` ${say("(required)")}` : "");
  const about = schema.description ? make("small", {}, schema.description) : null;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  let input, read;
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.map((value) => make("option", { value: JSON.stringify(value) }, String(value)));
    input = make("select", { id }, ...(isNeeded ? [] : [make("option", { value: "" }, "–")]), ...options);
    read = () => (input.value === "" ? undefined : JSON.parse(input.value));
  } else if (type === "boolean") {
    input = make("input", { id, type: "checkbox" });
    read = () => (input.checked ? true : isNeeded ? false : undefined);
  } else if (type === "number" || type === "integer") {
    input = make("input", { id, type: "number", step: type === "integer" ? "1" : "any" });
    read = () => (input.value === "" ? undefined : Number(input.value));
  } else if (type === "object" || type === "array") {
    input = make("textarea", { id, rows: 3, placeholder: type === "array" ? "[…]" : "{…}", spellcheck: "false" });
    read = () => (input.value.trim() === "" ? undefined : JSON.parse(input.value));
  } else {
    input = make("textarea", { id, rows: 1, spellcheck: "false" });
    read = () => (input.value === "" && !isNeeded ? undefined : input.value);
  }
  return { name, read, element: make("div", { class: "field" }, label, input, about) };
}

/** Controls for the arguments of a command; one for all of them where the schema names none. */
function controls(schema) {
  const properties = Object.entries(schema?.properties ?? {});
  if (properties.length === 0) {
    const all = control("arguments", { type: "object", description: say("The arguments as a JSON object.") }, false);
    return { elements: [all.element], read: () => all.read() ?? {} };
  }
  const needed = new Set(schema.required ?? []);
  const fields = properties.map(([name, it]) => control(name, it ?? {}, needed.has(name)));
  const read = () => Object.fromEntries(fields.map((it) => [it.name, it.read()]).filter(([, value]) => value !== undefined));
  return { elements: fields.map((it) => it.element), read };
}

function post(skill, run, body) {
  return ask(`/api/skills/${encodeURIComponent(skill)}/run`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-skills-page": run.secret },
    body: JSON.stringify(body),
  });
}

/** A part of an answer: texts and images as they are, of others what they are. */
function part(it) {
  if (it.type === "text") return make("pre", { tabindex: 0, class: "result" }, it.text);
  if (it.type === "image") {
    return make("img", { class: "result", alt: say("image of the answer"), src: `data:${it.mimeType};base64,${it.data}` });
  }
  const about = [it.name, it.mimeType, it.size && say("{} bytes", it.size)].filter(Boolean).join(", ");
  return make("p", { class: "result" }, it.type === "resource_link" ? say("file of the answer: {}", about) : `[${it.type}] ${about}`);
}

function shown(answer) {
  return [
    make("p", { class: answer.is_error ? "error" : "good" }, answer.is_error ? say("The run failed.") : say("The run has ended.")),
    ...answer.content.map(part),
    make("details", {}, make("summary", {}, say("The whole answer as JSON")),
      make("pre", { tabindex: 0 }, JSON.stringify(answer.data, null, 2))),
  ];
}

/** The form for a skill that may be run here. */
export function runForm(skill, run) {
  const commands = run.commands.length > 0 ? run.commands : [{ id: null, description: "", input_schema: {} }];
  const select = make("select", { id: "run-command" }, ...commands.map((it, i) => make("option", { value: i }, it.id ?? skill)));
  const choice = commands.length > 1 ? make("div", { class: "field" }, make("label", { for: "run-command" }, say("Command")), select) : null;
  const fields = make("div", {}), output = make("div", { role: "status", "aria-live": "polite" });
  let current;
  const change = () => {
    current = controls(commands[Number(select.value)].input_schema);
    fields.replaceChildren(...current.elements);
  };
  select.addEventListener("change", change);
  change();
  const form = make("form", { class: "run" }, choice, fields, make("button", { type: "submit" }, say("Run…")));
  const show = (...nodes) => output.replaceChildren(...nodes);
  const fail = (error) => show(make("p", { class: "error" }, error.message));
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    try {
      const task = { command: commands[Number(select.value)].id, arguments: current.read() };
      const answer = await post(skill, run, task);
      if (!answer.question) return show(...shown(answer));
      const yes = make("button", { type: "button", id: "run-approve" }, say("Run it"));
      const no = make("button", { type: "button" }, say("Cancel"));
      no.addEventListener("click", () => show());
      yes.addEventListener("click", async () => {
        show(make("p", {}, say("Running…")));
        try { show(...shown(await post(skill, run, { ...task, approval: answer.approval }))); } catch (error) { fail(error); }
      });
      show(make("p", {}, answer.question), make("div", { class: "buttons" }, yes, no));
      yes.focus();
    } catch (error) { fail(error); }
  });
  return make("section", { class: "runs" }, make("h3", {}, say("Run")), form, output);
}
