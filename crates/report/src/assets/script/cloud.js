// ---- 3D view of clouds ----

const VERTEX = `#version 300 es
layout(location=0) in uint x;
layout(location=1) in uint y;
layout(location=2) in uint z;
layout(location=3) in uint more;
uniform float unit, mode, size;
uniform vec3 low, middle;
uniform vec2 ends, scale;
uniform mat4 view;
out vec3 colour;
void main() {
  vec3 place = low + vec3(x, y, z) * unit;
  gl_Position = view * vec4(place - middle, 1.);
  gl_PointSize = size;
  float value = mode < .5 ? length(place) : mode < 1.5 ? place.z : scale.x + float(more) * scale.y;
  float part = clamp((value - ends.x) / max(ends.y - ends.x, 1e-9), 0., 1.);
  vec3 a = vec3(.42, .28, .72), b = vec3(.20, .47, .68), c = vec3(.13, .65, .52), d = vec3(.99, .91, .15);
  colour = part < .33 ? mix(a, b, part * 3.) : part < .67 ? mix(b, c, (part - .33) * 3.) : mix(c, d, (part - .67) * 3.);
}`;
const FRAGMENT = `#version 300 es
precision mediump float;
in vec3 colour;
out vec4 pixel;
void main() { pixel = vec4(colour, 1.); }`;

// The columns of a cloud: three of 16 bits, and one byte per point for each further attribute.
const MORE = ["intensity", "ring", "time"];
const decode = (about, n, bytes) => {
  const cloud = { about, n, places: new Uint16Array(bytes.buffer, bytes.byteOffset, 3 * n), more: {} };
  let at = 6 * n;
  for (const name of MORE) {
    if (!about[name]) continue;
    cloud.more[name] = bytes.subarray(at, at + n);
    at += n;
  }
  cloud.bytes = bytes.subarray(0, at);
  return cloud;
};
const fromText = (id) => Uint8Array.from(atob(one(id).textContent), (c) => c.charCodeAt(0));

