// The link of a published page, or a key, with its Copy button.

/** Returns the button. @type {(root: ParentNode) => HTMLElement | null} */
export const copiedLink = (root) => {
  const field = root.querySelector("[data-link]");
  const copy = root.querySelector("[data-copy-link]");
  if (!field || !copy) return null;
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
  return copy;
};
