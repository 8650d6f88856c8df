// The transcripts of shared/exchange/cases/exchange, read as rows. shared/exchange/tests/exchange.c
// explains their form.
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const DIR = "shared/exchange/cases/exchange";
export const FILLER = "<!doctype html><head></head>\n"; // the body of a row that gives none

const isStatus = (line) => /^< [^:]*$/.test(line);
const isInput = (line) => line === "" || /^([#@]|> |< |<< |<x |config |now )/.test(line);

// A file's rows: { name, goesOn, config, now, steps: [{ request | reply }], want }.
export function parse(text) {
  const rows = [];
  let row, step, settings = { config: { origin: "https://example.com" }, now: 1794873600 };
  const add = (s) => row.steps.push((step = s));
  for (const line of text.split("\n")) {
    const arg = line.slice(2);
    if (/^@\+? /.test(line)) {
      const at = line.indexOf(" ") + 1;
      rows.push((row = { ...settings, name: line.slice(at), goesOn: line[1] === "+", steps: [], want: [] }));
    } else if (line.startsWith("config ")) {
      settings = { ...settings, config: JSON.parse(line.slice(7)) };
      if (row && !row.steps.length) row.config = settings.config; // it stands in its row, or before it
    }
    else if (line.startsWith("now ")) settings = { ...settings, now: Number(line.slice(4)) };
    else if (line.startsWith("> ") && !step?.method) {
      const [method, ...target] = arg.split(" ");
      add({ method, target: target.join(" "), fields: [] });
    } else if (isStatus(line)) add({ status: arg, fields: [], body: "" });
    else if (line.startsWith("<< ")) step.body += line.slice(3) + "\n";
    else if (line.startsWith("<x ")) step.body += Buffer.from(line.slice(3), "hex").toString("latin1");
    else if (/^[<>] /.test(line)) step.fields.push(line.slice(2));
    else if (row && line && line[0] !== "#") row.want.push(line), (step = null);
    if (isInput(line) && !/^[<>]/.test(line)) step = null;
  }
  return rows;
}

export const bodiless = (row, reply) => row.steps[0].method === "HEAD" || /^(204|304)$/.test(reply.status);
export const sent = (row, reply) => (bodiless(row, reply) ? "" : reply.body || FILLER);

// What a row says, in the words of a host: of a passed request it knows no route and no reason, and it sees the bodies of
// responses that are not touched.
export function expected(row) {
  const out = row.want.filter((line) => line !== "  inject" && line !== "  content-length: 0").map((line) => (/^(pass|response) /.test(line) ? line.split(" ")[0] : line));
  if (row.want.at(-1).startsWith("pass untouched")) out.push("response", `<<<${sent(row, { status: "200", body: "" })}>>>`);
  else if (row.want.some((line) => /^response\b/.test(line)) && !row.want.includes("  inject")) out.push(`<<<${sent(row, row.steps.at(-1))}>>>`);
  return out.join("\n");
}

// All of them: [file, rows].
export const table = () => fs.readdirSync(DIR).filter((f) => f.endsWith(".txt")).sort()
  .map((f) => [path.basename(f, ".txt"), parse(fs.readFileSync(path.join(DIR, f), "latin1"))]);

// A field of an answer, or of a request, as transcripts have it: what depends on the conversion rules is checked against
// the body, if there is one, noted in masks, and masked.
export function shownField(masks, name, value, body) {
  const m = masks, hash = (f) => crypto.createHash("sha256").update(body ?? "").digest(f);
  if (body) {
    const stated = /"hash":"([^"]{71})"/.exec(body)?.[1];
    if (name === "etag" && [`"${stated}"`, `"sha256-${hash("hex")}"`].includes(value)) m.etag = value;
    if (name === "content-digest" && value === `sha-256=:${hash("base64")}:`) m.digest = value;
    if (name === "content-length" && Number(value) === body.length) m.length = value;
  }
  const [range, whole] = name === "content-range" ? value.split("/") : [];
  const tokens = name === "x-markdown-tokens" && (!body || Number(value) === Math.ceil(body.length / 4));
  return `  ${name}: ${tokens ? "T" : value === m.etag ? "$ETAG" : value === m.digest ? "$DIGEST" : name === "content-length" && value === m.length ? "N"
    : whole !== undefined && whole === m.length ? range + "/N" : value}`;
}

// A body, as transcripts have it.
export function shownBody(status, body) {
  const sitemap = () => body.replaceAll("\n", "").replace(/sha256-([0-9a-f])(\1{63})?(?:[0-9a-f]{63})?/g, (all, digit, rest) => (rest ? all : "$HASH"));
  if (Number(status) !== 200) return `  ${body}`;
  return body.startsWith('{"version"') ? `  ${sitemap()}` : body.startsWith('{"') ? "  {json}" : body.startsWith("---\n") ? "  (text with front matter)" : "  (text)";
}
