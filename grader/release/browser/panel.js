/* The panel on the right: one page of the kit, in a sandboxed frame of its own. */
export class Panel {
  #place;

  /* What the reader asks for is an act by its name: follow a solver in a maze, or go to a line. A page is told whether
     the code stands beside it. */
  constructor(place, isBeside, acts) {
    this.#place = place;
    addEventListener("message", ({ data, source }) => {
      const frame = [...place.querySelectorAll("iframe")].find((each) => each.contentWindow === source);
      if (frame && data.kind === "ready") source.postMessage({ html: frame.page, isBeside: isBeside.matches }, "*");
      if (frame && data.kind === "shown") this.#turnTo(frame);
      if (frame) acts[data.kind]?.(data);
    });
    isBeside.addEventListener("change", () => {
      for (const { contentWindow } of place.querySelectorAll("iframe")) contentWindow.postMessage({ isBeside: isBeside.matches }, "*");
    });
  }

  /* Show a page in place of the one before, once it is there. */
  show(page, title) {
    const frame = document.createElement("iframe");
    Object.assign(frame, { page, title, src: "panel.html", className: "coming" });
    frame.setAttribute("sandbox", "allow-scripts");
    this.#place.append(frame);
  }

  #turnTo(frame) {
    frame.className = "";
    for (const other of [...this.#place.children]) if (other !== frame) other.remove();
  }
}
