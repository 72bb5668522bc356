// Compares the packed extension with the program: `node --test`, with the variables that `cargo xtask foxglove` sets.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { McapStreamReader, host, registered, unpacked } from "./host.mjs";

const program = process.env.ROBOLOG_PROGRAM;
const folder = mkdtempSync(join(tmpdir(), "robolog-foxglove-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const packed = await unpacked(process.env.ROBOLOG_EXTENSION);
const loaders = registered(packed["dist/extension.js"].toString());
const open = await host(Buffer.from(loaders[0].wasmUrl.split(",")[1], "base64"));
const ALL = undefined;

/** Messages of an iterator, in time order. */
function pulled(loader, startTime, endTime, channels) {
  const iterator = loader.createIterator({ startTime, endTime, channels });
  const found = [];
  for (let next = iterator.next(); next !== undefined; next = iterator.next()) {
    // A result inside an option: jco returns its tag if it does not throw.
    const message = next.tag === undefined ? next : next.val;
    assert.ok(next.tag !== "err", `${message}`);
    assert.ok(found.length === 0 || found.at(-1).logTime <= message.logTime, "in order of time");
    assert.equal(message.publishTime, message.logTime);
    found.push(message);
  }
  return found;
}

/** The output of `robolog convert`, read by another reader; undefined if it writes nothing. */
function converted(path) {
  const mcap = join(folder, "converted.mcap");
  rmSync(mcap, { force: true });
  const words = ["convert", path, "--to", "mcap", "--schema", "foxglove", "--mcap-compression", "none", "-o", mcap];
  const told = spawnSync(program, words, { encoding: "utf8" });
  let bytes;
  try {
    bytes = readFileSync(mcap);
  } catch {
    return { told: told.stderr };
  }
  const reader = new McapStreamReader();
  reader.append(bytes);
  const [schemas, channels, messages] = [new Map(), new Map(), []];
  for (let record = reader.nextRecord(); record !== undefined; record = reader.nextRecord()) {
    if (record.type === "Schema") schemas.set(record.id, record);
    if (record.type === "Channel") channels.set(record.id, record);
    if (record.type === "Message") messages.push(record);
  }
  return { told: told.stderr, schemas, channels, messages };
}

const alone = (path) => {
  const name = path.split("/").at(-1);
  const copy = join(mkdtempSync(join(folder, "file-")), name);
  copyFileSync(path, copy);
  return copy;
};
const byTopic = (messages, of) => {
  const lists = {};
  for (const { channelId, logTime, data } of messages) (lists[of(channelId)] ??= []).push([logTime, data]);
  for (const list of Object.values(lists)) list.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return lists;
};

/** Sines and cosines differ in their last bit between C libraries, and so do points computed from ranges. */
function isNear(one, other) {
  const views = [one, other].map(({ buffer, byteOffset, byteLength }) => new DataView(buffer, byteOffset, byteLength));
  // The numbers begin at one of four unknown offsets.
  const from = (start) => {
    for (let at = start; at + 4 <= one.length; at += 4) {
      const [a, b] = views.map((view) => view.getFloat32(at, true));
      if (views[0].getUint32(at) !== views[1].getUint32(at) && !(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a)))) return false;
    }
    return true;
  };
  return one.length === other.length && [0, 1, 2, 3].some(from);
}

/** Compares a file with its conversion; false if there is none. */
async function compared(path) {
  const file = alone(path);
  const expected = converted(file);
  const { loader } = await open(file);
  if (expected.messages === undefined) {
    let channels;
    try {
      ({ channels } = loader.initialize());
    } catch {
      return undefined;
    }
    assert.deepEqual(channels, [], `${path}: ${expected.told}`);
    return undefined;
  }
  const { channels, schemas, timeRange } = loader.initialize();
  const topics = [...expected.channels.values()];
  assert.deepEqual(channels.map((it) => it.topicName), topics.map((it) => it.topic), path);
  const counts = {};
  for (const { channelId } of expected.messages) counts[channelId] = (counts[channelId] ?? 0n) + 1n;
  for (const [n, channel] of channels.entries()) {
    const schema = schemas.find((it) => it.id === channel.schemaId);
    const { name, encoding, data } = expected.schemas.get(topics[n].schemaId);
    assert.deepEqual([schema.name, schema.encoding], [name, encoding], path);
    assert.ok(Buffer.compare(schema.data, data) === 0, `${path}: schema ${name}`);
    assert.equal(channel.messageEncoding, topics[n].messageEncoding, path);
    assert.equal(channel.messageCount, counts[topics[n].id], path);
  }
  const messages = pulled(loader, ALL, ALL, channels.map((it) => it.id));
  assert.equal(messages.length, expected.messages.length, path);
  const ours = byTopic(messages, (id) => channels.find((it) => it.id === id).topicName);
  const theirs = byTopic(expected.messages, (id) => expected.channels.get(id).topic);
  let near = 0;
  for (const [topic, list] of Object.entries(theirs)) {
    for (const [n, [time, data]] of list.entries()) {
      assert.equal(ours[topic][n][0], time, `${path}: ${topic} ${n}`);
      const mine = ours[topic][n][1];
      if (Buffer.compare(mine, data) === 0) continue;
      assert.ok(topic.endsWith("/points") && isNear(mine, data), `${path}: ${topic} ${n} differs`);
      near += 1;
    }
  }
  const times = expected.messages.map((it) => it.logTime);
  const [first, last] = times.reduce(([a, b], t) => [t < a ? t : a, t > b ? t : b], [times[0], times[0]]);
  assert.deepEqual([timeRange.startTime, timeRange.endTime], [first, last], path);
  const middle = first + (last - first) / 2n;
  const backfill = loader.getBackfill({ time: middle, channels: channels.map((it) => it.id) });
  const before = Object.fromEntries(
    Object.entries(theirs)
      .map(([topic, list]) => [topic, list.findLast(([time]) => time <= middle)?.[0]])
      .filter(([, time]) => time !== undefined),
  );
  const found = Object.fromEntries(backfill.map((it) => [channels.find((of) => of.id === it.channelId).topicName, it.logTime]));
  assert.deepEqual(found, before, path);
  return { near, messages: messages.length };
}

