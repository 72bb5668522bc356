// ---- the stage of the replay: moving objects from above, the laser, the camera, and values at the cursor ----

const base64 = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
// 16-bit columns: time, position and heading.
for (const track of data.tracks) {
  const columns = new Uint16Array(base64(track.columns).buffer);
  const n = columns.length / 4;
  track.n = n;
  track.time = (i) => (columns[i] / 65535) * seconds;
  track.x = (i) => track.low[0] + columns[n + i] * track.unit[0];
  track.y = (i) => track.low[1] + columns[2 * n + i] * track.unit[1];
  track.heading = (i) => (columns[3 * n + i] / 65536) * 2 * Math.PI;
  // The last position that is not later than `t`.
  track.before = (t) => {
    let [a, b] = [0, n - 1];
    while (b - a > 1) {
      const c = (a + b) >> 1;
      if (track.time(c) <= t) a = c;
      else b = c;
    }
    return a;
  };
  track.at = (t) => {
    const a = track.before(t);
    const b = Math.min(a + 1, n - 1);
    const [from, to] = [track.time(a), track.time(b)];
    const part = to > from ? clamp((t - from) / (to - from), 0, 1) : 0;
    const mix = (of) => of(a) + (of(b) - of(a)) * part;
    const turned = track.heading(b) - track.heading(a);
    const heading = track.heading(a) + Math.atan2(Math.sin(turned), Math.cos(turned)) * part;
    return { x: mix(track.x), y: mix(track.y), heading };
  };
}

// Colours and sizes are read when they change, not at each move: reading them costs a layout.
const colours = new Map();
matchMedia("(prefers-color-scheme:dark)").addEventListener("change", () => {
  colours.clear();
  ask();
});
const colour = (name) => {
  if (!colours.has(name)) colours.set(name, getComputedStyle(root).getPropertyValue(name).trim());
  return colours.get(name);
};
const sizes = new WeakMap();
const sizing = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) sizes.set(target, [contentRect.width, contentRect.height]);
  ask();
});
const paint = (canvas, draw) => {
  if (!sizes.has(canvas)) {
    sizes.set(canvas, [canvas.clientWidth, canvas.clientHeight]);
    sizing.observe(canvas);
  }
  const fine = Math.min(2, devicePixelRatio || 1);
  const [width, height] = sizes.get(canvas);
  if (!width) return;
  if (canvas.width !== Math.round(width * fine) || canvas.height !== Math.round(height * fine)) {
    canvas.width = Math.round(width * fine);
    canvas.height = Math.round(height * fine);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(fine, 0, 0, fine, 0, 0);
  pen.clearRect(0, 0, width, height);
  draw(pen, width, height);
};

const fromAbove = (canvas) => {
  const plan = data.plans[0];
  const tracks = data.tracks.filter((track) => track.map === 0);
  const mains = tracks.filter((track) => track.main);
  const chase = one("#chase");
  // At least four object lengths, however little the object moves.
  const longest = tracks.reduce((most, { box }) => Math.max(most, ...(box ?? [])), 0);
  const [wide, high] = [plan.x, plan.y].map(([from, to]) => Math.max(to - from, 4 * longest));
  // Objects drawn to scale would be invisible on a map of a city.
  chase.checked = mains.length > 0 && tracks.some((track) => track.box) && Math.max(wide, high) > 150;
  let [enlarged, shift, trail] = [1, [0, 0], Math.max(seconds * 0.1, Math.min(seconds, 5))];
  const draw = (pen, width, height) => {
    const lead = mains[0]?.at(moment);
    const scale = enlarged * (chase.checked && lead ? Math.min(width, height) / 90 : Math.min(width / wide, height / high));
    const eye = chase.checked && lead ? [lead.x, lead.y] : [(plan.x[0] + plan.x[1]) / 2, (plan.y[0] + plan.y[1]) / 2];
    const px = (x) => width / 2 + (x - eye[0]) * scale + shift[0];
    const py = (y) => height / 2 - (y - eye[1]) * scale + shift[1];
    const { step } = ticks(0, width / scale, 6);
    pen.strokeStyle = colour("--line");
    pen.lineWidth = 1;
    pen.beginPath();
    for (let x = Math.ceil((eye[0] - (width / 2 + shift[0]) / scale) / step) * step; px(x) < width; x += step) pen.moveTo(px(x), 0), pen.lineTo(px(x), height);
    for (let y = Math.ceil((eye[1] - (height / 2 - shift[1]) / scale) / step) * step; py(y) > 0; y += step) pen.moveTo(0, py(y)), pen.lineTo(width, py(y));
    pen.stroke();
    const line = (track, from, to) => {
      pen.beginPath();
      for (let i = from; i <= to; i += 1) pen.lineTo(px(track.x(i)), py(track.y(i)));
      const end = track.at(moment);
      if (to < track.n - 1) pen.lineTo(px(end.x), py(end.y));
      pen.stroke();
    };
    pen.strokeStyle = colour("--mut");
    pen.globalAlpha = 0.45;
    pen.lineWidth = 2;
    for (const track of mains) {
      pen.beginPath();
      for (let i = 0; i < track.n; i += 1) pen.lineTo(px(track.x(i)), py(track.y(i)));
      pen.stroke();
    }
    pen.globalAlpha = 1;
    tracks.forEach((track, n) => {
      if (moment < track.time(0) - 1e-3 || moment > track.time(track.n - 1) + seconds * 0.01 + 0.1) return;
      const tone = track.main ? colour("--s" + (mains.indexOf(track) % 6)) : mains.length ? colour("--mut") : colour("--s" + (n % 6));
      const here = track.at(moment);
      pen.strokeStyle = pen.fillStyle = tone;
      pen.globalAlpha = 0.6;
      pen.lineWidth = 3;
      line(track, track.before(Math.max(0, moment - trail)), track.before(moment));
      pen.globalAlpha = 1;
      pen.save();
      pen.translate(px(here.x), py(here.y));
      pen.rotate(-here.heading);
      const [long, broad] = (track.box ?? [0, 0]).map((v) => v * scale);
      pen.beginPath();
      if (long > 8) {
        pen.rect(-long / 2, -broad / 2, long, broad);
        pen.moveTo(long / 2 - broad / 2, -broad / 2);
        pen.lineTo(long / 2, 0);
        pen.lineTo(long / 2 - broad / 2, broad / 2);
        pen.globalAlpha = 0.35;
        pen.fill();
        pen.globalAlpha = 1;
        pen.lineWidth = 2;
        pen.stroke();
      } else {
        const size = track.main ? 9 : 5;
        pen.moveTo(size, 0);
        pen.lineTo(-size, -size * 0.65);
        pen.lineTo(-size * 0.5, 0);
        pen.lineTo(-size, size * 0.65);
        pen.closePath();
        pen.fill();
      }
      pen.restore();
    });
    pen.fillStyle = colour("--mut");
    pen.font = "12px system-ui";
    pen.fillRect(12, height - 14, step * scale, 2);
    pen.fillText(step < 1e4 ? number(step) + " m" : number(step / 1e3) + " km", 12, height - 18);
  };
  sight.observe(canvas);
  const redraw = () => paint(canvas, draw);
  follow(() => seen.has(canvas) && redraw());
  chase.addEventListener("change", () => {
    [enlarged, shift] = [1, [0, 0]];
    redraw();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!(event.buttons & 1)) return;
    shift = [shift[0] + event.movementX, shift[1] + event.movementY];
    redraw();
  });
  canvas.addEventListener("pointerdown", () => canvas.classList.add("held"));
  canvas.addEventListener("blur", () => canvas.classList.remove("held"));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !canvas.classList.contains("held")) return;
    event.preventDefault();
    enlarged = clamp(enlarged * Math.exp(-event.deltaY * 0.001), 0.2, 200);
    redraw();
  }, { passive: false });
};

