// The gallery's filter without a reload: the thumbnails of the page that a link leads to take the place of these.

let wanted = "";

// Returns whether nothing else was chosen meanwhile.
const show = async (/** @type {string} */ url) => {
  wanted = url;
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.statusText);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (wanted !== url) return false;
  const focused = document.activeElement?.textContent;
  const next = document.adoptNode(page.querySelector("[data-gallery]"));
  document.querySelector("[data-gallery]").replaceWith(next);
  [...next.querySelectorAll(".filter a")].find((link) => link.textContent === focused)?.focus();
  return true;
};

document.addEventListener("click", async (event) => {
  const link = /** @type {Element} */ (event.target).closest("[data-gallery] .filter a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  try {
    if (await show(link.href)) history.pushState(null, "", link.href);
  } catch {
    location.assign(link.href);
  }
});

addEventListener("popstate", () => show(location.href).catch(() => location.reload()));
