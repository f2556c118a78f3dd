// The live preview, in a frame.

import { blocks } from "./blocks.js";
import { excess, TEXT } from "./fields.js";

export const DELAY = 350;
// The text shows a key first.
const ECHO = 8;
const RETRY = 5000;
export const LOST = "The preview could not be loaded. Check the connection; the text is kept.";

// The paths of a document's form begin with its own.
/** @type {(form: Workbench, path: string) => string} */
export const pathOf = (form, path) => `${"autosave" in form.dataset ? form.getAttribute("action") : ""}${path}`;

const valuesOf = (/** @type {Workbench} */ { elements }) => TEXT.map((name) => elements[name]?.value);
const keyOf = (/** @type {Workbench} */ form, /** @type {string} */ place) => [place, modeOf(form, place), ...valuesOf(form)].join("\0");

// Until somebody chooses a mode, a page is shown and published in the site's, unless its front matter may choose one.
export const isDark = matchMedia("(prefers-color-scheme: dark)");
export const modeOf = (/** @type {Workbench} */ { dataset, elements: { theme_mode: modes, content } }, /** @type {string} */ place) =>
  !("unchosen" in dataset) ? modes.value : place === "page" && isDark.matches && !/^(?:---|\+\+\+)/.test(content.value) ? "dark" : "light";
// As their default, too, which is no change of the form.
export const showMode = (/** @type {Workbench} */ form, place = form.querySelector("[data-stage]").dataset.stage) => {
  if ("unchosen" in form.dataset) for (const mode of form.elements.theme_mode) mode.checked = mode.defaultChecked = mode.value === modeOf(form, place);
};

/** What is too long would be refused: it is not sent. @type {(form: Workbench, path: string, place: string, options?: RequestInit, known?: string) => Promise<Response>} */
export const request = async (form, path, place, options = {}, known = "") => {
  const { content } = form.elements;
  if (excess(content)) throw new RangeError(`The text is longer than ${Number(content.dataset.maxBytes).toLocaleString("en")} bytes; shorten it to go on.`);
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  // A form would take the service tens of milliseconds to read. A half of a surrogate pair is no JSON.
  const fields = Object.fromEntries(valuesOf(form).map((value, index) => [TEXT[index], value?.toWellFormed?.() ?? value]));
  const body = JSON.stringify({ ...fields, theme_mode: modeOf(form, place), place, known });
  return fetch(pathOf(form, path), { method: "POST", body, headers, ...options });
};

// Until its own document is there, a frame has one with the page's policy, under which no style applies.
/** @type {(frame: OwnFrame) => Promise<void>} */
export const arrival = (frame) =>
  new Promise((resolve) => {
    const { readyState, URL } = frame.contentDocument ?? {};
    if (readyState === "complete" && URL !== "about:blank") resolve();
    else frame.addEventListener("load", () => resolve(), { once: true });
  });

// What links elsewhere leads to another window, which the sandbox refuses: the frame keeps its page.
export const parsed = (/** @type {OwnFrame} */ frame, /** @type {string} */ html) => {
  const page = new frame.contentWindow.DOMParser().parseFromString(html, "text/html").documentElement;
  for (const link of page.querySelectorAll(":is(a, area)[href]:not([href^='#'])")) link.setAttribute("target", "_blank");
  return /** @type {Page} */ (page);
};

// In place, so that the frame keeps its position and its own policy.
export const replaceIn = (/** @type {OwnFrame} */ frame, /** @type {Element} */ page) => {
  const { contentDocument: shown, contentWindow: view } = frame;
  const { scrollX, scrollY } = view;
  shown.replaceChild(shown.adoptNode(page), shown.documentElement);
  view.scrollTo(scrollX, scrollY);
};

// What fades at the end of the frame fades into the color of its page.
const tint = (/** @type {Workbench} */ form, /** @type {OwnFrame} */ { contentDocument: shown, parentElement: stage }) => {
  showMode(form);
  if (stage) stage.dataset.mode = form.elements.theme_mode.value;
  const colors = [shown.body, shown.documentElement].map((each) => getComputedStyle(each).backgroundColor);
  stage?.style.setProperty("--page", colors.find((color) => color !== "rgba(0, 0, 0, 0)") ?? "");
};

