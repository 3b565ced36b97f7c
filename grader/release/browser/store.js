/* Keeps the student's files in this browser: names and texts, in a database of this page's own folder. */
const opened = () => new Promise((resolve, reject) => {
  const request = indexedDB.open(`mazes-lab ${new URL(".", location).pathname}`);
  request.onupgradeneeded = () => request.result.createObjectStore("files");
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const database = opened();
database.catch(() => {});

const inStore = async (mode, work) => {
  const transaction = (await database).transaction("files", mode);
  const request = work(transaction.objectStore("files"));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
};

/* Return the kept files as [name, text] pairs. */
export const kept = async () => {
  const [names, texts] = await Promise.all(["getAllKeys", "getAll"].map((all) => inStore("readonly", (store) => store[all]())));
  return names.map((name, index) => [name, texts[index]]);
};

/* Keep a file; without a text, keep it no longer. */
export const keep = (name, text) => inStore("readwrite", (store) => (text === undefined ? store.delete(name) : store.put(text, name)));
