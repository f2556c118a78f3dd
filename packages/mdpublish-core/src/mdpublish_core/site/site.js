// What a site's pages do beyond links: search, whose index loads with its first use, and the place of the reader in menu and contents.
(() => {
  "use strict";
  const form = document.querySelector("form.site-search");
  if (!form) return;
  const field = form.querySelector("input");
  const status = form.querySelector("[role=status]");
  const list = form.querySelector("ol");
  // Those of other languages; English otherwise.
  const { loading = "Loading…", results: some, noResults = "No results", noIndex = "The search index cannot be loaded" } = form.dataset;
  let index = /** @type {SiteIndex | null} */ (null);
  let isLoading = false;

  const count = (/** @type {number} */ number) => (some ? some.replace("{}", String(number)) : `${number} ${number === 1 ? "result" : "results"}`);

  /** @type {<Tag extends keyof HTMLElementTagNameMap>(tag: Tag, ...content: (Node | string)[]) => HTMLElementTagNameMap[Tag]} */
  const newElement = (tag, ...content) => {
    const element = document.createElement(tag);
    element.append(...content);
    return element;
  };

  /** @type {(result: SiteSection, anchor: string, title: string, snippet?: string) => HTMLElement} */
  const newItem = (result, anchor, title, snippet) => {
    const marked = (/** @type {string} */ text) => siteSearch.parts(text, field.value).map(([part, isHit]) => (isHit ? newElement("mark", part) : part));
    const link = newElement("a", newElement("b", ...marked(title)));
    if (snippet) link.append(newElement("span", ...marked(snippet)));
    link.href = `${form.dataset.root}${result.url}${anchor ? `#${anchor}` : ""}`;
    return newElement("li", link);
  };

  const show = () => {
    const query = field.value.trim();
    list.replaceChildren();
    if (!query || !index) {
      status.textContent = query ? loading : "";
      return;
    }
    const results = siteSearch.search(index, query);
    status.textContent = results.length ? count(results.length) : noResults;
    // Sections below their page.
    for (const [, found] of Map.groupBy(results, (result) => result.url)) {
      const whole = found.find((result) => !result.anchor);
      const item = newItem(found[0], "", found[0].title, whole?.snippet);
      const sections = found.filter((result) => result.anchor).map((result) => newItem(result, result.anchor, result.heading, result.snippet));
      if (sections.length) item.append(newElement("ol", ...sections));
      list.append(item);
    }
  };

  const load = () => {
    if (index || isLoading) return;
    isLoading = true;
    window.mdpublishSearch = (pages) => {
      index = siteSearch.load(pages);
      show();
    };
    const script = document.createElement("script");
    script.src = form.dataset.index ?? "";
    script.onerror = () => {
      isLoading = false;
      status.textContent = noIndex;
    };
    document.head.append(script);
  };

  field.addEventListener("focus", load);
  field.addEventListener("input", () => {
    load();
    show();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  // A result on the same page closes the form, too.
  list.addEventListener("click", () => form.hidePopover());
  form.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    event.preventDefault();
    const places = /** @type {HTMLElement[]} */ ([field, ...list.querySelectorAll("a")]);
    places[Math.min(Math.max(places.findIndex((each) => each === document.activeElement) + step, 0), places.length - 1)].focus();
  });
  addEventListener("keydown", (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isSlash && !(event.key === "k" && (event.ctrlKey || event.metaKey))) return;
    event.preventDefault();
    form.showPopover();
    field.select();
  });

  // The current page and section, in view.
  const reveal = (/** @type {Element} */ link) => {
    const panel = /** @type {Element} */ (link.closest(".site-panel"));
    const { top, bottom } = link.getBoundingClientRect();
    const box = panel.getBoundingClientRect();
    if (top < box.top || bottom > box.bottom) panel.scrollTop += top - box.top - box.height / 3;
  };
  const menu = document.getElementById("site-menu");
  const showPlace = () => menu.querySelectorAll("[aria-current]").forEach(reveal);
  menu.addEventListener("toggle", showPlace);
  showPlace();
  const links = [...document.querySelectorAll(".site-contents a")];
  const headings = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const follow = () => {
    const top = parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8;
    const isAtEnd = scrollY > 0 && innerHeight + scrollY >= document.documentElement.scrollHeight - 2;
    const current = links[isAtEnd ? links.length - 1 : headings.findLastIndex((heading) => heading && heading.getBoundingClientRect().top <= top)];
    const before = document.querySelector(".site-contents [aria-current]");
    if (before === (current ?? null)) return;
    before?.removeAttribute("aria-current");
    current?.setAttribute("aria-current", "location");
    if (current) reveal(current);
  };
  let isWaiting = false;
  addEventListener("scroll", () => {
    if (!isWaiting) requestAnimationFrame(() => {
      isWaiting = false;
      follow();
    });
    isWaiting = true;
  }, { passive: true });
  follow();
})();
