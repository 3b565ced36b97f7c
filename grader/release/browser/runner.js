/* Asks Python, which runs in workers of a sandboxed frame: one at work, and one that waits. What does not come to an
   end is ended here, from outside, and its request goes to the one that waits. */
const SILENT_SECONDS = 12;
const START_SECONDS = 180;
const MOST_ENDED = 20;
/* Memory that Python has taken once is never given back. */
const MOST_BYTES = 160 * 1024 ** 2;

export class Runner {
  #frame;
  #spare = null;
  #worker = null;
  #queue = [];
  #isBusy = false;
  #count = 0;

  constructor(frame) {
    this.#frame = frame;
  }

  /* Start Python, given the contents of its files; return once it answers. */
  async start(files) {
    const inside = this.#frame.contentWindow;
    inside.postMessage({ kind: "files", files }, "*");
    this.#worker = this.#begin();
    await this.#worker.ready;
    this.#spare = this.#begin();
  }

  #send(message, ports = []) {
    this.#frame.contentWindow.postMessage(message, "*", ports);
  }

  #begin() {
    const { port1: port, port2 } = new MessageChannel();
    const worker = { id: (this.#count += 1), port, hear: () => {} };
    worker.ready = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("Python did not start")), 1000 * START_SECONDS);
      port.onmessage = ({ data }) => {
        clearTimeout(late);
        if (data.kind === "failed") reject(new Error(data.message));
        else resolve();
        port.onmessage = ({ data: heard }) => worker.hear(heard);
      };
    });
    worker.ready.catch(() => {});
    this.#send({ kind: "start", id: worker.id }, [port2]);
    return worker;
  }

  #replace() {
    this.#send({ kind: "end", id: this.#worker.id });
    this.#worker = this.#spare;
    this.#spare = null;
    this.#worker.ready.finally(() => { this.#spare ??= this.#begin(); }).catch(() => {});
  }

  /* Ask what is made when its turn comes; return the answer. A later request of the same kind takes the place of one
     that waits, which gets null. */
  ask(make, { told = () => {}, replaces = null } = {}) {
    return new Promise((resolve, reject) => {
      const before = replaces ? this.#queue.findIndex((each) => each.replaces === replaces) : -1;
      if (before >= 0) this.#queue.splice(before, 1)[0].resolve(null);
      this.#queue.push({ make, told, replaces, resolve, reject });
      this.#work();
    });
  }

  async #work() {
    if (this.#isBusy || !this.#worker) return;
    this.#isBusy = true;
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      try {
        next.resolve(await this.#answer(next));
      } catch (error) {
        next.reject(error);
      }
    }
    this.#isBusy = false;
  }

  async #answer({ make, told }) {
    const request = make();
    const ended = [];
    for (;;) {
      const lines = [];
      await this.#worker.ready;
      const heard = await this.#once(JSON.stringify({ ...request, ended }), (line) => { lines.push(line); told(line); });
      if (heard.kind === "died" || heard.bytes > MOST_BYTES) this.#replace();
      if (heard.kind === "answer") return JSON.parse(heard.answer);
      if (ended.length > MOST_ENDED) throw new Error(heard.message ?? "Python ended");
      ended.push([lines, heard.how]);
    }
  }

  /* Return the answer of the worker, or how it ended. Ticks are counted, not time: a sleeping laptop has none. */
  #once(line, told) {
    const worker = this.#worker;
    return new Promise((resolve) => {
      let silent = 0;
      const clock = setInterval(() => {
        silent += 1;
        if (silent > SILENT_SECONDS) end({ kind: "died", how: "silent" });
      }, 1000);
      const end = (heard) => {
        clearInterval(clock);
        worker.hear = () => {};
        resolve(heard);
      };
      worker.hear = (heard) => {
        silent = 0;
        if (heard.kind === "told") told(heard.line);
        else end(heard);
      };
      worker.port.postMessage(line);
    });
  }
}
