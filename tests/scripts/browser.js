// As much of a browser as the scripts' logic needs, in Node: elements without layout, and storage that can be full.

export class Element extends EventTarget {
  constructor(tag) {
    super();
    Object.assign(this, { tagName: tag, children: [], dataset: {}, style: {}, hidden: false, value: "", defaultValue: "", readOnly: false });
    Object.assign(this, { selectionStart: 0, selectionEnd: 0, offsetTop: 0, scrollTop: 0, clientHeight: 100 });
  }

  // Those below with an attribute, as in `[data-line]`.
  querySelectorAll(selector) {
    const name = selector.slice("[data-".length, -1);
    const below = this.children.filter((each) => each instanceof Element);
    return below.flatMap((each) => [...(name in each.dataset ? [each] : []), ...each.querySelectorAll(selector)]);
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }

  before(element) {
    this.previous = element;
  }

  after(...elements) {
    this.next = elements;
  }

  focus() {
    document.activeElement = this;
  }

  select() {
    this.setSelectionRange(0, this.value.length);
  }

  setSelectionRange(start, end) {
    [this.selectionStart, this.selectionEnd] = [start, end];
  }

  click() {
    this.dispatchEvent(new Event("click"));
  }

  press(label) {
    this.children.find((each) => each.textContent === label).click();
  }
}

export class Storage {
  values = new Map();
  isFull = false;

  getItem(key) {
    return this.values.get(key) ?? null;
  }

  setItem(key, value) {
    if (this.isFull) throw new Error("QuotaExceededError");
    this.values.set(key, value);
  }

  removeItem(key) {
    this.values.delete(key);
  }
}

// Writes at the selection of the field that has the focus, as browsers do.
const execCommand = (command, _, content = "") => {
  const field = document.activeElement;
  const { value, selectionStart: start, selectionEnd: end } = field;
  field.value = value.slice(0, start) + content + value.slice(end);
  return command !== "insertHTML";
};

class Observer {
  observe() {}
}

const page = new EventTarget();

// Makes a new page with empty storage, and returns what it listens with.
export const openBrowser = () => {
  const globals = {
    document: { activeElement: null, createElement: (tag) => new Element(tag), execCommand, querySelector: () => null },
    localStorage: new Storage(),
    sessionStorage: new Storage(),
    matchMedia: () => ({ matches: false }),
    addEventListener: page.addEventListener.bind(page),
    removeEventListener: page.removeEventListener.bind(page),
    MutationObserver: Observer,
    ResizeObserver: Observer,
    NodeFilter: { SHOW_TEXT: 4 },
  };
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  return page;
};

const SITE = new URL("../../packages/mdpublish-server/src/mdpublish_server/web/static/", import.meta.url);

// Returns what scripts of the site export, once there is a browser: some look at the page when they are imported.
export const imported = async (...names) => {
  openBrowser();
  return Object.assign({}, ...(await Promise.all(names.map((name) => import(new URL(name, SITE))))));
};
