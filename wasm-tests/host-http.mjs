// The test host over HTTP: a server whose requests go through the filter, and the way to an origin.
import http from "node:http";
import { header } from "./host.mjs";

const HOP = new Set(["connection", "keep-alive", "transfer-encoding", "te", "upgrade", "proxy-connection", "trailer"]);

// What an HTTP server does with a request: client → filter → upstream, a function as a cluster's.
export const serve = (host, upstream, root) => async (req, res) => {
  const headers = [[":method", req.method], [":path", req.url], [":authority", req.headers.host ?? ""], [":scheme", "http"]];
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const k = req.rawHeaders[i].toLowerCase();
    if (k !== "host" && !HOP.has(k)) headers.push([k, req.rawHeaders[i + 1]]);
  }
  const body = [];
  for await (const c of req) body.push(c);
  const gone = new AbortController();
  res.on("close", () => { if (!res.writableFinished) gone.abort(); });
  try {
    const r = await host.exchange({ headers, body }, upstream, { signal: gone.signal, root });
    const out = r.headers.filter(([k]) => !k.startsWith(":") && !HOP.has(k)).flat();
    res.writeHead(Number(r.status), out);
    res.end(req.method === "HEAD" ? undefined : r.body);
  } catch (e) {
    if (e.code === "ECONNRESET") return res.destroy(); // the origin broke off: so do we
    res.writeHead(500, ["content-type", "text/plain"]);
    res.end(String(e.message));
  }
};

// An HTTP server: clients → filter → origin (host, port).
export function listen(host, origin, port = 0) {
  const server = http.createServer(serve(host, (q) => forward(origin, q)));
  return new Promise((r) => server.listen(port, "127.0.0.1", () => r(server)));
}

// Forwards one request to an origin over HTTP/1.1.
export function forward(origin, { headers, body = [] }) {
  return new Promise((resolve, reject) => {
    const plain = headers.filter(([k]) => !k.startsWith(":")).flat();
    const req = http.request({ ...(origin.socketPath ? { socketPath: origin.socketPath } : { host: origin.host ?? "127.0.0.1", port: origin.port }), method: header(headers, ":method"), path: header(headers, ":path"),
      headers: ["host", header(headers, ":authority"), ...plain] }, async (res) => {
      const out = [[":status", String(res.statusCode)]];
      for (let i = 0; i < res.rawHeaders.length; i += 2) if (!HOP.has(res.rawHeaders[i].toLowerCase())) out.push([res.rawHeaders[i].toLowerCase(), res.rawHeaders[i + 1]]);
      const chunks = [];
      try {
        for await (const c of res) chunks.push(c);
        resolve({ headers: out, body: chunks });
      } catch (e) { reject(e); } // cut off
    });
    req.on("error", reject);
    for (const c of [body].flat()) if (c.length) req.write(c);
    req.end();
  });
}
