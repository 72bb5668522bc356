// One request about one file at a time; the page terminates the worker to cancel it.
let recording;

/** An output file: pages still being written are in memory, the others in a Blob of the browser. */
class Pages {
  static SIZE = 1 << 22;
  static MOST = 4;
  #pages = [];
  #hot = new Map();
  #length = 0;
  #reader = new FileReaderSync();

  write(at, bytes) {
    while (bytes.length > 0) {
      const number = Math.floor(at / Pages.SIZE);
      const within = at - number * Pages.SIZE;
      const part = bytes.subarray(0, Pages.SIZE - within);
      this.#page(number).set(part, within);
      at += part.length;
      bytes = bytes.subarray(part.length);
    }
    this.#length = Math.max(this.#length, at);
  }

  #page(number) {
    let page = this.#hot.get(number);
    if (page) return page;
    if (this.#hot.size >= Pages.MOST) this.#cool(this.#hot.keys().next().value);
    page = new Uint8Array(Pages.SIZE);
    const cold = this.#pages[number];
    if (cold) page.set(new Uint8Array(this.#reader.readAsArrayBuffer(cold)));
    this.#hot.set(number, page);
    return page;
  }

  #cool(number) {
    this.#pages[number] = new Blob([this.#hot.get(number)]);
    this.#hot.delete(number);
  }

  blob() {
    for (const number of [...this.#hot.keys()]) this.#cool(number);
    for (let number = 0; number * Pages.SIZE < this.#length; number += 1) {
      this.#pages[number] ??= new Blob([new Uint8Array(Pages.SIZE)]);
    }
    return new Blob(this.#pages).slice(0, this.#length);
  }
}

function answer({ verb, options }) {
  let last = 0;
  const progress = (position) => {
    const now = performance.now();
    if (now - last < 50) return;
    last = now;
    postMessage({ position });
  };
  if (verb === "info" || verb === "check" || verb === "report") return { answer: recording[verb](progress) };
  const pages = new Pages();
  const how = { ...options, progress, write: (at, bytes) => pages.write(at, bytes) };
  const said = verb === "convert" ? recording.convert(options.to, how) : recording[verb](how);
  return { answer: said, file: pages.blob() };
}

onmessage = ({ data }) => {
  try {
    if (data.packed) return postMessage({ module: new WebAssembly.Module(unlzma(data.packed)) });
    if (data.file) recording = new Recording(data.module, source(data.file), { name: data.file.name });
    postMessage({ done: answer(data) });
  } catch (error) {
    postMessage({ error: String(error.message ?? error) });
  }
};
