// The page over `/api/`: a catalog, a search, and one skill. It uses no library and contacts only this server.
"use strict";

const at = (id) => document.getElementById(id);
let catalog = [];
let listTokens = 0;
let unread = 0;
let latest = 0; // answers to earlier requests are not shown

/** An element with attributes and children; text is always text, never markup. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

async function ask(path) {
  const response = await fetch(path, { headers: { accept: "application/json" } });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error ?? response.statusText);
  return answer;
}

const number = (n) => new Intl.NumberFormat("en").format(n);
const counted = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;
const current = () => decodeURIComponent(location.hash.replace(/^#\/?/, ""));

function row(skill, match) {
  const meter = match && make("meter", {
    min: 0, max: 1, low: 0.15, high: 0.7, optimum: 1, value: match.confidence,
    "aria-label": "confidence",
  }, String(match.confidence));
  const how = match && make("small", {}, `${match.confidence.toFixed(2)} · ${match.phase}`);
  const link = make("a", { href: `#/${encodeURIComponent(skill.name)}` },
    make("strong", {}, skill.name), meter ?? null, how ?? null,
    make("small", {}, skill.description));
  if (skill.name === current()) link.setAttribute("aria-current", "page");
  return make("li", {}, link);
}

function showList(skills, matches) {
  at("list").replaceChildren(...skills.map((skill, i) => row(skill, matches?.[i])));
  at("count").textContent = matches
    ? counted(matches.length, "skill fits", "skills fit")
    : counted(skills.length, "skill", "skills");
}

async function search() {
  const mine = ++latest;
  const query = at("query").value.trim();
  if (query === "") return showList(catalog, null);
  try {
    const { matches } = await ask(`/api/search?q=${encodeURIComponent(query)}`);
    if (mine !== latest) return;
    const byName = new Map(catalog.map((skill) => [skill.name, skill]));
    const known = matches.filter((match) => byName.has(match.skill));
    showList(known.map((match) => byName.get(match.skill)), known);
  } catch (error) {
    if (mine === latest) at("count").textContent = error.message;
  }
}

function phaseBox(title, phase, most) {
  const share = make("div", { class: "share" });
  share.style.width = `${Math.max(1, (100 * phase.tokens) / Math.max(1, most))}%`;
  return make("section", { class: "phase" },
    make("div", {}, make("h3", {}, title), make("p", {}, counted(phase.tokens, "token", "tokens")), share),
    make("pre", { tabindex: 0, "aria-label": `${title} text` }, phase.text));
}

function table(caption, heads, rows) {
  if (rows.length === 0) return make("p", { class: "about" }, `${caption}: none.`);
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell))));
  return make("div", { class: "wide" }, make("h3", {}, caption),
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

function badges(skill) {
  const parity = { verified: "good", differs: "error" }[skill.parity] ?? null;
  const items = [
    [skill.type, null],
    [skill.runnable === null ? null : skill.runnable ? "runnable" : "not runnable", skill.runnable ? "good" : "warning"],
    [skill.version && `version ${skill.version}`, null],
    [skill.domain, null],
    [`parity: ${skill.parity ?? "not verified"}`, parity],
  ];
  const shown = items.filter(([text]) => text);
  return make("ul", { class: "badges" }, ...shown.map(([text, kind]) => make("li", { class: kind }, text)));
}

function showSkill(skill) {
  const most = skill.phases.full.tokens;
  const findings = (skill.findings ?? []).map((it) => [
    make("span", { class: it.severity }, it.severity), it.code, it.place ?? "", it.message]);
  const files = skill.resources.map((it) => [it.path, `${number(it.bytes)} bytes`]);
  if (skill.more_resources > 0) files.push([`and ${number(skill.more_resources)} more`, ""]);
  const report = Object.entries(skill.load).map(([key, value]) => [key.replaceAll("_", " "), String(value)]);
  at("main").replaceChildren(
    make("h2", {}, skill.display_name ?? skill.name),
    make("p", { class: "about" }, skill.name),
    badges(skill),
    make("div", { class: "phases" },
      phaseBox("Metadata", skill.phases.metadata, most),
      phaseBox("Brief", skill.phases.brief, most),
      phaseBox("Full", skill.phases.full, most)),
    table("Findings", ["Severity", "Rule", "Place", "What"], findings),
    table("Resources", ["Path", "Size"], files),
    table("Load report", ["What", "Value"], report));
  document.title = `${skill.name} · Skills`;
}

function showOverview() {
  document.title = "Skills";
  if (catalog.length === 0) {
    at("main").replaceChildren(make("p", { class: "note" }, "No skill is served."));
    return;
  }
  at("main").replaceChildren(
    make("h2", {}, counted(catalog.length, "skill", "skills")),
    make("p", { class: "about" }, `The list of all of them costs an agent ${counted(listTokens, "token", "tokens")}. Write a request above to see which skills fit it and how sure that is, or choose one.`),
    unread > 0 ? make("p", { class: "warning" }, `${counted(unread, "directory", "directories")} could not be read as a skill; the log of the server says why.`) : "");
}

async function route() {
  const name = current();
  for (const link of document.querySelectorAll("nav a")) {
    const isHere = link.getAttribute("href") === `#/${encodeURIComponent(name)}`;
    if (isHere) link.setAttribute("aria-current", "page"); else link.removeAttribute("aria-current");
  }
  if (name === "") return showOverview();
  try {
    const skill = await ask(`/api/skills/${encodeURIComponent(name)}`);
    if (current() === name) showSkill(skill);
  } catch (error) {
    at("main").replaceChildren(make("p", { class: "note error" }, error.message));
  }
}

at("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });
let waiting = 0;
at("query").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
addEventListener("hashchange", () => { route(); at("main").focus({ preventScroll: true }); });

ask("/api/catalog").then(({ skills, tokens, findings }) => {
  [catalog, listTokens, unread] = [skills, tokens, findings];
  const wanted = new URLSearchParams(location.search).get("q");
  if (wanted) at("query").value = wanted;
  showList(catalog, null);
  search();
  route();
}).catch((error) => { at("main").replaceChildren(make("p", { class: "note error" }, error.message)); });
