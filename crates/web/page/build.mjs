// Builds the page: one self-contained file that works from disk and from any host.
// node build.mjs PACKAGE OUT
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { unlzma } from "./lzma.js";

const [folder, out] = process.argv.slice(2);
const here = (name) => readFileSync(new URL(name, import.meta.url), "utf8");
const compact = (script) => script.replace(/^\s*\/\/.*\n|^\s*\/\*\*.*\*\/\n/gm, "");
/** Compresses with `xz` and adds the size to the header, where `xz` omits it and the page's decoder needs it. */
function lzma(bytes) {
  const words = ["--format=lzma", "--lzma1=preset=9e,lc=4,pb=0", "--stdout"];
  const { status, stdout, error } = spawnSync("xz", words, { input: bytes, maxBuffer: 1 << 26 });
  if (status !== 0) throw error ?? new Error(`xz failed with ${status}`);
  stdout.writeBigUInt64LE(BigInt(bytes.length), 5);
  if (!bytes.equals(unlzma(stdout))) throw new Error("the page would not unpack its module");
  return stdout;
}
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The first half of a recording of half a second shows as much and is half as large. */
async function example() {
  const { open } = await import(pathToFileURL(join(folder, "index.js")));
  const room = await open(readFileSync(new URL("../../../testdata/lvx/room.lvx", import.meta.url)), { name: "room.lvx" });
  return Buffer.from(room.cut({ end: "0.25" }).file);
}

const unpacker = here("lzma.js").replace(/^export /gm, "");
const script = compact(here("page.js") + unpacker);
const parts = {
  style: here("page.css"),
  script,
  // A worker loaded from disk cannot be a module, so remove the exports.
  worker: compact(here("../npm/core.js").replace(/^export /gm, "") + unpacker + here("worker.js")),
  module: lzma(readFileSync(join(folder, "robolog.wasm"))).toString("base64"),
  example: lzma(await example()).toString("base64"),
  version: JSON.parse(here("../npm/package.json")).version,
  // The report's own policy allows its script; this page's policy must allow it too.
  hashes: `${hash(script)} 'sha256-${here("../../report/src/assets/page.js.sha256").trim()}'`,
};
for (const [name, text] of Object.entries(parts)) {
  if (/<\/script|<!--/i.test(text)) throw new Error(`${name} would end its element`);
}
const page = here("index.html").replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
mkdirSync(out, { recursive: true });
writeFileSync(join(out, "index.html"), page);
console.log(`${join(out, "index.html")}: ${page.length} bytes, ${gzipSync(page, { level: 9 }).length} by gzip`);
