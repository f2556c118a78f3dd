// The theme mode that a reader has chosen: the style's media queries for the other one are turned off before the page is painted.
(() => {
  "use strict";
  const KEY = "mdpublish-mode";
  const system = matchMedia("(prefers-color-scheme: dark)");
  const queries = new Map();
  const read = (/** @type {Iterable<CSSRule & Partial<CSSMediaRule>>} */ rules) => {
    for (const rule of rules) {
      if (rule.media) queries.set(rule.media, rule.media.mediaText);
      if (rule.cssRules) read(rule.cssRules);
    }
  };
  // A browser may refuse the storage.
  let chosen = /** @type {string | null} */ (null);
  try {
    chosen = localStorage.getItem(KEY);
  } catch {}

  const current = () => chosen ?? (system.matches ? "dark" : "light");

  const show = () => {
    document.documentElement.style.colorScheme = chosen ?? "";
    for (const [media, text] of queries) {
      media.mediaText = chosen ? text.replace(/\(prefers-color-scheme: *(\w+)\)/g, (/** @type {string} */ _, /** @type {string} */ mode) => `(m${mode === chosen ? "in" : "ax"}-width: 0px)`) : text;
    }
    document.querySelector(".for-mode")?.setAttribute("aria-pressed", String(current() === "dark"));
  };

  const choose = () => {
    const next = current() === "dark" ? "light" : "dark";
    chosen = next === (system.matches ? "dark" : "light") ? null : next;
    try {
      if (chosen) localStorage.setItem(KEY, chosen);
      else localStorage.removeItem(KEY);
    } catch {}
    show();
  };

  for (const sheet of document.styleSheets) read(sheet.cssRules);
  show();
  system.addEventListener("change", show);
  addEventListener("DOMContentLoaded", () => {
    show();
    document.querySelector(".for-mode")?.addEventListener("click", choose);
  });
})();
