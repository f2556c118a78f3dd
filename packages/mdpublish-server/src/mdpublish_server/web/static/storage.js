// What this browser stores, of this tab alone or in sight of all; it may refuse to.

/** @type {(key: string, area?: StorageArea) => string | null} */
export const read = (key, area = "localStorage") => {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
};

/** Returns whether the browser keeps it; null removes it. @type {(key: string, value: string | null, area?: StorageArea) => boolean} */
export const store = (key, value, area = "localStorage") => {
  try {
    if (value === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, value);
    return true;
  } catch {
    return value === null;
  }
};

/** @type {(key: string, area?: StorageArea) => string[]} */
export const readList = (key, area) => {
  try {
    return JSON.parse(read(key, area) ?? "[]") ?? [];
  } catch {
    return [];
  }
};
