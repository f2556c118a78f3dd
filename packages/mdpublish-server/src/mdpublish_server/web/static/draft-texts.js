// The texts of the home page that this browser stores: the draft, those set aside, and what was sent to be published.

import { read, readList, store } from "./storage.js";

// A demo that is edited in place has a draft of its own.
const ofDemo = document.querySelector("[data-draft]")?.dataset.draft;
const KEY = ofDemo ? `mdpublish-demo-${ofDemo}` : "mdpublish-draft";
// The texts that were not chosen, until they are chosen or discarded.
const ASIDE = "mdpublish-draft-aside";
const PUBLISHED = "mdpublish-published";
// For who goes back to the form after publishing.
const BEFORE = "mdpublish-before";

export const readDraft = () => read(KEY);
export const writeDraft = (/** @type {string | null} */ text) => store(KEY, text);
// Whether a storage event concerns the draft: null is all keys.
export const isOfDraft = (/** @type {string | null} */ key) => key === KEY || key === null;

export const readAside = () => readList(ASIDE);
export const writeAside = (/** @type {string[]} */ texts) => store(ASIDE, texts.length ? JSON.stringify(texts) : null);

// For who has signed in meanwhile: the draft and those set aside, until they are taken or discarded.
export const readGuestTexts = () => [readDraft() ?? "", ...readAside()].filter((text) => text.trim());
export const dropGuestText = (/** @type {string} */ text) => {
  if (readDraft() === text) writeDraft(null);
  writeAside(readAside().filter((each) => each !== text));
};

export const rememberPublished = (/** @type {string} */ text) => store(PUBLISHED, JSON.stringify([KEY, text]), "sessionStorage");

// Forgets the draft that was published, but not one that another tab has written meanwhile.
export const forgetPublished = () => {
  const [key, published] = readList(PUBLISHED, "sessionStorage");
  store(PUBLISHED, null, "sessionStorage");
  if (!key) return;
  store(BEFORE, JSON.stringify([key, published]), "sessionStorage");
  if (read(key) === published) store(key, null);
};

/** Returns what this tab published, where it comes back to the form by the browser's history. @type {() => string | undefined} */
export const readPublished = () => {
  const [navigation] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
  const [key, text] = navigation?.type === "back_forward" ? readList(BEFORE, "sessionStorage") : [];
  return key === KEY ? text : undefined;
};
