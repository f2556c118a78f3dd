// How many words the text or its selection has: of the text as the service counts them, where it has seen it.

import { excess } from "../fields.js";

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu;
const COUNT_DELAY = 200;

const counted = (/** @type {number} */ number, /** @type {string} */ name) => `${number.toLocaleString("en")} ${name}${number === 1 ? "" : "s"}`;

export const count = (/** @type {Workbench} */ form) => {
  const text = form.elements.content;
  const shown = form.querySelector("[data-count]");
  const maxBytes = Number(text.dataset.maxBytes);
  let timer = 0;

  const show = () => {
    const picked = text.value.slice(text.selectionStart, text.selectionEnd);
    const isSelection = picked !== "" && document.activeElement === text;
    const content = isSelection ? picked : text.value;
    const { words: known } = shown.dataset;
    const words = isSelection || !known ? (content.match(WORD)?.length ?? 0) : Number(known);
    const over = excess(text);
    shown.classList.toggle("is-over", over > 0);
    if (over > 0) shown.textContent = `${counted(over, "byte")} over the limit of ${maxBytes.toLocaleString("en")}: cut as many, or split the text`;
    else shown.textContent = `${counted(words, "word")}, ${counted(content.replace(/[\ud800-\udbff][\udc00-\udfff]/g, "x").length, "character")}${isSelection ? " selected" : ""}`;
  };
  const schedule = () => {
    clearTimeout(timer);
    timer = setTimeout(show, COUNT_DELAY);
  };

  text.addEventListener("input", schedule);
  document.addEventListener("selectionchange", schedule);
  new MutationObserver(schedule).observe(shown, { attributeFilter: ["data-words"] });
  show();
};
