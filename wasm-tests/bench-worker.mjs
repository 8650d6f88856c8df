// Our Worker against one that writes the same link with workerd's own HTMLRewriter, and one that only passes the page on:
// requests a second and time a request, in real workerd on loopback, in one run, interleaved. Bounded request counts.
// Client and origin are bare sockets, so that most of what is measured is the runtime; and as one process of the same
// Worker can be some percent faster than the next, each Worker is started several times.
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { temporary } from "./lent.mjs";
import { startWorker, workerd } from "./workerd.mjs";
import { article } from "./article.mjs";

const SETS = 3, ROUNDS = 80, CONNECTIONS = 8, N = 24, WARM = 2400;
const PASS = "export default { fetch: (request) => fetch(request) };";
const REWRITER = `export default { async fetch(request) {
  const r = await fetch(request), path = new URL(request.url).pathname;
  const site = "https://example.com" + path, link = '<link rel="alternate" type="application/json" href="' + site + 'llm/"><link rel="alternate" type="text/markdown" href="' + site + 'llm.md">';
  const out = new HTMLRewriter().on("head", { element(e) { e.prepend(link, { html: true }); } }).transform(r);
  out.headers.append("link", "<" + site + 'llm/>; rel="alternate"; type="application/json"');
  out.headers.append("link", "<" + site + 'llm.md>; rel="alternate"; type="text/markdown"');
  out.headers.append("vary", "Accept");
  return out;
} };`;

