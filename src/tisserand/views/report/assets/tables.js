"use strict";
/* Sortable tables: a button in every header; numbers sort as numbers. */
document.querySelectorAll("table.sortable").forEach((table) => {
  table.querySelectorAll("th button").forEach((button, column) => button.addEventListener("click", () => {
    const head = button.closest("th"), up = head.getAttribute("aria-sort") !== "ascending", body = table.tBodies[0], rows = Array.from(body.rows);
    const value = (row) => { const cell = row.cells[column], raw = cell.dataset.value ?? cell.textContent.trim(), number = Number(raw); return raw !== "" && !Number.isNaN(number) ? number : raw; };
    rows.sort((a, b) => { const x = value(a), y = value(b), order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y)); return up ? order : -order; });
    rows.forEach((row) => body.append(row)); table.querySelectorAll("th").forEach((th) => th.removeAttribute("aria-sort")); head.setAttribute("aria-sort", up ? "ascending" : "descending");
  }));
});
