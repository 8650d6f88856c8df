#!/usr/bin/env node
// Writes the filter as an OCI image layout, in the one-layer form that Istio, Envoy Gateway and Higress
// take: a layer that is a gzipped tar with one file, plugin.wasm. Nothing of time or machine is in it:
// the same module gives the same digest. Prints the digest of the manifest, by which proxies name the
// image. Usage: make-oci.mjs MODULE.wasm FOLDER [TAG]
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

const [file, folder, tag = "latest"] = process.argv.slice(2);
if (!folder) { console.error("Usage: make-oci.mjs MODULE.wasm FOLDER [TAG]"); process.exit(2); }

// A tar (ustar) of one file that anybody may read.
function tar(name, body) {
  const head = Buffer.alloc(512), put = (at, len, text) => head.write(text.padEnd(len, "\0").slice(0, len), at, "latin1");
  const octal = (at, len, n) => put(at, len, n.toString(8).padStart(len - 1, "0"));
  put(0, 100, name);
  octal(100, 8, 0o644), octal(108, 8, 0), octal(116, 8, 0), octal(124, 12, body.length), octal(136, 12, 0);
  put(148, 8, " ".repeat(8)), put(156, 1, "0"), put(257, 8, "ustar\x0000");
  put(148, 8, head.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0") + "\0 ");
  return Buffer.concat([head, body, Buffer.alloc((512 - (body.length % 512)) % 512 + 1024)]);
}

const digest = (bytes) => "sha256:" + crypto.createHash("sha256").update(bytes).digest("hex");
function blob(mediaType, bytes) {
  const d = digest(bytes), at = path.join(folder, "blobs", "sha256", d.slice(7));
  fs.mkdirSync(path.dirname(at), { recursive: true });
  fs.writeFileSync(at, bytes);
  return { mediaType, digest: d, size: bytes.length };
}
const json = (value) => Buffer.from(JSON.stringify(value));

fs.rmSync(folder, { recursive: true, force: true });
const archive = tar("plugin.wasm", fs.readFileSync(file));
const gzipped = zlib.gzipSync(archive, { level: 9 });
gzipped[9] = 255; // the system that made it: unknown
const layer = blob("application/vnd.oci.image.layer.v1.tar+gzip", gzipped);
const config = blob("application/vnd.oci.image.config.v1+json", json({ architecture: "wasm", os: "wasi", config: {}, rootfs: { type: "layers", diff_ids: [digest(archive)] }, history: [{ created_by: "adit make oci" }] }));
const manifest = blob("application/vnd.oci.image.manifest.v1+json", json({ schemaVersion: 2, mediaType: "application/vnd.oci.image.manifest.v1+json", config, layers: [layer],
  annotations: { "module.wasm.image/variant": "compat", "org.opencontainers.image.title": "adit-edge" } }));
fs.writeFileSync(path.join(folder, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
fs.writeFileSync(path.join(folder, "index.json"), json({ schemaVersion: 2, mediaType: "application/vnd.oci.image.index.v1+json", manifests: [{ ...manifest, annotations: { "org.opencontainers.image.ref.name": tag } }] }));
console.log(`  built   ${folder}  adit-edge:${tag}@${manifest.digest}`);