// No selector tells that the focus is inside a frame.
export const ring = (/** @type {OwnFrame} */ frame) => {
  const show = () => frame.parentElement?.classList.toggle("is-focused", document.activeElement === frame);
  for (const type of ["blur", "focus"]) addEventListener(type, show);
};

/** @type {(form: Workbench, say: Remark, list: ShowNotices, arrive: Arrive) => { update: () => void }} */
export const preview = (form, say, list, arrive) => {
  const stage = form.querySelector("[data-stage]");
  const frame = stage.querySelector("iframe");
  const tabs = [...form.querySelectorAll("[data-place]")];
  const count = form.querySelector("[data-count]");
  const widths = form.querySelector("[data-widths]");
  let timer = 0;
  let running = /** @type {AbortController | null} */ (null);
  let hasFailed = false;
  const page = blocks(frame);
  // What the frame shows, which is not converted again.
  let shown = /** @type {string | null} */ (null);
  // The next one waits half as long as the last one took.
  let resumesAt = 0;

  const arrived = arrival(frame).then(async () => {
    // The sample, as who reads in the dark would see it.
    const isOther = modeOf(form, stage.dataset.stage) !== form.elements.theme_mode.value;
    const response = isOther && await fetch(`${frame.src}&theme_mode=dark`).catch(() => null);
    if (response && response.ok) replaceIn(frame, parsed(frame, await response.text()));
    tint(form, frame);
  });
  ring(frame);

  const load = async () => {
    clearTimeout(timer);
    const place = stage.dataset.stage;
    const key = keyOf(form, place);
    running?.abort();
    if (key === shown) {
      running = null;
      return stage.setAttribute("aria-busy", "false");
    }
    const mine = (running = new AbortController());
    const began = Date.now();
    stage.setAttribute("aria-busy", "true");
    try {
      const response = await request(form, "/preview", place, { signal: mine.signal }, page.known(place));
      const answer = await response.json();
      const { notices, delivery, words } = answer;
      if (mine !== running) return;
      if ([429, 503].includes(response.status)) {
        // What is shown stays.
        const seconds = Math.max(1, Number(response.headers.get("Retry-After")));
        resumesAt = Date.now() + seconds * 1000;
        hasFailed = true;
        say(`The preview goes on in ${seconds} s.`);
        return update();
      }
      await arrived;
      if (mine !== running) return;
      shown = response.ok ? key : null;
      if (answer.blocks) page.show(place, answer);
      else {
        page.forget();
        replaceIn(frame, parsed(frame, answer.html));
      }
      tint(form, frame);
      frame.dispatchEvent(new Event("rendered"));
      list(notices);
      arrive(place, delivery);
      count.dataset.words = response.ok ? words : "";
      // Another message, such as that a text was copied, stays.
      if (hasFailed) say("");
      hasFailed = false;
    } catch (error) {
      if (mine !== running) return;
      hasFailed = true;
      page.forget();
      count.dataset.words = "";
      const isTooLong = error instanceof RangeError;
      if (!isTooLong) timer = setTimeout(load, RETRY);
      say(isTooLong ? error.message : LOST);
    } finally {
      if (mine === running) {
        running = null;
        resumesAt = Math.max(resumesAt, Date.now() + Math.min(DELAY, (Date.now() - began) / 2));
        stage.setAttribute("aria-busy", "false");
        if (keyOf(form, place) !== key) update();
      }
    }
  };

  const update = () => {
    clearTimeout(timer);
    timer = setTimeout(() => running || load(), Math.max(ECHO, resumesAt - Date.now()));
  };

  const choose = (/** @type {HTMLButtonElement} */ tab) => {
    for (const each of tabs) each.setAttribute("aria-pressed", String(each === tab));
    stage.dataset.stage = tab.value;
    widths.hidden = tab.value !== "email";
    load();
  };

  for (const tab of tabs) {
    tab.addEventListener("click", (event) => {
      event.preventDefault();
      choose(tab);
    });
  }
  form.elements.template_id.addEventListener("change", load);
  for (const mode of form.elements.theme_mode) {
    // A click on what is checked chooses it, too.
    for (const type of ["click", "change"]) {
      mode.addEventListener(type, () => {
        delete form.dataset.unchosen;
        load();
      });
    }
  }
  for (const width of form.querySelectorAll("[data-width]")) {
    width.addEventListener("change", () => stage.style.setProperty("--email-width", `${width.value}px`));
  }

  return { update };
};
