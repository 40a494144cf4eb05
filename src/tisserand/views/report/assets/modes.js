"use strict";
/* The mode page: two viewers that share a camera and a phase, the table of modes, colors, groups, picking. */
(function () {
  const holder = document.getElementById("mode-data"); if (!holder) return;
  const data = JSON.parse(holder.textContent), $ = (id) => document.getElementById(id);
  const scenes = data.scenes.map((scene) => ({ ...scene, parts: scene.parts.map((p) => new Tisserand.Part(p)) }));
  const camera = new Tisserand.Camera(), sides = [];
  const picker = $("mode-picker"), amplitude = $("mode-amplitude"), speed = $("mode-speed"), phaseBar = $("mode-phase"), play = $("mode-play"), color = $("mode-color"), said = $("mode-said");
  const other = $("mode-other"), compare = $("mode-compare"), mac = $("mode-mac");
  let phase = 0, running = !window.matchMedia("(prefers-reduced-motion: reduce)").matches, before = null, picked = null;
  const nodeSets = new Set(), SPOTS = ["#d1495b", "#7f6bd1", "#e69f00", "#009e73", "#56b4e9"];

  function side(canvas, scene, parts) {
    const viewer = new Tisserand.Viewer(canvas, parts, camera); viewer.showGhost = true;
    const made = { viewer, scene, parts, mode: 0 }; sides.push(made); viewer.overlays.push((g) => glyphs(g, made)); return made;
  }
  const first = side($("mode-canvas"), scenes[0], scenes[0].parts); let second = null;

  /* Interface triads with names, masses, and the picked node, moving along. */
  function glyphs(g, it) {
    const { viewer, scene, parts } = it, part = parts[0], ink = Tisserand.css("--ink"), size = 0.05 * viewer.radius, at = (row) => part.now.subarray(3 * row, 3 * row + 3);
    if ($("show-masses").checked) for (const m of scene.masses) {
      const q = viewer.project(at(m.point), 0), r = Math.max(3, Math.min(24, m.radius * camera.scale)); g.beginPath(); g.arc(q[0], q[1], r, 0, 7); g.globalAlpha = 0.85; g.fillStyle = "#e07a1f"; g.fill(); g.globalAlpha = 1; g.strokeStyle = ink; g.lineWidth = 0.7; g.stroke();
    }
    if ($("show-interfaces").checked) for (const p of scene.interfaces) {
      const o = p.point === null ? p.position : Array.from(at(p.point));
      p.axes.forEach((axis, c) => Tisserand.line(g, viewer, o, [0, 1, 2].map((i) => o[i] + 3 * size * axis[i]), Tisserand.AXES[c], 2.5, true));
      const q = viewer.project(o, 0); g.fillStyle = ink; Tisserand.words(g, viewer, p.name, q[0] + 8, q[1] + 14);
    }
    part.nodeSets.forEach((s, k) => {
      if (!nodeSets.has(s.name)) return;
      g.fillStyle = SPOTS[k % SPOTS.length]; for (const i of s.points) { const q = viewer.project(part.now, 3 * i); g.beginPath(); g.arc(q[0], q[1], 3.5, 0, 7); g.fill(); }
    });
    if (picked && picked.part === part) {
      const q = viewer.project(part.now, 3 * picked.point); g.beginPath(); g.arc(q[0], q[1], 6, 0, 7); g.lineWidth = 2.5; g.strokeStyle = "#d1495b"; g.stroke();
    }
  }
  /* Levels of the colors: they belong to the mode, not to the moment, so that shapes keep their light in every phase. */
  function paint(it) {
    const axis = ["x", "y", "z"].indexOf(color.value); it.viewer.map = axis >= 0 ? "diverging" : "sequential";
    for (const part of it.parts) {
      if (!part.shapes.length) { part.levels = null; continue; }
      const levels = new Float32Array(part.count), energy = part.energy[it.mode];
      for (let i = 0; i < part.count; i++) levels[i] = color.value === "energy" && energy ? energy[i] / 255 : axis >= 0 ? 0.5 + 0.5 * part.amplitude(it.mode, i, axis) : part.amplitude(it.mode, i, -1);
      part.levels = levels;
    }
  }
  const unitOf = (scene, mode) => (mode < scene.standing ? scene.unit : "of the largest");
  function bar() {
    const axis = ["x", "y", "z"].includes(color.value), map = axis ? "diverging" : "sequential", scene = first.scene, top = (scene.largest[first.mode] ?? 0), unit = unitOf(scene, first.mode);
    const stops = Tisserand.MAPS[map].map((c) => "rgb(" + c.join(",") + ")").join(","); $("bar-ramp").style.background = "linear-gradient(to top," + stops + ")";
    const short = (v) => v === 0 ? "0" : Number(v.toPrecision(3)).toString(), relative = color.value === "energy";
    $("bar-top").textContent = relative ? "1" : short(top); $("bar-middle").textContent = relative ? "0.5" : axis ? "0" : short(0.5 * top); $("bar-low").textContent = relative ? "0" : axis ? short(-top) : "0";
    $("bar-label").textContent = relative ? "strain level (–)" : "displacement" + (axis ? " " + color.value : "") + " (" + unit + ")";
  }
  function pose(it) {
    const a = Number(amplitude.value) / 100 * it.scene.reach, c = a * Math.sin(phase), s = a * Math.cos(phase), eta = new Array(it.scene.titles.length).fill(0), turned = eta.slice();
    eta[it.mode] = c; turned[it.mode] = -s;
    for (const part of it.parts) part.place(eta, null, null, turned);
  }
  function show() {
    if (!first.scene.titles.length) { first.viewer.draw(); return; }
    for (const it of sides) { pose(it); it.viewer.draw(); }
    phaseBar.value = Math.round(phase * 180 / Math.PI) % 360;
  }
  function choose(k) {
    if (!first.scene.titles.length) return;
    first.mode = Math.min(Math.max(k, 0), first.scene.titles.length - 1); picker.value = first.mode; paint(first); bar();
    document.querySelectorAll("tr[data-mode]").forEach((row) => { const on = Number(row.dataset.mode) === first.mode; row.classList.toggle("chosen", on); if (on) row.setAttribute("aria-current", "true"); else row.removeAttribute("aria-current"); });
    const row = document.querySelector("tr.chosen"), list = row && row.closest(".scroll"); if (list) { const up = row.offsetTop - list.querySelector("thead").offsetHeight; if (up < list.scrollTop) list.scrollTop = up; else if (row.offsetTop + row.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = row.offsetTop + row.offsetHeight - list.clientHeight; }
    said.textContent = first.scene.titles[first.mode]; tellPicked(); tellMac(); show();
  }
  function tellMac() {
    if (!second || !compare.checked) { mac.textContent = ""; return; }
    const table = data.mac[second.scene === scenes[0] ? 0 : 1], value = table && table[first.mode] ? table[first.mode][second.mode] : null;
    const frames = second.scene.frame !== first.scene.frame, told = (it) => it.scene.name + (frames ? " in the " + it.scene.frame + " frame" : "") + ", " + it.scene.titles[it.mode];
    mac.textContent = value === null || value === undefined ? "" : "MAC " + value.toFixed(3); $("caption-b").textContent = told(second); $("caption-a").textContent = told(first);
  }
  function tellPicked() {
    const out = $("mode-picked"); if (!picked) { out.textContent = ""; return; }
    const { part, point } = picked, p = part.points, it = sides.find((s) => s.parts.includes(part)), n = (v) => Number(v.toPrecision(4)), k = it.mode, top = it.scene.largest[k] || 0;
    let element = 0; if (part.elements) for (let i = 0; i < part.triangles.length && !element; i++) if (part.triangles[i] === point) element = part.elements[Math.floor(i / 3)];
    if (!element && part.lineElements) for (let i = 0; i < part.lines.length && !element; i++) if (part.lines[i] === point) element = part.lineElements[i >> 1];
    const words = [part.nodes ? "node " + part.nodes[point] : "point " + point]; if (element) words.push("element " + element);
    words.push("(" + [0, 1, 2].map((c) => n(p[3 * point + c])).join(", ") + ") m");
    if (part.shapes.length) { const v = [0, 1, 2].map((c) => n(top * part.amplitude(k, point, c))); words.push("displacement (" + v.join(", ") + ") " + unitOf(it.scene, k)); if (part.energy[k]) words.push("strain level " + (part.energy[k][point] / 255).toFixed(2)); }
    out.textContent = words.join(" · ");
  }
  const pick = (found) => { picked = found && found.part.shapes ? found : null; tellPicked(); for (const it of sides) it.viewer.draw(); };
  first.viewer.onpick = pick;

  function openSecond() {
    if (!compare.checked) { document.body.classList.remove("two"); tellMac(); refit(); return; }
    document.body.classList.add("two");
    const scene = scenes[Math.min(data.scenes.length - 1, Number(other.selectedOptions[0]?.dataset.scene || 0))], parts = scene === scenes[0] ? data.scenes[0].parts.map((p) => new Tisserand.Part(p)) : scene.parts;
    if (!second) { second = side($("mode-canvas-b"), scene, parts); second.viewer.onpick = pick; }
    second.mode = Number(other.value.split(":")[1] || 0); paint(second); tellMac(); refit();
  }
  /* Both ends of the motion fit into the picture. */
  const refit = () => {
    const kept = phase, clouds = []; for (const end of [0.5, 1.5]) { phase = end * Math.PI; if (first.scene.titles.length) pose(first); for (const p of first.parts) clouds.push(new Float32Array(p.now)); }
    phase = kept; first.viewer.fit(clouds); show();
  };
  function tick(now) {
    if (running && first.scene.titles.length) { if (before !== null) phase = (phase + (now - before) / 1000 * Number(speed.value) / 100 * 2 * Math.PI) % (2 * Math.PI); show(); }
    before = now; requestAnimationFrame(tick);
  }
  picker.addEventListener("change", () => choose(Number(picker.value)));
  amplitude.addEventListener("input", show); color.addEventListener("change", () => { for (const it of sides) paint(it); bar(); show(); });
  const pause = (on) => { running = !on; play.textContent = running ? "Pause" : "Play"; };
  phaseBar.addEventListener("input", () => { pause(true); phase = Number(phaseBar.value) * Math.PI / 180; show(); });
  play.addEventListener("click", () => pause(running)); pause(!running);
  $("mode-ghost").addEventListener("change", (e) => { for (const it of sides) it.viewer.ghost = e.target.checked; show(); });
  for (const id of ["show-masses", "show-interfaces"]) $(id).addEventListener("change", show);
  document.querySelectorAll("[data-group]").forEach((box) => box.addEventListener("change", () => { for (const it of sides) for (const part of it.parts) if (box.checked) part.hidden.delete(box.dataset.group); else part.hidden.add(box.dataset.group); show(); }));
  document.querySelectorAll("[data-nodes]").forEach((box) => box.addEventListener("change", () => { if (box.checked) nodeSets.add(box.dataset.nodes); else nodeSets.delete(box.dataset.nodes); show(); }));
  if (data.scenes.length === 1 && other.options.length > 1) other.selectedIndex = 1;
  compare.addEventListener("change", openSecond); other.addEventListener("change", openSecond);
  $("mode-fit").addEventListener("click", refit); $("mode-shot").addEventListener("click", () => Tisserand.snapshot(first.viewer, first.scene.name + "_mode_" + (first.mode + 1)));
  document.querySelectorAll("tr[data-mode]").forEach((row) => row.addEventListener("click", () => choose(Number(row.dataset.mode))));
  const filter = $("mode-filter");
  if (filter) filter.addEventListener("input", () => { const least = Number(filter.value) / 100; let hidden = 0; document.querySelectorAll("tr[data-mode]").forEach((row) => { const out = data.share[Number(row.dataset.mode)] < least; row.hidden = out; hidden += out; }); $("mode-filtered").textContent = "≥ " + Number(filter.value) + " %" + (hidden ? ", " + hidden + " hidden" : ""); });
  document.addEventListener("keydown", (e) => {
    if (Tisserand.typing(e)) return;
    const act = { n: () => choose(first.mode + 1), p: () => choose(first.mode - 1), " ": () => pause(running), f: refit, g: () => $("mode-ghost").click(), c: () => { color.selectedIndex = (color.selectedIndex + 1) % color.options.length; color.dispatchEvent(new Event("change")); }, b: () => compare.click(), s: () => $("mode-shot").click() }[e.key];
    if (act) { e.preventDefault(); act(); }
  });
  document.addEventListener("theme", () => { for (const it of sides) it.viewer.draw(); });
  phase = running ? 0 : Math.PI / 2; choose(0); refit(); requestAnimationFrame(tick);
  window.tisserandModes = { choose, first, camera, data, get second() { return second; }, pick: (x, y) => first.viewer.pick(x, y) };
})();
