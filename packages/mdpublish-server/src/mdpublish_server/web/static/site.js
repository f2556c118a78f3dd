// What every page of the site does: it shows times in the reader's zone, or how long ago where there is little room, which
// the server writes in UTC, and opens the command palette.

const AGO = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto", style: "short" });

const ago = (/** @type {Date} */ date) => {
  const minutes = (date.getTime() - Date.now()) / 60_000;
  if (minutes > -1) return "just now";
  if (minutes > -60) return AGO.format(Math.round(minutes), "minute");
  if (minutes > -60 * 24) return AGO.format(Math.round(minutes / 60), "hour");
  if (minutes > -60 * 24 * 7) return AGO.format(Math.round(minutes / 60 / 24), "day");
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: isThisYear ? undefined : "numeric" });
};

const localize = (/** @type {HTMLTimeElement} */ time) => {
  const isShort = "ago" in time.dataset;
  const [text, seconds] = /\d:\d\d(:\d\d)? UTC$/.exec(isShort ? time.title : time.textContent) ?? [];
  if (!text) return;
  const date = new Date(time.dateTime);
  const style = /** @type {const} */ ({ dateStyle: "long", timeStyle: seconds ? "medium" : "short" });
  const full = date.toLocaleString("en-GB", style).replace(" at ", ", ");
  time.title = isShort ? full : time.textContent;
  time.textContent = isShort ? ago(date) : full;
};

// Once for each time: afterwards it no longer ends with UTC.
export const localTimes = (/** @type {ParentNode} */ root) => root.querySelectorAll("time").forEach(localize);

localTimes(document);

const opener = document.querySelector("[data-palette]");
const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
if (isMac) opener.querySelector("kbd").textContent = "⌘K";

// Loaded when it is first opened. Where it cannot be, the link is a link.
const open = async (/** @type {Event} */ event) => {
  event.preventDefault();
  try {
    await (await import("./palette.js")).toggle();
  } catch {
    location.assign(opener.href);
  }
};

opener.addEventListener("click", open);
// In a text, Ctrl+K makes a link, and the editor has taken it; with Alt it comes here from everywhere.
addEventListener("keydown", (event) => {
  if (event.code === "KeyK" && !event.shiftKey && (isMac ? event.metaKey : event.ctrlKey) && !event.defaultPrevented) open(event);
});
