"use strict";
// The script of a report, joined from several parts. Without it, all pictures and tables still work.
const root = document.documentElement;
const one = (selector, within = document) => within.querySelector(selector);
const all = (selector, within = document) => [...within.querySelectorAll(selector)];
const data = JSON.parse(one("#data").textContent);
const seconds = data.seconds;
root.classList.add("js");

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const minus = (text) => text.replaceAll("-", "−");
const number = (value) =>
  minus(Math.abs(value) >= 1e5 || (value !== 0 && Math.abs(value) < 1e-4) ? value.toExponential(3) : String(+value.toPrecision(4)));

const element = (name, className = "", text = "") => {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
};
const drawing = (name, attributes, ...children) => {
  const made = document.createElementNS("http" + "://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// ---- folds: closed parts are text, built when opened ----

const changed = new Set();
// Calls `what` whenever elements are added or changed.
const onChange = (what) => changed.add(what);
const unfold = (details) => {
  const folded = one(":scope > noscript", details);
  if (!folded) return;
  const made = new DOMParser().parseFromString(folded.textContent, "text/html");
  folded.replaceWith(...made.body.childNodes);
  for (const what of changed) what();
};
addEventListener("toggle", (event) => unfold(event.target), true);

// About `n` round numbers between two.
const ticks = (low, high, n) => {
  const raw = Math.max((high - low) / n, 1e-12);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((k) => k * power).find((step) => step >= raw * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9 && found.length < 100; k += 1) found.push(k * step);
  return { found, step };
};
