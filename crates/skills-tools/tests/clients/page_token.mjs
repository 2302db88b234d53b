// Opens the page of skills-serve with a token, as a person who types it when the browser asks, and
// prints what it saw as one JSON object. node page_token.mjs BROWSER PROFILE URL TOKEN
import { open } from "./browser.mjs";

const [browser, profile, url, token] = process.argv.slice(2);
const { page, listeners, evaluate, until, close } = await open(browser, profile);
const seen = { asked: [] };
listeners.push(async ({ method, params }) => {
  if (method === "Fetch.requestPaused") await page("Fetch.continueRequest", { requestId: params.requestId });
  if (method !== "Fetch.authRequired") return;
  seen.asked.push(params.authChallenge.scheme);
  const password = seen.asked.length === 1 ? "0123456789abcdex" : token;
  const authChallengeResponse = { response: "ProvideCredentials", username: "anybody", password };
  await page("Fetch.continueWithAuth", { requestId: params.requestId, authChallengeResponse });
});

try {
  await page("Fetch.enable", { handleAuthRequests: true });
  await page("Page.navigate", { url: `${url}/#/word-count` });
  await until("document.querySelector('form.run')");
  await evaluate("document.querySelector('#run-text').value = 'one two three'; document.querySelector('form.run').requestSubmit()");
  await until("document.querySelector('#run-approve')");
  await evaluate("document.querySelector('#run-approve').click()");
  await until("document.querySelector('.runs .result')");
  seen.ran = await evaluate("document.querySelector('.runs .result').textContent");
  console.log(JSON.stringify(seen));
} finally {
  await close();
}
