/* The lab in a browser tab: the files, the editor, and one panel with what Python says of them. */
import { Editor } from "./editor.js";
import { handIn } from "./handin.js";
import { load } from "./loader.js";
import { Panel } from "./panel.js";
import { Runner } from "./runner.js";
import { keep, kept } from "./store.js";

const PAUSE = 800;
const MARKS = { passed: "✓", failed: "✗", unwritten: "·" };
const find = (id) => document.getElementById(id);
const config = await (await fetch("config.json", { cache: "no-cache" })).json();
const exercises = new Map(config.exercises.map((exercise) => [exercise.file, exercise]));
const files = new Map(Object.entries(config.files));
const results = new Map();
const runner = new Runner(find("python"));
const stem = (name) => name.split("/").pop();
let now = "";
let isReady = false;
let token = "";

const progress = (text) => { find("progress").textContent = text; };
const say = (text, kind = "") => {
  Object.assign(find("status"), { textContent: text, className: kind });
  progress("");
};
const trouble = (text) => { find("trouble").textContent = text; find("trouble").hidden = !text; };

/* Ask a question in a dialog, until the answer is none or check finds nothing wrong with it. */
const ask = (question, { value = "", type = "text", check = () => "" } = {}) => new Promise((resolve) => {
  const dialog = find("asked");
  const given = find("given");
  Object.assign(given, { value, type, hidden: type === "hidden" });
  find("question").textContent = question;
  find("refused").textContent = "";
  dialog.returnValue = "";
  dialog.querySelector("form").onsubmit = (event) => {
    const wrong = event.submitter?.value ? check(given.value.trim()) : "";
    find("refused").textContent = wrong;
    if (wrong) event.preventDefault();
  };
  dialog.onclose = () => resolve(dialog.returnValue ? given.value.trim() || true : null);
  dialog.showModal();
});

/* The files. */
const isOwn = (name) => !(name in config.files);
const shownNames = () => [...exercises.keys(), ...[...files.keys()].filter(isOwn).sort()];
const store = (name) => keep(name, files.get(name)).catch((error) => trouble(`Your files cannot be kept in this browser: ${error.message}. Export the zip before you leave.`));

let timer = 0;
let unsaved = null;
const save = () => {
  clearTimeout(timer);
  if (unsaved !== null) store(unsaved);
  const saved = unsaved;
  unsaved = null;
  return saved;
};
const changed = (name, text) => {
  if (unsaved !== null && unsaved !== name) save();
  files.set(name, text);
  unsaved = name;
  clearTimeout(timer);
  timer = setTimeout(() => checkSaved(save()), PAUSE);
};
const editor = new Editor(find("editor"), changed);

const drawTabs = () => {
  const first = shownNames().includes(now) ? now : shownNames()[0];
  const tabs = shownNames().map((name) => {
    const tab = document.createElement("button");
    const result = results.get(name);
    Object.assign(tab, { type: "button", id: `tab ${name}`, textContent: stem(name), title: name, tabIndex: name === first ? 0 : -1 });
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-selected", name === now);
    tab.setAttribute("aria-controls", "editor");
    if (result) {
      tab.className = result.standing;
      tab.dataset.mark = MARKS[result.standing];
      tab.setAttribute("aria-label", `${stem(name)}, ${result.standing}`);
    }
    tab.addEventListener("click", () => open(name));
    return tab;
  });
  const hadFocus = find("tabs").contains(document.activeElement);
  find("tabs").replaceChildren(...tabs);
  const selected = tabs.find((tab) => tab.tabIndex === 0);
  selected?.scrollIntoView({ block: "nearest", inline: "nearest" });
  if (hadFocus) selected?.focus();
};
find("tabs").addEventListener("keydown", (event) => {
  const names = shownNames();
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  open(names[(names.indexOf(now) + by + names.length) % names.length]);
});

/* Show a file or a maze in the editor, and in the panel what is known of it. */
const open = (name) => {
  if (unsaved !== null) checkSaved(save());
  now = name;
  const isMaze = name in config.mazes;
  editor.show(name, isMaze ? config.mazes[name] : files.get(name), { label: name, readOnly: isMaze });
  find("mazes").value = isMaze ? name : "";
  for (const id of ["rename", "delete"]) find(id).hidden = isMaze || !isOwn(name);
  find("tracing").hidden = !exercises.get(name)?.solves;
  find("check").hidden = !exercises.has(name);
  find("editor").setAttribute("aria-label", name);
  drawTabs();
  showResult();
  if (!results.has(name)) checkOne(name);
};

