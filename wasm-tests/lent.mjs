// What tests borrow until they end: folders, free ports, servers of `adit serve`, raw bytes to these.
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const folders = [];
process.on("exit", () => { for (const f of folders) fs.rmSync(f, { recursive: true, force: true }); });

// A new folder, which is gone when the process ends.
export function temporary(name) {
  folders.push(fs.mkdtempSync(path.join(os.tmpdir(), `adit-${name}-`)));
  return folders.at(-1);
}

export const freePort = () => new Promise((found) => {
  const s = http.createServer().listen(0, "127.0.0.1", () => { const { port } = s.address(); s.close(() => found(port)); });
});

// Whether somebody speaks HTTP at a port.
export const answers = (port) => new Promise((said) => {
  http.get({ host: "127.0.0.1", port, path: "/-none-" }, (a) => { a.resume(); said(true); }).on("error", () => said(false));
});

// `adit serve ARGS` once it listens: base (its address), what it wrote (out, err), stop(), ended (exit code or signal).
export function serve(...args) {
  const child = spawn(process.env.ADIT ?? "build/adit", ["serve", ...args, "--listen", "127.0.0.1:0"], { stdio: ["ignore", "pipe", "pipe"] });
  const state = { out: "", err: "" };
  state.ended = new Promise((end) => child.on("exit", (code, signal) => end(signal ?? code)));
  state.stop = () => { child.kill(); return state.ended; };
  child.stdout.on("data", (d) => (state.out += d));
  return new Promise((ready, fail) => {
    child.stderr.on("data", (d) => {
      state.err += d;
      const m = /listening on (\S+)\/\n/.exec(state.err);
      if (m) ready(Object.assign(state, { base: m[1] }));
    });
    child.on("exit", () => fail(new Error(state.err)));
  });
}

// These bytes to a server: everything that comes back, the statuses in it, whether the server ended the connection.
export const raw = ({ base }, text, wait = 20000) => new Promise((end) => {
  let got = "", closed = false;
  const socket = net.connect(new URL(base).port, "127.0.0.1", () => socket.write(Buffer.from(text, "latin1")));
  const timer = setTimeout(() => socket.destroy(), wait);
  socket.on("data", (d) => (got += d.toString("latin1"))).on("end", () => (closed = true)).on("error", () => (closed = true));
  socket.on("close", () => (clearTimeout(timer), end({ got, closed, statuses: [...got.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map((m) => m[1]) })));
});
