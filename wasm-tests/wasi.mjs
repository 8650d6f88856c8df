// Runs a WASI command that reads stdin and writes stdout, all in memory. Node's own WASI crashes
// now and then when one process makes hundreds of instances.
const OK = 0, BADF = 8, NOSYS = 52;

class Exit extends Error {
  constructor(status) {
    super("exit");
    this.status = status;
  }
}

// Returns {status, stdout, stderr}.
export function run(module, args, input) {
  const out = { 1: [], 2: [] };
  let memory, read = 0;
  const view = () => new DataView(memory.buffer);
  const bytes = (p, len) => new Uint8Array(memory.buffer, p, len);
  const strings = args.map((a) => Buffer.from(a + "\0"));
  const vectors = (p, n) => Array.from({ length: n }, (_, i) => [view().getUint32(p + 8 * i, true), view().getUint32(p + 8 * i + 4, true)]);
  const known = {
    args_sizes_get(n, len) {
      view().setUint32(n, strings.length, true);
      view().setUint32(len, strings.reduce((sum, s) => sum + s.length, 0), true);
      return OK;
    },
    args_get(list, p) {
      for (const [i, s] of strings.entries()) {
        view().setUint32(list + 4 * i, p, true);
        bytes(p, s.length).set(s);
        p += s.length;
      }
      return OK;
    },
    environ_sizes_get(n, len) {
      view().setUint32(n, 0, true);
      view().setUint32(len, 0, true);
      return OK;
    },
    environ_get: () => OK,
    clock_time_get(id, precision, p) {
      view().setBigUint64(p, 1700000000000000000n, true);
      return OK;
    },
    fd_fdstat_get(fd, p) {
      if (fd > 2) return BADF;
      bytes(p, 24).fill(0);
      view().setUint8(p, 4); // a regular file
      view().setBigUint64(p + 8, 0xffffffffn, true);
      return OK;
    },
    fd_prestat_get: () => BADF,
    fd_close: () => OK,
    fd_read(fd, list, n, count) {
      let got = 0;
      if (fd !== 0) return BADF;
      for (const [p, len] of vectors(list, n)) {
        const part = input.subarray(read, read + len);
        bytes(p, part.length).set(part);
        read += part.length, got += part.length;
      }
      view().setUint32(count, got, true);
      return OK;
    },
    fd_write(fd, list, n, count) {
      let put = 0;
      if (!out[fd]) return BADF;
      for (const [p, len] of vectors(list, n)) {
        out[fd].push(Buffer.from(bytes(p, len)));
        put += len;
      }
      view().setUint32(count, put, true);
      return OK;
    },
    proc_exit(status) {
      throw new Exit(status);
    },
  };
  const wasi = new Proxy(known, { get: (t, name) => t[name] ?? (() => NOSYS) });
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi });
  memory = instance.exports.memory;
  let status = 0;
  try {
    instance.exports._start();
  } catch (e) {
    if (!(e instanceof Exit)) throw e;
    status = e.status;
  }
  return { status, stdout: Buffer.concat(out[1]), stderr: Buffer.concat(out[2]) };
}
