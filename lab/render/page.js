
"use strict";
(() => {
  const words = document.body.dataset;
  const PACE = 700;
  const CELL = 40;

  const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

  /* One side of a comparison: what is visited and pending after a number of steps. */
  const sideOf = (svg) => {
    const cells = [...svg.querySelectorAll("[data-s]")].map((node) => ({
      node,
      name: `(${node.dataset.c})`,
      seen: Number(node.dataset.s),
      visits: node.dataset.v ? node.dataset.v.split(" ").map(Number) : [],
    }));
    const numbers = [...svg.querySelectorAll(".numbers text")];
    const last = Number(svg.dataset.steps);
    const state = (cell, step) => {
      if (cell.visits.includes(step)) return "v now";
      if (cell.visits[0] < step) return "v";
      return cell.seen <= step ? "p" : "u";
    };
    const show = (step, ended) => {
      for (const cell of cells) cell.node.setAttribute("class", ended ? state(cell, last).replace(" now", "") : state(cell, step));
      for (const number of numbers) number.classList.toggle("off", Number(number.dataset.v) > step);
    };
    const visitedIn = (step) => cells.find((cell) => cell.visits.includes(step));
    const pendingAt = (step) => cells.filter((cell) => cell.seen <= step && !(cell.visits[0] <= step)).map((cell) => cell.name);
    const say = (step) => {
      const side = svg.dataset.side === "expected" ? words.expected : words.actual;
      if (step > last) return fill(words.over, { side });
      const now = visitedIn(step);
      const pending = pendingAt(step);
      const rest = pending.length ? fill(words.pending, { cells: pending.join(" ") }) : words.noPending;
      return `${fill(words.side, { side, cell: now ? now.name : "–" })}; ${rest}`;
    };
    return { show, say, visitedIn, pendingAt };
  };

  /* A script of calls: a frame for each call, with the calls beside it, and the cells that are pending then. */
  const scriptOf = (svg) => {
    const compare = svg.closest(".compare");
    const frames = [...svg.querySelectorAll(".frame")];
    const holder = compare.querySelector(".holder");
    const calls = [...compare.querySelectorAll("[data-step]")];
    const item = (text, kind) => {
      const node = document.createElement("li");
      node.textContent = text;
      node.className = kind;
      return node;
    };
    const show = (step) => {
      frames.forEach((frame, index) => frame.toggleAttribute("hidden", index + 1 !== step));
      calls.forEach((call, index) => call.classList.toggle("now", index + 1 === step));
      const pending = step ? frames[step - 1].dataset.pending : "";
      holder.replaceChildren(...(pending ? pending.split("|").map((name) => item(name, "")) : [item(holder.dataset.none, "none")]));
    };
    const say = (step) => frames[step - 1].dataset.told;
    return { show, say };
  };

  /* The student's own source beside the maze: the lines that ran in a step, the one of its visit first. */
  const sourceOf = (source) => {
    const steps = source.dataset.ran.split("|").map((lines) => lines.split(" ").filter(Boolean));
    const lines = [...source.querySelectorAll("[data-line]")];
    const ranIn = (step) => steps[step - 1] ?? [];
    const show = (step, ended) => {
      const ran = ended ? [] : ranIn(step);
      for (const line of lines) {
        line.classList.toggle("ran", ran.includes(line.dataset.line));
        line.classList.toggle("at", line.dataset.line === ran[0]);
      }
    };
    const say = (step) => {
      const ran = ranIn(step);
      const at = lines.find((line) => line.dataset.line === ran[0]);
      const code = at ? `\n${ran[0]}: ${at.lastChild.textContent.trim()}` : "";
      return ran.length ? fill(words.lines, { lines: ran.join(", ") }) + code : "";
    };
    source.querySelector(".follows").hidden = false;
    return { show, say };
  };

  /* "Which cell comes next?", asked before a step is shown: named on a button, or clicked in the picture. */
  const predictionOf = (player, svg, side, at, go) => {
    const make = (name, kind, text) => {
      const node = document.createElement(name);
      node.className = kind;
      node.textContent = text;
      if (name === "button") node.type = "button";
      return node;
    };
    const button = make("button", "predict", words.predict);
    const told = make("p", "asked", "");
    const choices = make("div", "choices", "");
    const compare = player.closest(".compare");
    const floor = svg.querySelector(".floor");
    told.setAttribute("aria-live", "polite");
    const isOn = () => button.getAttribute("aria-pressed") === "true";
    const choice = (name) => {
      const node = make("button", "", name);
      node.addEventListener("click", () => answer(name));
      return node;
    };
    const ask = (note) => {
      if (!isOn()) return;
      const isOver = !side.visitedIn(at() + 1);
      const hadFocus = choices.contains(document.activeElement);
      told.textContent = [note, isOver ? words.noNext : words.ask].filter(Boolean).join(" ");
      choices.replaceChildren(...(isOver ? [] : side.pendingAt(at()).map(choice)));
      if (hadFocus) (choices.firstChild ?? button).focus();
    };
    const answer = (name) => {
      const due = side.visitedIn(at() + 1);
      if (!isOn() || !due) return;
      const isRight = due.name === name;
      if (isRight) go(at() + 1);
      ask(fill(isRight ? words.rightGuess : words.wrongGuess, { cell: name }));
    };
    const turn = (on) => {
      button.setAttribute("aria-pressed", on);
      compare.classList.toggle("asking", on);
      told.hidden = choices.hidden = !on;
    };
    button.addEventListener("click", () => {
      turn(!isOn());
      if (isOn()) go(at() < Number(svg.dataset.steps) ? Math.max(at(), 1) : 1);
    });
    svg.addEventListener("click", (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      const place = (value, start) => (value - start.baseVal.value) / CELL;
      const [row, column] = [place(point.y, floor.y), place(point.x, floor.x)].map(Math.floor);
      const [rows, columns] = [floor.height, floor.width].map((size) => size.baseVal.value / CELL);
      if (row >= 0 && row < rows && column >= 0 && column < columns) answer(`(${row + 1}, ${column + 1})`);
    });
    turn(false);
    player.append(button, told, choices);
    return { ask, stop: () => turn(false) };
  };

  const startPlayer = (player) => {
    const findAll = (selector) => [...player.closest(".compare").querySelectorAll(selector)];
    const source = player.closest(".beside")?.querySelector(".source[data-ran]");
    const boards = findAll("svg[data-steps]");
    const sides = [...boards.map(sideOf), ...findAll("svg[data-frames]").map(scriptOf)];
    const asked = boards.findIndex((svg) => svg.dataset.side === "expected");
    if (source) sides.push(sourceOf(source));
    const last = Number(player.dataset.last);
    const find = (selector) => player.querySelector(selector);
    const [play, back, forward, slider, told] = [".play", ".back", ".forward", "input", ".now-at"].map(find);
    let timer = 0;
    let prediction = null;

    const go = (step) => {
      const at = Math.min(Math.max(step, 0), last);
      slider.value = at;
      const head = at ? fill(words.step, { step: at, steps: last }) : words.start;
      slider.setAttribute("aria-valuetext", head);
      for (const side of sides) side.show(at, false);
      told.textContent = [head, ...(at ? sides.map((side) => side.say(at)) : [])].filter(Boolean).join("\n");
      prediction?.ask("");
    };
    const at = () => Number(slider.value);
    const label = (name) => {
      play.querySelector("span").textContent = words[name];
      play.querySelector("use").setAttribute("href", `#i-${name}`);
    };
    const stop = () => {
      clearInterval(timer);
      timer = 0;
      label("play");
      told.setAttribute("aria-live", "polite");
    };
    const tick = () => {
      go(at() + 1);
      if (at() >= last) stop();
    };
    const toggle = () => {
      if (timer) return stop();
      prediction?.stop();
      told.setAttribute("aria-live", "off");
      label("pause");
      go(at() >= last ? 0 : at());
      timer = setInterval(tick, PACE);
    };
    const move = (step) => {
      stop();
      if (source) source.open = true;
      go(step);
    };

    if (asked >= 0) prediction = predictionOf(player, boards[asked], sides[asked], at, move);
    play.addEventListener("click", toggle);
    back.addEventListener("click", () => move(at() - 1));
    forward.addEventListener("click", () => move(at() + 1));
    slider.addEventListener("input", () => move(at()));
    player.addEventListener("keydown", (event) => {
      const target = { ArrowLeft: at() - 1, ArrowRight: at() + 1, Home: 0, End: last }[event.key];
      if (target !== undefined) move(target);
      else if (event.key === " " && event.target === slider) toggle();
      else return;
      event.preventDefault();
    });
    addEventListener("beforeprint", () => {
      stop();
      for (const side of sides) side.show(last, true);
    });
    addEventListener("afterprint", () => go(at()));
    if (at() < last) {
      go(at());
      told.textContent = "";
    }
    player.hidden = false;
  };

  const startCopy = (button) => {
    const label = button.textContent;
    button.hidden = false;
    button.addEventListener("click", async () => {
      const source = button.parentElement.querySelector("pre");
      try {
        await navigator.clipboard.writeText(source.textContent);
        button.textContent = words.copied;
      } catch {
        getSelection().selectAllChildren(source);
        button.textContent = words.notCopied;
      }
      setTimeout(() => { button.textContent = label; }, 2500);
    });
  };

  /* A maze to save is a link and needs no script; its command is copied in the same click. */
  const startSave = (link) => {
    const label = link.querySelector("span");
    label.textContent = link.dataset.both;
    link.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(link.dataset.save);
      } catch {
        return;
      }
      label.textContent = words.saved;
      setTimeout(() => { label.textContent = link.dataset.both; }, 2500);
    });
  };

  /* A link to a check opens it. */
  const openTarget = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") {
      for (let up = target; up; up = up.parentElement.closest("details")) {
        up.open = true;
        const before = up.matches(".tier") && up.previousElementSibling;
        if (before && before.matches(".tier")) before.open = true;
      }
      target.querySelector("summary").focus({ preventScroll: true });
      target.scrollIntoView();
    }
  };
  let closed = [];
  addEventListener("hashchange", openTarget);
  /* On paper that is open which one page an exercise has room for, and what the reader has opened. */
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details[data-print]:not([open])")];
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
  document.querySelectorAll(".player").forEach(startPlayer);
  document.querySelectorAll("[data-copy]").forEach(startCopy);
  document.querySelectorAll("[data-save]").forEach(startSave);
  openTarget();
})();
