/* The lab in a browser tab: the files, the editor, and one panel with what Python says of them. */
import { Editor } from "./editor.js";
import { bySignIn, byToken, handIn } from "./handin.js";
import { load } from "./loader.js";
import { Panel } from "./panel.js";
import { Runner } from "./runner.js";
import { Store } from "./store.js";
import { zipped } from "./zip.js";

const PAUSE = 800;
const MARKS = { passed: "✓", failed: "✗", unwritten: "·" };
const find = (id) => document.getElementById(id);
const configuration = async () => (await fetch("config.json", { cache: "no-cache" })).json();
const config = await configuration();
const KIT = config.wanted["kit.zip"].integrity;
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
  Object.assign(find("status"), { textContent: text, title: text, className: kind });
  progress("");
};
const trouble = (text) => { find("trouble").textContent = text; find("trouble").hidden = !text; };
const notice = (text) => { find("notice").hidden = !text; find("noticed").textContent = text; };

/* Ask a question in a dialog, until the answer is none or check finds nothing wrong with it. */
const ask = (question, { value = "", type = "text", check = () => "", link = null } = {}) => new Promise((resolve) => {
  const dialog = find("asked");
  const given = find("given");
  Object.assign(given, { value, type, hidden: type === "hidden" });
  find("question").textContent = question;
  find("refused").textContent = "";
  Object.assign(find("where"), { hidden: !link, href: link?.href ?? "", textContent: link?.text ?? "" });
  dialog.returnValue = "";
  dialog.querySelector("form").onsubmit = (event) => {
    const wrong = event.submitter?.value ? check(given.value.trim()) : "";
    find("refused").textContent = wrong;
    if (wrong) event.preventDefault();
  };
  dialog.onclose = () => resolve(dialog.returnValue ? given.value.trim() || true : null);
  dialog.showModal();
});
const confirmed = (question) => ask(question, { type: "hidden" });

/* The files. */
const isOwn = (name) => !(name in config.files);
const shownNames = () => [...exercises.keys(), ...[...files.keys()].filter(isOwn).sort()];
const unchecked = new Set();
let timer = 0;
const changed = (name, text) => {
  store.put(name, text);
  unchecked.add(name);
  drawTruth();
  clearTimeout(timer);
  timer = setTimeout(checkSaved, PAUSE);
};
const store = new Store(files, {
  saved: (isSaved, error) => {
    find("saved").textContent = isSaved ? "Saved" : error ? "Not saved" : "Saving …";
    if (error) notice(`Your files cannot be kept in this browser: ${error.message}. Export the zip before you leave.`);
    if (isSaved) drawVersions();
  },
  taken: (names) => {
    for (const name of names.filter((each) => !files.has(each))) forget(name);
    if (names.includes(now)) open(files.has(now) ? now : config.exercises[0].file);
    drawTabs();
    say(`Changed in another window: ${names.map(stem).join(", ")}`);
  },
  clashed: (name) => notice(`${name} was written in two windows at once. The later text stands; the other is among its versions.`),
  adopted: (names) => notice(`What was written before you signed in is among the versions of ${names.join(", ")}.`),
}, config.owner);
const editor = new Editor(find("editor"), changed);

/* A result holds as long as the files that it came of are as they were. */
const isTrue = (result) => result.kit === KIT && Object.entries(result.of).every(([name, text]) => files.get(name) === text);
const textsOf = (names) => Object.fromEntries([...names].map((name) => [name, files.get(name)]));
const drawTruth = () => {
  for (const tab of find("tabs").children) {
    const result = results.get(tab.title);
    tab.classList.toggle("stale", Boolean(result) && !isTrue(result));
  }
  find("panel").classList.toggle("stale", Boolean(shown) && !isTrue(shown));
  const of = [...exercises.keys()].map((name) => results.get(name));
  const isWhole = of.every((result) => result?.points);
  find("sum").hidden = !isWhole;
  if (!isWhole) return;
  const [got, most] = [0, 1].map((place) => of.reduce((sum, { points }) => sum + points[place], 0));
  find("sum").textContent = `All: ${got} of ${most}`;
  find("sum").classList.toggle("stale", !of.every(isTrue));
};
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
  drawTruth();
};
find("tabs").addEventListener("keydown", (event) => {
  const names = shownNames();
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  open(names[(names.indexOf(now) + by + names.length) % names.length]);
});

