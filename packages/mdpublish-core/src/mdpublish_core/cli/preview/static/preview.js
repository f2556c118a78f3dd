/* The preview's page: offers the choices, shows the document in a frame, and shows it anew when the server tells of a new
   version. The document runs no script; what this one writes of it into the page itself is text, never HTML. */

"use strict";

const RETRY_MS = 1000; // to a server that is gone
const PATIENCE_MS = 500; // with pictures from elsewhere, before a new version is shown without them

const LOST = "Connection lost: the preview was ended, or its terminal closed. This page goes on when it runs again.";

const find = (id) => document.getElementById(id);
const selects = { to: find("to"), template: find("template"), mode: find("mode") };
const stage = find("stage");
const lost = find("lost");

let offered; // what there is to choose from
let version; // what was last asked for
let turn = 0; // of the newest request: answers to older ones come too late
let events;

const query = () => new URLSearchParams(Object.entries(selects).map(([name, select]) => [name, select.value]));

const ask = async (address) => (await fetch(address)).json();

function option(value, text, title = "") {
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
  for (const [name, select] of Object.entries(selects)) {
    const wanted = address.get(name) ?? offered.defaults[name];
    // What is not known is asked for all the same: the server's answer says what is.
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

/* Template and mode stand still where they change nothing. */
function dim() {
  const chosen = offered.destinations.find(({ name }) => name === selects.to.value);
  for (const select of [selects.template, selects.mode]) {
    select.disabled = chosen ? !chosen.styled : false;
    select.title = select.disabled ? `${chosen.name} takes no style` : "";
  }
}

function choose() {
  history.replaceState(null, "", `?${query()}`);
  dim();
  refresh("share");
}

/* Ask for the newest version, and show it at the same `place` ("exact"), or as far down in its own length ("share"). */
async function refresh(place) {
  const mine = ++turn;
  stage.setAttribute("aria-busy", "true");
  try {
    const state = await ask(`/state?${query()}`);
    if (mine !== turn) return;
    version = state.version;
    tell(state);
    if (state.shown) await show(mine, place);
  } catch {
    // The server is gone, which its events tell as well.
  } finally {
    if (mine === turn) stage.setAttribute("aria-busy", "false");
  }
}

function tell({ shown, problem, notices }) {
  say(find("problem"), problem && `${problem}\n${stage.firstChild || shown ? "Below is what could last be shown." : ""}`.trim());
  if (!shown) return; // the notices belong to what is still shown
  find("notices").hidden = notices.length === 0;
  find("count").textContent = notices.length === 1 ? "1 notice" : `${notices.length} notices`;
  find("list").replaceChildren(
    ...notices.map(({ line, message, code }) => {
      const item = document.createElement("li");
      const parts = [["span", line === null ? "document" : `line ${line}`, "line"], ["span", `${message} `, ""]];
      for (const [tag, text, name] of parts) {
        const part = document.createElement(tag);
        part.textContent = text;
        part.className = name;
        item.append(part);
      }
      const kind = document.createElement("code");
      kind.textContent = code;
      item.lastChild.append(kind);
      return item;
    }),
  );
}

function say(element, text) {
  if (text && element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}

/* The new version is loaded behind the old one, which leaves when the new one is there: nothing flickers. */
async function show(mine, place) {
  const next = document.createElement("iframe");
  next.title = "The document";
  next.setAttribute("sandbox", "allow-same-origin allow-popups allow-popups-to-escape-sandbox");
  next.className = "coming";
  next.src = `/document/?${query()}`;
  const loaded = new Promise((resolve) => next.addEventListener("load", resolve, { once: true }));
  stage.append(next);
  await Promise.race([loaded, readable(next)]);
  if (mine !== turn || next.contentDocument === null) {
    next.remove(); // too late, or what came is the browser's own word of a server that is gone
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
  // A picture that comes late moves what stands below it, unless the reader has gone elsewhere by then.
  const reached = next.contentWindow.scrollY;
  loaded.then(() => {
    if (next.isConnected && next.contentWindow.scrollY === reached) scroll(next, wanted);
  });
}

/* Wait until the document can be read, though pictures from elsewhere may still come. */
async function readable(frame) {
  do await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
  while (frame.isConnected && (frame.contentDocument?.URL === "about:blank" || frame.contentDocument?.readyState === "loading"));
}

function target(old, next, place) {
  const before = old.contentDocument.documentElement;
  const after = next.contentDocument.documentElement;
  const { scrollX: left, scrollY: top } = old.contentWindow;
  const share = top / Math.max(1, before.scrollHeight - before.clientHeight);
  return place === "exact" ? { left, top } : { left: 0, top: share * (after.scrollHeight - after.clientHeight) };
}

function scroll(frame, { left, top }) {
  frame.contentWindow.scrollTo({ left, top, behavior: "instant" });
}

/* A link within the document leads there; any other opens a window, since the frame shows nothing else. A browser sets
   mere text small and without margins. */
function release(frame) {
  const { body, contentType } = frame.contentDocument;
  if (contentType === "text/plain") Object.assign(body.style, { font: "15px/1.5 monospace", margin: "16px" });
  for (const link of frame.contentDocument.querySelectorAll("a[href], area[href]")) {
    if (link.getAttribute("href").startsWith("#")) continue;
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer");
  }
}

/* A page that nobody sees listens to nothing: a browser has but six connections to a server, for all its pages. */
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

/* A preview that was started again may be that of another file, or offer something else. */
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
  find("notices").open = matchMedia("(min-width: 52rem)").matches; // elsewhere their number must do, until it is asked
  await refresh("exact");
  listen();
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : listen()));
}

start();
