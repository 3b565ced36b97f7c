/* Python in a worker: no network, no storage, at most 320 MiB of memory. It gets what it needs in one message, and
   then answers requests on a port, one at a time. What ends Python as a whole is told there: "died". */
const MOST_BYTES = 320 * 1024 ** 2;
/* Pyodide wants a module; browsers start none from a blob of a sandboxed frame. This is what it tells them by. */
globalThis.importScripts = undefined;
const PAGE = 65536;
const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * PAGE > MOST_BYTES) throw new RangeError("no more memory");
  return grow.call(this, pages);
};

const address = (content) => URL.createObjectURL(new Blob([content], { type: "text/javascript" }));
const howItEnded = (error) => {
  if (/call stack|recursion/i.test(error.message)) return "recursion";
  return /memory/i.test(error.message) ? "memory" : "died";
};

const started = async ({ files, module }) => {
  const [{ loadPyodide }, python] = await Promise.all(["pyodide.mjs", "pyodide.asm.mjs"].map((name) => import(address(files[name]))));
  WebAssembly.instantiateStreaming = async (_, imports) => ({ module, instance: await WebAssembly.instantiate(module, imports) });
  globalThis.fetch = async (name) => new Response(files[String(name).split("/").pop()]);
  const pyodide = await loadPyodide({
    indexURL: "https://lab.invalid/",
    createPyodideModule: python.default,
    lockFileContents: { info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" }, packages: {} },
    stdin: () => "",
    stdout: () => {},
    stderr: () => {},
  });
  pyodide.unpackArchive(files["kit.zip"], "zip", { extractDir: "/home/kit" });
  pyodide.runPython("import sys; sys.path.append('/home/kit'); sys.dont_write_bytecode = True");
  return { tab: pyodide.pyimport("lab.commands.tab"), memory: () => pyodide._module.HEAPU8.length };
};

onmessage = async ({ data }) => {
  onmessage = null;
  const { port } = data;
  try {
    const { tab, memory } = await started(data);
    port.onmessage = ({ data: request }) => {
      try {
        const answer = tab.answer(request, (line) => port.postMessage({ kind: "told", line }));
        port.postMessage({ kind: "answer", answer, bytes: memory() });
      } catch (error) {
        port.postMessage({ kind: "died", how: howItEnded(error), message: String(error).slice(-2000) });
      }
    };
    port.postMessage({ kind: "ready" });
  } catch (error) {
    port.postMessage({ kind: "failed", message: String(error).slice(-2000) });
  }
};
