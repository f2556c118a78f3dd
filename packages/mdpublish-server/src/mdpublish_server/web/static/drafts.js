// Keeps the text in this browser until it is published or cleared. Of the texts of several tabs, none is lost.

import { button } from "./notices.js";
import { restored } from "./restored.js";

// A demo that is edited in place has a draft of its own.
const ofDemo = document.querySelector("[data-draft]")?.dataset.draft;
const KEY = ofDemo ? `mdpublish-demo-${ofDemo}` : "mdpublish-draft";
// The texts that were not chosen, until they are chosen or discarded.
const ASIDE = "mdpublish-draft-aside";
const PUBLISHED = "mdpublish-published";
const DELAY = 400;

export const read = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

// Returns whether the browser keeps it; null removes it.
export const write = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return value === null;
  }
};

const readAside = () => {
  try {
    return JSON.parse(read(ASIDE)) ?? [];
  } catch {
    return [];
  }
};

const writeAside = (texts) => write(ASIDE, texts.length ? JSON.stringify(texts) : null);

// Forgets the draft that was published, but not one that another tab has written meanwhile.
export const forgetPublished = () => {
  try {
    const [key, published] = JSON.parse(sessionStorage.getItem(PUBLISHED)) ?? [];
    sessionStorage.removeItem(PUBLISHED);
    if (key && read(key) === published) write(key, null);
  } catch {
    // Nothing was kept.
  }
};

// A line above the text, with buttons.
export const offers = (text) => {
  const line = document.createElement("div");
  const message = document.createElement("p");
  line.className = "aside";
  line.setAttribute("role", "status");
  line.hidden = true;
  text.before(line);
  return (words, ...actions) => {
    message.textContent = words;
    line.replaceChildren(message, ...actions.map(([label, action]) => button(label, action)));
    line.hidden = words === "";
  };
};

export const drafts = (form, say) => {
  const text = form.elements.content;
  const offer = offers(text);
  let timer = 0;
  // What this tab knows to be stored; another value is another tab's.
  let seen = read(KEY);
  // While another tab's text waits for a decision, nothing is stored over it.
  let isContested = false;
  // Whether this tab changed the text and has not stored it.
  let isUnsaved = false;
  let isLeaving = false;
  let isPublishing = false;

  const isSample = () => "isSample" in text.dataset;

  const warn = (event) => {
    save();
    if (!isLeaving && isUnsaved && text.value.trim() !== "") event.preventDefault();
  };
  // Browsers keep no page in memory that listens without need.
  const mark = (value) => {
    isUnsaved = value;
    (value ? addEventListener : removeEventListener)("beforeunload", warn);
  };

  const replace = (content) => {
    text.value = content;
    delete text.dataset.isSample;
    text.dispatchEvent(new Event("input"));
  };

  const offerAside = () => {
    const aside = readAside().filter((each) => each !== text.value);
    writeAside(aside);
    if (!aside.length) return offer("");
    const count = aside.length > 1 ? `${aside.length} other texts are` : "The other text is";
    return offer(`${count} set aside in this browser.`, ["Use it instead", useAside], ["Discard it", discardAside]);
  };

  const discardAside = () => {
    const before = readAside();
    writeAside(before.slice(1));
    offerAside();
    say("Discarded. ", button("Undo", () => (writeAside(before), offerAside(), say(""))));
    text.focus();
  };

  const choose = (chosen, aside) => {
    // First, so that no text is nowhere.
    if (!writeAside(aside)) return say("The browser has no room for both texts; copy one of them first.");
    isContested = false;
    seen = read(KEY);
    if (chosen !== text.value) replace(chosen);
    isUnsaved = true;
    save();
    offerAside();
    return text.focus();
  };

  const useAside = () => {
    const [first, ...others] = readAside();
    choose(first, [...others, text.value]);
  };

  const contest = () => {
    clearTimeout(timer);
    if (isContested) return;
    isContested = true;
    offer(
      "Another tab changed your draft.",
      ["Use the other tab’s text", () => choose(read(KEY) ?? "", [text.value, ...readAside()])],
      ["Keep mine", () => choose(text.value, [read(KEY) ?? "", ...readAside()])],
    );
  };

  const save = () => {
    clearTimeout(timer);
    if (!isUnsaved || isContested || isSample()) return;
    const value = text.value.trim() === "" ? null : text.value;
    const stored = read(KEY);
    if (stored !== null && stored !== seen && stored !== value) contest();
    // What is stored is not written again: another tab may write at this moment, and this process not see it yet.
    else if (stored === value || write(KEY, value)) {
      seen = value;
      mark(false);
    } else say("This browser keeps no drafts; the text is lost when the page is closed.");
  };

  // Another tab stored something, maybe while this page was in the back/forward cache.
  const look = () => {
    const stored = read(KEY);
    if (stored === null || stored === text.value) {
      seen = stored;
      isContested = false;
      offerAside();
    } else if (!isSample() && stored !== seen) {
      contest();
    }
  };

  // Returns what undoes it.
  const clear = () => {
    clearTimeout(timer);
    const [content, aside] = [text.value, readAside()];
    // Not what another tab wrote.
    if (!isContested) write(KEY, null);
    writeAside([]);
    seen = read(KEY);
    isContested = false;
    offer("");
    mark(false);
    return () => {
      writeAside(aside);
      replace(content);
      offerAside();
      say("");
    };
  };

  const publish = () => {
    save();
    try {
      sessionStorage.setItem(PUBLISHED, JSON.stringify([KEY, text.value]));
    } catch {
      // Nothing is kept.
    }
  };

  addEventListener("storage", (event) => [KEY, null].includes(event.key) && look());
  addEventListener("pagehide", save);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    isPublishing = false;
    look();
    restored(form).catch(() => say("No connection. The text is kept in this browser."));
  });
  form.addEventListener("submit", (event) => {
    const isPrimary = event.submitter?.classList.contains("primary");
    // A double click.
    if (isPrimary && isPublishing) return event.preventDefault();
    isPublishing = isPrimary;
    // The text is sent, or downloaded, which leaves the page where it is.
    isLeaving = true;
    return setTimeout(() => (isLeaving = isPublishing = false), 3000);
  });

  if (isSample() && text.value !== text.defaultValue) {
    // Before this script ran.
    delete text.dataset.isSample;
    queueMicrotask(() => text.dispatchEvent(new Event("input")));
  }
  if (isSample() && seen) {
    text.value = seen;
    delete text.dataset.isSample;
    queueMicrotask(() => text.dispatchEvent(new Event("input")));
    say("Your draft, kept in this browser. Clear removes it.");
  } else if (!isSample() && seen !== null && seen !== text.value) {
    // The server returned a text, and the browser keeps another.
    contest();
    mark(true);
  }
  if (!isContested) offerAside();

  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(save, DELAY);
    mark(true);
  };
  // Saves at once, and returns whether the text is kept.
  const flush = () => {
    save();
    return !isUnsaved;
  };
  return { clear, flush, publish, save: schedule };
};
