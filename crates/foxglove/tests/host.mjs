// Stands in for the app: loads the module of a packed extension and gives it files.
import { fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const tools = createRequire(join(process.env.ROBOLOG_TOOLS, "package.json"));
const load = (name) => import(pathToFileURL(tools.resolve(name)));
const { transpileBytes } = await load("@bytecodealliance/jco-transpile");
const { componentNew } = await load("@bytecodealliance/jco-transpile/wasm-tools");
export const { McapStreamReader } = await load("@mcap/core");

/** The files of a packed extension by name. */
export async function unpacked(path) {
  const zip = createRequire(tools.resolve("create-foxglove-extension"))("jszip");
  const files = (await zip.loadAsync(readFileSync(path))).files;
  return Object.fromEntries(
    await Promise.all(Object.values(files).filter((it) => !it.dir).map(async (it) => [it.name, await it.async("nodebuffer")])),
  );
}

/** The loaders an extension registers. */
export function registered(source) {
  const exports = {};
  new Function("exports", "module", "require", source)(exports, { exports }, () => ({}));
  const loaders = [];
  exports.activate({ registerDataLoader: (loader) => loaders.push(loader) });
  return loaders;
}

/** Creates file loaders from the module, and counts the bytes they read. */
export async function host(module) {
  const component = await componentNew(module, []);
  const { files } = await transpileBytes(component, { name: "loader", instantiation: "async", wasiShim: false });
  const named = (name) => Object.entries(files).find(([path]) => path.endsWith(name))[1];
  const { instantiate } = await import(`data:text/javascript;base64,${Buffer.from(named("loader.js")).toString("base64")}`);
  const compiled = async (name) => WebAssembly.compile(named(name));

  return async (path) => {
    let memory;
    const counts = { read: 0 };
    class Reader {
      constructor(opened) {
        this.file = openSync(opened);
        this.at = 0;
      }
      seek(to) {
        this.at = Number(to);
        return to;
      }
      position() {
        return BigInt(this.at);
      }
      read(to, length) {
        const got = readSync(this.file, new Uint8Array(memory.buffer, to, length), 0, length, this.at);
        this.at += got;
        counts.read += got;
        return BigInt(got);
      }
      size() {
        return BigInt(fstatSync(this.file).size);
      }
    }
    const open = (opened) => {
      if (opened !== path) throw new Error(`${opened} is none of the files`);
      return new Reader(opened);
    };
    const log = (text) => console.log(text);
    const imports = {
      "foxglove:loader/console": { log, error: log, warn: log },
      "foxglove:loader/reader": { Reader, open },
    };
    const made = await instantiate(compiled, imports, async (core, given) => {
      const instance = await WebAssembly.instantiate(core, given);
      memory ??= instance.exports.memory;
      return instance;
    });
    const { DataLoader } = made.loader ?? made["foxglove:loader/loader@0.1.0"];
    return { loader: new DataLoader({ paths: [path] }), counts };
  };
}
