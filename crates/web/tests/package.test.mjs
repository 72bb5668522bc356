// Compares the package with the program: `node --test`, with ROBOLOG_PROGRAM and ROBOLOG_PACKAGE set by `cargo xtask web`.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, copyFileSync, fstatSync, mkdtempSync, openSync, readFileSync, readSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { alike, stable } from "./alike.mjs";

const program = process.env.ROBOLOG_PROGRAM;
const { open, RecordingError } = await import(pathToFileURL(join(process.env.ROBOLOG_PACKAGE, "index.js")));
const ROOMY = { encoding: "utf8", maxBuffer: 1 << 28 };
const folder = mkdtempSync(join(tmpdir(), "robolog-web-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

const run = (...words) => spawnSync(program, words, ROOMY);

/** A file read in ranges, and the largest range requested. */
function ranged(path) {
  const file = openSync(path);
  const source = { size: fstatSync(file).size, largest: 0, close: () => closeSync(file) };
  source.read = (at, length) => {
    source.largest = Math.max(source.largest, length);
    const bytes = new Uint8Array(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, at));
  };
  return source;
}

test("the package has the licences and each file that it lists", () => {
  const listed = JSON.parse(readFileSync(join(process.env.ROBOLOG_PACKAGE, "package.json"), "utf8")).files;
  assert.ok(["LICENSE-APACHE", "LICENSE-MIT"].every((it) => listed.includes(it)));
  assert.deepEqual(readdirSync(process.env.ROBOLOG_PACKAGE).sort(), [...listed, "package.json"].sort());
});

const fixtures = [];
for (const format of readdirSync("testdata", { withFileTypes: true }).filter((it) => it.isDirectory())) {
  const files = readdirSync(join("testdata", format.name), { withFileTypes: true }).filter((it) => it.isFile());
  for (const { name } of files) {
    // Archives can only be opened by path so far.
    if (/\.(json|md|kmz|zip)$/.test(name)) continue;
    // In a folder of its own: the program also uses neighbouring files.
    const alone = join(mkdtempSync(join(folder, "fixture-")), name);
    copyFileSync(join("testdata", format.name, name), alone);
    fixtures.push(alone);
  }
}

// ROBOLOG_EVERY=10 takes every tenth fixture.
const every = Number(process.env.ROBOLOG_EVERY ?? 1);
fixtures.splice(0, Infinity, ...fixtures.filter((_, number) => number % every === 0));

test("what the program says of each fixture, the package says", async () => {
  let answered = 0;
  for (const path of fixtures) {
    const printed = run("info", "--json", path).stdout;
    const recording = await open(readFileSync(path), { name: path });
    if (printed === "") {
      assert.throws(() => recording.info(), RecordingError, path);
      continue;
    }
    // Distances have the last digits of another library of sines.
    assert.ok(alike(JSON.stringify(recording.info()), JSON.stringify(JSON.parse(printed))), path);
    assert.deepEqual(recording.check(), JSON.parse(run("check", "--json", path).stdout), path);
    const lines = run("-q", "events", "--json", path).stdout.split("\n").filter(Boolean);
    assert.ok(alike(JSON.stringify(recording.events()), JSON.stringify(lines.map((line) => JSON.parse(line)))), path);
    answered += 1;
  }
  console.log(`${answered} of ${fixtures.length} fixtures are recordings`);
  assert.ok(answered * every > 100, `${answered}`);
});

test("pages are those of the program but for the last digits of angles", async () => {
  const page = join(folder, "page.html");
  let compared = 0;
  let equal = 0;
  const differ = [];
  let [native, wasm] = [0, 0];
  for (const path of fixtures) {
    rmSync(page, { force: true });
    let start = performance.now();
    run("report", path, "-o", page);
    native += performance.now() - start;
    let expected;
    try {
      expected = readFileSync(page, "utf8");
    } catch {
      continue;
    }
    const source = ranged(path);
    const recording = await open(source, { name: basename(path) });
    start = performance.now();
    const html = recording.report();
    wasm += performance.now() - start;
    source.close();
    if (html === expected) equal += 1;
    else if (!alike(html, expected)) differ.push(basename(path));
    compared += 1;
  }
  console.log(`${compared} pages, ${equal} byte for byte: program ${native.toFixed(0)} ms with its start, package ${wasm.toFixed(0)} ms`);
  assert.ok(compared * every > 100, `${compared}`);
  assert.deepEqual(differ, [], "pages differ");
});

test("the page is below 1.5 MB by gzip", () => {
  const page = readFileSync(join(process.env.ROBOLOG_PAGE, "index.html"));
  const packed = gzipSync(page, { level: 9 }).length;
  assert.ok(packed < 1_500_000, `${packed} bytes`);
});

test("a file is read in ranges that are smaller than it", async () => {
  const source = ranged("testdata/lvx/room.lvx");
  const recording = await open(source, { name: "room.lvx" });
  const positions = [];
  const info = recording.info((position) => positions.push(position));
  source.close();
  assert.equal(info.records, 10);
  assert.ok(positions.length > 0 && positions.every((position) => position <= source.size));
  assert.ok(source.largest < source.size, `${source.largest} of ${source.size} bytes at once`);
});

test("a cut file has findings, and what is no recording is an error in words", async () => {
  const bytes = readFileSync("testdata/lvx/room.lvx");
  const cut = (await open(bytes.subarray(0, bytes.length - 1000), { name: "cut.lvx" })).check();
  assert.equal(cut.ok, false);
  assert.ok(cut.findings.length > 0);
  const no = await open(new TextEncoder().encode("no recording at all"), { name: "no.txt" });
  assert.throws(() => no.report(), RecordingError);
  assert.throws(() => no.info(), (error) => error.message.length > 10);
  await assert.rejects(open("drive.lvx"), TypeError);
});

test("what progress or read throw ends the reading", async () => {
  const bytes = readFileSync("testdata/lvx/room.lvx");
  const stop = () => {
    throw new Error("stopped");
  };
  const recording = await open(bytes, { name: "room.lvx" });
  assert.throws(() => recording.info(stop), /stopped/);
  assert.equal(recording.info().records, 10, "the recording is as good as before");
  const gone = await open({ size: bytes.length, read: stop }, { name: "room.lvx" });
  assert.throws(() => gone.info(), /stopped/);
});

test("a Blob is read where no worker is", async () => {
  const blob = new Blob([readFileSync("testdata/lvx/room.lvx")]);
  assert.equal((await open(blob, { name: "room.lvx" })).info().format, "lvx");
});

test("files are those of the program, byte for byte", async () => {
  const out = join(folder, "out");
  let [compared, equal] = [0, 0];
  const differ = [];
  for (const path of fixtures) {
    const recording = await open(readFileSync(path), { name: basename(path) });
    for (const to of ["pcd", "las", "laz", "ply", "gpx", "kml", "geojson", "csv", "parquet", "jsonl"]) {
      const file = `${out}.${to}`;
      rmSync(file, { force: true });
      run("convert", path, "-o", file);
      let expected;
      try {
        expected = readFileSync(file);
      } catch {
        assert.throws(() => recording.convert(to), RecordingError, `${path} as ${to}`);
        continue;
      }
      const got = recording.convert(to).file;
      compared += 1;
      if (stable(to, expected).equals(stable(to, Buffer.from(got)))) equal += 1;
      else differ.push(`${basename(path)} as ${to}`);
    }
  }
  console.log(`${compared} files, ${equal} byte for byte; others: ${differ.join(", ")}`);
  assert.ok(compared * every > 300 && differ.length * 50 < compared, `${equal} of ${compared}`);
});

test("samples are typed arrays that stay valid", async () => {
  const recording = await open(readFileSync("testdata/lvx/room.lvx"), { name: "room.lvx" });
  const samples = [...recording.samples()];
  const clouds = samples.filter(({ kind }) => kind === "point_cloud");
  const points = clouds.reduce((sum, { columns }) => sum + columns.x.length, 0);
  assert.equal(points, recording.convert("pcd", { keepNoReturns: true }).written.point_cloud.values);
  const lines = run("cat", "testdata/lvx/room.lvx").stdout.trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(lines.length, samples.length);
  // The mounts come first.
  const first = samples.indexOf(clouds[0]);
  const { columns, time_ns, channel } = samples[first];
  assert.ok(columns.x instanceof Float32Array && typeof time_ns === "bigint");
  assert.deepEqual([Number(time_ns), channel], [lines[first].t_ns, lines[first].channel]);
  assert.deepEqual([...columns.x], lines[first].value.x.map(Math.fround));
  const some = recording.samples();
  some.next();
  some.return(0);
});

test("a part, a repair and a change are recordings", async () => {
  const bytes = readFileSync("testdata/lvx/room.lvx");
  const part = (await open(bytes, { name: "room.lvx" })).cut({ end: "0.2" }).file;
  assert.ok((await open(part, { name: "part.lvx" })).info().records < 10);
  const mended = (await open(bytes.subarray(0, bytes.length - 1000), { name: "cut.lvx" })).recover();
  assert.equal(mended.damages, 1);
  assert.equal((await open(mended.file, { name: "mended.lvx" })).check().ok, true);
  const log = await open(new TextEncoder().encode("%% LOGSTART 1600000000\n1.0 A pX 1 \n2.0 B pX 2 \n"), { name: "a.alog" });
  const changed = new TextDecoder().decode(log.edit({ drop: ["B"], rename: { A: "Z" } }).file);
  assert.ok(/ Z /.test(changed) && !/ B /.test(changed), changed);
});
