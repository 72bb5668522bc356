"use strict";
// The script of a folder's page: clicking a header sorts, typing filters. Without it, the table is unsorted.
document.documentElement.classList.add("js");
const body = document.querySelector(".folder tbody");
const rows = [...body.rows];
const valueOf = (row, n) => {
  const cell = row.cells[n];
  if (!cell) return null;
  return cell.dataset.v === undefined ? cell.textContent : +cell.dataset.v;
};
let [sorted, turn] = [-1, 1];
document.querySelectorAll(".folder thead th").forEach((head, n) => {
  if (!head.textContent || n === 0) return;
  head.tabIndex = 0;
  head.setAttribute("role", "button");
  const sort = () => {
    turn = sorted === n ? -turn : 1;
    sorted = n;
    for (const other of head.parentElement.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", turn > 0 ? "ascending" : "descending");
    const order = (a, b) => {
      const [x, y] = [valueOf(a, n), valueOf(b, n)];
      if (x === null || y === null) return (x === null) - (y === null);
      return turn * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)));
    };
    body.append(...[...rows].sort(order));
  };
  head.addEventListener("click", sort);
  head.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    sort();
  });
});
const find = document.querySelector("#find");
find.addEventListener("input", () => {
  const word = find.value.trim().toLowerCase();
  let shown = 0;
  for (const row of rows) {
    row.hidden = !row.textContent.toLowerCase().includes(word);
    if (!row.hidden) shown += 1;
  }
  document.querySelector("#found").textContent = word ? shown + " of " + rows.length : "";
});
