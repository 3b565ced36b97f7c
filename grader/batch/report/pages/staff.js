
"use strict";
(() => {
  const table = document.getElementById("table");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const filter = document.getElementById("filter");
  const count = document.getElementById("count");
  const texts = new Map(rows.map((row) => [row, `${row.textContent} ${row.dataset.kinds}`.toLowerCase()]));

  const value = (row, column, kind) => {
    const cell = row.cells[column];
    return kind === "number" ? Number(cell.dataset.value) : cell.textContent.trim().toLowerCase();
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));

  heads.forEach((head, column) => {
    head.querySelector("button").addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const kind = head.dataset.sort;
      const sorted = rows.slice().sort((a, b) => {
        const order = compare(value(a, column, kind), value(b, column, kind));
        return up ? order : -order;
      });
      body.append(...sorted);
    });
  });

  const show = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      row.hidden = !words.every((word) => texts.get(row).includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = words.length ? `${shown} of ${rows.length}` : "";
  };
  filter.addEventListener("input", show);
})();
