"use strict";
/* Replay of a run: every part moves with its body and bends with its modal coordinates; charts show the same moment. */
(function () {
  const holder = document.getElementById("replay-data"); if (!holder) return;
  const data = JSON.parse(holder.textContent), parts = data.parts.map((p) => new Tisserand.Part(p)), frames = data.times.length, $ = (id) => document.getElementById(id);
  const slider = $("replay-time"), play = $("replay-play"), speed = $("replay-speed"), said = $("replay-said"), eye = $("replay-camera");
  const motion = data.motion.map((m) => ({ q: Tisserand.decode(m.attitude, "f4"), x: Tisserand.decode(m.position, "f4"), eta: Tisserand.decode(m.eta, "f4"), modes: m.modes, appendage: m.appendage, level: m.level }));
  const unpack = (o) => ({ ...o, values: Tisserand.decode(o.values, "f4") }), loads = data.loads.map(unpack), joints = data.joints.map(unpack), bodies = data.bodies.map((b) => ({ name: b.name, q: Tisserand.decode(b.attitude, "f4"), x: Tisserand.decode(b.position, "f4") }));
  const TINTS = [[0.62, 0.68, 0.76], [0.86, 0.66, 0.36], [0.52, 0.70, 0.62], [0.74, 0.60, 0.72], [0.60, 0.64, 0.86]];
  parts.forEach((part, i) => { part.tint = TINTS[i % TINTS.length]; });
  /* Colors of all appendages are on one scale: the largest deflection of the run, without any factor. */
  const highest = data.highest || 1;
  if ($("bar-label")) {
    const small = highest < 1, shown = (v) => Number((small ? 1000 * v : v).toPrecision(3)).toString();
    $("bar-ramp").style.background = "linear-gradient(to top," + Tisserand.MAPS.sequential.map((c) => "rgb(" + c.join(",") + ")").join(",") + ")";
    $("bar-label").textContent = "deflection (" + (small ? "mm" : "m") + ")"; $("bar-top").textContent = shown(highest); $("bar-middle").textContent = shown(0.5 * highest); $("bar-low").textContent = "0";
  }
  let frame = 0, clock = data.times[0], before = null, running = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  const factor = (m) => (m.appendage === null ? 1 : Number($("replay-scale-" + m.appendage)?.value || 1));

  function pose(f) {
    parts.forEach((part, i) => {
      const m = motion[i], k = factor(m), eta = Array.from(m.eta.subarray(f * m.modes, (f + 1) * m.modes), (v) => v * k);
      part.place(eta, Tisserand.matrix(m.q.subarray(4 * f, 4 * f + 4)), m.x.subarray(3 * f, 3 * f + 3));
      if (m.level > 0) { const u = part.moved, levels = new Float32Array(part.count), top = 1 / (highest * k); for (let j = 0; j < part.count; j++) levels[j] = Math.hypot(u[3 * j], u[3 * j + 1], u[3 * j + 2]) * top; part.levels = levels; }
    });
  }
  pose(0); const viewer = new Tisserand.Viewer($("replay-canvas"), parts), camera = viewer.camera;
  const span = (() => { const low = [1e30, 1e30, 1e30], high = [-1e30, -1e30, -1e30]; for (const p of parts) for (let i = 0; i < p.now.length; i++) { const c = i % 3; low[c] = Math.min(low[c], p.now[i]); high[c] = Math.max(high[c], p.now[i]); } return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1; })();
  viewer.radius = 0.5 * span; let path = 0; for (const b of bodies) for (let i = 0; i < b.x.length; i += 3) path = Math.max(path, Math.hypot(b.x[i] - b.x[0], b.x[i + 1] - b.x[1], b.x[i + 2] - b.x[2])); viewer.reach = 4 * path;
  const at = (array, f, n) => array.subarray(n * f, n * f + n), turned = (q, v) => { const R = Tisserand.matrix(q); return [0, 3, 6].map((r) => R[r] * v[0] + R[r + 1] * v[1] + R[r + 2] * v[2]); };
  const bodyAt = (i, f, point) => { const b = bodies[i], o = at(b.x, f, 3), d = turned(at(b.q, f, 4), point); return [o[0] + d[0], o[1] + d[1], o[2] + d[2]]; };

  viewer.overlays.push((g) => {
    if ($("replay-trails").checked) for (const b of bodies.slice(0, 6)) {
      g.beginPath(); for (let f = 0; f <= frame; f++) { const q = viewer.project(b.x, 3 * f); if (f) g.lineTo(q[0], q[1]); else g.moveTo(q[0], q[1]); }
      g.strokeStyle = Tisserand.css("--accent"); g.globalAlpha = 0.6; g.lineWidth = 1.4; g.stroke(); g.globalAlpha = 1;
    }
    if ($("replay-axes").checked) bodies.forEach((b, i) => [0, 1, 2].forEach((c) => { const e = [0, 0, 0]; e[c] = 0.12 * span; Tisserand.line(g, viewer, bodyAt(i, frame, [0, 0, 0]), bodyAt(i, frame, e), Tisserand.AXES[c], 2.2, true); }));
    const arrow = (list, color, double) => { for (const one of list) {
      const v = at(one.values, frame, 3), size = Math.hypot(v[0], v[1], v[2]); if (!(size > 1e-3 * one.largest)) continue;
      const o = bodyAt(one.body, frame, one.point), k = 0.3 * span / one.largest, tip = [o[0] + k * v[0], o[1] + k * v[1], o[2] + k * v[2]], near = [o[0] + 0.88 * k * v[0], o[1] + 0.88 * k * v[1], o[2] + 0.88 * k * v[2]];
      Tisserand.line(g, viewer, o, tip, color, 2.5, true); if (double && one.torque) Tisserand.line(g, viewer, o, near, color, 2.5, true);
      const q = viewer.project(tip, 0); g.fillStyle = color; Tisserand.words(g, viewer, one.name + " " + Number(size.toPrecision(3)) + (one.torque ? " N m" : " N"), q[0] + 6, q[1]);
    } };
    if ($("replay-loads").checked) arrow(loads, "#d1495b", true);
    if ($("replay-joints").checked) arrow(joints, "#7f6bd1", true);
  });

  function whole() { const clouds = [], count = Math.min(frames, 25); for (let i = 0; i < count; i++) { pose(Math.round(i * (frames - 1) / Math.max(count - 1, 1))); parts.forEach((p) => clouds.push(new Float32Array(p.now))); } pose(frame); return clouds; }
  /* What is followed: the middle of the whole vehicle (of its undeformed parts, by their sizes), or the origin of a body. */
  const target = $("replay-target"), middles = parts.map((p) => { const low = [1e30, 1e30, 1e30], high = [-1e30, -1e30, -1e30]; for (let i = 0; i < p.points.length; i++) { const c = i % 3; low[c] = Math.min(low[c], p.points[i]); high[c] = Math.max(high[c], p.points[i]); } return { at: low.map((v, c) => 0.5 * (v + high[c])), size: Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1e-9 }; });
  function followed(f) {
    if (target.value !== "") return Array.from(at(bodies[Number(target.value)].x, f, 3));
    const sum = [0, 0, 0]; let all = 0;
    parts.forEach((_, i) => { const m = middles[i], d = turned(at(motion[i].q, f, 4), m.at), o = at(motion[i].x, f, 3); for (let c = 0; c < 3; c++) sum[c] += m.size * (o[c] + d[c]); all += m.size; });
    return sum.map((v) => v / all);
  }
  /* The largest distances to the side and up from what is followed, over the run: nothing leaves the picture as the craft turns. */
  function reach() {
    const R = camera.rows(), far = [1e-9, 1e-9], count = Math.min(frames, 25);
    for (let i = 0; i < count; i++) { const f = Math.round(i * (frames - 1) / Math.max(count - 1, 1)), o = followed(f); pose(f); for (const p of parts) for (let j = 0; j < p.now.length; j += 3) for (const r of [0, 1]) far[r] = Math.max(far[r], Math.abs(R[r][0] * (p.now[j] - o[0]) + R[r][1] * (p.now[j + 1] - o[1]) + R[r][2] * (p.now[j + 2] - o[2]))); }
    pose(frame); return far;
  }
  function fit() {
    if (eye.value !== "follow") { viewer.fit(eye.value === "fixed" ? whole() : parts.map((p) => p.now)); return; }
    const far = reach(); camera.center = followed(frame); camera.scale = 0.44 * Math.min((viewer.canvas.clientWidth || 800) / far[0], (viewer.canvas.clientHeight || 500) / far[1]); held = camera.center.slice(); camera.changed();
  }
  let held = [0, 0, 0]; /* where the followed point was: what the user has panned since stays */
  function show(f) {
    frame = Math.min(Math.max(f, 0), frames - 1); pose(frame);
    if (eye.value === "follow") { const o = followed(frame); for (let c = 0; c < 3; c++) camera.center[c] += o[c] - held[c]; held = o; }
    viewer.draw(); slider.value = String(frame); said.textContent = "t = " + data.times[frame].toFixed(2) + " s"; cursors();
  }
  function cursors() {
    for (const box of Tisserand.charts.drawn) {
      const plot = box.querySelector(".plot"), axis = plot && plot._fullLayout && plot._fullLayout.xaxis; if (!axis || !Tisserand.charts.specOf(box).x_label.startsWith("time")) continue;
      let line = box.querySelector(".cursor"); if (!line) { line = document.createElement("i"); line.className = "cursor"; box.append(line); }
      const px = axis._offset + axis.l2p(axis.type === "log" ? Math.log10(Math.max(data.times[frame], 1e-12)) : data.times[frame]); line.hidden = !(px >= axis._offset && px <= axis._offset + axis._length); line.style.left = px + "px";
    }
  }
  const nearest = (t) => { let a = 0, b = frames - 1; while (b - a > 1) { const m = (a + b) >> 1; if (data.times[m] <= t) a = m; else b = m; } return t - data.times[a] < data.times[b] - t ? a : b; };
  const pause = (on) => { running = !on; play.textContent = running ? "Pause" : "Play"; };
  const goTo = (t) => { pause(true); clock = t; show(nearest(t)); };
  function tick(now) {
    if (running && frames > 1) { clock += (before === null ? 0 : Math.min((now - before) / 1000, 0.1)) * Number(speed.value); if (clock > data.times[frames - 1]) clock = data.times[0]; show(nearest(clock)); }
    before = now; requestAnimationFrame(tick);
  }
  Tisserand.charts.whenDrawn((box, plot) => {
    if (!Tisserand.charts.specOf(box).x_label.startsWith("time")) return;
    plot.on("plotly_click", (e) => goTo(Number(e.points[0].x))); plot.on("plotly_afterplot", cursors); cursors();
  });
  const strip = $("replay-events"), from = data.times[0], length = data.times[frames - 1] - from || 1;
  for (const e of data.events) { const mark = document.createElement("button"); mark.type = "button"; mark.textContent = "▲ " + e.name; mark.title = e.name + " at " + e.time.toFixed(3) + " s"; mark.style.left = 100 * (e.time - from) / length + "%"; mark.addEventListener("click", () => goTo(e.time)); strip.append(mark); }
  const linked = $("replay-linked"), list = $("replay-signals"), source = Array.from(document.querySelectorAll(".chart[data-time]"));
  function link() {
    const wanted = Array.from(list.querySelectorAll("input:checked"), (box) => Number(box.value)); linked.replaceChildren();
    for (const i of wanted) { const copy = document.createElement("div"), from = source[i]; copy.className = "chart"; copy.dataset.name = from.dataset.name; copy.innerHTML = ""; copy.spec = { ...Tisserand.charts.specOf(from) }; const title = document.createElement("figcaption"); title.textContent = from.dataset.name; const holder = document.createElement("figure"); holder.append(copy, title); linked.append(holder); Tisserand.charts.draw(copy); }
  }
  list.addEventListener("change", link);
  slider.addEventListener("input", () => goTo(data.times[Number(slider.value)])); play.addEventListener("click", () => pause(running)); pause(!running);
  for (const id of ["replay-trails", "replay-axes", "replay-loads", "replay-joints"]) $(id).addEventListener("change", () => show(frame));
  document.querySelectorAll("[id^=replay-scale-]").forEach((one) => one.addEventListener("input", () => { $(one.id.replace("scale", "times")).textContent = "× " + one.value; show(frame); }));
  for (const choice of [eye, target]) choice.addEventListener("change", () => { fit(); show(frame); }); $("replay-fit").addEventListener("click", () => { fit(); show(frame); }); $("replay-shot").addEventListener("click", () => Tisserand.snapshot(viewer, "replay_" + data.times[frame].toFixed(2) + "_s"));
  document.addEventListener("keydown", (e) => { if (Tisserand.typing(e)) return; const act = { " ": () => pause(running), f: () => { fit(); show(frame); }, ".": () => goTo(data.times[Math.min(frame + 1, frames - 1)]), ",": () => goTo(data.times[Math.max(frame - 1, 0)]) }[e.key]; if (act) { e.preventDefault(); act(); } });
  document.addEventListener("theme", () => viewer.draw());
  fit(); show(0); link(); requestAnimationFrame(tick);
  window.tisserandReplay = { show, viewer, camera, goTo, fit, get frame() { return frame; } };
})();
