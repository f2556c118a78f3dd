// Links and keys with Copy buttons.

const copied = (/** @type {HTMLElement} */ copy) => {
  const field = /** @type {HTMLInputElement} */ (copy.parentElement?.querySelector("[data-link]"));
  const { textContent: label } = copy;
  const select = () => (field.select ? field.select() : getSelection()?.selectAllChildren(field));
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
    } catch {
      // Without permission, or without HTTPS.
      select();
      if (!document.execCommand("copy")) return;
    }
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = label), 2000);
  });
  field.addEventListener("focus", select);
};

/** Returns the first button. @type {(root: ParentNode) => HTMLElement | null} */
export const copiedLink = (root) => {
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-copy-link]"));
  buttons.forEach(copied);
  return buttons[0] ?? null;
};
