"use strict";
(() => {
  const { at, named, onClick, tell } = dom;
  const ARROWS = { ArrowUp: 0, ArrowRight: 1, ArrowDown: 2, ArrowLeft: 3 };
  const svg = at("board");
  const board = boardIn(svg);
  const first = JSON.parse(document.querySelector("main").dataset.state).fields.maze;

  let maze = mazes.parse(first);
  let selected = maze.entry;
  let [past, now] = [[first], 0];
  let hand = null; // what the pointer is doing: it carries a mark, draws walls, or may tap

  // --- what is shown --------------------------------------------------------------------------------------

  const draw = () => {
    const facts = mazes.factsOf(maze);
    board.draw(maze, facts, named("shown").find((radio) => radio.checked).value, selected);
    answer(facts);
    at("rows").value = maze.rows;
    at("columns").value = maze.columns;
    at("costs").hidden = !mazes.hasCosts(maze);
    at("undo").disabled = now === 0;
    at("redo").disabled = now === past.length - 1;
    if (document.activeElement !== at("drawing")) at("drawing").value = mazes.toText(maze);
    press();
    document.dispatchEvent(new CustomEvent("drawn", { detail: { maze, facts } }));
  };

  const answer = (facts) => {
    const listed = (cells) => mazes.listed(maze, cells);
    const answers = {
      perfect: mazes.perfection(maze, facts),
      islands: listed(facts.islands),
      cycle: listed(facts.cycle),
      way: mazes.wayText(maze, facts.way),
      cheapest: mazes.hasCosts(maze) ? mazes.wayText(maze, facts.cheapest) : "",
      deep: listed(facts.deep),
      preorder: String(facts.preorder) === String(facts.deep) ? "" : listed(facts.preorder),
      broad: listed(facts.broad),
    };
    for (const [key, text] of Object.entries(answers)) {
      const place = at(`answer-${key}`);
      place.textContent = text;
      place.parentElement.hidden = text === "";
      if (place.scrollHeight > place.clientHeight) place.setAttribute("tabindex", "0");
      else place.removeAttribute("tabindex");
    }
  };

  /** Show in the buttons what there is in the selected cell. */
  const press = () => {
    at("selected").textContent = `Cell ${mazes.named(maze, selected)}:`;
    for (const button of document.querySelectorAll("[data-side]")) {
      const side = Number(button.dataset.side);
      button.disabled = mazes.beside(maze, selected, side) === null;
      button.setAttribute("aria-pressed", !mazes.isOpen(maze, selected, side));
    }
    at("entry").setAttribute("aria-pressed", selected === maze.entry);
    at("exit").setAttribute("aria-pressed", selected === maze.exit);
  };

  const show = (changed, words) => {
    const [row, column] = [mazes.row(maze, selected), mazes.column(maze, selected)];
    selected = Math.min(row, changed.rows - 1) * changed.columns + Math.min(column, changed.columns - 1);
    maze = changed;
    draw();
    tell("told", words);
  };

  // --- changes --------------------------------------------------------------------------------------------

  /** Show the maze, as a step that can be undone. */
  const keep = (changed, words) => {
    const text = mazes.toText(changed);
    if (text !== past[now]) {
      now += 1;
      past = [...past.slice(0, now), text];
    }
    show(changed, words);
  };
  const step = (by) => {
    if (now + by < 0 || now + by >= past.length) return;
    now += by;
    show(mazes.parse(past[now]), by < 0 ? "Undone" : "Done again");
  };
  const turned = (cell, side, opens) => {
    const changed = mazes.copied(maze);
    mazes.setOpen(changed, cell, side, opens);
    return changed;
  };
  const wallTold = (cell, side, opens) => {
    const other = mazes.beside(maze, cell, side);
    return `${opens ? "No wall" : "A wall"} between ${mazes.named(maze, cell)} and ${mazes.named(maze, other)}`;
  };
  const turn = (cell, side) => {
    if (mazes.beside(maze, cell, side) === null) return tell("told", "The border stays closed");
    const opens = !mazes.isOpen(maze, cell, side);
    return keep(turned(cell, side, opens), wallTold(cell, side, opens));
  };
  /** What the digit that was typed is for: the opening under the pointer, or that of the next arrow. */
  let [pointed, typed] = [null, 0];
  const price = (cell, side, cost) => {
    typed = 0;
    const other = mazes.beside(maze, cell, side);
    if (other === null) return tell("told", "The border stays closed");
    const changed = mazes.copied(maze);
    mazes.openWith(changed, cell, side, cost);
    return keep(changed, `A step between ${mazes.named(maze, cell)} and ${mazes.named(maze, other)} costs ${cost}`);
  };
  const type = (cost) => {
    if (pointed) return price(pointed.cell, pointed.side, cost);
    typed = cost;
    return tell("told", `${cost}: an arrow says which step from ${mazes.named(maze, selected)} costs so much`);
  };
  const isTaken = (mark, cell) => cell === (mark === "entry" ? maze.exit : maze.entry);
  const put = (mark, cell) => {
    if (isTaken(mark, cell)) {
      return tell("told", `The ${mark === "entry" ? "exit" : "entry"} stands there: move it first`);
    }
    if (mark === "exit" && cell === maze.exit) return keep({ ...maze, exit: null }, "No exit");
    return keep({ ...maze, [mark]: cell }, `The ${mark} is in ${mazes.named(maze, cell)}`);
  };
  const select = (cell) => {
    [selected, typed] = [cell, 0];
    draw();
    board.focus(cell);
  };

  // --- mouse and touch ------------------------------------------------------------------------------------

  const markAt = ({ cell, side }) => {
    if (side !== null) return null;
    return cell === maze.entry ? "entry" : cell === maze.exit ? "exit" : null;
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    const { cell, side } = board.under(maze, event);
    const mark = markAt({ cell, side });
    const draws = event.pointerType === "mouse" && side !== null; // a finger that moves scrolls
    hand = mark ? { mark } : draws ? { opens: !mazes.isOpen(maze, cell, side) } : { taps: true };
    if (hand.taps) return;
    svg.setPointerCapture(event.pointerId);
    carry(event);
  });
  const carry = (event) => {
    const { cell, side, isCorner } = board.under(maze, event);
    if (hand.mark) {
      if (cell !== maze[hand.mark] && !isTaken(hand.mark, cell)) show({ ...maze, [hand.mark]: cell }, "");
    } else if (side !== null && !(isCorner && hand.words) && mazes.isOpen(maze, cell, side) !== hand.opens) {
      hand.words = wallTold(cell, side, hand.opens);
      show(turned(cell, side, hand.opens), hand.words);
    }
  };
  svg.addEventListener("pointermove", (event) => {
    const { cell, side } = board.under(maze, event);
    pointed = event.pointerType === "mouse" && side !== null && mazes.isOpen(maze, cell, side) ? { cell, side } : null;
    if (hand && !hand.taps) carry(event);
  });
  svg.addEventListener("pointerleave", () => (pointed = null));
  svg.addEventListener("pointerup", () => {
    if (!hand || hand.taps) return;
    const { mark, words } = hand;
    hand = null;
    keep(maze, mark ? `The ${mark} is in ${mazes.named(maze, maze[mark])}` : words);
    if (mark) select(maze[mark]);
  });
  svg.addEventListener("pointercancel", () => {
    if (hand && !hand.taps) show(mazes.parse(past[now]), "");
    hand = null;
  });
  svg.addEventListener("click", (event) => {
    if (!hand) return;
    hand = null;
    const { cell, side } = board.under(maze, event);
    if (side === null) select(cell);
    else turn(cell, side);
  });
  svg.parentElement.addEventListener("focusin", (event) => {
    const cell = Number(event.target.dataset.cell ?? selected);
    if (cell !== selected) select(cell);
  });

  // --- keys and buttons -----------------------------------------------------------------------------------

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    if (/^[1-9]$/.test(event.key) && (pointed || svg.contains(event.target))) type(Number(event.key));
  });
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [key, side] = [event.key.toLowerCase(), ARROWS[event.key]];
    const start = selected - mazes.column(maze, selected);
    if (side !== undefined && typed) price(selected, side, typed);
    else if (side !== undefined && event.shiftKey) turn(selected, side);
    else if (side !== undefined) select(mazes.beside(maze, selected, side) ?? selected);
    else if (key === "home") select(start);
    else if (key === "end") select(start + maze.columns - 1);
    else if (key === "s") put("entry", selected);
    else if (key === "e") put("exit", selected);
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.target.matches("input[type=text], textarea")) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    step(key === "z" && !event.shiftKey ? -1 : 1);
    event.preventDefault();
  });
  for (const button of document.querySelectorAll("[data-side]")) {
    button.addEventListener("click", () => turn(selected, Number(button.dataset.side)));
  }
  onClick("undo", () => step(-1));
  onClick("redo", () => step(1));
  onClick("entry", () => put("entry", selected));
  onClick("exit", () => put("exit", selected));
  onClick("no-walls", () => keep(mazes.withAll(maze, true), "No inner walls"));
  onClick("all-walls", () => keep(mazes.withAll(maze, false), "All walls"));

  const most = Number(at("rows").max);
  const isTooLarge = (rows, columns) => {
    if (Math.max(rows, columns) <= most) return false;
    tell("told", `Not ${rows} rows and ${columns} columns: at most ${most} of each fit on this page`, true);
    return true;
  };
  const resize = (event) => {
    if (isTooLarge(Number(at("rows").value), Number(at("columns").value))) return;
    if (!event.target.reportValidity()) return;
    const changed = mazes.resized(maze, Number(at("rows").value), Number(at("columns").value));
    keep(changed, `${changed.rows} rows, ${changed.columns} columns`);
  };
  at("rows").addEventListener("change", resize);
  at("columns").addEventListener("change", resize);
  at("drawing").addEventListener("change", () => {
    try {
      const pasted = mazes.parse(at("drawing").value);
      if (!isTooLarge(pasted.rows, pasted.columns)) keep(pasted, "The drawing was taken over");
    } catch (error) {
      tell("told", `That is no maze: ${error.message}`, true);
    }
  });
  named("shown").forEach((radio) => radio.addEventListener("change", draw));
  draw();
})();
