/* Shows a page of maze check or maze trace, whose commands are buttons here: a frame without cookies and storage.
   Students' code can make of a page what it likes, so a page is data: of it stay the elements that the kit's own pages
   are made of, none of which reaches out, and this frame's policy runs the kit's own scripts only. */
(() => {
  const ELEMENTS = new Set(`body button circle code dd defs desc details div dl dt figcaption figure footer g h1 h2 h3 h4
    header input label li main ol option p path pattern polyline pre rect section select span summary svg symbol text
    title ul use`.split(/\s+/));
  const tell = (message) => parent.postMessage(message, "*");
  const COMMAND = /^maze trace (\S+) --algorithm (\w+)(?: --step (\d+))?$/;
  const button = (text, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    made.addEventListener("click", act);
    return made;
  };
  /* "line 12" of a story leads to that line in the editor. */
  const link = (number) => {
    const found = /^line (\d+)$/.exec(number.textContent);
    if (!found) return;
    const exercise = number.closest(".exercise").id;
    const made = button(number.textContent, () => tell({ kind: "line", exercise, line: Number(found[1]) }));
    Object.assign(made.style, { padding: 0, border: 0, background: "none", color: "var(--link)", font: "inherit", textDecoration: "underline", cursor: "pointer" });
    number.replaceChildren(made);
  };
  const offer = (box) => {
    const found = COMMAND.exec(box.querySelector("pre").textContent);
    if (!found || box.parentElement.querySelector(".follow")) {
      box.remove();
      return;
    }
    const [, maze, algorithm, step] = found;
    const text = step ? `Follow ${algorithm} to where it goes wrong` : `Follow ${algorithm} line by line`;
    const made = button(text, () => tell({ kind: "follow", maze, algorithm, step: Number(step ?? 0) }));
    made.className = "follow";
    box.replaceChildren(made);
  };
  /* Scripts and styles are made anew: what a parser alone has made does not run, and the policy looks at these. */
  const anew = (each) => {
    const made = Object.assign(document.createElement(each.localName), { id: each.id, textContent: each.textContent });
    if (each.type === "application/json") made.type = each.type;
    return made;
  };
  const show = (html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const [styles, scripts] = ["style", "script"].map((name) => [...page.querySelectorAll(name)]);
    for (const each of page.body.querySelectorAll("*")) if (!ELEMENTS.has(each.localName)) each.remove();
    document.title = page.title;
    document.head.append(...styles.map(anew));
    document.body.replaceWith(document.importNode(page.body, true));
    document.body.append(...scripts.map(anew));
  };
  addEventListener("message", ({ data, source }) => {
    if (source !== parent) return;
    document.documentElement.classList.toggle("beside", data.isBeside);
    if (!data.html) return;
    show(data.html);
    document.querySelectorAll(".copy").forEach(offer);
    document.querySelectorAll(".story .number").forEach(link);
    addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
      event.preventDefault();
      tell({ kind: "save" });
    });
    tell({ kind: "shown" });
  });
  tell({ kind: "ready" });
})();
