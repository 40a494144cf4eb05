"use strict";
/* What every page has: light and dark, sortable tables, the full page when printed, keys that work wherever they mean nothing else. */
Tisserand.typing = (e) => e.ctrlKey || e.metaKey || e.altKey || e.target.matches("select, textarea") || (e.key === " " && e.target.matches("input, button, summary, a"));
(function () {
  const root = document.documentElement, kept = (() => { try { return localStorage.getItem("tisserand-theme"); } catch { return null; } })();
  const wish = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.theme = kept || wish;
  const button = document.getElementById("theme");
  const label = () => { button.textContent = root.dataset.theme === "dark" ? "Light" : "Dark"; };
  button.addEventListener("click", () => {
    root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; label();
    try { localStorage.setItem("tisserand-theme", root.dataset.theme); } catch { /* files opened from disk may have no storage */ }
    document.dispatchEvent(new Event("theme"));
  });
  label();
  document.getElementById("print").addEventListener("click", () => window.print());
  window.addEventListener("beforeprint", () => { document.querySelectorAll("details").forEach((d) => { d.dataset.was = d.open; }); });
  document.querySelectorAll("table.sortable").forEach((table) => {
    table.querySelectorAll("th button").forEach((button, column) => button.addEventListener("click", () => {
      const head = button.closest("th"), up = head.getAttribute("aria-sort") !== "ascending", body = table.tBodies[0], rows = Array.from(body.rows);
      const value = (row) => { const cell = row.cells[column], raw = cell.dataset.value ?? cell.textContent.trim(), number = Number(raw); return raw !== "" && !Number.isNaN(number) ? number : raw; };
      rows.sort((a, b) => { const x = value(a), y = value(b), order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)); return up ? order : -order; });
      rows.forEach((row) => body.append(row)); table.querySelectorAll("th").forEach((th) => th.removeAttribute("aria-sort")); head.setAttribute("aria-sort", up ? "ascending" : "descending");
    }));
  });
})();
