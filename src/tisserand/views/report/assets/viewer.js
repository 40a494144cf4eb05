"use strict";
/* A small 3-D viewer: WebGL where it exists, a plain 2-D canvas elsewhere. No network. */
const Tisserand = {};

Tisserand.decode = function (text, kind) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new { f4: Float32Array, f8: Float64Array, i2: Int16Array, u4: Uint32Array, u1: Uint8Array }[kind](bytes.buffer);
};

Tisserand.css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
Tisserand.rgb = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255);

/* Color maps: `sequential` from 0 to 1 never gets near black or white; `diverging` has its middle at 0.5. */
Tisserand.MAPS = {
  sequential: [[70, 84, 158], [47, 120, 167], [38, 153, 160], [62, 180, 137], [128, 204, 96], [198, 219, 66], [253, 226, 51]],
  diverging: [[33, 80, 168], [92, 147, 210], [176, 203, 228], [222, 222, 222], [243, 190, 160], [224, 122, 86], [178, 34, 44]],
};
Tisserand.color = function (t, map) {
  const s = Tisserand.MAPS[map || "sequential"];
  t = Math.min(Math.max(t, 0), 1) * 6; const i = Math.min(Math.floor(t), 5), f = t - i;
  return [0, 1, 2].map((c) => (s[i][c] + f * (s[i + 1][c] - s[i][c])) / 255);
};

/* One moving thing: reference points, triangles, lines, and shapes as 16-bit integers times a scale per mode. */
Tisserand.Part = class {
  constructor(data) {
    this.name = data.name;
    this.points = Tisserand.decode(data.points, "f4");
    this.triangles = Tisserand.decode(data.triangles, "u4");
    this.lines = Tisserand.decode(data.lines, "u4");
    const shape = (s) => ({ scale: s.scale, values: Tisserand.decode(s.values, "i2"), imaginary: s.imaginary ? Tisserand.decode(s.imaginary, "i2") : null });
    this.shapes = data.shapes.map(shape);
    this.energy = (data.energy || []).map((e) => Tisserand.decode(e, "u1")); /* 0 to 255 per point and mode */
    this.nodes = data.nodes ? Tisserand.decode(data.nodes, "u4") : null; /* node id of every point */
    this.elements = data.elements ? Tisserand.decode(data.elements, "u4") : null; /* element id of every triangle, 0 unknown */
    this.lineElements = data.line_elements ? Tisserand.decode(data.line_elements, "u4") : null;
    this.groups = data.groups || []; /* {name, triangles: [from, to], lines: [from, to]} */
    this.sets = data.sets || []; /* {name, ranges of element ids} */
    this.nodeSets = data.node_sets || []; /* {name, points} */
    this.count = this.points.length / 3;
    this.now = new Float32Array(this.points);
    this.moved = new Float32Array(this.points.length);
    this.levels = null;
    this.hidden = new Set(); /* names of groups and, after "set ", of sets */
    this.kept = {};
  }
  /* Corners of the triangles or lines that are not switched off, by group or by set; the same array until that changes. */
  cells(kind) {
    const key = [...this.hidden].sort().join("\n"), held = this.kept[kind]; if (held && held.key === key) return held.cells;
    const all = this[kind], width = kind === "triangles" ? 3 : 2, ids = kind === "triangles" ? this.elements : this.lineElements; let cells = all;
    if (this.hidden.size) {
      const off = new Uint8Array(all.length / width);
      for (const g of this.groups) if (this.hidden.has(g.name)) off.fill(1, g[kind][0], g[kind][1]);
      if (ids) for (const s of this.sets) if (this.hidden.has("set " + s.name)) for (const [low, high] of s.ranges) for (let i = 0; i < off.length; i++) if (ids[i] >= low && ids[i] <= high) off[i] = 1;
      cells = all.filter((_, i) => !off[Math.floor(i / width)]);
    }
    this.kept[kind] = { key, cells }; return cells;
  }
  /* Which points belong to something that is shown: 1 per point. */
  seen() {
    const t = this.cells("triangles"), l = this.cells("lines"); if (this.kept.seen && this.kept.seen.t === t && this.kept.seen.l === l) return this.kept.seen.points;
    const points = new Uint8Array(this.count); if (!this.hidden.size) points.fill(1); else { for (const i of t) points[i] = 1; for (const i of l) points[i] = 1; }
    this.kept.seen = { t, l, points }; return points;
  }
  /* Points = rotation * (reference + sum eta_k shape_k) + offset; `imaginary` weighs the imaginary parts of complex shapes. */
  place(eta, rotation, offset, imaginary) {
    const n = this.points.length, u = this.moved.fill(0);
    for (let k = 0; k < this.shapes.length; k++) {
      const s = this.shapes[k], q = (eta[k] || 0) * s.scale, r = s.imaginary && imaginary ? imaginary[k] * s.scale : 0, v = s.values, w = s.imaginary;
      if (q !== 0) for (let i = 0; i < n; i++) u[i] += q * v[i];
      if (r !== 0) for (let i = 0; i < n; i++) u[i] -= r * w[i];
    }
    const p = this.points, out = this.now, R = rotation;
    for (let i = 0; i < n; i += 3) {
      const x = p[i] + u[i], y = p[i + 1] + u[i + 1], z = p[i + 2] + u[i + 2];
      if (R) {
        out[i] = R[0] * x + R[1] * y + R[2] * z + offset[0];
        out[i + 1] = R[3] * x + R[4] * y + R[5] * z + offset[1];
        out[i + 2] = R[6] * x + R[7] * y + R[8] * z + offset[2];
      } else { out[i] = x; out[i + 1] = y; out[i + 2] = z; }
    }
  }
  /* Amplitude of mode k at point i, relative to the largest: along axis 0 to 2 (signed), or its length (axis < 0). */
  amplitude(k, i, axis) {
    const s = this.shapes[k], at = (c) => s.scale * (s.imaginary ? Math.hypot(s.values[3 * i + c], s.imaginary[3 * i + c]) : s.values[3 * i + c]);
    return axis >= 0 ? at(axis) : Math.hypot(at(0), at(1), at(2));
  }
};

