"use strict";
(() => {
  const { at, named, onClick, tell } = dom;
  const opened = JSON.parse(document.querySelector("main").dataset.state);
  const most = Number(document.querySelector("main").dataset.mostBytes);
  const folded = (name) => name.normalize("NFC").toUpperCase().toLowerCase(); // as Python folds case
  const exercises = named("exercises").map((box) => box.value);
  let drawn = null;
  let kept = null; // the text of the file when it was last saved
  let asked = null; // the text of the drawing whose mistakes are shown

  const fields = () => ({
    name: at("name").value.trim(),
    catches: at("catches").value.trim(),
    visibility: at("visibility").value,
    exercises: named("exercises").filter((box) => box.checked).map((box) => box.value),
    orders: at("orders").checked,
    maze: mazes.toText(drawn.maze),
  });
  const text = () => files.fileText(opened, fields(), drawn.maze, drawn.facts, exercises);
  const write = () => {
    at("yaml").textContent = text();
    const isOld = asked !== null && asked !== fields().maze;
    if (isOld) tell("asked", "The maze has changed since: ask again.");
  };

  /** Whether the file can be written; else the first field that is missing or wrong is shown. */
  const isComplete = () => {
    for (const [id, what] of [["name", "a name"], ["catches", "the mistake that it catches"]]) {
      if (at(id).value.trim()) continue;
      tell("saved", `Say ${what} first`, true);
      at(id).focus();
      return false;
    }
    if (opened.taken.some((name) => folded(name) === folded(fields().name))) {
      tell("saved", "Another maze of this course has this name: choose another", true);
      at("name").focus();
      return false;
    }
    if (!fields().exercises.length) {
      tell("saved", "Choose an exercise first", true);
      named("exercises")[0].focus();
      return false;
    }
    const size = new Blob([text()]).size;
    if (size <= most) return true;
    const kib = (bytes) => Math.ceil(bytes / 1024);
    tell("saved", `The file would have ${kib(size)} KiB, and may have ${kib(most)}: leave out the visit orders`, true);
    return false;
  };

  const sent = async (method, place, body) => {
    try {
      const answer = await fetch(place, { method, body });
      return { ok: answer.ok, text: await answer.text() };
    } catch {
      return { ok: false, text: "grader maze edit has ended: start it again, or download the file" };
    }
  };
  const save = async () => {
    if (!isComplete()) return false;
    const body = text();
    const answer = await sent("PUT", "file", body);
    if (answer.ok) kept = body;
    tell("saved", answer.text, !answer.ok);
    return answer.ok;
  };

  const download = () => {
    if (!isComplete()) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type: "application/yaml" }));
    link.download = opened.file;
    link.click();
    URL.revokeObjectURL(link.href);
    kept = text();
    tell("saved", `Downloaded as ${opened.file}`);
  };

  // --- the mistakes that it catches -----------------------------------------------------------------------

  const element = (name, parent, words = "") => {
    const made = document.createElement(name);
    made.textContent = words;
    parent.append(made);
    return made;
  };
  const list = (id, words, names) => {
    const details = element("details", at(id));
    element("summary", details, words);
    const items = element("ul", details);
    items.className = "plain";
    names.forEach((name) => element("li", items, name));
  };
  const ask = async () => {
    at("ask").disabled = true;
    at("mistakes").replaceChildren();
    if (await save()) {
      tell("asked", "Asking: the bank is being graded on this maze.");
      asked = fields().maze;
      const answer = await sent("POST", "mistakes", "");
      tell("asked", answer.ok ? "" : answer.text, !answer.ok);
      if (answer.ok) {
        for (const [exercise, told] of Object.entries(JSON.parse(answer.text))) {
          list("mistakes", `${exercise}: catches ${told.caught.length} of ${told.due} mistakes`, told.caught);
        }
        write();
      }
    } else tell("asked", "It is saved first, and could not be: see below", true);
    at("ask").disabled = false;
  };

  // --- from the beginning ---------------------------------------------------------------------------------

  for (const id of ["name", "catches", "visibility"]) {
    at(id).value = opened.fields[id];
    at(id).addEventListener("input", write);
  }
  for (const box of named("exercises")) {
    box.checked = opened.fields.exercises.includes(box.value);
    box.addEventListener("change", write);
  }
  at("orders").checked = opened.fields.orders;
  at("orders").addEventListener("change", write);
  onClick("save", save);
  onClick("download", download);
  onClick("ask", ask);
  document.addEventListener("drawn", (event) => {
    drawn = event.detail;
    write();
    kept ??= at("yaml").textContent;
  });
  addEventListener("beforeunload", (event) => {
    if (at("yaml").textContent !== kept) event.preventDefault();
  });
})();
