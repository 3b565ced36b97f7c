"use strict";
(() => {
  /* What is dropped on the page's field is handed in as what is chosen there. */
  const startUpload = (form) => {
    const field = form.querySelector("input[type=file]");
    const zone = form.querySelector(".drop");
    const list = form.querySelector(".chosen");
    const say = (texts, bad) => {
      list.replaceChildren(...texts.map((text) => {
        const item = document.createElement("li");
        item.textContent = text;
        item.classList.toggle("bad", bad);
        return item;
      }));
    };
    const check = () => {
      const files = [...field.files];
      const size = files.reduce((sum, file) => sum + file.size, 0);
      const tooLarge = size > Number(form.dataset.most);
      field.setCustomValidity(tooLarge ? form.dataset.tooLarge : "");
      if (tooLarge) say([form.dataset.tooLarge], true);
      else say(files.map((file) => file.name), false);
    };
    field.addEventListener("change", check);
    for (const name of ["dragenter", "dragover"]) {
      zone.addEventListener(name, (event) => {
        event.preventDefault();
        zone.classList.add("over");
      });
    }
    zone.addEventListener("dragleave", () => zone.classList.remove("over"));
    zone.addEventListener("drop", (event) => {
      event.preventDefault();
      zone.classList.remove("over");
      const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry());
      if (entries.some((entry) => entry && entry.isDirectory)) {
        say([form.dataset.folder], true);
        return;
      }
      field.files = event.dataTransfer.files;
      check();
    });
    form.addEventListener("submit", () => {
      const button = form.querySelector("button[type=submit]");
      button.disabled = true;
      button.textContent = form.dataset.sending;
    });
    form.querySelectorAll(".with-script").forEach((part) => { part.hidden = false; });
    zone.classList.add("covered");
  };
  document.querySelectorAll("form.upload").forEach(startUpload);

  /* Made anew, but not under somebody who is leaving it: that would call off where a link leads. */
  const MOST_LOADING = 60_000; /* ms: after that it was a download, and the page is still here */
  let left = -MOST_LOADING;
  window.addEventListener("beforeunload", () => { left = performance.now(); });
  const renew = () => {
    const loading = left + MOST_LOADING - performance.now();
    if (loading > 0) setTimeout(renew, loading);
    else location.reload();
  };

  /* An attempt that waits or runs, until it has ended; then the page is made anew. */
  const startLive = (panel) => {
    const source = new EventSource(panel.dataset.events);
    source.addEventListener("standing", (event) => {
      const standing = JSON.parse(event.data);
      panel.querySelector("[data-live=sentence]").textContent = standing.sentence;
      for (const step of standing.steps) {
        const line = panel.querySelector(`[data-exercise="${CSS.escape(step.id)}"]`);
        if (!line) continue;
        line.className = step.state;
        line.querySelector("[data-live=told]").textContent = step.told;
      }
    });
    source.addEventListener("ended", () => {
      source.close();
      renew();
    });
  };
  document.querySelectorAll("[data-events]").forEach(startLive);

  /* Pages for staff that follow what happens: made anew, or a line says so to who is at a place in it. */
  const isTyped = () => [...document.querySelectorAll("textarea")].some((each) => each.value !== each.defaultValue);
  const startFollowing = (part) => {
    const source = new EventSource(part.dataset.follow);
    source.addEventListener("changed", () => {
      if (document.activeElement === document.body && !isTyped()) renew();
      else part.querySelector(".changed").hidden = false;
    });
  };
  document.querySelectorAll("[data-follow]").forEach(startFollowing);

  /* An item of the review is taken for ten minutes since the last key, of which one in a minute is told. */
  const startTaken = (part) => {
    let told = performance.now();
    part.addEventListener("keydown", () => {
      if (performance.now() - told < 60_000) return;
      told = performance.now();
      const csrf = part.querySelector("[name=csrf]").value;
      fetch(part.dataset.taken, { method: "POST", body: new URLSearchParams({ csrf, action: "have" }) });
    });
  };
  document.querySelectorAll("[data-taken]").forEach(startTaken);

  /* A learning platform that shows this page takes it away, as dynamic registration of LTI defines. */
  const close = () => (window.opener || window.parent).postMessage({ subject: "org.imsglobal.lti.close" }, "*");
  document.querySelectorAll("[data-lti-close]").forEach((button) => button.addEventListener("click", close));
})();
