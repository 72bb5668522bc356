// ---- time: one cursor for all pictures ----

const starters = [];
// Calls `what` when a replay starts.
const onPlay = (what) => starters.push(what);
const followers = [];
// Calls `what` with the cursor time in seconds whenever it changes.
const follow = (what) => followers.push(what);
const scrub = one("#scrub");
const now = one("#now");
let moment = 0;
let asked = false;
const show = () => {
  asked = false;
  now.textContent = moment.toFixed(seconds < 100 ? 3 : 1) + " s";
  scrub.value = seconds ? (moment / seconds) * 1000 : 0;
  scrub.setAttribute("aria-valuetext", now.textContent);
  for (const what of followers) what(moment);
};
const ask = () => {
  if (!asked) requestAnimationFrame(show);
  asked = true;
};
const seek = (t) => {
  moment = clamp(t, 0, seconds);
  ask();
};
scrub.addEventListener("input", () => seek((scrub.value / 1000) * seconds));

// ---- visible or nearly visible elements: readouts may be visible before their picture. The rest is updated later ----

const seen = new Set();
const sight = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) {
    if (isIntersecting) seen.add(target);
    else seen.delete(target);
  }
  ask();
}, { rootMargin: "300px 0px" });

// ---- zoom: start and end, as fractions of the recording ----

let zoom = [0, 1];
const spread = (fraction) => (fraction - zoom[0]) / (zoom[1] - zoom[0]);
const gather = (part) => zoom[0] + part * (zoom[1] - zoom[0]);
const placeIn = (frame, x) => {
  const box = frame.getBoundingClientRect();
  return gather(clamp((x - box.left) / box.width, 0, 1));
};

const UNITS = [[180, 1, "s"], [10800, 60, "min"], [200000, 3600, "h"], [Infinity, 86400, "d"]];
const label = (axis) => {
  const [from, to] = zoom.map((fraction) => fraction * seconds);
  const [, scale, unit] = UNITS.find(([most]) => seconds < most);
  const { found, step } = ticks(from / scale, to / scale, axis.clientWidth < 500 ? 4 : 6);
  const digits = clamp(-Math.floor(Math.log10(step) + 1e-9), 0, 9);
  axis.replaceChildren(
    ...found.map((tick) => {
      const at = 100 * spread((tick * scale) / seconds);
      const span = element("span", "", tick.toFixed(digits) + " " + unit);
      span.style.left = at + "%";
      span.style.transform = "translateX(" + (at > 96 ? "-100%" : at < 2 ? "0" : "-50%") + ")";
      return span;
    }),
  );
};
const zoomTo = (from, to) => {
  const least = 1e-4;
  const width = clamp(to - from, least, 1);
  from = clamp(from, 0, 1 - width);
  zoom = [from, from + width];
  root.style.setProperty("--w", 100 / width + "%");
  root.style.setProperty("--l", (-100 * from) / width + "%");
  root.classList.toggle("zoomed", width < 1);
  all(".taxis").forEach(label);
  ask();
};
onChange(() => {
  if (zoom[1] - zoom[0] < 1) all(".taxis").forEach(label);
});

// ---- the cursor: one overlay per section, over all its pictures over time ----

const sections = new Map();
const measure = (section, known) => {
  const home = section.getBoundingClientRect();
  known.frames = all(".tx", section)
    .filter((frame) => frame.clientWidth)
    .map((frame) => {
      const box = frame.getBoundingClientRect();
      return [box.left - home.left, box.top - home.top, box.width, box.height];
    });
};
const forget = () => {
  for (const known of sections.values()) known.frames = null;
  ask();
};
const cover = () => {
  for (const section of all("section")) {
    if (sections.has(section) || !one(".tx", section)) continue;
    const path = drawing("path", {});
    section.append(drawing("svg", { class: "cursor", "aria-hidden": "true" }, path));
    sections.set(section, { path, frames: null });
    sight.observe(section);
    new ResizeObserver(forget).observe(section);
  }
};
cover();
onChange(cover);
onChange(forget);
addEventListener("resize", forget);
follow((t) => {
  const at = spread(seconds ? t / seconds : 0);
  for (const [section, known] of sections) {
    if (!seen.has(section)) continue;
    if (!known.frames) measure(section, known);
    const line = ([left, top, width, height]) => "M" + (left + at * width).toFixed(1) + " " + top + "v" + height;
    known.path.setAttribute("d", at >= 0 && at <= 1 ? known.frames.map(line).join("") : "");
  }
});

// ---- the pointer over a picture sets the cursor; a drag zooms, a double click shows everything again ----

let drag = null;
const chosen = element("i", "chosen");
addEventListener("pointermove", (event) => {
  if (drag) {
    if (Math.abs(event.clientX - drag.x) < 6 && !chosen.parentElement) return;
    const to = placeIn(drag.frame, event.clientX);
    const [a, b] = [drag.from, to].sort((a, b) => a - b).map(spread);
    chosen.style.left = a * 100 + "%";
    chosen.style.width = (b - a) * 100 + "%";
    if (!chosen.parentElement) drag.frame.append(chosen);
    return;
  }
  const frame = event.pointerType === "touch" ? null : event.target.closest?.(".tx");
  if (frame && !player.isPlaying) seek(placeIn(frame, event.clientX) * seconds);
});
addEventListener("pointerdown", (event) => {
  const frame = event.target.closest?.(".tx");
  if (!frame || event.button !== 0) return;
  const from = placeIn(frame, event.clientX);
  drag = { frame, x: event.clientX, from };
  seek(from * seconds);
});
for (const name of ["pointerup", "pointercancel"]) {
  addEventListener(name, (event) => {
    if (drag && chosen.parentElement && name === "pointerup") {
      const [a, b] = [drag.from, placeIn(drag.frame, event.clientX)].sort((a, b) => a - b);
      if (b > a) zoomTo(a, b);
    }
    chosen.remove();
    drag = null;
  });
}
addEventListener("dblclick", (event) => {
  if (event.target.closest?.(".tx")) zoomTo(0, 1);
});
one("#all")?.addEventListener("click", () => zoomTo(0, 1));
