"use strict";
/* Replay of a run: every part moves with its body and bends with its modal coordinates. */
(function () {
  const holder = document.getElementById("replay-data"); if (!holder) return;
  const data = JSON.parse(holder.textContent), parts = data.parts.map((p) => new Tisserand.Part(p)), frames = data.times.length;
  const get = (id) => document.getElementById(id), canvas = get("replay-canvas"), slider = get("replay-time"), play = get("replay-play"), exaggerate = get("replay-scale"), speed = get("replay-speed"), said = get("replay-said");
  const motion = data.motion.map((m) => ({ q: Tisserand.decode(m.attitude, "f4"), x: Tisserand.decode(m.position, "f4"), eta: Tisserand.decode(m.eta, "f4"), modes: m.modes }));
  function pose(frame) {
    const factor = Number(exaggerate.value); let full = 0;
    parts.forEach((part, i) => { const m = motion[i], eta = Array.from(m.eta.subarray(frame * m.modes, (frame + 1) * m.modes), (v) => v * factor); part.place(eta, Tisserand.matrix(m.q.subarray(4 * frame, 4 * frame + 4)), m.x.subarray(3 * frame, 3 * frame + 3)); });
    full = data.largest * factor; return full > 0 ? full : 1;
  }
  pose(0); const viewer = new Tisserand.Viewer(canvas, parts); viewer.showGhost = false;
  const clouds = []; for (const f of [0, Math.floor(frames / 2), frames - 1]) { pose(f); parts.forEach((p) => clouds.push(new Float32Array(p.now))); } viewer.focus(clouds);
  let running = !window.matchMedia("(prefers-reduced-motion: reduce)").matches, clock = data.times[0], before = null;
  function show(frame) { viewer.full = pose(frame); viewer.draw(); slider.value = String(frame); said.textContent = "t = " + data.times[frame].toFixed(2) + " s"; }
  function tick(now) {
    if (running && frames > 1) {
      const step = before === null ? 0 : Math.min((now - before) / 1000, 0.1); clock += step * Number(speed.value); if (clock > data.times[frames - 1]) clock = data.times[0];
      let f = 0; while (f + 1 < frames && data.times[f + 1] <= clock) f++; show(f);
    }
    before = now; window.requestAnimationFrame(tick);
  }
  slider.addEventListener("input", () => { running = false; play.textContent = "Play"; clock = data.times[Number(slider.value)]; show(Number(slider.value)); });
  exaggerate.addEventListener("input", () => show(Number(slider.value)));
  play.addEventListener("click", () => { running = !running; play.textContent = running ? "Pause" : "Play"; });
  play.textContent = running ? "Pause" : "Play"; show(0); window.requestAnimationFrame(tick); window.tisserandReplay = { show, viewer };
})();
