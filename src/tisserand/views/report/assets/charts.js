"use strict";
/* Charts by Plotly, whose code is part of the page: it is run after the first paint, and each chart is drawn when it comes into view. */
Tisserand.charts = (function () {
  const PALETTES = { light: ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6bd1", "#8c6d31"], dark: ["#4ba3e3", "#f0803c", "#2bbf95", "#e39ac4", "#f2b53c", "#9bd6f7", "#a596ec", "#c9a45c"] };
  const palette = () => PALETTES[document.documentElement.dataset.theme] || PALETTES.light, touch = window.matchMedia("(hover: none)").matches, DASHES = ["solid", "dash", "dot", "dashdot"], SYMBOLS = ["circle", "square", "triangle-up", "diamond", "cross", "star"];
  const drawn = new Set(); let ready = false; const waiting = new Set(), early = new Set(), listeners = [];
  const layout = (spec) => {
    const ink = Tisserand.css("--ink"), line = Tisserand.css("--line");
    const axis = (title, more) => Object.assign({ title: { text: title, standoff: 6 }, gridcolor: line, zerolinecolor: line, linecolor: line, color: ink, automargin: true, exponentformat: "power" }, more);
    const made = {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", font: { family: "system-ui, Segoe UI, Arial, sans-serif", size: 12, color: ink }, margin: { l: 62, r: 12, t: touch ? 30 : 8, b: 44 },
      showlegend: spec.kind !== "heat" && spec.kind !== "dots" && spec.series.length > 1, legend: { orientation: "h", y: 1.02, yanchor: "bottom", x: 0, font: { size: 11 } }, hovermode: spec.kind === "curves" ? "x unified" : "closest", hoverdistance: 200, modebar: { bgcolor: "rgba(0,0,0,0)", color: Tisserand.css("--soft"), activecolor: Tisserand.css("--accent") },
      hoverlabel: { bgcolor: Tisserand.css("--paper"), font: { color: ink } }, bargap: spec.gap === undefined ? 0.25 : spec.gap, xaxis: axis(spec.x_label, { type: spec.log_x ? "log" : "linear" }), yaxis: axis(spec.y_label, { type: spec.log ? "log" : "linear" }), shapes: [], annotations: [],
    };
    if (spec.range) made.yaxis.range = spec.range;
    if (spec.counted) { made.xaxis.tickformat = "d"; made.xaxis.dtick = Math.max(1, Math.ceil(spec.count / 20)); }
    for (const [place, label] of spec.marks || []) {
      made.shapes.push({ type: "line", x0: place, x1: place, y0: 0, y1: 1, yref: "paper", line: { color: "#9aa5b1", width: 1, dash: "dot" } });
      made.annotations.push({ x: place, y: 1, yref: "paper", text: label, showarrow: false, font: { size: 10 }, xanchor: "left", yanchor: "top" });
    }
    for (const [value, label] of spec.levels || []) {
      made.shapes.push({ type: "line", x0: 0, x1: 1, xref: "paper", y0: value, y1: value, line: { color: "#9aa5b1", width: 1.2, dash: "dot" } });
      made.annotations.push({ x: 1, xref: "paper", y: spec.log ? Math.log10(value) : value, text: label, showarrow: false, font: { size: 10 }, xanchor: "right", yanchor: "bottom" });
    }
    if (spec.kind === "tornado") made.yaxis.type = "category";
    if (spec.kind === "heat") { made.yaxis.autorange = "reversed"; made.yaxis.scaleanchor = "x"; made.xaxis.constrain = made.yaxis.constrain = "domain"; made.yaxis.dtick = made.xaxis.dtick = Math.max(1, Math.ceil(Math.max(spec.rows, spec.columns) / 20)); }
    return made;
  };
  const traces = (spec) => {
    const COLORS = palette();
    if (spec.kind === "heat") {
      const flat = Tisserand.decode(spec.z, "f4"), z = []; for (let i = 0; i < spec.rows; i++) z.push(Array.from(flat.slice(i * spec.columns, (i + 1) * spec.columns)));
      const seq = (n) => Array.from({ length: n }, (_, i) => i + 1);
      return [{ type: "heatmap", x: seq(spec.columns), y: seq(spec.rows), z, zmin: 0, zmax: 1, colorscale: "Blues", reversescale: true, hovertemplate: spec.y_label + " %{y}, " + spec.x_label + " %{x}: %{z:.3f}<extra></extra>", colorbar: { thickness: 12 } }];
    }
    if (spec.kind === "dots") {
      const top = Math.log10(spec.largest), power = (v) => "10<sup>" + v + "</sup>", ticks = Array.from({ length: 6 }, (_, i) => Math.ceil(top) - 5 + i);
      return spec.series.map((s, i) => {
        const z = Array.from(Tisserand.decode(s.z, "f4"));
        return { type: "scatter", mode: "markers", name: s.name, x: Array.from(Tisserand.decode(s.x, "f8")), y: Array.from(Tisserand.decode(s.y, "f4")), customdata: z, hovertemplate: s.name + "<br>%{x:.4g}, %{y:.4g}: %{customdata:.4g}<extra></extra>",
          marker: { size: 5, color: z.map(Math.log10), cmin: top - 5, cmax: top, colorscale: "Viridis", showscale: i === 0, colorbar: { title: { text: spec.z_label, side: "right" }, thickness: 12, tickvals: ticks, ticktext: ticks.map(power) } } };
      });
    }
    if (spec.kind === "tornado") {
      return spec.series.map((s, i) => {
        const x = Array.from(Tisserand.decode(s.x, "f8")), low = Tisserand.decode(s.low, "f8"), high = Tisserand.decode(s.high, "f8");
        return { type: "bar", orientation: "h", name: s.name, x, y: spec.labels, marker: { color: COLORS[i % COLORS.length] }, hovertemplate: "%{y}, " + s.name + ": %{x:.3f}<extra></extra>",
          error_x: { type: "data", symmetric: false, array: x.map((v, k) => high[k] - v), arrayminus: x.map((v, k) => v - low[k]), thickness: 1.2, width: 4, color: Tisserand.css("--soft") } };
      });
    }
    if (spec.kind === "points") return spec.series.map((s, i) => ({ type: "scatter", mode: "markers", name: s.name, x: Array.from(Tisserand.decode(s.x, "f8")), y: Array.from(Tisserand.decode(s.y, "f8")), text: s.text, marker: { size: 6, opacity: 0.65, color: COLORS[i % COLORS.length] }, hovertemplate: "sample %{text}<br>%{x:.5g}, %{y:.5g}<extra></extra>" }));
    return spec.series.map((s, i) => {
      const y = Array.from(Tisserand.decode(s.y, "f4")), x = spec.labels || Array.from(Tisserand.decode(s.x || spec.x, "f8")), color = COLORS[i % COLORS.length];
      if (spec.kind === "bars") return { type: "bar", name: s.name, x, y, marker: { color }, hovertemplate: "%{x}, " + s.name + ": %{y:.4g}<extra></extra>" };
      if (s.band) return { type: "scatter", mode: "lines", name: s.name, x, y, line: { width: 0, color: COLORS[0] }, fill: s.filled ? "tonexty" : "none", fillcolor: "rgba(0,114,178," + (0.34 / s.band).toFixed(2) + ")", showlegend: s.filled, legendgroup: s.name, hovertemplate: "%{y:.5g}" };
      return { type: "scatter", mode: spec.pointed ? "lines+markers" : "lines", marker: { size: 6, symbol: SYMBOLS[i % SYMBOLS.length] }, name: s.name, x, y, line: { color, width: 1.6, dash: (spec.dashed || []).includes(i) ? "6px,6px" : DASHES[Math.floor(i / COLORS.length) % 4] }, hovertemplate: "%{y:.5g}" };
    });
  };
  const specOf = (box) => { if (!box.spec) box.spec = JSON.parse(box.querySelector("script").textContent); return box.spec; };
  function csv(spec) {
    if (spec.kind === "heat") { const t = traces(spec)[0]; return t.z.map((row) => row.join(",")).join("\n") + "\n"; }
    if (spec.kind === "dots") return ["series," + [spec.x_label, spec.y_label, spec.z_label].join(","), ...traces(spec).flatMap((t) => t.x.map((v, i) => [t.name, v, t.y[i], t.customdata[i]].join(",")))].join("\n") + "\n";
    const all = traces(spec), quote = (t) => /[",\n]/.test(t) ? '"' + t.replace(/"/g, '""') + '"' : t;
    const same = all.every((t) => t.x.length === all[0].x.length && t.x.every((v, i) => v === all[0].x[i]));
    if (same) return [[spec.x_label, ...all.map((t) => t.name)].map(quote).join(","), ...all[0].x.map((v, i) => [v, ...all.map((t) => t.y[i])].join(","))].join("\n") + "\n";
    return ["series," + quote(spec.x_label) + "," + quote(spec.y_label), ...all.flatMap((t) => t.x.map((v, i) => [quote(t.name), v, t.y[i]].join(",")))].join("\n") + "\n";
  }
  function download(name, text) {
    const link = document.createElement("a"); link.download = name; link.href = "data:text/csv;charset=utf-8," + encodeURIComponent(text); link.click();
  }
  function draw(box) {
    if (!ready) { early.add(box); return; }
    if (drawn.has(box)) return; drawn.add(box);
    const spec = specOf(box), name = (box.dataset.name || "chart").replace(/[^\w.-]+/g, "_");
    const buttons = [{ name: "CSV", title: "Download the numbers drawn (CSV)", icon: Plotly.Icons.disk, click: () => download(name + ".csv", csv(spec)) }];
    if (spec.kind !== "heat" && spec.kind !== "dots" && spec.kind !== "tornado") buttons.push({ name: "log", title: "Logarithmic or linear values", icon: Plotly.Icons.autoscale, click: (gd) => { spec.log = !spec.log; Plotly.relayout(gd, { "yaxis.type": spec.log ? "log" : "linear", "yaxis.autorange": true }); } });
    if (spec.kind === "curves") buttons.push({ name: "log x", title: "Logarithmic or linear abscissa", icon: Plotly.Icons.spikeline, click: (gd) => Plotly.relayout(gd, { "xaxis.type": gd._fullLayout.xaxis.type === "log" ? "linear" : "log", "xaxis.autorange": true }) });
    const plot = document.createElement("div"); plot.className = "plot"; box.append(plot);
    Plotly.newPlot(plot, traces(spec), layout(spec), { responsive: true, displaylogo: false, modeBarButtons: [["toImage", "zoom2d", "pan2d", "zoomIn2d", "zoomOut2d", "resetScale2d"], buttons], toImageButtonOptions: { format: "png", filename: name, scale: 2 } })
      .then(() => { box.classList.add("drawn"); for (const call of listeners) call(box, plot); });
  }
  const watch = new IntersectionObserver((entries) => { for (const e of entries) if (e.isIntersecting) { if (ready) draw(e.target); else waiting.add(e.target); } }, { rootMargin: "300px" });
  document.querySelectorAll(".chart").forEach((box) => watch.observe(box));
  function start() {
    const source = document.getElementById("plotly"); if (!source || !document.querySelector(".chart")) return;
    const code = document.createElement("script"); code.textContent = source.textContent; document.head.append(code);
    ready = true; waiting.forEach(draw); early.forEach(draw);
  }
  requestAnimationFrame(() => setTimeout(start, 30));
  document.addEventListener("theme", () => { for (const box of drawn) { const plot = box.querySelector(".plot"); if (!plot) continue; const fresh = traces(specOf(box)); fresh.forEach((t, i) => { if (plot.data[i].visible !== undefined) t.visible = plot.data[i].visible; }); Plotly.react(plot, fresh, layout(specOf(box)), plot._context); } });
  /* On paper every chart is drawn, as wide as its column: half of a page of 182 mm, or all of it. */
  window.addEventListener("beforeprint", () => {
    if (!ready) return; document.querySelectorAll(".chart").forEach(draw);
    for (const box of drawn) { const plot = box.querySelector(".plot"); if (plot && plot._fullLayout) Plotly.relayout(plot, { width: box.closest(".charts") ? 330 : 670, height: 226 }); }
  });
  window.addEventListener("afterprint", () => { for (const box of drawn) { const plot = box.querySelector(".plot"); if (plot && plot._fullLayout) Plotly.relayout(plot, { width: null, height: null, autosize: true }); } });
  return { draw, specOf, csv, whenDrawn: (call) => listeners.push(call), drawn };
})();
