#!/usr/bin/env node
// Our host behind Viceroy's command line (-C fastly.toml --addr HOST:PORT FILE.wasm), for viceroy.test.mjs.
import fs from "node:fs";
import { Fastly, httpBackend, listen } from "./fastly-host.mjs";

const [, , , manifest, , address, file] = process.argv, text = fs.readFileSync(manifest, "utf8");
const host = new Fastly(new WebAssembly.Module(fs.readFileSync(file)), {
  backends: { origin: httpBackend({ port: Number(/^url = ".*:(\d+)"$/m.exec(text)[1]) }) },
  stores: { adit: { "adit.json": /^"adit.json" = '(.*)'$/m.exec(text)[1] } } });
await listen(host, "http", Number(address.split(":")[1]));
