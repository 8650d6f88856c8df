// `adit serve` and requests that two readers could take for different things: a table of raw bytes,
// each sent to a folder's server and to one in front of a lenient upstream. What is refused is
// refused with a status and the end of the connection, and never reaches the upstream.
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import path from "node:path";
import { raw, serve, temporary } from "./lent.mjs";
import { broken, H, refused } from "./serve-rows.mjs";
import { ok, same, done } from "./tap.mjs";

const folder = temporary("strict");
fs.mkdirSync(path.join(folder, "sub"));
fs.writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>Home</title><p>Text of the home page.");
fs.writeFileSync(path.join(folder, "sub", "index.html"), "<!doctype html><title>Sub</title><p>Text of another page.");

// An upstream that takes what strict ones refuse.
const seen = [];
const upstream = http.createServer({ insecureHTTPParser: true }, (q, r) => {
  let n = 0;
  q.on("data", (d) => (n += d.length));
  q.on("end", () => {
    seen.push({ method: q.method, url: q.url, headers: q.headers, raw: q.rawHeaders, bytes: n });
    if (q.url === "/204") r.writeHead(204).end();
    else if (q.url === "/304") r.writeHead(304, { etag: '"x"' }).end();
    else r.setHeader("content-type", "text/plain"), r.end(`path=${q.url}\n`);
  });
});
upstream.on("clientError", (e, s) => s.destroy());
await new Promise((r) => upstream.listen(0, "127.0.0.1", r));

const dir = await serve(folder, "--quiet");
const up = await serve(`http://127.0.0.1:${upstream.address().port}`, "--max-body", "100K", "--quiet");

for (const [name, [text, expected]] of Object.entries(refused)) {
  const [a, b] = await Promise.all([raw(dir, text), raw(up, text)]);
  for (const [where, r] of [["folder", a], ["upstream", b]]) {
    const got = r.statuses.join(" ") || "-";
    ok(r.closed && expected.split(" ").includes(got), `${where}: ${name}: ${expected}, and closed`, `got ${got}, closed: ${r.closed}\n${r.got.slice(0, 300)}`);
  }
}
for (const [name, text] of Object.entries(broken)) {
  const r = await raw(up, text);
  ok(r.closed && r.statuses.join() === "400", `upstream: ${name}: 400, and closed`, `got ${r.statuses}, closed: ${r.closed}`);
}
same(seen.length, 0, "nothing of it reached the upstream", JSON.stringify(seen[0]));

// The attack that this is about: another client's answer.
const smuggled = "0\r\n\r\nGET /SMUGGLED HTTP/1.1\r\nHost: x\r\nX: ";
const attack = await raw(up, `POST /first HTTP/1.1\r\n${H}Transfer-Encoding : chunked\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`);
same(attack.statuses.join(), "400", "a request inside a request is refused");
const close = (method, target, fields = "", body = "") => raw(up, `${method} ${target} HTTP/1.1\r\n${H}Connection: close\r\n${fields}\r\n${body}`);
ok(/path=\/victim\n/.test((await close("GET", "/victim")).got), "and the next client gets its own answer");
ok(!seen.some((q) => q.url === "/SMUGGLED"), "the upstream never saw it");

// What is passed on.
const last = () => seen.at(-1);
await raw(up, `GET /hop HTTP/1.1\r\n${H}Connection: x-first, X-Second\r\nConnection: close, x-third\r\nX-First: 1\r\nX-Second: 2\r\nX-Third: 3\r\nX-Kept: 4\r\nKeep-Alive: 5\r\nTE: trailers\r\nProxy-Connection: x\r\nUpgrade: h2c\r\n\r\n`);
same(["x-first", "x-second", "x-third", "keep-alive", "te", "proxy-connection", "upgrade"].filter((h) => h in last().headers).join(), "", "what any Connection field names ends here");
same(last().headers["x-kept"], "4", "and other fields go on");
await close("POST", "/body", "Transfer-Encoding: chunked\r\n", "5\r\nAAAAA\r\n3\r\nBBB\r\n0\r\nX-Trailer: 1\r\n\r\n");
same(`${last().url} ${last().bytes} ${last().headers["content-length"]} ${last().headers["transfer-encoding"]}`, "/body 8 8 undefined", "a chunked body gets a length");
same((await raw(up, `GET /old HTTP/1.0\r\n\r\n`)).statuses.join(), "200", "HTTP/1.0 without Host");
same((await raw(up, `GET /empty HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n`)).statuses.join(), "200", "an empty Host");
const pipeline = await raw(up, `GET /1 HTTP/1.1\r\n${H}\r\nPOST /2 HTTP/1.1\r\n${H}Content-Length: 3\r\n\r\nabcGET /3 HTTP/1.1\r\n${H}Connection: close\r\n\r\n`);
same([...pipeline.got.matchAll(/path=(\S+)/g)].map((m) => m[1]).join(), "/1,/2,/3", "requests one behind another");

