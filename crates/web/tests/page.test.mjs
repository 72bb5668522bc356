// Compares the page in Chromium with the program: `node --test`, with ROBOLOG_PROGRAM and ROBOLOG_PAGE set by `cargo xtask web`.
// ROBOLOG_HEAVY adds a recording of a gigabyte; ROBOLOG_SHOTS names a folder for screenshots of the page.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createWriteStream, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { alike, stable } from "./alike.mjs";

const program = process.env.ROBOLOG_PROGRAM;
const folder = mkdtempSync(join(tmpdir(), "robolog-page-"));
const html = resolve(process.env.ROBOLOG_PAGE, "index.html");
const browserPath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
let chromium;
try {
  ({ chromium } = createRequire(join(resolve(process.env.ROBOLOG_BROWSER ?? "."), "x.js"))("playwright-core"));
} catch {
  // Said below.
}
const lacks = !browserPath ? "no chromium" : !chromium ? "no playwright-core: npm gives it" : undefined;
const inBrowser = (name, body) => test(name, { skip: lacks && `page: skipped, ${lacks}` }, body);

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const DATA = resolve("../shared/data");
const real = [
  "lvx/tele15_real_v11.lvx", "lvx/mid100_v10_cart.lvx", "lvx/mid360_pcap_to_lvx2.lvx2", "alog/douglas", "koblenz-log/hdl32_real.log",
  "carla-rec/crash.log", "effibox/gpx/gpxpy__test_files_korita-zbevnica.gpx", "effibox/kml/gpsbabel__reference_earth-expertgps.kml",
  "effibox/nmea/gpsd__bundg_zeus_9.log", "velodyne/opendlv_vlp16_sample.pcap", "lvx/livox_tele15_small.pcap",
].map((name) => join(DATA, name)).filter((path) => existsSync(path) && statSync(path).isFile());
const made = ["lvx/room.lvx", "carla-rec/v0_9_15.log", "koblenz-log/drive.log"].map((name) => resolve("testdata", name));

