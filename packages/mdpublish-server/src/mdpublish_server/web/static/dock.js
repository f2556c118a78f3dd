// The bar below. On narrow screens, the text and its preview are tabs in it; where there is room, they are beside each
// other, and without scripts below each other. The stylesheet hides what is not chosen, at the same width. Copy for …
// hands a text over to the place that the preview shows; a sheet has all places and files.

import { icon } from "./editing/icons.js";

const NARROW = matchMedia("(max-width: 56.24rem)");
const STEPS = /** @type {Record<string, number>} */ ({ ArrowLeft: -1, ArrowRight: 1 });

// The text as a file, where the phone takes one, and the published page.
const share = async (/** @type {Workbench} */ form) => {
  const text = form.elements.content.value;
  const title = form.elements.title?.value || /^#+ +(.+)/m.exec(text)?.[1] || "Text";
  const url = form.querySelector(".facts a[href*='//']")?.href;
  const file = new File([text], `${title.replace(/[\\/:*?"<>|]+/g, " ")}.md`, { type: "text/markdown" });
  const files = { files: [file], title };
  await navigator.share(url ? { title, url } : navigator.canShare?.(files) ? files : { title, text });
};

const handing = (/** @type {Workbench} */ form, /** @type {MediaQueryList} */ narrow) => {
  const sheet = form.querySelector(".handing");
  const sharing = sheet.querySelector("[data-share]");

  sharing.hidden = !navigator.share;
  sharing.addEventListener("click", () => share(form).catch(() => {}));
  for (const button of sheet.querySelectorAll(".copies button")) button.prepend(icon(button.dataset.copy ?? "markdown"));

  // What the status says is below the sheet.
  sheet.addEventListener("click", ({ target }) => (target === sheet || /** @type {Element} */ (target).closest("button")) && sheet.close());
  // The heading has the focus: a button that has it says more of its place, and so changes below the finger.
  const open = () => (sheet.showModal(), sheet.querySelector("h2").focus());
  for (const opener of form.querySelectorAll("[data-handing]")) opener.addEventListener("click", open);

  // A page is not pasted: beside what is done with it, the place that was used last can be copied for.
  const stage = form.querySelector("[data-stage]");
  const [main, file, about] = ["", "-file", "-about"].map((part) => /** @type {HTMLElement} */ (form.querySelector(`[data-main${part}]`)));
  const shown = () => [...sheet.querySelectorAll("[data-copy]")].find(({ dataset }) => dataset.copy === stage.dataset.stage);
  const copy = () => shown() ?? sheet.querySelector("[data-copy]");
  const show = () => {
    const [, verb, name, { textContent: arrival }] = copy().children;
    main.textContent = verb.textContent + name.textContent;
    main.classList.toggle("dark", Boolean(shown()));
    about.textContent = about.title = shown() ? (arrival ?? "") : "";
    const suffix = [...form.querySelectorAll("[data-place]")].find(({ value }) => value === stage.dataset.stage)?.dataset.file ?? ".docx";
    file.textContent = `Download ${suffix}`;
    file.setAttribute("formaction", sheet.querySelector(`[aria-label="Download ${suffix}"]`)?.getAttribute("formaction") ?? "");
  };
  main.addEventListener("click", () => copy().click());
  for (const type of ["pointerenter", "focus"]) main.addEventListener(type, () => copy().dispatchEvent(new Event(type)));
  const changes = new MutationObserver(show);
  changes.observe(stage, { attributeFilter: ["data-stage"] });
  changes.observe(sheet.querySelector(".copies"), { childList: true, subtree: true });
  show();

  // A keyboard on the screen leaves less to see: the toolbar sits on it, and the bar makes room.
  const fit = () => {
    const { height, offsetTop } = visualViewport ?? { height: innerHeight, offsetTop: 0 };
    const isTyping = narrow.matches && height < innerHeight * 0.8 && document.activeElement === form.elements.content;
    form.classList.toggle("is-typing", isTyping);
    form.style.setProperty("--keyboard", `${Math.max(0, innerHeight - height - offsetTop)}px`);
  };
  for (const type of ["resize", "scroll"]) visualViewport?.addEventListener(type, fit);
  for (const type of ["focusin", "focusout"]) form.addEventListener(type, fit);
};

export const dock = (/** @type {Workbench} */ form) => {
  const panels = [...form.querySelectorAll(".panes > section")];
  const list = form.querySelector(".switch");
  const buttons = /** @type {HTMLElement[]} */ ([...list.children]);

  const choose = (/** @type {number} */ chosen) => {
    for (const [index, tab] of buttons.entries()) {
      tab.setAttribute("aria-selected", String(index === chosen));
      tab.tabIndex = index === chosen ? 0 : -1;
      panels[index].toggleAttribute("data-behind", index !== chosen);
    }
  };

  list.addEventListener("keydown", (event) => {
    if (!(event.key in STEPS)) return;
    event.preventDefault();
    const next = (buttons.findIndex((each) => each === document.activeElement) + STEPS[event.key] + buttons.length) % buttons.length;
    choose(next);
    buttons[next].focus();
  });

  const name = () => {
    for (const [index, panel] of panels.entries()) {
      if (NARROW.matches) {
        panel.setAttribute("role", "tabpanel");
        panel.setAttribute("aria-labelledby", buttons[index].id);
      } else {
        panel.removeAttribute("role");
        panel.removeAttribute("aria-labelledby");
      }
    }
  };

  for (const [index, tab] of buttons.entries()) tab.addEventListener("click", () => choose(index));
  handing(form, NARROW);
  NARROW.addEventListener("change", name);
  // The browser cannot show what is wrong with a field that is hidden.
  form.elements.content.addEventListener("invalid", () => choose(0));
  name();
  choose(0);
};
