// The search form of a page. The index loads with the first use of it.
(() => {
  "use strict";
  const form = document.querySelector("form.site-search");
  if (!form) return;
  const field = form.querySelector("input");
  const status = form.querySelector("[role=status]");
  const list = form.querySelector("ol");
  // Those of other languages; English otherwise.
  const { loading = "Loading…", results: some, noResults = "No results", noIndex = "The search index cannot be loaded" } = form.dataset;
  let index = null;
  let isLoading = false;

  const count = (number) => (some ? some.replace("{}", number) : `${number} ${number === 1 ? "result" : "results"}`);

  const show = () => {
    const query = field.value.trim();
    list.replaceChildren();
    if (!query || !index) {
      status.textContent = query ? loading : "";
      return;
    }
    const results = siteSearch.search(index, query);
    status.textContent = results.length ? count(results.length) : noResults;
    for (const result of results) {
      const link = document.createElement("a");
      link.href = `${form.dataset.root}${result.url}${result.anchor ? `#${result.anchor}` : ""}`;
      for (const [tag, text] of [["b", result.heading ? `${result.title}: ${result.heading}` : result.title], ["span", result.snippet]]) {
        const part = document.createElement(tag);
        part.textContent = text;
        link.append(part);
      }
      const item = document.createElement("li");
      item.append(link);
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
    script.src = form.dataset.index;
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
  addEventListener("keydown", (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const menu = document.getElementById("site-menu");
    if (menu?.showPopover && getComputedStyle(menu).display === "none") menu.showPopover();
    field.focus();
  });
})();
