// The text of a document in this browser until the server has it: a row for each document and page that is open.

const NAME = "mdpublish";
const STORE = "texts";

/** @type {<Result>(request: IDBRequest<Result>) => Promise<Result>} */
const ask = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const open = () => {
  const request = indexedDB.open(NAME, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: ["path", "page"] });
  return ask(request);
};

// Whose pages are closed, by accident or not, hold no lock. Without locks, over plain HTTP, all count as closed.
const openPages = async () => new Set((await navigator.locks?.query())?.held?.map((lock) => lock.name));

/** @type {() => LocalCopies} */
export const localCopies = () => {
  const page = `mdpublish-${Math.random().toString(36).slice(2)}-${Date.now()}`;
  navigator.locks?.request(page, () => new Promise(() => {}));
  const database = open();
  // A browser may refuse, as in private windows; then nothing is kept.
  /** @type {<Result>(mode: IDBTransactionMode, work: (rows: IDBObjectStore) => IDBRequest<Result>) => Promise<Result | undefined>} */
  const run = async (mode, work) => {
    try {
      const transaction = (await database).transaction(STORE, mode);
      const request = work(transaction.objectStore(STORE));
      // The page may close before the browser does it.
      transaction.commit?.();
      return await ask(request);
    } catch {
      return undefined;
    }
  };
  const drop = (/** @type {Pick<LocalCopy, "path" | "page">} */ row) => run("readwrite", (rows) => rows.delete([row.path, row.page]));
  return {
    keep: (path, text, base) => run("readwrite", (rows) => rows.put({ path, page, text, base, time: Date.now() })),
    forget: (path) => drop({ path, page }),
    drop,
    // What closed pages left, the newest first; `again` is called when another closes.
    async left(path, again) {
      const rows = /** @type {LocalCopy[]} */ ((await run("readonly", (all) => all.getAll(IDBKeyRange.bound([path], [path, []])))) ?? []);
      const alive = await openPages();
      for (const { page: other } of rows) if (other !== page && alive.has(other)) navigator.locks.request(other, () => {}).then(again);
      return rows.filter((row) => row.page !== page && !alive.has(row.page)).sort((one, other) => other.time - one.time);
    },
  };
};
