"use strict";
/* Mode shapes: picker, amplitude, speed, phase, ghost. */
(function () {
  const holder = document.getElementById("mode-data"); if (!holder) return;
  const data = JSON.parse(holder.textContent), parts = data.parts.map((p) => new Tisserand.Part(p));
  const canvas = document.getElementById("mode-canvas"), viewer = new Tisserand.Viewer(canvas, parts); viewer.showGhost = true;
  const get = (id) => document.getElementById(id), picker = get("mode-picker"), amplitude = get("mode-amplitude"), speed = get("mode-speed"), play = get("mode-play"), ghost = get("mode-ghost"), said = get("mode-said"), color = get("mode-color");
  let mode = 0, phase = Math.PI / 2, running = !window.matchMedia("(prefers-reduced-motion: reduce)").matches, before = null;
  const count = data.titles.length;
  function show() {
    const eta = new Array(count).fill(0), a = Number(amplitude.value) / 100 * data.reach; viewer.full = a > 0 ? a : 1; viewer.ghost = ghost.checked; viewer.energyMode = color && color.value === "energy" ? mode : -1;
    if (count) eta[mode] = a * Math.sin(phase);
    for (const part of parts) part.place(eta, null, null);
    viewer.draw();
  }
  function choose(k) {
    mode = Math.min(Math.max(k, 0), Math.max(count - 1, 0)); picker.value = String(mode); phase = Math.PI / 2; said.textContent = count ? data.titles[mode] : "no modes";
    document.querySelectorAll("tr[data-mode]").forEach((row) => row.classList.toggle("chosen", Number(row.dataset.mode) === mode)); show();
  }
  function tick(now) {
    if (running && count) { const step = before === null ? 0 : Math.min((now - before) / 1000, 0.1); phase += 2 * Math.PI * step * Number(speed.value) / 100; show(); }
    before = now; window.requestAnimationFrame(tick);
  }
  picker.addEventListener("change", () => choose(Number(picker.value)));
  amplitude.addEventListener("input", show); ghost.addEventListener("change", show); if (color) color.addEventListener("change", show);
  play.addEventListener("click", () => { running = !running; play.textContent = running ? "Pause" : "Play"; });
  document.querySelectorAll("tr[data-mode]").forEach((row) => row.addEventListener("click", () => choose(Number(row.dataset.mode))));
  play.textContent = running ? "Pause" : "Play"; choose(0); window.requestAnimationFrame(tick);
  window.tisserandModes = { choose, viewer, pause: () => { running = false; play.textContent = "Play"; phase = Math.PI / 2; show(); } };
})();