let browser;
let server;
let origin;
before(async () => {
  if (lacks) return;
  browser = await chromium.launch({ executablePath: browserPath, args: ARGUMENTS });
  server = createServer((request, answer) => {
    answer.writeHead(request.url === "/" ? 200 : 404, { "content-type": "text/html; charset=utf-8" });
    answer.end(request.url === "/" ? readFileSync(html) : "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${server.address().port}/`;
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A page with its network requests and console errors recorded. */
async function opened(url = origin, options = {}) {
  const context = await browser.newContext({ acceptDownloads: true, viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const asked = [];
  const said = [];
  context.on("request", (request) => asked.push(request.url()));
  page.on("console", (message) => message.type() === "error" && said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  await page.goto(url);
  const closed = async () => {
    await context.close();
    const elsewhere = asked.filter((one) => one !== url && !/^(blob|data|about):/.test(one) && !one.endsWith("/favicon.ico"));
    assert.deepEqual(elsewhere, [], "requests leave the page");
    assert.deepEqual(said, [], "the console says something");
  };
  return { page, closed };
}

/** Waits until the page is idle. */
const idle = (page) => page.waitForFunction(() => document.getElementById("working").hidden, undefined, { timeout: 600_000 });
async function show(page, path) {
  await page.setInputFiles("#files", path);
  await idle(page);
  await page.waitForFunction((name) => document.getElementById("name").textContent === name || !document.getElementById("error").hidden, basename(path));
  await idle(page);
}
async function saved(page, act) {
  const [download] = await Promise.all([page.waitForEvent("download", { timeout: 600_000 }), act()]);
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return path;
}

const TARGETS = { PCD: "pcd", PLY: "ply", LAS: "las", LAZ: "laz", GPX: "gpx", KML: "kml", GeoJSON: "geojson", CSV: "csv", Parquet: "parquet", "JSON Lines": "jsonl" };

inBrowser("reports and downloads are the program's", async () => {
  const files = process.env.ROBOLOG_HEAVY && real.length > 0 ? real : made;
  let [reports, equal, downloads] = [0, 0, 0];
  const differ = [];
  const { page, closed } = await opened();
  for (const path of files) {
    await show(page, path);
    assert.equal(await page.isHidden("#error"), true, `${path}: ${await page.textContent("#error")}`);
    const ours = join(folder, "page.html");
    const run = spawnSync(program, ["report", path, "-o", ours, "--force"]);
    const html = await page.getAttribute("#report", "srcdoc");
    const expected = readFileSync(ours, "utf8");
    assert.ok(run.status !== 1 && (html === expected || alike(html, expected)), `${path}: the report differs`);
    reports += 1;
    equal += Number(html === expected);
    for (const [label, to] of Object.entries(TARGETS)) {
      const button = page.locator("#targets button", { hasText: new RegExp(`^${label}$`) });
      if ((await button.count()) === 0) continue;
      const expected = join(folder, `expected.${to}`);
      const run = spawnSync(program, ["convert", path, "-o", expected, "--force"], { encoding: "utf8" });
      if (!existsSync(expected)) {
        await button.click();
        await idle(page);
        await page.waitForSelector("#error:not([hidden])");
        continue;
      }
      const got = await saved(page, () => button.click());
      const same = stable(to, readFileSync(got)).equals(stable(to, readFileSync(expected)));
      if (!same) differ.push(`${basename(path)} as ${label} ${run.stderr.slice(0, 200)}`);
      downloads += 1;
      rmSync(expected);
    }
  }
  console.log(`${reports} reports, ${equal} byte for byte; ${downloads} downloads, ${downloads - differ.length} byte for byte`);
  console.log(differ.map((one) => `differs: ${one}`).join("\n"));
  assert.ok(reports >= Math.min(10, files.length) && downloads > 2 * reports, `${reports} ${downloads}`);
  // Sines and arc tangents differ again, in points of rotating LiDARs and poses of actors.
  assert.ok(differ.length * 10 <= downloads, differ.join("\n"));
  await closed();
});

inBrowser("a part, a repair, a change and a bag are the program's", async () => {
  const { page, closed } = await opened();
  const room = resolve("testdata/lvx/room.lvx");
  await show(page, room);
  const beside = (...words) => {
    const out = join(folder, "beside.lvx");
    rmSync(out, { force: true });
    spawnSync(program, [...words, "-o", out]);
    return readFileSync(out);
  };
  await page.fill("#cut [name=end]", "0.2");
  assert.ok(readFileSync(await saved(page, () => page.click("#cut button"))).equals(beside("cut", room, "--end", "0.2")));
  assert.ok(readFileSync(await saved(page, () => page.click("#recover button"))).equals(beside("recover", room)));
  const bag = join(folder, "bag.mcap");
  spawnSync(program, ["convert", room, "-o", bag, "--schema", "foxglove", "--mcap-compression", "none"]);
  const got = await saved(page, () => page.locator("#targets button", { hasText: "Foxglove" }).click());
  assert.ok(readFileSync(got).equals(readFileSync(bag)));
  await page.fill("#cut [name=end]", "tomorrow");
  await page.click("#cut button");
  await page.waitForSelector("#error:not([hidden])");
  assert.match(await page.textContent("#error"), /tomorrow/);
  await closed();
});

inBrowser("events are listed first, with the program's moments and the names of vehicles", async () => {
  const { page, closed } = await opened();
  const path = resolve("testdata/carla-rec/collisions.log");
  await show(page, path);
  const lines = spawnSync(program, ["-q", "events", "--json", path], { encoding: "utf8" }).stdout.trim().split("\n");
  const events = lines.map((line) => JSON.parse(line));
  const report = page.frameLocator("#report");
  const moments = await report.locator("#happened tbody a").allTextContents();
  assert.equal(moments.length, events.length);
  // Programs round half a millisecond up or to the even one.
  const isNear = (moment, { t }) => Math.abs(Number(moment) - t) <= 0.000501;
  assert.ok(moments.every((moment, at) => isNear(moment, events[at])), `${moments} are those of ${lines}`);
  assert.equal(await report.locator("main > section").first().getAttribute("id"), "happened");
  assert.match(await report.locator("#happened").textContent(), /vehicle\.tesla\.model3 \(25\)/);
  await closed();
});

inBrowser("what is damaged has findings, and what is no recording is an error in words", async () => {
  const { page, closed } = await opened();
  const bytes = readFileSync("testdata/lvx/room.lvx");
  const cut = { name: "cut.lvx", mimeType: "", buffer: bytes.subarray(0, bytes.length - 1000) };
  await page.setInputFiles("#files", cut);
  await page.waitForSelector("#findings .bad");
  assert.match(await page.textContent("#findings"), /byte \d+/);
  await idle(page);
  await page.setInputFiles("#files", { name: "notes.txt", mimeType: "", buffer: Buffer.from("no recording at all") });
  await page.waitForSelector("#error:not([hidden])");
  assert.match(await page.textContent("#error"), /^notes\.txt: .{10}/);
  assert.equal(await page.isHidden("#recording"), true);
  // Names are never parsed as markup.
  await page.setInputFiles("#files", { name: "<img src=x onerror=alert(1)>.lvx", mimeType: "", buffer: bytes });
  await page.waitForFunction(() => document.getElementById("name").textContent.startsWith("<img"));
  await idle(page);
  await closed();
});

inBrowser("files are dropped, and the policy lets nothing out", async () => {
  const { page, closed } = await opened();
  await page.evaluate((room) => {
    const bytes = Uint8Array.from(atob(room), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    data.items.add(new File([bytes], "dropped.lvx"));
    data.items.add(new File([bytes], "second.lvx"));
    document.getElementById("drop").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, readFileSync("testdata/lvx/room.lvx", "base64"));
  await page.waitForFunction(() => document.getElementById("name").textContent === "dropped.lvx");
  assert.equal(await page.locator("#list button").count(), 2);
  await idle(page);
  const context = page.context();
  await closed();
  assert.ok(context);
  // In a separate page, because its console reports errors as expected.
  const other = await (await browser.newContext()).newPage();
  await other.goto(origin);
  const outcome = await other.evaluate((url) => fetch(url).then(() => "let out", () => "refused"), `${origin}x`);
  assert.equal(outcome, "refused");
  await other.close();
});

inBrowser("it works from a disk, by keyboard alone", async () => {
  const { page, closed } = await opened(pathToFileURL(html).href);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "example");
  await page.keyboard.press("Enter");
  await page.waitForSelector("#report:not([hidden])");
  const frame = page.frameLocator("#report");
  await frame.locator("main").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "name");
  // Each input has an accessible name.
  const nameless = await page.evaluate(() => [...document.querySelectorAll("input, button, a[href], iframe")]
    .filter((it) => it.offsetParent && !(it.textContent || it.title || it.ariaLabel || it.labels?.[0]?.textContent).trim()).length);
  assert.equal(nameless, 0);
  await closed();
});

inBrowser("pictures of the page, and no sideways scrolling on a phone", async () => {
  for (const [width, scheme] of [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]]) {
    const { page, closed } = await opened(origin, { viewport: { width, height: 900 }, colorScheme: scheme });
    await page.click("#example");
    await page.waitForSelector("#report:not([hidden])");
    await idle(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
    if (process.env.ROBOLOG_SHOTS) await page.screenshot({ path: join(process.env.ROBOLOG_SHOTS, `${width}-${scheme}.png`), fullPage: true });
    await closed();
  }
});

/** An LVX2 recording of about `size` bytes: the frames of another one repeated, with corrected offsets. */
async function large(path, from, size) {
  const bytes = readFileSync(from);
  const start = 24 + 5 + 63 * bytes[28];
  const file = createWriteStream(path);
  file.write(bytes.subarray(0, start));
  let at = start;
  let number = 0n;
  while (at < size) {
    for (let frame = start; frame + 24 <= bytes.length; ) {
      const end = Number(bytes.readBigUInt64LE(frame + 8)) || bytes.length;
      const copy = Buffer.from(bytes.subarray(frame, end));
      copy.writeBigUInt64LE(BigInt(at), 0);
      copy.writeBigUInt64LE(BigInt(at + copy.length), 8);
      copy.writeBigUInt64LE(number++, 16);
      at += copy.length;
      if (!file.write(copy)) await new Promise((done) => file.once("drain", done));
      if (end <= frame) break;
      frame = end;
    }
  }
  await new Promise((done) => file.end(done));
}

/** Private memory of all browser processes in megabytes. */
function held() {
  let sum = 0;
  for (const id of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      if (!readFileSync(`/proc/${id}/cmdline`, "utf8").includes("chromium")) continue;
      sum += Number(/Private_Dirty: +(\d+)/.exec(readFileSync(`/proc/${id}/smaps_rollup`, "utf8"))?.[1] ?? 0);
    } catch {
      // The process has ended.
    }
  }
  return sum / 1024;
}

const base = join(DATA, "lvx/mid360_pcap_to_lvx2.lvx2");
const heavy = process.env.ROBOLOG_HEAVY && existsSync(base);
test("a gigabyte takes bounded memory, and can be cancelled", { skip: lacks || (!heavy && "ROBOLOG_HEAVY is not set") }, async (it) => {
  const path = join(folder, "large.lvx2");
  await large(path, base, 1e9);
  const { page, closed } = await opened();
  const before = held();
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, held())), 500);
  it.after(() => clearInterval(watch));
  await page.setInputFiles("#files", path);
  await page.waitForFunction(() => document.getElementById("progress").value > 0.02, undefined, { timeout: 120_000 });
  await page.click("#cancel");
  assert.equal(await page.textContent("#state"), "cancelled");
  const start = Date.now();
  await page.setInputFiles("#files", []);
  await page.setInputFiles("#files", path);
  await page.waitForFunction(() => !document.getElementById("recording").hidden, undefined, { timeout: 600_000 });
  await idle(page);
  const read = Date.now() - start;
  console.log(`1 GB: info and check ${(read / 1000).toFixed(1)} s, ${(peak - before).toFixed(0)} MB above ${before.toFixed(0)} MB`);
  assert.ok(peak - before < 200, `${peak - before} MB`);
  const reported = Date.now();
  await page.click("#make-report");
  await page.waitForSelector("#report:not([hidden])", { timeout: 600_000 });
  console.log(`report ${((Date.now() - reported) / 1000).toFixed(1)} s, ${(peak - before).toFixed(0)} MB`);
  assert.ok(peak - before < 200, `${peak - before} MB`);
  await closed();
});