/* Show a file or a maze in the editor. */
const view = (name) => {
  now = name;
  const isMaze = name in config.mazes;
  editor.show(name, isMaze ? config.mazes[name] : files.get(name), { label: name, readOnly: isMaze });
  find("mazes").value = isMaze ? name : "";
  for (const id of ["rename", "delete"]) find(id).hidden = isMaze || !isOwn(name);
  find("tracing").hidden = !exercises.get(name)?.solves;
  find("check").hidden = !exercises.has(name);
  find("editor").setAttribute("aria-label", name);
  drawTabs();
  drawVersions();
};
/* The same, and in the panel what is known of it. */
const open = (name) => {
  checkSaved();
  view(name);
  showResult();
  checkUnlessKnown(name);
};
const checkUnlessKnown = (name) => {
  if (!document.hidden && exercises.has(name) && !(results.has(name) && isTrue(results.get(name)))) checkOne(name);
};
const drawVersions = async () => {
  const name = now;
  find("of-versions").hidden = name in config.mazes;
  find("versions").replaceChildren(find("versions").firstElementChild); /* of the file before */
  const versions = await store.versions(name).catch(() => []);
  if (name !== now) return;
  const skeleton = isOwn(name) ? [] : [{ text: config.files[name], label: "as it was given" }];
  const all = [...versions.map(({ at, text }) => ({
    text, label: `${new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" })}: ${text.split("\n").length} lines`,
  })), ...skeleton];
  const options = all.map(({ label, text }) => Object.assign(document.createElement("option"), { textContent: label, value: label, text_: text }));
  find("versions").replaceChildren(find("versions").firstElementChild, ...options);
};

/* The panel. */
const isBeside = matchMedia("(min-width: 801px)");
const panel = new Panel(find("panel"), isBeside, {
  save: () => checkNow(),
  follow: ({ maze, algorithm, step }) => trace(maze, algorithm, step),
  line: ({ exercise, line }) => {
    show("code");
    open(config.exercises.find(({ id }) => id === exercise).file);
    editor.goTo(line);
  },
  at: ({ file, line }) => {
    if (!isBeside.matches || !shown?.isTrace || !files.has(file) || !isTrue(shown)) return;
    if (file !== now) view(file);
    editor.mark(line);
  },
});
let shown = null;
const showPage = (page, title) => {
  shown = page;
  editor.mark();
  panel.show(page.html, title);
  find("printed").hidden = !page.printed;
  find("printed").querySelector("pre").textContent = page.printed ?? "";
  drawTruth();
};
const showResult = () => {
  const result = results.get(now);
  if (result && result !== shown) showPage(result, `Check of ${now}`);
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
  let asked = {};
  try {
    const answer = await runner.ask(() => {
      const request = make();
      asked = all(request);
      return { ...request, files: asked };
    }, options);
    trouble(answer?.refused ? [answer.before, answer.refused].filter(Boolean).join("\n") : "");
    if (!answer?.refused) return answer && { ...answer, asked };
    say("");
    return null;
  } catch (error) {
    trouble(`Python cannot go on: ${error.message}. Your files are kept; load the page again.`);
    return null;
  }
};
const checkSaved = () => {
  clearTimeout(timer);
  store.flush();
  if (!unchecked.size) return;
  check(() => {
    const names = [...unchecked];
    unchecked.clear();
    return { saved: names };
  }, "saved");
};
const checkOne = (name) => check(() => ({ exercise: exercises.get(name).id }), "one");
const check = async (what, kind) => {
  if (!isReady) return null;
  say("Checking …");
  const answer = await answered(() => ({ ask: "check", ...what() }), { told: counting(), replaces: kind });
  if (answer === null) return null;
  Object.assign(ofFailures, answer.mazes);
  const of = config.exercises.filter(({ id }) => id in answer.exercises);
  for (const { id, file } of of) {
    const { needs, ...found } = answer.exercises[id];
    const result = { ...found, printed: answer.printed, kit: KIT, of: Object.fromEntries(needs.map((name) => [name, answer.asked[name]])) };
    results.set(file, result);
    store.keepResult(file, result).catch(() => {});
  }
  /* A helper shows what became of one that imports it. */
  const most = of.find(({ id }) => answer.exercises[id].standing !== "passed") ?? of[0];
  if (most && !exercises.has(now)) results.set(now, results.get(most.file));
  drawTabs();
  showResult();
  const { summary, standing } = results.get(now) ?? { summary: "No exercise imports this file yet." };
  say(summary, standing === "passed" ? "good" : "");
  return answer;
};
const trace = async (maze, algorithm, step = 0) => {
  say(`Following ${algorithm} on ${stem(maze)} …`);
  const answer = await answered(() => ({ ask: "trace", maze, algorithm, step }), { replaces: "trace" });
  if (answer === null) {
    say("");
    return;
  }
  const of = Object.fromEntries(Object.entries(answer.asked).filter(([name]) => name.endsWith(".py")));
  showPage({ ...answer, of, kit: KIT, isTrace: true }, `${algorithm} on ${stem(maze)}, line by line`);
  say(answer.text);
  show("result");
};

