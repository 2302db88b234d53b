// The page over `/api/`: a catalog, a search, and one skill. It uses no library and contacts only this server.
import { ask } from "/web/ask.js";
import { markdown } from "/web/markdown.js";
import { runForm } from "/web/run.js";
import { say, word } from "/web/say.js";

const at = (id) => document.getElementById(id);
let catalog = [];
const titles = new Map(); // how many skills have a title
let listTokens = 0;
let unread = 0;
let latest = 0; // answers to earlier requests are not shown
let found = null; // the matches of the last search; null without a request

/** The confidence that the list shows as 0.00: such a skill does not fit. */
const NOTHING = 0.005;
/** The lines for a terminal that are shown at once. */
const FIRST_LINES = 4;

/** An element with attributes and children; text is always text, never markup. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

const number = (n) => new Intl.NumberFormat(document.documentElement.lang).format(n);
const nSkills = (n) => (n === 1 ? say("{} skill", 1) : say("{} skills", number(n)));
const nFitting = (n) => (n === 1 ? say("{} skill fits", 1) : say("{} skills fit", number(n)));
const nFittingTheRequest = (n) => (n === 1 ? say("{} skill fits the request", 1) : say("{} skills fit the request", number(n)));
const nTokens = (n) => (n === 1 ? say("{} token", 1) : say("{} tokens", number(n)));
const nMore = (n) => (n === 1 ? say("{} more command", 1) : say("{} more commands", number(n)));
const nBytes = (n) => (n === 1 ? say("{} byte", 1) : say("{} bytes", number(n)));
/** The address of a skill in this page, or of a file of it. */
const address = (name, path) => `#/${[name, ...(path ? ["files", ...path.split("/")] : [])].map(encodeURIComponent).join("/")}`;
/** The skill and the file that the address names. */
function current() {
  const [name = "", kind, ...path] = location.hash.replace(/^#\/?/, "").split("/").map((part) => {
    try { return decodeURIComponent(part); } catch { return part; }
  });
  return { name, path: kind === "files" ? path.join("/") : null };
}

const titleOf = (skill) => skill.display_name ?? skill.name;
/** The version of a skill if another one has the same title or name, or null. */
function version(skill) {
  const isShown = skill.version && (skill.other_versions.length > 0 || titles.get(titleOf(skill)) > 1);
  return isShown ? say("version {}", skill.version) : null;
}

function row(skill, match) {
  const meter = match && make("meter", {
    min: 0, max: 1, low: 0.15, high: 0.7, optimum: 1, value: match.confidence,
    "aria-label": say("confidence for {}", skill.name),
  }, String(match.confidence));
  const how = match && make("small", {}, `${match.confidence.toFixed(2)} · ${word(match.phase)}`);
  const stopped = skill.runnable === false ? make("small", { class: "warning" }, say("not runnable")) : null;
  const link = make("a", { href: address(skill.name) },
    make("strong", {}, skill.name), version(skill) && make("small", {}, version(skill)), stopped, meter ?? null, how ?? null,
    make("small", {}, skill.description));
  if (skill.name === current().name) link.setAttribute("aria-current", "page");
  return make("li", {}, link);
}

/** Returns true if the filters let a skill through. */
function isChosen(skill) {
  const [runs, type] = [at("runs").value, at("type").value];
  const runsToo = runs === "" || (runs === "yes") === (skill.runnable === true);
  return runsToo && (type === "" || (skill.type ?? "instructions") === type);
}

function showList() {
  const byName = new Map(catalog.map((skill) => [skill.name, skill]));
  const all = found === null
    ? catalog.map((skill) => [skill, null])
    : found.filter((match) => byName.has(match.skill)).map((match) => [byName.get(match.skill), match]);
  const chosen = all.filter(([skill]) => isChosen(skill));
  at("list").replaceChildren(...chosen.map(([skill, match]) => row(skill, match)));
  const n = chosen.length;
  at("count").textContent = found === null ? nSkills(n) : nFitting(n);
  if (current().name === "") showOverview();
}

