// The link of a published page, with its Copy button.

/** Returns the button. @type {(root: ParentNode) => HTMLElement | null} */
export const copiedLink = (root) => {
  const field = root.querySelector("[data-link]");
  const copy = root.querySelector("[data-copy-link]");
  if (!field || !copy) return null;
  const { textContent: label } = copy;
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      // Without permission, or without HTTPS.
      field.select();
      if (!document.execCommand("copy")) return;
    }
    copy.textContent = "Copied";
    setTimeout(() => (copy.textContent = label), 2000);
  });
  field.addEventListener("focus", () => field.select());
  return copy;
};