const beams = (canvas, scans) => {
  const ranges = new Uint16Array(base64(scans.ranges).buffer);
  sight.observe(canvas);
  follow((t) => {
    if (!seen.has(canvas)) return;
    const k = Math.max(0, scans.moments.findLastIndex((at) => at <= t + 1e-6));
    one("#beams-at").textContent = "at " + scans.moments[k].toFixed(2) + " s, " + number(scans.most) + " m from centre to edge";
    paint(canvas, (pen, width, height) => {
      const scale = Math.min(width, height) / 2 / scans.most;
      const { found } = ticks(0, scans.most, 4);
      pen.strokeStyle = colour("--line");
      for (const ring of found) {
        pen.beginPath();
        pen.arc(width / 2, height / 2, ring * scale, 0, 7);
        pen.stroke();
      }
      pen.fillStyle = colour("--s0");
      for (let i = 0; i < scans.beams; i += 1) {
        const raw = ranges[k * scans.beams + i];
        if (!raw) continue;
        const [range, angle] = [raw * scans.unit, scans.first + i * scans.step];
        pen.fillRect(width / 2 - Math.sin(angle) * range * scale - 1, height / 2 - Math.cos(angle) * range * scale - 1, 2, 2);
      }
    });
  });
};

// The camera image, and words and numbers at the cursor, taken from the page.
const shot = one("#shot");
if (shot) {
  const thumbs = cameras.find((row) => row.length);
  follow((t) => {
    const [, best] = nearest(thumbs, seconds ? t / seconds : 0);
    const image = one("img", best);
    if (shot.src !== image.src) [shot.src, shot.alt] = [image.src, image.alt];
  });
}
const nows = one("#nows");
if (nows) {
  sight.observe(nows);
  const row = (name, unit) => {
    const value = element("td");
    const line = element("tr");
    line.append(element("th", "", name), value, element("td", "", unit));
    nows.append(line);
    return value;
  };
  const said = [...ribbons].slice(0, 6).map(([lane, known]) => [row(one(".nm", lane).title, ""), known]);
  const shown = [...panels].slice(0, 8).map(([frame, panel]) => {
    const figure = frame.closest("figure");
    const unit = unitOf(panel.out) ? "" : one(".rd span", figure).textContent.replace("no unit recorded", "");
    return [row(one("figcaption b", figure).textContent, unit), panel, frame];
  });
  follow((t) => {
    if (!seen.has(nows)) return;
    for (const [value, known] of said) value.textContent = wordAt(known, t);
    for (const [value, panel, frame] of shown) value.textContent = valuesAt(frame, panel, t).join("  ");
  });
}
if (one("#above")) fromAbove(one("#above"));
if (one("#beams")) beams(one("#beams"), data.scans);
if (one("#cloud") && data.clouds.length) turnable(one("#cloud"));