/* The panel. */
const panel = new Panel(find("panel"), {
  save: () => checkNow(),
  follow: ({ maze, algorithm, step }) => trace(maze, algorithm, step),
  line: ({ exercise, line }) => {
    show("code");
    open(config.exercises.find(({ id }) => id === exercise).file);
    editor.goTo(line);
  },
});
const showPage = ({ html, printed }, title) => {
  panel.show(html, title);
  find("printed").hidden = !printed;
  find("printed").querySelector("pre").textContent = printed ?? "";
};
let shown = null;
const showResult = () => {
  const result = results.get(now);
  if (result && result !== shown) showPage(result, `Check of ${now}`);
  shown = result ?? shown;
};
const show = (side) => {
  document.body.dataset.side = side;
  for (const button of document.querySelectorAll("[data-side]")) if (button.type) button.setAttribute("aria-pressed", button.dataset.side === side);
};

/* What is asked of Python. */
const ofFailures = {};
const all = (request) => ({ ...config.mazes, ...(request.ask === "trace" ? ofFailures : {}), ...Object.fromEntries(files) });
const counting = () => {
  let count = 0;
  let ended = 0;
  return (line) => {
    const { event } = JSON.parse(line);
    if (event === "test") count += 1;
    if (event === "end") progress(`${(ended += 1)} of ${count} tests have run`);
  };
};
const answered = async (make, options) => {
  try {
    const answer = await runner.ask(() => {
      const request = make();
      return { ...request, files: all(request) };
    }, options);
    trouble(answer?.refused ? [answer.before, answer.refused].filter(Boolean).join("\n") : "");
    if (!answer?.refused) return answer;
    say("");
    return null;
  } catch (error) {
    trouble(`Python cannot go on: ${error.message}. Your files are kept; load the page again.`);
    return null;
  }
};
const saved = new Set();
const checkSaved = (name) => {
  if (name === null) return;
  saved.add(name);
  check(() => {
    const names = [...saved];
    saved.clear();
    return { saved: names };
  }, "saved");
};
const checkOne = (name) => {
  if (exercises.has(name)) check(() => ({ exercise: exercises.get(name).id }), "one");
};
const check = async (what, kind) => {
  if (!isReady) return;
  say("Checking …");
  const answer = await answered(() => ({ ask: "check", ...what() }), { told: counting(), replaces: kind });
  if (answer === null) return;
  Object.assign(ofFailures, answer.mazes);
  const of = config.exercises.filter(({ id }) => id in answer.exercises);
  for (const { id, file } of of) results.set(file, { ...answer.exercises[id], printed: answer.printed });
  /* A helper shows what became of one that imports it. */
  const most = of.find(({ id }) => answer.exercises[id].standing !== "passed") ?? of[0];
  if (most && !exercises.has(now)) results.set(now, results.get(most.file));
  drawTabs();
  showResult();
  const { summary, standing } = results.get(now) ?? { summary: "Saved. No exercise imports this file yet." };
  say(summary, standing === "passed" ? "good" : "");
};
const trace = async (maze, algorithm, step = 0) => {
  say(`Following ${algorithm} on ${stem(maze)} …`);
  const answer = await answered(() => ({ ask: "trace", maze, algorithm, step }), { replaces: "trace" });
  if (answer === null) {
    say("");
    return;
  }
  shown = answer;
  showPage(answer, `${algorithm} on ${stem(maze)}, line by line`);
  say(answer.text);
  show("result");
};
const pack = () => answered(() => ({ ask: "pack" }), {});

