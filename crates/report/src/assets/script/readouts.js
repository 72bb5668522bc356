// ---- readouts: values of each picture at the cursor ----

const WIDE = 10000;

// The points of each line in order of time, read from the drawing on first use: place, value, piece.
const curvesOf = (frame) => {
  const low = +frame.dataset.low;
  const high = +frame.dataset.high;
  const curves = [];
  for (const line of all("path", frame)) {
    const stroke = line.getAttribute("stroke");
    if (stroke === "#D9DCE1") continue;
    const points = [];
    line.getAttribute("d").split("M").slice(1).forEach((piece, n) => {
      const steps = piece.match(/-?\d+/g).map(Number);
      let [x, y] = [0, 0];
      for (let i = 0; i + 1 < steps.length; i += 2) {
        x += steps[i];
        y += steps[i + 1];
        points.push([x, high - (y / WIDE) * (high - low), n]);
      }
    });
    curves.push({ stroke, points });
  }
  return curves;
};

// The value of a line at a place: between two points of a piece, on the line; else the nearest one that is not far.
const valueAt = (points, x) => {
  let [from, to] = [0, points.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (points[middle][0] <= x) from = middle + 1;
    else to = middle;
  }
  const [a, b] = [points[from - 1], points[from]];
  if (a && b && a[2] === b[2]) return a[1] + ((b[1] - a[1]) * (x - a[0])) / (b[0] - a[0]);
  const near = [a, b].filter((point) => point && Math.abs(point[0] - x) <= WIDE / 50);
  near.sort((p, q) => Math.abs(p[0] - x) - Math.abs(q[0] - x));
  return near.length ? near[0][1] : null;
};

// Decimals for a thousandth of the scale.
const decimals = (frame) => clamp(Math.ceil(3 - Math.log10(frame.dataset.high - frame.dataset.low)), 0, 12);
const fixed = (value, digits) =>
  digits > 6 || Math.abs(value) >= 1e6 ? number(value) : minus(String(+value.toFixed(digits) + 0));

// The unit without explanations, such as the source of a speed.
const unitOf = (out) => {
  const words = out.previousElementSibling.textContent;
  return /^(no unit|share|in use|HDOP)/.test(words) ? "" : "\u202f" + words.split(",")[0];
};

const panels = new Map();
const findPanels = () => {
  for (const frame of all("[data-p]")) {
    if (panels.has(frame)) continue;
    panels.set(frame, { out: document.getElementById(frame.dataset.p), curves: null });
    sight.observe(frame);
  }
};
findPanels();
onChange(findPanels);
const valuesAt = (frame, panel, t) => {
  const x = (seconds ? t / seconds : 0) * WIDE;
  panel.curves ??= curvesOf(frame);
  panel.unit ??= unitOf(panel.out);
  const said = panel.curves.map(({ points }) => {
    const value = valueAt(points, x);
    return value === null ? "–" : fixed(value, decimals(frame));
  });
  if (said.length) said[said.length - 1] += panel.unit;
  return said;
};
follow((t) => {
  for (const [frame, panel] of panels) {
    if (!seen.has(frame)) continue;
    const values = valuesAt(frame, panel, t);
    if (!panel.out.childElementCount) {
      panel.out.replaceChildren(
        ...panel.curves.map(({ stroke }) => {
          const value = element("b", "", "–");
          value.dataset.s = stroke;
          return value;
        }),
      );
    }
    values.forEach((value, n) => (panel.out.children[n].firstChild.data = value));
  }
});

// ---- states: the current word of each ribbon ----

const ribbons = new Map();
const findRibbons = () => {
  for (const lane of all(".lane")) {
    const frame = one(".seglane", lane);
    if (!frame || ribbons.has(lane)) continue;
    const parts = all(".seg", frame).map((part) => [parseFloat(part.style.left) / 100, part.textContent]);
    const out = element("output", "word");
    one(".st", lane).prepend(out);
    ribbons.set(lane, { parts, out });
    sight.observe(lane);
  }
};
findRibbons();
onChange(findRibbons);
const wordAt = ({ parts }, t) => parts.findLast(([from]) => from <= (seconds ? t / seconds : 0) + 1e-6)?.[1] ?? "–";
follow((t) => {
  for (const [lane, known] of ribbons) {
    if (!seen.has(lane)) continue;
    const word = wordAt(known, t);
    if (known.out.textContent !== word) known.out.textContent = word;
  }
});

// ---- images: the nearest in time ----

const cameras = all(".thumbs").map((row) => all(".thumb[data-t]", row).map((thumb) => [+thumb.dataset.t, thumb]));
const nearest = (thumbs, fraction) =>
  thumbs.reduce((best, thumb) => (Math.abs(thumb[0] - fraction) < Math.abs(best[0] - fraction) ? thumb : best));
follow((t) => {
  for (const thumbs of cameras) {
    if (!thumbs.length) continue;
    const [, best] = nearest(thumbs, seconds ? t / seconds : 0);
    if (best.classList.contains("now")) continue;
    for (const [, thumb] of thumbs) thumb.classList.toggle("now", thumb === best);
  }
});

// ---- lanes: a click dims one, a second click shows it again ----

const findNames = () => {
  for (const name of all(".lane:not(.axis) > .nm:not([role])")) {
    name.tabIndex = 0;
    name.setAttribute("role", "button");
    name.setAttribute("aria-pressed", "true");
  }
};
findNames();
onChange(findNames);
const dim = (name) => name.setAttribute("aria-pressed", String(!name.parentElement.classList.toggle("off")));
const nameOf = (event) => event.target.closest?.(".lane > .nm[role]");
addEventListener("click", (event) => {
  const name = nameOf(event);
  if (name) dim(name);
});
addEventListener("keydown", (event) => {
  const name = nameOf(event);
  if (!name || (event.key !== "Enter" && event.key !== " ")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  dim(name);
});

// ---- filter: lanes, states and panels whose name contains a word ----

const filter = one("#filter");
filter.addEventListener("input", () => {
  const word = filter.value.trim().toLowerCase();
  for (const fold of word ? all("#channels > details:not(.data), #states > details:not(.data), #numbers > details:not(.data)") : []) {
    unfold(fold);
    fold.open = true;
  }
  for (const item of all(".lane:not(.axis), .panel")) {
    const name = item.matches(".lane") ? one(".nm", item).title : one("figcaption", item).textContent;
    item.hidden = !name.toLowerCase().includes(word);
  }
  forget();
});

// ---- search in the table of texts ----

const find = one("#find");
if (find) {
  let rows = [];
  find.addEventListener("input", () => {
    for (const more of all("#events-table details")) {
      unfold(more);
      more.open = true;
    }
    if (!rows.length) rows = all("#events-table tbody tr").map((row) => [row, row.textContent.toLowerCase()]);
    const word = find.value.trim().toLowerCase();
    let shown = 0;
    for (const [row, text] of rows) {
      row.hidden = !text.includes(word);
      if (!row.hidden) shown += 1;
    }
    one("#found").textContent = word ? shown + " of " + rows.length + " rows" : "";
  });
}