Tisserand.matrix = function (q) { /* scalar-first quaternion to row-major rotation */
  const [w, x, y, z] = q;
  return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
};

/* Where the eye is. Viewers may share one, so that they turn together. */
Tisserand.Camera = class {
  constructor() { this.yaw = -0.9; this.pitch = 0.42; this.center = [0, 0, 0]; this.scale = 1; this.viewers = []; }
  rows() { /* screen right, screen up, toward the viewer; z of the model is up */
    const cy = Math.cos(this.yaw), sy = Math.sin(this.yaw), cp = Math.cos(this.pitch), sp = Math.sin(this.pitch);
    return [[cy, sy, 0], [-sp * sy, sp * cy, cp], [cp * sy, -cp * cy, sp]];
  }
  turn(dx, dy) { this.yaw += dx; this.pitch = Math.min(Math.max(this.pitch + dy, -1.5707), 1.5707); this.changed(); }
  slide(dx, dy) { const R = this.rows(); for (let c = 0; c < 3; c++) this.center[c] -= (dx * R[0][c] - dy * R[1][c]) / this.scale; this.changed(); }
  zoom(factor) { this.scale *= factor; this.changed(); }
  look(yaw, pitch) { this.yaw = yaw; this.pitch = pitch; this.changed(); }
  changed() { for (const viewer of this.viewers) viewer.draw(); }
  /* Bring all points into the view of a canvas of w by h CSS pixels, with `margin` m around them; the cube and the bar of colors stand at the sides. */
  fit(clouds, w, h, margin) {
    const R = this.rows(), low = [1e30, 1e30, 1e30], high = [-1e30, -1e30, -1e30];
    for (const cloud of clouds) for (let i = 0; i < cloud.length; i += 3) for (let r = 0; r < 3; r++) {
      const v = R[r][0] * cloud[i] + R[r][1] * cloud[i + 1] + R[r][2] * cloud[i + 2];
      if (v < low[r]) low[r] = v; if (v > high[r]) high[r] = v;
    }
    if (low[0] > high[0]) { low.fill(-1); high.fill(1); }
    const middle = [0, 1, 2].map((r) => 0.5 * (low[r] + high[r])), wide = high[0] - low[0] + 2 * margin || 1, tall = high[1] - low[1] + 2 * margin || 1;
    this.center = [0, 1, 2].map((c) => R[0][c] * middle[0] + R[1][c] * middle[1] + R[2][c] * middle[2]);
    this.scale = Math.min(Math.max(0.86 * w - 96, 0.6 * w) / wide, 0.86 * h / tall);
  }
};

