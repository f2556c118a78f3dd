// The preview in blocks: of a new version, only what differs is sent, parsed and replaced, in place. The frame then has
// what the whole page would have.

import { parsed, replaceIn } from "./preview.js";

const NOTHING = "-";
const HOLDER = "mdpublish-block";

// An element that stays costs no layout of those below: some selectors count siblings.
/** @type {(old: ChildNode, fresh: ChildNode) => ChildNode} */
export const become = (old, fresh) => {
  if (old.isEqualNode(fresh)) return old;
  if (old.nodeName !== fresh.nodeName) {
    old.replaceWith(fresh);
    return fresh;
  }
  if (old.nodeType === Node.ELEMENT_NODE) children(/** @type {Element} */ (old), /** @type {Element} */ (fresh));
  else old.nodeValue = fresh.nodeValue;
  return old;
};

const attributes = (/** @type {Element} */ old, /** @type {Element} */ fresh) => {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, namespaceURI, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttributeNS(namespaceURI, name, value);
};

const children = (/** @type {Element} */ old, /** @type {Element} */ fresh) => {
  attributes(old, fresh);
  const [gone, made] = [[...old.childNodes], [...fresh.childNodes]];
  const shorter = Math.min(gone.length, made.length);
  let head = 0;
  let tail = 0;
  while (head < shorter && gone[head].isEqualNode(made[head])) head += 1;
  while (tail < shorter - head && gone[gone.length - 1 - tail].isEqualNode(made[made.length - 1 - tail])) tail += 1;
  const next = gone[gone.length - tail] ?? null;
  for (let index = head; index < Math.max(gone.length, made.length) - tail; index += 1) {
    if (index >= made.length - tail) gone[index].remove();
    else if (index >= gone.length - tail) old.insertBefore(made[index], next);
    else become(gone[index], made[index]);
  }
};

const cloned = (/** @type {Block} */ { key, nodes }) => ({ key, nodes: nodes.map((node) => /** @type {ChildNode} */ (node.cloneNode(true))) });

export const blocks = (/** @type {OwnFrame} */ frame) => {
  let shown = /** @type {ShownBlocks | null} */ (null);

  const placeAll = (/** @type {Page} */ shell, /** @type {string} */ name, /** @type {Block[]} */ list) => {
    const page = /** @type {Page} */ (shell.cloneNode(true));
    const container = /** @type {Element} */ (page.querySelector(name));
    // What follows a body's end is parsed into it.
    const end = container.firstChild;
    for (const { nodes } of list) for (const node of nodes) container.insertBefore(node, end);
    replaceIn(frame, page);
    return { container, end };
  };

  // In order: a block that moved up is copied.
  const placeParts = (/** @type {ShownBlocks} */ { container, end, list: old }, /** @type {(Block | [number, number])[]} */ parts) => {
    const list = /** @type {Block[]} */ ([]);
    const stays = new Set(parts.flatMap((part) => (Array.isArray(part) ? Array.from({ length: part[1] - part[0] }, (_, index) => part[0] + index) : [])));
    let at = 0;
    const put = (/** @type {Block} */ { key, nodes }) => {
      const before = old[at];
      if (before && !stays.has(at) && before.nodes.length === nodes.length) {
        list.push({ key, nodes: before.nodes.map((node, index) => become(node, nodes[index])) });
        at += 1;
      } else {
        for (const node of nodes) container.insertBefore(node, before?.nodes[0] ?? end);
        list.push({ key, nodes });
      }
    };
    const dropTo = (/** @type {number} */ index) => {
      for (; at < index; at += 1) for (const node of old[at].nodes) node.remove();
    };
    for (const part of parts) {
      if (!Array.isArray(part)) put(part);
      else {
        for (let index = part[0]; index < part[1]; index += 1) {
          const block = old[index];
          if (index < at) put(cloned(block));
          else {
            dropTo(index);
            at += 1;
            list.push(block);
          }
        }
      }
    }
    dropTo(old.length);
    return list;
  };

  frame.addEventListener("load", () => (shown = null));
  return {
    // What a request says of it.
    known: (/** @type {string} */ place) => (shown?.place === place ? shown.key + shown.list.map(({ key }) => key).join("") : NOTHING),
    forget: () => (shown = null),
    show: (/** @type {string} */ place, /** @type {BlockedPage} */ { container, shell, blocks: sent }) => {
      const made = sent.map((part) => (Array.isArray(part) ? "" : `<${HOLDER}>${part.html}</${HOLDER}>`)).join("");
      const holders = parsed(frame, `<!DOCTYPE html><body>${made}`).lastElementChild.children;
      let count = 0;
      const parts = sent.map((part) => (Array.isArray(part) ? part : { key: part.key, nodes: [...holders[count++].childNodes] }));
      const before = /** @type {ShownBlocks} */ (shown);
      const page = shell.html === null ? before.shell : parsed(frame, shell.html);
      if (before?.place === place && before.shell.lastElementChild.isEqualNode(page.lastElementChild)) {
        if (page !== before.shell) {
          const root = /** @type {Page} */ (frame.contentDocument.documentElement);
          attributes(root, page);
          become(root.firstElementChild, /** @type {Element} */ (page.firstElementChild.cloneNode(true)));
        }
        shown = { ...before, key: shell.key, shell: page, list: placeParts(before, parts) };
      } else {
        const list = parts.flatMap((part) => (Array.isArray(part) ? before.list.slice(...part).map(cloned) : part));
        shown = { place, key: shell.key, shell: page, list, ...placeAll(page, container, list) };
      }
    },
  };
};
