"""Opens reports in headless Chromium, through the pipe of its DevTools protocol.

Usage: report.py ROBOLOG CHROMIUM WORK RECORDING...

Checks for each recording: no console errors and no requests; the numbers equal those of `info --json`, and for a GPX file and
a MOOS log those in the file's lines; scales are right on screen and on paper; the cursor moves in less than 16 ms, and every
visible panel shows its value; replay, stepping by keys, links to a time, zoom by dragging, search, and dimming of lanes work;
the cloud is drawn and turns; the page is readable without its script and has at most 6000 elements. Screenshots at 1280 and
390 pixels, light and dark, are left in WORK.
"""

import base64
import json
import os
import pathlib
import re
import subprocess
import sys

COUNT = """(() => { const c = document.querySelector("#cloud"); if (!c || !c.clientWidth) return null;
const d = document.createElement("canvas"); d.width = c.width; d.height = c.height;
const g = d.getContext("2d"); g.drawImage(c, 0, 0); const p = g.getImageData(0, 0, d.width, d.height).data;
let n = 0, h = 0; for (let i = 0; i < p.length; i += 4) if (p[i] + p[i+1] + p[i+2] > 60) { n++; h = (h * 31 + i) | 0; }
return [n, h]; })()"""
FACTS = """(() => { const facts = {}; for (const f of document.querySelectorAll("[data-key]")) {
const d = f.querySelector("data"); facts[f.dataset.key] = d ? d.value : f.querySelector("dd").textContent; }
const rows = [...document.querySelectorAll("#channels details.data")].at(-1);
const channels = rows ? [...rows.querySelectorAll("tbody tr")].map(r =>
  [r.cells[0].textContent, r.cells[1].textContent, ...[...r.querySelectorAll("data")].map(d => d.value)]) : [];
const lanes = rows ? [...document.querySelectorAll("#channels details.data")].at(-2) : null;
const rates = lanes ? [...lanes.querySelectorAll("tbody tr")].map(r => [r.cells[0].textContent, r.cells[4].textContent.replace(/\u202f/g, "")]) : [];
return { facts, channels, lanes: rates }; })()"""
ACTS = """(() => { const wrong = [];
const find = document.querySelector("#find"), rows = [...document.querySelectorAll("#events-table tbody tr")];
const search = word => { find.value = word; find.dispatchEvent(new Event("input")); };
if (find) {
  search("no text holds these words"); if (rows.some(r => !r.hidden)) wrong.push("the search keeps rows");
  search(rows[0].cells[4].textContent.toUpperCase()); if (rows[0].hidden) wrong.push("the search misses a row");
  search(""); if (rows.some(r => r.hidden)) wrong.push("the search does not end"); }
const name = document.querySelector(".lane:not(.axis) .nm"), lane = name && name.parentElement;
const press = key => name.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
if (name) {
  press("Enter"); if (!lane.classList.contains("off") || name.getAttribute("aria-pressed") !== "false") wrong.push("no lane is dimmed");
  press("a"); if (!lane.classList.contains("off")) wrong.push("any key is a toggle");
  press(" "); if (lane.classList.contains("off")) wrong.push("a lane stays dimmed"); }
for (const c of document.querySelectorAll(".layers > input")) {
  c.click(); const shown = [...c.parentElement.querySelectorAll(".plan > .layer")].filter(l => l.clientWidth);
  if (shown.length !== 1) wrong.push("a map shows " + shown.length + " colourings"); }
for (const c of document.querySelectorAll(".layers > input:first-of-type")) c.click();
return wrong; })()"""
# Folded parts are built when opened.
UNFOLD = """(async () => { for (const d of document.querySelectorAll("details")) d.open = true;
for (let i = 0; i < 4; i++) await new Promise(r => requestAnimationFrame(r)); })()"""
FOLD = """(async () => { for (const d of document.querySelectorAll("details")) d.open = false;
for (let i = 0; i < 4; i++) await new Promise(r => requestAnimationFrame(r)); })()"""
# Replay, keys, zoom, and the cost of a cursor move; nothing for a recording without times.
PLAYS = """(async () => { const wrong = [], frame = () => new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)));
const wait = ms => new Promise(r => setTimeout(r, ms)), long = seconds;
const now = () => parseFloat(document.querySelector("#now").textContent);
const press = (key, more) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
if (!long) return { wrong };
press("Home"); await frame();
if (now() !== 0) wrong.push("Home does not lead to the start");
// A shorter replay ends before it is checked.
if (long > 1) {
press(" "); for (let i = 0; i < 50 && !(now() > 0); i++) await wait(100);
press(" "); await frame(); const played = now();
if (!(played > 0)) wrong.push("a replay does not run");
await wait(200); if (now() !== played) wrong.push("a pause does not hold"); }
press("Home"); await frame(); press("ArrowRight"); press("ArrowRight", { shiftKey: true }); await frame();
const stepped = moment; if (!(stepped > 0)) wrong.push("the arrows do not step");
press("End"); await frame(); if (Math.abs(moment - long) > 1e-6) wrong.push("End does not lead to the end");
location.hash = "#t=" + (long / 2).toFixed(3); await wait(50); await frame();
if (Math.abs(moment - long / 2) > 0.001) wrong.push("an address does not open its moment");
history.replaceState(null, "", location.pathname);
const charts = [...document.querySelectorAll(".tx")].filter(f => f.clientWidth); const chart = charts[0];
const costs = [];
for (const section of document.querySelectorAll("section")) { section.scrollIntoView();
  const silent = () => [...document.querySelectorAll(".rd output")].filter(out => { const b = out.getBoundingClientRect();
    return out.checkVisibility() && b.top > 120 && b.bottom < innerHeight - 20 && !out.textContent; });
  for (let i = 0; i < 20 && (!i || silent().length); i++) { await wait(80); await frame(); }
  for (const out of silent()) wrong.push("a panel tells nothing: " + out.id);
  const c = []; for (let i = 0; i < 50; i++) { const t0 = performance.now(); moment = long * ((i * 7) % 50) / 50; show();
    document.body.offsetHeight; c.push(performance.now() - t0); if (i % 10 === 0) await frame(); }
  costs.push(c.sort((a, b) => a - b)[25]); }
if (chart) { chart.scrollIntoView({ block: "center" }); await frame(); const b = chart.getBoundingClientRect();
  const at = (name, part) => chart.dispatchEvent(new PointerEvent(name, { clientX: b.left + b.width * part, clientY: b.top + 3, button: 0, bubbles: true }));
  at("pointerdown", .25); at("pointermove", .3); at("pointermove", .5); at("pointerup", .5); await frame();
  if (Math.abs(zoom[0] - .25) > .01 || Math.abs(zoom[1] - .5) > .01) wrong.push("a drag does not zoom: " + zoom);
  chart.dispatchEvent(new MouseEvent("dblclick", { bubbles: true })); if (zoom[1] - zoom[0] !== 1) wrong.push("a double click does not show all"); }
scrollTo(0, 0); return { wrong, cost: Math.max(0, ...costs) }; })()"""


