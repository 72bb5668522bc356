// Lays the page down: one file with all that it needs, so that it works from a disk as from any host.
// node build.mjs MODULE OUT
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const [wasm, out] = process.argv.slice(2);
const here = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const compact = (script) => script.replace(/^\s*\/\/.*\n|^\s*\/\*\*.*\*\/\n/gm, "");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const script = compact(here("page.js"));
const parts = {
  style: here("page.css"),
  script,
  // A worker from a disk is no module, so that the exports go.
  worker: compact(here("../npm/core.js").replace(/^export /gm, "") + here("worker.js")),
  module: gzipSync(readFileSync(wasm), { level: 9 }).toString("base64"),
  example: readFileSync(new URL("../../../testdata/lvx/room.lvx", import.meta.url)).toString("base64"),
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
