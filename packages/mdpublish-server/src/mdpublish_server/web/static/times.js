// Times in the reader's zone, or how long ago where there is little room; the server writes them in UTC.

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