/* The buttons. */
const wrongName = (name) => {
  if (!/^(?:[A-Za-z_]\w*\/)*[A-Za-z_]\w*\.py$/.test(name) && !/^my_mazes\/[\w-]+\.txt$/.test(name)) {
    return "Expected a name such as helpers.py or solvers/helpers.py, or my_mazes/first.txt for a maze of your own.";
  }
  return files.has(name) || name in config.mazes ? `There is a ${name} already.` : "";
};
const forget = (name) => {
  results.delete(name);
  editor.forget(name);
};
const remove = (name) => {
  store.put(name, undefined, { version: true });
  forget(name);
};
find("add").addEventListener("click", async () => {
  const name = await ask("The name of the new file, such as helpers.py", { check: wrongName });
  if (!name) return;
  store.put(name, "");
  open(name);
});
find("rename").addEventListener("click", async () => {
  const before = now;
  const name = await ask(`Rename ${before}`, { value: before, check: wrongName });
  if (!name) return;
  const text = files.get(before);
  remove(before);
  store.put(name, text);
  open(name);
});
find("delete").addEventListener("click", async () => {
  if (!(await confirmed(`Delete ${now}? A new file of this name has its text among the versions.`))) return;
  remove(now);
  open(config.exercises[0].file);
});
find("versions").addEventListener("change", async ({ target }) => {
  const { text_: text } = target.selectedOptions[0];
  target.selectedIndex = 0;
  await store.flush();
  store.put(now, text, { version: true });
  editor.replace(text);
});
find("check").addEventListener("click", () => {
  store.flush();
  const known = results.get(now);
  if (known && known !== shown && isTrue(known)) showResult();
  else checkOne(now);
});
find("check-all").addEventListener("click", async () => {
  unchecked.clear();
  const answer = await check(() => ({ all: true }), "all");
  if (answer) say(answer.summary);
});
find("trace").addEventListener("click", () => { store.flush(); trace(find("on").value, exercises.get(now).name); });
find("mazes").addEventListener("change", (event) => { if (event.target.value) open(event.target.value); });
for (const button of document.querySelectorAll(".sides button")) button.addEventListener("click", () => show(button.dataset.side));
document.addEventListener("visibilitychange", () => checkUnlessKnown(now));
const checkNow = () => {
  unchecked.add(now);
  checkSaved();
};
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
  event.preventDefault();
  checkNow();
});
const fold = (isOpen) => { find("menu").setAttribute("aria-expanded", isOpen); find("more").classList.toggle("open", isOpen); };
find("menu").addEventListener("click", () => fold(find("menu").getAttribute("aria-expanded") !== "true"));
find("more").addEventListener("click", ({ target }) => { if (target.closest("button, a")) fold(false); });
find("more").addEventListener("change", () => fold(false));
find("seen").addEventListener("click", () => notice(""));
find("enough").addEventListener("click", () => { find("handed-in").hidden = true; });

find("export").addEventListener("click", () => {
  store.flush();
  const link = document.createElement("a");
  Object.assign(link, { href: URL.createObjectURL(zipped(files)), download: "submission.zip" });
  link.click();
  say("Exported: hand in submission.zip.");
});
const inBase64 = async (file) => {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
};
const take = async ({ target }) => {
  const chosen = [...target.files].filter(({ name }) => /\.(py|txt|zip)$/i.test(name)).slice(0, 1000);
  const given = {};
  for (const file of chosen) given[file.webkitRelativePath || file.name] = await inBase64(file);
  target.value = "";
  const found = await answered(() => ({ ask: "unpack", given }), {});
  if (!found) return;
  const names = Object.keys(found.taken);
  if (!(await confirmed(`Put these files in the place of yours?\n${names.join("\n")}`))) return;
  for (const name of names) {
    store.put(name, found.taken[name], { version: true });
    unchecked.add(name);
  }
  open(exercises.has(now) ? now : config.exercises[0].file);
};
for (const id of ["import", "import-folder"]) find(id).addEventListener("change", take);