async function search() {
  const mine = ++latest;
  const query = at("query").value.trim();
  if (query === "") {
    found = null;
    return showList();
  }
  try {
    const { matches } = await ask(`/api/search?q=${encodeURIComponent(query)}`);
    if (mine !== latest) return;
    found = matches.filter((match) => match.confidence >= NOTHING);
    showList();
  } catch (error) {
    if (mine === latest) at("count").textContent = error.message;
  }
}

function phaseBox(title, phase, most) {
  const share = make("div", { class: "share" });
  share.style.width = `${Math.max(1, (100 * phase.tokens) / Math.max(1, most))}%`;
  return make("section", { class: "phase" },
    make("div", {}, make("h3", {}, title), make("p", {}, nTokens(phase.tokens)), share),
    make("pre", { tabindex: 0, "aria-label": title }, phase.text));
}

function table(caption, heads, rows) {
  if (rows.length === 0) return make("p", { class: "about" }, say("{}: none", caption));
  const head = make("tr", {}, ...heads.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, cell))));
  return make("div", { class: "wide" }, make("h3", {}, caption),
    make("table", {}, make("thead", {}, head), make("tbody", {}, ...body)));
}

function badges(skill) {
  const parity = { verified: "good", differs: "error" }[skill.parity] ?? null;
  const items = [
    [skill.type, null],
    [skill.runnable === null ? null : skill.runnable ? say("runnable") : say("not runnable"), skill.runnable ? "good" : "warning"],
    [skill.version && say("version {}", skill.version), null],
    [skill.other_versions.length > 0 && say("also as version {}", skill.other_versions.join(", ")), null],
    [skill.domain, null],
    [say("parity: {}", skill.parity === null || skill.parity === undefined ? say("not verified") : skill.parity), parity],
  ];
  const shown = items.filter(([text]) => text);
  return make("ul", { class: "badges" }, ...shown.map(([text, kind]) => make("li", { class: kind }, text)));
}

/** The way back to the list, which a small screen does not show beside the skill. */
const back = () => make("p", { class: "back" }, make("a", { href: "#/" }, `← ${say("All skills")}`));

/** The address of a file that a link in a text names, or null if it is not a file of the skill. */
function resolver(skill, from, isListed) {
  return (target) => {
    const parts = from.split("/").slice(0, -1);
    for (const part of target.split("#")[0].split("/")) {
      if (part === "..") parts.pop();
      else if (part !== "" && part !== ".") parts.push(part);
    }
    const path = parts.join("/");
    return isListed(path) ? address(skill, path) : null;
  };
}

/** Facts about the last reading of a file, for people who write skills. */
function reading(load) {
  const part = load.cut ? say("only a part ({}), because the text is long", load.part) : say("the whole text");
  const rows = [
    [say("File"), load.file], [say("Shown"), part], [say("Lines"), load.lines],
    [say("Size"), say("{} bytes, {} characters shown", number(load.bytes_of_the_file), number(load.characters_given))],
    ["SHA-256", load.sha256], [say("Remarks"), String(load.findings)],
  ];
  return make("details", {}, make("summary", {}, say("About the file")), table(say("SKILL.md as it was read"), [say("What"), say("Value")], rows));
}

/** The reason why a skill cannot run; the migration lists it first. */
function obstacles(skill) {
  if (skill.runnable !== false) return null;
  const [reason = say("its METADATA.yml names no reason"), ...others] = skill.obstacles;
  const more = make("details", {}, make("summary", {}, say("Other findings of the migration")),
    make("ul", {}, ...others.map((text) => make("li", {}, text))));
  return make("section", { class: "obstacles" }, make("h3", {}, say("Why it cannot run")),
    make("p", {}, reason), others.length > 0 ? more : null);
}

/** A skill that another one builds on. Only the version that the list has is a page. */
function required({ text, version, page }) {
  const name = page ? make("a", { href: address(page) }, text) : make("code", {}, text);
  if (version === null) return make("span", {}, name, " ", make("small", { class: "warning" }, say("missing")));
  return version ? make("span", {}, name, " ", make("small", {}, say("version {}", version))) : name;
}