// An upstream that knows every method, and writes down what it gets.
let bytes = "";
const recorder = net.createServer((socket) => {
  socket.on("error", () => {}).on("data", (d) => {
    bytes += d.toString("latin1");
    socket.write(`HTTP/1.1 200 OK\r\n${d.includes(" /bad ") ? "Content-Security Policy: default-src 'none'\r\n" : ""}Content-Length: 2\r\n\r\nok`);
  });
});
await new Promise((r) => recorder.listen(0, "127.0.0.1", r));
const any = await serve(`http://127.0.0.1:${recorder.address().port}`, "--quiet");
for (const method of ["BASELINE-CONTROL", "X".repeat(31)]) {
  const r = await raw(any, `${method} /m HTTP/1.1\r\n${H}Connection: close\r\n\r\n`);
  ok(r.statuses.join() === "200" && bytes.includes(`${method} /m HTTP/1.1\r\n`), `a method of ${method.length} bytes is passed on whole`, r.got, bytes);
}

same((await raw(any, `GET /bad HTTP/1.1\r\n${H}Connection: close\r\n\r\n`)).statuses.join(), "502", "an answer with a field that cannot be sent is none without it");

// Bodies and their limits.
const before = seen.length;
const large = await raw(up, `POST /large HTTP/1.1\r\n${H}Content-Length: 102401\r\n\r\n`);
ok(large.closed && large.statuses.join() === "413", "a length over --max-body: 413 before it is read", large.got);
const expecting = await raw(up, `POST /large HTTP/1.1\r\n${H}Expect: 100-continue\r\nContent-Length: 102401\r\n\r\n`);
same(expecting.statuses.join(), "413", "and without 100 Continue");
const stream = await raw(up, `POST /large HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\n\r\n` + `2000\r\n${"x".repeat(0x2000)}\r\n`.repeat(13));
ok(stream.closed && stream.statuses.join() === "413", "chunks over --max-body: 413 at the limit", stream.got.slice(0, 200));
same(seen.length, before, "and nothing goes to the upstream");
await close("POST", "/limit", "Content-Length: 102400\r\n", "x".repeat(102400));
same(`${last().url} ${last().bytes}`, "/limit 102400", "a body of just that size is passed on");
const never = await raw(dir, `POST / HTTP/1.1\r\n${H}Content-Length: 1000000000\r\n\r\n`);
ok(never.closed && never.statuses.join() === "405", "a folder answers a POST before its body comes", never.got.slice(0, 200));
same((await raw(dir, `POST / HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\n\r\n`)).statuses.join(), "405", "chunked, too");
same((await raw(dir, `GET / HTTP/1.1\r\n${H}Content-Length: 5\r\n\r\nhelloGET /sub/ HTTP/1.1\r\n${H}Connection: close\r\n\r\n`)).statuses.join(), "200,200", "a small body of a GET is thrown away");
const flood = await raw(dir, `GET / HTTP/1.1\r\n${H}Transfer-Encoding: chunked\r\n\r\n` + `4000\r\n${"x".repeat(0x4000)}\r\n`.repeat(8));
ok(flood.closed && flood.statuses.join() === "413", "a large one is not", flood.got.slice(0, 200));

// Lengths of answers that have no body.
const has = (r) => /\r\ncontent-length:/i.test(r.got);
const bodies = (r) => r.got.split("\r\n\r\n").slice(1).join("");
for (const target of ["/204", "/304"]) {
  const r = await close("GET", target);
  ok(r.statuses.join() === target.slice(1) && !has(r) && bodies(r) === "", `${target}: no length, no body`, r.got);
}
const full = await raw(dir, `GET /sub/llm/ HTTP/1.1\r\n${H}Connection: close\r\n\r\n`);
const length = /\r\ncontent-length: (\d+)/i.exec(full.got)?.[1], etag = /\r\netag: (\S+)/i.exec(full.got)?.[1];
const head = await raw(dir, `HEAD /sub/llm/ HTTP/1.1\r\n${H}Connection: close\r\n\r\n`);
ok(+length > 0 && new RegExp(`content-length: ${length}\\r`, "i").test(head.got) && bodies(head) === "", "HEAD has the length of GET, and no body", head.got);
for (const method of ["GET", "HEAD"]) {
  const r = await raw(dir, `${method} /sub/llm/ HTTP/1.1\r\n${H}If-None-Match: ${etag}\r\n\r\nGET /nowhere HTTP/1.1\r\n${H}Connection: close\r\n\r\n`);
  ok(r.statuses.join() === "304,404" && !has({ got: r.got.split("\r\n\r\n")[0] }), `304 to ${method}: no length, and the connection stays`, r.got);
}
const rewritten = await raw(dir, `HEAD / HTTP/1.1\r\n${H}\r\nGET /nowhere HTTP/1.1\r\n${H}Connection: close\r\n\r\n`);
ok(rewritten.statuses.join() === "200,404" && !has({ got: rewritten.got.split("\r\n\r\n")[0] }), "HEAD of a page that would be rewritten: no length", rewritten.got);

for (const s of [dir, up, any]) {
  same(await s.stop(), 0, "SIGTERM ends it");
}
upstream.close();
recorder.close();
upstream.closeAllConnections?.();
done();
