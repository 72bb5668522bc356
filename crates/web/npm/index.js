// Robot recordings in Node and browsers. Bytes are read in ranges, where they are; nothing is sent anywhere.

let compiled;

/** The module: compiled once, from the file beside this one if nothing else is given. */
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

/** What libraries of charts import for drawing in a browser. Nothing of it is called: the charts are text. */
function unused(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    imports[from][name] = () => {
      throw new Error(`${from}.${name} is not there`);
    };
  }
  return imports;
}

/** Bytes that are read in ranges: `size`, and `read(at, length)`, which gives them at once. */
function source(from) {
  if (from instanceof ArrayBuffer) return source(new Uint8Array(from));
  if (ArrayBuffer.isView(from)) {
    const bytes = new Uint8Array(from.buffer, from.byteOffset, from.byteLength);
    return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
  }
  if (typeof Blob !== "undefined" && from instanceof Blob) {
    // Only workers can read a file at once.
    if (typeof FileReaderSync === "undefined") return null;
    const reader = new FileReaderSync();
    const read = (at, length) => new Uint8Array(reader.readAsArrayBuffer(from.slice(at, at + length)));
    return { size: from.size, read };
  }
  if (Number.isSafeInteger(from?.size) && from.size >= 0 && typeof from.read === "function") return from;
  throw new TypeError("a recording is bytes, a Blob, or an object with size and read");
}

/** What went wrong with a recording, in the words of the program. */
export class RecordingError extends Error {
  name = "RecordingError";
}

class Recording {
  #module;
  #source;
  #options;

  constructor(module, source, options) {
    this.#module = module;
    this.#source = source;
    this.#options = options;
  }

  get size() {
    return this.#source.size;
  }

  info(progress) {
    return JSON.parse(this.#ask("info", progress));
  }

  check(progress) {
    return JSON.parse(this.#ask("check", progress));
  }

  report(progress) {
    return this.#ask("report", progress);
  }

  // An instance for each question: memory goes when it is answered, and no fault outlives it.
  #ask(verb, progress) {
    const source = this.#source;
    const { name, format } = this.#options;
    const request = new TextEncoder().encode(JSON.stringify({ verb, name, format }));
    let memory;
    let answer = "";
    let fault;
    const at = (to, length) => new Uint8Array(memory.buffer, to, length);
    const imports = {
      request: (to, length) => at(to >>> 0, length >>> 0).set(request.subarray(0, length >>> 0)),
      read: (from, to, length) => {
        try {
          const bytes = source.read(from, length >>> 0);
          if (bytes.length > length >>> 0) throw new RangeError("read gave more bytes than asked for");
          at(to >>> 0, bytes.length).set(bytes);
          return bytes.length;
        } catch (error) {
          fault = error;
          return -1;
        }
      },
      progress: (position) => progress?.(position),
      answered: (from, length) => {
        answer = new TextDecoder().decode(at(from >>> 0, length >>> 0));
      },
    };
    const instance = new WebAssembly.Instance(this.#module, { ...unused(this.#module), robolog: imports });
    memory = instance.exports.memory;
    const status = instance.exports.run(request.length, source.size);
    if (fault) throw fault;
    if (status !== 0) throw new RecordingError(answer);
    return answer;
  }
}

/** Takes a recording: bytes, a Blob, or an object with `size` and `read`. */
export async function open(from, options = {}) {
  // The page of a browser holds a Blob that no worker reads.
  const bytes = source(from) ?? source(await from.arrayBuffer());
  const name = options.name ?? from.name ?? "recording";
  return new Recording(await module(options.wasm), bytes, { name, format: options.format });
}
