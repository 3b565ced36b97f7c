/* Starts and ends the workers in which students' code runs. This frame has an origin of its own, without cookies and
   storage, and its policy lets nothing out: so have the workers that it starts. */
const workers = new Map();
let files = null;
let address = "";
let module = null;
addEventListener("message", async ({ data, source, ports }) => {
  if (source !== parent) return;
  if (data.kind === "files") {
    ({ files } = data);
    address = URL.createObjectURL(new Blob([files["worker.js"]], { type: "text/javascript" }));
    module = WebAssembly.compile(files["pyodide.asm.wasm"]);
    delete files["pyodide.asm.wasm"];
  } else if (data.kind === "start") {
    const worker = new Worker(address);
    workers.set(data.id, worker);
    worker.postMessage({ files, module: await module, port: ports[0] }, [ports[0]]);
  } else {
    workers.get(data.id)?.terminate();
    workers.delete(data.id);
  }
});
parent.postMessage("ready", "*");
