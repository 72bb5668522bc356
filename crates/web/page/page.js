"use strict";
const $ = (id) => document.getElementById(id);
const fill = (id, ...nodes) => $(id).replaceChildren(...nodes);
/** An element with text; text from recordings is never parsed as markup. */
function element(name, text, attributes = {}) {
  const it = document.createElement(name);
  if (text !== undefined) it.textContent = text;
  for (const [key, value] of Object.entries(attributes)) it.setAttribute(key, value);
  return it;
}
const bytesOf = (id) => Uint8Array.from(atob($(id).textContent.trim()), (letter) => letter.charCodeAt(0));

const workerUrl = URL.createObjectURL(new Blob([$("worker").textContent], { type: "text/javascript" }));
let compiled;
/** The page contains the compressed module and loads nothing. A worker decompresses it, so that the page stays responsive. */
function module() {
  compiled ??= new Promise((resolve, reject) => {
    const unpacking = new Worker(workerUrl);
    unpacking.onmessage = ({ data }) => {
      unpacking.terminate();
      if (data.module) resolve(data.module);
      else reject(new Error(data.error));
    };
    unpacking.postMessage({ packed: bytesOf("module") });
  });
  return compiled;
}

let file; // the file shown
let files = [];
let worker; // the worker that reads it
let job; // the current job

/** Sends a request to the worker. A new request cancels the previous one. */
async function ask(what, doing) {
  stop();
  const mine = { doing };
  job = mine;
  $("error").hidden = true;
  $("state").textContent = doing;
  $("working").hidden = false;
  $("progress").removeAttribute("value");
  const wasm = await module().catch((error) => error);
  if (job !== mine) return undefined;
  if (wasm instanceof Error) {
    stop();
    $("state").textContent = "";
    return fail(`this browser cannot run the reader: ${wasm.message}`);
  }
  return new Promise((resolve) => {
    worker = new Worker(workerUrl);
    mine.resolve = resolve;
    const end = (result, text) => {
      if (job !== mine) return;
      job = undefined;
      stop();
      $("state").textContent = text;
      resolve(result);
    };
    worker.onmessage = ({ data }) => {
      if (data.position !== undefined) $("progress").value = file.size > 0 ? Math.min(1, data.position / file.size) : 1;
      else if (data.error !== undefined) end(fail(data.error), "");
      else end(data.done, "");
    };
    worker.onerror = (event) => {
      event.preventDefault();
      end(fail("the file is too large for this browser, or the reader failed: " + (event.message || "no reason given")), "");
    };
    worker.postMessage({ ...what, file, module: wasm });
  });
}
function fail(text) {
  $("error").textContent = `${file.name}: ${text}`;
  $("error").hidden = false;
  return undefined;
}
function stop(text) {
  worker?.terminate();
  worker = undefined;
  $("working").hidden = true;
  if (job) {
    const { resolve } = job;
    job = undefined;
    resolve?.(undefined);
  }
  if (text) $("state").textContent = text;
}

function size(bytes) {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  let unit = 0;
  let number = bytes;
  while (number >= 1000 && unit < units.length - 1) [number, unit] = [number / 1000, unit + 1];
  return unit === 0 ? `${bytes} bytes` : `${number.toFixed(number < 10 ? 1 : 0)} ${units[unit]}`;
}
function time(ns, clock) {
  if (ns === null) return "unknown";
  return clock === "unix" ? new Date(ns / 1e6).toISOString().replace("T", " ").replace("Z", " UTC") : `${(ns / 1e9).toFixed(3)} s`;
}

function take(picked) {
  files = [...picked].filter((one) => !one.name.startsWith("."));
  if (files.length === 0) return;
  const buttons = files.slice(0, 200).map((one) => {
    const item = element("li");
    const button = element("button", one.webkitRelativePath || one.name, { type: "button" });
    button.onclick = () => show(one, button);
    item.append(button);
    return item;
  });
  $("list").hidden = files.length < 2;
  $("list").firstElementChild.replaceChildren(...buttons);
  show(files[0], buttons[0].firstElementChild);
}

