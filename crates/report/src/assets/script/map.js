// ---- maps: positions at the cursor ----

for (const plan of all(".plan[data-map]")) {
  const { x, y } = data.plans[+plan.dataset.map];
  const tracks = data.tracks.filter((track) => track.map === +plan.dataset.map);
  const [others, mains] = [drawing("path", { class: "oth" }), drawing("path", { class: "main" })];
  plan.append(drawing("svg", { class: "moving", viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" }, others, mains));
  sight.observe(plan);
  const geo = plan.dataset.geo?.split(" ").map(Number);
  const out = one(".place", plan.parentElement);
  follow((t) => {
    if (!seen.has(plan)) return;
    const dots = { true: "", false: "" };
    let first = null;
    for (const track of tracks) {
      const here = track.at(t);
      const [left, top] = [(100 * (here.x - x[0])) / (x[1] - x[0]), (100 * (y[1] - here.y)) / (y[1] - y[0])];
      if (track.main) first ??= [left, top];
      dots[track.main] += "M" + left.toFixed(2) + " " + top.toFixed(2) + "h0";
    }
    mains.setAttribute("d", dots.true);
    others.setAttribute("d", dots.false);
    if (!geo || !first) return;
    // Latitude and longitude are linear over a map.
    const [north, west, south, east] = geo;
    const [latitude, longitude] = [north + ((south - north) * first[1]) / 100, west + ((east - west) * first[0]) / 100];
    out.textContent = "At the cursor: " + minus(latitude.toFixed(6)) + "°, " + minus(longitude.toFixed(6)) + "°";
  });
}
