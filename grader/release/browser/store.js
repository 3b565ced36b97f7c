/* The student's files in this browser, in a database of this page's own folder: one for each person who signs in where the
   service shows the page, and one for whoever is not signed in.

   What is typed is kept within a moment. Until then it is left in localStorage, which outlasts a page that goes, and
   taken up at the next start. Each text has a stamp: the window that wrote it, and the how-manieth it was. So a window knows
   whether another has written since it looked, and keeps that text among the file's versions. */
const NAMELESS = `mazes-lab ${new URL(".", location).pathname}`;
const WINDOW = crypto.getRandomValues(new Uint32Array(2)).join("-");
const PAUSE = 200; /* ms from the first change that is not kept */
const MOST_VERSIONS = 10;
const APART = 120_000; /* ms: between two versions of what is typed */
const STORES = ["files", "versions", "results"];

const answer = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const opened = async (place) => {
  const request = indexedDB.open(place, 2);
  request.onupgradeneeded = () => {
    for (const name of STORES) if (!request.result.objectStoreNames.contains(name)) request.result.createObjectStore(name);
  };
  const isBlocked = new Promise((_, reject) => {
    request.onblocked = () => reject(new Error("a window with an older version of this page is open: close it, and load this one again"));
  });
  const database = await Promise.race([answer(request), isBlocked]);
  database.onversionchange = () => database.close();
  return database;
};
const all = async (store) => {
  const [names, values] = await Promise.all([answer(store.getAllKeys()), answer(store.getAll())]);
  return names.map((name, index) => [name, values[index]]);
};
/* An earlier version of this page kept texts without a stamp. */
const recorded = (value) => (typeof value === "string" ? { text: value, stamp: "" } : value);
const isOf = (stamp, window) => stamp?.startsWith(`${window} `);
const ofFile = (name) => IDBKeyRange.bound([name], [name, []]);
const addVersion = async (versions, name, text) => {
  const times = (await answer(versions.getAllKeys(ofFile(name)))).map(([, at]) => at);
  if (times.length && (await answer(versions.get([name, times.at(-1)]))) === text) return;
  for (const at of times.slice(0, Math.max(0, times.length + 1 - MOST_VERSIONS))) versions.delete([name, at]);
  versions.put(text, [name, Math.max(Date.now(), (times.at(-1) ?? 0) + 1)]);
};
const isLongAgo = async (versions, name) => {
  const times = await answer(versions.getAllKeys(ofFile(name)));
  return Date.now() - (times.at(-1)?.[1] ?? 0) > APART;
};

export class Store {
  static #count = 0;
  #files;
  #acts;
  #seen = new Map();
  #unkept = new Set();
  #underWay = new Map();
  #toKeep = new Set();
  #timer = 0;
  #place;
  #database;
  #channel;

  /* Keep these texts by name, for an owner or for nobody. Acts are told: saved, whether all is kept, and why not; taken,
     names that another window has written; clashed, a name that two windows have written; adopted, names that were
     written otherwise before the owner had signed in. */
  constructor(files, acts, owner) {
    this.#files = files;
    this.#acts = acts;
    this.#place = owner ? `${NAMELESS}#${owner}` : NAMELESS; /* no path has a # */
    this.#database = opened(this.#place);
    this.#database.catch(() => {});
    this.#channel = new BroadcastChannel(this.#place);
  }

