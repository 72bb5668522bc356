// Robot recordings in Node and browsers. Bytes are read in ranges, locally; nothing is sent anywhere.
import { Recording, RecordingError, source } from "./core.js";

export { RecordingError };

let compiled;

/** The module, compiled once; by default from the file next to this one. */
function module(wasm) {
  if (wasm instanceof WebAssembly.Module) return Promise.resolve(wasm);
  if (wasm) return WebAssembly.compile(wasm);
  compiled ??= beside().then((bytes) => WebAssembly.compile(bytes));
  return compiled;
}

async function beside() {
  const url = new URL("robolog.wasm", import.meta.url);
  if (url.protocol === "file:") return (await import("node:fs/promises")).readFile(url);
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return answer.arrayBuffer();
}

/** Opens a recording: bytes, a Blob, or an object with `size` and `read`. */
export async function open(from, options = {}) {
  // Outside a worker, a browser must hold a Blob in memory.
  const bytes = source(from) ?? source(await from.arrayBuffer());
  const name = options.name ?? from.name ?? "recording";
  return new Recording(await module(options.wasm), bytes, { name, format: options.format });
}