// An origin that answers with whole messages made beforehand.
function startOrigin(pages) {
  const message = (status, fields, body) => Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${fields.map((f) => f + "\r\n").join("")}\r\n`), body]);
  const etag = 'etag: "v"', unchanged = message("304 Not Modified", [etag], Buffer.alloc(0)), none = message("404 Not Found", ["content-length: 0"], Buffer.alloc(0));
  const answers = new Map([...pages].map(([url, page]) => [url, message("200 OK", ["content-type: text/html; charset=utf-8", `content-length: ${page.length}`, ...(url === "/p20/" ? [etag] : [])], page)]));
  const open = new Set();
  const server = net.createServer({ noDelay: true }, (socket) => {
    let text = "";
    open.add(socket);
    socket.on("error", () => {}).on("close", () => open.delete(socket)).on("data", (d) => {
      text += d.latin1Slice();
      for (let end; (end = text.indexOf("\r\n\r\n")) >= 0; text = text.slice(end + 4)) {
        const head = text.slice(0, end);
        socket.write(/\r\nif-none-match:/i.test(head) ? unchanged : answers.get(head.split(" ", 2)[1]) ?? none);
      }
    });
  });
  return new Promise((done) => server.listen(0, "127.0.0.1", () => done({ port: server.address().port, close: () => { for (const s of open) s.destroy(); server.close(); } })));
}

// What a browser says with every request.
const BROWSER = ["user-agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "accept-language: en-US,en;q=0.5", "accept-encoding: gzip, deflate, br", "referer: https://example.com/", "cookie: session=0123456789abcdef0123456789abcdef; theme=dark",
  "upgrade-insecure-requests: 1", "sec-fetch-dest: document", "sec-fetch-mode: navigate", "sec-fetch-site: same-origin", "priority: u=0, i"].map((f) => f + "\r\n").join("");

// A connection that asks, and counts the bytes of the answer.
class Connection {
  constructor(port) {
    this.socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    this.socket.on("data", (d) => this.take(d)).on("error", (e) => this.fail?.(e)).on("close", () => this.fail?.(new Error("the connection was closed")));
  }
  ask(url) {
    this.head = this.tail = "", this.bytes = 0, this.first = [];
    return new Promise((end, fail) => { this.end = end, this.fail = fail; this.socket.write(`GET ${url} HTTP/1.1\r\nhost: example.com\r\n${BROWSER}\r\n`); });
  }
  take(d) {
    if (!this.length) {
      this.head += d.latin1Slice();
      const end = this.head.indexOf("\r\n\r\n");
      if (end < 0) return;
      d = d.subarray(d.length - (this.head.length - end - 4));
      this.head = this.head.slice(0, end);
      this.length = /\r\ncontent-length: *(\d+)/i.exec(this.head)?.[1] ?? "chunked";
    }
    if (this.bytes < 1024) this.first.push(d);
    this.bytes += d.length;
    this.tail = (this.tail + d.latin1Slice(Math.max(0, d.length - 5))).slice(-5);
    if (this.length === "chunked" ? this.tail !== "0\r\n\r\n" : this.bytes < this.length) return;
    this.length = null;
    this.end({ status: Number(this.head.split(" ", 2)[1]), bytes: this.bytes, first: Buffer.concat(this.first).latin1Slice() });
  }
}

// CPU time of the runtime's process: what a request costs there, whatever else the machine does.
const busy = ({ w }) => fs.readdirSync(`/proc/${w.pid}/task`).reduce((ns, t) => ns + Number(fs.readFileSync(`/proc/${w.pid}/task/${t}/schedstat`, "utf8").split(" ")[0]), 0) / 1e6;
const median = (v) => [...v].sort((a, b) => a - b)[v.length >> 1];
async function ask(worker, connection, url) {
  const r = await connection.ask(url);
  if (r.status !== 200) throw new Error(`${worker.name} ${url}: ${r.status}`);
  return r;
}
async function load(worker, url, n) {
  let i = 0;
  const start = performance.now(), before = busy(worker);
  await Promise.all(worker.connections.map(async (c) => { while (i++ < n) await ask(worker, c, url); }));
  return { wall: (performance.now() - start) / n, cpu: (busy(worker) - before) / n };
}
async function alone(worker, url) {
  const start = performance.now();
  for (let i = 0; i < 2; i++) await ask(worker, worker.connections[0], url);
  return (performance.now() - start) / 2;
}

// The page through each Worker in turn, in an order that changes, as many rounds as wanted.
async function measure(workers, url, page, warm, seen) {
  for (const worker of workers) {
    const r = await ask(worker, worker.connections[0], url), linked = r.first.includes(`href="https://example.com${url}llm/"`);
    if (linked !== (worker.name !== "passes on") || r.bytes < page.length) throw new Error(`${worker.name}: not the page that was expected`);
  }
  for (let i = 0; i < warm; i += 100) for (const worker of workers) await load(worker, url, 100); // until the engine has compiled what is hot
  for (let round = 0; round < ROUNDS; round++)
    for (let i = 0; i < workers.length; i++) {
      const k = (i + round) % workers.length, { wall, cpu } = await load(workers[k], url, N);
      seen[k].wall.push(wall), seen[k].cpu.push(cpu), seen[k].alone.push(await alone(workers[k], url));
    }
}

function report(names, page, seen) {
  const [pass, rewriter] = seen, ratio = (a, b) => median(a.map((v, i) => v / b[i])).toFixed(2); // round by round
  console.log(`   page of ${(page.length / 1024).toFixed(0)} KB`);
  names.forEach((name, k) => {
    const wall = median(seen[k].wall), cpu = median(seen[k].cpu), one = median(seen[k].alone);
    console.log(`     ${name.padEnd(14)} ${(1000 / wall).toFixed(0).padStart(6)} requests/s, ${ratio(rewriter.wall, seen[k].wall)} x HTMLRewriter; `
      + `CPU ${cpu.toFixed(3)} ms a request, ${ratio(rewriter.cpu, seen[k].cpu)} x; alone ${one.toFixed(2)} ms, added ${(one - median(pass.alone)).toFixed(2)} ms`);
  });
}

if (!fs.existsSync(workerd)) {
  console.log("   (no workerd for this machine)");
} else {
  const pages = new Map([20, 100, 300].map((kb) => [`/p${kb}/`, article(kb)])), origin = await startOrigin(pages);
  const dir = temporary("bench"), script = (name, text) => { const f = path.join(dir, name); fs.writeFileSync(f, text); return f; };
  const config = { origin: "https://example.com", require_https: false, hosts: ["127.0.0.1"] };
  const files = [["passes on", script("pass.js", PASS)], ["HTMLRewriter", script("rewriter.js", REWRITER)], ["adit", "edge/worker/worker.js"]], names = files.map(([name]) => name);
  const seen = new Map([...pages.keys()].map((url) => [url, files.map(() => ({ wall: [], cpu: [], alone: [] }))]));
  const views = new Map([["/p100/llm/", []], ["/p20/llm/", []]]);
  console.log(`   link written into a page, workerd on loopback, ${CONNECTIONS} connections; medians of ${SETS} x ${ROUNDS} rounds of ${N} requests, in turn, after ${WARM}`);
  for (let set = 0; set < SETS; set++) {
    const workers = [];
    for (const [name, file] of files) {
      const w = await startWorker(origin.port, config, file);
      workers.push({ name, w, connections: Array.from({ length: CONNECTIONS }, () => new Connection(w.port)) });
    }
    for (const [url, page] of pages) await measure(workers, url, page, url === "/p20/" ? WARM : WARM / 4, seen.get(url)); // the smallest comes first
    for (const [url, cpu] of views) {
      await load(workers[2], url, 100);
      for (let round = 0; round < 3; round++) cpu.push((await load(workers[2], url, 100)).cpu);
    }
    for (const { w, connections } of workers) {
      for (const c of connections) c.fail = null, c.socket.destroy();
      await w.stop();
    }
  }
  for (const [url, page] of pages) report(names, page, seen.get(url));
  console.log(`   machine view converted each time (/p100/llm/): CPU ${median(views.get("/p100/llm/")).toFixed(2)} ms a request`);
  console.log(`   machine view after a revalidation (/p20/llm/): CPU ${median(views.get("/p20/llm/")).toFixed(2)} ms a request`);
  origin.close();
}
