"use strict";
// The text of a maze file: what was not changed stays as it stood there, comments and keys of others too.
const files = (() => {
  /** The solvers that visit the cells in an order, "deep" or "broad", as the page names them. */
  const solvers = (order) => document.body.dataset[order].split(" ");
  const PLAIN = /^\p{L}[\p{L}\p{N} ,.;()'-]*$/u;

  /** A text as YAML: as it is where that cannot be taken for anything else, else a string of JSON. */
  const quoted = (text) =>
    PLAIN.test(text) && text.includes(" ") ? text : JSON.stringify(text);

  const orderText = (maze, cells) =>
    `[${cells.map((cell) => `[${mazes.row(maze, cell) + 1}, ${mazes.column(maze, cell) + 1}]`).join(", ")}]`;
  const ordersBlock = (maze, facts, exercises) => {
    const orders = new Map(["deep", "broad"].flatMap((order) => solvers(order).map((id) => [id, facts[order]])));
    const given = [...orders].filter(([id]) => exercises.includes(id));
    const lines = given.map(([id, cells]) => `  ${id}: ${orderText(maze, cells)}\n`);
    return lines.length ? `visit_order:\n${lines.join("")}` : "";
  };
  const drawingBlock = (text) => `maze: |\n${text.replace(/^/gm, "  ")}\n`;

  /** The blocks that the page writes, by key; an empty one is left out of the file. */
  const written = (fields, maze, facts, all) => ({
    name: `name: ${quoted(fields.name)}\n`,
    catches: `catches: ${quoted(fields.catches)}\n`,
    visibility: `visibility: ${fields.visibility}\n`,
    exercises: fields.exercises.length === all.length ? "" : `exercises: [${fields.exercises.join(", ")}]\n`,
    visit_order: fields.orders ? ordersBlock(maze, facts, fields.exercises) : "",
    maze: drawingBlock(fields.maze),
  });
  /** What each block is made of: where that is as it was, so is the block. */
  const sourcesOf = (fields) => ({ ...fields, visit_order: [fields.orders, fields.exercises, fields.maze] });

  /** The whole file. `opened` has the blocks that it had, by key, and the fields that they gave. */
  const fileText = (opened, fields, maze, facts, all) => {
    const before = new Map(opened.blocks);
    const blocks = written(fields, maze, facts, all);
    const [was, is] = [sourcesOf(opened.fields), sourcesOf(fields)];
    const kept = (key) => !(key in blocks) || JSON.stringify(was[key]) === JSON.stringify(is[key]);
    const keys = [...new Set([...before.keys(), ...Object.keys(blocks)])].filter((key) => key !== "maze");
    const block = (key) => (before.has(key) && kept(key) ? before.get(key) : blocks[key]);
    return opened.head + [...keys, "maze"].map(block).join("");
  };

  return { fileText };
})();
