// The command palette: documents, what the page itself can do, and templates. A combobox with a list box, as WAI-ARIA's
// Authoring Practices describe it. Actions are the buttons and links of the page, so that it has no list of its own.

import { make, pageOf } from "./elements.js";
import { localTimes } from "./site.js";

const DELAY = 150;
const RECENT = 6;

const ACTIONS = ["main :is(button, a.button, .titling a, fieldset label)", ".tabs :is(a, button)"];
const OTHERS = "li, [hidden], [role=search], [role=tablist], [popovertarget], [aria-current], .cross, :disabled, :has(> :checked)";

// What the page has, documents, templates, and the documents that a search found.
let actions = /** @type {PaletteEntry[]} */ ([]);
let [recent, templates, found, shown] = [actions, actions, actions, actions];
let options = /** @type {HTMLElement[]} */ ([]);
let at = 0;

const dialog = document.querySelector(".palette");
const [field, list, status] = dialog.children;

const readActions = () => {
  const named = /** @type {Record<string, PaletteEntry>} */ ({});
  for (const element of /** @type {HTMLAnchorElement[]} */ (ACTIONS.flatMap((each) => [...document.querySelectorAll(each)]))) {
    const group = element.closest("fieldset, [role=group]");
    const [small, legend] = [element, group].map((each) => each?.querySelector("small, legend")?.textContent ?? "");
    const label = element.ariaLabel ?? element.textContent.replace(small, "").replace(/\s+/g, " ").trim();
    const detail = small || group?.ariaLabel || legend || element.title.replace(label, "").replace(/[()]/g, "");
    const isShown = element.checkVisibility() || element.closest("[popover], details");
    if (label && isShown && !element.closest(OTHERS)) named[label] ??= { group: "Actions", label, detail, href: element.href, run: () => element.click() };
  }
  return Object.values(named);
};

/** Null where they cannot be searched. Signed in, the header leads to them. @type {(query: string) => Promise<PaletteEntry[] | null>} */
const documents = async (query) => {
  if (!document.querySelector(".tabs [href='/documents']")) return [];
  const response = await fetch(`/documents?q=${encodeURIComponent(query)}`).catch(() => null);
  // Signed out meanwhile, it is another page.
  if (!response?.ok || response.redirected) return null;
  const page = await pageOf(response);
  localTimes(page);
  return [...page.querySelectorAll(".documents > li")].map((row) => {
    const [link, time, excerpt] = [".title a", "time", ".excerpt"].map((part) => /** @type {HTMLAnchorElement} */ (row.querySelector(part)));
    return { group: "Documents", label: link.textContent, detail: (excerpt ?? time).textContent, href: link.pathname, words: query.toLowerCase() || undefined };
  });
};

// For the text that the page has; else, and those of another plan, their pages.
const readTemplates = async () => {
  const select = document.getElementById("workbench")?.elements.template_id;
  const response = await fetch("/templates/thumbnails.json");
  return /** @type {GalleryTemplate[]} */ (await response.json()).map(({ id, name, words }) => {
    const run = () => {
      select.value = id;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    };
    return { group: "Templates", label: name, detail: "", href: `/templates/${id}/light`, words, run: select?.querySelector(`[value="${id}"]:enabled`) ? run : undefined };
  });
};

const activate = (/** @type {number} */ chosen) => {
  at = chosen;
  field.setAttribute("aria-activedescendant", options[at]?.id ?? "");
  for (const option of options) option.ariaSelected = String(option === options[at]);
  options[at]?.scrollIntoView({ block: "nearest" });
};

// All that has words that begin as those that are sought, and the documents that have them in their texts. What is chosen
// stays so.
const show = (isLost = false, first = 0) => {
  const active = shown[at];
  const sought = field.value.toLowerCase();
  const known = (sought ? [actions, recent, found, templates] : [recent.slice(0, RECENT), actions, templates]).flat();
  shown = known.filter(({ label, detail, words = `${label} ${detail}`.toLowerCase() }) => sought.split(" ").every((part) => ` ${words}`.includes(` ${part}`)));
  list.replaceChildren();
  options = shown.map(({ group, label, detail, href, run = () => location.assign(href ?? "") }, index) => {
    if (group !== shown[index - 1]?.group) list.append(make("b", { ariaHidden: "true" }, group));
    const option = make("a", { id: `result-${index}`, role: "option", tabIndex: -1 }, label, make("small", {}, detail));
    if (href) option.href = href;
    // The focus is where it was before the page does what was chosen.
    option.addEventListener("click", (event) => {
      event.preventDefault();
      dialog.close();
      if (href && (event.ctrlKey || event.metaKey)) window.open(href);
      else run();
    });
    list.append(option);
    return option;
  });
  status.textContent = isLost ? "The documents could not be searched." : sought && `${shown.length || "None"} found`;
  activate(Math.max(first, shown.indexOf(active)));
};

field.addEventListener("input", () => {
  found = [];
  at = -1;
  show();
  const { value } = field;
  setTimeout(async () => {
    const more = value && value === field.value ? await documents(value) : [];
    if (value !== field.value) return;
    found = more?.filter(({ href }) => !shown.some((each) => each.href === href)) ?? [];
    show(!more);
  }, DELAY);
});
field.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
  if (event.isComposing || step === undefined) return;
  event.preventDefault();
  if (step) activate((at + step + options.length) % options.length);
  else options[at]?.dispatchEvent(new MouseEvent("click", event));
});
// The field keeps the focus.
list.addEventListener("pointerdown", (event) => event.preventDefault());
dialog.addEventListener("click", ({ target }) => target === dialog && dialog.close());

export const toggle = async () => {
  const isOpen = dialog.open;
  dialog.close();
  // Behind another dialog, nothing of the page can be used.
  if (isOpen || document.querySelector("dialog[open]")) return;
  field.value = "";
  actions = readActions();
  found = recent = templates = [];
  dialog.showModal();
  // What the page has is there at once.
  at = -1;
  show(false, at);
  const first = await documents("");
  recent = first ?? [];
  templates = await readTemplates().catch(() => []);
  show(!first);
};
