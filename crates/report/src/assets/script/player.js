// ---- replay: moving the cursor, keys, and links to moments ----

const player = { isPlaying: false, speed: 1, before: 0 };
const play = one("#play");
const speed = one("#speed");
const sayPlaying = () => {
  play.textContent = player.isPlaying ? "❚❚ Pause" : "▶ Play";
  play.setAttribute("aria-pressed", String(player.isPlaying));
};
const step = (time) => {
  if (!player.isPlaying) return;
  seek(moment + (Math.min(250, time - player.before) / 1000) * player.speed);
  player.before = time;
  if (moment >= seconds) pause();
  else requestAnimationFrame(step);
};
const pause = () => {
  player.isPlaying = false;
  sayPlaying();
};
const start = () => {
  if (!seconds) return;
  if (moment >= seconds) seek(0);
  player.isPlaying = true;
  for (const what of starters) what();
  player.before = performance.now();
  sayPlaying();
  requestAnimationFrame(step);
};
const toggle = () => (player.isPlaying ? pause() : start());

// A recording of several hours plays in about a minute.
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 120, 600];
player.speed = seconds < 90 ? 1 : SPEEDS.find((speed) => seconds / speed <= 60) ?? SPEEDS.at(-1);
speed.replaceChildren(
  ...SPEEDS.map((value) => {
    const option = element("option", "", value + "×");
    option.value = value;
    option.selected = value === player.speed;
    return option;
  }),
);
speed.addEventListener("change", () => (player.speed = +speed.value));
play.addEventListener("click", toggle);
sayPlaying();

const MOVES = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const taken = event.target.closest?.("input, select, textarea, canvas, .scroll");
  const pressed = event.target.closest?.("button, summary, a");
  if (event.key === " " && !(taken && taken.type !== "range") && !pressed) toggle();
  else if (event.key in MOVES && !taken) {
    const far = MOVES[event.key] * (event.shiftKey ? 10 : 1);
    seek(Number.isFinite(far) ? moment + far * Math.max(seconds * (zoom[1] - zoom[0]) * 0.005, 0.001) : far > 0 ? seconds : 0);
  } else return;
  event.preventDefault();
});

// ---- an address with #t=8.47 opens at that moment ----

const fromAddress = () => {
  const t = /^#t=(\d+(?:\.\d+)?)$/.exec(location.hash);
  if (t) {
    seek(+t[1]);
    for (const what of starters) what();
  }
  return Boolean(t);
};
addEventListener("hashchange", fromAddress);
one("#link").addEventListener("click", async () => {
  history.replaceState(null, "", "#t=" + +moment.toFixed(3));
  const text = location.href;
  let copied = true;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Pages from files have no access to the clipboard API.
    const box = element("textarea");
    box.value = text;
    document.body.append(box);
    box.select();
    copied = document.execCommand("copy");
    box.remove();
  }
  one("#link").textContent = copied ? "Copied" : "In the address bar";
  setTimeout(() => (one("#link").textContent = "Copy link"), 1500);
});
