// A real Chromium, driven over the DevTools protocol on a pipe.
import { spawn } from "node:child_process";

/** Starts a browser with a page. */
export async function open(browser, profile) {
  const child = spawn(browser, [
    "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", `--user-data-dir=${profile}`,
  ], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const [, , , toBrowser, fromBrowser] = child.stdio;

  let id = 0, rest = "";
  const waiting = new Map(), listeners = [];
  fromBrowser.setEncoding("utf8").on("data", (text) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop();
    for (const part of parts) {
      const message = JSON.parse(part);
      if (message.id) waiting.get(message.id)?.(message);
      else listeners.forEach((listener) => listener(message));
    }
  });
  function send(method, params = {}, sessionId = undefined) {
    const message = { id: ++id, method, params, sessionId };
    toBrowser.write(`${JSON.stringify(message)}\0`);
    return new Promise((resolve, reject) => waiting.set(message.id, (answer) =>
      answer.error ? reject(new Error(`${method}: ${answer.error.message}`)) : resolve(answer.result)));
  }

  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const page = (method, params) => send(method, params, sessionId);
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await page(`${domain}.enable`);

  async function evaluate(expression) {
    const { result, exceptionDetails } = await page("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.text}`);
    return result.value;
  }
  /** Waits until an expression is true; the test around this has its own end. */
  async function until(expression) {
    for (let i = 0; i < 400; i++) {
      if (await evaluate(`Boolean(${expression})`)) return;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`never came true: ${expression}`);
  }
  const close = () => send("Browser.close").catch(() => child.kill("SIGKILL"));
  return { page, listeners, evaluate, until, close };
}