/** What must be installed or set before a skill works. */
function needs(skill) {
  const kinds = {
    programs: say("Programs on PATH"), npm: say("npm packages"), python: say("Python packages"),
    systems: say("Operating systems"), settings: say("Settings with a value"),
  };
  const names = (all) => make("span", { class: "names" }, ...all);
  const rows = Object.entries(kinds).filter(([kind]) => skill.needs[kind]).map(([kind, title]) =>
    [title, names(skill.needs[kind].map((name) => make("code", {}, name)))]);
  if (skill.requires.length > 0) rows.push([say("Skills that it builds on"), names(skill.requires.map(required))]);
  return rows.length === 0 ? "" : table(say("What it needs"), [say("What"), say("Names")], rows);
}

/** A line for a terminal, which a button copies. */
function copyable(line, label) {
  const button = make("button", { type: "button", "aria-label": say("Copy {}", label) }, say("Copy"));
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line);
      button.textContent = say("Copied");
    } catch {
      getSelection().selectAllChildren(button.previousSibling);
      button.textContent = say("Selected");
    }
    setTimeout(() => { button.textContent = say("Copy"); }, 2000);
  });
  return make("div", { class: "line" }, make("code", { tabindex: 0 }, line), button);
}

/** The lines that prepare and run a skill in a terminal. */
function lines(skill) {
  if (skill.lines.length === 0) return "";
  const title = { enable: say("Switch it on"), prepare: say("Install its packages"), configure: say("Set a value"), "": skill.name };
  const shown = skill.lines.map(({ what, line }) =>
    make("div", { class: "field" }, make("small", {}, title[what] ?? what), copyable(line, title[what] ?? what)));
  const more = shown.splice(FIRST_LINES);
  return make("section", {}, make("h3", {}, say("In a terminal")), ...shown, more.length === 0 ? "" :
    make("details", {}, make("summary", {}, nMore(more.length)), ...more));
}

/** The ways to give the skills of this server to an agent. */
function installation() {
  const ways = [
    [say("Copy the skills into a project"), `npx skills add ${location.origin}`],
    ["Claude Code", `claude mcp add --transport http skills ${location.origin}/mcp`],
    ["Codex", `codex mcp add skills --url ${location.origin}/mcp`],
    ["Gemini CLI", `gemini mcp add --transport http skills ${location.origin}/mcp`],
  ];
  // On a small screen, the list comes below: it is not to be pushed away.
  const isWide = matchMedia("(min-width: 46rem)").matches;
  return make("details", { class: "install", open: isWide ? "" : null },
    make("summary", {}, make("h3", {}, say("Give these skills to an agent"))),
    ...ways.map(([title, line]) => make("div", { class: "field" }, make("small", {}, title), copyable(line, title))));
}

function showSkill(skill) {
  const most = skill.phases.full.tokens;
  const findings = (skill.findings ?? []).map((it) => [
    make("span", { class: it.severity }, word(it.severity)), it.code, it.place ?? "", it.message]);
  const files = skill.resources.map((it) => [
    make("a", { href: address(skill.name, it.path) }, it.path), nBytes(it.bytes)]);
  if (skill.more_resources > 0) files.push([say("and {} more", number(skill.more_resources)), ""]);
  const listed = new Set(skill.resources.map((it) => it.path));
  at("main").replaceChildren(
    back(),
    make("h2", {}, [titleOf(skill), version(skill)].filter(Boolean).join(" · ")),
    make("p", { class: "about" }, skill.display_name && skill.display_name !== skill.name ? `${skill.name}: ` : "", skill.description),
    badges(skill),
    obstacles(skill) ?? "",
    needs(skill),
    skill.run ? runForm(skill.name, skill.run) : "",
    lines(skill),
    make("section", {}, make("h3", {}, say("Instructions")), markdown(skill.body, resolver(skill.name, "SKILL.md", (path) => listed.has(path)))),
    table(say("Resources"), [say("Path"), say("Size")], files),
    table(say("Findings"), [say("Severity"), say("Rule"), say("Place"), say("What")], findings),
    make("h3", {}, say("As an agent reads it")),
    make("div", { class: "phases" },
      phaseBox(say("Metadata"), skill.phases.metadata, most),
      phaseBox(say("Brief"), skill.phases.brief, most),
      phaseBox(say("Full"), skill.phases.full, most)),
    reading(skill.load));
  document.title = `${skill.name} · ${say("Skills")}`;
}