const turnable = (canvas) => {
  const gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
  if (!gl) {
    // A picture stands in its place.
    const picture = one("#clouds figure")?.cloneNode(true);
    const figure = canvas.closest("figure");
    if (picture) figure.before(picture);
    figure.hidden = true;
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

  const UNITS = { range: " m from the sensor", height: " m high", intensity: " (the sensor's own scale)", ring: " (laser)", time: " s" };
  const START = [-0.35, Math.PI / 6];
  const loaded = new Map();
  let cloud = null;
  let mode = "height";
  let [yaw, pitch, grow, radius, due] = [...START, 1, 1, false];
  let middle = [0, 0, 0];
  const sweeps = data.sweeps;
  let sweep = -1;

  const upload = (buffer) => {
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, cloud.bytes, gl.DYNAMIC_DRAW);
  };
  const show = () => {
    const { about, n } = cloud;
    one("#gl-note").textContent = about.note + ", stored to " + number(about.unit * 1000) + " mm";
    for (const option of one("#gl-colour").options) option.disabled = !about[option.value];
    if (!about[mode]) mode = "height";
    one("#gl-colour").value = mode;
    for (let k = 0; k < 3; k += 1) {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribIPointer(k, 1, gl.UNSIGNED_SHORT, 2, 2 * n * k);
    }
    ask();
  };
  const pointMore = () => {
    const names = MORE.filter((name) => cloud.about[name]);
    const k = names.indexOf(mode);
    if (k < 0) return gl.disableVertexAttribArray(3), gl.vertexAttribI4ui(3, 0, 0, 0, 0);
    gl.enableVertexAttribArray(3);
    gl.vertexAttribIPointer(3, 1, gl.UNSIGNED_BYTE, 1, (6 + k) * cloud.n);
  };
  const load = (n) => {
    if (!loaded.has(n)) loaded.set(n, { cloud: decode(data.clouds[n], data.clouds[n].n, fromText("#points" + n)), buffer: gl.createBuffer() });
    const known = loaded.get(n);
    cloud = known.cloud;
    sweep = -1;
    if (known.filled) gl.bindBuffer(gl.ARRAY_BUFFER, known.buffer);
    else upload(known.buffer);
    known.filled = true;
    middle = cloud.about.centre;
    show();
  };

  // The cloud at the cursor: each is shown from its time until the next.
  let passing = null;
  const loadSweep = () => {
    passing ??= { bytes: fromText("#sweeps"), buffer: gl.createBuffer() };
    const next = Math.max(0, sweeps.moments.findLastIndex((t) => t <= moment + 1e-6));
    if (next === sweep) return;
    const size = (n) => n * (6 + MORE.filter((name) => sweeps[name]).length);
    let from = 0;
    for (let k = 0; k < next; k += 1) from += size(sweeps.counts[k]);
    const n = sweeps.counts[next];
    cloud = decode(sweeps, n, passing.bytes.slice(from, from + size(n)));
    if (sweep < 0) middle = sweeps.centre;
    sweep = next;
    upload(passing.buffer);
    show();
    one("#gl-note").textContent = sweeps.note + "; this one at " + sweeps.moments[next].toFixed(2) + " s";
  };
  const isReplay = () => one("#gl-set").value === "sweeps";
  follow(() => {
    if (sweeps && isReplay()) loadSweep();
  });

  // At yaw 0 the eye is behind the sensor and looks along x, with y to the left and z up.
  const axes = () => {
    const [cy, sy, cp, sp] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
    return { right: [sy, -cy, 0], ahead: [cy * cp, sy * cp, -sp], up: [cy * sp, sy * sp, cp] };
  };
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const place = (i) => [0, 1, 2].map((k) => cloud.about.low[k] + cloud.places[k * cloud.n + i] * cloud.about.unit);
  const some = (most) => {
    const step = Math.max(1, (cloud.n / most) | 0);
    return Array.from({ length: Math.floor(cloud.n / step) }, (_, k) => place(k * step));
  };
  const quantile = (values, q) => values.sort((a, b) => a - b)[Math.min(values.length - 1, (values.length * q) | 0)];

  // The view contains 97 % of the points.
  const fit = () => {
    const { right, up } = axes();
    const aspect = canvas.clientWidth / canvas.clientHeight;
    const far = some(2000).map((p) => {
      const d = p.map((v, k) => v - middle[k]);
      return Math.max(Math.abs(dot(d, right)) / aspect, Math.abs(dot(d, up)));
    });
    radius = quantile(far, 0.97) * 1.2 || 1;
  };
  const top = () => {
    // The longer side of the cloud is along the longer side of the canvas.
    const points = some(2000);
    const width = (k) => quantile(points.map((p) => p[k]), 0.97) - quantile(points.map((p) => p[k]), 0.03);
    const isWide = canvas.clientWidth > canvas.clientHeight;
    return [width(0) > width(1) === isWide ? -Math.PI / 2 : 0, 1.5705];
  };
  const VIEWS = { start: () => START, front: () => [0, 0.06], top, side: () => [-Math.PI / 2, 0.02] };

  const lens = 1 / Math.tan(0.4);
  const away = () => (radius / grow) * 2.36 + cloud.about.size * 0.05;
  const draw = () => {
    due = false;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const fine = Math.min(2, devicePixelRatio || 1);
    if (canvas.width !== Math.round(width * fine) || canvas.height !== Math.round(height * fine)) {
      canvas.width = Math.round(width * fine);
      canvas.height = Math.round(height * fine);
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0.043, 0.051, 0.063, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { right, ahead, up } = axes();
    const about = cloud.about;
    const near = away() * 0.02;
    const far = away() + about.size * 8;
    const a = (far + near) / (near - far);
    const b = (2 * far * near) / (near - far);
    const view = [];
    for (let i = 0; i < 3; i += 1) view.push((lens / (width / height)) * right[i], lens * up[i], -a * ahead[i], ahead[i]);
    view.push(0, 0, -a * away() + b, away());
    const ends = about[mode];
    gl.uniformMatrix4fv(at("view"), false, view);
    gl.uniform1f(at("unit"), about.unit);
    gl.uniform3fv(at("low"), about.low);
    gl.uniform3fv(at("middle"), middle);
    gl.uniform1f(at("mode"), mode === "range" ? 0 : mode === "height" ? 1 : 2);
    gl.uniform2f(at("ends"), ends[0], ends[1]);
    gl.uniform2f(at("scale"), ends[2] ?? 0, ends[3] ?? 1);
    gl.uniform1f(at("size"), Math.max(1.5, 1.5 * fine * Math.sqrt(grow)));
    pointMore();
    gl.drawArrays(gl.POINTS, 0, cloud.n);
    one("#gl-low").textContent = number(ends[0]);
    one("#gl-high").textContent = number(ends[1]) + UNITS[mode];
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
  const enlarge = (factor) => {
    grow = clamp(grow * factor, 0.2, 60);
    ask();
  };
  const metres = () => (2 * away()) / (lens * canvas.clientHeight);
  const pan = (dx, dy) => {
    const { right, up } = axes();
    middle = middle.map((v, k) => v - right[k] * dx * metres() + up[k] * dy * metres());
    ask();
  };

  // ---- the nearest point to a click ----

  const pick = (x, y) => {
    const { right, ahead, up } = axes();
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    let best = null;
    for (let i = 0; i < cloud.n; i += 1) {
      const d = place(i).map((v, k) => v - middle[k]);
      const deep = away() + dot(d, ahead);
      if (deep <= 0) continue;
      const px = (width / 2) * (1 + (lens / (width / height)) * (dot(d, right) / deep));
      const py = (height / 2) * (1 - lens * (dot(d, up) / deep));
      const off = Math.hypot(px - x, py - y);
      if (off < 8 && (!best || off + deep * 1e-3 < best.cost)) best = { i, cost: off + deep * 1e-3, px, py };
    }
    const mark = one("#gl-pick");
    mark.hidden = !best;
    if (!best) return;
    const p = place(best.i);
    const words = ["x " + number(p[0]), "y " + number(p[1]), "z " + number(p[2]) + " m", "range " + number(Math.hypot(...p)) + " m"];
    for (const [name, column] of Object.entries(cloud.more)) {
      const [, , from, scale] = cloud.about[name];
      words.push(name + " " + number(from + column[best.i] * scale));
    }
    mark.textContent = words.join("  ");
    mark.style.left = best.px + "px";
    mark.style.top = best.py + "px";
  };

  // ---- pointers: one rotates, two move and zoom. The page scrolls until the canvas is clicked ----

  const held = new Map();
  let travelled = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, event);
    travelled = 0;
  });
  canvas.addEventListener("pointerup", (event) => {
    if (held.size !== 1 || travelled > 4 || event.button !== 0) return;
    canvas.classList.add("held");
    const box = canvas.getBoundingClientRect();
    pick(event.clientX - box.left, event.clientY - box.top);
  });
  for (const name of ["pointerup", "pointercancel"]) {
    canvas.addEventListener(name, (event) => held.delete(event.pointerId));
  }
  canvas.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    held.set(event.pointerId, event);
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    travelled += Math.hypot(dx, dy);
    one("#gl-pick").hidden = true;
    if (held.size === 2) {
      const other = [...held.values()].find((pointer) => pointer.pointerId !== event.pointerId);
      const apart = (p) => Math.hypot(p.clientX - other.clientX, p.clientY - other.clientY) || 1;
      enlarge(apart(event) / apart(before));
      pan(dx / 2, dy / 2);
    } else if (event.shiftKey || event.buttons & 6) {
      pan(dx, dy);
    } else {
      turn(-dx * 0.008, dy * 0.008);
    }
  });
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("blur", () => canvas.classList.remove("held"));
  canvas.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !canvas.classList.contains("held")) return;
      event.preventDefault();
      one("#gl-pick").hidden = true;
      enlarge(Math.exp(-event.deltaY * 0.001));
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    const arrow = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (arrow && event.shiftKey) pan(arrow[0] * 20, arrow[1] * 20);
    else if (arrow) turn(arrow[0] * 0.1, arrow[1] * 0.1);
    else if (event.key === "+") enlarge(1.2);
    else if (event.key === "-") enlarge(1 / 1.2);
    else if (event.key === "Escape") canvas.classList.remove("held");
    else return;
    event.preventDefault();
  });
  for (const button of all("[data-view]")) {
    button.addEventListener("click", () => {
      [yaw, pitch] = VIEWS[button.dataset.view]();
      middle = cloud.about.centre;
      grow = 1;
      one("#gl-pick").hidden = true;
      fit();
      ask();
    });
  }
  one("#gl-colour").addEventListener("change", (event) => {
    mode = event.target.value;
    ask();
  });
  const choose = () => {
    if (isReplay()) loadSweep();
    else load(+one("#gl-set").value);
    fit();
    ask();
  };
  one("#gl-set").addEventListener("change", choose);
  addEventListener("resize", ask);
  onPlay(() => {
    if (!sweeps || isReplay()) return;
    one("#gl-set").value = "sweeps";
    choose();
  });
  load(0);
  fit();
  draw();
};
