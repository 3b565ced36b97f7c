"use strict";
// A maze as its text says it, and what the reference says of it: every function here gives what its twin in
// grader/exercises/kit/facts.py and grader/course/plan.py gives. Cells are numbers, row by row from 0.
const mazes = (() => {
  const SIDES = ["north", "east", "south", "west"];
  const ROWS = [-1, 0, 1, 0];
  const COLUMNS = [0, 1, 0, -1];
  const BITS = [1, 2, 4, 8];
  const opposite = (side) => (side + 2) % 4;

  const walled = (rows, columns) =>
    ({ rows, columns, open: new Uint8Array(rows * columns), costs: new Map(), entry: 0, exit: null });
  const copied = (maze) => ({ ...maze, open: maze.open.slice(), costs: new Map(maze.costs) });
  const row = (maze, cell) => Math.floor(cell / maze.columns);
  const column = (maze, cell) => cell % maze.columns;
  const named = (maze, cell) => `(${row(maze, cell) + 1}, ${column(maze, cell) + 1})`;

  /** The cell on that side, or null where the grid ends. */
  const beside = (maze, cell, side) => {
    const [r, c] = [row(maze, cell) + ROWS[side], column(maze, cell) + COLUMNS[side]];
    return r < 0 || c < 0 || r >= maze.rows || c >= maze.columns ? null : r * maze.columns + c;
  };
  const isOpen = (maze, cell, side) => (maze.open[cell] & BITS[side]) !== 0;
  const setOpen = (maze, cell, side, open) => {
    const other = beside(maze, cell, side);
    for (const [at, way] of [[cell, side], [other, opposite(side)]]) {
      maze.open[at] = open ? maze.open[at] | BITS[way] : maze.open[at] & ~BITS[way];
    }
    maze.costs.delete(opening(maze, cell, side));
  };
  /** The key of what a step through this side costs, where it is more than 1: that of its northern or western cell. */
  const opening = (maze, cell, side) =>
    side === 1 || side === 2 ? 4 * cell + side : 4 * beside(maze, cell, side) + opposite(side);
  const costOf = (maze, cell, side) => maze.costs.get(opening(maze, cell, side)) ?? 1;
  const openWith = (maze, cell, side, cost) => {
    setOpen(maze, cell, side, true);
    if (cost > 1) maze.costs.set(opening(maze, cell, side), cost);
  };
  const hasCosts = (maze) => maze.costs.size > 0;
  const neighbours = (maze, cell) =>
    [0, 1, 2, 3].filter((side) => isOpen(maze, cell, side)).map((side) => beside(maze, cell, side));

  // --- text ---------------------------------------------------------------------------------------------

  const wrong = (line, at, expected) => {
    throw new Error(`line ${line + 1}, column ${at + 1}: expected ${expected}`);
  };

  /** Read a drawing; throws an Error that says where it is none. */
  const parse = (text) => {
    const lines = text.replaceAll("\r", "").replace(/^(\s*\n)+|\s+$/g, "").split("\n");
    const [height, width] = [lines.length, lines[0].length];
    if (height < 3 || width < 3 || height % 2 === 0 || width % 2 === 0) {
      wrong(0, 0, "2R+1 lines of 2C+1 characters");
    }
    const maze = walled((height - 1) / 2, (width - 1) / 2);
    const marks = { S: [], E: [] };
    lines.forEach((line, y) => {
      if (line.length !== width) wrong(y, Math.min(line.length, width), `${width} characters in every line`);
      for (let x = 0; x < width; x += 1) readCharacter(maze, marks, line[x], y, x);
    });
    if (marks.S.length !== 1) wrong(0, 0, "one entry S");
    if (marks.E.length > 1) wrong(0, 0, "at most one exit E");
    return Object.assign(maze, { entry: marks.S[0], exit: marks.E[0] ?? null });
  };

  const readCharacter = (maze, marks, character, y, x) => {
    const cell = ((y - 1) >> 1) * maze.columns + ((x - 1) >> 1);
    if (y % 2 === 0 && x % 2 === 0) {
      if (character !== "+") wrong(y, x, "a corner '+'");
    } else if (y % 2 === 1 && x % 2 === 1) {
      if (!" SE".includes(character)) wrong(y, x, "a cell: ' ', 'S' or 'E'");
      if (character !== " ") marks[character].push(cell);
    } else {
      const wall = y % 2 === 0 ? "-" : "|";
      const isBorder = y === 0 || x === 0 || y === 2 * maze.rows || x === 2 * maze.columns;
      if (character === wall) return;
      if (isBorder) wrong(y, x, `the border '${wall}'`);
      if (!/^[ 2-9]$/.test(character)) wrong(y, x, `a wall '${wall}' or an opening (' ' or '2' to '9')`);
      const [from, side] = y % 2 === 0 ? [cellAbove(maze, y, x), 2] : [cell, 1];
      openWith(maze, from, side, Number(character) || 1);
    }
  };
  const cellAbove = (maze, y, x) => (y / 2 - 1) * maze.columns + ((x - 1) >> 1);

  const sign = (maze, cell, side, wall) =>
    isOpen(maze, cell, side) ? String(maze.costs.get(4 * cell + side) ?? " ") : wall;

  const toText = (maze) => {
    const lines = [`+${"-+".repeat(maze.columns)}`];
    for (let r = 0; r < maze.rows; r += 1) {
      let [cells, below] = ["|", "+"];
      for (let c = 0; c < maze.columns; c += 1) {
        const cell = r * maze.columns + c;
        cells += (cell === maze.entry ? "S" : cell === maze.exit ? "E" : " ") + sign(maze, cell, 1, "|");
        below += `${sign(maze, cell, 2, "-")}+`;
      }
      lines.push(cells, below);
    }
    return lines.join("\n");
  };

  // --- changes ------------------------------------------------------------------------------------------

  /** The same maze in another size: what is new is walled in, and marks that were cut off move inside. */
  const resized = (maze, rows, columns) => {
    const made = walled(rows, columns);
    const moved = (cell) =>
      Math.min(row(maze, cell), rows - 1) * columns + Math.min(column(maze, cell), columns - 1);
    for (let cell = 0; cell < maze.open.length; cell += 1) {
      if (row(maze, cell) >= rows || column(maze, cell) >= columns) continue;
      for (const side of [1, 2]) {
        const fits = beside(made, moved(cell), side) !== null;
        if (fits && isOpen(maze, cell, side)) openWith(made, moved(cell), side, costOf(maze, cell, side));
      }
    }
    made.entry = moved(maze.entry);
    made.exit = maze.exit === null || moved(maze.exit) === made.entry ? null : moved(maze.exit);
    return made;
  };

  /** All inner walls, or none. */
  const withAll = (maze, open) => {
    const made = { ...maze, open: new Uint8Array(maze.open.length), costs: new Map() };
    for (let cell = 0; open && cell < made.open.length; cell += 1) {
      for (const side of [1, 2]) if (beside(made, cell, side) !== null) setOpen(made, cell, side, true);
    }
    return made;
  };

  // --- what is true of it -------------------------------------------------------------------------------

  const distancesFrom = (maze, start) => {
    const found = new Map([[start, 0]]);
    for (const cell of found.keys()) {
      for (const next of neighbours(maze, cell)) if (!found.has(next)) found.set(next, found.get(cell) + 1);
    }
    return found;
  };

  /** The visit order of a search, and from where each cell was found. */
  const searched = (maze, take, onwards) => {
    const [found, pending, order] = [new Map([[maze.entry, null]]), [maze.entry], []];
    while (pending.length) {
      const cell = take(pending);
      order.push(cell);
      if (cell === maze.exit) break;
      for (const next of onwards(neighbours(maze, cell))) {
        if (!found.has(next)) {
          found.set(next, cell);
          pending.push(next);
        }
      }
    }
    return { order, found };
  };
  const breadthFirst = (maze) => searched(maze, (pending) => pending.shift(), (cells) => cells);
  const depthFirst = (maze) => searched(maze, (pending) => pending.pop(), (cells) => cells.reverse()).order;

  /** The order of a DFS that marks cells when it enters them. */
  const preorder = (maze) => {
    const [entered, stack] = [new Set(), [maze.entry]];
    while (stack.length) {
      const cell = stack.pop();
      if (entered.has(cell)) continue;
      entered.add(cell);
      if (cell === maze.exit) break;
      stack.push(...neighbours(maze, cell).reverse());
    }
    return [...entered];
  };

  /** From where a cheapest way comes to each cell; of several it is one of the fewest moves. */
  const cheapest = (maze) => {
    const [due, found] = [[[[0, maze.entry, 0, null]]], new Map()];
    const rank = [0, 2, 3, 1]; // as moves are sorted: north, west, east, south
    for (let cost = 0; cost < due.length; cost += 1) {
      for (const [moves, cell, , before] of (due[cost] ?? []).sort(byNumbers)) {
        if (found.has(cell)) continue;
        found.set(cell, before);
        for (const side of [0, 1, 2, 3]) {
          if (!isOpen(maze, cell, side)) continue;
          const next = cost + costOf(maze, cell, side);
          (due[next] ??= []).push([moves + 1, beside(maze, cell, side), rank[side], cell]);
        }
      }
    }
    return found;
  };
  const byNumbers = (one, other) => one[0] - other[0] || one[1] - other[1] || one[2] - other[2];

  const wayOf = (maze, found) => {
    if (maze.exit === null || !found.has(maze.exit)) return null;
    const cells = [];
    for (let cell = maze.exit; cell !== null; cell = found.get(cell)) cells.unshift(cell);
    return cells;
  };

  /** The cells of a shortest cycle through the first opening (row by row) that closes one. */
  const cycleOf = (maze) => {
    const roots = maze.open.length ? Int32Array.from(maze.open, (_, cell) => cell) : [];
    const find = (cell) => {
      while (roots[cell] !== cell) cell = roots[cell] = roots[roots[cell]];
      return cell;
    };
    for (let cell = 0; cell < maze.open.length; cell += 1) {
      for (const side of [1, 2]) {
        if (!isOpen(maze, cell, side)) continue;
        const [one, other] = [find(cell), find(beside(maze, cell, side))];
        if (one === other) return closing(maze, cell, side);
        roots[one] = other;
      }
    }
    return [];
  };
  const closing = (maze, cell, side) => {
    const around = copied(maze);
    setOpen(around, cell, side, false);
    const distances = distancesFrom(around, cell);
    const cells = [beside(maze, cell, side)];
    while (cells[0] !== cell) {
      const distance = distances.get(cells[0]) - 1;
      cells.unshift(neighbours(around, cells[0]).find((next) => distances.get(next) === distance));
    }
    return cells;
  };

  /** All that the page tells of a maze. */
  const factsOf = (maze) => {
    const { order, found } = breadthFirst(maze);
    const reach = distancesFrom(maze, maze.entry);
    const islands = [...maze.open.keys()].filter((cell) => !reach.has(cell));
    const passages = maze.open.reduce((sum, sides) => sum + BITS.filter((bit) => sides & bit).length, 0) / 2;
    return {
      islands,
      cycle: cycleOf(maze),
      extra: passages - (maze.open.length - 1),
      way: wayOf(maze, found),
      cheapest: hasCosts(maze) ? wayOf(maze, cheapest(maze)) : null,
      broad: order,
      deep: depthFirst(maze),
      preorder: preorder(maze),
    };
  };

  const perfection = (maze, facts) => {
    if (!facts.islands.length && facts.extra === 0) return "yes";
    const told = [];
    if (facts.islands.length) told.push(`${facts.islands.length} of ${maze.open.length} cells out of reach`);
    if (facts.cycle.length && facts.extra > 1) told.push(`${facts.extra} passages more than a perfect maze has`);
    else if (facts.cycle.length) told.push(`a cycle through ${listed(maze, facts.cycle)}`);
    return `no, ${told.join(" and ")}`;
  };
  const listed = (maze, cells) => cells.map((cell) => named(maze, cell)).join(" ");
  const wayText = (maze, way) => {
    if (way === null) return "none";
    const sides = way.slice(1).map((to, at) => [0, 1, 2, 3].find((side) => beside(maze, way[at], side) === to));
    const cost = sides.reduce((sum, side, at) => sum + costOf(maze, way[at], side), 0);
    const told = hasCosts(maze) ? ` that cost ${cost}` : "";
    return `${way.length - 1} moves${told}, [${sides.map((side) => SIDES[side]).join(", ")}]`;
  };

  return {
    SIDES, beside, copied, costOf, factsOf, hasCosts, isOpen, listed, named, openWith, parse, perfection, resized,
    row, column, setOpen, toText, wayText, withAll,
  };
})();
