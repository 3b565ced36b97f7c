
/* A page that is served asks for what came after it, and keeps open what was open. */
(() => {
  const OPEN = "maze-open";
  const name = (details) => `${details.closest("section")?.id} ${details.querySelector("summary").textContent}`;
  const all = () => [...document.querySelectorAll("details")];
  const kept = sessionStorage.getItem(OPEN);
  if (kept !== null) for (const details of all()) details.open = JSON.parse(kept).includes(name(details));
  setInterval(async () => {
    try {
      const latest = await (await fetch("version", { cache: "no-store" })).text();
      if (latest === SHOWN) return;
      sessionStorage.setItem(OPEN, JSON.stringify(all().filter((details) => details.open).map(name)));
      location.reload();
    } catch {
      document.title = document.title.replace(/^(\(ended\) )?/, "(ended) ");
    }
  }, 700);
})();
