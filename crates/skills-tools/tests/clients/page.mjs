// Drives the page of skills-serve in a real Chromium and prints what it saw as one JSON object.
// node page.mjs BROWSER PROFILE URL [SCREENSHOT]
import { writeFileSync } from "node:fs";
import { open } from "./browser.mjs";

const [browser, profile, url, screenshot] = process.argv.slice(2);
const { page, listeners, evaluate, until, close } = await open(browser, profile);
const complaints = [], asked = new Set();
listeners.push(({ method, params }) => {
  if (method === "Runtime.exceptionThrown") complaints.push(params.exceptionDetails.text);
  if (method === "Log.entryAdded" && params.entry.level === "error") complaints.push(params.entry.text);
  if (method === "Network.requestWillBeSent") asked.add(new URL(params.request.url).origin);
});
async function visit(path) {
  await page("Page.navigate", { url: "about:blank" });
  await until("location.href === 'about:blank'");
  await page("Page.navigate", { url: url + path });
  await until("document.querySelector('#list li')");
}
const size = (width) => page("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: 1, mobile: false });
const scheme = (value) => page("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
const fits = () => evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth");

/** Elements whose text has less contrast with its ground than 4.5 to 1 (WCAG 2.2, 1.4.3). */
const PALE = `(() => {
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((acc, c, i) => acc + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const all = [...document.querySelectorAll("body *")];
  return all.filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .filter((element) => element.offsetParent !== null)
    .filter((element) => {
      const [a, b] = [light(parse(getComputedStyle(element).color)), light(ground(element))];
      return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
    }).map((element) => element.outerHTML.slice(0, 80));
})()`;

try {
  const seen = { fits: {}, pale: {} };
  await size(1280);
  await visit("/");
  seen.listed = await evaluate("[...document.querySelectorAll('#list strong')].map((it) => it.textContent)");
  seen.count = await evaluate("document.querySelector('#count').textContent");
  seen.overview = await evaluate("document.querySelector('main').textContent");
  await evaluate("document.querySelector('#query').focus()");
  await page("Input.insertText", { text: "count the words" });
  await until("document.querySelector('#list meter')");
  seen.found = await evaluate("[...document.querySelectorAll('#list li')].map((it) => [it.querySelector('strong').textContent, it.querySelector('meter').value > 0.15])");
  // The list is reached by the keyboard, and so is a skill.
  for (let i = 0; i < 3 && !(await evaluate("Boolean(document.activeElement.closest('#list'))")); i++) {
    await page("Input.dispatchKeyEvent", { type: "keyDown", key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
    await page("Input.dispatchKeyEvent", { type: "keyUp", key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 });
  }
  await page("Input.dispatchKeyEvent", { type: "keyDown", key: "Enter", code: "Enter", windowsVirtualKeyCode: 13, text: "\r" });
  await page("Input.dispatchKeyEvent", { type: "keyUp", key: "Enter", code: "Enter", windowsVirtualKeyCode: 13 });
  await until("document.querySelectorAll('.phase').length === 3");
  seen.title = await evaluate("document.title");
  seen.tokens = await evaluate("[...document.querySelectorAll('.phase p')].map((it) => parseInt(it.textContent.replace(/,/g, '')))");
  seen.phases = await evaluate("[...document.querySelectorAll('.phase pre')].map((it) => it.textContent)");
  seen.tables = await evaluate("[...document.querySelectorAll('main h3, main p.about')].map((it) => it.textContent)");
  seen.unnamed = (await page("Accessibility.getFullAXTree")).nodes
    .filter((node) => !node.ignored && ["textbox", "searchbox", "link", "button", "meter", "navigation", "img"].includes(node.role?.value))
    .filter((node) => !node.name?.value).map((node) => node.role.value);
  for (const width of [400, 1280]) {
    for (const colours of ["light", "dark"]) {
      await size(width);
      await scheme(colours);
      seen.fits[width] = await fits();
      seen.pale[colours] = await evaluate(PALE);
    }
  }
  if (screenshot) {
    await size(1280);
    await scheme("light");
    const { data } = await page("Page.captureScreenshot", { format: "png" });
    writeFileSync(screenshot, Buffer.from(data, "base64"));
  }
  await visit("/#/no-such-skill");
  await until("document.querySelector('main .error')");
  seen.missing = await evaluate("document.querySelector('main .error').textContent");
  await visit("/#/markup");
  await until("document.querySelectorAll('.phase').length === 3");
  seen.scripts = await evaluate("document.querySelectorAll('main script, main img, #list script, #list img').length + Number(Boolean(window.hit))");
  seen.links = await evaluate("[...document.querySelectorAll('main .text a')].map((it) => it.getAttribute('href'))");
  await visit("/#/markup/files/references/a.md");
  await until("document.querySelector('main .text h3')");
  seen.file = await evaluate("document.querySelector('main .text h3').textContent");
  seen.scripts += await evaluate("document.querySelectorAll('main script, main img').length + Number(Boolean(window.hit))");
  const searched = async (text) => {
    await evaluate(`((input) => { input.value = ${JSON.stringify(text)}; input.dispatchEvent(new Event("input")); })(document.querySelector("#query"))`);
  };
  await visit("/");
  const listed = () => evaluate("[...document.querySelectorAll('#list strong')].map((it) => it.textContent)");
  const choose = (id, value) => evaluate(`((it) => { it.value = "${value}"; it.dispatchEvent(new Event("change")); })(document.querySelector("#${id}"))`);
  await choose("runs", "yes");
  seen.filtered = [await listed()];
  await choose("runs", "no");
  seen.filtered.push(await listed());
  await choose("runs", "");
  await searched("qqqq zzzz xxxx");
  await until("document.querySelector('#count').textContent.includes('fit')");
  seen.nothing = [(await listed()).length, await evaluate("document.querySelector('#count').textContent")];
  // In Chinese, no English text of the page is left; those of the skill stay.
  await visit("/?lang=zh");
  seen.chinese = await evaluate("[document.documentElement.lang, document.title, document.querySelector('#count').textContent]");
  await visit("/?lang=zh#/word-count");
  await until("document.querySelectorAll('.phase').length === 3");
  seen.english = await evaluate(`[...document.querySelectorAll("header *, .filters *, main h3, main th, main summary, main label, main button, .badges li, .phase p, main p.back, main p.about:not(h2 + *)")]
    .filter((it) => !it.closest(".text") && it.children.length === 0).map((it) => it.textContent.trim())
    .filter((text) => /[A-Za-z]{3}/.test(text) && !/[\\u4e00-\\u9fff]/.test(text))`);
  await until("document.querySelector('form.run')");
  await evaluate("document.querySelector('#run-text').value = '一 二'; document.querySelector('form.run').requestSubmit()");
  await until("document.querySelector('#run-approve')");
  seen.asked_in_chinese = await evaluate("document.querySelector('.runs [role=status] p').textContent");
  await visit("/?lang=zh#/no-such-skill");
  await until("document.querySelector('main .error')");
  seen.missing_in_chinese = await evaluate("document.querySelector('main .error').textContent");
  // A skill that is tapped on a small screen is in view.
  await size(390);
  await visit("/");
  await evaluate("[...document.querySelectorAll('#list a')].at(-1).click()");
  await until("document.querySelector('form.run')");
  seen.tapped = await evaluate("(({ top, bottom }) => top >= 0 && top < innerHeight && bottom > 0)(document.querySelector('main h2').getBoundingClientRect())");
  seen.fits[390] = await fits();
  await evaluate("document.querySelector('#run-text').value = 'one two three'; document.querySelector('form.run').requestSubmit()");
  await until("document.querySelector('#run-approve')");
  seen.question = await evaluate("document.querySelector('.runs [role=status] p').textContent");
  await evaluate("document.querySelector('#run-approve').click()");
  await until("document.querySelector('.runs .result')");
  seen.ran = await evaluate("document.querySelector('.runs .result').textContent");
  seen.asked = [...asked].filter((origin) => origin !== "null");
  // The one answer that is meant to fail is no complaint.
  seen.complaints = complaints.filter((text) => !text.includes("404"));
  console.log(JSON.stringify(seen));
} finally {
  await close();
}