Tisserand.Viewer = class {
  constructor(canvas, parts, camera) {
    this.canvas = canvas; this.parts = parts; this.camera = camera || new Tisserand.Camera(); this.camera.viewers.push(this);
    this.ghost = true; this.showGhost = false; this.map = "sequential"; this.overlays = []; this.onpick = null;
    let low = [1e30, 1e30, 1e30], high = [-1e30, -1e30, -1e30];
    for (const p of parts) for (let i = 0; i < p.points.length; i++) { const c = i % 3; low[c] = Math.min(low[c], p.points[i]); high[c] = Math.max(high[c], p.points[i]); }
    this.radius = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]); if (!(this.radius > 0)) this.radius = 1;
    this.over = document.createElement("canvas"); this.over.className = "over"; this.over.setAttribute("aria-hidden", "true"); canvas.parentNode.insertBefore(this.over, canvas.nextSibling);
    this.gl = canvas.getContext("webgl", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (this.gl) this.prepare(); else this.flat = canvas.getContext("2d");
    this.listen();
  }
  fit(clouds, margin) { this.camera.fit(clouds || this.parts.map((p) => p.now), this.canvas.clientWidth || 800, this.canvas.clientHeight || 500, margin || 0); this.camera.changed(); }
  listen() {
    const c = this.canvas, camera = this.camera, down = new Map(); let last = null, moved = 0;
    /* Middle and distance of two fingers. */
    const two = () => { const [a, b] = down.values(); return [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1]), Math.hypot(a[0] - b[0], a[1] - b[1]) || 1]; };
    c.addEventListener("pointerdown", (e) => { if (!down.size) moved = 0; down.set(e.pointerId, [e.clientX, e.clientY]); last = [e.clientX, e.clientY]; c.setPointerCapture(e.pointerId); });
    const up = (e) => { down.delete(e.pointerId); last = down.size ? [...down.values()][0] : null; };
    c.addEventListener("pointerup", (e) => { const still = last && down.size === 1 && moved < (e.pointerType === "touch" ? 10 : 4); up(e); if (still) this.click(e); });
    c.addEventListener("pointercancel", up);
    c.addEventListener("pointermove", (e) => {
      if (!last || !down.has(e.pointerId)) return;
      if (down.size === 2) { const was = two(); down.set(e.pointerId, [e.clientX, e.clientY]); const is = two(); moved += 10; camera.slide(is[0] - was[0], is[1] - was[1]); camera.zoom(is[2] / was[2]); return; }
      down.set(e.pointerId, [e.clientX, e.clientY]); const dx = e.clientX - last[0], dy = e.clientY - last[1]; last = [e.clientX, e.clientY]; moved += Math.abs(dx) + Math.abs(dy);
      if (e.shiftKey || e.buttons === 2 || e.buttons === 4) camera.slide(dx, dy); else camera.turn(dx * 0.008, dy * 0.008);
    });
    c.addEventListener("contextmenu", (e) => e.preventDefault());
    c.addEventListener("wheel", (e) => { e.preventDefault(); camera.zoom(Math.exp(-e.deltaY * 0.001)); }, { passive: false });
    c.addEventListener("keydown", (e) => {
      const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
      if (turn) camera.turn(turn[0], turn[1]); else if (e.key === "+" || e.key === "=") camera.zoom(1.1); else if (e.key === "-") camera.zoom(1 / 1.1); else return;
      e.preventDefault();
    });
    new ResizeObserver(() => this.draw()).observe(c);
  }
  prepare() {
    const gl = this.gl;
    const vertex = "attribute vec3 p; attribute vec3 n; attribute vec3 c; uniform mat4 m; uniform mat3 r; varying vec3 v; varying vec3 k; void main(){ gl_Position = m * vec4(p, 1.0); gl_PointSize = 7.0; v = r * n; k = c; }";
    const fragment = "precision mediump float; varying vec3 v; varying vec3 k; uniform float lit; uniform float alpha; void main(){ vec3 n = length(v) > 0.0 ? normalize(v) : vec3(0.0, 0.0, 1.0); if (n.z < 0.0) n = -n;"
      + " float d = max(dot(n, normalize(vec3(-0.35, 0.55, 0.8))), 0.0); float s = pow(d, 20.0); vec3 shaded = k * (0.58 + 0.42 * d) + 0.10 * s; gl_FragColor = vec4(mix(k, shaded, lit), alpha); }";
    const make = (type, text) => { const s = gl.createShader(type); gl.shaderSource(s, text); gl.compileShader(s); if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s)); return s; };
    const program = gl.createProgram(); gl.attachShader(program, make(gl.VERTEX_SHADER, vertex)); gl.attachShader(program, make(gl.FRAGMENT_SHADER, fragment)); gl.linkProgram(program); gl.useProgram(program);
    this.program = program; this.where = {}; for (const a of ["p", "n", "c"]) this.where[a] = gl.getAttribLocation(program, a);
    for (const u of ["m", "r", "lit", "alpha"]) this.where[u] = gl.getUniformLocation(program, u);
    gl.getExtension("OES_element_index_uint");
    this.buffers = new Map();
    for (const part of this.parts) {
      this.buffers.set(part, { p: gl.createBuffer(), n: gl.createBuffer(), c: gl.createBuffer(), triangles: gl.createBuffer(), lines: gl.createBuffer(), sent: {} });
    }
    gl.enable(gl.DEPTH_TEST); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }
  normals(part) {
    const p = part.now, t = part.triangles, n = new Float32Array(p.length);
    for (let i = 0; i < t.length; i += 3) {
      const a = 3 * t[i], b = 3 * t[i + 1], c = 3 * t[i + 2];
      const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2], vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
      n[a] += x; n[a + 1] += y; n[a + 2] += z; n[b] += x; n[b + 1] += y; n[b + 2] += z; n[c] += x; n[c + 1] += y; n[c + 2] += z;
    }
    return n;
  }
  /* Colors by part.levels (0 to 1 per point); parts without them are plain. */
  paintColors(part) {
    if (part.painted && part.paintedFor === part.levels && part.paintedMap === this.map) return part.painted;
    const out = new Float32Array(part.now.length), plain = part.tint || [0.68, 0.72, 0.77];
    for (let i = 0; i < part.count; i++) out.set(part.levels ? Tisserand.color(part.levels[i], this.map) : plain, 3 * i);
    part.painted = out; part.paintedFor = part.levels; part.paintedMap = this.map; return out;
  }
  draw() {
    const c = this.canvas, ratio = window.devicePixelRatio || 1, w = Math.max(2, Math.round(c.clientWidth * ratio)), h = Math.max(2, Math.round(c.clientHeight * ratio));
    for (const one of [c, this.over]) if (one.width !== w || one.height !== h) { one.width = w; one.height = h; }
    this.R = this.camera.rows(); this.ratio = ratio;
    if (this.gl) this.drawSolid(w, h); else this.drawFlat(w, h);
    const g = this.over.getContext("2d"); g.setTransform(ratio, 0, 0, ratio, 0, 0); g.clearRect(0, 0, w, h); g.font = "12px system-ui, Arial, sans-serif";
    this.taken = []; for (const overlay of this.overlays) overlay(g, this);
    this.cube(g);
  }
  /* CSS pixels and depth of a point of the model. */
  project(p, i) {
    const o = this.camera.center, R = this.R, s = this.camera.scale, x = p[i] - o[0], y = p[i + 1] - o[1], z = p[i + 2] - o[2];
    return [0.5 * this.canvas.clientWidth + s * (R[0][0] * x + R[0][1] * y + R[0][2] * z), 0.5 * this.canvas.clientHeight - s * (R[1][0] * x + R[1][1] * y + R[1][2] * z), R[2][0] * x + R[2][1] * y + R[2][2] * z];
  }
  drawSolid(w, h) {
    const gl = this.gl, R = this.R, o = this.camera.center, s = this.camera.scale * this.ratio, sx = 2 * s / w, sy = 2 * s / h, depth = 1 / (8 * this.radius + (this.reach || 0));
    const d = (row) => -(row[0] * o[0] + row[1] * o[1] + row[2] * o[2]);
    const m = [sx * R[0][0], sy * R[1][0], -depth * R[2][0], 0, sx * R[0][1], sy * R[1][1], -depth * R[2][1], 0, sx * R[0][2], sy * R[1][2], -depth * R[2][2], 0, sx * d(R[0]), sy * d(R[1]), -depth * d(R[2]), 1];
    const back = Tisserand.rgb(Tisserand.css("--stage") || "#f7f9fb");
    gl.viewport(0, 0, w, h); gl.clearColor(back[0], back[1], back[2], 1); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); gl.useProgram(this.program);
    gl.uniformMatrix4fv(this.where.m, false, new Float32Array(m));
    gl.uniformMatrix3fv(this.where.r, false, new Float32Array([R[0][0], R[1][0], R[2][0], R[0][1], R[1][1], R[2][1], R[0][2], R[1][2], R[2][2]]));
    for (const part of this.parts) {
      if (part.invisible) continue;
      this.paint(part, part.now, this.normals(part), this.paintColors(part), 1);
      if (this.ghost && this.showGhost) { if (!part.gray) part.gray = new Float32Array(part.points.length).fill(0.55); this.paint(part, part.points, null, part.gray, 0.22); }
    }
  }
  paint(part, points, normals, colors, alpha) {
    const gl = this.gl, held = this.buffers.get(part), send = (name, buffer, data) => { const at = this.where[name]; if (at < 0) return; if (!data) { gl.disableVertexAttribArray(at); gl.vertexAttrib3f(at, 0, 0, 0); return; } gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW); gl.enableVertexAttribArray(at); gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0); };
    send("p", held.p, points); send("n", held.n, normals); send("c", held.c, colors); gl.uniform1f(this.where.alpha, alpha);
    if (alpha < 1) { gl.enable(gl.BLEND); gl.depthMask(false); } else { gl.disable(gl.BLEND); gl.depthMask(true); }
    for (const [kind, how] of [["triangles", gl.TRIANGLES], ["lines", gl.LINES]]) {
      const cells = part.cells(kind); gl.uniform1f(this.where.lit, normals && kind === "triangles" ? 1 : 0); gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, held[kind]);
      if (held.sent[kind] !== cells) { gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, cells, gl.STATIC_DRAW); held.sent[kind] = cells; }
      if (cells.length) gl.drawElements(how, cells.length, gl.UNSIGNED_INT, 0);
    }
    if (!part.triangles.length && !part.lines.length) gl.drawArrays(gl.POINTS, 0, part.count);
    gl.depthMask(true);
  }
  drawFlat(w, h) {
    const g = this.flat, k = this.ratio; g.fillStyle = Tisserand.css("--stage") || "#f7f9fb"; g.fillRect(0, 0, w, h);
    for (const part of this.parts) {
      if (part.invisible) continue;
      const at = []; for (let i = 0; i < part.now.length; i += 3) { const q = this.project(part.now, i); at.push([k * q[0], k * q[1], q[2]]); }
      const t = part.cells("triangles"), lines = part.cells("lines"), order = [], paint = (i) => "rgb(" + (part.levels ? Tisserand.color(part.levels[i], this.map) : part.tint || [0.68, 0.72, 0.77]).map((v) => Math.round(255 * v)).join(",") + ")";
      for (let i = 0; i < t.length; i += 3) order.push([at[t[i]][2] + at[t[i + 1]][2] + at[t[i + 2]][2], i]);
      order.sort((a, b) => a[0] - b[0]);
      for (const [, i] of order) { g.fillStyle = paint(t[i]); g.beginPath(); for (const j of [0, 1, 2]) { const q = at[t[i + j]]; if (j) g.lineTo(q[0], q[1]); else g.moveTo(q[0], q[1]); } g.closePath(); g.fill(); }
      g.lineWidth = 2 * k;
      for (let i = 0; i < lines.length; i += 2) { const a = at[lines[i]], b = at[lines[i + 1]]; g.strokeStyle = paint(lines[i]); g.beginPath(); g.moveTo(a[0], a[1]); g.lineTo(b[0], b[1]); g.stroke(); }
      if (!part.triangles.length && !part.lines.length) for (let i = 0; i < part.count; i++) { g.fillStyle = paint(i); g.fillRect(at[i][0] - 4, at[i][1] - 4, 8, 8); }
    }
  }
  /* The cube of axes in the lower left corner; a click on a face looks along its axis. */
  cube(g) {
    const h = this.canvas.clientHeight, at = [46, h - 46], s = 20, R = this.R, faces = [[0, 1, "X"], [0, -1, "-X"], [1, 1, "Y"], [1, -1, "-Y"], [2, 1, "Z"], [2, -1, "-Z"]], tint = ["#d1495b", "#3a9d5d", "#3f74c9"];
    this.faces = [];
    for (const [axis, sign, name] of faces) {
      if (sign * R[2][axis] <= 0.02) continue;
      const u = (axis + 1) % 3, v = (axis + 2) % 3, corner = (a, b) => { const p = [0, 0, 0]; p[axis] = sign; p[u] = a; p[v] = b; return [at[0] + s * (R[0][0] * p[0] + R[0][1] * p[1] + R[0][2] * p[2]), at[1] - s * (R[1][0] * p[0] + R[1][1] * p[1] + R[1][2] * p[2])]; };
      const path = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
      g.beginPath(); path.forEach((q, i) => (i ? g.lineTo(q[0], q[1]) : g.moveTo(q[0], q[1]))); g.closePath();
      g.globalAlpha = 0.55 + 0.4 * sign * R[2][axis]; g.fillStyle = tint[axis]; g.fill(); g.globalAlpha = 1; g.strokeStyle = Tisserand.css("--paper"); g.lineWidth = 1; g.stroke();
      const middle = [0.25 * (path[0][0] + path[1][0] + path[2][0] + path[3][0]), 0.25 * (path[0][1] + path[1][1] + path[2][1] + path[3][1])];
      if (sign * R[2][axis] > 0.25) { g.fillStyle = "#ffffff"; g.font = "bold 11px system-ui, Arial"; g.textAlign = "center"; g.fillText(name, middle[0], middle[1] + 4); g.textAlign = "left"; g.font = "12px system-ui, Arial, sans-serif"; }
      this.faces.push([path, axis, sign]);
    }
  }
  click(e) {
    const box = this.canvas.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    for (const [path, axis, sign] of this.faces || []) {
      let inside = false; for (let i = 0, j = 3; i < 4; j = i++) if ((path[i][1] > y) !== (path[j][1] > y) && x < (path[j][0] - path[i][0]) * (y - path[i][1]) / (path[j][1] - path[i][1]) + path[i][0]) inside = !inside;
      if (inside) { if (axis === 2) this.camera.look(0, sign * 1.5707); else this.camera.look(axis === 0 ? sign * Math.PI / 2 : sign > 0 ? Math.PI : 0, 0); return; }
    }
    if (this.onpick) this.onpick(this.pick(x, y));
  }
  /* The point nearest to the viewer within ten pixels of a place on the screen: {part, point}. */
  pick(x, y) {
    let found = null, best = Infinity;
    for (const part of this.parts) {
      if (part.invisible) continue; const seen = part.seen();
      for (let i = 0; i < part.count; i++) {
        if (!seen[i]) continue;
        const q = this.project(part.now, 3 * i), off = Math.hypot(q[0] - x, q[1] - y); if (off > 14) continue;
        const score = off - 6 * q[2] / this.radius; if (score < best) { best = score; found = { part, point: i }; }
      }
    }
    return found;
  }
};