/** A file of a skill: Markdown as a page, other texts as they are. */
function showFile(file) {
  const isMarkdown = /\.(md|markdown)$/i.test(file.path);
  const cut = file.cut ? say("the beginning of {}", nBytes(file.bytes)) : nBytes(file.bytes);
  at("main").replaceChildren(
    make("p", { class: "back always" }, make("a", { href: address(file.skill) }, `← ${file.skill}`)),
    make("h2", {}, file.path),
    make("p", { class: "about" }, cut),
    isMarkdown ? markdown(file.text, resolver(file.skill, file.path, () => true)) : make("pre", { class: "file", tabindex: 0 }, file.text));
  document.title = `${file.path} · ${file.skill} · ${say("Skills")}`;
}

function showOverview() {
  document.title = say("Skills");
  const broken = unread > 0 ? make("p", { class: "warning" }, unread === 1
    ? say("{} directory could not be read as a skill; the log of the server says why.", 1)
    : say("{} directories could not be read as a skill; the log of the server says why.", number(unread))) : "";
  if (catalog.length === 0) {
    at("main").replaceChildren(make("h2", {}, say("No skill is served.")), broken,
      make("p", { class: "about" }, say("Put a directory with a SKILL.md into a directory that the server was started with, then load this page again.")));
    return;
  }
  const title = found === null ? nSkills(catalog.length) : nFittingTheRequest(found.length);
  at("main").replaceChildren(
    make("h2", {}, title),
    make("p", { class: "about" }, aboutList()),
    broken,
    found === null ? installation() : "");
}

/** Returns the sentence below the title: the cost of the list, or how to read the results of a request. */
function aboutList() {
  if (found === null) return say("The list of all {} costs an agent {}. Write a request above to see which skills fit it and how sure that is, or choose one.", number(catalog.length), nTokens(listTokens));
  if (found.length === 0) return say("No skill fits this request. Say it in other words, or clear the request to see all skills.");
  return say("The number beside a skill says how sure the search is: from {} a skill is worth a look, from {} it is most likely the right one. Choose a skill to read it.", "0.15", "0.7");
}

async function route() {
  const { name, path } = current();
  document.body.classList.toggle("chosen", name !== "");
  for (const link of document.querySelectorAll("nav a")) {
    if (link.getAttribute("href") === address(name)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (name === "") return showOverview();
  const skill = `/api/skills/${encodeURIComponent(name)}`;
  const isStill = () => current().name === name && current().path === path;
  try {
    if (path === null) {
      const answer = await ask(skill);
      if (isStill()) showSkill(answer);
    } else {
      const answer = await ask(`${skill}/files/${path.split("/").map(encodeURIComponent).join("/")}`);
      if (isStill()) showFile(answer);
    }
  } catch (error) {
    if (isStill()) at("main").replaceChildren(back(), make("p", { class: "note error" }, error.message));
  }
  if (isStill()) scrollTo(0, 0);
}

at("search").addEventListener("submit", (event) => { event.preventDefault(); search(); });
for (const id of ["runs", "type"]) at(id).addEventListener("change", showList);
let waiting = 0;
at("query").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 120); });
addEventListener("hashchange", () => { route(); at("main").focus({ preventScroll: true }); });

ask("/api/catalog").then(({ skills, tokens, findings }) => {
  [catalog, listTokens, unread] = [skills, tokens, findings];
  for (const skill of catalog) titles.set(titleOf(skill), 1 + (titles.get(titleOf(skill)) ?? 0));
  const wanted = new URLSearchParams(location.search).get("q");
  if (wanted) at("query").value = wanted;
  const types = [...new Set(catalog.map((skill) => skill.type ?? "instructions"))].sort();
  at("type").append(...types.map((type) => make("option", { value: type }, type)));
  showList();
  search();
  route();
}).catch((error) => { at("main").replaceChildren(make("p", { class: "note error" }, error.message)); });
