// The image that `make oci` writes, as registries and proxies read it: media types, digests and sizes
// that fit, one layer with one file, which is the module; the same bytes every time.
import { execFileSync } from "node:child_process";
import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { temporary } from "./lent.mjs";
import { ok, same, skip, done } from "./tap.mjs";

const dir = temporary("oci"), module = "build/adit-edge.wasm";
const make = (name) => execFileSync("scripts/make-oci.mjs", [module, path.join(dir, name), "1"], { encoding: "utf8" });
const said = make("a");
const read = (...at) => fs.readFileSync(path.join(dir, "a", ...at));
const sha = (bytes) => "sha256:" + crypto.createHash("sha256").update(bytes).digest("hex");
const blob = (what, d, mediaType) => {
  const bytes = read("blobs", "sha256", d.digest.slice(7));
  same([d.mediaType, d.size, d.digest], [mediaType, bytes.length, sha(bytes)], `${what}: media type, size, digest`);
  return bytes;
};

same(read("oci-layout").toString(), '{"imageLayoutVersion":"1.0.0"}', "an image layout");
const index = JSON.parse(read("index.json"));
same([index.schemaVersion, index.manifests.length, index.manifests[0].annotations["org.opencontainers.image.ref.name"]], [2, 1, "1"], "one image, with its tag");
const manifest = JSON.parse(blob("manifest", index.manifests[0], "application/vnd.oci.image.manifest.v1+json"));
ok(said.includes(`adit-edge:1@${index.manifests[0].digest}`), "the manifest's digest is printed", said);
const config = JSON.parse(blob("configuration", manifest.config, "application/vnd.oci.image.config.v1+json"));
same([manifest.layers.length, manifest.annotations["module.wasm.image/variant"]], [1, "compat"], "one layer, the compat variant");
const layer = blob("layer", manifest.layers[0], "application/vnd.oci.image.layer.v1.tar+gzip");
same(config.rootfs.diff_ids, [sha(zlib.gunzipSync(layer))], "the configuration names the layer before compression");
const tar = (...args) => execFileSync("tar", args, { input: layer, maxBuffer: 1 << 26 });
same(tar("-tzf", "-").toString(), "plugin.wasm\n", "tar lists one file");
ok(tar("-xzOf", "-", "plugin.wasm").equals(fs.readFileSync(module)), "which is the module");
same(tar("-tvzf", "-").toString().split(/\s+/).slice(0, 2).join(" "), "-rw-r--r-- 0/0", "for all to read");
make("b");
const tree = (name) => execFileSync("sh", ["-c", "find . -type f | LC_ALL=C sort | xargs sha256sum"], { cwd: path.join(dir, name), encoding: "utf8" });
same(tree("a"), tree("b"), "a second run gives the same bytes");
same(fs.readdirSync(path.join(dir, "a", "blobs", "sha256")).length, 3, "nothing else is in it");
let skopeo = "";
try { skopeo = execFileSync("skopeo", ["inspect", "--raw", `oci:${dir}/a:1`], { encoding: "utf8" }); } catch (e) { if (e.code !== "ENOENT") skopeo = String(e.stderr); }
if (skopeo) same(sha(Buffer.from(skopeo)), index.manifests[0].digest, "skopeo reads it"); else skip("skopeo reads it", "no skopeo");
done();