async function show(one, button) {
  for (const other of $("list").querySelectorAll("[aria-current]")) other.removeAttribute("aria-current");
  button?.setAttribute("aria-current", "true");
  file = one;
  $("recording").hidden = true;
  $("made-section").hidden = true;
  fill("made");
  closeReport();
  const info = await ask({ verb: "info" }, `reading ${one.name}, ${size(one.size)}`);
  if (!info || file !== one) return;
  const check = await ask({ verb: "check" }, `checking ${one.name}`);
  if (!check || file !== one) return;
  draw(info.answer, check.answer);
  $("recording").hidden = false;
  $("name").focus({ preventScroll: true });
  // The report reads the file twice, so for large files only on request.
  if (one.size < 1 << 26) await report();
}

function draw(info, check) {
  $("name").textContent = file.name;
  const wrong = check.findings.length;
  $("verdict").textContent = check.ok ? "No problems found." : `${wrong} ${wrong === 1 ? "finding" : "findings"}: see below.`;
  if (check.ok && wrong > 0) $("verdict").textContent = `Sound, with ${wrong} ${wrong === 1 ? "remark" : "remarks"} below.`;
  $("verdict").className = check.ok ? "good" : "bad";
  const about = {
    format: info.variant ? `${info.format}, ${info.variant}` : info.format,
    size: size(info.bytes),
    records: info.records.toLocaleString("en"),
    start: time(info.start_ns, info.clock),
    end: time(info.end_ns, info.clock),
    duration: info.duration_s === null ? "unknown" : `${info.duration_s.toFixed(3)} s`,
  };
  if (info.lost_bytes > 0) about.lost = size(info.lost_bytes);
  fill("about", ...Object.entries(about).flatMap(([name, value]) => [element("dt", name), element("dd", value)]));
  const rows = info.channels.slice(0, 1000).map((channel) => {
    const row = element("tr");
    const rate = channel.rate_hz === null ? "" : channel.rate_hz.toFixed(channel.rate_hz < 10 ? 2 : 0);
    row.append(element("td", channel.name), element("td", channel.kind), element("td", channel.records.toLocaleString("en")), element("td", rate));
    return row;
  });
  $("channels").tBodies[0].replaceChildren(...rows);
  const found = check.findings.map((finding) => {
    const at = finding.offset === null || finding.offset === undefined ? "" : ` (byte ${finding.offset})`;
    return element("li", `${finding.severity}: ${finding.message}${at}`, { class: finding.severity === "error" ? "bad" : "" });
  });
  fill("findings", ...(found.length > 0 ? found : [element("li", "none")]));
  drawTargets(new Set(info.channels.map((channel) => channel.kind)));
}

const POINTS = ["point_cloud", "laser_scan"];
const PLACES = ["gnss_fix"];
const TARGETS = [
  ["PCD", { to: "pcd" }, POINTS], ["PLY", { to: "ply" }, POINTS], ["LAS", { to: "las" }, POINTS], ["LAZ", { to: "laz" }, POINTS],
  ["GPX", { to: "gpx" }, PLACES], ["KML", { to: "kml" }, PLACES], ["GeoJSON", { to: "geojson" }, PLACES],
  ["CSV", { to: "csv" }], ["Parquet", { to: "parquet" }], ["JSON Lines", { to: "jsonl" }],
  ["MCAP for ROS 2", { to: "mcap", schema: "ros2" }], ["MCAP for Foxglove", { to: "mcap", schema: "foxglove" }],
];
function drawTargets(kinds) {
  const fits = ([, , needs]) => !needs || needs.some((kind) => kinds.has(kind));
  fill("targets", ...TARGETS.filter(fits).map(([label, options]) => {
    const button = element("button", label, { type: "button" });
    button.onclick = () => make("convert", options, label);
    return button;
  }));
  const missing = TARGETS.filter((target) => !fits(target)).map(([label]) => label);
  $("without").textContent = missing.length > 0 ? `No data for ${missing.join(", ")}.` : "";
}

