// ---- readouts: values of each picture at the cursor ----

const COLUMNS = 300;
const WIDE = 10000;

// Minimum and maximum of each column, read from the drawing on first use. Columns crossed by a line between two values
// have the value of the line.
const curvesOf = (frame) => {
  const low = +frame.dataset.low;
  const high = +frame.dataset.high;
  const curves = [];
  for (const line of all("path", frame)) {
    const stroke = line.getAttribute("stroke");
    if (stroke === "#D9DCE1") continue;
    const [met, crossed] = [new Map(), new Map()];
    for (const piece of line.getAttribute("d").split("M").slice(1)) {
      const steps = piece.match(/-?\d+/g).map(Number);
      let [x, y, before] = [0, 0, null];
      for (let i = 0; i + 1 < steps.length; i += 2) {
        x += steps[i];
        y += steps[i + 1];
        const value = high - (y / WIDE) * (high - low);
        const column = Math.min(COLUMNS - 1, Math.floor((x / WIDE) * COLUMNS));
        const ends = met.get(column);
        met.set(column, ends ? [Math.min(ends[0], value), Math.max(ends[1], value)] : [value, value]);
        for (let c = before ? before.column + 1 : column; c < column; c += 1) {
          const between = before.value + ((value - before.value) * (c - before.column)) / (column - before.column);
          crossed.set(c, [between, between]);
        }
        before = { column, value };
      }
    }
    curves.push({ stroke, columns: new Map([...crossed, ...met]) });
  }
  return curves;
};

// A column without a value uses the nearest one.
const endsAt = (columns, column) => {
  for (let away = 0; away <= 6; away += 1) {
    const ends = columns.get(column - away) ?? columns.get(column + away);
    if (ends) return ends;
  }
  return null;
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
  const column = Math.min(COLUMNS - 1, Math.floor((seconds ? t / seconds : 0) * COLUMNS));
  panel.curves ??= curvesOf(frame);
  panel.unit ??= unitOf(panel.out);
  const said = panel.curves.map(({ columns }) => {
    const ends = endsAt(columns, column);
    if (!ends) return "–";
    const [low, high] = ends.map((value) => fixed(value, decimals(frame)));
    return low === high ? low : low + "…" + high;
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