/* The buttons. */
const wrongName = (name) => {
  if (!/^(?:[A-Za-z_]\w*\/)*[A-Za-z_]\w*\.py$/.test(name) && !/^my_mazes\/[\w-]+\.txt$/.test(name)) {
    return "Expected a name such as helpers.py or solvers/helpers.py, or my_mazes/first.txt for a maze of your own.";
  }
  return files.has(name) || name in config.mazes ? `There is a ${name} already.` : "";
};
const remove = (name) => {
  files.delete(name);
  results.delete(name);
  editor.forget(name);
  store(name);
};
find("add").addEventListener("click", async () => {
  const name = await ask("The name of the new file, such as helpers.py", { check: wrongName });
  if (!name) return;
  files.set(name, "");
  store(name);
  open(name);
});
find("rename").addEventListener("click", async () => {
  const before = now;
  const name = await ask(`Rename ${before}`, { value: before, check: wrongName });
  if (!name) return;
  const text = files.get(before);
  remove(before);
  files.set(name, text);
  store(name);
  open(name);
});
find("delete").addEventListener("click", async () => {
  if (!(await ask(`Delete ${now}? It cannot be brought back.`, { type: "hidden" }))) return;
  remove(now);
  open(config.exercises[0].file);
});
find("check").addEventListener("click", () => {
  const isKnown = save() === null && results.has(now) && results.get(now) !== shown;
  if (isKnown) showResult();
  else checkOne(now);
});
find("trace").addEventListener("click", () => { save(); trace(find("on").value, exercises.get(now).name); });
find("mazes").addEventListener("change", (event) => { if (event.target.value) open(event.target.value); });
for (const button of document.querySelectorAll(".sides button")) button.addEventListener("click", () => show(button.dataset.side));
const checkNow = () => checkSaved(save() ?? now);
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
  event.preventDefault();
  checkNow();
});
addEventListener("pagehide", save);
/* What another tab has saved is taken over when this one is seen again. */
document.addEventListener("visibilitychange", async () => {
  save();
  if (document.hidden) return;
  for (const [name, text] of await kept()) {
    if (text === files.get(name) || name === unsaved) continue;
    files.set(name, text);
    results.delete(name);
    if (name === now) open(name);
  }
  drawTabs();
});

const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
find("export").addEventListener("click", async () => {
  save();
  const packed = await pack();
  if (!packed) return;
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(new Blob([bytesOf(packed.zip)])), download: "submission.zip" });
  link.click();
  say(packed.warnings.length ? `Exported. Warning: ${packed.warnings.join("; ")}` : "Exported: hand in submission.zip.");
});
find("import").addEventListener("change", async (event) => {
  const [chosen] = event.target.files;
  const bytes = new Uint8Array(await chosen.arrayBuffer());
  event.target.value = "";
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  const found = await answered(() => ({ ask: "unpack", zip: btoa(text) }), {});
  if (!found) return;
  const names = Object.keys(found.files);
  if (!(await ask(`Put these files in the place of yours?\n${names.join("\n")}`, { type: "hidden" }))) return;
  for (const name of names) {
    files.set(name, found.files[name]);
    results.delete(name);
    store(name);
  }
  open(exercises.has(now) ? now : config.exercises[0].file);
});
find("hand-in").addEventListener("click", async () => {
  save();
  const packed = await pack();
  if (!packed) return;
  const warned = packed.warnings.map((warning) => `Warning: ${warning}\n`).join("");
  const given = await ask(`${warned}Your token: your page at the course's service makes one. It is forgotten when this page is closed.`, { value: token, type: "password", check: (text) => (text ? "" : "Expected a token.") });
  if (!given) return;
  token = given;
  try {
    await handIn(config.service, token, bytesOf(packed.zip), ({ number, told: state, score, max_score: most }) => {
      say(`Attempt ${number}: ${state}${score === undefined ? "" : ` ${score} of ${most} points.`}`);
    });
  } catch (error) {
    if (error.status === 401) token = "";
    trouble(`Not handed in: ${error.message}`);
  }
});

/* The beginning. */
const option = (name) => Object.assign(document.createElement("option"), { value: name, textContent: stem(name) });
const begin = async () => {
  document.title = `${config.title}: mazes lab`;
  for (const [name, text] of await kept()) files.set(name, text);
  for (const id of ["mazes", "on"]) find(id).append(...Object.keys(config.mazes).map(option));
  for (const [language, href] of Object.entries(config.handouts)) {
    const link = Object.assign(document.createElement("a"), { href, target: "_blank", lang: language });
    link.textContent = new Intl.DisplayNames([language], { type: "language" }).of(language);
    find("handouts").append(link);
  }
  find("hand-in").hidden = !config.service;
  show("code");
  open(config.exercises[0].file);
  const frame = new Promise((resolve) => {
    addEventListener("message", ({ source }) => { if (source === find("python").contentWindow) resolve(); });
    find("python").src = "frame.html";
  });
  say("Loading Python …");
  const most = (Object.values(config.wanted).reduce((sum, { bytes }) => sum + bytes, 0) / 1e6).toFixed(1);
  const loaded = await load(config.wanted, (bytes) => progress(`${(bytes / 1e6).toFixed(1)} of ${most} MB`));
  say("Starting Python …");
  await frame;
  await runner.start(loaded);
  isReady = true;
  for (const id of ["export", "check", "trace"]) find(id).disabled = false;
  say("Python is ready.");
  checkOne(now);
};
begin().catch((error) => { say(""); trouble(`Python could not be started: ${error.message}`); });