/** Writes a file and downloads it; browsers with a file picker can also save it elsewhere. */
async function make(verb, options, label) {
  const one = file;
  const stem = one.name.replace(/\.[^.]*$/, "");
  const done = await ask({ verb, options }, `writing ${label} of ${one.name}`);
  if (!done) return;
  const { answer, file: blob } = done;
  const ending = answer.extension ? `.${answer.extension}` : "";
  const name = verb === "convert" ? stem + ending : `${stem}.${verb}${ending}`;
  const item = element("li");
  const link = element("a", name, { href: URL.createObjectURL(blob), download: name });
  const counts = Object.entries(answer.written).map(([kind, n]) => `${n.samples.toLocaleString("en")} ${kind}`);
  item.append(link, ` ${size(blob.size)}: ${counts.join(", ") || "nothing"}`);
  const left = Object.entries(answer.left_out).map(([kind, n]) => `${n.samples.toLocaleString("en")} ${kind}`);
  if (left.length > 0) item.append(element("br"), element("span", `Skipped, not supported by the format: ${left.join(", ")}.`, { class: "quiet" }));
  if (answer.damages > 0) {
    const first = answer.damage[0];
    item.append(element("br"), element("span", `${answer.damages} faults, ${size(answer.lost_bytes)} lost; the first at byte ${first.offset}: ${first.message}`, { class: "bad" }));
  }
  for (const note of answer.notes) item.append(element("br"), element("span", note, { class: "quiet" }));
  if (typeof showSaveFilePicker === "function") item.append(" ", saveAs(blob, name));
  $("made").prepend(item);
  $("made-section").hidden = false;
  $("state").textContent = `${name} is ready, ${size(blob.size)}`;
  link.click();
}
/** Streams to a file chosen by the user, without a copy in memory. */
function saveAs(blob, name) {
  const button = element("button", "save elsewhere", { type: "button" });
  button.onclick = async () => {
    try {
      const handle = await showSaveFilePicker({ suggestedName: name });
      await blob.stream().pipeTo(await handle.createWritable());
      $("state").textContent = `${handle.name} is saved`;
    } catch (error) {
      if (error.name !== "AbortError") fail(error.message);
    }
  };
  return button;
}

function closeReport() {
  $("report").hidden = true;
  $("report").removeAttribute("srcdoc");
  $("save-report").hidden = true;
  if ($("save-report").href) URL.revokeObjectURL($("save-report").href);
}
async function report() {
  closeReport();
  const one = file;
  const done = await ask({ verb: "report" }, `creating the report of ${one.name}`);
  if (!done || file !== one) return;
  $("report").srcdoc = done.answer;
  $("report").hidden = false;
  $("save-report").href = URL.createObjectURL(new Blob([done.answer], { type: "text/html" }));
  $("save-report").download = `${one.name}.html`;
  $("save-report").hidden = false;
}

/** All dropped files, including those in folders. */
async function dropped(items) {
  const found = [];
  const walk = async (entry) => {
    if (entry.isFile) found.push(await new Promise((done, failed) => entry.file(done, failed)));
    else {
      const reader = entry.createReader();
      for (;;) {
        const some = await new Promise((done, failed) => reader.readEntries(done, failed));
        if (some.length === 0) break;
        for (const one of some) await walk(one);
      }
    }
  };
  const entries = [...items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  for (const entry of entries) await walk(entry);
  return found;
}

$("files").onchange = (event) => take(event.target.files);
$("folder").onchange = (event) => take(event.target.files);
$("example").onclick = () => take([new File([unlzma(bytesOf("room"))], "room.lvx")]);
$("cancel").onclick = () => stop("cancelled");
$("make-report").onclick = report;
$("cut").onsubmit = (event) => {
  event.preventDefault();
  const { start, end } = Object.fromEntries(new FormData(event.target));
  make("cut", { start: start || undefined, end: end || undefined }, "a part");
};
$("recover").onsubmit = (event) => {
  event.preventDefault();
  make("recover", {}, "a repaired copy");
};
$("edit").onsubmit = (event) => {
  event.preventDefault();
  const { shift, drop } = Object.fromEntries(new FormData(event.target));
  const seconds = Number(shift.replace(",", ".") || "0");
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 9e6) return fail(`${shift}: not seconds between -9000000 and 9000000`);
  const names = drop.split(",").map((name) => name.trim()).filter(Boolean);
  make("edit", { shift_ns: Math.round(seconds * 1e9), drop: names }, "a changed copy");
};
addEventListener("dragover", (event) => {
  event.preventDefault();
  $("drop").classList.add("over");
});
addEventListener("dragleave", () => $("drop").classList.remove("over"));
addEventListener("drop", async (event) => {
  event.preventDefault();
  $("drop").classList.remove("over");
  const found = await dropped(event.dataTransfer.items);
  take(found.length > 0 ? found : event.dataTransfer.files);
});
if (!("webkitdirectory" in $("folder"))) $("folderlabel").hidden = true;
