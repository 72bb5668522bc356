// Times of the package and the program as a table: the best of five runs; the program's include its start.
// ROBOLOG_PROGRAM=target/release/robolog ROBOLOG_PACKAGE=target/npm node crates/web/tests/times.mjs FILE...
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";

const { open } = await import(pathToFileURL(join(process.env.ROBOLOG_PACKAGE, "index.js")));
const folder = mkdtempSync(join(tmpdir(), "robolog-times-"));
const out = (ending) => join(folder, `out.${ending}`);
const VERBS = [
  ["info", (path) => ["info", "--json", path], (recording) => recording.info()],
  ["report", (path) => ["report", path, "-o", out("html"), "--force"], (recording) => recording.report()],
  ["to JSON Lines", (path) => ["convert", path, "-o", out("jsonl"), "--force"], (recording) => recording.convert("jsonl")],
];

function best(act) {
  let least = Infinity;
  for (let run = 0; run < 5; run += 1) {
    const start = performance.now();
    act();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}

console.log(`| milliseconds | size | ${VERBS.map(([name]) => `${name}: program | package | times`).join(" | ")} |`);
console.log(`|---|---|${"---|---|---|".repeat(VERBS.length)}`);
for (const path of process.argv.slice(2)) {
  const recording = await open(readFileSync(path), { name: basename(path) });
  const cells = VERBS.flatMap(([, words, asked]) => {
    const native = best(() => spawnSync(process.env.ROBOLOG_PROGRAM, words(path), { maxBuffer: 1 << 28 }));
    const wasm = best(() => asked(recording));
    return [native.toFixed(0), wasm.toFixed(0), (wasm / native).toFixed(1)];
  });
  console.log(`| ${basename(path)} | ${(statSync(path).size / 1e6).toFixed(1)} MB | ${cells.join(" | ")} |`);
}
console.log(`\nThe program starts in ${best(() => spawnSync(process.env.ROBOLOG_PROGRAM, ["--version"])).toFixed(0)} ms.`);
rmSync(folder, { recursive: true });
