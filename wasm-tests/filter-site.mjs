// What the tests of the filter share: the built module, a page, requests, an origin that remembers
// what it was asked. ADIT_EDGE names another module to test.
import fs from "node:fs";
import { Host, header } from "./host.mjs";

export const module = new WebAssembly.Module(fs.readFileSync(process.env.ADIT_EDGE ?? "build/adit-edge.wasm"));
export const CONFIG = { origin: "https://example.com", exclude: ["/tag/*"], upstream: { cluster: "origin" } };
export const html = (title, body) => `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>` +
  `<nav><a href="/">Home</a></nav><main><article><h1>${title}</h1>${body}</article></main><footer>Imprint</footer></body></html>`;
const words = "A level tunnel leads into the mine, and along it the ore comes out to people who need it. ".repeat(6);
export const PAGE = html("The tunnel", `<p>${words}</p><p>Its second paragraph says, among other things, that ${words}</p>`);

export const GET = (path, ...fields) => ({ headers: [[":method", "GET"], [":path", path], [":authority", "example.com"], [":scheme", "https"], ["x-forwarded-proto", "https"], ...fields] });
export const reply = (status, body, ...fields) => ({ headers: [[":status", String(status)], ["content-type", "text/html; charset=utf-8"], ...fields], body: [body].flat().map((b) => Buffer.from(b)) });

// An origin that remembers what it was asked.
export function site(answers) {
  const asked = [];
  const answer = async (q) => { asked.push(q.headers); const a = answers[header(q.headers, ":path")]; return typeof a === "function" ? a(q) : a ?? reply(404, "no such page"); };
  return { asked, answer };
}
export function load(origin, options = {}, config = {}) {
  const { upstream, ...rest } = config;
  const c = JSON.stringify({ ...CONFIG, ...rest, upstream: { ...CONFIG.upstream, ...upstream } });
  return Host.load(module, { config: c, clusters: { origin: origin.answer }, ...options });
}
export const never = async () => { throw new Error("the request must not reach the origin"); };
export const text = (r) => r.body.toString();
export const LINK = '<link rel="alternate" type="application/json" href="https://example.com/post/llm/"><link rel="alternate" type="text/markdown" href="https://example.com/post/llm.md">';
export const linked = PAGE.replace("<head>", "<head>" + LINK);