# Length in metres of each scale bar by its map's grid, and its label.
SCALES = """[...document.querySelectorAll(".plan")].map(plan => {
const number = e => Number(e.textContent.replace(/[^0-9.eE\\u2212-]/g, "").replace("\\u2212", "-"));
const at = [...plan.querySelectorAll(".gl:not(.v)")].map(e => [parseFloat(e.style.left), number(e)]);
const bar = plan.parentElement.querySelector(".under .bar");
if (at.length < 2 || !bar || !plan.clientWidth) return null;
const [a, z] = [at[0], at.at(-1)];
const metres = (z[1] - a[1]) / (z[0] - a[0]) * 100 / plan.clientWidth;
return [bar.getBoundingClientRect().width * metres, number(bar)]; }).filter(pair => pair)"""
EXTENT = """(() => { const e = document.querySelector("[data-key=extent]");
return e && [...e.querySelectorAll("data")].map(d => Number(d.value)); })()"""
SERIES = """(() => { const t = [...document.querySelectorAll("#numbers details.data")].at(-1);
return t ? [...t.querySelectorAll("tbody tr")].map(r => [r.cells[0].textContent.trim(), ...[...r.querySelectorAll("data")].map(d => Number(d.value))]) : []; })()"""


class Browser:
    """Chromium with one page."""

    def __init__(self, program):
        ours, theirs = os.pipe(), os.pipe()

        def wire():
            # The protocol uses descriptor 3 for input and 4 for output.
            read, write = os.dup(ours[0]), os.dup(theirs[1])
            os.dup2(read, 3)
            os.dup2(write, 4)

        flags = ["--headless=new", "--remote-debugging-pipe", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                 "--no-first-run", "--hide-scrollbars"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        self.process = subprocess.Popen([program, *flags, "about:blank"], preexec_fn=wire, close_fds=False,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(ours[0])
        os.close(theirs[1])
        self.out, self.into = os.fdopen(ours[1], "wb"), os.fdopen(theirs[0], "rb")
        self.number, self.held, self.events, self.session = 0, b"", [], None
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self.session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self(domain + ".enable")

    def message(self):
        while b"\0" not in self.held:
            part = os.read(self.into.fileno(), 1 << 16)
            assert part, "the browser ended"
            self.held += part
        text, self.held = self.held.split(b"\0", 1)
        return json.loads(text)

    def __call__(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        self.out.write(json.dumps(request).encode() + b"\0")
        self.out.flush()
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width, dark):
        self("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600)
        scheme = "dark" if dark else "light"
        self("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.events.clear()
        self("Page.navigate", url=path.as_uri())
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())
        self.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")

    def run(self, expression):
        result = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def faults(self):
        found = []
        for event in self.events:
            method, of = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(of["exceptionDetails"].get("text", "exception"))
            elif method == "Log.entryAdded" and of["entry"]["level"] in ("error", "warning"):
                found.append(of["entry"]["text"])
            elif method == "Runtime.consoleAPICalled" and of["type"] in ("error", "warning"):
                found.append(str(of["args"]))
            elif method == "Network.requestWillBeSent":
                url = of["request"]["url"]
                if not url.startswith("data:") and of.get("type") != "Document":
                    found.append("request: " + url[:200])
        # Drivers warn about software rendering.
        return [f for f in found if "GPU stall" not in f and "GL Driver Message" not in f]

    def picture(self, path):
        height = min(4000, self.run("document.documentElement.scrollHeight"))
        width = self.run("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
        shot = self("Page.captureScreenshot", captureBeyondViewport=True, clip=clip)
        path.write_bytes(base64.b64decode(shot["data"]))


def same_numbers(robolog, recording, page):
    run = subprocess.run([robolog, "info", "--json", "-q", recording], capture_output=True, text=True)
    info = json.loads(run.stdout)
    facts = page["facts"]
    for key in ("bytes", "records", "start_ns", "end_ns"):
        if info[key] is not None:
            assert facts[key] == str(info[key]), (recording, key, facts[key], info[key])
    # People are not told the numbers of packets.
    assert facts["variant"].split(",")[0] == info["variant"].split(",")[0], (info["variant"], facts["variant"])
    if info["duration_s"] is not None:
        assert float(facts["duration_s"]) == info["duration_s"], (facts["duration_s"], info["duration_s"])
    assert int(facts["channels"]) == len(info["channels"])
    for shown, told in zip(page["channels"], info["channels"]):
        assert shown[1] == told["kind"] and shown[2:4] == [str(told["records"]), str(told["values"])], (shown, told)
        if told["rate_hz"] is not None:
            assert float(shown[4]) == told["rate_hz"], (shown, told)
    rates = {channel["name"]: channel["rate_hz"] for channel in info["channels"]}
    for name, rate in page["lanes"]:
        if rates.get(name) is not None:
            assert abs(float(rate) - rates[name]) <= 0.006 * rates[name], (recording, name, rate, rates[name])


def same_places(recording, extent):
    """The bounding box of a GPX file's positions, found by a pattern."""
    places = re.findall(r"<(?:trkpt|wpt|rtept)\s+lat=[\"']([-+.0-9]+)[\"']\s+lon=[\"']([-+.0-9]+)[\"']", recording.read_text(errors="replace"))
    latitudes, longitudes = ([float(place[n]) for place in places] for n in (0, 1))
    if len(places) > 1 and extent:
        assert extent == [min(latitudes), max(latitudes), min(longitudes), max(longitudes)], (recording, extent)


def same_series(recording, series):
    """Minimum, mean and maximum of the numbers of a MOOS log, from its lines."""
    numbers = {}
    for line in recording.read_text(errors="replace").splitlines():
        words = line.split()
        if len(words) == 4 and not line.startswith("%"):
            try:
                numbers.setdefault(words[1], []).append(float(words[3]))
            except ValueError:
                numbers.setdefault(words[1], []).append(None)
    compared = 0
    for name, least, mean, greatest in series:
        values = numbers.get(name)
        if values and None not in values:
            assert (least, greatest) == (min(values), max(values)), (recording, name, least, greatest)
            assert abs(mean - sum(values) / len(values)) <= 1e-9 * max(map(abs, values)), (recording, name, mean)
            compared += 1
    return compared


def true_scales(recording, scales, where):
    for long, named in scales:
        # The border of the bar, and rounding to pixels.
        assert abs(long - named) <= 0.04 * named, (recording, where, "a bar of", named, "is long", long)


def bare(browser, page, picture):
    """Without the script: visible parts of it, sections, and pictures."""
    browser("Emulation.setScriptExecutionDisabled", value=True)
    browser.events.clear()
    browser("Page.navigate", url=page.as_uri())
    while not any(e.get("method") == "Page.loadEventFired" for e in browser.events):
        browser.events.append(browser.message())
    browser("Emulation.setScriptExecutionDisabled", value=False)
    browser.picture(picture)
    return browser.run("""(() => { const visible = q => [...document.querySelectorAll(q)].filter(e => e.clientWidth || e.clientHeight).length;
        return [visible(".scripted"), document.querySelectorAll("section").length, visible("svg, img, table, summary")]; })()""")


def look(browser, robolog, recording, work):
    name = recording.name
    page = work / (name + ".html")
    made = subprocess.run([robolog, "report", "-q", "-f", recording, "-o", page], capture_output=True, text=True)
    assert made.returncode in (0, 3), (recording, made.returncode, made.stderr)
    assert page.stat().st_size < 5_000_000, (recording, page.stat().st_size)
    drawn = None
    for width, dark in ((1280, False), (1280, True), (390, False), (390, True)):
        browser.open(page, width, dark)
        browser.run("""document.querySelector("#scrub").value = 500;
            document.querySelector("#scrub").dispatchEvent(new Event("input"))""")
        browser.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
        assert browser.run("""document.querySelector("#now").textContent""") != "–", recording
        drawn = browser.run(COUNT)
        if drawn:
            assert drawn[0] > 50, (recording, "the cloud is not drawn", drawn)
            browser.run("""for (let i = 0; i < 5; i++) document.querySelector("#cloud").dispatchEvent(
                new KeyboardEvent("keydown", { key: "ArrowLeft" }))""")
            browser.run("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
            turned = browser.run(COUNT)
            assert turned[0] > 50 and turned[1] != drawn[1], (recording, "the cloud does not turn", drawn, turned)
        wide = browser.run("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, (recording, width, "wider than the screen by", wide)
        browser.picture(work / f"{name}-{width}-{'dark' if dark else 'light'}.png")
        true_scales(recording, browser.run(SCALES), width)
        nodes = browser.run("document.querySelectorAll('*').length")
        assert nodes <= 6000, (recording, nodes, "elements")
        browser.run(UNFOLD)
        wrong = browser.run(ACTS)
        assert not wrong, (recording, width, wrong)
        browser.run(FOLD)
        plays = browser.run(PLAYS)
        assert not plays["wrong"], (recording, width, plays["wrong"])
        assert plays.get("cost", 0) < 16, (recording, width, "a move of the cursor takes", plays["cost"], "ms")
        faults = browser.faults()
        assert not faults, (recording, faults)
    browser.run(UNFOLD)
    same_numbers(robolog, recording, browser.run(FACTS))
    if recording.suffix == ".gpx":
        same_places(recording, browser.run(EXTENT))
    compared = same_series(recording, browser.run(SERIES)) if recording.suffix == ".alog" else 0
    browser("Emulation.setDeviceMetricsOverride", width=794, height=1123, deviceScaleFactor=1, mobile=False)
    browser("Emulation.setEmulatedMedia", media="print")
    true_scales(recording, browser.run(SCALES), "on paper")
    browser("Emulation.setEmulatedMedia", media="")
    sections = browser.run("document.querySelectorAll('section').length")
    seen = bare(browser, page, work / f"{name}-bare.png")
    assert seen[0] == 0 and seen[1] == sections and (seen[2] > 0 or not sections), (recording, "without its script", seen)
    size = page.stat().st_size
    print(f"{name}: {size / 1e6:.2f} MB, {sections} sections, {nodes} nodes, cloud pixels {drawn[0] if drawn else '-'}, "
          f"a move of the cursor {plays.get('cost', 0):.1f} ms, "
          f"{compared} series")


def main():
    robolog, chromium, work = sys.argv[1:4]
    work = pathlib.Path(work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    browser = Browser(chromium)
    wrong = 0
    try:
        for recording in sys.argv[4:]:
            try:
                look(browser, robolog, pathlib.Path(recording), work)
            except AssertionError as error:
                wrong += 1
                print(f"FAILED {recording}: {error}", flush=True)
    finally:
        browser.process.terminate()
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
