({ events, elements, script, fonts, mutate }) => {
  // Does all that a reader could, and returns what must not be in the page. `events` are the names of all events,
  // `elements` the allowed elements, `script` the only allowed script, `fonts` the URLs of the site's own fonts.
  // Web mail and editors reparse serialized documents.
  if (mutate) document.body.innerHTML = document.body.innerHTML;
  const problems = [];
  const taken = ["querySelectorAll", "querySelector", "getElementById", "createElement", "addEventListener", "write"].filter(
    (name) => typeof document[name] !== "function",
  );
  // Such a document has nothing else to inspect.
  if (taken.length) return { problems: taken.map((name) => `document.${name} is an element`), pictures: [], text: "" };
  const all = [...document.querySelectorAll("*")];
  const allowed = new Set(elements);
  const protocols = new Set(["http:", "https:", "mailto:", "tel:"]);
  const addresses = new Set(["href", "src", "action", "formaction", "cite", "data", "longdesc", "content", "xlink:href"]);
  const forbidden = /^(on|srcset$|ping$|poster$|background$|dynsrc$|lowsrc$|xlink|contenteditable$|usemap$|popover|is$|shadowrootmode$)/;
  const tell = (element, what) => problems.push(`${what}: ${element.outerHTML.slice(0, 200)}`);
  // The workbench's own elements, which no author's text can make: each is exactly as it is in the template.
  const site = new Set([
    ...fonts.map((url) => `<link rel="preload" href="${url}" as="font" type="font/woff2" crossorigin="">`),
    '<script type="module" src="/static/autosave.js"></script>',
    '<script type="module" src="/static/workbench.js"></script>',
    '<script type="module" src="/static/published.js"></script>',
    '<script type="module" src="/static/site.js"></script>',
    '<script type="module" src="/static/changes.js"></script>',
    '<script type="module" src="/static/keys.js"></script>',
    '<script type="module" src="/static/picker.js"></script>',
    '<script type="module" src="/static/gallery.js"></script>',
    '<script type="module" src="/static/template.js"></script>',
    '<link rel="icon" href="/static/favicon.svg" type="image/svg+xml">',
    '<link rel="service-desc" href="/openapi.json" type="application/json">',
    '<link rel="service-doc" href="/docs" type="text/html">',
    '<form class="workbench" id="workbench" method="post" action="/" accept-charset="utf-8"></form>',
    '<form data-copying="" method="post" action="/download.md" accept-charset="utf-8"></form>',
    '<dialog class="handing" aria-labelledby="handing"></dialog>',
    '<dialog class="palette" aria-label="Search"></dialog>',
    '<input role="combobox" placeholder="Search, or choose what to do" aria-label="Search, or choose what to do" aria-autocomplete="list" aria-expanded="true" aria-controls="results" autocomplete="off" spellcheck="false">',
    '<div id="menu" popover=""></div>',
    '<button type="button" class="plain more" popovertarget="more" aria-label="More">⋯</button>',
    '<button type="button" class="plain more" popovertarget="more" aria-label="More" data-once-stored="" hidden="">⋯</button>',
    '<span id="more" popover=""></span>',
    "<picture></picture>",
    '<input class="mode" type="checkbox" hidden="" aria-label="Switch between light and dark" title="Switch between light and dark">',
    '<input aria-labelledby="link" readonly="" data-link="">',
    '<iframe name="preview" title="Preview" sandbox="allow-same-origin" src="/preview/sample?place=page"></iframe>',
    ...[["Google Docs", "google-docs"], ["Slack", "slack"], ["Email", "email"]].map(
      ([label, place]) =>
        `<iframe title="${label}: what is pasted after copying with mdpublish" sandbox="allow-same-origin" loading="lazy" tabindex="-1" src="/preview/excerpt?place=${place}"></iframe>`,
    ),
    ...[["Swiss", "swiss"], ["Paper", "paper"]].map(
      ([name, id]) => `<iframe title="${name}" sandbox="allow-same-origin" src="/templates/${id}/light/specimen"></iframe>`,
    ),
    '<form id="template" class="trial" method="post" action="/workbench" accept-charset="utf-8" data-base=""></form>',
    '<iframe name="preview" title="Ink" sandbox="allow-same-origin" src="/templates/ink/light/example"></iframe>',
    '<iframe name="preview" title="Ink" sandbox="allow-same-origin" src="/templates/ink/dark/example"></iframe>',
  ]);
  const documents = "/documents/(new|[0-9a-f-]{36})";
  const workbench = new RegExp(
    `^<form class="workbench" id="workbench" method="post" action="${documents}" accept-charset="utf-8" data-autosave="[a-z]+"></form>$` +
      `|^<iframe name="preview" title="Preview" sandbox="allow-same-origin" src="${documents}/preview\\?place=[a-z-]+"></iframe>$` +
      `|^<iframe title="Preview" sandbox="allow-same-origin" src="${documents}/revisions/[0-9]+/preview"></iframe>$` +
      '|^<source media="\\(prefers-color-scheme: dark\\)" srcset="/static/thumbnails/[a-z0-9-]+\\.[0-9a-f]{8}\\.avif">$' +
      '|^<button class="plain" popovertarget="menu"><span class="unseen">Account</span><span aria-hidden="true">.</span></button>$',
  );
  for (const element of all) {
    const name = element.tagName.toLowerCase();
    const bare = ["dialog", "form", "input", "picture"].includes(name) || element.hasAttribute("popover") ? element.cloneNode() : element;
    if (name === "input") bare.removeAttribute("value");
    if (site.has(bare.outerHTML) || workbench.test(bare.outerHTML)) continue;
    if (!allowed.has(name)) tell(element, `element ${name}`);
    // Figures have namespaces of their own.
    const spaces = allowed.has("svg") ? /^http:\/\/www\.w3\.org\/(1999\/xhtml|2000\/svg|1998\/Math\/MathML)$/ : /^http:\/\/www\.w3\.org\/1999\/xhtml$/;
    if (!spaces.test(element.namespaceURI)) tell(element, "namespace");
    if (name === "script" && element.textContent !== script) tell(element, "script");
    if (name === "iframe" && element.getAttribute("sandbox") !== "") tell(element, "frame without a sandbox");
    if (name === "input" && !element.form && (element.type !== "checkbox" || !element.disabled)) tell(element, "input");
    if (["img", "form", "object", "embed", "iframe"].includes(name) && (element.getAttribute("name") || (name !== "img" && element.getAttribute("id")))) tell(element, "name of the document's");
    for (const attribute of element.attributes) {
      const value = attribute.value;
      if (forbidden.test(attribute.name)) tell(element, `attribute ${attribute.name}`);
      if (attribute.name === "http-equiv" && value.toLowerCase() !== "content-type") tell(element, "http-equiv");
      if (attribute.name.startsWith("xmlns") && name !== "html") tell(element, "namespace");
      if (attribute.name === "srcdoc" && name !== "iframe") tell(element, "attribute srcdoc");
      if (attribute.name === "style" && /url\(|image-set|expression|-moz-binding|behavior|javascript|@import|__ran|hit\.example|\\/i.test(value)) tell(element, "style");
      if (addresses.has(attribute.name) && !(name === "meta")) {
        let url;
        try { url = new URL(value, "https://base.example/"); } catch { continue; }
        const picture = name === "img" && /^data:image\/(png|jpeg|gif|webp);base64,/i.test(value.trim());
        if (!protocols.has(url.protocol) && !picture && !(name === "img" && url.protocol === "cid:")) tell(element, `address of ${url.protocol}`);
        if (attribute.name.endsWith("action") && new URL(value, location.href).origin !== location.origin) tell(element, "form to elsewhere");
      }
    }
    if (name === "style" && /__ran|hit\.example|@import|expression\(|-moz-binding/i.test(element.textContent)) tell(element, "style");
    if (name === "link" && !/^(canonical|alternate|stylesheet)$/.test(element.rel)) tell(element, "link");
  }
  const pictures = [...document.querySelectorAll("img")].map((picture) => picture.src);
  const text = document.body ? document.body.innerText : "";
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const target of [window, document, ...all]) {
    // Elements without attributes have no listeners; the copy button is ours.
    if (target.className === "copy" || target.attributes?.length === 0) continue;
    for (const name of events) target.dispatchEvent(new Event(name));
    if (target.matches?.("a[href], [tabindex], input, button, textarea, select, summary")) target.focus?.({ preventScroll: true });
  }
  scrollTo(0, document.documentElement.scrollHeight);
  return { problems, pictures, text };
}
