// A short run of the differential fuzzer: generated exchanges give the same bytes natively and in
// WASM. `make fuzz` runs it for longer, from another seed each time.
import { fuzz } from "./fuzz.mjs";
import { done, ok } from "./tap.mjs";

const { runs, views, peak, fault } = await fuzz({ seed: 20261118, runs: 1000 });
ok(!fault, `${runs} exchanges, ${views} of them machine views: native bytes are WASM's`, fault?.what, `input: ${fault?.input.toString("base64")}`);
ok(views * 4 > runs, "a good part of them are pages that can be converted", views);
ok(peak <= 128 << 20, `within a Worker's memory (${peak >> 20} MB)`);
done();
