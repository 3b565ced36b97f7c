
"use strict";
(() => {
  const LETTERS = { ø: "o", æ: "ae", ß: "ss", ł: "l", đ: "d", ð: "d", þ: "th", œ: "oe", ħ: "h", ı: "i" };
  const folded = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "").replace(/[øæßłđðþœħı]/g, (letter) => LETTERS[letter]);

  const value = (row, column, kind) => {
    const cell = row.cells[column];
    return kind === "number" ? Number(cell.dataset.value) : folded(cell.textContent.trim());
  };
  const compare = (a, b) => (typeof a === "number" ? a - b : a.localeCompare(b));

  const makeSortable = (table) => {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const heads = Array.from(table.tHead.rows[0].cells);
    heads.forEach((head, column) => {
      head.querySelector("button").addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const keyed = rows.map((row) => [value(row, column, head.dataset.sort), row]);
        keyed.sort((a, b) => (up ? compare(a[0], b[0]) : compare(b[0], a[0])));
        body.append(...keyed.map(([, row]) => row));
      });
    });
  };
  document.querySelectorAll("table.sortable").forEach(makeSortable);

  const table = document.getElementById("table");
  if (table) {
    const rows = Array.from(table.tBodies[0].rows);
    const filter = document.getElementById("filter");
    const count = document.getElementById("count");
    const texts = new Map();
    filter.addEventListener("input", () => {
      const words = folded(filter.value).split(/\s+/).filter(Boolean);
      if (!texts.size) rows.forEach((row) => texts.set(row, folded(`${row.textContent} ${row.dataset.kinds}`)));
      let shown = 0;
      for (const row of rows) {
        row.hidden = !words.every((word) => texts.get(row).includes(word));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = words.length ? `${shown} of ${rows.length}` : "";
    });
  }

  const unfold = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    const details = target && target.closest("details");
    if (details && !details.open) {
      details.open = true;
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", unfold);
  unfold();
})();