  /* Take up what is kept, and listen to other windows. */
  async begin() {
    this.#channel.onmessage = async ({ data }) => {
      if (data.isAdopted) { location.reload(); return; }
      await this.look();
      for (const name of data.clashed) this.#acts.clashed(name);
    };
    addEventListener("pagehide", () => this.flush());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.flush(); else this.look(); });
    await this.#settle();
    if (this.#place === NAMELESS) return;
    await this.#adopt();
    await this.#load();
  }

  async #inStores(mode, work) {
    const transaction = (await this.#database).transaction(STORES, mode, { durability: "strict" });
    const ended = new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onerror = transaction.onabort = () => reject(transaction.error ?? new Error("it was broken off"));
    });
    const [files, versions, results] = STORES.map((name) => transaction.objectStore(name));
    const [found] = await Promise.all([work({ files, versions, results }), ended]);
    return found;
  }

  async #load() {
    const kept = new Map((await this.#inStores("readonly", ({ files }) => all(files))).map(([name, value]) => [name, recorded(value)]));
    for (const [name, { text, stamp }] of kept) {
      this.#files.set(name, text);
      this.#seen.set(name, stamp);
    }
    return kept;
  }

  /* Take up what is kept, and what was left when a page went. */
  async #settle() {
    const kept = await this.#load();
    const places = Object.keys(localStorage).filter((each) => each.startsWith(`${this.#place} `));
    for (const place of places) {
      const { window, left } = JSON.parse(localStorage.getItem(place));
      for (const [name, text, base] of left) await this.#takeUp(name, text, kept.get(name), { window, base });
    }
    await this.flush();
    for (const place of places) localStorage.removeItem(place);
  }

  /* Take over what was written before the owner had signed in: what is lacking as it is, another text as a version. It is
     removed there once it is kept here; a window that still shows it becomes the owner's. */
  async #adopt() {
    const nameless = new Store(new Map(), { ...this.#acts, saved: () => {} });
    await nameless.#settle();
    const [texts, earlier] = await nameless.#inStores("readonly", ({ files, versions }) => Promise.all([all(files), all(versions)]));
    const others = [];
    await this.#inStores("readwrite", async ({ files, versions }) => {
      for (const [name, value] of texts) {
        const own = recorded(await answer(files.get(name)));
        if (!own) files.put(value, name);
        else if (own.text !== recorded(value).text) {
          others.push(name);
          await addVersion(versions, name, recorded(value).text);
        }
      }
      for (const [key, text] of earlier) versions.put(text, key);
    });
    await nameless.#inStores("readwrite", async ({ files, versions, results }) => {
      for (const [name, value] of texts) if (recorded(await answer(files.get(name)))?.stamp === recorded(value).stamp) files.delete(name);
      for (const [key] of earlier) versions.delete(key);
      results.clear();
    });
    if (texts.length) nameless.#channel.postMessage({ isAdopted: true });
    nameless.#channel.close();
    if (others.length) this.#acts.adopted(others);
  }

  async #takeUp(name, text, kept, { window, base }) {
    if (text === (kept?.text ?? null)) return;
    if (kept && kept.stamp !== base && !isOf(kept.stamp, window)) {
      if (text !== null) await this.#inStores("readwrite", ({ versions }) => addVersion(versions, name, text));
      this.#acts.clashed(name);
    } else {
      this.put(name, text ?? undefined);
    }
  }

  /* Keep a file, a moment later; without a text, keep it no longer. With a version, its text until now is one. */
  put(name, text, { version = false } = {}) {
    if (text === undefined) this.#files.delete(name);
    else this.#files.set(name, text);
    if (version) this.#toKeep.add(name);
    this.#unkept.add(name);
    this.#leave();
    this.#acts.saved(false);
    if (!this.#timer) this.#timer = setTimeout(() => this.flush(), PAUSE);
  }

  /* Keep at once what is not kept. */
  async flush() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    if (!this.#unkept.size) return;
    const number = (Store.#count += 1);
    const stamp = `${WINDOW} ${number}`;
    const writes = [...this.#unkept].map((name) => [name, this.#files.get(name), this.#toKeep.has(name)]);
    this.#underWay.set(number, writes);
    this.#unkept.clear();
    this.#toKeep.clear();
    let clashed = [];
    try {
      clashed = await this.#inStores("readwrite", (stores) => this.#write(stores, writes, stamp));
    } catch (error) {
      this.#underWay.delete(number);
      for (const [name] of writes) this.#unkept.add(name);
      this.#acts.saved(false, error);
      return;
    }
    this.#underWay.delete(number);
    for (const [name] of writes) this.#seen.set(name, stamp);
    this.#channel.postMessage({ clashed });
    for (const name of clashed) this.#acts.clashed(name);
    if (this.#unkept.size || this.#underWay.size) return;
    localStorage.removeItem(`${this.#place} ${WINDOW}`);
    this.#acts.saved(true);
  }

  async #write({ files, versions }, writes, stamp) {
    const clashed = [];
    for (const [name, text, isVersion] of writes) {
      const before = recorded(await answer(files.get(name)));
      const differs = before !== undefined && before.text !== text;
      const isOthers = differs && before.stamp !== this.#seen.get(name) && !isOf(before.stamp, WINDOW);
      if (isOthers) clashed.push(name);
      if (differs && (isOthers || isVersion || (await isLongAgo(versions, name)))) await addVersion(versions, name, before.text);
      if (text === undefined) files.delete(name);
      else files.put({ text, stamp }, name);
    }
    return clashed;
  }

  #isTyped(name) {
    return this.#unkept.has(name) || [...this.#underWay.values()].flat().some(([each]) => each === name);
  }

  /* Take over what another window has written since, but where something was typed here. */
  async look() {
    const kept = new Map(await this.#inStores("readonly", ({ files }) => all(files)));
    const taken = [];
    for (const name of new Set([...kept.keys(), ...this.#seen.keys()])) {
      const now = recorded(kept.get(name));
      if (this.#isTyped(name) || now?.stamp === this.#seen.get(name)) continue;
      if (now) this.#seen.set(name, now.stamp);
      else this.#seen.delete(name);
      if (now?.text === this.#files.get(name)) continue;
      if (now) this.#files.set(name, now.text);
      else this.#files.delete(name);
      taken.push(name);
    }
    if (taken.length) this.#acts.taken(taken);
  }

  #leave() {
    const names = new Set([...this.#unkept, ...[...this.#underWay.values()].flat().map(([name]) => name)]);
    const left = [...names].map((name) => [name, this.#files.get(name) ?? null, this.#seen.get(name)]);
    try {
      localStorage.setItem(`${this.#place} ${WINDOW}`, JSON.stringify({ window: WINDOW, left }));
    } catch {
      /* It is full, or not allowed here: the database has it in a moment. */
    }
  }

  /* Return the versions of a file, newest first: times in milliseconds, and texts. */
  async versions(name) {
    const found = await this.#inStores("readonly", async ({ versions }) => {
      const [keys, texts] = await Promise.all([answer(versions.getAllKeys(ofFile(name))), answer(versions.getAll(ofFile(name)))]);
      return keys.map(([, at], index) => ({ at, text: texts[index] }));
    });
    return found.reverse();
  }

  /* The results of checks, by file. */
  results() {
    return this.#inStores("readonly", ({ results }) => all(results));
  }

  keepResult(name, result) {
    return this.#inStores("readwrite", ({ results }) => results.put(result, name));
  }
}
