"use strict";
// The script of a report: one cursor for all pictures over time, a cloud that can be turned, lanes that can be dimmed and a
// search in the table of texts. Without it, every picture and table stays.
(() => {
  const root = document.documentElement;
  const one = (selector) => document.querySelector(selector);
  const all = (selector) => [...document.querySelectorAll(selector)];
  const data = JSON.parse(one("#data").textContent);
  const seconds = data.seconds;
  root.classList.add("js");

  const number = (value) =>
    Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential(3) : String(+value.toPrecision(4));
  const clamp = (value, low, high) => Math.min(high, Math.max(low, value));

  // ---- the cursor: a variable of the style, so that nothing is drawn again ----

  const COLUMNS = 300;
  const WIDE = 10000;

  // The least and greatest value of each column, read from the drawing when it is first needed. Columns that a line crosses
  // from one value to the next have the value of the line.
  const curvesOf = (frame) => {
    const low = +frame.dataset.low;
    const high = +frame.dataset.high;
    const lines = new Map();
    for (const line of frame.querySelectorAll("polyline")) {
      const stroke = line.getAttribute("stroke");
      if (stroke === "#D9DCE1") continue;
      if (!lines.has(stroke)) lines.set(stroke, { met: new Map(), crossed: new Map() });
      const { met, crossed } = lines.get(stroke);
      let before = null;
      for (const point of line.getAttribute("points").trim().split(" ")) {
        const [x, y] = point.split(",").map(Number);
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
    return [...lines.values()].map(({ met, crossed }) => new Map([...crossed, ...met]));
  };

  // Where a column has no value, that of the nearest one beside it.
  const endsAt = (columns, column) => {
    for (let away = 0; away <= 6; away += 1) {
      const ends = columns.get(column - away) ?? columns.get(column + away);
      if (ends) return ends;
    }
    return null;
  };

  // As many decimals as a thousandth of the scale has.
  const decimals = (frame) => clamp(Math.ceil(3 - Math.log10(frame.dataset.high - frame.dataset.low)), 0, 12);
  const fixed = (value, digits) => (digits > 6 || Math.abs(value) >= 1e6 ? number(value) : String(+value.toFixed(digits) + 0));

  const panels = all("[data-p]").map((frame) => ({ frame, out: document.getElementById(frame.dataset.p), curves: null }));
  const readPanels = (fraction) => {
    const column = Math.min(COLUMNS - 1, Math.floor(fraction * COLUMNS));
    for (const panel of panels) {
      if (!panel.frame.clientWidth) continue;
      panel.curves ??= curvesOf(panel.frame);
      const values = panel.curves.map((columns) => {
        const ends = endsAt(columns, column);
        if (!ends) return "–";
        const [low, high] = ends.map((value) => fixed(value, decimals(panel.frame)));
        return low === high ? low : low + "…" + high;
      });
      panel.out.textContent = values.join(" / ");
    }
  };

  const plans = new Map(all(".plan[data-map]").map((plan) => [+plan.dataset.map, plan]));
  const marks = data.tracks
    .filter((track) => plans.has(track.map) && track.points.length)
    .map((track) => {
      const mark = document.createElement("span");
      mark.className = track.main ? "mk now" : "mk now oth";
      mark.hidden = true;
      plans.get(track.map).append(mark);
      return { mark, track };
    });

  const placeOf = (points, t) => {
    let a = 0;
    let b = points.length - 1;
    while (b - a > 1) {
      const c = (a + b) >> 1;
      if (points[c][0] <= t) a = c;
      else b = c;
    }
    const [p, q] = [points[a], points[b]];
    const part = q[0] > p[0] ? clamp((t - p[0]) / (q[0] - p[0]), 0, 1) : 0;
    return [p[1] + (q[1] - p[1]) * part, p[2] + (q[2] - p[2]) * part];
  };

  // Latitude and longitude are even over a map.
  const degrees = (plan, [left, top]) => {
    const [north, west, south, east] = plan.dataset.geo.split(" ").map(Number);
    return [north + ((south - north) * top) / 100, west + ((east - west) * left) / 100];
  };

  const moveMarks = (t) => {
    const told = new Set();
    for (const { mark, track } of marks) {
      const place = placeOf(track.points, t);
      mark.hidden = false;
      mark.style.left = place[0] + "%";
      mark.style.top = place[1] + "%";
      const plan = plans.get(track.map);
      if (plan.dataset.geo && track.main && !told.has(plan)) {
        told.add(plan);
        const [latitude, longitude] = degrees(plan, place);
        const out = plan.parentElement.querySelector(".place");
        out.textContent = "At the cursor: " + latitude.toFixed(6) + "°, " + longitude.toFixed(6) + "°";
      }
    }
  };

  const thumbs = all(".thumb[data-t]");
  const markThumbs = (fraction) => {
    for (const row of all(".thumbs")) {
      let best = null;
      for (const thumb of row.querySelectorAll(".thumb[data-t]")) {
        thumb.classList.remove("now");
        const far = Math.abs(+thumb.dataset.t - fraction);
        if (!best || far < best.far) best = { thumb, far };
      }
      if (best) best.thumb.classList.add("now");
    }
  };

  const scrub = one("#scrub");
  const now = one("#now");
  let wanted = 0;
  let asked = false;
  const show = () => {
    asked = false;
    const t = wanted * seconds;
    root.style.setProperty("--c", wanted * 100 + "%");
    now.textContent = t.toFixed(seconds < 10 ? 3 : 1) + " s";
    scrub.value = wanted * 1000;
    scrub.setAttribute("aria-valuetext", now.textContent);
    readPanels(wanted);
    moveMarks(t);
    if (thumbs.length) markThumbs(wanted);
  };
  const seek = (fraction) => {
    wanted = clamp(fraction, 0, 1);
    if (!asked) requestAnimationFrame(show);
    asked = true;
  };
  addEventListener("pointermove", (event) => {
    const frame = event.target.closest?.(".tx");
    if (!frame) return;
    const box = frame.getBoundingClientRect();
    seek((event.clientX - box.left) / box.width);
  });
  scrub.addEventListener("input", () => seek(scrub.value / 1000));

  // ---- lanes: a click dims one, a second click shows it again ----

  for (const lane of all(".lane:not(.axis)")) {
    const name = lane.querySelector(".nm");
    if (!name) continue;
    name.tabIndex = 0;
    name.setAttribute("role", "button");
    name.setAttribute("aria-pressed", "true");
    const toggle = () => name.setAttribute("aria-pressed", String(!lane.classList.toggle("off")));
    name.addEventListener("click", toggle);
    name.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      toggle();
    });
  }

  // ---- search in the table of texts ----

  const find = one("#find");
  if (find) {
    const rows = all("#events-table tbody tr").map((row) => [row, row.textContent.toLowerCase()]);
    const search = () => {
      const word = find.value.trim().toLowerCase();
      let shown = 0;
      for (const [row, text] of rows) {
        row.hidden = !text.includes(word);
        if (!row.hidden) shown += 1;
      }
      one("#found").textContent = word ? shown + " of " + rows.length + " rows" : "";
    };
    find.addEventListener("input", search);
  }

  // ---- the cloud that can be turned ----

  const VERTEX = `#version 300 es
layout(location=0) in uvec4 point;
uniform float unit, mode, size;
uniform vec3 low, middle;
uniform vec2 ends;
uniform mat4 view;
out vec3 colour;
void main() {
  vec3 place = low + vec3(point.xyz) * unit;
  gl_Position = view * vec4(place - middle, 1.);
  gl_PointSize = size;
  float value = mode < .5 ? length(place) : mode < 1.5 ? place.z : float(point.w);
  float part = clamp((value - ends.x) / max(ends.y - ends.x, 1e-9), 0., 1.);
  vec3 a = vec3(.42, .28, .72), b = vec3(.20, .47, .68), c = vec3(.13, .65, .52), d = vec3(.99, .91, .15);
  colour = part < .33 ? mix(a, b, part * 3.) : part < .67 ? mix(b, c, (part - .33) * 3.) : mix(c, d, (part - .67) * 3.);
}`;
  const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour, 1.); }`;

  const turnable = (canvas) => {
    const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
    if (!gl) {
      canvas.closest("figure").hidden = true;
      one("#gl-none").hidden = false;
      return;
    }
    const shader = (kind, source) => {
      const made = gl.createShader(kind);
      gl.shaderSource(made, source);
      gl.compileShader(made);
      if (!gl.getShaderParameter(made, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(made));
      return made;
    };
    const program = gl.createProgram();
    gl.attachShader(program, shader(gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(program, shader(gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(program);
    gl.useProgram(program);
    gl.enable(gl.DEPTH_TEST);
    const at = (name) => gl.getUniformLocation(program, name);

    const VIEWS = { front: [0, 0.06], top: [0, 1.5705], side: [-1.5708, 0.02] };
    const MODES = ["range", "height", "intensity"];
    const UNITS = [" m from the sensor", " m high", " (intensity, the sensor's own scale)"];
    const loaded = new Map();
    let cloud = null;
    let points = null;
    let [yaw, pitch, zoom, mode, radius, due] = [-0.35, 0.22, 1, 0, 1, false];

    const load = (n) => {
      if (!loaded.has(n)) {
        const bytes = Uint8Array.from(atob(one("#points" + n).textContent), (c) => c.charCodeAt(0));
        const buffer = gl.createBuffer();
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
        loaded.set(n, { buffer, points: new Uint16Array(bytes.buffer) });
      }
      const { buffer } = loaded.get(n);
      cloud = data.clouds[n];
      points = loaded.get(n).points;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.enableVertexAttribArray(0);
      gl.vertexAttribIPointer(0, 4, gl.UNSIGNED_SHORT, 8, 0);
      one("#gl-note").textContent = cloud.note + ", stored to " + number(cloud.unit * 1000) + " mm";
      const intensity = one("#gl-colour").options[2];
      intensity.disabled = !cloud.intensity;
      if (intensity.disabled && mode === 2) one("#gl-colour").value = MODES[(mode = 0)];
    };

    // The view holds 97 of a hundred points.
    const fit = () => {
      const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
      const aspect = canvas.clientWidth / canvas.clientHeight;
      const step = Math.max(1, (cloud.n / 2000) | 0);
      const far = [];
      for (let i = 0; i < cloud.n; i += step) {
        const [x, y, z] = [0, 1, 2].map((k) => cloud.low[k] + points[i * 4 + k] * cloud.unit - cloud.centre[k]);
        far.push(Math.max(Math.abs(x * sy - y * cy) / aspect, Math.abs(x * cy * sp + y * sy * sp + z * cp)));
      }
      far.sort((a, b) => a - b);
      radius = far[(far.length * 0.97) | 0] * 1.25 || 1;
    };

    const draw = () => {
      due = false;
      const [width, height] = [canvas.clientWidth, canvas.clientHeight];
      const fine = Math.min(2, devicePixelRatio || 1);
      canvas.width = width * fine;
      canvas.height = height * fine;
      gl.viewport(0, 0, canvas.width, canvas.height);
      gl.clearColor(0.043, 0.051, 0.063, 1);
      gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
      // At yaw 0 the eye is behind the sensor and looks along x, with y to the left and z up.
      const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
      const right = [sy, -cy, 0];
      const ahead = [cy * cp, sy * cp, -sp];
      const up = [cy * sp, sy * sp, cp];
      const away = (radius / zoom) * 2.36 + cloud.size * 0.3;
      const lens = 1 / Math.tan(0.4);
      const near = away * 0.05;
      const far = away + cloud.size * 8;
      const a = (far + near) / (near - far);
      const b = (2 * far * near) / (near - far);
      const view = [];
      for (let i = 0; i < 3; i += 1) view.push((lens / (width / height)) * right[i], lens * up[i], -a * ahead[i], ahead[i]);
      view.push(0, 0, -a * away + b, away);
      const ends = cloud[MODES[mode]];
      gl.uniformMatrix4fv(at("view"), false, view);
      gl.uniform1f(at("unit"), cloud.unit);
      gl.uniform3fv(at("low"), cloud.low);
      gl.uniform3fv(at("middle"), cloud.centre);
      gl.uniform1f(at("mode"), mode);
      gl.uniform2f(at("ends"), ends[0], ends[1]);
      gl.uniform1f(at("size"), Math.max(1.5, 1.6 * fine * Math.sqrt(zoom)));
      gl.drawArrays(gl.POINTS, 0, cloud.n);
      one("#gl-legend").textContent =
        "Dark to bright: " + number(ends[0]) + " to " + number(ends[1]) + UNITS[mode] + ". Drag to turn, wheel to zoom.";
    };
    const ask = () => {
      if (!due) requestAnimationFrame(draw);
      due = true;
    };
    const turn = (dx, dy) => {
      yaw += dx;
      pitch = clamp(pitch + dy, -1.5705, 1.5705);
      ask();
    };
    const grow = (factor) => {
      zoom = clamp(zoom * factor, 0.2, 40);
      ask();
    };

    const held = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, event);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => held.delete(event.pointerId));
    }
    canvas.addEventListener("pointermove", (event) => {
      const before = held.get(event.pointerId);
      if (!before) return;
      held.set(event.pointerId, event);
      if (held.size === 2) {
        const other = [...held.values()].find((pointer) => pointer.pointerId !== event.pointerId);
        const apart = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1;
        grow(apart(event) / apart(before));
      } else {
        turn((before.clientX - event.clientX) * 0.008, (event.clientY - before.clientY) * 0.008);
      }
    });
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        grow(Math.exp(-event.deltaY * 0.001));
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      const arrow = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
      if (arrow) turn(...arrow);
      else if (event.key === "+") grow(1.2);
      else if (event.key === "-") grow(1 / 1.2);
      else return;
      event.preventDefault();
    });
    for (const button of all("[data-view]")) {
      button.addEventListener("click", () => {
        [yaw, pitch] = VIEWS[button.dataset.view];
        zoom = 1;
        fit();
        ask();
      });
    }
    one("#gl-colour").addEventListener("change", (event) => {
      mode = MODES.indexOf(event.target.value);
      ask();
    });
    one("#gl-set").addEventListener("change", (event) => {
      load(+event.target.value);
      fit();
      ask();
    });
    addEventListener("resize", () => {
      fit();
      ask();
    });
    load(0);
    fit();
    draw();
  };
  const canvas = one("#cloud");
  if (canvas && data.clouds.length) turnable(canvas);
})();