/* Handing in: as who is signed in, where the service itself shows this page. */
const shows = "person" in config;
let { person, csrf } = config;
const identify = async () => {
  if (shows) ({ person, csrf } = await configuration());
  find("hand-in").textContent = person ? `Hand in as ${person}` : "Hand in";
};
const signIn = async () => {
  await store.flush();
  if (await confirmed("You are not signed in, or not any more. Your files are kept here. Sign in now, and come back to hand in?")) location.assign(`${config.service}sign-in`);
};
const showAttempt = ({ number, page, feedback, told, score, max_score: most, causes = [] }) => {
  find("handed-in").hidden = false;
  find("attempt").textContent = score === undefined ? `Attempt ${number}` : `Attempt ${number}: ${score} of ${most} points`;
  find("attempt-told").textContent = told;
  find("causes").replaceChildren(...causes.map((cause) => Object.assign(document.createElement("li"), { textContent: cause })));
  Object.assign(find("feedback"), { href: feedback ?? page, textContent: feedback ? "The feedback" : "The attempt" });
};
const wayIn = async () => {
  if (shows) return bySignIn(config.service, csrf);
  const link = { href: `${config.service}#token`, text: "Make a token on your page" };
  const given = await ask("Your token. It is forgotten when this page is closed.", { value: token, type: "password", check: (text) => (text ? "" : "Expected a token."), link });
  token = given ?? token;
  return given && byToken(config.service, token);
};
find("hand-in").addEventListener("click", async () => {
  const before = person;
  try {
    await Promise.all([store.flush(), identify()]);
    if (shows && !person) { signIn(); return; }
    const { warnings = [] } = (isReady && (await answered(() => ({ ask: "warnings" }), {}))) || {};
    const asked = [...(before !== person ? [`Hand in as ${person}?`] : []), ...warnings.map((warning) => `Warning: ${warning}`)];
    if (asked.length && !(await confirmed([...asked, "Hand in?"].join("\n")))) return;
    const way = await wayIn();
    if (!way) return;
    say("Handing in …");
    show("result");
    await handIn(way, zipped(files), showAttempt);
    say("Handed in.");
  } catch (error) {
    say("");
    if (error.status === 401) token = "";
    if (error.status === 401 && shows) signIn();
    else trouble(`Not handed in: ${error.message}`);
  }
});

/* The beginning. */
const option = (name) => Object.assign(document.createElement("option"), { value: name, textContent: stem(name) });
const begin = async () => {
  document.title = `${config.title}: mazes lab`;
  for (const id of ["mazes", "on"]) find(id).append(...Object.keys(config.mazes).map(option));
  for (const [language, href] of Object.entries(config.handouts)) {
    const link = Object.assign(document.createElement("a"), { href, target: "_blank", lang: language });
    link.textContent = new Intl.DisplayNames([language], { type: "language" }).of(language);
    find("handouts").append(link);
  }
  for (const id of ["hand-in", "service"]) find(id).hidden = !config.service;
  for (const id of ["service", "service-too"]) find(id).href = config.service;
  if (person) find("hand-in").textContent = `Hand in as ${person}`;
  try {
    await store.begin();
    for (const [name, result] of await store.results()) if (files.has(name) && result.kit === KIT) results.set(name, result);
    find("saved").textContent = "Saved";
  } catch (error) {
    find("saved").textContent = "Not saved";
    notice(`Your files cannot be kept in this browser: ${error.message}. Export the zip before you leave.`);
  }
  show("code");
  open(config.exercises[0].file);
  find("export").disabled = false;
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
  for (const id of ["check", "check-all", "trace", "import", "import-folder"]) find(id).disabled = false;
  say(results.get(now)?.summary ?? "Python is ready.");
  checkSaved();
  checkUnlessKnown(now);
};
begin().catch((error) => { say(""); trouble(`Python could not be started: ${error.message}. Your files are kept, and can be exported.`); });