test("the extension has its papers and a loader for each kind of file", () => {
  const names = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md", "dist/extension.js", "package.json"];
  assert.deepEqual(Object.keys(packed).filter((it) => !it.endsWith("/")).sort(), names);
  const types = loaders.map((it) => it.supportedFileType);
  for (const type of [".lvx", ".lvx2", ".alog", ".pcap", ".gpx", ".kml", ".nmea", ".log"]) assert.ok(types.includes(type), type);
  assert.ok(loaders.every((it) => it.type === "file" && it.wasmUrl === loaders[0].wasmUrl));
});

// ROBOLOG_EVERY=8 takes every eighth fixture of a format, and always the first.
const every = Number(process.env.ROBOLOG_EVERY ?? 1);
for (const format of ["alog", "carla-rec", "gpx", "kml", "koblenz-log", "lvx", "nmea", "pcap"]) {
  test(`topics and messages of ${format} are those of MCAP`, async () => {
    const names = readdirSync(join("testdata", format)).filter((it) => !/\.(json|md|kmz|zip)$/.test(it));
    let [equal, messages, near] = [0, 0, 0];
    for (const name of names.filter((_, n) => n % every === 0)) {
      const outcome = await compared(join("testdata", format, name));
      equal += outcome ? 1 : 0;
      messages += outcome?.messages ?? 0;
      near += outcome?.near ?? 0;
    }
    console.log(`${format}: ${messages} messages of ${equal} files are equal, but for last bits of points in ${near} of them`);
    assert.ok(near * 20 <= messages, `${near} of ${messages}`);
    assert.ok(equal > 0);
  });
}

test("damage is a problem with its offset", async () => {
  const { loader } = await open(alone("testdata/carla-rec/garbage_middle.log"));
  const { problems } = loader.initialize();
  const told = spawnSync(program, ["check", "--json", "testdata/carla-rec/garbage_middle.log"], { encoding: "utf8" });
  const { offset } = JSON.parse(told.stdout).findings.find((it) => it.severity !== "info") ?? {};
  const errors = problems.filter((it) => it.severity === "error").map((it) => it.message);
  assert.ok(errors.some((it) => it.includes(`(at byte 0x${Number(offset).toString(16)})`)), JSON.stringify([errors, offset]));
});

test("what is no recording is refused in words", async () => {
  const path = join(folder, "text.log");
  writeFileSync(path, "no recording, only some words\n".repeat(9));
  const { loader } = await open(path);
  assert.throws(() => loader.initialize(), /unknown|known|recording/i);
});

test("a window and a backfill of a long file read a part of it", async () => {
  const path = join(folder, "long.alog");
  const lines = ["%% LOGSTART 1700000000", "0.500 EARLY pStart 7"];
  for (let n = 100; n < 200_100; n += 1) lines.push(`${(n / 100).toFixed(2)}0 NAV_X uNav ${n}`);
  const text = `${lines.join("\n")}\n`;
  writeFileSync(path, text);
  const { loader, counts } = await open(path);
  const { channels, timeRange, problems } = loader.initialize();
  assert.deepEqual(problems, []);
  const ids = channels.map((it) => it.id);
  const second = 1_000_000_000n;
  const middle = timeRange.startTime + (timeRange.endTime - timeRange.startTime) / 2n;
  counts.read = 0;
  assert.equal(pulled(loader, middle, middle + second, ids).length, 100);
  const window = counts.read;
  counts.read = 0;
  const backfill = loader.getBackfill({ time: middle, channels: ids });
  assert.deepEqual(backfill.map((it) => it.channelId), ids);
  assert.equal(backfill[0].logTime, timeRange.startTime, "one message, far before");
  console.log(`of ${text.length} bytes a window of a second reads ${window}, a backfill ${counts.read}`);
  assert.ok(window > 0 && window < text.length * 0.7 && counts.read < text.length * 0.9);
});
