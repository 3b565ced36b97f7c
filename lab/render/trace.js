
"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const data = JSON.parse(byId("recording").textContent);
  const last = data.steps.length;
  const SIZE = 40;
  const MARGIN = 24;
  const FRAME = 500;
  const SHOWN = 24;
  const columns = data.columns;
  const pendingChanges = data.pending ? data.pending.changes : [];
  const find = (selector) => byId("player").querySelector(selector);
  const [play, back, forward, slider, told] = [".play", ".back", ".forward", "input", ".now-at"].map(find);
  const unit = byId("unit");
  const speed = byId("speed");

  const named = (cell) => (typeof cell === "number" ? `(${Math.floor(cell / columns) + 1}, ${(cell % columns) + 1})` : cell);
  const middle = (cell) => [MARGIN + SIZE * ((cell % columns) + 0.5), MARGIN + SIZE * (Math.floor(cell / columns) + 0.5)];

  /* The state at a moment: changes are applied forward; to go back, a frame that was kept before is taken up. */
  const copied = (state) => ({ ...state, held: [...state.held], parents: new Map(state.parents), calls: [...state.calls], times: new Map(state.times) });
  const advance = (state, moment) => {
    for (; state.visit < data.visits.length && data.visits[state.visit][0] <= moment; state.visit += 1) {
      const cell = data.visits[state.visit][1];
      state.here = cell;
      state.times.set(cell, (state.times.get(cell) ?? 0) + 1);
    }
    for (; state.change < pendingChanges.length && pendingChanges[state.change][0] <= moment; state.change += 1) {
      const [, start, left, came] = pendingChanges[state.change];
      state.held.splice(start, left, ...came);
    }
    for (; state.parent < data.parents.length && data.parents[state.parent][0] <= moment; state.parent += 1) {
      state.parents.set(data.parents[state.parent][1], data.parents[state.parent][2]);
    }
    for (; state.call < data.calls.length && data.calls[state.call][0] <= moment; state.call += 1) {
      const [, name, cells] = data.calls[state.call];
      if (name === undefined) state.calls.pop();
      else state.calls.push({ name, cells });
    }
    state.moment = moment;
    return state;
  };
  const first = { moment: 0, visit: 0, change: 0, parent: 0, call: 0, here: null, held: [], parents: new Map(), calls: [], times: new Map() };
  const frames = [];
  for (let moment = 0, state = first; moment <= last; moment += FRAME) {
    state = advance(copied(state), moment);
    frames.push(state);
  }
  const stateAt = (moment, now) =>
    advance(now && now.moment <= moment && moment - now.moment < FRAME ? now : copied(frames[Math.floor(moment / FRAME)]), moment);

  /* What holds too many cells to be shown is no longer followed. */
  const isFollowed = (state) => Boolean(data.pending) && (data.pending.until === null || state.moment < data.pending.until);

  /* The maze. */
  const svg = byId("maze");
  const drawn = [...svg.querySelectorAll("[data-cell]")];
  const arrows = byId("arrows");
  const way = byId("way");
  const showMaze = (state) => {
    const waiting = new Set(isFollowed(state) ? state.held : []);
    const entered = new Set(state.calls.flatMap((call) => call.cells));
    drawn.forEach((node, cell) => {
      const kinds = [state.times.has(cell) ? (entered.has(cell) ? "s" : "v") : "", waiting.has(cell) ? "p" : "", state.here === cell ? "now" : ""];
      const name = kinds.filter(Boolean).join(" ");
      if (node.getAttribute("class") !== name) node.setAttribute("class", name);
    });
    let path = "";
    for (const [cell, parent] of state.parents) {
      if (cell === parent) continue;
      const [x, y] = middle(cell);
      const [to, down] = middle(parent);
      const [dx, dy] = [(to - x) / SIZE, (down - y) / SIZE];
      const [tipX, tipY] = [x + dx * 26, y + dy * 26];
      path += `M${x + dx * 6} ${y + dy * 6}L${tipX} ${tipY}M${tipX - dx * 6 + dy * 4} ${tipY - dy * 6 + dx * 4}L${tipX} ${tipY}L${tipX - dx * 6 - dy * 4} ${tipY - dy * 6 - dx * 4}`;
    }
    arrows.setAttribute("d", path);
    if (way) way.style.display = state.moment === last ? "" : "none";
  };

  /* The queue or stack, and the calls. */
  const item = (text, kind) => {
    const node = document.createElement("li");
    node.textContent = text;
    if (kind) node.className = kind;
    return node;
  };
  const fill = (list, texts, next) => {
    const items = texts.map((text, place) => item(text, place === next ? "next" : ""));
    const left = items.length - SHOWN;
    if (left > 0) items.splice(SHOWN - 6, left, item(`${left} more`, "more"));
    list.replaceChildren(...(items.length ? items : [item("empty", "none")]));
  };
  const holder = byId("pending");
  const calls = byId("calls");
  const showHeld = (state) => {
    if (holder && !isFollowed(state)) {
      holder.replaceChildren(item("too many to show", "none"));
      byId("pending-count").textContent = "Thousands of cells";
    } else if (holder) {
      const kind = data.pending.kind;
      const texts = state.held.map(named);
      fill(holder, kind === "stack" ? texts.reverse() : texts, ["queue", "stack", "top first"].includes(kind) ? 0 : -1);
      byId("pending-count").textContent = state.held.length === 1 ? "1 cell" : `${state.held.length} cells`;
    }
    if (calls) {
      fill(calls, state.calls.map((call) => `${call.name}(${call.cells.map(named).join(", ")})`).reverse(), 0);
      byId("calls-count").textContent = state.calls.length === 1 ? "1 call" : `${state.calls.length} calls`;
    }
  };

  /* The line that runs next; at the end, the one that ran last. */
  const code = byId("code");
  const files = new Map([...code.querySelectorAll("ol")].map((list) => [list.dataset.file, { list, lines: [...list.children] }]));
  let marked = null;
  let open = null;
  const showLine = (moment) => {
    const [name, number] = data.lines[data.steps[Math.min(moment, last - 1)]];
    const file = files.get(name);
    if (file !== open) {
      if (open) open.list.hidden = true;
      file.list.hidden = false;
      open = file;
      byId("file").textContent = name;
    }
    if (marked) marked.className = "";
    marked = file.lines[number - 1];
    marked.className = moment === last && data.ending.kind === "crashed" ? "at failed" : "at";
    if (parent !== window) parent.postMessage({ kind: "at", file: name, line: number }, "*"); /* to the editor beside it */
    code.scrollTop = marked.offsetTop - (code.clientHeight - marked.offsetHeight) / 2;
    return `${name}, line ${number}`;
  };

  /* What the variables held before that line, and which of them the line before it changed. */
  const values = byId("values");
  const latest = (history, moment) => {
    let [low, high] = [-1, history.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (history[middle][0] <= moment) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const part = (name, text, kind) => {
    const node = document.createElement(name);
    node.textContent = text;
    if (kind) node.className = kind;
    return node;
  };
  const arrowsOf = (count) => {
    const [drawn, path] = ["svg", "path"].map((name) => document.createElementNS("http://www.w3.org/2000/svg", name));
    const to = count * 10;
    const lines = Array.from({ length: count }, (_, place) => `M2 ${place * 20 + 10}L34 ${to}`);
    drawn.setAttribute("width", 36);
    drawn.setAttribute("height", count * 20);
    drawn.setAttribute("aria-hidden", "true");
    path.setAttribute("d", `${lines.join("")}M28 ${to - 5}L35 ${to}L28 ${to + 5}`);
    drawn.append(path);
    return drawn;
  };
  const showValues = (moment) => {
    const { since, calls: turns, held, texts } = data.values;
    const [began, call] = turns[latest(turns, Math.min(moment, last - 1))];
    const all = Object.entries(moment < since ? {} : (held[call] ?? {}));
    const isAttribute = ([name]) => name.includes(".");
    /* What several places hold is drawn once, with arrows from these. */
    const shared = all.find(([name]) => name === "=")?.[1] ?? [];
    const groups = JSON.parse(texts[shared[latest(shared, moment)]?.[1]] ?? "[]");
    const isAlone = ([name]) => name !== "=" && !groups.some(([names]) => names.includes(name));
    const isNewIn = (history) => history?.[latest(history, moment)]?.[0] === moment && moment > began;
    const drawnOnce = groups.map(([names, text]) => {
      const row = part("li", "", names.some((name) => isNewIn(held[call][name])) ? "one new" : "one");
      const places = part("span", "", "places");
      names.forEach((name) => places.append(part("b", name)));
      row.append(places, arrowsOf(names.length), part("span", text, "object"));
      return row;
    });
    const rows = [...all.filter((each) => !isAttribute(each)), ...all.filter(isAttribute)].filter(isAlone).flatMap(([name, history]) => {
      const place = latest(history, moment);
      if (place < 0) return [];
      const isNew = history[place][0] === moment && moment > began;
      const row = part("li", "", isNew ? "new" : "");
      row.append(part("b", name), " = ", part("span", texts[history[place][1]]));
      if (isNew) row.append(" ", part("i", place ? `was ${texts[history[place - 1][1]]}` : "new"));
      return [row];
    });
    const none = moment < since ? "not kept: too much ran after this line" : "no variable has a value yet";
    rows.unshift(...drawnOnce);
    values.replaceChildren(...(rows.length ? rows : [part("li", none, "none")]));
    const changed = values.querySelector(".new");
    values.scrollTop = changed ? changed.offsetTop + changed.offsetHeight - values.clientHeight : 0;
  };

  let state = null;
  const go = (moment) => {
    const to = Math.min(Math.max(moment, 0), last);
    state = stateAt(to, state);
    showMaze(state);
    showHeld(state);
    const place = showLine(to);
    showValues(to);
    slider.value = to;
    const step = to === last ? `The end, after ${data.total} lines` : `Line ${data.first + to + 1} of ${data.total} that run`;
    slider.setAttribute("aria-valuetext", step);
    const times = state.here === null ? 0 : state.times.get(state.here);
    const often = times > 1 ? ` (${times} times until now)` : "";
    const visit = times ? `Visits ${named(state.here)}${often}` : "No cell is visited yet";
    told.textContent = `${step}: ${place}\n${visit}`;
  };
  const at = () => state.moment;
  const visits = [...new Set(data.visits.map(([moment]) => moment))];
  const beside = (way, by) => {
    if (by !== "visit") return at() + way;
    return way > 0 ? visits.find((moment) => moment > at()) ?? last : visits.findLast((moment) => moment < at()) ?? 0;
  };

  let timer = 0;
  const label = (name) => {
    play.querySelector("span").textContent = name === "play" ? "Play" : "Pause";
    play.querySelector("use").setAttribute("href", `#i-${name}`);
  };
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    label("play");
    told.setAttribute("aria-live", "polite");
  };
  const start = () => {
    clearInterval(timer);
    told.setAttribute("aria-live", "off");
    label("pause");
    timer = setInterval(() => {
      go(beside(1, unit.value));
      if (at() >= last) stop();
    }, 1000 / Number(speed.value));
  };
  const toggle = () => {
    if (timer) return stop();
    if (at() >= last) go(0);
    start();
  };
  const move = (moment) => {
    stop();
    go(moment);
  };

  play.addEventListener("click", toggle);
  back.addEventListener("click", () => move(beside(-1, unit.value)));
  forward.addEventListener("click", () => move(beside(1, unit.value)));
  slider.addEventListener("input", () => move(Number(slider.value)));
  speed.addEventListener("change", () => { if (timer) start(); });
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.tagName === "SELECT") return;
    const by = event.shiftKey ? "visit" : unit.value;
    if (event.key === "ArrowLeft") move(beside(-1, by));
    else if (event.key === "ArrowRight") move(beside(1, by));
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(last);
    else if (event.key === " " && event.target.tagName !== "BUTTON") toggle();
    else return;
    event.preventDefault();
  });
  byId("player").hidden = byId("pace").hidden = false;
  /* #step-12, or --step 12, is the twelfth line that ran. */
  const asked = () => Number(/^#step-(\d+)$/.exec(location.hash)?.[1] ?? data.step);
  addEventListener("hashchange", () => move(asked() - data.first - 1));
  go(asked() ? asked() - data.first - 1 : data.ending.kind === "returned" ? 0 : last);
})();
