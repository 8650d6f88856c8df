// TAP for Node tests: ok(pass, what), same(got, want, what), skip(what, why), done() at the end.
let n = 0, failed = 0;

export function ok(pass, what, ...notes) {
  console.log(`${pass ? "ok" : "not ok"} ${++n} - ${what}`);
  if (pass) return true;
  failed++;
  for (const note of notes) for (const line of String(note).slice(0, 4000).split("\n")) console.log("# " + line);
  return false;
}

const shown = (v) => (v instanceof Uint8Array ? Buffer.from(v).toString("latin1") : typeof v === "string" ? v : JSON.stringify(v));

export function same(got, want, what) {
  const g = shown(got), w = shown(want);
  if (g === w) return ok(true, what);
  let at = 0;
  while (g?.[at] === w?.[at] && at < g.length) at++;
  return ok(false, what, `     got: ${g?.length > 300 ? `… (differs at ${at}) ` + g.slice(Math.max(0, at - 100), at + 200) : g}`,
    `expected: ${w?.length > 300 ? "… " + w.slice(Math.max(0, at - 100), at + 200) : w}`);
}

export const skip = (what, why) => console.log(`ok ${++n} - ${what} # SKIP ${why}`);

export function done() {
  console.log(`1..${n}`);
  process.exitCode = failed ? 1 : 0;
}
