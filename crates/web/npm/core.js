// The interface to the module: its imports and exports. Bytes are read in ranges, locally; nothing is sent anywhere. The page
// embeds this file as text, so it imports nothing.

/** Imports of chart libraries for drawing in a browser. They are never called: the charts are text. */
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

/** Synchronous reads from a Blob in a worker, with read-ahead. */
function ofBlob(blob) {
  const AHEAD = 1 << 22;
  const reader = new FileReaderSync();
  // Free buffers explicitly; the garbage collector would wait for hundreds of megabytes.
  const { port1: nowhere, port2: closed } = new MessageChannel();
  closed.close();
  let start = 0;
  let held = new Uint8Array(0);
  const read = (at, length) => {
    if (at < start || at + length > start + held.length) {
      start = at;
      nowhere.postMessage(0, [held.buffer]);
      held = new Uint8Array(reader.readAsArrayBuffer(blob.slice(at, at + Math.max(length, AHEAD))));
    }
    return held.subarray(at - start, at - start + length);
  };
  return { size: blob.size, read };
}

/** Bytes read in ranges: `size`, and `read(at, length)`, which is synchronous. */
export function source(from) {
  if (from instanceof ArrayBuffer) return source(new Uint8Array(from));
  if (ArrayBuffer.isView(from)) {
    const bytes = new Uint8Array(from.buffer, from.byteOffset, from.byteLength);
    return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + length) };
  }
  // Only workers can read a file synchronously.
  if (typeof Blob !== "undefined" && from instanceof Blob) return typeof FileReaderSync === "undefined" ? null : ofBlob(from);
  if (Number.isSafeInteger(from?.size) && from.size >= 0 && typeof from.read === "function") return from;
  throw new TypeError("a recording is bytes, a Blob, or an object with size and read");
}

/** An error about a recording, worded as by the program. */
export class RecordingError extends Error {
  name = "RecordingError";
}

/** A file in memory with random-access writes. */
class InMemory {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  write(at, bytes) {
    const end = at + bytes.length;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, at);
    this.#length = Math.max(this.#length, end);
  }

  get bytes() {
    return this.#bytes.subarray(0, this.#length);
  }
}

const ARRAYS = { 4: Uint32Array, 2: Uint16Array, 1: Uint8Array };

/** An instance of the module for one recording. Its memory is freed with it, and a fault affects no other instance. */
class Instance {
  #module;
  #source;
  #exports;
  #fault;
  #columns = {};
  answer = "";

  constructor(module, source, request, { progress, write } = {}) {
    this.#module = module;
    this.#source = source;
    this.request = new TextEncoder().encode(JSON.stringify(request));
    // An exception in an import stops the read and is rethrown after it.
    const guarded = (call) => {
      try {
        return call();
      } catch (error) {
        this.#fault ??= error;
        return -1;
      }
    };
    const robolog = {
      request: (to, length) => this.#at(to, length).set(this.request.subarray(0, length >>> 0)),
      read: (from, to, length) =>
        guarded(() => {
          if (this.#fault) return -1;
          const bytes = this.#source.read(from, length >>> 0);
          if (bytes.length > length >>> 0) throw new RangeError("read gave more bytes than asked for");
          this.#at(to, bytes.length).set(bytes);
          return bytes.length;
        }),
      write: (at, from, length) =>
        guarded(() => {
          write(at, this.#at(from, length));
          return 0;
        }),
      progress: (position) => progress?.(position),
      column: (name, nameLength, kind, width, from, bytes) => {
        const numbers = this.#at(from, bytes).slice().buffer;
        this.#columns[this.#text(name, nameLength)] = new (kind === 0 ? Float32Array : ARRAYS[width])(numbers);
      },
      answered: (from, length) => {
        this.answer = this.#text(from, length);
      },
    };
    this.#exports = new WebAssembly.Instance(this.#module, { ...unused(this.#module), robolog }).exports;
  }

  #at(at, length) {
    return new Uint8Array(this.#exports.memory.buffer, at >>> 0, length >>> 0);
  }

  #text(at, length) {
    return new TextDecoder().decode(this.#at(at, length));
  }

  /** Calls an export; returns its result or throws its error. */
  call(name, ...words) {
    const status = this.#exports[name](...words);
    if (this.#fault) throw this.#fault;
    if (status === 1) throw new RecordingError(this.answer);
    return status;
  }

  /** The columns received since the last call. */
  take() {
    const columns = this.#columns;
    this.#columns = {};
    return columns;
  }
}

export class Recording {
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
    return JSON.parse(this.#ask("info", { progress }));
  }

  check(progress) {
    return JSON.parse(this.#ask("check", { progress }));
  }

  events(progress) {
    return JSON.parse(this.#ask("events", { progress }));
  }

  report(progress) {
    return this.#ask("report", { progress });
  }

  convert(to, { schema, start, end, keepNoReturns = false, ...how } = {}) {
    return this.#make({ convert: { to, schema, start, end, keep_no_returns: keepNoReturns } }, how);
  }

  cut({ start, end, ...how } = {}) {
    return this.#make({ cut: { start, end } }, how);
  }

  recover(how = {}) {
    return this.#make("recover", how);
  }

  edit({ shift_ns, rename, drop, ...how } = {}) {
    return this.#make({ edit: { shift_ns, rename, drop } }, how);
  }

  *samples({ start, end, progress } = {}) {
    const instance = new Instance(this.#module, this.#source, { ...this.#options, start, end }, { progress });
    instance.call("begin", instance.request.length, this.size);
    while (instance.call("next") === 0) {
      const { time_ns, ...head } = JSON.parse(instance.answer);
      yield { ...head, time_ns: time_ns === null ? null : BigInt(time_ns), columns: instance.take() };
    }
    return Number(instance.answer);
  }

  #make(verb, { progress, write }) {
    const file = new InMemory();
    const said = JSON.parse(this.#ask(verb, { progress, write: write ?? ((at, bytes) => file.write(at, bytes)) }));
    return write ? said : { ...said, file: file.bytes };
  }

  #ask(verb, how) {
    const instance = new Instance(this.#module, this.#source, { verb, ...this.#options }, how);
    instance.call("run", instance.request.length, this.size);
    return instance.answer;
  }
}
