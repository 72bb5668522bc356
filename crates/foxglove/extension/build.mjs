// Builds the extension: `node build.mjs MODULE FOLDER`.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [module, folder] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
/** One loader for all formats, which it detects from the bytes. */
const files = [".lvx", ".lvx2", ".alog", ".blog", ".klog", ".xlog", ".log", ".pcap", ".pcapng", ".gpx", ".kml", ".nmea"];

rmSync(folder, { recursive: true, force: true });
mkdirSync(join(folder, "dist"), { recursive: true });
for (const name of ["CHANGELOG.md", "README.md", "package.json"]) copyFileSync(join(here, name), join(folder, name));
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(here, "../../..", name), join(folder, name));
const url = `data:application/wasm;base64,${readFileSync(module, "base64")}`;
writeFileSync(
  join(folder, "dist/extension.js"),
  `"use strict";
const wasmUrl = ${JSON.stringify(url)};
exports.activate = (context) => {
  for (const supportedFileType of ${JSON.stringify(files)})
    context.registerDataLoader({ type: "file", wasmUrl, supportedFileType });
};
`,
);
