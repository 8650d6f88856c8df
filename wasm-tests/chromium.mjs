// A headless Chromium, driven over a pipe by its DevTools protocol: what a page shows after clicks and keys, how wide it
// is, what it looks like in the dark. No package is needed.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import { temporary } from "./lent.mjs";

export const browser = ["chromium", "chromium-browser", "google-chrome"].find((b) => spawnSync(b, ["--version"]).status === 0);

export async function open() {
  const profile = temporary("chromium");
  const child = spawn(browser, ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
    `--user-data-dir=${profile}`, "--remote-debugging-pipe", "about:blank"], { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const waiting = new Map();
  const events = [];
  let number = 0, rest = "";
  child.stdio[4].on("data", (bytes) => {
    const parts = (rest += bytes.toString("utf8")).split("\0");
    rest = parts.pop();
    for (const text of parts) {
      const m = JSON.parse(text);
      if (!m.id) { events.push(m); continue; }
      const [fine, failed] = waiting.get(m.id);
      waiting.delete(m.id);
      m.error ? failed(new Error(m.error.message)) : fine(m.result);
    }
  });
  child.on("exit", () => { for (const [, failed] of waiting.values()) failed(new Error("the browser is gone")); });
  const call = (method, params = {}, sessionId) => new Promise((fine, failed) => {
    waiting.set(++number, [fine, failed]);
    child.stdio[3].write(JSON.stringify({ id: number, method, params, sessionId }) + "\0");
  });
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await call("Target.attachToTarget", { targetId, flatten: true });
  const send = (method, params) => call(method, params, sessionId);
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await send(domain + ".enable");
  const wait = (ms) => new Promise((r) => setTimeout(r, ms));
  const page = {
    send,
    // What the browser complained of (policy, scripts), and what it asked the network for.
    complaints: () => events.filter((e) => (e.method === "Log.entryAdded" && e.params.entry.level === "error") || e.method === "Runtime.exceptionThrown")
      .map((e) => e.params.entry?.text ?? e.params.exceptionDetails.exception?.description ?? e.params.exceptionDetails.text),
    requests: () => events.filter((e) => e.method === "Network.requestWillBeSent").map((e) => e.params.request.url),
    forget: () => { events.length = 0; },
    async look({ width = 1100, height = 800, dark = false, media = "" } = {}) {
      await send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 500 });
      await send("Emulation.setEmulatedMedia", { media, features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    },
    async go(url) {
      await send("Page.navigate", { url });
      await page.until("document.readyState === 'complete'");
    },
    // The value of an expression in the page.
    async value(expression) {
      const r = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
      if (r.exceptionDetails) throw new Error(r.exceptionDetails.exception?.description ?? r.exceptionDetails.text);
      return r.result.value;
    },
    async until(expression, ms = 20000) {
      for (const end = Date.now() + ms; Date.now() < end; await wait(50))
        try { if (await page.value(expression)) return true; } catch { /* between two documents */ }
      return false;
    },
    async click(selector) {
      const at = await page.value(`(() => { const r = document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2] })()`);
      await page.mouse(at, "mousePressed"), await page.mouse(at, "mouseReleased");
    },
    mouse: ([x, y], type) => send("Input.dispatchMouseEvent", { type, x, y, button: type === "mouseMoved" ? "none" : "left", clickCount: type === "mouseMoved" ? 0 : 1 }),
    async key(key, text) {
      const codes = { Enter: 13, ArrowDown: 40, ArrowUp: 38, ArrowLeft: 37, ArrowRight: 39, Escape: 27, Tab: 9 };
      const event = { key, code: key, windowsVirtualKeyCode: codes[key] ?? key.toUpperCase().charCodeAt(0), text: text ?? (key.length === 1 ? key : key === "Enter" ? "\r" : undefined) };
      await send("Input.dispatchKeyEvent", { type: "keyDown", ...event });
      await send("Input.dispatchKeyEvent", { type: "keyUp", ...event, text: undefined });
    },
    type: (text) => send("Input.insertText", { text }),
    async picture(file, whole = true) {
      const { data } = await send("Page.captureScreenshot", { format: "png", captureBeyondViewport: whole });
      fs.writeFileSync(file, Buffer.from(data, "base64"));
    },
    wait,
    async close() {
      await call("Browser.close").catch(() => {});
      await new Promise((end) => (child.exitCode === null ? child.on("exit", end) : end()));
    },
  };
  return page;
}
