/* The preview page: shows the document in a frame and reloads it after each event. The document is untrusted: it runs no
   scripts, and its content is inserted into this page as text only. */

"use strict";

const RETRY_MS = 1000;
const PATIENCE_MS = 500; // to wait for remote images

const LOST = "Connection lost: the preview was stopped. Reconnecting…";

const find = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));
const selectOf = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (find(id));
const selects = { to: selectOf("to"), template: selectOf("template"), mode: selectOf("mode") };
const stage = find("stage");
const lost = find("lost");

let offered = /** @type {PreviewChoices} */ ({}); // options of the menus
let version = ""; // last requested
let turn = 0; // number of the latest request; older responses are ignored
let events = /** @type {EventSource | undefined} */ (undefined);

const query = () => new URLSearchParams(Object.entries(selects).map(([name, select]) => [name, select.value]));

const ask = async (/** @type {string} */ address) => (await fetch(address)).json();

function option(/** @type {string} */ value, /** @type {string} */ text, title = "") {
  const made = new Option(text, value);
  made.title = title;
  return made;
}

function offer() {
  document.title = `${offered.file} – preview`;
  find("file").textContent = find("file").title = offered.file;
  selects.to.replaceChildren(...offered.destinations.map(({ name, summary }) => option(name, name, summary)));
  selects.template.replaceChildren(
    ...offered.groups.map(({ name, templates }) => {
      const group = document.createElement("optgroup");
      group.label = name[0].toUpperCase() + name.slice(1);
      group.append(...templates.map(({ id, name: text }) => option(id, text)));
      return group;
    }),
  );
  selects.mode.replaceChildren(...offered.modes.map((mode) => option(mode, mode)));
  const address = new URLSearchParams(location.search);
  for (const [name, select] of /** @type {[keyof PreviewDefaults, HTMLSelectElement][]} */ (Object.entries(selects))) {
    const wanted = address.get(name) ?? offered.defaults[name];
    // Request unknown values, too: the server's error lists the valid ones.
    if (![...select.options].some(({ value }) => value === wanted)) {
      const unknown = option(wanted, wanted);
      unknown.hidden = true;
      select.append(unknown);
    }
    select.value = wanted;
    select.disabled = false;
    select.addEventListener("change", choose);
  }
  dim();
}

/* Disable template and mode where they have no effect. */
function dim() {
  const chosen = offered.destinations.find(({ name }) => name === selects.to.value);
  for (const select of [selects.template, selects.mode]) {
    select.disabled = chosen ? !chosen.styled : false;
    select.title = chosen && select.disabled ? `${chosen.name} has no styles` : "";
  }
}

function choose() {
  history.replaceState(null, "", `?${query()}`);
  dim();
  refresh("share");
}

/* Show the newest version at the same scroll position ("exact") or the same share of its height ("share"). */
async function refresh(/** @type {PreviewPlace} */ place) {
  const mine = ++turn;
  stage.setAttribute("aria-busy", "true");
  try {
    const state = await ask(`/state?${query()}`);
    if (mine !== turn) return;
    version = state.version;
    tell(state);
    if (state.shown) await show(mine, place);
  } catch {
    // The event stream reports a lost connection.
  } finally {
    if (mine === turn) stage.setAttribute("aria-busy", "false");
  }
}

function tell(/** @type {PreviewState} */ { shown, problem, notices }) {
  say(find("problem"), problem ? `${problem}\n${stage.firstChild || shown ? "Showing the last valid version." : ""}`.trim() : "");
  if (!shown) return; // keep the notices of the version shown
  find("notices").hidden = notices.length === 0;
  find("count").textContent = notices.length === 1 ? "1 notice" : `${notices.length} notices`;
  find("list").replaceChildren(
    ...notices.map(({ line, column, message, code, source, fix }) => {
      const item = document.createElement("li");
      const body = withText("span", `${message} `, "");
      body.append(withText("code", code, ""));
      if (source !== null) body.append(withText("code", source, "source"));
      if (fix !== null) body.append(withText("code", fix, "fix"));
      item.append(withText("span", placeOf(line, column), "line"), body);
      return item;
    }),
  );
}

