// Markdown as elements. Every text becomes a text node, so no markup of a skill is ever interpreted.
// The subset: headings, paragraphs, lists, quotes, code, tables, rules, emphasis, code spans, links.
// Images are not loaded; their description is shown.

import { say } from "/web/say.js";

const CODE = /^(`{3,}|~{3,})\s*([\w+-]*)/;
const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^(\s*)(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/;
const RULE = /^\s*([-*_])(\s*\1){2,}\s*$/;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;
// An emphasis neither begins before a blank nor ends behind one: `*, /, **` are operators.
const INLINE = new RegExp([
  /(`+)(.+?)\1(?!`)/, /!\[([^\]]*)\]\(([^()\s]*)[^()]*\)/, /\[([^\]]+)\]\(([^()\s]+)[^()]*\)/,
  /\*\*(?=\S)(.+?)(?<=\S)\*\*/, /(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)/, /(?<!\*)\*([^*\s](?:[^*]*[^*\s])?)\*(?!\*)/,
  /<(https?:\/\/[^\s<>]+)>/, /\\([!-/:-@[-`{-~])/,
].map((form) => form.source).join("|"));

function element(name, children = [], attributes = {}) {
  const res = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) res.setAttribute(key, value);
  res.append(...children);
  return res;
}

/** A link. `resolve` gives the address of a file of the skill, or null. Other schemes stay text. */
function link(label, target, resolve) {
  if (/^https?:\/\//i.test(target)) {
    return element("a", label, { href: target, rel: "noreferrer noopener", target: "_blank" });
  }
  const address = /^[\w-]+:/.test(target) ? null : resolve(target);
  return address === null ? element("span", label) : element("a", label, { href: address });
}

/** The text of a line as nodes. */
function inline(text, resolve) {
  const nodes = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    nodes.push(rest.slice(0, found.index));
    const [all, , code, alt, source, label, target, strong, strongToo, soft, bare, escaped] = found;
    if (code !== undefined) nodes.push(element("code", [code.trim() || code]));
    else if (alt !== undefined) nodes.push(link([say("[image: {}]", alt || source)], source, resolve));
    else if (label !== undefined) nodes.push(link(inline(label, () => null), target, resolve));
    else if (escaped !== undefined) nodes.push(escaped);
    else if (bare !== undefined) nodes.push(link([bare], bare, resolve));
    else if (soft !== undefined) nodes.push(element("em", inline(soft, resolve)));
    else nodes.push(element("strong", inline(strong ?? strongToo, resolve)));
    rest = rest.slice(found.index + all.length);
  }
  nodes.push(rest);
  return nodes.filter((node) => node !== "");
}

function cells(line) {
  return line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function table(lines, resolve) {
  const [head, , ...rows] = lines.map(cells);
  const row = (name, texts) => element("tr", texts.map((text) => element(name, inline(text, resolve))));
  const all = element("table", [element("thead", [row("th", head)]), element("tbody", rows.map((texts) => row("td", texts)))]);
  return element("div", [all], { class: "wide" });
}

/** Items of a list, with the deeper ones below them. */
function list(lines, resolve, depth) {
  const [, indent, number] = ITEM.exec(lines[0]);
  const items = [];
  for (const line of lines) {
    const found = ITEM.exec(line);
    if (found && found[1].length <= indent.length + 1) items.push({ text: found[3], below: [] });
    else items.at(-1).below.push(line.slice(Math.min(indent.length + 2, line.length - line.trimStart().length)));
  }
  const start = number && number !== "1" ? { start: number } : {};
  return element(number ? "ol" : "ul", items.map(({ text, below }) =>
    element("li", [...inline(text, resolve), ...blocks(below, resolve, depth + 1)])), start);
}

/** How many lines from `at` fulfil a predicate. */
function run(lines, at, predicate) {
  let end = at;
  while (end < lines.length && predicate(lines[end], end)) end += 1;
  return end;
}

function blocks(lines, resolve, depth) {
  if (depth > 8) return [element("pre", [lines.join("\n")])];
  const res = [];
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    const code = CODE.exec(line.trimStart());
    const heading = HEADING.exec(line);
    let end = at + 1;
    if (line.trim() === "") { /* between blocks */ }
    else if (code) {
      end = run(lines, at + 1, (it) => !it.trimStart().startsWith(code[1]));
      res.push(element("pre", [element("code", [lines.slice(at + 1, end).join("\n")])], { tabindex: 0 }));
      end += 1;
    } else if (heading) {
      // The page has headings of its own above these.
      const level = Math.min(6, heading[1].length + 2);
      res.push(element(`h${level}`, inline(heading[2], resolve)));
    } else if (RULE.test(line)) res.push(element("hr"));
    else if (line.startsWith(">")) {
      end = run(lines, at, (it) => it.startsWith(">"));
      res.push(element("blockquote", blocks(lines.slice(at, end).map((it) => it.replace(/^>\s?/, "")), resolve, depth + 1)));
    } else if (line.includes("|") && DIVIDER.test(lines[at + 1] ?? "") && (lines[at + 1] ?? "").includes("-")) {
      end = run(lines, at, (it) => it.includes("|"));
      res.push(table(lines.slice(at, end), resolve));
    } else if (ITEM.test(line)) {
      const isPart = (it, i) => ITEM.test(it) || /^\s{2,}\S/.test(it) || (it.trim() === "" && /^\s{2,}\S/.test(lines[i + 1] ?? ""));
      end = run(lines, at, isPart);
      res.push(list(lines.slice(at, end), resolve, depth));
    } else {
      const isText = (it, i) => i === at || (it.trim() !== "" && ![CODE, HEADING, ITEM, RULE].some((form) => form.test(it.trimStart())) && !it.startsWith(">"));
      end = run(lines, at, isText);
      res.push(element("p", inline(lines.slice(at, end).join("\n"), resolve)));
    }
    at = end;
  }
  return res;
}

/** The elements of a text. `resolve` gives the address of a file that a link names, or null. */
export function markdown(text, resolve) {
  return element("div", blocks(text.replaceAll("\r\n", "\n").split("\n"), resolve, 0), { class: "text" });
}
