// What `adit extract --format wet` writes, read by warcio.js: another reader's view of the headers, the gzip members, the texts.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { WARCParser } from "warcio";
import { temporary } from "./lent.mjs";
import { ok, same, done } from "./tap.mjs";

const adit = process.env.ADIT ?? "build/adit";
const folder = temporary("wet");
const html = (n) => `<!doctype html><html lang="en"><title>Page ${n}</title><main><h1>Page ${n}</h1><p>A paragraph of page ${n}, “quoted” and long enough to be the content of a page, as any reader can see.</p></main></html>`;
const record = (n) => {
  const block = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html(n)}`);
  return zlib.gzipSync(Buffer.concat([Buffer.from(`WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.com/${n}\r\nWARC-Date: 2026-01-01T00:00:0${n}Z\r\n` +
    `WARC-Record-ID: <urn:uuid:0000000${n}-0000-4000-8000-000000000000>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: ${block.length}\r\n\r\n`), block, Buffer.from("\r\n\r\n")]));
};
const input = path.join(folder, "in.warc.gz"), output = path.join(folder, "out.warc.wet.gz");
fs.writeFileSync(input, Buffer.concat([1, 2, 3].map(record)));
const run = (...args) => spawnSync(adit, ["extract", input, ...args], { encoding: "utf8" });
same(run("-o", output, "--format", "wet").status, 0, "extract writes a WET file");
const texts = run("-o", "-", "--fields", "text").stdout.trim().split("\n").map((l) => JSON.parse(l).text + "\n");

const base32 = (bytes) => {
  let bits = 0n, out = "";
  for (const b of bytes) bits = (bits << 8n) | BigInt(b);
  for (let i = 155n; i >= 0n; i -= 5n) out += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number((bits >> i) & 31n)];
  return out;
};
const parser = new WARCParser(fs.createReadStream(output));
const seen = [];
for await (const r of parser) {
  const payload = Buffer.from(await r.readFully(false));
  const h = (name) => r.warcHeaders.headers.get(name);
  seen.push({ type: r.warcType, uri: r.warcTargetURI, date: r.warcDate, refers: h("WARC-Refers-To"), mime: r.warcContentType, offset: parser.offset });
  if (r.warcType === "conversion") {
    same(payload.toString(), texts[seen.length - 2], `record ${seen.length - 1}: the text`);
    same(h("WARC-Block-Digest"), "sha1:" + base32(createHash("sha1").update(payload).digest()), "its digest");
    ok(/^<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>$/.test(h("WARC-Record-ID")), "its id is a UUID", h("WARC-Record-ID"));
    same(Number(h("Content-Length")), payload.length, "its length");
  }
}
same(seen.map((s) => s.type), ["warcinfo", "conversion", "conversion", "conversion"], "warcinfo, then a conversion a page");
same(seen.slice(1).map((s) => [s.uri, s.date, s.refers, s.mime]),
  [1, 2, 3].map((n) => [`https://example.com/${n}`, `2026-01-01T00:00:0${n}Z`, `<urn:uuid:0000000${n}-0000-4000-8000-000000000000>`, "text/plain; charset=utf-8"]),
  "they refer to the records that they were made of");
// Each record has a gzip member of its own: a header of 10 bytes, deflate, a trailer of 8.
const bytes = fs.readFileSync(output);
const starts = [];
for (let at = 0; at < bytes.length && starts.length < 10;) {
  const { buffer, engine } = zlib.inflateRawSync(bytes.subarray(at + 10), { info: true });
  starts.push(buffer.toString("latin1").split("WARC/1.1\r\n").length - 1);
  at += 10 + engine.bytesWritten + 8;
}
same(starts, [1, 1, 1, 1], "a gzip member a record");
done();
