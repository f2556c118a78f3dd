({ events, elements, script, mutate }) => {
  // Does all that a reader could, and returns what must not be in the page. `events` are the names of all events,
  // `elements` the allowed elements, `script` the only allowed script.
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
  for (const element of all) {
    const name = element.tagName.toLowerCase();
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
