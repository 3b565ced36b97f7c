"use strict";
// The picture of a maze: a grid of cells for the keyboard and for screen readers, walls and marks over it.
const boardIn = (svg) => {
  const SVG = "http://www.w3.org/2000/svg";
  const [UNIT, EDGE, NEAR] = [40, 5, 0.25];
  const [LEAST_PIXELS, MOST_PIXELS] = [28, 64];
  let size = "";
  let cells = [];
  let below = null;
  let over = null;

  const made = (name, attributes, parent, text = "") => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    parent.append(element);
    return element;
  };
  const corner = (maze, cell) => [EDGE + mazes.column(maze, cell) * UNIT, EDGE + mazes.row(maze, cell) * UNIT];
  const middle = (maze) => (cell) => corner(maze, cell).map((each) => each + UNIT / 2);
  const pathOf = (points) => points.map((point, index) => `${index ? "L" : "M"}${point.join(" ")}`).join("");

  const build = (maze) => {
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${maze.columns * UNIT + 2 * EDGE} ${maze.rows * UNIT + 2 * EDGE}`);
    svg.style.minWidth = `${maze.columns * LEAST_PIXELS}px`;
    svg.style.maxWidth = `${maze.columns * MOST_PIXELS}px`;
    const grid = made("g", { role: "grid", "aria-label": "The maze" }, svg);
    const rows = Array.from({ length: maze.rows }, () => made("g", { role: "row" }, grid));
    cells = Array.from(maze.open, (_, cell) => cellIn(maze, cell, rows[mazes.row(maze, cell)]));
    [below, over] = [1, 2].map(() => made("g", { "aria-hidden": "true" }, svg));
  };
  const cellIn = (maze, cell, line) => {
    const [x, y] = corner(maze, cell);
    const element = made("g", { role: "gridcell", class: "cell", "data-cell": cell }, line);
    made("rect", { x, y, width: UNIT, height: UNIT }, element);
    made("text", { x: x + 4, y: y + 11 }, element);
    made("rect", { class: "ring", x: x + 4, y: y + 4, width: UNIT - 8, height: UNIT - 8, rx: 4 }, element);
    return element;
  };

  const label = (maze, cell) => {
    const mark = cell === maze.entry ? ", entry" : cell === maze.exit ? ", exit" : "";
    const closed = mazes.SIDES.filter((_, side) => !mazes.isOpen(maze, cell, side));
    const dear = mazes.SIDES.map((name, side) => [name, closed.includes(name) ? 1 : mazes.costOf(maze, cell, side)]);
    const costs = dear.filter(([, cost]) => cost > 1).map(([name, cost]) => `, ${name} costs ${cost}`).join("");
    return `${mazes.named(maze, cell)}${mark}, ${closed.length ? `walls ${closed.join(", ")}` : "no walls"}${costs}`;
  };

  /** The inner walls that are there, and those that could be. */
  const drawWalls = (maze) => {
    const paths = { wall: [], could: [] };
    cells.forEach((_, cell) => {
      const [x, y] = corner(maze, cell);
      for (const side of [1, 2]) {
        if (mazes.beside(maze, cell, side) === null) continue;
        const line = side === 1 ? `M${x + UNIT} ${y}v${UNIT}` : `M${x} ${y + UNIT}h${UNIT}`;
        paths[mazes.isOpen(maze, cell, side) ? "could" : "wall"].push(line);
      }
    });
    paths.wall.push(`M${EDGE} ${EDGE}h${maze.columns * UNIT}v${maze.rows * UNIT}h${-maze.columns * UNIT}z`);
    for (const kind of ["could", "wall"]) made("path", { class: kind, d: paths[kind].join("") }, below);
  };

  /** What steps cost, on the openings; the shades are those of lab/render/costs.py. */
  const drawCosts = (maze) => {
    cells.forEach((_, cell) => {
      const [x, y] = corner(maze, cell);
      for (const side of [1, 2]) {
        const cost = mazes.isOpen(maze, cell, side) ? mazes.costOf(maze, cell, side) : 1;
        if (cost === 1) continue;
        const [width, height] = side === 1 ? [12, 24] : [24, 12];
        const [left, top] = side === 1 ? [x + UNIT, y + UNIT / 2] : [x + UNIT / 2, y + UNIT];
        const mark = made("g", { class: `cost c${cost}` }, over);
        made("rect", { x: left - width / 2, y: top - height / 2, width, height, rx: 3 }, mark);
        made("text", { x: left, y: top + 4 }, mark, String(cost));
      }
    });
  };

  const drawMark = (name, letter, [x, y]) => {
    const mark = made("g", { class: `mark ${name}` }, over);
    made("circle", { cx: x, cy: y, r: 11 }, mark);
    made("text", { x, y: y + 5.5 }, mark, letter);
  };

  /** Draw it: `shown` is the way, the order of a search, or nothing. */
  const draw = (maze, facts, shown, selected) => {
    if (size !== `${maze.rows}x${maze.columns}`) build(maze);
    size = `${maze.rows}x${maze.columns}`;
    const order = { deep: facts.deep, broad: facts.broad }[shown] ?? [];
    const visits = new Map(order.map((cell, index) => [cell, index + 1]));
    const islands = new Set(facts.islands);
    cells.forEach((element, cell) => {
      const visit = visits.get(cell);
      element.setAttribute("aria-label", label(maze, cell) + (visit ? `, visit ${visit}` : ""));
      element.setAttribute("aria-selected", cell === selected);
      element.setAttribute("tabindex", cell === selected ? "0" : "-1");
      element.classList.toggle("island", islands.has(cell));
      element.children[1].textContent = visit ?? "";
    });
    below.replaceChildren();
    over.replaceChildren();
    drawWalls(maze);
    const place = middle(maze);
    const way = { way: facts.way, cheapest: facts.cheapest ?? facts.way }[shown];
    if (way) made("path", { class: "way", d: pathOf(way.map(place)) }, over);
    if (facts.cycle.length) made("path", { class: "cycle", d: `${pathOf(facts.cycle.map(place))}z` }, over);
    drawCosts(maze);
    drawMark("entry", "S", place(maze.entry));
    if (maze.exit !== null) drawMark("exit", "E", place(maze.exit));
  };

  /** The cell under the pointer, and the side of it whose wall is meant, if any. */
  const under = (maze, event) => {
    const box = svg.getBoundingClientRect();
    const scale = (maze.columns * UNIT + 2 * EDGE) / box.width;
    const x = ((event.clientX - box.left) * scale - EDGE) / UNIT;
    const y = ((event.clientY - box.top) * scale - EDGE) / UNIT;
    const column = Math.min(Math.max(Math.floor(x), 0), maze.columns - 1);
    const row = Math.min(Math.max(Math.floor(y), 0), maze.rows - 1);
    const far = [y - row, column + 1 - x, row + 1 - y, x - column];
    const side = far.indexOf(Math.min(...far));
    const cell = row * maze.columns + column;
    const isWall = far[side] < NEAR && mazes.beside(maze, cell, side) !== null;
    const isCorner = far.filter((each) => each < NEAR).length > 1; // a line that is drawn along passes it
    return { cell, side: isWall ? side : null, isCorner };
  };

  return { draw, under, focus: (cell) => cells[cell].focus() };
};
