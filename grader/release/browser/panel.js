/* The panel on the right: one page of the kit, in a sandboxed frame of its own. */
export class Panel {
  #place;
  #shown = null;

  /* follow is called with a maze and a solver that the reader wants to see. */
  constructor(place, follow) {
    this.#place = place;
    addEventListener("message", ({ data, source }) => {
      const frame = [...place.querySelectorAll("iframe")].find((each) => each.contentWindow === source);
      if (frame && data.kind === "ready") source.postMessage({ html: frame.page }, "*");
      if (frame && data.kind === "shown") this.#turnTo(frame);
      if (frame && data.kind === "follow") follow(data);
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
    this.#shown = frame;
  }
}