/* Overlay: words beside a place of the picture, kept inside it, below other words where these are in the way, readable on any color. */
Tisserand.words = function (g, viewer, text, x, y) {
  const wide = g.measureText(text).width, w = viewer.canvas.clientWidth, h = viewer.canvas.clientHeight, low = h - 6;
  const left = Math.max(4, x + wide > w - 4 ? Math.min(x - 16, w) - wide : x), first = Math.min(Math.max(y, 14), low), step = first < 0.6 * h ? 14 : -14; let at = first;
  while (viewer.taken.some((b) => left < b[0] + b[2] && b[0] < left + wide && Math.abs(at - b[1]) < 13) && at + step > 10 && at + step < low) at += step;
  viewer.taken.push([left, at, wide]); g.save(); g.lineJoin = "round"; g.lineWidth = 3; g.globalAlpha = 0.85; g.strokeStyle = Tisserand.css("--stage"); g.strokeText(text, left, at); g.restore(); g.fillText(text, left, at);
};

/* Overlay: an arrow or a line between two points of the model. */
Tisserand.line = function (g, viewer, a, b, color, width, head) {
  const p = viewer.project(a, 0), q = viewer.project(b, 0), dx = q[0] - p[0], dy = q[1] - p[1], size = Math.hypot(dx, dy); if (!(size > 0.5) || !isFinite(size)) return;
  g.strokeStyle = g.fillStyle = color; g.lineWidth = width; g.beginPath(); g.moveTo(p[0], p[1]); g.lineTo(q[0], q[1]); g.stroke();
  if (!head) return; const k = Math.min(9, size) / size;
  g.beginPath(); g.moveTo(q[0], q[1]); g.lineTo(q[0] - k * (dx + 0.45 * dy), q[1] - k * (dy - 0.45 * dx)); g.lineTo(q[0] - k * (dx - 0.45 * dy), q[1] - k * (dy + 0.45 * dx)); g.closePath(); g.fill();
};

Tisserand.AXES = ["#d1495b", "#3a9d5d", "#3f74c9"];

/* A picture of what a viewer shows, with its overlay. */
Tisserand.snapshot = function (viewer, name) {
  const made = document.createElement("canvas"); made.width = viewer.canvas.width; made.height = viewer.canvas.height;
  const g = made.getContext("2d"); g.drawImage(viewer.canvas, 0, 0); g.drawImage(viewer.over, 0, 0);
  const link = document.createElement("a"); link.download = name.replace(/[^\w.-]+/g, "_") + ".png"; link.href = made.toDataURL("image/png"); link.click();
};
