// Elements that scripts make, and pages that they fetch.

export const pageOf = async (/** @type {Response} */ response) => new DOMParser().parseFromString(await response.text(), "text/html");

/** @type {<Tag extends keyof Tags>(tag: Tag, properties: Partial<Tags[Tag]>, ...children: (Node | string)[]) => Tags[Tag]} */
export const make = (tag, properties, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

/** @type {(label: string, action: () => unknown, properties?: Partial<HTMLButtonElement>) => HTMLButtonElement} */
export const button = (label, action, properties) => {
  const made = make("button", { type: "button", className: "plain", textContent: label, ...properties });
  made.addEventListener("click", action);
  return made;
};

// A line above the text, with buttons; without words it is hidden.
/** @type {(text: HTMLElement) => Offer} */
export const offers = (text) => {
  const line = make("div", { className: "aside", role: "status", hidden: true });
  text.before(line);
  return (words, ...actions) => {
    line.replaceChildren(make("p", { textContent: words }), ...actions.map(([label, action]) => button(label, action)));
    line.hidden = words === "";
  };
};
