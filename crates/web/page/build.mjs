// Lays the page down: one file with all that it needs, so that it works from a disk as from any host.
// node build.mjs MODULE OUT
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { unlzma } from "./lzma.js";

const [wasm, out] = process.argv.slice(2);
const here = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const compact = (script) => script.replace(/^\s*\/\/.*\n|^\s*\/\*\*.*\*\/\n/gm, "");
/** Packs by `xz`, which writes no size into the header: the page's decoder takes it from there. */
function lzma(bytes) {
  const words = ["--format=lzma", "--lzma1=preset=9e,lc=4,pb=0", "--stdout"];
  const { status, stdout, error } = spawnSync("xz", words, { input: bytes, maxBuffer: 1 << 26 });
  if (status !== 0) throw error ?? new Error(`xz failed with ${status}`);
  stdout.writeBigUInt64LE(BigInt(bytes.length), 5);
  if (!bytes.equals(unlzma(stdout))) throw new Error("the page would not unpack its module");
  return stdout;
}
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const script = compact(here("page.js"));
const parts = {
  style: here("page.css"),
  script,
  // A worker from a disk is no module, so that the exports go.
  worker: compact((here("../npm/core.js") + here("lzma.js")).replace(/^export /gm, "") + here("worker.js")),
  module: lzma(readFileSync(wasm)).toString("base64"),
  example: gzipSync(readFileSync(new URL("../../../testdata/lvx/room.lvx", import.meta.url)), { level: 9 }).toString("base64"),
  version: JSON.parse(here("../npm/package.json")).version,
  // The report has a script of its own, which its own policy allows, and this one must allow too.
  hashes: `${hash(script)} 'sha256-${here("../../report/src/assets/page.js.sha256").trim()}'`,
};
for (const [name, text] of Object.entries(parts)) {
  if (/<\/script|<!--/i.test(text)) throw new Error(`${name} would end its element`);
}
const page = here("index.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "index.html"), page);
console.log(`${join(out, "index.html")}: ${page.length} bytes, ${gzipSync(page, { level: 9 }).length} by gzip`);