function placeOf(/** @type {number | null} */ line, /** @type {number | null} */ column) {
  if (line === null) return "document";
  return column === null ? `line ${line}` : `line ${line}:${column}`;
}

function withText(/** @type {string} */ tag, /** @type {string} */ text, /** @type {string} */ name) {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = name;
  return element;
}

function say(/** @type {HTMLElement} */ element, /** @type {string} */ text) {
  if (text && element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

/* Load the new version behind the old one, to avoid flicker. */
async function show(/** @type {number} */ mine, /** @type {PreviewPlace} */ place) {
  const next = /** @type {OwnFrame} */ (document.createElement("iframe"));
  next.title = "The document";
  next.setAttribute("sandbox", "allow-same-origin allow-popups allow-popups-to-escape-sandbox");
  next.className = "coming";
  next.src = `/document/?${query()}`;
  const loaded = new Promise((resolve) => next.addEventListener("load", resolve, { once: true }));
  stage.append(next);
  await Promise.race([loaded, readable(next)]);
  if (mine !== turn || next.contentDocument === null) {
    next.remove(); // outdated, or the browser's own error page
    return;
  }
  const old = stage.querySelector("iframe:not(.coming)");
  const focused = old !== null && document.activeElement === old;
  release(next);
  const wanted = old === null ? { left: 0, top: 0 } : target(old, next, place);
  scroll(next, wanted);
  next.className = "";
  if (focused) next.focus();
  old?.remove();
  // Late images shift the content: scroll again, unless the user has.
  const reached = next.contentWindow.scrollY;
  loaded.then(() => {
    if (next.isConnected && next.contentWindow.scrollY === reached) scroll(next, wanted);
  });
}

/* Wait until the document is parsed; remote images may still be loading. */
async function readable(/** @type {OwnFrame} */ frame) {
  do await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  while (frame.isConnected && (frame.contentDocument?.URL === "about:blank" || frame.contentDocument?.readyState === "loading"));
}

function target(/** @type {OwnFrame} */ old, /** @type {OwnFrame} */ next, /** @type {PreviewPlace} */ place) {
  const before = old.contentDocument.documentElement;
  const after = next.contentDocument.documentElement;
  const { scrollX: left, scrollY: top } = old.contentWindow;
  const share = top / Math.max(1, before.scrollHeight - before.clientHeight);
  return place === "exact" ? { left, top } : { left: 0, top: share * (after.scrollHeight - after.clientHeight) };
}

function scroll(/** @type {OwnFrame} */ frame, /** @type {{ left: number, top: number }} */ { left, top }) {
  frame.contentWindow.scrollTo({ left, top, behavior: "instant" });
}

/* Open external links in new windows, and style plain text, which browsers show small and without margins. */
function release(/** @type {OwnFrame} */ frame) {
  const { body, contentType } = frame.contentDocument;
  if (contentType === "text/plain") Object.assign(body.style, { font: "15px/1.5 monospace", margin: "16px" });
  for (const link of frame.contentDocument.querySelectorAll("a[href], area[href]")) {
    if (link.getAttribute("href")?.startsWith("#")) continue;
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer");
  }
}

/* Hidden pages disconnect: browsers allow six connections per server, for all pages. */
function listen() {
  if (events || document.hidden) return;
  events = new EventSource("/events");
  events.onopen = welcome;
  events.onmessage = ({ data }) => {
    if (data !== version) refresh("exact");
  };
  events.onerror = () => {
    leave();
    say(lost, LOST);
    setTimeout(listen, RETRY_MS);
  };
}

/* A restarted preview may serve another file or other options. */
async function welcome() {
  if (lost.hidden) return;
  say(lost, "");
  const now = await ask("/choices").catch(() => offered);
  if (JSON.stringify(now) !== JSON.stringify(offered)) location.reload();
}

function leave() {
  events?.close();
  events = undefined;
}

async function start() {
  try {
    offered = await ask("/choices");
  } catch {
    say(lost, LOST);
    setTimeout(start, RETRY_MS);
    return;
  }
  offer();
  /** @type {HTMLDetailsElement} */ (find("notices")).open = matchMedia("(min-width: 52rem)").matches; // narrow screens show only the number
  await refresh("exact");
  listen();
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : listen()));
}

start();
