"use strict";
/* A small 3-D viewer: WebGL where it exists, a plain 2-D canvas elsewhere. No library, no network. */
const Tisserand = {};

Tisserand.decode = function (text, kind) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  return new { f4: Float32Array, i2: Int16Array, u4: Uint32Array, u1: Uint8Array }[kind](bytes.buffer);
};

/* One moving thing: reference points, triangles, lines, and shapes as 16-bit integers times a scale per mode. */
Tisserand.Part = class {
  constructor(data) {
    this.name = data.name;
    this.points = Tisserand.decode(data.points, "f4");
    this.triangles = Tisserand.decode(data.triangles, "u4");
    this.lines = Tisserand.decode(data.lines, "u4");
    this.shapes = data.shapes.map((s) => ({ scale: s.scale, values: Tisserand.decode(s.values, "i2") }));
    this.energy = (data.energy || []).map((e) => Tisserand.decode(e, "u1")); /* 0 to 255 per node and mode */
    this.count = this.points.length / 3;
    this.now = new Float32Array(this.points);
    this.size = new Float32Array(this.count);
  }
  /* Points = rotation * (reference + sum eta_k shape_k) + offset; size = |sum eta_k shape_k|. */
  place(eta, rotation, offset) {
    const n = this.points.length, u = new Float32Array(n);
    for (let k = 0; k < this.shapes.length; k++) {
      const q = (eta[k] || 0) * this.shapes[k].scale, v = this.shapes[k].values;
      if (q !== 0) for (let i = 0; i < n; i++) u[i] += q * v[i];
    }
    const p = this.points, out = this.now, R = rotation;
    for (let i = 0, j = 0; i < n; i += 3, j++) {
      const x = p[i] + u[i], y = p[i + 1] + u[i + 1], z = p[i + 2] + u[i + 2];
      this.size[j] = Math.hypot(u[i], u[i + 1], u[i + 2]);
      if (R) {
        out[i] = R[0] * x + R[1] * y + R[2] * z + offset[0];
        out[i + 1] = R[3] * x + R[4] * y + R[5] * z + offset[1];
        out[i + 2] = R[6] * x + R[7] * y + R[8] * z + offset[2];
      } else { out[i] = x; out[i + 1] = y; out[i + 2] = z; }
    }
  }
};

Tisserand.matrix = function (q) { /* scalar-first quaternion to row-major rotation */
  const [w, x, y, z] = q;
  return [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
    2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)];
};

Tisserand.color = function (t) { /* viridis by seven stops */
  const s = [[68, 1, 84], [70, 50, 127], [54, 92, 141], [39, 127, 142], [31, 161, 135], [74, 194, 109], [253, 231, 37]];
  t = Math.min(Math.max(t, 0), 1) * 6; const i = Math.min(Math.floor(t), 5), f = t - i;
  return [0, 1, 2].map((c) => (s[i][c] + f * (s[i + 1][c] - s[i][c])) / 255);
};

