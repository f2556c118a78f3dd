// The template picker: thumbnails in a dialog, made when it is first opened. The form's field stays the select.

import { make } from "./elements.js";
import { modeOf } from "./preview.js";

const LIST = "/templates/thumbnails.json";
const CHANGE_DELAY = 200;

const opener = document.querySelector("[data-picker]");
const { form } = opener;
const { template_id: select, theme_mode: modes } = form.elements;
const lit = () => /** @type {"light" | "dark"} */ (modeOf(form, "page"));
let opening = /** @type {Promise<() => void> | null} */ (null);
let timer = 0;

const choose = (/** @type {HTMLSelectElement | ThemeModes} */ field, /** @type {string} */ value) => {
  if ((field === modes ? lit() : field.value) === value) return;
  if (field === modes) delete form.dataset.unchosen;
  field.value = value;
  const changed = field === select ? select : form.querySelector("[name=theme_mode]:checked");
  // Arrow keys pass over templates: the preview waits for the last.
  clearTimeout(timer);
  timer = setTimeout(() => changed.dispatchEvent(new Event("change", { bubbles: true })), CHANGE_DELAY);
};

const entry = (/** @type {GalleryTemplate} */ template) => {
  const option = [...select.options].find(({ value }) => value === template.id);
  const isLocked = !option || option.disabled;
  const input = make("input", { type: "radio", name: "picked", value: template.id, disabled: isLocked });
  const image = make("img", { alt: "", loading: "lazy", width: 320, height: 240 });
  const label = make("label", { className: "pick" }, input, image, make("span", {}, template.name));
  if (isLocked) label.append(" ", make("span", { className: "tier", textContent: "Pro" }));
  return { ...template, input, image, label };
};

const switchOf = (/** @type {HTMLInputElement} */ mode) => {
  const input = make("input", { type: "radio", name: "picked_mode", value: mode.value });
  return make("label", {}, input, ` ${mode.value[0].toUpperCase()}${mode.value.slice(1)}`);
};

const build = async () => {
  const response = await fetch(LIST);
  if (!response.ok) throw new Error(response.statusText);
  const entries = /** @type {GalleryTemplate[]} */ (await response.json()).map(entry);
  const search = make("input", { type: "search", autocomplete: "off" });
  const empty = make("p", {});
  const choices = make("div", { className: "cards" }, ...entries.map(({ label }) => label));
  const gallery = make("a", { textContent: "Gallery" });
  const switches = make("fieldset", { className: "modes" }, make("legend", { textContent: "Theme mode" }), ...[...modes].map(switchOf));
  const bar = make(
    "div",
    { className: "bar" },
    make("h2", { id: "picker-title", textContent: "Template" }),
    make("label", { className: "search" }, "Search", search),
    switches,
    gallery,
    make("button", { className: "primary", textContent: "Done" }),
  );
  const dialog = make("dialog", { className: "picker" }, make("form", { method: "dialog" }, bar, choices, empty));
  choices.setAttribute("role", "radiogroup");
  empty.setAttribute("role", "status");
  for (const each of [dialog, choices]) each.setAttribute("aria-labelledby", "picker-title");

  const light = () => {
    for (const { image, ...template } of entries) image.src = template[lit()];
    gallery.href = `/templates?mode=${lit()}`;
  };
  const filter = () => {
    const sought = search.value.toLowerCase().split(/\s+/);
    for (const { label, words } of entries) label.hidden = !sought.every((word) => words.includes(word));
    empty.textContent = entries.some(({ label }) => !label.hidden) ? "" : "No template is like that.";
  };

  let before = /** @type {string[]} */ ([]);

  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const first = entries.find(({ label, input }) => !label.hidden && !input.disabled);
    first?.input.focus();
    first?.input.click();
  });
  // Escape leaves all as it was.
  dialog.addEventListener("cancel", () => [select, modes].forEach((field, index) => choose(field, before[index])));
  choices.addEventListener("change", ({ target }) => choose(select, /** @type {HTMLInputElement} */ (target).value));
  // Enter and Done close it too; arrow keys only choose.
  choices.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (target.closest("label") && target.tagName !== "INPUT") setTimeout(() => dialog.close());
  });
  switches.addEventListener("change", ({ target }) => {
    choose(modes, /** @type {HTMLInputElement} */ (target).value);
    light();
  });

  const sheet = make("link", { rel: "stylesheet", href: "/static/gallery.css" });
  const styled = new Promise((resolve, reject) => Object.assign(sheet, { onload: resolve, onerror: reject }));
  document.head.append(sheet);
  await styled;
  document.body.append(dialog);
  return () => {
    before = [select.value, lit()];
    search.value = "";
    filter();
    light();
    for (const each of dialog.querySelectorAll("[name=picked_mode]")) each.checked = each.value === lit();
    dialog.showModal();
    const { input } = entries.find(({ id }) => id === select.value) ?? entries[0];
    input.checked = true;
    input.focus();
  };
};

// Raises an error where the templates cannot be loaded.
export const pick = async () => {
  try {
    (await (opening ??= build()))();
  } catch (error) {
    opening = null;
    throw error;
  }
};
