// The gallery without a reload: what a link of the filter leads to, and what is found while a search is typed, takes the
// place of what is shown.

const DELAY = 150;
const PARTS = /** @type {const} */ (["nav.toggle", "nav.filter:not(.toggle)", "[data-shelves]", "[name=mode]"]);

const gallery = document.querySelector("[data-gallery]");
let wanted = "";
let timer = 0;

// A picture in the dark leads to its template in the dark, unless a mode was chosen.
const suit = () => {
  if (!gallery.querySelector(".is-preset") || !matchMedia("(prefers-color-scheme: dark)").matches) return;
  for (const link of gallery.querySelectorAll(".cards a")) link.href = link.href.replace(/light$/, "dark");
};

// Returns whether nothing else was chosen meanwhile.
const show = async (/** @type {string} */ url) => {
  wanted = url;
  const response = await fetch(url);
  if (!response.ok) throw new Error(response.statusText);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (wanted !== url) return false;
  const focused = document.activeElement;
  for (const selector of PARTS) {
    const [part, next] = [gallery, page].map((root) => root.querySelector(selector));
    if (part && next) part.replaceWith(document.adoptNode(next));
  }
  suit();
  if (focused?.closest(".filter")) [...gallery.querySelectorAll(".filter a")].find(({ textContent }) => textContent === focused.textContent)?.focus();
  const search = gallery.querySelector("[type=search]");
  if (search && search !== focused) search.value = new URL(url).searchParams.get("q") ?? "";
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

const find = async (/** @type {HTMLFormElement} */ form) => {
  const query = new URLSearchParams(/** @type {never} */ (new FormData(form)));
  if (!query.get("q")?.trim()) query.delete("q");
  const url = `${form.action}${query.size ? "?" : ""}${query}`;
  try {
    if (!(await show(url))) return;
    history.replaceState(null, "", url);
    gallery.querySelector("[data-found]").textContent = query.has("q") ? gallery.querySelector("h2").textContent : "";
  } catch {
    // Enter searches, too.
  }
};

gallery.addEventListener("input", ({ target }) => {
  const { form } = /** @type {HTMLInputElement} */ (target);
  if (form?.role !== "search") return;
  clearTimeout(timer);
  timer = setTimeout(() => find(form), DELAY);
});

addEventListener("popstate", () => show(location.href).catch(() => location.reload()));

suit();