Tisserand.Viewer = class {
  constructor(canvas, parts) {
    this.canvas = canvas; this.parts = parts; this.ghost = true; this.full = 1; this.energyMode = -1; this.yaw = -0.9; this.pitch = 0.42; this.zoom = 1; this.pan = [0, 0];
    this.focus(parts.map((p) => p.points));
    this.gl = canvas.getContext("webgl", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (this.gl) this.prepare(); else this.flat = canvas.getContext("2d");
    this.listen();
  }
  focus(clouds) {
    const low = [1e30, 1e30, 1e30], high = [-1e30, -1e30, -1e30];
    for (const cloud of clouds) for (let i = 0; i < cloud.length; i++) { const c = i % 3; if (cloud[i] < low[c]) low[c] = cloud[i]; if (cloud[i] > high[c]) high[c] = cloud[i]; }
    this.center = [0, 1, 2].map((c) => 0.5 * (low[c] + high[c]));
    this.radius = 0.5 * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) || 1;
  }
  listen() {
    const c = this.canvas; let last = null;
    c.addEventListener("pointerdown", (e) => { last = [e.clientX, e.clientY]; c.setPointerCapture(e.pointerId); });
    c.addEventListener("pointerup", () => { last = null; });
    c.addEventListener("pointermove", (e) => {
      if (!last) return; const dx = e.clientX - last[0], dy = e.clientY - last[1]; last = [e.clientX, e.clientY];
      if (e.shiftKey) { this.pan[0] += dx / c.clientHeight; this.pan[1] -= dy / c.clientHeight; } else { this.yaw += dx * 0.008; this.pitch = Math.min(Math.max(this.pitch + dy * 0.008, -1.55), 1.55); }
      this.draw();
    });
    c.addEventListener("wheel", (e) => { e.preventDefault(); this.zoom *= Math.exp(-e.deltaY * 0.001); this.draw(); }, { passive: false });
    c.addEventListener("keydown", (e) => {
      const turn = { ArrowLeft: [-0.1, 0], ArrowRight: [0.1, 0], ArrowUp: [0, -0.1], ArrowDown: [0, 0.1] }[e.key];
      if (turn) { this.yaw += turn[0]; this.pitch = Math.min(Math.max(this.pitch + turn[1], -1.55), 1.55); } else if (e.key === "+" || e.key === "=") this.zoom *= 1.1; else if (e.key === "-") this.zoom /= 1.1; else return;
      e.preventDefault(); this.draw();
    });
    window.addEventListener("resize", () => this.draw());
  }
  prepare() {
    const gl = this.gl;
    const vertex = "attribute vec3 p; attribute vec3 n; attribute vec3 c; uniform mat4 m; uniform mat3 r; varying vec3 v; varying vec3 k; void main(){ gl_Position = m * vec4(p, 1.0); gl_PointSize = 4.0; v = r * n; k = c; }";
    const fragment = "precision mediump float; varying vec3 v; varying vec3 k; uniform float lit; uniform float alpha; void main(){ float d = length(v) > 0.0 ? abs(normalize(v).z) : 1.0; gl_FragColor = vec4(k * mix(1.0, 0.35 + 0.65 * d, lit), alpha); }";
    const make = (type, text) => { const s = gl.createShader(type); gl.shaderSource(s, text); gl.compileShader(s); if (!gl.getShaderParameter(s, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(s)); return s; };
    const program = gl.createProgram(); gl.attachShader(program, make(gl.VERTEX_SHADER, vertex)); gl.attachShader(program, make(gl.FRAGMENT_SHADER, fragment)); gl.linkProgram(program); gl.useProgram(program);
    this.program = program; this.where = {}; for (const a of ["p", "n", "c"]) { this.where[a] = gl.getAttribLocation(program, a); }
    for (const u of ["m", "r", "lit", "alpha"]) this.where[u] = gl.getUniformLocation(program, u);
    this.wide = gl.getExtension("OES_element_index_uint");
    for (const part of this.parts) {
      part.gl = { p: gl.createBuffer(), n: gl.createBuffer(), c: gl.createBuffer(), t: gl.createBuffer(), l: gl.createBuffer() };
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.gl.t); gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, part.triangles, gl.STATIC_DRAW);
      gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.gl.l); gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, part.lines, gl.STATIC_DRAW);
    }
    gl.enable(gl.DEPTH_TEST); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA); gl.clearColor(0.984, 0.988, 0.992, 1);
  }
  camera() { /* rotation rows: screen right, screen up, toward the viewer; z of the model is up */
    const cy = Math.cos(this.yaw), sy = Math.sin(this.yaw), cp = Math.cos(this.pitch), sp = Math.sin(this.pitch);
    return [[cy, sy, 0], [-sp * -sy, -sp * cy, cp], [cp * sy, -cp * cy, sp]];
  }
  normals(part) {
    const p = part.now, t = part.triangles, n = new Float32Array(p.length);
    for (let i = 0; i < t.length; i += 3) {
      const a = 3 * t[i], b = 3 * t[i + 1], c = 3 * t[i + 2];
      const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2], vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
      const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
      for (const j of [a, b, c]) { n[j] += x; n[j + 1] += y; n[j + 2] += z; }
    }
    return n;
  }
  /* Color of node i, 0 to 1: strain energy of mode this.energyMode where one is chosen, else relative displacement. */
  level(part, i) { const e = part.energy[this.energyMode]; return e ? e[i] / 255 : part.size[i] / this.full; }
  colors(part) {
    const out = new Float32Array(part.now.length);
    if (!part.shapes.length) { for (let i = 0; i < part.count; i++) out.set([0.62, 0.66, 0.71], 3 * i); return out; } /* rigid */
    for (let i = 0; i < part.count; i++) out.set(Tisserand.color(this.level(part, i)), 3 * i);
    return out;
  }
  draw() {
    const c = this.canvas, ratio = window.devicePixelRatio || 1, w = Math.max(2, Math.round(c.clientWidth * ratio)), h = Math.max(2, Math.round(c.clientHeight * ratio));
    if (c.width !== w || c.height !== h) { c.width = w; c.height = h; }
    if (this.gl) this.drawSolid(w, h); else this.drawFlat(w, h);
  }
  drawSolid(w, h) {
    const gl = this.gl, R = this.camera(), s = 1.1 * this.zoom / this.radius, k = w > h ? h / w : 1, ky = w > h ? 1 : w / h;
    const sx = s * k, sy = s * ky, o = this.center, d = (row) => -(row[0] * o[0] + row[1] * o[1] + row[2] * o[2]);
    const m = [sx * R[0][0], sy * R[1][0], -0.2 * s * R[2][0], 0, sx * R[0][1], sy * R[1][1], -0.2 * s * R[2][1], 0, sx * R[0][2], sy * R[1][2], -0.2 * s * R[2][2], 0,
      sx * d(R[0]) + 2 * this.pan[0] * k, sy * d(R[1]) + 2 * this.pan[1] * ky, -0.2 * s * d(R[2]), 1];
    gl.viewport(0, 0, w, h); gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT); gl.useProgram(this.program);
    gl.uniformMatrix4fv(this.where.m, false, new Float32Array(m));
    gl.uniformMatrix3fv(this.where.r, false, new Float32Array([R[0][0], R[1][0], R[2][0], R[0][1], R[1][1], R[2][1], R[0][2], R[1][2], R[2][2]]));
    for (const part of this.parts) {
      this.paint(part, part.now, this.normals(part), this.colors(part), 1);
      if (this.ghost && this.showGhost) { const gray = new Float32Array(part.points.length).fill(0.6); this.paint(part, part.points, null, gray, 0.3); }
    }
  }
  paint(part, points, normals, colors, alpha) {
    const gl = this.gl, send = (name, buffer, data) => { const at = this.where[name]; if (at < 0) return; if (!data) { gl.disableVertexAttribArray(at); gl.vertexAttrib3f(at, 0, 0, 0); return; } gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW); gl.enableVertexAttribArray(at); gl.vertexAttribPointer(at, 3, gl.FLOAT, false, 0, 0); };
    send("p", part.gl.p, points); send("n", part.gl.n, normals); send("c", part.gl.c, colors); gl.uniform1f(this.where.alpha, alpha);
    if (alpha < 1) { gl.enable(gl.BLEND); gl.depthMask(false); } else { gl.disable(gl.BLEND); gl.depthMask(true); }
    if (part.triangles.length) { gl.uniform1f(this.where.lit, normals ? 1 : 0); gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.gl.t); gl.drawElements(gl.TRIANGLES, part.triangles.length, gl.UNSIGNED_INT, 0); }
    if (part.lines.length) { gl.uniform1f(this.where.lit, 0); gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, part.gl.l); gl.drawElements(gl.LINES, part.lines.length, gl.UNSIGNED_INT, 0); }
    if (!part.triangles.length && !part.lines.length) { gl.uniform1f(this.where.lit, 0); gl.drawArrays(gl.POINTS, 0, part.count); }
    gl.depthMask(true);
  }
  drawFlat(w, h) {
    const g = this.flat, R = this.camera(), s = 0.55 * this.zoom / this.radius * Math.min(w, h), o = this.center; g.fillStyle = "#fbfcfd"; g.fillRect(0, 0, w, h);
    const project = (p, i) => { const x = p[i] - o[0], y = p[i + 1] - o[1], z = p[i + 2] - o[2]; return [w / 2 + this.pan[0] * h + s * (R[0][0] * x + R[0][1] * y + R[0][2] * z), h / 2 - this.pan[1] * h - s * (R[1][0] * x + R[1][1] * y + R[1][2] * z), R[2][0] * x + R[2][1] * y + R[2][2] * z]; };
    for (const part of this.parts) {
      const at = []; for (let i = 0; i < part.now.length; i += 3) at.push(project(part.now, i));
      const order = []; for (let i = 0; i < part.triangles.length; i += 3) order.push([at[part.triangles[i]][2] + at[part.triangles[i + 1]][2] + at[part.triangles[i + 2]][2], i]);
      order.sort((a, b) => a[0] - b[0]);
      const paint = (t) => !part.shapes.length ? "rgb(158,168,181)" : "rgb(" + Tisserand.color(t).map((v) => Math.round(255 * v)).join(",") + ")";
      for (const [, i] of order) { const t = part.triangles; g.fillStyle = paint((this.level(part, t[i]) + this.level(part, t[i + 1]) + this.level(part, t[i + 2])) / 3); g.beginPath(); for (const j of [0, 1, 2]) { const q = at[t[i + j]]; if (j) g.lineTo(q[0], q[1]); else g.moveTo(q[0], q[1]); } g.closePath(); g.fill(); }
      g.lineWidth = 2; for (let i = 0; i < part.lines.length; i += 2) { const a = at[part.lines[i]], b = at[part.lines[i + 1]]; g.strokeStyle = paint(this.level(part, part.lines[i])); g.beginPath(); g.moveTo(a[0], a[1]); g.lineTo(b[0], b[1]); g.stroke(); }
      if (!part.triangles.length && !part.lines.length) for (const q of at) { g.fillStyle = "#0072b2"; g.fillRect(q[0] - 3, q[1] - 3, 6, 6); }
    }
  }
};
